//! Captions of an array with a fault.

use super::{Caption, clock, elements_wrong, pe_name, place};
use crate::count::counted;
use crate::{bench, picture as signs};
use display::number::grouped;
use studio::Plan;
use studio::defect::{BrokenMachine, Cell};
use studio::value_text::full;
use systolic::{Element, PeId};

/// Returns the operands that a PE multiplies.
fn operands(cell: &Cell) -> Option<(Element, Element)> {
    cell.probe.east.zip(cell.probe.held.or(cell.probe.south))
}

/// Returns the PE that the caption describes if the array has a fault and no PE is selected. This PE is the first PE
/// with an error. If the errors are hidden, so that a person can look for the fault, it is the last PE that multiplies.
#[must_use]
pub fn telling_broken_pe(broken: &BrokenMachine) -> Option<PeId> {
    let mut cells = broken.cells().iter();
    let cell = if broken.is_judged() {
        cells.find(|cell| cell.clash.is_some() || cell.is_wrong)
    } else {
        cells.rfind(|cell| operands(cell).is_some())
    };
    cell.map(|cell| cell.probe.pe)
}

/// Returns the caption of an array with a fault: the number of wrong sums, and the work of one PE.
#[must_use]
pub fn broken(plan: &Plan, broken: &BrokenMachine, selected: Option<PeId>) -> Caption {
    if !broken.is_judged() {
        return unjudged(plan, broken, selected);
    }
    let wrong = broken.cells().iter().filter(|cell| cell.is_wrong).count();
    let outcomes = broken.outcomes();
    let headline = if broken.is_sound() {
        bench::RIGHT_SKEW.to_owned()
    } else if broken.cycle() >= plan.last() && !outcomes.is_empty() {
        let wrong = outcomes.iter().filter(|outcome| outcome.is_wrong).count() as u64;
        format!("Broken on purpose: {}", elements_wrong(wrong, outcomes.len() as u64))
    } else {
        let (n, noun) = (wrong as u64, if wrong == 1 { "holds" } else { "hold" });
        let pes = grouped(plan.schedule().array().pes());
        format!("Broken on purpose: {} of {pes} PEs {noun} a wrong sum", grouped(n))
    };
    let chosen = selected.or_else(|| telling_broken_pe(broken)).and_then(|pe| broken.cell(pe));
    let Some(cell) = chosen else {
        let sentence = if broken.is_sound() { bench::RIGHT_SKEW_HINT } else { "" };
        return Caption { headline, sentence: sentence.to_owned() };
    };
    let name = pe_name(cell.probe.pe);
    let sum = cell.sum.map_or_else(|| "holds no sum".to_owned(), |sum| format!("holds {}", full(sum)));
    let sentence = match (cell.clash, cell.is_wrong) {
        (Some((x, w)), _) => format!(
            "{name} multiplies {} = {} by {} = {}, which belong to different terms ({}); it {sum}.",
            place(&x),
            full(x.value),
            place(&w),
            full(w.value),
            signs::clash(&x, &w, usize::MAX)
        ),
        (None, true) if let Some((own, of)) = cell.stray => format!(
            "{name} adds a product for c[{},{}] to a sum for c[{},{}]. The PE {sum}, which is not an element of C.",
            own.0, own.1, of.0, of.1
        ),
        (None, true) if cell.is_mix => format!("{name} {sum}, a mix of terms that do not belong together."),
        (None, true) if let Some((has, due)) = cell.lacks => {
            format!("{name} {sum}: a sum of {} instead of {}.", counted(has, "term"), grouped(due))
        }
        (None, true) => format!("{name} {sum}, which is not the correct sum of any element of C."),
        (None, false) => format!("{name} {sum}; nothing is wrong in this PE so far."),
    };
    Caption { headline, sentence }
}

/// Returns a caption that does not reveal whether the array is correct, because a person has to find the fault. The
/// caption describes the work of one PE.
fn unjudged(plan: &Plan, broken: &BrokenMachine, selected: Option<PeId>) -> Caption {
    let chosen = selected.or_else(|| telling_broken_pe(broken)).and_then(|pe| broken.cell(pe));
    let headline = format!("Right or wrong? Cycle {}", clock(plan, broken.cycle()));
    let sentence = chosen.map_or_else(String::new, |cell| {
        let name = pe_name(cell.probe.pe);
        let sum = cell.sum.map_or_else(|| "holds no sum".to_owned(), |sum| format!("holds the sum {}", full(sum)));
        match operands(cell) {
            Some((x, w)) => format!("{name} multiplies {} by {} and {sum}.", place(&x), place(&w)),
            None => format!("{name} {sum}."),
        }
    });
    Caption { headline, sentence }
}
