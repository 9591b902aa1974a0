//! The top bar: what is shown, examples, colors, help.

use leptos::prelude::*;
use studio::words::{help, label};
use studio::{Action, Edit, Preset, Theme};

use super::Glossary;
use crate::browser::keys;
use crate::ctx::{text_from, use_ctx};
use crate::ui::Choice;

/// The top bar.
#[component]
pub(crate) fn Head() -> impl IntoView {
    let ctx = use_ctx();
    let presets = core::iter::once(("", label::CHOOSE_EXAMPLE.to_owned()))
        .chain(Preset::ALL.iter().map(|preset| (preset.id, label::preset(preset.id).to_owned())))
        .collect();
    let themes = Theme::ALL.iter().map(|theme| (theme.id(), label::theme(*theme).to_owned())).collect();
    // The list keeps its choice, so that the arrow keys walk through it.
    let picked = RwSignal::new(String::new());
    let open = move |id: String| {
        picked.set(id.clone());
        if let Some(preset) = Preset::ALL.iter().find(|preset| preset.id == id) {
            ctx.dispatch(&Action::Edit(Edit::Preset(Box::new(preset.link()))));
        }
    };
    let paint = move |id: String| {
        if let Some(theme) = Theme::ALL.into_iter().find(|theme| theme.id() == id) {
            ctx.dispatch(&Action::Edit(Edit::Theme(theme)));
        }
    };
    let theme = ctx.text(|session| session.view.theme.id().to_owned());
    view! {
        <header class="head">
            <h1>{label::TITLE}</h1>
            <p class="headline">{ctx.text_of_plan(label::headline)}</p>
            <div class="tools">
                <Choice
                    id="examples"
                    label=label::EXAMPLES
                    options=presets
                    value=text_from(move || picked.get())
                    on_change=Box::new(open)
                />
                <Choice id="theme" label=label::THEME options=themes value=theme on_change=Box::new(paint) />
                <details
                    class="help"
                    id="help"
                    on:keydown=move |event| {
                        if event.key() == "Escape" {
                            keys::close_help(true);
                        }
                    }
                >
                    <summary>{help::OPEN}</summary>
                    // What may scroll must be reached by keys.
                    <div class="sheet" tabindex="0" role="group" aria-label=help::OPEN>
                        <p>{help::ABOUT}</p>
                        <h2>{help::KEYS_TITLE}</h2>
                        <dl>
                            {help::KEYS
                                .into_iter()
                                .map(|(key, does)| view! { <div><dt>{key}</dt><dd>{does}</dd></div> })
                                .collect_view()}
                        </dl>
                        <Glossary />
                    </div>
                </details>
            </div>
        </header>
    }
}
