//! Captions of a cycle: the event of the cycle, and the sum of one PE written out.
//!
//! The page uses these texts as the caption, as the status for screen readers, and in the event log.

mod broken;

pub use broken::{broken, telling_broken_pe};

use super::count::{counted, noun_of};
use super::pe::{pe, stationary};
pub use super::pe::{pe_name, place, product_headline, state_headline, sum_headline};
use super::{label, picture as signs};
use display::number::{compact, grouped};
use studio::Plan;
use studio::value_text::full;
use studio::whereabouts;
use systolic::{Activity, Census, Cycle, Event, EventKind, Fold, Hold, Load, PeId};

/// Caption of a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// State of the whole array, without a period at the end. If the cycle has an event, the headline names the event.
    pub headline: String,
    /// Sentence about the work of one PE. If no PE multiplies, the sentence describes the array.
    pub sentence: String,
}

impl Caption {
    /// Returns the caption with another headline. The old headline, which names the event of the cycle, moves to the
    /// end of the sentence.
    #[must_use]
    pub fn below(self, headline: String) -> Self {
        Self { sentence: format!("{} {}.", self.sentence, self.headline), headline }
    }

    /// Returns the cycle and the caption as one text.
    #[must_use]
    pub fn at(&self, plan: &Plan, cycle: Cycle) -> String {
        let Self { headline, sentence } = self;
        format!("Cycle {}. {headline}. {sentence}", clock(plan, cycle)).trim_end().to_owned()
    }
}

/// Returns the cycle and the last cycle, both counted from 0: "7 of 15".
#[must_use]
pub fn clock(plan: &Plan, cycle: Cycle) -> String {
    format!("{} of {}", grouped(cycle.get()), grouped(plan.last().get()))
}

/// Returns the cycle and the last cycle as two texts, for layouts that need two lines: "7", "of 15". In a long run, the
/// last cycle is shortened.
#[must_use]
pub fn clock_parts(plan: &Plan, cycle: Cycle) -> [String; 2] {
    let last = plan.last().get();
    [grouped(cycle.get()), format!("of {}", if is_long_clock(plan) { compact(last) } else { grouped(last) })]
}

/// True if the last cycle of a run has so many digits that the clock needs a smaller font. The font size does not
/// change during a run.
#[must_use]
pub fn is_long_clock(plan: &Plan) -> bool {
    plan.last() >= Cycle(10_000)
}

/// Returns a text with a capital first letter.
fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(0..1) {
        first.make_ascii_uppercase();
    }
    text
}

/// Phase in which the wave has left some PEs, and has not reached others.
pub(crate) const FILL_AND_DRAIN: &str = "filling and draining";

/// Returns the phase of the whole array, such as "filling".
#[must_use]
pub fn phase(plan: &Plan, census: &Census) -> &'static str {
    let busy = census.useful + census.on_padding;
    if census.loading > 0 {
        signs::loading(plan.schedule().dataflow().stationary())
    } else if busy > 0 && busy + census.unmapped == plan.schedule().array().pes() {
        signs::STEADY
    } else if census.waiting > 0 && census.done == 0 {
        signs::FILL
    } else if census.waiting > 0 {
        FILL_AND_DRAIN
    } else {
        signs::DRAIN
    }
}

/// Returns the cycle and the headline, for a run in a comparison: `Cycle 7 of 15. First result complete: c[0,0] =
/// −26.`
#[must_use]
pub fn moment(plan: &Plan, cycle: Cycle) -> String {
    Caption { sentence: String::new(), ..caption(plan, cycle, None) }.at(plan, cycle)
}

/// Returns the most important event of a cycle, with its fold. If several folds run in the cycle, the events of all
/// these folds are candidates.
fn event(plan: &Plan, cycle: Cycle) -> Option<(Event, Fold)> {
    let schedule = plan.schedule();
    let array = schedule.array();
    let newest = schedule.fold_at(cycle, PeId::new(0, 0)).index;
    let oldest = schedule.fold_at(cycle, PeId::new(array.rows() - 1, array.cols() - 1)).index;
    let weight = |kind: EventKind| match kind {
        EventKind::FoldStart => 0,
        EventKind::FirstMac => 1,
        EventKind::LastMac => 2,
        EventKind::ArrayFull => 3,
        EventKind::FirstResult => 4,
        EventKind::End => 5,
    };
    (oldest..=newest)
        .flat_map(|index| {
            let fold = schedule.fold(index);
            schedule.events_of(&fold).into_iter().map(move |event| (event, fold))
        })
        .filter(|(event, _)| event.cycle == cycle)
        .max_by_key(|(event, _)| weight(event.kind))
}

/// Returns the number of PEs that multiply, as a clause.
fn busy(plan: &Plan, census: &Census) -> String {
    let pes = plan.schedule().array().pes();
    let busy = census.useful + census.on_padding;
    let zeros = match census.on_padding {
        0 => String::new(),
        n => format!(", {} of them by zeros", grouped(n)),
    };
    if pes == 1 {
        return if busy == 1 { "the PE is multiplying" } else { "the PE is idle" }.to_owned();
    }
    if busy + census.unmapped == pes && census.unmapped > 0 {
        let (used, all, unused) = (grouped(busy), grouped(pes), grouped(census.unmapped));
        return format!("all {used} used PEs are multiplying{zeros} ({unused} of {all} unused)");
    }
    if busy == pes {
        return format!("all {} PEs are multiplying{zeros}", grouped(pes));
    }
    let verb = if busy == 1 { "is" } else { "are" };
    format!("{} of {} PEs {verb} multiplying{zeros}", grouped(busy), grouped(pes))
}

/// Returns a sentence with the number of complete elements of C.
fn progress(plan: &Plan, cycle: Cycle) -> String {
    let (n, all) = whereabouts::n_complete(plan, cycle);
    format!("{} of {} elements of C are complete.", grouped(n), grouped(all))
}

/// Returns the headline and the sentence of a cycle in which no PE multiplies.
fn idle(plan: &Plan, cycle: Cycle, census: &Census) -> (String, String) {
    if census.loading > 0 {
        return loading(plan, cycle);
    }
    let done = progress(plan, cycle);
    if census.stalled > 0 || census.waiting > 0 {
        ("no PE is multiplying: input bandwidth is too low".to_owned(), done)
    } else {
        ("the last results are leaving the array".to_owned(), done)
    }
}

/// Maximum number of top-row values that a caption lists while the stationary matrix is shifted in.
const LISTED_MAX: u32 = 4;

/// Returns the headline and the sentence of a cycle in which the stationary matrix is shifted in.
fn loading(plan: &Plan, cycle: Cycle) -> (String, String) {
    let schedule = plan.schedule();
    let (array, prober) = (schedule.array(), plan.prober());
    let noun = format!("{}s", stationary(plan));
    let rows = |col: u32| schedule.rows_loaded(cycle, col).map_or(0, |(_, rows)| rows).min(array.rows().into());
    let load = schedule.design().load();
    // A diagonal load brings parts of many rows, so elements are counted instead of rows.
    let (n, all) = match load {
        Load::Rows => (rows(0), counted(array.rows().into(), "row")),
        Load::Diagonal => ((0..array.cols()).map(rows).sum(), grouped(array.pes())),
    };
    let headline = format!("loading {noun}: {} of {all} {} in", grouped(n), if n == 1 { "is" } else { "are" });
    let top = |col: u32| {
        let probe = prober.without_sum(cycle, PeId::new(0, col));
        probe.shadow.or(probe.held).map(|element| full(element.value))
    };
    let mut listed: Vec<String> = (0..array.cols().min(LISTED_MAX)).filter_map(top).collect();
    if !listed.is_empty() && array.cols() > LISTED_MAX && top(LISTED_MAX).is_some() {
        listed.push("…".to_owned());
    }
    let how = match load {
        Load::Rows => "row by row, last row first",
        Load::Diagonal => "along diagonals, last row first",
    };
    let noun = capital(&noun);
    let sentence = match listed.as_slice() {
        [] => format!("{noun} enter {how} and move down one PE per cycle."),
        [_] => format!("{noun} enter {how}: {} moves down one PE per cycle.", listed.join(", ")),
        _ => format!("{noun} enter {how}: {} move down one PE per cycle.", listed.join(", ")),
    };
    (headline, sentence)
}

/// Returns the PE in which the first result of a fold is complete.
fn result_pe(plan: &Plan) -> PeId {
    match plan.schedule().dataflow().hold() {
        Hold::Operand => PeId::new(plan.schedule().array().rows() - 1, 0),
        Hold::Result => PeId::new(0, 0),
    }
}

/// Returns the headline of an event, and the PE that the sentence describes. `None` for the start of a fold and the end
/// of the run.
fn eventful(plan: &Plan, cycle: Cycle, event: &Event, fold: &Fold) -> Option<(String, PeId)> {
    let schedule = plan.schedule();
    let corner = PeId::new(0, 0);
    let far = PeId::new(fold.mapped.rows.saturating_sub(1), fold.mapped.cols.saturating_sub(1));
    match event.kind {
        EventKind::FoldStart | EventKind::End => None,
        EventKind::FirstMac => Some(("first multiplication".to_owned(), corner)),
        EventKind::ArrayFull => {
            let pe = farthest_useful(plan, cycle).unwrap_or(far);
            Some((busy(plan, &schedule.census(cycle)), pe))
        }
        EventKind::LastMac => Some(("last multiplication".to_owned(), far)),
        EventKind::FirstResult => {
            let pe = result_pe(plan);
            let sum = plan.prober().at(cycle, pe).sum?;
            let (name, value) = (format!("c[{},{}]", sum.row, sum.col), full(sum.value));
            let headline = if schedule.folds_per_result() > 1 {
                format!("first result, {value} for {name}")
            } else {
                format!("first result complete: {name} = {value}")
            };
            Some((headline, pe))
        }
    }
}

/// Explains that the first result of a fold is only a partial sum of an element of C. `None` if one fold computes the
/// whole element.
fn part(plan: &Plan, cycle: Cycle) -> Option<String> {
    let schedule = plan.schedule();
    let folds = schedule.folds_per_result();
    let sum = plan.prober().at(cycle, result_pe(plan)).sum.filter(|_| folds > 1)?;
    let name = format!("c[{},{}]", sum.row, sum.col);
    if plan.sums_go_on() {
        let fold = schedule.fold_at(cycle, result_pe(plan)).row_fold + 1;
        let n = (fold * u64::from(schedule.array().rows())).min(schedule.run().k());
        let rest = if fold == folds {
            format!("This sum started from the sum of the fold before, and completes {name}.")
        } else {
            "The next fold starts from this sum.".to_owned()
        };
        return Some(format!(
            "The sum has {} of {} products of {name}. {rest}",
            grouped(n),
            grouped(schedule.run().k())
        ));
    }
    // A fold has a whole tile of k, in any order.
    let (from, to) = (grouped(sum.k_from), grouped(sum.k_from + sum.terms_max - 1));
    let rest = if (sum.k_from..sum.k_from + sum.terms_max).contains(&schedule.last_k()) {
        format!("With the partial sums of earlier folds, this partial sum completes {name}.")
    } else {
        format!("Accumulators outside the array add the partial sums of all {} folds.", grouped(folds))
    };
    Some(format!("This is the partial sum for k = {from}–{to}. {rest}"))
}

/// Returns the PE that the caption describes if no PE is selected. This PE is the PE of the cycle's event, or a PE that
/// multiplies and has a sum of several terms.
#[must_use]
pub fn telling_pe(plan: &Plan, cycle: Cycle) -> Option<PeId> {
    event_pe(plan, cycle).or_else(|| farthest_useful(plan, cycle))
}

/// Returns the PE of the event in this cycle, such as the first result. `None` if the cycle has no event.
#[must_use]
pub fn event_pe(plan: &Plan, cycle: Cycle) -> Option<PeId> {
    let (event, fold) = event(plan, cycle)?;
    eventful(plan, cycle, &event, &fold).map(|(_, pe)| pe)
}

/// Returns a PE that does a useful multiplication. The PE is far from the corner, so that the PE's sum has several
/// terms.
fn farthest_useful(plan: &Plan, cycle: Cycle) -> Option<PeId> {
    let schedule = plan.schedule();
    let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
    // The PE is on the wavefront from the corner. It is the lowest useful PE of the second column, or else of the first
    // column.
    let useful = |pe: &PeId| schedule.activity(cycle, *pe) == Activity::Useful;
    let diagonal = (0..rows).rev().map(|row| PeId::new(row, 1.min(cols.saturating_sub(1))));
    let first_col = (0..rows).rev().map(|row| PeId::new(row, 0));
    // At the end of a fold, the wavefront crosses the last row or the last column that the fold uses.
    let used = schedule.fold_at(cycle, PeId::new(rows.saturating_sub(1), cols.saturating_sub(1))).mapped;
    let last_row = (0..used.cols).rev().map(|col| PeId::new(used.rows.saturating_sub(1), col));
    let last_col = (0..used.rows).rev().map(|row| PeId::new(row, used.cols.saturating_sub(1)));
    diagonal.chain(first_col).chain(last_row).chain(last_col).find(useful)
}

/// Returns the caption of a cycle. If a PE is selected, the sentence is about this PE.
#[must_use]
pub fn caption(plan: &Plan, cycle: Cycle, selected: Option<PeId>) -> Caption {
    let schedule = plan.schedule();
    let census = schedule.census(cycle);
    let event = event(plan, cycle);
    let of_pe = |chosen: PeId| format!("{} {}", pe_name(chosen), pe(plan, cycle, &plan.prober().at(cycle, chosen)));
    let eventful = event.as_ref().and_then(|(event, fold)| {
        let (headline, pe) = eventful(plan, cycle, event, fold)?;
        let part = (event.kind == EventKind::FirstResult).then(|| part(plan, cycle)).flatten();
        Some((headline, part.unwrap_or_else(|| of_pe(pe)), *fold))
    });
    let corner = schedule.fold_at(cycle, PeId::new(0, 0));
    let (headline, sentence, fold) = if cycle == plan.last() {
        return Caption { sentence: selected.map_or_else(|| whole_run(plan), of_pe), headline: complete(plan, cycle) };
    } else if let Some(eventful) = eventful {
        eventful
    } else if let Some(pe) = farthest_useful(plan, cycle) {
        (busy(plan, &census), of_pe(pe), corner)
    } else if census.useful + census.on_padding > 0 {
        (busy(plan, &census), progress(plan, cycle), corner)
    } else {
        let (headline, sentence) = idle(plan, cycle, &census);
        (headline, sentence, corner)
    };
    let headline = match schedule.folds() {
        1 => capital(&headline),
        folds => format!("Fold {} of {}: {headline}", grouped(fold.index + 1), grouped(folds)),
    };
    Caption { headline, sentence: selected.map_or(sentence, of_pe) }
}

/// Returns the headline of the last cycle: "C = A × B: 18 of 18 elements complete".
fn complete(plan: &Plan, cycle: Cycle) -> String {
    let (n, all) = whereabouts::n_complete(plan, cycle);
    let noun = noun_of(all, "element");
    format!("C = A × B: {} of {} {noun} complete", grouped(n), grouped(all))
}

/// Returns the number of cycles and of useful multiplications in the whole run.
fn whole_run(plan: &Plan) -> String {
    let (cycles, macs) = (plan.schedule().cycles().get(), plan.schedule().gemm().macs().get());
    format!("{}, {}.", counted(cycles, "cycle"), counted(macs, "useful multiplication"))
}

/// Returns the number of wrong elements of C as a clause: "all 18 elements of C are wrong".
#[must_use]
pub fn elements_wrong(n: u64, all: u64) -> String {
    let noun = noun_of(all, "element");
    match n {
        0 => "no element of C is wrong".to_owned(),
        1 => format!("1 of {} {noun} of C is wrong", grouped(all)),
        _ if n == all => format!("all {} elements of C are wrong", grouped(all)),
        _ => format!("{} of {} {noun} of C are wrong", grouped(n), grouped(all)),
    }
}

/// Maximum number of cycles in an event log.
const TRANSCRIPT_CYCLES: u64 = 100;

/// Returns the event log: the captions of up to 100 cycles from `cycle` on, one line each.
#[must_use]
pub fn transcript(plan: &Plan, cycle: Cycle, selected: Option<PeId>) -> String {
    let last = cycle.get().saturating_add(TRANSCRIPT_CYCLES - 1).min(plan.last().get());
    let mut lines: Vec<String> = (cycle.get()..=last).map(|at| status(plan, Cycle(at), selected)).collect();
    if last < plan.last().get() {
        lines.push(format!("… to cycle {}", grouped(plan.last().get())));
    }
    lines.join("\n")
}

/// Returns the cycle and its caption as one text, for screen readers and for tests.
#[must_use]
pub fn status(plan: &Plan, cycle: Cycle, selected: Option<PeId>) -> String {
    caption(plan, cycle, selected).at(plan, cycle)
}

/// Returns the accessible name of the array view.
#[must_use]
pub fn stage(plan: &Plan) -> String {
    format!(
        "Systolic array. {}. {}.",
        label::headline(plan),
        label::dtype(plan.dtype()).replace('→', "operands, sums in")
    )
}

/// Returns the value of the scrubber in words: the cycle and the phase.
#[must_use]
pub fn scrubber(plan: &Plan, cycle: Cycle) -> String {
    format!("cycle {}, {}", clock(plan, cycle), phase(plan, &plan.schedule().census(cycle)))
}
