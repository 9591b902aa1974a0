//! The bill of an answer: a table that adds up, and its lines, which open.

use std::sync::Arc;

use estimate::Answer;
use estimate::answer::Bill;
use estimate::words::bill as words;
use leptos::prelude::*;

use crate::browser::report;
use crate::ctx::{memo, text_from};
use crate::ui::FigureView;
use crate::ui::table;

/// Lines that a bill may have, in their order.
const LINES_MAX: usize = 12;

/// The bill, where the answer has one.
#[component]
pub(super) fn Billed(answer: Memo<Arc<Answer>>) -> impl IntoView {
    let answer = report::paced(answer);
    let has = memo(Box::new(move || answer.with(|answer| answer.bill.is_some())));
    move || has.get().then(|| view! { <Shown answer /> })
}

#[component]
fn Shown(answer: ReadSignal<Arc<Answer>>) -> impl IntoView {
    let of = move |part: fn(&Bill) -> String| {
        text_from(move || answer.with(|answer| answer.bill.as_ref().map(part).unwrap_or_default()))
    };
    let tables = move || {
        let bill = answer.with(|answer| answer.bill.clone()).unwrap_or_default();
        let beside = bill.beside.map(|beside| view! { <h4>{beside.title}</h4> {table(&beside.heads, beside.rows)} });
        view! { {table(&bill.table.heads, bill.table.rows)} {beside} }
    };
    // Lines stay in their places, so that one that is open stays open while numbers change.
    let lines = (0..LINES_MAX)
        .map(|index| {
            let figure = memo(Box::new(move || {
                answer.with(|answer| answer.bill.as_ref().and_then(|bill| bill.lines.get(index).cloned()))
            }));
            let has = memo(Box::new(move || figure.with(Option::is_some)));
            move || has.get().then(|| view! { <FigureView figure /> })
        })
        .collect_view();
    view! {
        <div class="bill" id="bill">
            <h3>{of(|bill| bill.title.clone())}</h3>
            {tables}
            <h4>{words::LINES}</h4>
            <div class="figures">{lines}</div>
        </div>
    }
}
