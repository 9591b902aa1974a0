//! The colors: the chosen theme on the root element, and the tones as the style sheet resolves them.

use display::Tone;
use leptos::prelude::*;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::MediaQueryList;

use crate::ctx::Ctx;

/// One color per tone, as text for the canvas and as bytes for bitmaps.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    /// As the canvas takes them, so that none is read anew for each mark.
    texts: Vec<JsValue>,
    /// As many as a byte has values, so that no tone of a pixel needs a check.
    bytes: [[u8; 4]; 256],
}

impl Palette {
    /// Reads the style sheet's `--tone-…` variables.
    pub(crate) fn read() -> Self {
        let style = super::window()
            .zip(super::document().and_then(|document| document.document_element()))
            .and_then(|(window, root)| window.get_computed_style(&root).ok().flatten());
        let read = |tone: &Tone| {
            style
                .as_ref()
                .and_then(|style| style.get_property_value(&format!("--tone-{}", tone.id())).ok())
                .map(|text| text.trim().to_owned())
                .unwrap_or_default()
        };
        let texts: Vec<String> = Tone::ALL.iter().map(read).collect();
        let mut bytes = [[0; 4]; 256];
        for (bytes, text) in bytes.iter_mut().zip(&texts) {
            *bytes = bytes_of(text);
        }
        Self { texts: texts.iter().map(|text| JsValue::from_str(text)).collect(), bytes }
    }

    pub(crate) fn text(&self, tone: Tone) -> &JsValue {
        // One for each tone.
        &self.texts[tone as usize]
    }

    pub(crate) fn bytes(&self, tone: u8) -> [u8; 4] {
        self.bytes[usize::from(tone)]
    }
}

/// Red, green, blue and opacity of `#rrggbb`; anything else is transparent.
fn bytes_of(text: &str) -> [u8; 4] {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
        Some(color) => {
            let [_, red, green, blue] = color.to_be_bytes();
            [red, green, blue, 255]
        }
        None => [0; 4],
    }
}

/// Changes whenever the colors may have changed, by the person or by the system.
#[derive(Clone, Copy)]
pub(crate) struct ThemeEpoch(Memo<(studio::Theme, u32)>, RwSignal<u32>);

impl ThemeEpoch {
    pub(crate) fn get(self) -> (studio::Theme, u32) {
        self.0.get()
    }

    /// The colors have changed in another way.
    pub(crate) fn renew(self) {
        self.1.try_update(|count| *count += 1);
    }
}

/// Has everything painted anew, with the colors that the style sheets now have.
pub(crate) fn renew() {
    if let Some(epoch) = use_context::<ThemeEpoch>() {
        epoch.renew();
    }
}

const QUERIES: [&str; 3] = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"];

/// Puts the theme on the root element and notices when the system changes its own.
pub(crate) fn follow(ctx: Ctx) {
    let system = RwSignal::new(0u32);
    let theme = move || ctx.session().with(|session| session.view.shown_theme());
    provide_context(ThemeEpoch(Memo::new(move |_| (theme(), system.get())), system));
    let changed = Closure::<dyn FnMut()>::new(move || {
        system.try_update(|count| *count += 1);
    });
    let lists: Vec<MediaQueryList> = QUERIES
        .iter()
        .filter_map(|query| super::window()?.match_media(query).ok().flatten())
        .inspect(|list| list.set_onchange(Some(changed.as_ref().unchecked_ref())))
        .collect();
    // Both live as long as the page.
    let listeners = StoredValue::new_local((changed, lists));
    // Made before the effects that paint, so it runs before them; as often as they, so it sets only what is new.
    let shown = std::cell::Cell::new("");
    super::effect(Box::new(move || {
        ctx.flush_before();
        let id = theme().id();
        if shown.replace(id) == id {
            return;
        }
        if let Some(root) = super::document().and_then(|document| document.document_element()) {
            // The root element takes any attribute.
            let _ = root.set_attribute("data-theme", id);
        }
        let _ = listeners;
    }));
}
