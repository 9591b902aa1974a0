//! The values that the run of a model gives to the questions about sequences and failures: its chips, price and step.

use crate::failures::OF_BILL;
use crate::{Answered, CostInput, CostInputs, Entry, FailuresQuery, LengthsQuery, ModelAnswer, Query};
use workload::PassKind;

/// Number of steps in the default epoch of a run.
const STEPS: f64 = 128.0;

impl Query {
    /// Returns the query of another topic with defaults from the run of a model. A link without a model keeps its own
    /// defaults, because links are stable.
    #[must_use]
    pub fn of_run(self, run: &Answered) -> Self {
        let states_run = run.file().is_some() || run.query().entries().states_run();
        if states_run || self.entries().is_empty() { self.with_run(run) } else { self }
    }

    /// Returns the query of another topic with defaults from the run of a model.
    #[must_use]
    pub fn with_run(self, run: &Answered) -> Self {
        let (Some(model), Ok(answer)) = (run.model_query(), run.model()) else { return self };
        let inputs = &model.cost_inputs;
        match self {
            Self::Model(_) => self,
            Self::Lengths(query) => {
                let entries = query.entries.with_run(of_lengths(answer, inputs));
                Self::Lengths(Box::new(LengthsQuery::new(entries)))
            }
            Self::Failures(query) => {
                let entries = query.entries.with_run(of_failures(answer, inputs));
                Self::Failures(Box::new(FailuresQuery::new(entries)))
            }
        }
    }
}

/// Returns the chips of a run, its price, the rows and the time of its step. Nothing if a step is not a batch of
/// sequences.
fn of_lengths(answer: &ModelAnswer, inputs: &CostInputs) -> Vec<(Entry, f64)> {
    let question = &answer.estimate.question;
    let (rows, row) = (question.users() as f64, question.seq as f64);
    if question.pass == PassKind::Decode || answer.estimate.tokens != Some(rows * row) {
        return Vec::new();
    }
    let usual = |entry: Entry| entry.number().map(|range| range.usual);
    // The default distribution keeps its shape.
    let median = usual(Entry::Median).zip(usual(Entry::Longest)).map(|(median, longest)| median * row / longest);
    let most = Entry::Count.number().map_or(STEPS, |range| range.max);
    let values = [
        (Entry::RunChips, Some(question.chips as f64)),
        (Entry::RunUsd, question.usd_per_chip_hour()),
        (Entry::LongestStep, Some(answer.step().0)),
        (Entry::Rows, Some(rows)),
        (Entry::Longest, Some(row)),
        (Entry::Median, median),
        (Entry::Count, Some((STEPS * rows).min(most))),
        (Entry::CompileTime, inputs.explicit(CostInput::Compile)),
    ];
    values.into_iter().filter_map(|(entry, value)| Some((entry, value?))).collect()
}

/// Returns the chips of a run, its price, its time if the run has an end, and its inputs of the bill.
fn of_failures(answer: &ModelAnswer, inputs: &CostInputs) -> Vec<(Entry, f64)> {
    let (question, cost) = (&answer.estimate.question, answer.billed());
    let values = [
        (Entry::RunChips, Some(question.chips as f64)),
        (Entry::RunUsd, question.usd_per_chip_hour()),
        (Entry::Hours, (!cost.is_day).then(|| cost.time.hours())),
    ];
    let inputs = OF_BILL.map(|input| (Entry::Cost(input), inputs.explicit(input)));
    values.into_iter().chain(inputs).filter_map(|(entry, value)| Some((entry, value?))).collect()
}
