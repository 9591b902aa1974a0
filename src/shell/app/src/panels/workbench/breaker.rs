//! A fault of the array, and the results that the fault makes wrong.

use leptos::prelude::*;
use studio::defect::{Defect, DefectName, DefectProblem, WrongResult, wrong_results};
use studio::value_text::full;
use studio::{Action, Edit, Tool};
use words::{bench, message};

use super::more::{LinkText, More};
use super::own_skew::OwnSkew;
use crate::ctx::{Ctx, memo, text_from, use_ctx};
use crate::panels::Prose;
use crate::ui::{Choice, FieldProblem, fixed_table};

/// Prefix of the link parameter for a custom input schedule.
const OWN: &str = "skew-";

/// Prefix of the link parameter for a PE with a stuck sum.
const STUCK: &str = "stuck-";

/// Maximum number of wrong elements in the list.
const LISTED_MAX: usize = 24;

/// The choice of a fault, and the elements of C that the fault makes wrong.
#[component]
pub(crate) fn Breaker() -> impl IntoView {
    let ctx = use_ctx();
    let text = Memo::new(move |_| ctx.session().with(|session| session.tool_text(Tool::Defect)));
    let keep = move |text: String| ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Defect, text)));
    let named = Memo::new(move |_| ctx.session().with(|session| session.tools.defect));
    let defect = Memo::new(move |_| named.get().map(|named| ctx.plan.with(|plan| named.on(plan))));
    let problem = text_from(move || {
        let misread = ctx.session().with(|session| session.tool_problem(Tool::Defect).map(message::tool));
        match (misread, named.get(), defect.get()) {
            (Some(sentence), ..) => sentence,
            (None, Some(named), Some(Err(why))) => message::defect(named, why),
            _ => String::new(),
        }
    });
    let (none, others) = bench::DEFECTS.split_at(1);
    let ready = (none.iter().chain(&[(STUCK, bench::STUCK_READY)]).chain(others))
        .map(|(text, name)| (*text, (*name).to_owned()))
        .chain([(OWN, bench::OWN_SKEW_READY.to_owned()), (bench::DEFECT_OTHER.0, bench::DEFECT_OTHER.1.to_owned())])
        .collect();
    let known = text_from(move || {
        let text = text.get();
        if let Some(known) = [OWN, STUCK].into_iter().find(|known| text.starts_with(known)) {
            return known.to_owned();
        }
        bench::DEFECTS
            .iter()
            .find(|(known, _)| *known == text)
            .map_or(bench::DEFECT_OTHER.0, |(known, _)| known)
            .to_owned()
    });
    let choose = move |text: String| {
        // A person who chooses this option types a fault into the text field. The option itself changes nothing.
        if text == bench::DEFECT_OTHER.0 {
            return;
        }
        // A custom schedule begins with the right schedule.
        let own = || ctx.plan.with_untracked(|plan| DefectName::right_skew(plan).to_text());
        keep(match text.as_str() {
            OWN => own(),
            STUCK => stuck_sum(ctx),
            _ => text,
        });
    };
    let is_other = memo({
        let known = known.clone();
        move || known() == bench::DEFECT_OTHER.0
    });
    let edges = Memo::new(move |_| match defect.get() {
        Some(Ok(Defect::OwnSkew(edges))) => Some(edges),
        _ => None,
    });
    let spoiled = move || {
        let Some(Ok(defect)) = defect.get() else { return ().into_any() };
        let (wrong, all) = ctx
            .plan
            .with(|plan| (wrong_results(plan, defect), plan.schedule().gemm().m() * plan.schedule().gemm().n()));
        let row = |one: &WrongResult| {
            let name = format!("c[{},{}]", one.row, one.col);
            (false, vec![name, full(one.result), full(one.right), bench::mix(one.mix)])
        };
        let rows = wrong.iter().take(LISTED_MAX).map(row).collect();
        let count = bench::wrong(wrong.len() as u64, all);
        let is_sound = ctx.plan.with(|plan| defect.is_sound(plan));
        let says = if is_sound { bench::RIGHT_SKEW_HINT } else { bench::DEFECT_FIGURES };
        view! {
            <p class="hint" id="spoiled">{count}</p>
            <p class="hint"><Prose text=text_from(move || says.to_owned()) /></p>
            {(!wrong.is_empty()).then(|| fixed_table(&bench::DEFECT_HEADS, rows))}
        }
        .into_any()
    };
    view! {
        <div class="bench" id="breaker">
            <Choice id="break-ready" label=bench::DEFECT_READY options=ready value=known on_change=Box::new(choose) />
            <FieldProblem id="break" text=problem />
            <StuckSum defect />
            <OwnSkew edges=edges of="" />
            {spoiled}
            <More id="break-more" is_needed=is_other>
                <LinkText id="break" label=bench::DEFECT_TEXT placeholder="late-2" value=text_from(move || text.get()) on_change=Box::new(move |text: String| keep(text.trim().to_owned())) />
            </More>
        </div>
    }
}

/// Returns the link text of a stuck sum in the selected PE.
fn stuck_sum(ctx: Ctx) -> String {
    let selected = ctx.session().with_untracked(|session| session.view.selected);
    ctx.plan.with_untracked(|plan| DefectName::stuck_sum(plan, selected).to_text())
}

/// The PE whose sum is stuck, and a button that moves the fault to the selected PE.
#[component]
fn StuckSum(defect: Memo<Option<Result<Defect, DefectProblem>>>) -> impl IntoView {
    let ctx = use_ctx();
    let selected = Memo::new(move |_| ctx.session().with(|session| session.view.selected));
    let dataflow = move || ctx.plan.with(|plan| plan.schedule().dataflow());
    let keep = move |_| {
        ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Defect, stuck_sum(ctx))));
    };
    move || {
        let Some(Ok(Defect::StuckSum(pe))) = defect.get() else { return ().into_any() };
        let other = selected.get().filter(|&other| other != pe);
        view! {
            <p class="hint">
                {bench::stuck_at(pe, dataflow())} " " {other.is_none().then_some(bench::STUCK_HINT)}
            </p>
            {other.map(|other| view! { <button type="button" id="break-pe" on:click=keep>{bench::break_pe(other)}</button> })}
        }
        .into_any()
    }
}
