//! The theme that a person chose, as an attribute of the root element.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::MediaQueryList;

use crate::ctx::Ctx;

/// A value that changes whenever a person or the system may have changed the colors.
#[derive(Clone, Copy)]
pub(crate) struct ThemeEpoch(Memo<(studio::Theme, u32)>, RwSignal<u32>);

impl ThemeEpoch {
    pub(crate) fn get(self) -> (studio::Theme, u32) {
        self.0.get()
    }

    /// Reports that another source, such as a new style sheet, has changed the colors.
    pub(crate) fn renew(self) {
        self.1.try_update(|count| *count += 1);
    }
}

/// Repaints all canvases in the current colors of the style sheets.
pub(crate) fn renew() {
    if let Some(epoch) = use_context::<ThemeEpoch>() {
        epoch.renew();
    }
}

/// Repaints all canvases when a weight of the text font has loaded.
pub(crate) fn follow_face() {
    if let Some(epoch) = use_context::<ThemeEpoch>() {
        crate::browser::listen("playground:face", move |_| epoch.renew());
    }
}

const QUERIES: [&str; 3] = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"];

/// Sets the theme on the root element, and notices when the system changes its theme.
pub(crate) fn follow(ctx: Ctx) {
    let system = RwSignal::new(0u32);
    let theme = move || ctx.session().with(|session| session.view.shown_theme());
    provide_context(ThemeEpoch(Memo::new(move |_| (theme(), system.get())), system));
    let changed = Closure::<dyn FnMut()>::new(move || {
        system.try_update(|count| *count += 1);
    });
    let lists: Vec<MediaQueryList> = QUERIES
        .iter()
        .filter_map(|query| crate::browser::window()?.match_media(query).ok().flatten())
        .inspect(|list| list.set_onchange(Some(changed.as_ref().unchecked_ref())))
        .collect();
    // Both live as long as the page.
    let listeners = StoredValue::new_local((changed, lists));
    // This effect is made before the effects that paint, so it runs before them. It runs in every frame that they
    // paint, so it sets the attribute only for a new theme.
    let shown = std::cell::Cell::new("");
    crate::browser::effect(move || {
        ctx.flush_before();
        let id = theme().id();
        if shown.replace(id) == id {
            return;
        }
        if let Some(root) = crate::browser::document().and_then(|document| document.document_element()) {
            // The root element accepts any attribute.
            let _ = root.set_attribute("data-theme", id);
        }
        let _ = listeners;
    });
}
