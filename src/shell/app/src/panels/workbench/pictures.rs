//! Other drawings of the run in place of the array: PE-cycles, roofline and bits.

use leptos::prelude::*;
use stage::drawings;
use studio::{Action, Drawing, Edit, Tool};
use systolic::PeId;
use words::{drawing, message};

use crate::ctx::{text_from, use_ctx};
use crate::navigation;
use crate::telling;
use crate::ui::{Choice, FieldProblem};

/// The choice of the drawing, with a description of the drawing.
#[component]
pub(crate) fn Pictures() -> impl IntoView {
    let ctx = use_ctx();
    let options = Drawing::ALL.map(|one| (one.id(), drawing::name(one).to_owned())).to_vec();
    let chosen = Memo::new(move |_| ctx.session().with(|session| session.tools.picture));
    let problem = ctx.text(|session| session.tool_problem(Tool::Picture).map(message::tool));
    let better = Memo::new(move |_| ctx.plan.with(|plan| drawings::better_for(chosen.get(), plan)));
    let said = text_from(move || {
        if chosen.get() == Drawing::Im2col && !better.get().is_empty() {
            return drawing::NO_PICTURE.to_owned();
        }
        let pe = ctx.focused_pe.get().or_else(|| telling::default_caption_pe(ctx)).unwrap_or(PeId::new(0, 0));
        ctx.plan.with(|plan| drawing::said(chosen.get(), plan, ctx.cycle.get(), pe))
    });
    let suiting = move || {
        let settings = better.get();
        let label = drawing::take(&settings);
        let take = move |_| ctx.set_all(&settings);
        let is_offered = !better.read().is_empty() && !ctx.embedded();
        is_offered
            .then(|| view! { <button type="button" class="remedy" id="suiting-sizes" on:click=take>{label}</button> })
    };
    view! {
        <div class="bench" id="pictures">
            <Choice
                id="picture"
                label=drawing::CHOICE
                options
                value=text_from(move || chosen.get().id().to_owned())
                on_change=Box::new(move |id| {
                    ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Picture, id)));
                    navigation::show_work(ctx);
                })
            />
            <FieldProblem id="picture" text=problem />
            <p class="hint">{said}</p>
            {suiting}
        </div>
    }
}
