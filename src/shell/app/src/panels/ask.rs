//! The search: a person types or pastes a text, and each answer opens the run, card or page that it names.

use core::time::Duration;

use ::ask::{Answer, Answers, Index, Target};
use ::words::{ask as words, label};
use leptos::ev::{Event, KeyboardEvent, MouseEvent};
use leptos::html::Dialog;
use leptos::prelude::*;
use studio::{Action, Chrome, Edit, LazyPart, Link, PartTexts, Theme, word_address};

use crate::browser::location::{self, is_plain};
use crate::browser::timer::later;
use crate::browser::timing::Debounce;
use crate::browser::{by_name, dialog, focus, text};
use crate::ctx::{Ctx, memo, text_from, use_ctx};
use crate::effects::keys;
use crate::navigation;
use crate::part_state::Goal;
use crate::tab::Tab;
use crate::ui::{IconButton, PartSlot, icons};

/// A button in the shape of a field, which opens the search.
#[component]
pub(crate) fn AskButton(id: &'static str) -> impl IntoView {
    let ctx = use_ctx();
    view! {
        <button
            id=id
            class="search-button"
            type="button"
            aria-haspopup="dialog"
            aria-keyshortcuts=words::KEY
            on:click=move |_| navigation::open(ctx, Goal::Ask)
            on:pointerenter=move |_| navigation::prefetch(LazyPart::Ask)
            on:focus=move |_| navigation::prefetch(LazyPart::Ask)
        >
            {words::OPEN}
            <kbd aria-hidden="true">{words::KEY}</kbd>
        </button>
    }
}

/// The element of the page that the search fills.
#[component]
pub(crate) fn AskSlot() -> impl IntoView {
    let ctx = use_ctx();
    let shown = memo(move || ctx.parts.asks.get());
    view! { <PartSlot fill=Box::new(move || ctx.parts.ask.get()) shown /> }
}

/// Id of the field.
const FIELD: &str = "search-text";
/// Start of the ids of answers that open something. The number of the answer follows.
const ANSWER: &str = "found-";
/// Time without further typing after which the search answers.
const PAUSE: Duration = Duration::from_millis(150);
/// Maximum height of the field in lines, in a browser that does not fit a field to its text.
const LINES_MAX: usize = 8;

/// State of loading the index.
enum Arrival {
    Awaited,
    Missing,
    There(Index),
}

#[derive(Clone, Copy)]
struct State {
    ctx: Ctx,
    /// Text of the field.
    typed: RwSignal<String>,
    /// Text to which the shown answers belong.
    asked: RwSignal<String>,
    index: RwSignal<Arrival>,
    answers: Memo<Answers>,
    /// Element that gets the focus when the opened view is drawn.
    next_focus: RwSignal<Option<&'static str>>,
}

impl State {
    /// Creates the state, and requests the index.
    fn new(ctx: Ctx) -> Self {
        let (asked, index) = (RwSignal::new(String::new()), RwSignal::new(Arrival::Awaited));
        let answers = memo(move || {
            let asked = asked.read();
            match &*index.read() {
                Arrival::There(index) if !asked.trim().is_empty() => index.ask(&asked),
                // Runs, models and pasted texts need no index. Without an index, the page cannot say that it found
                // nothing.
                Arrival::Missing => Answers { note: None, ..Index::parse("").ask(&asked) },
                _ => Answers::default(),
            }
        });
        let state =
            Self { ctx, typed: RwSignal::new(String::new()), asked, index, answers, next_focus: RwSignal::new(None) };
        text::follow(move |name, text| {
            if name == text::INDEX {
                let arrived = if text.is_empty() { Arrival::Missing } else { Arrival::There(Index::parse(text)) };
                // The page may no longer exist.
                index.try_set(arrived);
            }
        });
        state.request();
        state.follow_focus();
        state
    }

    fn request(self) {
        self.index.set(Arrival::Awaited);
        text::ask(text::INDEX);
    }

    /// Answers a text at once.
    fn ask(self, text: String) {
        self.asked.set(text.clone());
        self.typed.set(text);
    }

    /// Moves the focus to the opened view when its part is loaded.
    fn follow_focus(self) {
        let Self { ctx, next_focus, .. } = self;
        crate::browser::effect(move || {
            let Some(id) = next_focus.get() else { return };
            let is_there = match id {
                "card-title" => ctx.lesson.is_open.get(),
                "estimate" => ctx.parts.estimate.with(Option::is_some),
                _ => true,
            };
            if is_there {
                next_focus.set(None);
                // The view is drawn after this task.
                later(move || focus::focus(id), Duration::ZERO);
            }
        });
    }

    /// Opens a link of this page in place, as a step of the browser's history.
    fn open(self, address: &str) {
        let ctx = self.ctx;
        let (query, fragment) = address.split_once('#').unwrap_or((address, ""));
        let word = word_address(fragment);
        ctx.parts.asks.set(false);
        keys::close_help(false);
        if word.is_none() || !query.trim_start_matches('?').is_empty() {
            let mut link = Link::parse(query, fragment);
            let chrome = match link.view.chrome {
                Chrome::Answer => Chrome::Estimate,
                chrome if chrome.is_embedded() => Chrome::Full,
                chrome => chrome,
            };
            let place = match &link.tools.learn {
                _ if chrome.is_estimate() => "estimate",
                Some(_) => "card-title",
                None => "stage",
            };
            if link.texts == PartTexts::default() {
                link.texts = ctx.session().with_untracked(|session| session.texts.clone());
            }
            // A link does not change the colors of an open page, unless it answers a question about colors.
            if link.view.theme != Theme::Auto {
                ctx.dispatch(&Action::Edit(Edit::Theme(link.view.theme)));
            }
            // A small page shows the run in place of the menus.
            ctx.view.tab.set(Tab::Run);
            ctx.dispatch(&Action::Edit(Edit::Preset(Box::new(link))));
            navigation::restore(ctx, chrome);
            self.next_focus.set(word.is_none().then_some(place));
        }
        if let Some(place) = word {
            keys::open_help_at(ctx, &place);
        }
    }

    /// Moves the focus between the field and the answers, and opens the first answer. No key of the page acts while the
    /// dialog is open.
    fn press(self, event: &KeyboardEvent) {
        event.stop_propagation();
        let id = focus::target_id(event);
        let at = id.as_deref().and_then(|id| id.strip_prefix(ANSWER)?.parse::<usize>().ok());
        let is_field = id.as_deref() == Some(FIELD);
        let next = match (event.key().as_str(), at) {
            ("ArrowDown", Some(at)) => format!("{ANSWER}{}", at + 1),
            ("ArrowUp", Some(0)) => FIELD.to_owned(),
            ("ArrowUp", Some(at)) => format!("{ANSWER}{}", at - 1),
            ("ArrowDown", None) if !is_field || self.is_at_last_line(event) => {
                return self.go_to_first(event, focus::focus);
            }
            ("Enter", None) if is_field && !event.shift_key() && !is_composing(event) => {
                return self.go_to_first(event, focus::press);
            }
            _ => return,
        };
        event.prevent_default();
        focus::focus(&next);
    }

    /// Focuses or presses the first answer to the text of the field. Before that, updates the answers, because they may
    /// still belong to an earlier text.
    fn go_to_first(self, event: &KeyboardEvent, go: fn(&str)) {
        event.prevent_default();
        self.ask(self.typed.get_untracked());
        // The answers are drawn after this task.
        later(move || go(&format!("{ANSWER}0")), Duration::ZERO);
    }

    /// True if the caret is in the last line of the field.
    fn is_at_last_line(self, event: &KeyboardEvent) -> bool {
        let caret = event.target().and_then(|field| by_name::property(&field, "selectionEnd")?.as_f64());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index in a text")]
        let caret = caret.unwrap_or(0.0) as usize;
        // A browser counts UTF-16 units.
        self.typed.with_untracked(|typed| !typed.encode_utf16().skip(caret).any(|unit| unit == u16::from(b'\n')))
    }
}

/// True while a person composes a letter from several keys. Enter then ends the letter.
fn is_composing(event: &KeyboardEvent) -> bool {
    by_name::property(event, "isComposing").is_some_and(|is| is.is_truthy())
}

/// True if an event is for the dialog itself: a press on the dark area around the dialog.
fn is_around(event: &MouseEvent) -> bool {
    event.target().is_some_and(|target| Some(target) == event.current_target())
}

/// The dialog of the search.
#[component]
pub(crate) fn Ask() -> impl IntoView {
    let ctx = use_ctx();
    let node: NodeRef<Dialog> = NodeRef::new();
    dialog::follow(node, ctx.parts.asks, FIELD, None);
    let state = State::new(ctx);
    let content = move || ctx.parts.asks.get().then(|| view! { <Content state node /> });
    view! {
        <dialog
            id="search"
            aria-labelledby="search-name"
            node_ref=node
            on:close=move |_| ctx.parts.asks.set(false)
            on:keydown=move |event| state.press(&event)
            on:click=move |event| {
                if is_around(&event) {
                    dialog::close(node);
                }
            }
        >
            {content}
        </dialog>
    }
}

/// The field, the answers, and examples while the field is empty.
#[component]
fn Content(state: State, node: NodeRef<Dialog>) -> impl IntoView {
    let State { typed, asked, index, answers, .. } = state;
    let pause = Debounce::new(PAUSE);
    let input = move |event: Event| {
        let text = event_target_value(&event);
        typed.set(text.clone());
        pause.call(move || asked.set(text));
    };
    let n_lines = text_from(move || typed.with(|typed| typed.matches('\n').count() + 1).min(LINES_MAX).to_string());
    let is_missing = memo(move || matches!(*index.read(), Arrival::Missing));
    let note = memo(move || {
        if matches!(*index.read(), Arrival::Awaited) && !asked.with(|asked| asked.trim().is_empty()) {
            return words::LOADING.to_owned();
        }
        let of = |answers: &Answers| answers.note.clone().unwrap_or_else(|| words::found(answers.found.len()));
        answers.with(|answers| if *answers == Answers::default() { String::new() } else { of(answers) })
    });
    // A person sees the number of answers in the list, so this text is visible only for a note or an empty list.
    let is_seen = memo(move || answers.with(|answers| answers.note.is_some() || answers.found.is_empty()));
    let again = move |_| {
        state.request();
        focus::focus(FIELD);
    };
    let example = move |example: &'static str| {
        let fill = move |_| {
            state.ask(example.to_owned());
            focus::focus(FIELD);
        };
        view! { <li><button type="button" on:click=fill>{example}</button></li> }
    };
    let examples = move || {
        let list = move || view! { <ul>{words::EXAMPLES.map(example).into_iter().collect_view()}</ul> };
        typed.with(String::is_empty).then(|| view! { <p class="hint">{words::ABOUT}</p> {list()} })
    };
    view! {
        <div class="search">
            <div class="search-head">
                <label id="search-name" for=FIELD>{words::OPEN}</label>
                <IconButton
                    id="search-close"
                    label=text_from(|| words::CLOSE.to_owned())
                    icon=text_from(|| icons::CLOSE.to_owned())
                    on_press=Box::new(move || dialog::close(node))
                />
            </div>
            <textarea
                id=FIELD
                rows=n_lines
                placeholder=words::HINT
                autocomplete="off"
                spellcheck="false"
                prop:value=move || typed.get()
                on:input=input
                on:focus=|event| focus::choose_all(&event)
            ></textarea>
            <p class="problem" role="alert" hidden=move || !is_missing.get()>
                {words::NOT_LOADED} " "
                <button id="search-again" type="button" on:click=again>{label::TRY_AGAIN}</button>
            </p>
            <p id="search-note" role="status" class:unseen=move || !is_seen.get()>{move || note.get()}</p>
            <ul id="found">{move || answers.with(|answers| answer_views(state, answers))}</ul>
            <div class="search-examples">{examples}</div>
        </div>
    }
}

/// The answers. Arrow keys move only through answers that open something.
fn answer_views(state: State, answers: &Answers) -> Vec<AnyView> {
    let mut n_links = 0;
    let one = |Answer { kind, title, says, target }: Answer| {
        let inside = view! { <small>{::ask::words::kind(kind)}</small> " " <b>{title}</b> " " <span>{says}</span> };
        let id = format!("{ANSWER}{n_links}");
        let view = match target {
            Target::Link(link) => {
                let address = link.clone();
                let open = move |event: MouseEvent| {
                    if is_plain(&event) {
                        event.prevent_default();
                        state.open(&address);
                    }
                };
                view! { <a id=id href=link on:click=open>{inside}</a> }.into_any()
            }
            Target::Book(page) if location::has_book() => view! { <a id=id href=page>{inside}</a> }.into_any(),
            Target::Book(_) | Target::None => return view! { <li><p>{inside}</p></li> }.into_any(),
        };
        n_links += 1;
        view! { <li>{view}</li> }.into_any()
    };
    answers.found.iter().cloned().map(one).collect_view()
}
