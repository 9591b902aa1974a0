//! The cost breakdown of an answer: a table that adds up to the total, and lines with details that a person can open.

use plain::OrEmpty;
use std::sync::Arc;

use ::report::{Answer, Bill, Table, TableId, bill as words};
use leptos::prelude::*;

use crate::browser::text_cells::TableTexts;
use crate::browser::timing::throttled;
use crate::ctx::{memo, text_from};
use crate::ui::{FigureView, TextTable};

/// Maximum number of lines in a cost breakdown.
const LINES_MAX: usize = 12;

/// Answer with its cost breakdown, updated a few times per second.
type Shown = ReadSignal<Option<Arc<Answer>>>;

/// Applies `part` to the cost breakdown, or returns `None` if the answer has no cost breakdown.
fn of_bill<T>(shown: Shown, part: impl FnOnce(&Bill) -> T) -> Option<T> {
    shown.with(|answer| answer.as_ref()?.bill.as_ref().map(part))
}

/// The cost breakdown of an answer. Nothing is shown if the answer has no cost breakdown.
#[component]
pub(super) fn BillSection(answer: Memo<Arc<Answer>>) -> impl IntoView {
    let shown = throttled(answer, move || answer.try_get_untracked());
    let has = memo(move || of_bill(shown, |_| ()).is_some());
    move || has.get().then(|| view! { <BillView shown /> })
}

#[component]
fn BillView(shown: Shown) -> impl IntoView {
    let title = text_from(move || of_bill(shown, |bill| bill.title.clone()));
    let texts = move |table: fn(&Bill) -> Option<&Table>| -> TableTexts {
        Box::new(move |show| {
            of_bill(shown, |bill| {
                table(bill).map(|table| {
                    let (table, ..) = words::counted(table);
                    show(&table.heads, &table.texts());
                })
            });
        })
    };
    let has_beside = memo(move || of_bill(shown, |bill| bill.beside.is_some()) == Some(true));
    let beside = move || {
        has_beside.get().then(|| {
            view! {
                <h4>{TableId::Bills.title()}</h4>
                <TextTable name=TableId::Bills.title() texts=texts(|bill| bill.beside.as_ref()) />
            }
        })
    };
    let not_shown = text_from(move || {
        let said = |bill: &Bill| {
            let (_, nothing, unknown) = words::counted(&bill.table);
            words::not_shown(&nothing, &unknown)
        };
        of_bill(shown, said).or_empty()
    });
    // Each line keeps its position, so that an open line stays open while numbers change.
    let lines = (0..LINES_MAX)
        .map(|index| {
            let figure = memo(move || of_bill(shown, |bill| bill.lines.get(index).cloned()).flatten());
            let has = memo(move || figure.with(Option::is_some));
            move || has.get().then(|| view! { <FigureView figure /> })
        })
        .collect_view();
    view! {
        <div class="bill" id="bill">
            <h3>{title}</h3>
            <TextTable name=TableId::Bill.title() texts=texts(|bill| Some(&bill.table)) />
            <p class="hint">{not_shown}</p>
            {beside}
            <details id="bill-lines">
                <summary>{words::LINES}</summary>
                <div class="figures">{lines}</div>
            </details>
        </div>
    }
}
