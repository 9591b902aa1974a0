//! The slides of a presentation: their content, their order, and the link that starts them.

use leptos::html::Input;
use leptos::prelude::*;
use studio::{Action, Chrome, Deck, Edit, Link, Said};
use words::share;

use super::{copy_button, link_of, speaker};
use crate::browser::focus;
use crate::browser::location;
use crate::browser::timer::later;
use crate::browser::{clipboard, download, small_file};
use crate::ctx::{Ctx, memo, text_from, use_ctx};
use crate::effects::{address, presentation};
use crate::navigation;

/// Id of the button that adds a slide. This button always exists, so it gets the focus when a slide with its buttons is
/// removed.
const ADD: &str = "slide-add";

/// Changes the slides, and returns the result of `with`.
fn change<T>(ctx: Ctx, with: impl FnOnce(&mut Deck) -> T) -> T {
    let mut deck = untrack(|| presentation::deck(ctx));
    let answer = with(&mut deck);
    let texts = ctx.session().with_untracked(|session| deck.in_texts(&session.texts));
    ctx.dispatch(&Action::Edit(Edit::Texts(texts)));
    answer
}

/// Returns the address that starts the presentation with the first slide.
fn first(ctx: Ctx, deck: &Deck) -> Option<String> {
    let mut link = presentation::link_of(ctx, deck, 0)?;
    link.view.chrome = Chrome::Present;
    Some(location::absolute_link(&address::text_of(&link)))
}

/// Reads the slides of the file that a person chose, and tells what is wrong with it.
fn read(ctx: Ctx, said: RwSignal<String>, event: &leptos::ev::Event) {
    let opened = move |bytes: Option<Vec<u8>>| {
        let read = bytes.map(|bytes| Deck::of_file(&String::from_utf8_lossy(&bytes)));
        said.try_set(match &read {
            Some(Ok(_)) => String::new(),
            Some(Err(problem)) => share::deck_problem(problem),
            None => share::NO_FILE.to_owned(),
        });
        if let Some(Ok(read)) = read {
            change(ctx, |deck| *deck = read);
        }
    };
    small_file::read(event, 4 * Deck::BYTES_MAX, Box::new(opened));
}

/// The list of the slides, with buttons to add, present, save and open slides.
#[component]
pub(super) fn Slides() -> impl IntoView {
    let ctx = use_ctx();
    let deck = memo(move || presentation::deck(ctx));
    let is_empty = move || deck.with(Deck::is_empty);
    let address = text_from(move || deck.with(|deck| first(ctx, deck)));
    let field: NodeRef<Input> = NodeRef::new();
    let said = RwSignal::new(String::new());
    let add = move |_| {
        let view = untrack(|| link_of(ctx));
        let has_room = change(ctx, |deck| deck.push(&view));
        said.set(if has_room { "" } else { share::TOO_MANY_SLIDES }.to_owned());
    };
    let write = Callback::new(move |(index, with): (usize, Change)| {
        let has_room = change(ctx, |deck| {
            let words = deck.said(index).map(|said| with(said.clone()));
            words.is_some_and(|words| deck.say(index, &words))
        });
        said.set(if has_room { "" } else { share::TOO_LONG_NOTES }.to_owned());
    });
    let begin = move || {
        ctx.parts.shares.set(false);
        ctx.dispatch(&Action::Edit(Edit::Room(Chrome::Present)));
        presentation::show_slide(ctx, &deck.get_untracked(), 0);
    };
    let present = move |_| {
        begin();
        presentation::fill_screen();
    };
    let speak = move |_| match speaker::open(ctx) {
        Some(()) => begin(),
        None => said.set(share::NO_SPEAKER.to_owned()),
    };
    let save = move |_| {
        let file = deck.with_untracked(|deck| deck.to_file(&location::absolute_link("")));
        let name = share::SLIDES_FILE;
        said.set(match download::save_bytes(name, "text/plain", file.as_bytes()) {
            Ok(()) if download::is_in_sandbox() => share::saved_in_sandbox(name),
            Ok(()) => share::saved(name),
            Err(_) => share::FAILED.to_owned(),
        });
    };
    // A change of notes does not draw the list again, because a person types the notes in it.
    let views = memo(move || deck.with(|deck| deck.views().map(str::to_owned).collect::<Vec<_>>()));
    let edits = RwSignal::new(false);
    // A presentation shows the pictures, until the speaker edits the slides.
    let is_overview = move || ctx.presents() && !edits.get();
    if ctx.presents_untracked() {
        let at = untrack(|| presentation::deck(ctx).at().unwrap_or(0));
        // An opened dialog first gives the focus to its title. The picture of the current slide gets the focus
        // afterward.
        later(move || focus(format!("{THUMB}{at}")), core::time::Duration::ZERO);
    }
    let items = move || {
        let n_views = views.with(Vec::len);
        let deck = deck.get_untracked();
        let one =
            |index| Some(item(ctx, index, presentation::link_of(ctx, &deck, index)?, deck.said(index)?.clone(), write));
        (0..n_views).filter_map(one).collect_view()
    };
    view! {
        <section aria-labelledby="share-slides-title">
            <h3 id="share-slides-title">{share::SLIDES}</h3>
            <p class="hint">{share::SLIDES_HINT}</p>
            <p class="share-row">
                <button id=ADD type="button" on:click=add>{share::ADD_SLIDE}</button>
                <button id="slides-edit" type="button" hidden=move || !is_overview() on:click=move |_| edits.set(true)>{share::EDIT_SLIDES}</button>
                <button id="slides-present" type="button" hidden=is_empty on:click=present>{share::PRESENT_SLIDES}</button>
                <button id="slides-speaker" type="button" hidden=is_empty title=share::SPEAKER_HINT on:click=speak>{share::SPEAKER}</button>
                <button id="slides-save" type="button" hidden=is_empty on:click=save>{share::SAVE_SLIDES}</button>
                <span class="file">
                    <input class="unseen" id="slides-open" type="file" accept=".txt,text/plain" on:change=move |event| read(ctx, said, &event) />
                    <label class="button" for="slides-open">{share::OPEN_SLIDES}</label>
                </span>
                <span role="status">{said}</span>
            </p>
            <ol class="slides" class:overview=is_overview on:keydown=move |event| focus::walk(&event, THUMB, SLIDES_IN_ROW)>{items}</ol>
            <p class="share-row link" hidden=is_empty>
                <input
                    id="slides-address"
                    class="mono"
                    readonly
                    node_ref=field
                    aria-label=share::SLIDES_LINK
                    prop:value=move || address()
                />
                {copy_button("slides-copy", share::COPY, move || clipboard::copy_input(field))}
            </p>
        </section>
    }
}

/// Beginning of the id of a slide's picture.
const THUMB: &str = "slide-thumb-";
/// Slides in a row of the overview.
const SLIDES_IN_ROW: isize = 5;

/// Change of the words and the time of a slide.
type Change = Box<dyn FnOnce(Said) -> Said>;

/// Draws a slide in the strip: its picture, its words and its time, and its buttons.
fn item(ctx: Ctx, index: usize, link: Link, said: Said, write: Callback<(usize, Change)>) -> impl IntoView + use<> {
    let name = share::slide(&link);
    let is_here = untrack(|| presentation::deck(ctx).at() == Some(index)).then_some("true");
    let up = move |_| {
        change(ctx, |deck| deck.move_up(index));
        // The first slide cannot move up, so its button cannot get the focus.
        focus(if index > 1 { up_id(index - 1) } else { ADD.to_owned() });
    };
    let remove = move |_| {
        change(ctx, |deck| deck.remove(index));
        focus(ADD.to_owned());
    };
    // During a presentation, the slide appears in the presentation. Otherwise, it appears on the full page.
    let show = move |_| {
        ctx.parts.shares.set(false);
        let deck = untrack(|| presentation::deck(ctx));
        if ctx.presents_untracked() {
            presentation::show_slide(ctx, &deck, index);
        } else if let Some(link) = presentation::link_of(ctx, &deck, index) {
            ctx.dispatch(&Action::Edit(Edit::Preset(Box::new(link))));
            navigation::restore(ctx, Chrome::Full);
        }
    };
    let labelled = |verb: &str| format!("{verb}: {name}");
    let labels = [share::SHOW_SLIDE, share::SLIDE_UP, share::REMOVE_SLIDE].map(labelled);
    let [show_label, up_label, remove_label] = labels;
    let labels = [share::SLIDE_TITLE, share::NOTES, share::SLIDE_SECONDS].map(labelled);
    let [title_label, notes_label, seconds_label] = labels;
    let set_title = move |event| {
        let title = event_target_value(&event);
        write.run((index, Box::new(|said| Said { title, ..said })));
    };
    let set_notes = move |event| {
        let notes = event_target_value(&event);
        write.run((index, Box::new(|said| Said { notes, ..said })));
    };
    let set_seconds = move |event| {
        let seconds = event_target_value(&event).trim().parse().unwrap_or(0);
        write.run((index, Box::new(move |said| Said { seconds, ..said })));
    };
    let mark = |label: &'static str, is_set: bool, set: fn(Said, bool) -> Said| {
        let change = move |event| {
            let is_set = event_target_checked(&event);
            write.run((index, Box::new(move |said| set(said, is_set))));
        };
        view! {
            <label class="check">
                <input type="checkbox" aria-label=labelled(label) prop:checked=is_set on:change=change />
                {label}
            </label>
        }
    };
    let plays = mark(share::SLIDE_PLAYS, said.plays, |said, plays| Said { plays, ..said });
    let shows_mfu = mark(share::SLIDE_MFU, !said.has_no_mfu, |said, has| Said { has_no_mfu: !has, ..said });
    let seconds = if said.seconds > 0 { said.seconds.to_string() } else { String::new() };
    view! {
        <li>
            <button class="thumb" id=format!("{THUMB}{index}") type="button" aria-label=show_label aria-current=is_here on:click=show>
                <img src=speaker::picture(link) alt="" />
            </button>
            <span>{name}</span>
            <strong>{said.title.clone()}</strong>
            <input class="title" placeholder=share::SLIDE_TITLE aria-label=title_label prop:value=said.title on:input=set_title />
            <textarea
                rows="1"
                placeholder=share::NOTES
                aria-label=notes_label
                prop:value=said.notes
                on:input=set_notes
            ></textarea>
            <p>
                <input class="number" type="number" min="0" max=Said::SECONDS_MAX placeholder="0" aria-label=seconds_label prop:value=seconds on:input=set_seconds />
                " s "
                {plays} " " {shows_mfu}
            </p>
            <button id=up_id(index) type="button" aria-label=up_label disabled=index == 0 on:click=up>{share::SLIDE_UP}</button>
            <button type="button" aria-label=remove_label on:click=remove>{share::REMOVE_SLIDE}</button>
        </li>
    }
}

fn up_id(index: usize) -> String {
    format!("slide-up-{index}")
}

/// Gives the focus to an element after the list is drawn again.
fn focus(id: String) {
    later(move || focus::focus(&id), core::time::Duration::ZERO);
}
