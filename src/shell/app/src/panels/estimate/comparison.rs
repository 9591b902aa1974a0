//! The comparison of an answer: a column for each run, a row for each measure, and the factors of the MFU as bars.

use std::sync::Arc;

use ::report::{Answer, ColumnBar, ColumnCell, ColumnView, Columns, Factor, comparison as words};
use ::words::label;
use display::figure::Figure;
use display::number::grouped;
use estimate::Measure;
use leptos::prelude::*;

use super::drawings::Set;
use crate::browser::focus;
use crate::ctx::{memo, text_from};
use crate::effects::presentation::ANSWER_ID;
use crate::ui::linked;

/// Id of the region with the table.
const TABLE_ID: &str = "comparison-table";
/// Column and measure of the figure that is open.
type Opened = RwSignal<Option<(usize, Measure)>>;
/// Width of a drawn bar at 100%, in the units of its view box. Whole units need no float formatter.
pub(super) const FULL: u32 = 1000;

/// A value of more than this many characters is in smaller type.
const LONG: usize = 9;

/// A share from 0 to 1 in the units of a bar.
pub(super) fn units(share: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 1000")]
    let units = (share.clamp(0.0, 1.0) * f64::from(FULL)).round() as u32;
    units
}

/// A bar whose parts begin and end at shares of its width.
pub(super) fn bar(parts: impl IntoIterator<Item = (&'static str, u32, u32)>) -> impl IntoView {
    let parts = parts
        .into_iter()
        .map(|(class, from, to)| {
            let width = to.saturating_sub(from).to_string();
            view! { <rect class=class x=from.to_string() y="0" width=width height="10"></rect> }
        })
        .collect_view();
    view! { <svg class="meter" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">{parts}</svg> }
}

/// The cell of a run and a measure: its value, which opens its formula, and its interval.
fn cell(cell: &ColumnCell, nth: usize, (run, has_room): (&'static str, bool), opened: Opened) -> impl IntoView + use<> {
    let drawn = cell.bar.map(|drawn| match drawn {
        ColumnBar::Range(low, middle, high) => {
            let middle = middle.map(|middle| ("middle", units(middle).saturating_sub(6), units(middle) + 6));
            bar([("track", 0, FULL), ("span", units(low), units(high))].into_iter().chain(middle)).into_any()
        }
        ColumnBar::Used(used) => {
            let class = if used > 1.0 { "over" } else { "used" };
            bar([("track", 0, FULL), (class, 0, units(used))]).into_any()
        }
    });
    let (measure, is_best, note) = (cell.measure, cell.is_best, cell.note.clone());
    let text = cell.figure.clone().map(
        |figure| {
            let range = figure.range_in_brackets();
            let name = format!("{}: {}", figure.name, figure.value);
            let is_long = figure.value.chars().count() > LONG;
            let is_open = move || opened.get() == Some((nth, measure));
            let toggle = move |_| opened.update(|at| *at = if *at == Some((nth, measure)) { None } else { Some((nth, measure)) });
            view! {
                <button type="button" class="cell" class:long=is_long aria-label=name aria-expanded=move || is_open().to_string() on:click=toggle>
                    {figure.value}
                </button>
                {is_best.then(|| view! { <span class="winner">{words::BEST}</span> })}
                <span class="range">{range}</span>
            }
        },
    );
    view! {
        <td role="cell" data-figure=measure.id() data-run=run class:no-room=!has_room>
            {text}
            {drawn}
            <span class="note">{note}</span>
        </td>
    }
}

/// The cell of a run and a factor of its MFU. It has the share of the peak that remains after this factor, and the
/// share that the factor loses.
fn factor_cell(factor: Option<&Factor>) -> impl IntoView + use<> {
    let factor = factor.map(|one| {
        let before = one.factor.filter(|factor| *factor > 0.0).map_or(one.left, |factor| one.left / factor);
        let drawn = bar([("kept", 0, units(one.left)), ("lost", units(one.left), units(before))]);
        let text = words::times(one.factor, one.left);
        view! {
            <div>
                {drawn}
                <span class:largest=one.is_largest_loss>{text}</span>
            </div>
            {one.is_largest_loss.then(|| view! { <span class="winner">{words::LARGEST_LOSS}</span> })}
        }
    });
    view! { <td class="factor" role="cell">{factor}</td> }
}

fn rows(columns: &[ColumnView], all: Memo<Columns>, opened: Opened) -> impl IntoView + use<> {
    let span = columns.len() + 1;
    let measures = all.with_untracked(|all| all.measures.clone());
    let measures = measures.into_iter().enumerate().map(|(row, (measure, name))| {
        let of_row = columns.iter().enumerate().filter_map(|(nth, column)| Some((nth, (column.name, column.has_room), column.cells.get(row)?)));
        let cells = of_row.map(|(nth, of, one)| cell(one, nth, of, opened)).collect_view();
        // The derivation of a figure opens below its row.
        let derived = move || {
            let (nth, _) = opened.get().filter(|(_, at)| *at == measure)?;
            all.with(|all| {
                let column = all.columns.get(nth)?;
                let figure = column.cells.iter().find(|cell| cell.measure == measure)?.figure.as_ref()?;
                let inner = derivation(column.name, figure);
                Some(view! { <tr class="opened" role="row"><td role="cell" colspan=span.to_string()><div class="why">{inner}</div></td></tr> })
            })
        };
        view! { <tr role="row"><th scope="row" role="rowheader">{name}</th>{cells}</tr> {derived} }
    });
    let measures = measures.collect_view();
    let sequences = columns.iter().any(|column| column.sequences.is_some()).then(|| {
        let cells =
            columns.iter().map(|one| view! { <td role="cell">{one.sequences.map(grouped)}</td> }).collect_view();
        view! { <tr role="row"><th scope="row" role="rowheader">{words::SEQUENCES}</th>{cells}</tr> }
    });
    let recomputes = columns.iter().any(|column| !column.recomputation.is_empty()).then(|| {
        let cells = columns.iter().map(|one| view! { <td role="cell">{one.recomputation}</td> }).collect_view();
        view! { <tr role="row"><th scope="row" role="rowheader">{words::RECOMPUTATION}</th>{cells}</tr> }
    });
    // A measured run has one more factor than the predictions.
    let named = columns.iter().map(|column| &column.factors).max_by_key(|factors| factors.len());
    let names: Vec<&'static str> = named.map_or_else(Vec::new, |all| all.iter().map(|one| one.name).collect());
    let title = (!names.is_empty())
        .then(|| view! { <tr class="part" role="row"><th scope="rowgroup" role="rowheader" colspan=span.to_string()>{words::WHERE_THE_PEAK_GOES}</th></tr> });
    let factors = names.into_iter().map(|name| {
        let of = |column: &ColumnView| factor_cell(column.factors.iter().find(|one| one.name == name));
        let cells = columns.iter().map(of).collect_view();
        view! { <tr role="row"><th scope="row" role="rowheader">{name}</th>{cells}</tr> }
    });
    let factors = factors.collect_view();
    view! { <tbody role="rowgroup">{measures}{sequences}{recomputes}</tbody> <tbody class="factors" role="rowgroup">{title}{factors}</tbody> }
}

/// The formula, the values and the sources of one figure.
fn derivation(chip: &str, figure: &Figure) -> impl IntoView + use<> {
    let sources = figure.citations.iter().map(|one| {
        let [what, source, confidence] = [&one.what, &one.source.to_owned(), &one.confidence].map(Clone::clone);
        view! { <li><p>{what}</p><p>{linked(source)}</p><p class="trust">{confidence}</p><p class="trust">{one.note}</p></li> }
    });
    let sources = sources.collect::<Vec<_>>();
    let sources = (!sources.is_empty()).then(|| view! { <h3>{label::SOURCES}</h3> <ul>{sources}</ul> });
    view! {
        <h4>{format!("{chip}: {} {}", figure.name, figure.shown())}</h4>
        <p class="note">{figure.note.clone()}</p>
        <p class="says">{figure.says}</p>
        <p class="formula">{figure.formula}</p>
        <p class="formula worked">{figure.worked.clone()}</p>
        <p class="leaves-out">{label::LEAVES_OUT} ": " {figure.leaves_out}</p>
        {sources}
        <p class="trust">{label::CHECKED} {perfmodel::AS_OF}</p>
    }
}

/// The comparison with its sentence, its table, the opened figure and the warning.
#[component]
pub(super) fn Comparison(answer: Memo<Arc<Answer>>, set: Set) -> impl IntoView {
    let columns = memo(move || answer.with(|answer| answer.columns.clone()));
    let opened: Opened = RwSignal::new(None);
    let setting = text_from(move || columns.with(|columns| columns.setting.clone()));
    let sentence = text_from(move || columns.with(|columns| columns.sentence.clone()));
    let heads = move || {
        columns.with(|all| {
            let head = |one: &ColumnView| {
                let (chips, price) = (words::chips(one.chips), words::price(one.usd_per_chip_hour));
                let note = one.price_note.clone();
                view! {
                    <th scope="col" role="columnheader">
                        <strong>{one.name}</strong>
                        <span class="count">{chips}</span>
                        {(!one.has_room).then(|| view! { <span class="note">{words::NO_ROOM}</span> })}
                        <span class="price">{price}</span>
                        <span class="note">{note}</span>
                    </th>
                }
            };
            all.columns.iter().map(head).collect_view()
        })
    };
    // On a phone, where columns are swiped, a list has the most important values of all runs.
    let brief = move || {
        columns.with(|all| {
            let row = |one: &ColumnView| {
                let value = |measure: Measure| {
                    let cell = one.cells.iter().find(|cell| cell.measure == measure);
                    cell.and_then(|cell| cell.figure.as_ref()).map_or_else(String::new, |figure| figure.value.clone())
                };
                let no_room = (!one.has_room).then(|| view! { ": " {words::NO_ROOM} });
                view! { <li class:no-room=!one.has_room><span>{one.name} {no_room}</span><span>{value(Measure::Mfu)}</span><span>{value(Measure::UsdPerMillionTokens)}</span></li> }
            };
            (all.columns.len() > 1).then(|| all.columns.iter().map(row).collect_view())
        })
    };
    let body = move || columns.with(|all| rows(&all.columns, columns, opened));
    let remedy = memo(move || columns.with(|columns| columns.remedy.clone()));
    let says = text_from(move || remedy.with(|one| one.as_ref().map_or_else(String::new, |one| one.says.clone())));
    let text = text_from(move || remedy.with(|one| one.as_ref().map_or_else(String::new, |one| one.text.clone())));
    let has_button = move || remedy.with(|one| one.as_ref().is_some_and(|one| !one.set.is_empty()));
    let take = move |_| {
        let settings = remedy.with_untracked(|one| one.as_ref().map_or_else(Vec::new, |one| one.set.clone()));
        set(&settings);
        if untrack(|| !has_button()) {
            // A button that is no longer needed disappears, and the new answer gets its focus.
            focus::focus(ANSWER_ID);
        }
    };
    view! {
        <div class="comparison" id="comparison" hidden=move || columns.with(|all| all.columns.is_empty())>
            <p class="setting">{setting}</p>
            <p class="sentence" id=ANSWER_ID role="status" tabindex="-1">{sentence}</p>
            <div class="remedy-room" hidden=move || remedy.with(Option::is_none)>
                <p>{says}</p>
                <button type="button" class="remedy" id="use-remedy" hidden=move || !has_button() on:click=take>{text}</button>
            </div>
            <ul class="brief" aria-hidden="true">{brief}</ul>
            <div class="columns-room" id=TABLE_ID tabindex="0" role="region" aria-label=words::TITLE>
                <table class="columns" role="table" aria-label=words::TITLE>
                    <thead role="rowgroup"><tr role="row"><td role="cell"></td>{heads}</tr></thead>
                    {body}
                </table>
            </div>
        </div>
    }
}
