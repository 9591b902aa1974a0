//! A cycle in words: the phase, how many PEs multiply, and the sum of one PE written out.
//!
//! The same sentences are the caption, the screen reader's status and the transcript.

use super::label;
use crate::Plan;
use crate::defect::BrokenMachine;
use crate::value_text::full;
use display::number::grouped;
use systolic::{Activity, Census, Cycle, EventKind, Hold, Operand, PeId, Probe};

/// The phase of the array as a whole.
#[must_use]
pub fn phase(census: &Census, total: u64) -> &'static str {
    let busy = census.useful + census.on_padding;
    if census.loading > 0 {
        "loading"
    } else if busy + census.unmapped == total {
        "every mapped PE multiplies"
    } else if census.waiting > 0 && census.done == 0 {
        "filling"
    } else if census.waiting > 0 {
        "filling and draining"
    } else {
        "draining"
    }
}

/// "Cycle 7 of 16 · filling · 9 of 16 PEs multiply."
#[must_use]
pub fn moment(plan: &Plan, cycle: Cycle) -> String {
    let schedule = plan.schedule();
    let census = schedule.census(cycle);
    let pes = schedule.array().pes();
    let busy = census.useful + census.on_padding;
    let at = schedule.fold_at(cycle, PeId::new(0, 0));
    let fold = if schedule.folds() > 1 {
        format!(" · fold {} of {}", grouped(at.index + 1), grouped(schedule.folds()))
    } else {
        String::new()
    };
    let zeros =
        if census.on_padding > 0 { format!(", {} of them padding", grouped(census.on_padding)) } else { String::new() };
    let noun = if pes == 1 { "PE multiplies" } else { "PEs multiply" };
    format!(
        "Cycle {} of {}{fold} · {} · {} of {} {noun}{zeros}.",
        grouped(cycle.get()),
        grouped(schedule.cycles().get()),
        phase(&census, pes),
        grouped(busy),
        grouped(pes)
    )
}

/// The PE of a caption where none is chosen: a multiplying one with a sum of several terms.
#[must_use]
pub fn telling_pe(plan: &Plan, cycle: Cycle) -> Option<PeId> {
    let schedule = plan.schedule();
    let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
    // On the way from the corner along the wave: the farthest useful PE of the first column, then one step in.
    let useful = |pe: &PeId| schedule.activity(cycle, *pe) == Activity::Useful;
    let diagonal = (0..rows).rev().map(|row| PeId::new(row, 1.min(cols.saturating_sub(1))));
    let first_col = (0..rows).rev().map(|row| PeId::new(row, 0));
    let edge = (0..cols).rev().map(|col| PeId::new(rows.saturating_sub(1), col));
    diagonal.chain(first_col).chain(edge).find(useful)
}

/// A PE's name.
#[must_use]
pub fn pe_name(pe: PeId) -> String {
    format!("PE {},{}", pe.row, pe.col)
}

/// What a PE did at this clock edge.
#[must_use]
pub fn pe(plan: &Plan, cycle: Cycle, probe: &Probe) -> String {
    let stays = match plan.schedule().dataflow().stationary() {
        Operand::A => "a",
        Operand::B => "weight",
        Operand::C => "sum",
    };
    let next = probe.shadow.map(|next| format!(" Its shadow register has {} ({}).", full(next.value), place(&next)));
    let held = probe.held.map(|held| format!("{stays} {} ({})", full(held.value), place(&held)));
    let words = match probe.activity {
        Activity::Unmapped => match &probe.sum {
            Some(sum) => format!("is padding and passes {} on.", full(sum.value)),
            None => "is padding: nothing of the problem lies here in this fold.".to_owned(),
        },
        Activity::Loading => match held {
            Some(held) if is_custom(plan, probe, cycle) => format!("loads: {held} has arrived."),
            Some(held) => format!("loads: {held} is on its way south."),
            None => "loads: nothing has reached it yet.".to_owned(),
        },
        Activity::Waiting => match held {
            Some(held) => format!("holds {held} and waits for the wave."),
            None => "waits for the wave.".to_owned(),
        },
        Activity::Stalled => "waits for data that an edge is too slow to deliver.".to_owned(),
        Activity::Done => match &probe.sum {
            Some(sum) => format!("is done: {} in {}.", full(sum.value), terms(plan, sum)),
            None => "is done: the wave has passed.".to_owned(),
        },
        Activity::Useful | Activity::OnPadding => sentence(plan, probe),
    };
    words + &next.unwrap_or_default()
}

/// Whether the stationary element in a PE is the one it will multiply by in this fold.
fn is_custom(plan: &Plan, probe: &Probe, cycle: Cycle) -> bool {
    let schedule = plan.schedule();
    let fold = schedule.fold_at(cycle, probe.pe);
    let (row, col) = (fold.row_origin + u64::from(probe.pe.row), fold.col_origin + u64::from(probe.pe.col));
    let own = schedule.mapping().mkn(row, col, 0).of(schedule.dataflow().stationary());
    probe.held.is_some_and(|held| (held.row, held.col) == own)
}

/// `a[2,1]`, as it is written in a sentence.
#[must_use]
pub fn place(element: &systolic::Element) -> String {
    let letter = match element.operand {
        Operand::A => 'a',
        Operand::B => 'b',
        Operand::C => 'c',
    };
    format!("{letter}[{},{}]", element.row, element.col)
}

/// "takes 4 from the west, weight 6, and −9 from the north: 4 × 6 + −9 = 15, 3 of 4 terms of c[0,1]."
fn sentence(plan: &Plan, probe: &Probe) -> String {
    let (Some(east), Some(sum)) = (probe.east, probe.sum) else { return String::new() };
    let hold = plan.schedule().dataflow().hold();
    let Some(other) = probe.held.or(probe.south) else { return String::new() };
    let partner = match hold {
        Hold::Operand => format!("times {} {}, which it holds", place(&other), full(other.value)),
        Hold::Result => format!("times {} {} from the north", place(&other), full(other.value)),
    };
    let before = match (sum.before, hold) {
        (Some(before), Hold::Operand) => format!(", plus {} from the north", full(before)),
        (Some(before), Hold::Result) => format!(", plus its own {}", full(before)),
        (None, _) => String::new(),
    };
    let addend = sum.before.map_or_else(String::new, |before| format!(" + {}", full(before)));
    let zero = if probe.activity == Activity::OnPadding { " (padding)" } else { "" };
    format!(
        "takes {} {} from the west {partner}{before}: {} × {}{addend} = {}{zero}, {}.",
        place(&east),
        full(east.value),
        full(east.value),
        full(other.value),
        full(sum.value),
        terms(plan, &sum)
    )
}

/// "3 of 4 terms of c[0,1]", and which part of the sum they are where the accumulators outside add several folds.
fn terms(plan: &Plan, sum: &systolic::Sum) -> String {
    let text = format!("{} of {} terms of c[{},{}]", sum.terms, sum.terms_max, sum.row, sum.col);
    if plan.schedule().folds_per_result() == 1 {
        return text;
    }
    let last = sum.k_from + sum.terms_max - 1;
    let all = plan.schedule().run().k();
    format!("{text} in this fold (k {} to {last} of {}), which is added up outside", sum.k_from, grouped(all))
}

/// The PE whose sum is the first result of a fold, at the moment when that is complete.
fn result_pe(plan: &Plan, cycle: Cycle) -> Option<PeId> {
    let schedule = plan.schedule();
    let fold = schedule.fold_at(cycle, PeId::new(0, 0));
    let events = schedule.events_of(&fold);
    let is_now = events.iter().any(|event| event.cycle == cycle && event.kind == EventKind::FirstResult);
    let row = match schedule.dataflow().hold() {
        Hold::Operand => schedule.array().rows() - 1,
        Hold::Result => 0,
    };
    // A row outside the problem passes the sums on, but has no words for it.
    is_now.then_some(PeId::new(row.min(fold.mapped.rows.saturating_sub(1)), 0))
}

/// The caption in its parts: the moment, the name of the PE, and what it did.
#[must_use]
pub fn caption(plan: &Plan, cycle: Cycle, selected: Option<PeId>) -> (String, String, String) {
    let chosen = selected.or_else(|| result_pe(plan, cycle)).or_else(|| telling_pe(plan, cycle));
    let (name, words) = chosen.map_or_else(
        || (String::new(), String::new()),
        |chosen| (pe_name(chosen), pe(plan, cycle, &plan.prober().at(cycle, chosen))),
    );
    (moment(plan, cycle), name, words)
}

/// The caption of a machine with a defect: how many sums are wrong, and what one wrong PE does.
#[must_use]
pub fn broken(plan: &Plan, cycle: Cycle, broken: &BrokenMachine, selected: Option<PeId>) -> (String, String, String) {
    let wrong = broken.cells().iter().filter(|cell| cell.is_wrong).count();
    let moment = format!(
        "Cycle {} of {} · a machine with a defect · {} of {} PEs hold a wrong sum.",
        grouped(cycle.get()),
        grouped(plan.schedule().cycles().get()),
        grouped(wrong as u64),
        grouped(plan.schedule().array().pes())
    );
    let told = match selected {
        Some(pe) => broken.cell(pe),
        None => broken.cells().iter().find(|cell| cell.clash.is_some() || cell.is_wrong),
    };
    let Some(cell) = told else { return (moment, String::new(), String::new()) };
    let sum = cell.sum.map_or_else(|| "has no sum".to_owned(), |sum| format!("has the sum {}", full(sum)));
    let words = match (cell.clash, cell.is_wrong) {
        (Some((x, w)), _) => format!(
            "{sum}; {} {} meets {} {}, which belong to different terms: {}.",
            place(&x),
            full(x.value),
            place(&w),
            full(w.value),
            super::stage::clash(&x, &w)
        ),
        (None, true) => format!("{sum}, which is not that of one element of C."),
        (None, false) => format!("{sum}; nothing is wrong with it so far."),
    };
    (moment, pe_name(cell.probe.pe), words)
}

/// Cycles of a transcript.
const TRANSCRIPT_CYCLES: u64 = 100;

/// The captions of the cycles from this one on, one line each.
#[must_use]
pub fn transcript(plan: &Plan, cycle: Cycle, selected: Option<PeId>) -> String {
    let last = cycle.get().saturating_add(TRANSCRIPT_CYCLES - 1).min(plan.last().get());
    let mut lines: Vec<String> = (cycle.get()..=last).map(|at| status(plan, Cycle(at), selected)).collect();
    if last < plan.last().get() {
        lines.push(format!("… to cycle {}", grouped(plan.last().get())));
    }
    lines.join("\n")
}

/// The caption as one text, for the screen reader and for tests.
#[must_use]
pub fn status(plan: &Plan, cycle: Cycle, selected: Option<PeId>) -> String {
    let (moment, name, words) = caption(plan, cycle, selected);
    let event = plan
        .schedule()
        .events_of(&plan.schedule().fold_at(cycle, PeId::new(0, 0)))
        .into_iter()
        .find(|event| event.cycle == cycle)
        .map_or_else(String::new, |event| format!(" Now: {}.", label::event(event.kind, plan.schedule())));
    format!("{moment}{event} {name} {words}").trim_end().to_owned()
}

/// The stage as a whole, for its accessible name.
#[must_use]
pub fn stage(plan: &Plan) -> String {
    format!(
        "Systolic array. {}. {}.",
        label::headline(plan),
        label::dtype(plan.dtype()).replace('→', "operands, sums in")
    )
}

/// The scrubber's value in words.
#[must_use]
pub fn scrubber(plan: &Plan, cycle: Cycle) -> String {
    format!(
        "cycle {} of {}, {}",
        grouped(cycle.get()),
        grouped(plan.schedule().cycles().get()),
        phase(&plan.schedule().census(cycle), plan.schedule().array().pes())
    )
}
