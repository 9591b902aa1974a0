//! The code that embeds a run in another page.

use export::embed::{Embed, Language, Size};
use leptos::html::Textarea;
use leptos::prelude::*;
use studio::{Chrome, Deck, Link, List, Lock, PagePart, Panel, Theme};
use words::{label, share};

use super::{copy_button, tick};
use crate::browser::location;
use crate::browser::{clipboard, details};
use crate::ctx::{memo, text_from, use_ctx};
use crate::effects::address;
use crate::ui::Choice;

const SIZES: [(&str, &str, Size); 3] = [
    ("fluid", share::FLUID, Size::Fluid(8, 5)),
    ("800", "800 × 500", Size::Fixed(800, 500)),
    ("640", "640 × 480", Size::Fixed(640, 480)),
];

/// Option for an answer without its entry fields.
const ALONE: &str = "alone";

/// The options of an embed that a person has chosen.
#[derive(Clone, Copy)]
struct Chosen {
    language: RwSignal<String>,
    size: RwSignal<String>,
    /// Id of the view that a frame shows.
    look: RwSignal<String>,
    /// Id of the tool next to the array.
    tool: RwSignal<String>,
    theme: RwSignal<String>,
    title: RwSignal<String>,
    /// Settings that readers can change; none by default.
    free: RwSignal<List<Lock>>,
    /// Parts of the page that readers do not see.
    hidden: RwSignal<List<PagePart>>,
}

impl Chosen {
    fn new(title: String, look: Chrome, tool: Option<Panel>) -> Self {
        Self {
            language: RwSignal::new(Language::Html.name().to_owned()),
            size: RwSignal::new(SIZES[0].0.to_owned()),
            look: RwSignal::new(look.id().to_owned()),
            tool: RwSignal::new(tool.map_or(share::NO_TOOL, Panel::id).to_owned()),
            theme: RwSignal::new(Theme::Auto.id().to_owned()),
            title: RwSignal::new(title),
            free: RwSignal::new(List::EMPTY),
            hidden: RwSignal::new(List::EMPTY),
        }
    }

    fn language(self) -> Language {
        let named = |one: &Language| one.name() == self.language.get();
        Language::ALL.into_iter().find(named).unwrap_or(Language::Html)
    }

    fn chrome(self) -> Chrome {
        Chrome::from_id(&self.look.get()).unwrap_or(Chrome::Answer)
    }

    /// True if the frame shows the embed view. Only for this view, a person can choose the settings that readers change
    /// and the parts that readers see.
    fn is_whole(self) -> bool {
        self.chrome() == Chrome::Embed
    }

    fn shape(self) -> Size {
        SIZES.into_iter().find(|(id, ..)| *id == self.size.get()).map_or(SIZES[0].2, |(.., size)| size)
    }

    /// Returns the address of the frame.
    fn address(self, mut link: Link) -> String {
        link.view.chrome = self.chrome();
        link.view.panel = Panel::from_id(&self.tool.get());
        link.view.theme = Theme::ALL.into_iter().find(|one| one.id() == self.theme.get()).unwrap_or(link.view.theme);
        let free = self.free.get();
        let locked = Lock::ALL.iter().fold(List::EMPTY, |list: List<Lock>, lock| list.with(*lock, !free.has(*lock)));
        let is_whole = self.is_whole();
        link.view.lock = (is_whole && free != List::EMPTY).then_some(locked);
        link.view.hide = match self.chrome() {
            Chrome::Embed => self.hidden.get(),
            // The entry fields of an answer are its controls.
            Chrome::Answer => List::EMPTY.with(PagePart::Controls, self.look.get() == ALONE),
            _ => List::EMPTY,
        };
        // An embed has no slides, because slides are for presentations.
        link.texts = Deck::default().in_texts(&link.texts);
        location::absolute_link(&address::text_of(&link))
    }
}

/// The code of an embed, with its options and its preview.
#[component]
pub(super) fn EmbedCode(link: Memo<Link>, is_array: bool) -> impl IntoView {
    let ctx = use_ctx();
    let panel = ctx.session().with_untracked(|session| session.view.panel);
    let chosen = if is_array {
        Chosen::new(ctx.plan.with_untracked(|plan| label::headline(plan)), Chrome::Embed, panel)
    } else {
        Chosen::new(share::ANSWER_TITLE.to_owned(), Chrome::Answer, None)
    };
    let framed = memo(move || chosen.address(link.get()));
    let code = text_from(move || {
        let page = link.with(|link| location::absolute_link(&address::text_of(link)));
        let (frame, title) = (framed.get(), chosen.title.get());
        Embed { frame: &frame, page: &page, title: &title, size: chosen.shape() }.code(chosen.language())
    });
    let text: NodeRef<Textarea> = NodeRef::new();
    let is_bare = move || !chosen.language().has_frame();
    view! {
        <section aria-labelledby="share-embed-title">
            <h3 id="share-embed-title">{share::EMBED}</h3>
            <Choices chosen is_array />
            // Options that the chosen language does not use are hidden.
            <div hidden=move || is_bare() || !chosen.is_whole()><Readers chosen /></div>
            <textarea
                id="embed-code"
                class="mono"
                rows="5"
                readonly
                spellcheck="false"
                node_ref=text
                aria-label=share::EMBED
                prop:value=move || code()
            ></textarea>
            <p class="share-row">
                {copy_button("embed-copy", share::COPY_CODE, move || clipboard::copy_area(text))}
                <span class="hint" hidden=is_bare>{share::EMBED_NOTE}</span>
            </p>
            {location::page_beside("host.html").map(|page| view! {
                <p class="hint" hidden=is_bare><a id="embed-host" href=page target="_blank" rel="noopener">{share::TEST_HOST}</a></p>
            })}
            <div hidden=is_bare><Preview framed chosen /></div>
        </section>
    }
}

/// The options of an embed: language, view, tool, size, theme and title.
#[component]
fn Choices(chosen: Chosen, is_array: bool) -> impl IntoView {
    let languages = Language::ALL.map(|one| (one.name(), one.name().to_owned())).to_vec();
    let sizes = SIZES.map(|(id, name, _)| (id, name.to_owned())).to_vec();
    let of_array = [Chrome::Embed, Chrome::Poster, Chrome::Bare].map(|one| (one.id(), share::look(one).to_owned()));
    let of_answer =
        [(Chrome::Answer.id(), share::look(Chrome::Answer).to_owned()), (ALONE, share::ANSWER_ALONE.to_owned())];
    let looks = if is_array { of_array.to_vec() } else { of_answer.to_vec() };
    let tools = Panel::ALL.map(|one| (one.id(), label::panel(one).to_owned()));
    let tools = [(share::NO_TOOL, share::NO_TOOL.to_owned())].into_iter().chain(tools).collect();
    let themes = Theme::ALL.map(|one| (one.id(), label::theme(one).to_owned())).to_vec();
    let choice = |id, label, options, of: RwSignal<String>| {
        let (value, on_change) = (text_from(move || of.get()), Box::new(move |name| of.set(name)));
        view! { <Choice id label options value on_change /> }
    };
    let is_bare = move || !chosen.language().has_frame();
    view! {
        <div class="share-choices">
            {choice("embed-language", share::LANGUAGE, languages, chosen.language)}
            <div hidden=is_bare>{choice("embed-look", share::LOOK, looks, chosen.look)}</div>
            <div hidden=move || is_bare() || !is_array>{choice("embed-tool", share::TOOL, tools, chosen.tool)}</div>
            <div hidden=is_bare>{choice("embed-size", share::SIZE, sizes, chosen.size)}</div>
            <div hidden=is_bare>{choice("embed-theme", label::THEME, themes, chosen.theme)}</div>
            <label class="field" hidden=move || !chosen.language().has_title()>
                {share::NAME}
                <input
                    id="embed-title"
                    maxlength="120"
                    prop:value=move || chosen.title.get()
                    on:input=move |event| chosen.title.set(event_target_value(&event))
                />
            </label>
        </div>
    }
}

/// The options for readers, folded by default: the settings that they can change, and the parts that they see.
#[component]
fn Readers(chosen: Chosen) -> impl IntoView {
    let locks = Lock::ALL.iter().map(|lock| {
        let set = move |is_on| chosen.free.update(|list| *list = list.with(*lock, is_on));
        tick(format!("change-{}", lock.id()), share::lock(*lock).to_owned(), false, set)
    });
    // An embed never contains the tools.
    let parts = PagePart::ALL.iter().filter(|part| **part != PagePart::Tools).map(|part| {
        let set = move |is_on: bool| chosen.hidden.update(|list| *list = list.with(*part, !is_on));
        tick(format!("see-{}", part.id()), share::part(*part).to_owned(), true, set)
    });
    view! {
        <details id="embed-readers">
            <summary>{share::READERS}</summary>
            <fieldset class="ticks"><legend>{share::CHANGE}</legend>{locks.collect_view()}</fieldset>
            <fieldset class="ticks"><legend>{share::SHOWN}</legend>{parts.collect_view()}</fieldset>
        </details>
    }
}

/// The preview of an embed, as readers see it.
#[component]
fn Preview(framed: Memo<String>, chosen: Chosen) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let preview = move || {
        is_open.get().then(|| {
            // Each address gets a new frame, because a frame that changes its address adds an entry to the browser
            // history.
            let frame = move |(address, _): (String, String)| {
                let (width, height) = match chosen.shape() {
                    Size::Fixed(width, height) => (width.to_string(), height),
                    Size::Fluid(..) => ("100%".to_owned(), 500),
                };
                view! { <iframe id="share-frame" src=address width=width height=height title=share::PREVIEW></iframe> }
            };
            view! { <For each=move || [(framed.get(), chosen.size.get())] key=Clone::clone children=frame /> }
        })
    };
    view! {
        <details class="share-preview" on:toggle=move |event| is_open.set(details::is_open(&event))>
            <summary>{share::PREVIEW}</summary>
            {preview}
        </details>
    }
}
