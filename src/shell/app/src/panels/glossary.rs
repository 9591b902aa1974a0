//! The glossary. Each word has a sentence, a drawing and its own address.

use core::sync::atomic::{AtomicU32, Ordering};

use leptos::prelude::*;
use studio::{Action, Edit, Link, Session, Theme};
use words::caption::Caption as Words;
use words::glossary::{self, Entry};
use words::{book, help, label};

use super::ask::AskButton;
use crate::browser::{self, Place, location, popover, slot};
use crate::ctx::{Text, text_from, use_ctx};
use crate::effects::{address, keys};
use crate::telling;
use crate::ui::{Choice, book_link, diagram};

/// A counter for unique ids of glossary words.
static N_TERMS: AtomicU32 = AtomicU32::new(0);

/// A glossary word in a text. A press on the word opens its sentence and its drawing in place, with a button that leads
/// to the glossary.
#[component]
pub(crate) fn Term(
    /// Glossary entry of the word.
    entry: &'static Entry,
    /// Word in the form that occurs in the text.
    word: String,
) -> impl IntoView {
    let ctx = use_ctx();
    let is_open = RwSignal::new(false);
    let id = StoredValue::new(format!("term-{}", N_TERMS.fetch_add(1, Ordering::Relaxed)));
    // The content is made only when the popover opens.
    let inside = move || {
        let to_list = move || {
            let open = move |_| keys::open_help_at(ctx, &glossary::place(entry));
            view! {
                <button
                    type="button"
                    class="term"
                    popovertarget=id.get_value()
                    popovertargetaction="hide"
                    on:click=open
                >
                    {glossary::MORE}
                </button>
            }
        };
        let draw = move || {
            view! {
                <b>{entry.term}</b>
                <span class="drawing" aria-hidden="true" inner_html=diagram::of_word(entry.drawing)></span>
                <span>{entry.sentence}</span>
                {(!ctx.embedded()).then(to_list)}
            }
        };
        is_open.get().then(draw)
    };
    view! {
        <button type="button" class="term" popovertarget=id.get_value() on:click=move |_| is_open.set(true)>
            {word}
        </button>
        <span
            popover="auto"
            class="gloss"
            id=id.get_value()
            role="dialog"
            tabindex="-1"
            aria-label=entry.term
            on:toggle=move |event| is_open.set(popover::has_opened(&event))
        >
            {inside}
        </span>
    }
}

/// A text with glossary words that a person can open. An empty text shows nothing. During the drag of a number, the
/// text has no such words, because it changes with every frame.
#[component]
pub(crate) fn Prose(text: Text) -> impl IntoView {
    let is_dragged = use_ctx().holds(Session::is_dragged);
    move || {
        let text = text();
        if is_dragged.get() {
            return vec![text.into_any()];
        }
        let mut rest = glossary::marked(&text).into_iter().peekable();
        let mut views = Vec::new();
        while let Some((text, entry)) = rest.next() {
            let text = text.to_owned();
            let Some(entry) = entry else {
                views.push(text.into_any());
                continue;
            };
            // Punctuation after a word stays with the word.
            let end = rest.next_if(|(_, entry)| entry.is_none()).map_or("", |(text, _)| text);
            let (sign, end) = end.split_at(end.find([' ', '\n']).unwrap_or(end.len()));
            let (sign, end) = (sign.to_owned(), end.to_owned());
            views.push(view! { <span class="whole"><Term entry word=text />{sign}</span> {end} }.into_any());
        }
        views
    }
}

/// Attribute of elements with glossary words that a person can open.
const OPENS: &str = "data-opens";

/// Sets the hints about keys. The style sheet shows the hint of the buttons after a mouse press on a button. It shows
/// the hint of the array view while the view has the keyboard focus.
pub(crate) fn key_hint(place: &Place) {
    if let Some(clock) = slot::find_on_same_page(place, "#clock") {
        // The element accepts any attribute.
        let _ = clock.set_attribute("data-keys", help::KEYS_HINT);
    }
    let ctx = use_ctx();
    if let Some(stage) = slot::find_on_same_page(place, "#stage") {
        browser::effect(move || {
            let is_pe = ctx.session().with(|session| session.view.selected.is_some());
            let _ = stage.set_attribute("data-keys", if is_pe { help::PE_KEYS_HINT } else { help::STAGE_KEYS_HINT });
        });
    }
}

/// Adds a caption and a headline with glossary words that a person can open. The code for these words is loaded with
/// the side panels, so that the first module does not contain this code.
pub(crate) fn opening_words(place: &Place) {
    let ctx = use_ctx();
    if let Some(caption) = slot::find_on_same_page(place, "#caption") {
        let plain = caption.clone();
        mount_to(caption, || view! { <CaptionProse /> }).forget();
        // While these words are shown, the plain words are hidden.
        browser::effect(move || {
            let is_at_rest = !ctx.playing.get();
            // The element accepts any attribute.
            let _ = if is_at_rest { plain.set_attribute(OPENS, "") } else { plain.remove_attribute(OPENS) };
        });
    }
    if let Some(headline) = slot::find_on_same_page(place, ".headline") {
        // The element accepts any attribute.
        let _ = headline.set_attribute(OPENS, "");
        let text = ctx.text_of_plan(label::headline);
        mount_to(headline, || view! { <span class="prose"><Prose text /></span> }).forget();
    }
}

/// The caption while time is paused, with glossary words that a person can open. While the run plays, the plain caption
/// is shown instead.
#[component]
fn CaptionProse() -> impl IntoView {
    let ctx = use_ctx();
    let now = Memo::new(move |_| (!ctx.playing.get()).then(|| telling::current_caption(ctx)));
    let part = move |part: fn(&Words) -> &String| {
        text_from(move || now.with(|words| words.as_ref().map(|words| part(words).clone())))
    };
    // The first screen links to the story, so that a reader who presses nothing finds it. On a later cycle, the caption
    // needs the space of the link.
    let is_new = location::read() == (String::new(), String::new());
    let is_untouched = ctx.holds(move |session| {
        is_new && session.revision == 0 && session.view.selected.is_none() && session.tools.learn.is_none()
    });
    let first_cycle = Link::default().cycle;
    let story = move || {
        let is_first_screen = is_untouched.get() && ctx.cycle.get() == first_cycle;
        let link = is_first_screen.then(|| book_link("story", "docs/story.html", book::STORY)).flatten();
        link.map(|link| view! { <br /> {link} })
    };
    let words = move || {
        view! {
            <span class="prose">
                <strong><Prose text=part(|words| &words.headline) /></strong>
                " "
                <Prose text=part(|words| &words.sentence) />
                {story}
            </span>
        }
    };
    move || (!ctx.playing.get()).then(words)
}

/// The choice of the color theme.
#[component]
fn ThemeChoice() -> impl IntoView {
    let ctx = use_ctx();
    let themes = Theme::ALL.iter().map(|theme| (theme.id(), label::theme(*theme).to_owned())).collect();
    let paint = move |id: String| {
        if let Some(theme) = Theme::ALL.into_iter().find(|theme| theme.id() == id) {
            ctx.dispatch(&Action::Edit(Edit::Theme(theme)));
        }
    };
    let theme = ctx.text(|session| session.view.theme.id().to_owned());
    view! { <Choice id="theme" label=label::THEME options=themes value=theme on_change=Box::new(paint) /> }
}

/// The content of the help: the search, the color theme, an introduction, the keys and the glossary.
#[component]
pub(crate) fn Glossary() -> impl IntoView {
    address::follow_word(use_ctx());
    let book = book_link("help-book", "docs/index.html", book::OPEN);
    let entries = glossary::ENTRIES
        .iter()
        .map(|entry| {
            view! {
                <div id=glossary::place(entry) tabindex="-1">
                    <dt>{entry.term}</dt>
                    <dd>
                        {entry.sentence}
                        <span class="drawing" aria-hidden="true" inner_html=diagram::of_word(entry.drawing)></span>
                    </dd>
                </div>
            }
        })
        .collect_view();
    let keys = help::KEYS.map(|(key, does)| view! { <div><dt>{key}</dt><dd>{does}</dd></div> });
    view! {
        <h2 class="sheet-title" id="help-title" tabindex="-1">{help::OPEN}</h2>
        <AskButton id="help-search" />
        <ThemeChoice />
        {book.map(|link| view! { <p>{link} {book::ABOUT}</p> })}
        <p>{help::ABOUT}</p>
        <h2>{help::KEYS_TITLE}</h2>
        <dl>{keys}</dl>
        <h2 id="glossary" tabindex="-1">{glossary::TITLE}</h2>
        <dl class="glossary">{entries}</dl>
    }
}
