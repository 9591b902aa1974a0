//! Texts of the comparison of two runs: the names of the runs, and their differences.

use super::figures::{self, Part};
use super::{busy, label};
use display::number::{grouped, joined};
use studio::compare::{Clock, Other};
use studio::{Field, FieldValue, Plan};
use systolic::{Cycle, Slot};

/// Returns the text that a field adds to the name of a run, such as "8×8 array". The rows and columns of the array
/// share one text, and so do M, K and N. `None` if the field is a typed matrix.
fn named(field: Field, plan: &Plan) -> Option<String> {
    let (schedule, scenario) = (plan.schedule(), plan.scenario());
    let (array, gemm) = (schedule.array(), schedule.gemm());
    match field {
        Field::Rows | Field::Cols => Some(format!("{}×{} array", array.rows(), array.cols())),
        Field::M | Field::K | Field::N => Some(format!("{}×{}×{}", gemm.m(), gemm.k(), gemm.n())),
        Field::Dataflow => Some(label::dataflow(schedule.dataflow()).to_owned()),
        Field::Dtype => Some(label::dtype(plan.dtype()).to_owned()),
        Field::Padding => Some(format!("{} {}", label::field(field), label::padding(scenario.padding))),
        Field::Overlap => Some(format!("folds {}", label::design(&scenario.get(field)))),
        Field::Load | Field::Drain | Field::KTiles | Field::Feed | Field::Adder | Field::Out => {
            Some(format!("{} {}", label::field(field), label::design(&scenario.get(field))))
        }
        Field::Chip => Some(plan.chip().name.to_owned()),
        Field::Fill => Some(label::fill(scenario.fill).to_owned()),
        Field::Seed | Field::Multiple | Field::Passes | Field::Arrays | Field::Clock | Field::Price => {
            Some(format!("{} {}", label::field(field), scenario.text(field)))
        }
        // Typed matrices are too long for a name.
        Field::A | Field::B | Field::C => None,
    }
}

/// Returns the names of two runs, made from the fields in which they differ. If the runs differ in no such field, the
/// names are "First run" and "Second run".
#[must_use]
pub fn names(first: &Plan, second: &Plan) -> [String; 2] {
    let name = |run: &Plan, other: &Plan, place: &str| {
        differing(run, other).map_or_else(|| place.to_owned(), |name| label::capitalized(&name))
    };
    [name(first, second, "First run"), name(second, first, "Second run")]
}

/// Returns the settings of a run that differ from another run. `None` if the runs differ in no setting with a name.
pub(crate) fn differing(run: &Plan, other: &Plan) -> Option<String> {
    let differ = |field: &Field| run.scenario().get(*field) != other.scenario().get(*field);
    let mut parts: Vec<String> = Field::ALL.into_iter().filter(differ).filter_map(|field| named(field, run)).collect();
    parts.dedup();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// Returns the title above the picture of a run, with the run's name and number of cycles: `Weight-stationary · 16
/// cycles`.
#[must_use]
pub fn title(name: &str, plan: &Plan) -> String {
    let cycles = plan.schedule().cycles().get();
    format!("{name} · {} {}", grouped(cycles), if cycles == 1 { "cycle" } else { "cycles" })
}

/// Returns the text after the title of a run, which names the cycle that the picture shows, or the end of the run.
#[must_use]
pub fn moment(plan: &Plan, cycle: Cycle) -> String {
    if cycle == plan.last() { "done".to_owned() } else { format!("at cycle {}", grouped(cycle.get())) }
}

/// Returns a note if the second run has not reached its last cycle when the first run ends, else `None`. The page shows
/// the note below the menu that couples the cycles.
#[must_use]
pub fn goes_on(first: &Plan, other: &Other, second: &Plan) -> Option<String> {
    (other.cycle(first, first.last(), second) != second.last()).then(|| {
        format!(
            "The first run ends at cycle {}, and the second run ends at cycle {}. Choose “{}” to see both runs to the end.",
            grouped(first.last().get()),
            grouped(second.last().get()),
            super::bench::clock(Clock::Share)
        )
    })
}

/// Describes how the second run differs: its cycles, its utilization, and the two classes of PE-cycles that changed
/// most.
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
    // These percentages are rounded so that they add up.
    let parts = [first, second].map(|plan| figures::parts(&plan.schedule().tally()));
    let pairs = parts[0].iter().zip(&parts[1]);
    let (useful, mut rest): (Vec<_>, Vec<_>) = pairs.partition(|(part, _)| part.slot == Slot::Useful);
    let busy = useful.first().map_or_else(String::new, |(before, now)| match (&before.percent, &now.percent) {
        (before, now) if before == now => format!("still {now} %"),
        (before, now) => format!("{now} % instead of {before} %"),
    });
    rest.retain(|(before, now)| before.percent != now.percent);
    let changed = |(before, now): &(&Part, &Part)| (now.share - before.share).abs();
    rest.sort_by(|one, other| changed(other).total_cmp(&changed(one)));
    let class = |(before, now): &(&Part, &Part)| {
        format!("{} {} % instead of {} %", busy::class(now.slot), now.percent, before.percent)
    };
    let most: Vec<String> = rest.iter().take(2).map(class).collect();
    let most = if most.is_empty() { String::new() } else { format!(" Largest changes: {}.", joined(&most, ", ")) };
    format!("{name} takes {takes}; utilization is {busy}.{most}")
}

/// Position of a run in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// First run of a comparison.
    First,
    /// Second run of a comparison.
    Second,
}

/// A row of the comparison: one measure of both runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Name of the measure.
    pub name: String,
    /// Value of the first run.
    pub first: String,
    /// Value of the second run.
    pub second: String,
    /// The run with the better value, if one value is better.
    pub better: Option<Side>,
}

impl Row {
    /// True if the runs have different values.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.first != self.second
    }

    /// Returns the texts of the row's cells, with a check mark after the better value.
    #[must_use]
    pub fn cells(&self) -> [String; 3] {
        let value = |text: &String, side: Side| match self.better {
            Some(better) if better == side => format!("{text} {BETTER}"),
            _ => text.clone(),
        };
        [self.name.clone(), value(&self.first, Side::First), value(&self.second, Side::Second)]
    }
}

/// Check mark after the better value.
const BETTER: &str = "✓";
/// Note that explains the check mark and the choice of rows.
pub const BETTER_HINT: &str =
    "✓ marks the better value. Below the row “useful”, the table lists only rows with different values.";

/// Returns the run with the better number. `is_more` is true if a larger number is better. `None` if a number is
/// unknown, or if the numbers are equal.
fn better(numbers: [Option<f64>; 2], is_more: bool) -> Option<Side> {
    let [first, second] = numbers;
    let (first, second) = (first?, second?);
    match first.total_cmp(&second) {
        core::cmp::Ordering::Equal => None,
        order => Some(if order.is_gt() == is_more { Side::First } else { Side::Second }),
    }
}

/// Returns a figure as a number, with a flag that is true if a larger number is better. `None` if the number is
/// unknown, or if neither direction is better.
fn measure(id: &str, plan: &Plan) -> Option<(f64, bool)> {
    let array = plan.array_cost(&plan.schedule().tally()).ok();
    match id {
        "array-mfu" => return Some((array?.mfu, true)),
        "array-usd-per-1e18" => return Some((array?.usd_per_1e18?, false)),
        _ => {}
    }
    let on = plan.on_chip().ok()?;
    let usd = || plan.chip().default_price().and_then(|price| price.usd_per_chip_hour.value);
    match id {
        "mfu" => Some((on.mfu.ratio, true)),
        "time" => Some((on.time.total.0, false)),
        "usd-per-run" => Some((on.usd(usd()?), false)),
        "usd-per-useful-pflop-hour" | "usd-per-1e18" => Some((usd()? / (on.mfu.peak.0 * on.mfu.ratio), false)),
        _ => None,
    }
}

/// Returns the value of a field as the settings show it.
fn setting(plan: &Plan, field: Field) -> String {
    match plan.scenario().get(field) {
        FieldValue::Dataflow(dataflow) => label::dataflow(dataflow).to_owned(),
        FieldValue::Padding(padding) => label::padding(padding).to_owned(),
        FieldValue::Fill(fill) => label::fill(fill).to_owned(),
        FieldValue::Chip(_) => plan.chip().name.to_owned(),
        value @ (FieldValue::Overlap(_)
        | FieldValue::Load(_)
        | FieldValue::Drain(_)
        | FieldValue::KTiles(_)
        | FieldValue::Feed(_)) => label::design(&value).to_owned(),
        value => value.to_string(),
    }
}

/// Returns the rows of the comparison: the fields that differ, the cycles, the utilization, and other measures that
/// differ.
#[must_use]
pub fn rows(first: &Plan, second: &Plan) -> Vec<Row> {
    let matrices = |field: &Field| matches!(field, Field::A | Field::B | Field::C);
    let fields = Field::ALL.into_iter().filter(|field| !matrices(field)).map(|field| Row {
        name: label::field(field).to_owned(),
        first: setting(first, field),
        second: setting(second, field),
        better: None,
    });
    let mut rows: Vec<Row> = fields.filter(Row::differs).collect();
    let cycles = [first, second].map(|plan| plan.schedule().cycles());
    let [one, other] = cycles.map(|cycles| grouped(cycles.get()));
    let less = better(cycles.map(|cycles| Some(cycles.as_f64())), false);
    rows.push(Row { name: "cycles".to_owned(), first: one, second: other, better: less });
    // These percentages are rounded so that they add up.
    let [first_parts, second_parts] = [first, second].map(|plan| figures::parts(&plan.schedule().tally()));
    for (one, other) in first_parts.into_iter().zip(second_parts) {
        let is_useful = one.slot == Slot::Useful;
        let row = Row {
            name: busy::class(one.slot).to_owned(),
            // A smaller loss of one kind need not be better, because another loss can be larger.
            better: if is_useful { better([Some(one.share), Some(other.share)], true) } else { None },
            first: one.percent + " %",
            second: other.percent + " %",
        };
        if is_useful || row.differs() {
            rows.push(row);
        }
    }
    let (ours, theirs) = (figures::run_figures(first), figures::run_figures(second));
    // The row of useful PE-cycles already shows the utilization.
    for (one, other) in ours.into_iter().zip(theirs).filter(|(figure, _)| figure.id != "utilization") {
        let numbers = [first, second].map(|plan| measure(one.id, plan));
        let is_more = numbers[0].is_some_and(|(_, is_more)| is_more);
        let row = Row {
            name: one.name.to_owned(),
            first: one.value,
            second: other.value,
            better: better(numbers.map(|number| Some(number?.0)), is_more),
        };
        if row.differs() {
            rows.push(row);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(row("cycles").better, Some(Side::Second), "fewer are better");
        assert_eq!(row("useful").better, Some(Side::First), "72 of 256, not of 448");
        assert_eq!(row("rows").better, None);
        assert_eq!(row("cycles").cells(), ["cycles", "16", "14 ✓"].map(str::to_owned));
        assert!(
            !rows.iter().any(|row| row.name == "Time on the chip"),
            "the chip does not know the array of the stage"
        );
    }

    #[test]
    fn each_run_has_a_title_and_of_equal_runs_none_is_better() {
        let (first, second) = pair("df=os");
        let [one, other] = names(&first, &second);
        assert_eq!(title(&one, &first), "Weight-stationary · 16 cycles");
        assert_eq!(title(&other, &second), "Output-stationary · 20 cycles");
        let (first, same) = pair("seed=8");
        assert!(rows(&first, &same).iter().all(|row| row.better.is_none()));
        let (first, wide) = pair("dt=bf16");
        let time = |plan: &Plan| plan.on_chip().expect("known").time.total.0;
        let faster = if time(&wide) < time(&first) { Side::Second } else { Side::First };
        let rows = rows(&first, &wide);
        let row = rows.iter().find(|row| row.name == "Time on the chip");
        assert!(row.is_none_or(|row| row.better == Some(faster)), "{rows:?}");
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
    fn a_longer_second_run_says_how_its_end_is_seen() {
        let goes_on = |text: &str| {
            let (first, second) = pair(text);
            goes_on(&first, &Other::parse(text), &second)
        };
        let words = goes_on("df=os").expect("20 cycles beside 16");
        assert_eq!(
            words,
            "The first run ends at cycle 15, and the second run ends at cycle 19. Choose “same fraction of the run” to see both runs to the end."
        );
        assert_eq!(goes_on("df=os&clock=share"), None);
        assert_eq!(goes_on("m=2"), None, "a shorter one waits at its end");
    }

    #[test]
    fn the_difference_says_what_the_table_of_measures_says() {
        let (first, second) = pair("df=os");
        let words = difference(&first, &second);
        assert_eq!(
            words,
            "Output-stationary takes 20 cycles instead of 16; utilization is 22.5 % instead of 28.1 %. Largest changes: padding \
             43.8 % instead of 25.0 %, loading 0.0 % instead of 18.8 %."
        );
        let rows = rows(&first, &second);
        for row in rows.iter().filter(|row| ["cycles", "useful", "padding"].contains(&row.name.as_str())) {
            let (before, now) = (row.first.as_str(), row.second.as_str());
            assert!(words.contains(before) && words.contains(now), "{row:?} in {words}");
        }
        let (first, same) = pair("seed=8");
        assert_eq!(difference(&first, &same), "Seed 8 takes 16 cycles too; utilization is still 28.1 %.");
    }
}
