//! Two runs in words: what each is called beside the other, and what makes them different.

use super::figures::{self, Part};
use super::{busy, label};
use display::number::{grouped, joined};
use studio::{Field, Plan};
use systolic::{Cycle, Slot};

/// The fields in which two runs can differ, each with the words in which it is named; sides of a shape share theirs.
fn named(field: Field, plan: &Plan) -> Option<String> {
    let (schedule, scenario) = (plan.schedule(), plan.scenario());
    let (array, gemm) = (schedule.array(), schedule.gemm());
    match field {
        Field::Rows | Field::Cols => Some(format!("{}×{} array", array.rows(), array.cols())),
        Field::M | Field::K | Field::N => Some(format!("{}×{}×{}", gemm.m(), gemm.k(), gemm.n())),
        Field::Dataflow => Some(label::dataflow(schedule.dataflow()).to_owned()),
        Field::Dtype => Some(label::dtype(plan.dtype()).to_owned()),
        Field::Padding => Some(format!("{} {}", label::field(field), label::padding(scenario.padding))),
        Field::Overlap | Field::Load | Field::Drain => {
            Some(format!("{} {}", label::field(field), label::design(&scenario.text(field))))
        }
        Field::Chip => Some(plan.chip().name.to_owned()),
        Field::Fill => Some(label::fill(scenario.fill).to_owned()),
        Field::Seed | Field::Multiple | Field::Passes => {
            Some(format!("{} {}", label::field(field), scenario.text(field)))
        }
        // Matrices that are typed are too long for a name.
        Field::A | Field::B => None,
    }
}

/// What each of two runs is called: that in which they differ, or else their places.
#[must_use]
pub fn names(first: &Plan, second: &Plan) -> [String; 2] {
    let differ = |field: &Field| first.scenario().text(*field) != second.scenario().text(*field);
    let fields: Vec<Field> = Field::ALL.into_iter().filter(differ).collect();
    let name = |plan: &Plan, place: &str| {
        let mut parts: Vec<String> = fields.iter().filter_map(|&field| named(field, plan)).collect();
        parts.dedup();
        if parts.is_empty() { place.to_owned() } else { label::capitalized(&parts.join(" · ")) }
    };
    [name(first, "First run"), name(second, "Second run")]
}

/// Over a run's picture: its name and its moment.
#[must_use]
pub fn banner(name: &str, plan: &Plan, cycle: Cycle) -> String {
    format!("{name} · cycle {}", super::caption::clock(plan, cycle))
}

/// What the second run does otherwise: its cycles, its busy share, and the classes that changed most.
#[must_use]
pub fn difference(first: &Plan, second: &Plan) -> String {
    let [_, name] = names(first, second);
    let cycles = [first, second].map(|plan| plan.schedule().cycles().get());
    let noun = if cycles[1] == 1 { "cycle" } else { "cycles" };
    let takes = if cycles[0] == cycles[1] {
        format!("{} {noun} too", grouped(cycles[1]))
    } else {
        format!("{} {noun} instead of {}", grouped(cycles[1]), grouped(cycles[0]))
    };
    // In the digits of the accounts, which add up.
    let parts = [first, second].map(|plan| figures::parts(&plan.schedule().tally()));
    let pairs = parts[0].iter().zip(&parts[1]);
    let (useful, mut rest): (Vec<_>, Vec<_>) = pairs.partition(|(part, _)| part.slot == Slot::Useful);
    let busy = useful.first().map_or_else(String::new, |(before, now)| match (&before.percent, &now.percent) {
        (before, now) if before == now => format!("as busy: {now} %"),
        (before, now) => format!("{now} % busy instead of {before} %"),
    });
    rest.retain(|(before, now)| before.percent != now.percent);
    let changed = |(before, now): &(&Part, &Part)| (now.share - before.share).abs();
    rest.sort_by(|one, other| changed(other).total_cmp(&changed(one)));
    let class = |(before, now): &(&Part, &Part)| {
        format!("{} {} % instead of {} %", busy::class(now.slot), now.percent, before.percent)
    };
    let most: Vec<String> = rest.iter().take(2).map(class).collect();
    let most = if most.is_empty() { String::new() } else { format!(" Most changed: {}.", joined(&most, ", ")) };
    format!("{name} takes {takes} and is {busy}.{most}")
}

/// A measure of both runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is measured.
    pub name: String,
    /// The first run.
    pub first: String,
    /// The second run.
    pub second: String,
}

impl Row {
    /// Whether the runs differ in it.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.first != self.second
    }
}

/// The fields in which two runs differ, then the measures of both.
#[must_use]
pub fn rows(first: &Plan, second: &Plan) -> Vec<Row> {
    let matrices = |field: &Field| matches!(field, Field::A | Field::B);
    let fields = Field::ALL.into_iter().filter(|field| !matrices(field)).map(|field| Row {
        name: label::field(field).to_owned(),
        first: first.scenario().text(field),
        second: second.scenario().text(field),
    });
    let mut rows: Vec<Row> = fields.filter(Row::differs).collect();
    let cycles = |plan: &Plan| grouped(plan.schedule().cycles().get());
    rows.push(Row { name: "cycles".to_owned(), first: cycles(first), second: cycles(second) });
    // In the digits of the accounts, which add up.
    let [first_parts, second_parts] = [first, second].map(|plan| figures::parts(&plan.schedule().tally()));
    for (one, other) in first_parts.into_iter().zip(second_parts) {
        let name = label::slot(one.slot).to_owned();
        rows.push(Row { name, first: one.percent + " %", second: other.percent + " %" });
    }
    let (ours, theirs) = (figures::run_figures(first), figures::run_figures(second));
    // The share of useful PE-cycles is the utilization; it stands above already.
    for (first, second) in ours.into_iter().zip(theirs).filter(|(figure, _)| figure.id != "utilization") {
        rows.push(Row { name: first.name.to_owned(), first: first.value, second: second.value });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::compare::Other;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn pair(text: &str) -> (Plan, Plan) {
        let first = Plan::default();
        let second = Other::parse(text).plan(first.scenario()).expect("a run");
        (first, second)
    }

    #[test]
    fn the_table_has_what_differs_and_the_measures_of_both() {
        let (first, second) = pair("df=os&rows=8");
        let rows = rows(&first, &second);
        let row = |name: &str| rows.iter().find(|row| row.name == name).expect("the row");
        assert_eq!((row("cycles").first.as_str(), row("cycles").second.as_str()), ("16", "14"));
        assert_eq!((row("rows").first.as_str(), row("rows").second.as_str()), ("4", "8"));
        assert!(!rows.iter().any(|row| row.name == "cols"), "what is equal is not listed");
    }

    #[test]
    fn two_runs_are_called_by_what_they_differ_in() {
        let names_of = |text: &str| {
            let (first, second) = pair(text);
            names(&first, &second)
        };
        assert_eq!(names_of("df=os"), ["Weight-stationary", "Output-stationary"]);
        assert_eq!(names_of("rows=8&cols=8"), ["4×4 array", "8×8 array"], "two sides, one name");
        assert_eq!(names_of("dt=bf16&rows=8"), ["4×4 array · int8 → int32", "8×4 array · bf16 → f32"]);
        assert_eq!(names_of("df=ws"), ["First run", "Second run"]);
    }

    #[test]
    fn the_difference_says_what_the_table_of_measures_says() {
        let (first, second) = pair("df=os");
        let words = difference(&first, &second);
        assert_eq!(
            words,
            "Output-stationary takes 20 cycles instead of 16 and is 22.5 % busy instead of 28.1 %. Most changed: padding \
             43.7 % instead of 25.0 %, loading 0.0 % instead of 18.8 %."
        );
        let rows = rows(&first, &second);
        for row in rows.iter().filter(|row| ["cycles", "useful", "padding"].contains(&row.name.as_str())) {
            let (before, now) = (row.first.as_str(), row.second.as_str());
            assert!(words.contains(before) && words.contains(now), "{row:?} in {words}");
        }
        let (first, same) = pair("seed=8");
        assert_eq!(difference(&first, &same), "Seed 8 takes 16 cycles too and is as busy: 28.1 %.");
    }
}
