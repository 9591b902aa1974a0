//! The heat map: each PE shows a number as a shade. A person chooses the number, and a legend explains the shades.

use leptos::prelude::*;
use stage::Progress;
use stage::channel::ERROR_PES_MAX;
use studio::Channel;
use studio::{Action, Edit, Tool};
use words::{bench, message};

use crate::ctx::{text_from, use_ctx};
use crate::ui::{Choice, FieldProblem};

/// The choice of the number that each PE shows, with the legend of its shades.
#[component]
pub(crate) fn Channels() -> impl IntoView {
    let ctx = use_ctx();
    let channels = Channel::ALL.map(|channel| (channel.id(), bench::channel(channel).to_owned())).to_vec();
    let chosen = Memo::new(move |_| ctx.session().with(|session| session.tools.show));
    let problem = ctx.text(|session| session.tool_problem(Tool::Show).map(message::tool));
    let broken = move || ctx.tools.broken.with(Option::is_some);
    let legend = move || {
        let channel = chosen.get();
        if channel == Channel::Activity {
            return ().into_any();
        }
        if broken() {
            return view! { <p class="hint">{bench::CHANNEL_BROKEN}</p> }.into_any();
        }
        let dtype = ctx.plan.with(|plan| plan.dtype());
        if channel == Channel::Error && dtype.is_integer() {
            return view! { <p class="hint" id="show-exact">{bench::exact(dtype)}</p> }.into_any();
        }
        // The scale is from the last frame of the array view; before the first frame, nothing needs a legend.
        let (scale, progress) = ctx.frame.drawn.get();
        let pes = ctx.plan.with(|plan| plan.schedule().array().pes());
        let are_many = channel == Channel::Error && scale.is_none() && pes > ERROR_PES_MAX as u64;
        let said = match progress {
            Progress::Done => "",
            Progress::Underway => bench::CHANNEL_UNDERWAY,
            Progress::TooMany => bench::CHANNEL_TOO_LONG,
        };
        let classes = bench::shades(channel);
        let lines = scale
            .map(|scale| scale.legend(channel))
            .unwrap_or_default()
            .into_iter()
            .map(|(tone, words)| {
                view! { <li><span class=format!("shade {}", tone.id()) aria-hidden="true"></span>{words}</li> }
            })
            .collect_view();
        view! {
            {scale.is_some().then(|| view! { <ul class="legend" aria-label=bench::channel(channel)>{lines}</ul> })}
            {(scale.is_some() && !classes.is_empty()).then(|| view! { <p class="hint" id="show-classes">{classes}</p> })}
            {(!said.is_empty()).then(|| view! { <p class="hint" id="show-progress">{said}</p> })}
            {are_many.then(|| view! { <p class="hint">{bench::CHANNEL_TOO_MANY}</p> })}
        }
        .into_any()
    };
    view! {
        <div class="bench" id="channels">
            <Choice
                id="show"
                label=bench::CHANNEL_CHOICE
                options=channels
                value=text_from(move || chosen.get().id().to_owned())
                on_change=Box::new(move |id| {
                    ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Show, id)));
                })
            />
            <FieldProblem id="show" text=problem />
            {legend}
        </div>
    }
}
