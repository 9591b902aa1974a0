//! A second run next to the first, with coupled clocks.
//!
//! A link describes the second run in one parameter, e.g. `cmp=df=os&rows=8&clock=share`. The parameter has the fields
//! in which the second run differs from the first, and the coupling of the two clocks.

use crate::tools::ToolProblem;
use crate::unknown::Part;
use crate::{Field, Notice, Plan, Problem, Scenario, Tool, Unknown};
use systolic::{Cycle, Cycles, Dataflow, Schedule};

systolic::named! {
    /// Coupling of the second run's clock to the first run's clock.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    exact pub enum Clock {
        /// The two runs are at the same cycle; the shorter run waits at its end.
        #[default]
        Cycle => "cycle",
        /// The two runs have completed equal shares of their cycles.
        Share => "share",
    }
}

/// The second run, described by its differences from the first run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Other {
    /// Fields in which the second run differs, each with its text.
    pub changes: Vec<(Field, String)>,
    /// Parts of the parameter that belong to no field. The next link keeps these parts.
    pub unknown: Unknown,
    /// Coupling of the two clocks.
    pub clock: Clock,
}

impl Other {
    /// Reads the parameter. Never fails: the next link keeps the parts that belong to no field.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut other = Self::default();
        for (name, value) in form_urlencoded::parse(text.as_bytes()) {
            match Field::from_id(&name) {
                Some(field) => other.set(field, &value),
                None if name == "clock" && value == Clock::Share.id() => other.clock = Clock::Share,
                None if name == "clock" && value == Clock::Cycle.id() => other.clock = Clock::Cycle,
                None => _ = other.unknown.push(Part::Query, &name, &value),
            }
        }
        other
    }

    /// Returns the text of the parameter.
    #[must_use]
    pub fn to_text(&self) -> String {
        let fields = self.changes.iter().map(|(field, value)| (field.id(), value.as_str()));
        // A second run without differences also needs a text, so that it counts as a second run. This text is the
        // clock.
        let says_clock = *self == Self::default() || self.clock != Clock::default();
        let clock = says_clock.then_some(("clock", self.clock.id()));
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(fields.chain(self.unknown.of(Part::Query)).chain(clock))
            .finish()
    }

    /// Sets a field of the second run. With an empty text, the field has the value of the first run again.
    pub fn set(&mut self, field: Field, text: &str) {
        self.changes.retain(|(changed, _)| *changed != field);
        if !text.is_empty() {
            self.changes.push((field, text.to_owned()));
        }
    }

    /// Returns a notice for each part of the parameter that cannot be used, whatever the first run is.
    pub fn notices(&self) -> impl Iterator<Item = Notice> {
        let parts = self.unknown.of(Part::Query).map(|(name, value)| {
            let given = if value.is_empty() { plain::cut(name) } else { plain::cut(&format!("{name}={value}")) };
            Notice::Tool(ToolProblem { tool: Tool::Compare, given })
        });
        let misread = |(field, text): &(Field, String)| field.read(text).err();
        parts.chain(self.changes.iter().filter_map(misread).map(Notice::Second))
    }

    /// Plans the second run.
    ///
    /// # Errors
    /// Returns all problems at once, each with its field, its text and what is allowed.
    pub fn plan(&self, first: &Scenario) -> Result<Plan, Vec<Problem>> {
        let mut scenario = first.clone();
        let problems: Vec<Problem> =
            self.changes.iter().filter_map(|(field, text)| scenario.set_text(*field, text).err()).collect();
        if problems.is_empty() { Plan::new(&scenario) } else { Err(problems) }
    }

    /// Returns the cycle of the second run when the first run is at `cycle`.
    #[must_use]
    pub fn cycle(&self, first: &Plan, cycle: Cycle, second: &Plan) -> Cycle {
        match self.clock {
            Clock::Cycle => cycle.min(second.last()),
            Clock::Share => {
                let last = u128::from(first.last().get()).max(1);
                let here = u128::from(cycle.get()) * u128::from(second.last().get());
                // The cycle is rounded to the nearest whole cycle, so that both ends meet.
                Cycle(u64::try_from((here + last / 2) / last).unwrap_or(u64::MAX)).min(second.last())
            }
        }
    }
}

/// Returns the plan of the same matmul on the same array with each dataflow, in the order of [`Dataflow::ALL`]. `None`
/// for a dataflow with which the array cannot run the matmul.
#[must_use]
pub fn in_each_dataflow(plan: &Plan) -> [Option<Plan>; 3] {
    Dataflow::ALL.map(|dataflow| Plan::new(&Scenario { dataflow, ..plan.scenario().clone() }).ok())
}

/// The dataflow that needs the fewest cycles, with the reason that the counts show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fewest {
    /// Several dataflows need this number of cycles.
    Several(Cycles),
    /// This dataflow has fewer folds than the others, which have at least `others`.
    Folds {
        /// Dataflow with the fewest cycles.
        dataflow: Dataflow,
        /// Number of its folds.
        folds: u64,
        /// Fewest folds of the other dataflows.
        others: u64,
    },
    /// Only this dataflow loads nothing.
    NoLoad(Dataflow),
    /// This dataflow, and the counts show no reason.
    Other(Dataflow),
}

impl Fewest {
    /// Compares the plans of one matmul on one array. Ignores dataflows without a plan.
    #[must_use]
    pub fn of(plans: &[Option<Plan>; 3]) -> Self {
        let runs = || plans.iter().flatten().map(Plan::schedule);
        let least = runs().map(|run| run.cycles()).min().unwrap_or(Cycles(0));
        let (best, others): (Vec<&Schedule>, Vec<&Schedule>) = runs().partition(|run| run.cycles() == least);
        let [best] = best[..] else { return Self::Several(least) };
        let (dataflow, folds) = (best.dataflow(), best.folds());
        match others.iter().map(|run| run.folds()).min() {
            Some(others) if folds < others => Self::Folds { dataflow, folds, others },
            _ if best.load_cycles().get() == 0 && others.iter().all(|run| run.load_cycles().get() > 0) => {
                Self::NoLoad(dataflow)
            }
            _ => Self::Other(dataflow),
        }
    }
}

/// Returns the widths of the two timelines, in percent of the available width. Both timelines use the same scale if the
/// runs are at the same cycle ([`Clock::Cycle`]) and the shorter timeline is readable. Otherwise both timelines have
/// the full width.
#[must_use]
pub fn widths(first: &Plan, second: &Plan, clock: Clock) -> (u64, u64) {
    const LEAST: u64 = 20;
    let [one, other] = [first, second].map(|plan| u128::from(plan.schedule().cycles().get()));
    let percent = |cycles: u128| u64::try_from(cycles * 100 / one.max(other).max(1)).unwrap_or(100);
    let widths = (percent(one), percent(other));
    if clock == Clock::Share || widths.0.min(widths.1) < LEAST { (100, 100) } else { widths }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_second_run_differs_in_the_fields_that_are_named() {
        let first = Plan::default();
        let other = Other::parse("df=os&rows=8&zebra=1");
        let second = other.plan(first.scenario()).expect("a run");
        assert_eq!((second.scenario().rows, second.scenario().cols), (8, 4));
        assert_eq!(second.scenario().dataflow, Dataflow::OutputStationary);
        assert_eq!(Other::parse(&other.to_text()), other, "{}", other.to_text());
    }

    #[test]
    fn timelines_have_one_scale_until_the_shorter_one_cannot_be_read() {
        let first = Plan::default();
        let widths_of = |text: &str, clock| {
            let second = Other::parse(text).plan(first.scenario()).expect("a run");
            widths(&first, &second, clock)
        };
        // The runs take 16 and 20 cycles.
        assert_eq!(widths_of("df=os", Clock::Cycle), (80, 100));
        assert_eq!(widths_of("df=os", Clock::Share), (100, 100));
        assert_eq!(widths_of("m=4096", Clock::Cycle), (100, 100));
    }

    #[test]
    fn what_cannot_run_is_named() {
        let problems = Other::parse("rows=0&dt=fp7").plan(&Scenario::default()).expect_err("two problems");
        assert_eq!(problems.iter().map(|problem| problem.field).collect::<Vec<_>>(), [Field::Rows, Field::Dtype]);
    }

    #[test]
    fn clocks_meet_at_both_ends() {
        let first = Plan::default();
        for text in ["df=os", "m=64", "rows=1&cols=1", "m=65536&k=65536&n=65536"] {
            let mut other = Other::parse(text);
            let second = other.plan(first.scenario()).expect("a run");
            for clock in Clock::ALL {
                other.clock = clock;
                let at = |cycle: Cycle| other.cycle(&first, cycle, &second);
                assert_eq!(at(Cycle(0)), Cycle(0), "{text}");
                let cycles: Vec<Cycle> = (0..=first.last().get()).map(|cycle| at(Cycle(cycle))).collect();
                assert!(cycles.is_sorted(), "{text}: {cycles:?}");
                if clock == Clock::Share {
                    assert_eq!(at(first.last()), second.last(), "{text}");
                } else {
                    assert_eq!(at(Cycle(3)), Cycle(3).min(second.last()), "{text}");
                }
            }
        }
    }

    #[test]
    fn absurd_texts_are_read_without_harm() {
        for text in ["", "&&&", "=", "%ff%%", "df", "rows=99999999999999999999", "clock=soon", "cmp=cmp=cmp"] {
            let other = Other::parse(text);
            assert_eq!(Other::parse(&other.to_text()), other, "{text:?}");
            assert!(!other.to_text().is_empty(), "{text:?}: a link has the second run");
            let _ = other.plan(&Scenario::default());
        }
    }
}
