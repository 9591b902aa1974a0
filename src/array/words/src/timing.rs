//! Texts of the timing of folds.

use super::busy::short;
use super::count::counted;
use super::label;
use display::figure::short_dollars;
use display::number::{joined, percent};
use studio::{Field, FieldValue, Plan, busy};
use systolic::{Drain, Hold, Load, Overlap, Tally};

/// Heading of the choice of how folds follow each other.
pub const HEADING: &str = "Double buffering";
/// Heading of the choice of how a fold loads its stationary operand.
pub const LOADING: &str = "loading";
/// Heading of the choice of how the results of a fold leave.
pub const RESULTS: &str = "results";

/// Returns the number of folds, for the heading of their timing.
#[must_use]
pub fn folds(plan: &Plan) -> String {
    counted(plan.schedule().folds(), "fold")
}

/// Returns the short name of a value of the timing of folds, for a button.
#[must_use]
pub fn name(value: &FieldValue) -> &'static str {
    match value {
        FieldValue::Overlap(Overlap::None) => "off",
        FieldValue::Overlap(Overlap::DoubleBuffered) => "on",
        FieldValue::Load(Some(Load::Rows)) => "by row",
        FieldValue::Load(Some(Load::Diagonal)) => "diagonal",
        FieldValue::Drain(Drain::InPlace) => "in place",
        FieldValue::Drain(Drain::South) => "south",
        other => label::design(other),
    }
}

/// Compares the cycles, the MFU and the cost of a run with and without overlap of folds.
#[must_use]
pub fn says(plan: &Plan) -> String {
    let schedule = plan.schedule();
    let other = match schedule.design().overlap {
        Overlap::None => Overlap::DoubleBuffered,
        Overlap::DoubleBuffered => Overlap::None,
    };
    let now = schedule.tally();
    let Some(then) = busy::tally_with(plan.scenario(), &[(Field::Overlap, FieldValue::Overlap(other))]) else {
        return String::new();
    };
    if now.total() == then.total() {
        let cycles = counted(schedule.cycles().get(), "cycle");
        return if schedule.folds() == 1 {
            "One fold has nothing to overlap.".to_owned()
        } else {
            format!("Both take {cycles}.")
        };
    }
    let (alone, overlapped) = if other == Overlap::None { (then, now) } else { (now, then) };
    let both = |of: fn(&Plan, &Tally) -> Option<String>| [of(plan, &alone), of(plan, &overlapped)];
    let change = |[from, to]: [Option<String>; 2]| Some(format!("{} → {}", from?, to?));
    let cycles = change(both(|plan, tally| Some(short(tally.total().get() / plan.schedule().array().pes()))));
    let mfu = change(both(|plan, tally| Some(percent(plan.array_cost(tally).ok()?.mfu))));
    let usd = [&alone, &overlapped].map(|tally| plan.array_cost(tally).ok().and_then(|cost| cost.usd_per_1e18));
    let saves = match usd {
        [Some(alone), Some(overlapped)] => {
            let verb = if other == Overlap::None { "Saves" } else { "Would save" };
            format!("{verb} {} of {} per 10¹⁸", short_dollars(alone - overlapped), short_dollars(alone))
        }
        _ => "Folds overlap".to_owned(),
    };
    // If a link sets no load, turning on overlap also changes the load.
    let is_diagonal = schedule.dataflow().hold() == Hold::Operand && plan.scenario().load.is_none();
    let loads = if is_diagonal && other == Overlap::None { " Loading is diagonal with it." } else { "" };
    let parts = [cycles.map(|cycles| cycles + " cycles"), mfu.map(|mfu| format!("MFU {mfu}\u{a0}%"))];
    format!("{saves}: {}.{loads}", joined(&parts.into_iter().flatten().collect::<Vec<_>>(), ", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn said(query: &str) -> String {
        says(&Plan::new(&Link::parse(query, "").scenario).expect("a run"))
    }

    #[test]
    fn the_timing_says_what_an_overlap_changes() {
        assert_eq!(said(""), "One fold has nothing to overlap.");
        // The cycles and the MFU of both are those of the table of settings in `studio::ArrayCost`.
        let rest = "$2.05 of $8.74 per 10¹⁸: 1032 → 790 cycles, MFU 74.4 → 97.2\u{a0}%.";
        let both = format!("Saves {rest}");
        let run = |rest: &str| said(&format!("rows=8&cols=8&m=64&k=32&n=24&{rest}"));
        assert_eq!(run("overlap=none"), format!("Would save {rest}"));
        assert_eq!(run("overlap=double-buffered"), format!("{both} Loading is diagonal with it."));
        assert_eq!(run("overlap=double-buffered&load=rows"), both);
    }
}
