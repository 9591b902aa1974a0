//! Cards to do again: cards that a person missed return after growing gaps, and a deck mixes the cards of all lessons.
//!
//! If the page is not in a frame and the browser allows storage, the browser stores the list.

use ::words::share;
use leptos::prelude::*;
use lesson::again::{Again, mixed};
use lesson::course;
use lesson::{Card, Help, LessonPlace, Paragraph, Shown, words};

use super::state::State;
use super::text::{Said, paragraphs};
use super::texts::Arrival;
use crate::browser::kept::Kept;
use crate::browser::{day, download, small_file};
use crate::ctx::text_from;

/// Name of the exported file.
const FILE: &str = "to-do-again.txt";
/// Largest size of a file that the page reads.
const BYTES_MAX: usize = 100_000;
/// Number of cards of a mixed deck, and number of random cards from which the deck takes those of begun lessons.
const MIXED: usize = 10;
const N_DRAWN: usize = 400;

/// A card of a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub(super) place: LessonPlace,
    pub(super) help: Help,
}

/// The deck that a person works through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Deck {
    /// Name of the open card.
    open: String,
    /// Cards after the open card.
    rest: Vec<Next>,
    n_cards: usize,
}

/// The list of cards to do again, and the deck.
#[derive(Clone, Copy)]
pub(super) struct Decks {
    list: RwSignal<Again>,
    deck: RwSignal<Option<Deck>>,
    /// Message about a stored list or a file that cannot be read.
    problem: RwSignal<String>,
    is_kept: bool,
}

impl Decks {
    /// Reads the stored list. An embed begins with an empty list.
    pub(super) fn new(is_embedded: bool) -> Self {
        let stored = if is_embedded { String::new() } else { Kept::Again.read() };
        let (list, problem) = match Again::parse(&stored) {
            Ok(list) => (list, String::new()),
            Err(_) if stored.is_empty() => (Again::default(), String::new()),
            Err(what) => (Again::default(), words::not_again(&what)),
        };
        let (list, problem) = (RwSignal::new(list), RwSignal::new(problem));
        Self { list, deck: RwSignal::new(None), problem, is_kept: !is_embedded }
    }

    /// Records the first answer to a card. `next` is the version in which the card returns.
    fn answered(self, place: &LessonPlace, next: u32, is_right: bool) {
        let mut list = self.list.get_untracked();
        let today = day::today();
        if is_right {
            list.pass(place, next, today);
        } else {
            list.miss(place, next, today);
        }
        self.set(list);
    }

    /// Returns the number of cards of the deck after the open card. `None` if no deck is open.
    pub(super) fn n_left(self) -> Option<usize> {
        self.deck.with(|deck| deck.as_ref().map(|deck| deck.rest.len()))
    }

    /// Returns the number of the open card in the deck, and the number of cards of the deck.
    pub(super) fn place(self) -> Option<(usize, usize)> {
        self.deck.with(|deck| deck.as_ref().map(|deck| (deck.n_cards - deck.rest.len(), deck.n_cards)))
    }

    /// Ends the deck if the open card is not the deck's card. Returns true if the deck continues.
    pub(super) fn keeps(self, place: Option<&str>) -> bool {
        let is_own = self.deck.with_untracked(|deck| deck.as_ref().is_some_and(|deck| place == Some(&deck.open)));
        if !is_own {
            self.deck.set(None);
        }
        is_own
    }

    fn set(self, list: Again) {
        if self.list.with_untracked(|now| *now != list) {
            if self.is_kept {
                Kept::Again.write(&if list.n_cards() == 0 { String::new() } else { list.to_text() });
            }
            self.list.set(list);
        }
    }

    /// True if no card is to do again.
    pub(super) fn is_empty(self) -> bool {
        self.list.with_untracked(|list| list.n_cards() == 0)
    }

    /// Returns the cards that are due on a day.
    fn due(self, day: u32) -> Vec<Next> {
        let due = self.list.with(|list| list.due(day));
        let next =
            |due: lesson::again::Due| Next { place: LessonPlace { version: due.version, ..due.place }, help: due.help };
        due.into_iter().map(next).collect()
    }
}

impl State {
    /// Opens the next card of the deck, or the list of all lessons after the last card.
    pub(super) fn next_of_deck(self) {
        let Some(Deck { mut rest, n_cards, .. }) = self.decks.deck.get_untracked().filter(|deck| !deck.rest.is_empty())
        else {
            self.decks.deck.set(None);
            return self.go(studio::LearnPage::Contents.to_text());
        };
        let next = rest.remove(0);
        self.decks.deck.set(Some(Deck { open: String::new(), rest, n_cards }));
        self.open_with(next);
    }

    fn begin_deck(self, rest: Vec<Next>) {
        let n_cards = rest.len();
        self.decks.deck.set(Some(Deck { open: String::new(), rest, n_cards }));
        self.next_of_deck();
    }

    /// Returns mixed cards of the lessons that a person has begun. Before the second lesson, returns cards of all
    /// lessons.
    fn mixed(self) -> Vec<Next> {
        let begun = |lesson: &str| self.progress.of(lesson) > 0;
        let n_begun = untrack(|| course::of_set(course::Set::Course).filter(|entry| begun(entry.id)).count());
        let all = mixed(day::seed(), N_DRAWN).into_iter();
        let of_begun = all.filter(|(place, _)| n_begun < 2 || untrack(|| begun(&place.lesson)));
        let next = |(place, version)| Next { place: LessonPlace { version, ..place }, help: Help::Alone };
        of_begun.take(MIXED).map(next).collect()
    }

    /// Records the first answer to the open card.
    pub(super) fn record(self, place: &LessonPlace, is_right: bool) {
        self.decks.answered(place, self.next_version(place), is_right);
    }

    /// Returns the version in which the open card returns. A person has not seen this version, and its right answer
    /// differs if the card allows a different one.
    fn next_version(self, place: &LessonPlace) -> u32 {
        let first = self.decks.list.with_untracked(|list| list.unseen(place));
        let next = || {
            let (written, seen) = (self.written(place)?, self.card()?);
            Some(written.version_unlike(place, first, &seen)?.0)
        };
        untrack(next).unwrap_or(first)
    }

    /// True if the card can be repeated with another question.
    pub(super) fn can_vary(self, place: &LessonPlace) -> bool {
        untrack(|| self.written(place)).is_some_and(|written| written.can_vary())
    }

    /// Returns a card as written.
    fn written(self, place: &LessonPlace) -> Option<Card> {
        let Some(Arrival::There(lesson)) = self.texts.get(&place.lesson) else { return None };
        lesson.card(place.card).cloned()
    }

    /// Returns the wrong choice that the open card strikes out.
    pub(super) fn struck(self, card: &Card) -> Option<usize> {
        match card.shown(self.help.get()) {
            Shown::Struck { choice, .. } => Some(choice),
            _ => None,
        }
    }

    /// Opens the next version of a card. A missed card begins with a worked example. With each repetition, the card
    /// gives less help.
    pub(super) fn again(self, place: &LessonPlace) {
        let help = match (self.is_right(), self.help.get_untracked()) {
            (Some(false), _) => Help::Worked,
            (_, Help::Worked) => Help::Half,
            _ => Help::Alone,
        };
        // The list has the version of a missed card already.
        let listed = self.decks.list.with_untracked(|list| list.next_version(place));
        let version = listed.unwrap_or_else(|| self.next_version(place));
        let place = LessonPlace { version, is_result: false, ..place.clone() };
        self.open_with(Next { place, help });
    }

    fn open_with(self, Next { place, help }: Next) {
        self.next_help.set_value(help);
        self.forget(&place);
        // A deck waits while its card is repeated.
        self.decks.deck.update(|deck| {
            if let Some(deck) = deck {
                deck.open = place.version_text();
            }
        });
        self.go(place.to_text());
    }
}

/// The list of cards to do again, with the buttons that start a deck and exchange the list as a file.
#[component]
pub(super) fn ToDoAgain(state: State) -> impl IntoView {
    let decks = state.decks;
    let due = Memo::new(move |_| decks.due(day::today()));
    // If no card is due yet, a person may practice all cards.
    let practice =
        move || Some(due.get_untracked()).filter(|due| !due.is_empty()).unwrap_or_else(|| decks.due(u32::MAX));
    let n_cards = Memo::new(move |_| decks.list.with(Again::n_cards));
    let said = text_from(move || {
        let in_days = decks.list.with(Again::next_day).map(|day| day.saturating_sub(day::today()));
        words::to_do_again(due.with(Vec::len), n_cards.get(), in_days)
    });
    let (problem, saved) = (decks.problem, RwSignal::new(String::new()));
    let save = move |_| {
        let text = decks.list.with_untracked(Again::to_text);
        saved.set(match download::save_bytes(FILE, "text/plain", text.as_bytes()) {
            Ok(()) if download::is_in_sandbox() => share::saved_in_sandbox(FILE),
            Ok(()) => share::saved(FILE),
            Err(_) => share::FAILED.to_owned(),
        });
    };
    let open = move |event: leptos::ev::Event| {
        let read = move |bytes: Option<Vec<u8>>| {
            let Some(bytes) = bytes else { return problem.set(words::UNREADABLE.to_owned()) };
            match Again::parse(&String::from_utf8_lossy(&bytes)) {
                Ok(list) => {
                    decks.set(list);
                    problem.set(String::new());
                }
                Err(what) => problem.set(words::not_again(&what)),
            }
        };
        small_file::read(&event, BYTES_MAX, Box::new(read));
    };
    let mixed_deck = move |_| state.begin_deck(state.mixed());
    view! {
        <section class="again" aria-labelledby="again">
            <div class="set-head">
                <h3 id="again">{words::TO_DO_AGAIN}</h3>
                <p role="status">{said}</p>
            </div>
            <p class="card-more">
                <button
                    id="do-again"
                    type="button"
                    class="strong"
                    hidden=move || n_cards.get() == 0
                    on:click=move |_| state.begin_deck(untrack(practice))
                >
                    {words::DO_AGAIN}
                </button>
                <button id="mixed" type="button" on:click=mixed_deck>{words::MIXED}</button>
                <button id="save-again" type="button" hidden=move || n_cards.get() == 0 on:click=save>{words::SAVE_AGAIN}</button>
                <span class="file">
                    <input class="unseen" id="open-again" type="file" accept=".txt,text/plain" on:change=open />
                    <label class="button" for="open-again">{words::OPEN_AGAIN}</label>
                </span>
            </p>
            <p class="problem" role="status">{move || problem.get()}</p>
            <p class="hint" role="status">{move || saved.get()}</p>
        </section>
    }
}

/// The help of a repeated card: an example with other numbers, a wrong choice that is struck out, or a misconception.
#[component]
pub(super) fn HelpView(state: State, place: LessonPlace, card: Card) -> impl IntoView {
    let can_vary = state.can_vary(&place);
    let note = move || (!can_vary && state.decks.n_left().is_some()).then_some(words::NO_OTHER_NUMBERS);
    let shown = move || {
        let help = state.help.get();
        // An example must not give the answer away.
        let example = match help {
            Help::Worked => Some(state.written(&place)?.example(&place, &card)?),
            _ => None,
        };
        let shown = example.as_ref().unwrap_or(&card);
        let (scene, question) = (shown.scene(), shown.question.as_ref()?);
        Some(match shown.shown(help) {
            Shown::Right { answer, why } => view! {
                <details>
                    <summary class="card-kind">{words::WORKED}</summary>
                    {paragraphs(&differing(shown, &card), &scene)}
                    <p>{question.text.text(&scene)} " " <b>{question.shown(&scene, &answer)}</b></p>
                    {paragraphs(why, &scene)}
                </details>
            }
            .into_any(),
            Shown::Struck { choice, reason } => view! {
                <p class="card-kind">{words::HALF_WORKED}</p>
                <p><s>{question.shown(&scene, &lesson::Answer::Choice(choice))}</s></p>
                <Said text=reason.text.clone() card=shown.clone() />
            }
            .into_any(),
            Shown::Thought(reason) => view! {
                <p class="card-kind">{words::MISCONCEPTION}</p>
                <Said text=reason.text.clone() card=shown.clone() />
            }
            .into_any(),
            Shown::Nothing => return None,
        })
    };
    view! {
        <p class="hint">{note}</p>
        <div class="card-help">{shown}</div>
    }
}

/// Returns the paragraphs above an example's question, without the paragraphs that the open card also has.
fn differing(example: &Card, open: &Card) -> Vec<Paragraph> {
    let differs = |text: &&Paragraph| text.text(&example.scene()) != text.text(&open.scene());
    example.text.iter().filter(differs).cloned().collect()
}
