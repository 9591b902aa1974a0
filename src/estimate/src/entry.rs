//! The entries of the estimate: one table that links, forms, messages and the command line share.

use crate::CostInput;
use crate::custom::CustomEntry;

/// What can be estimated. Each topic has one parameter in a link, which holds its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// What a model takes on chips.
    Model,
    /// What padding and compiling cost for sequences of many lengths.
    Lengths,
    /// What failures cost a long run, and its bill.
    Failures,
}

/// Something that can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// The model by its name.
    Model,
    /// Rows of a single product.
    M,
    /// Depth of a single product.
    K,
    /// Columns of a single product.
    N,
    /// The chip by its id.
    Chip,
    /// All values set over the published ones of the chip, as one text.
    Own,
    /// Format of the operands.
    Dtype,
    /// Passes of bf16 in which a TPU multiplies f32.
    Passes,
    /// Chips that run one program together.
    Chips,
    /// The pass.
    Pass,
    /// Tokens of a sequence.
    Seq,
    /// Sequences on each chip.
    Batch,
    /// What the backward pass computes again.
    Remat,
    /// How attention is counted.
    Attention,
    /// How the model is spread over chips.
    Split,
    /// Percent of exchange that hides behind arithmetic.
    Overlap,
    /// The listed price.
    Price,
    /// A price of one's own.
    Usd,
    /// Tokens of the run.
    Tokens,
    /// The chip beside the first.
    Versus,
    /// A third chip.
    Third,
    /// A fourth chip.
    Fourth,
    /// Settings in which the run beside the first differs, as one text.
    Than,
    /// What somebody measured of the run.
    Measured,
    /// What somebody claims of the run, against the one beside it.
    Claim,
    /// One value set over the published one of the chip: a piece of [`Entry::Own`].
    Custom(CustomEntry),
    /// An input of the bill.
    Cost(CostInput),
    /// What the plot of MFU counts.
    Axis,
    /// Where lengths come from.
    Mix,
    /// Median of log-normal lengths, tokens.
    Median,
    /// Standard deviation of their logarithm.
    Sigma,
    /// Shortest length, tokens.
    Shortest,
    /// Longest length, tokens.
    Longest,
    /// Lengths as a list.
    OwnLengths,
    /// Sequences of an epoch.
    Count,
    /// Rows of a batch.
    Rows,
    /// How sequences are laid out.
    Way,
    /// What lengths are rounded up to a multiple of, tokens.
    Multiple,
    /// Seconds to compile one shape.
    CompileTime,
    /// Seconds of the longest step.
    LongestStep,
    /// Epochs.
    Epochs,
    /// Chips of a long run.
    RunChips,
    /// Hours of useful work.
    Hours,
    /// Dollars for a chip and an hour of a long run.
    RunUsd,
    /// Percent of the time spent compiling.
    Compiling,
    /// Dollars for an engineer and an hour.
    EngineerUsd,
}

impl Topic {
    /// All of them, in the order of the page.
    pub const ALL: [Self; 3] = [Self::Model, Self::Lengths, Self::Failures];

    /// The parameter of a link that holds its entries.
    #[must_use]
    pub const fn parameter(self) -> &'static str {
        match self {
            Self::Model => "ask",
            Self::Lengths => "lengths",
            Self::Failures => "failures",
        }
    }

    /// Its entries, in the order of the form.
    #[must_use]
    pub fn entries(self) -> Vec<Entry> {
        match self {
            Self::Model => {
                let before = Entry::OF_A_MODEL.into_iter().chain([Entry::Versus, Entry::Third, Entry::Fourth]);
                let runs = [Entry::Measured, Entry::Than, Entry::Claim];
                let custom = CustomEntry::ALL.into_iter().map(Entry::Custom);
                let cost = CostInput::ALL.into_iter().map(Entry::Cost);
                before.chain(runs).chain(custom).chain(cost).chain([Entry::Axis]).collect()
            }
            Self::Lengths => Entry::OF_LENGTHS.to_vec(),
            Self::Failures => Entry::OF_FAILURES.to_vec(),
        }
    }

    /// The entry of this name, if the topic has one.
    #[must_use]
    pub fn entry(self, id: &str) -> Option<Entry> {
        self.entries().into_iter().find(|entry| entry.id() == id)
    }
}

impl Entry {
    const OF_A_MODEL: [Self; 19] = [
        Self::Model,
        Self::M,
        Self::K,
        Self::N,
        Self::Chip,
        Self::Own,
        Self::Dtype,
        Self::Passes,
        Self::Chips,
        Self::Pass,
        Self::Seq,
        Self::Batch,
        Self::Remat,
        Self::Attention,
        Self::Split,
        Self::Overlap,
        Self::Price,
        Self::Usd,
        Self::Tokens,
    ];

    const OF_LENGTHS: [Self; 13] = [
        Self::Mix,
        Self::Median,
        Self::Sigma,
        Self::Shortest,
        Self::Longest,
        Self::OwnLengths,
        Self::Count,
        Self::Rows,
        Self::Way,
        Self::Multiple,
        Self::CompileTime,
        Self::LongestStep,
        Self::Epochs,
    ];

    const OF_FAILURES: [Self; 11] = [
        Self::RunChips,
        Self::Cost(CostInput::Mtbf),
        Self::Cost(CostInput::Save),
        Self::Cost(CostInput::Restart),
        Self::Cost(CostInput::Interval),
        Self::Hours,
        Self::RunUsd,
        Self::Compiling,
        Self::Cost(CostInput::Egress),
        Self::Cost(CostInput::Weeks),
        Self::EngineerUsd,
    ];

    /// The name in a link and on the command line.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::M => "m",
            Self::K => "k",
            Self::N => "n",
            Self::Chip => "chip",
            Self::Own | Self::OwnLengths => "own",
            Self::Dtype => "dtype",
            Self::Passes => "passes",
            Self::Chips | Self::RunChips => "chips",
            Self::Pass => "pass",
            Self::Seq => "seq",
            Self::Batch => "batch",
            Self::Remat => "remat",
            Self::Attention => "attention",
            Self::Split => "split",
            Self::Overlap => "overlap",
            Self::Price => "price",
            Self::Usd | Self::RunUsd => "usd",
            Self::Tokens => "tokens",
            Self::Versus => "versus",
            Self::Third => "third",
            Self::Fourth => "fourth",
            Self::Than => "than",
            Self::Measured => "measured",
            Self::Claim => "claim",
            Self::Custom(entry) => entry.id(),
            Self::Cost(input) => input.id(),
            Self::Axis => "axis",
            Self::Mix => "mix",
            Self::Median => "median",
            Self::Sigma => "sigma",
            Self::Shortest => "shortest",
            Self::Longest => "longest",
            Self::Count => "count",
            Self::Rows => "rows",
            Self::Way => "way",
            Self::Multiple => "multiple",
            Self::CompileTime => "compile",
            Self::LongestStep => "step",
            Self::Epochs => "epochs",
            Self::Hours => "hours",
            Self::Compiling => "compiling",
            Self::EngineerUsd => "rate",
        }
    }

    /// The entries of a model that are options of the command line.
    pub fn options() -> impl Iterator<Item = Self> {
        // A product, further chips and a plot have commands of their own.
        let is_option = |entry: &Self| {
            let of_a_product = matches!(entry, Self::M | Self::K | Self::N);
            !of_a_product && !matches!(entry, Self::Custom(_) | Self::Axis | Self::Third | Self::Fourth)
        };
        Topic::Model.entries().into_iter().filter(is_option)
    }

    /// The range of a number that the lengths or the failures take; `None` for an entry of another kind.
    #[must_use]
    pub fn number(self) -> Option<NumberRange> {
        let number = |usual, min, max, is_whole| Some(NumberRange { usual, min, max, is_whole });
        match self {
            Self::Cost(input) => input.number(),
            Self::Median => number(96.0, 1.0, 1e6, false),
            Self::Sigma => number(0.8, 0.0, 5.0, false),
            Self::Shortest => number(1.0, 1.0, 1_048_576.0, true),
            Self::Longest => number(512.0, 1.0, 1_048_576.0, true),
            Self::Count => number(4096.0, 1.0, 1e5, true),
            Self::Rows => number(32.0, 1.0, 4096.0, true),
            Self::Multiple => number(128.0, 1.0, 1_048_576.0, true),
            Self::CompileTime => number(60.0, 0.0, 86_400.0, false),
            Self::LongestStep => number(0.5, 1e-6, 86_400.0, false),
            Self::Epochs => number(10.0, 1.0, 1e6, true),
            Self::RunChips => number(1024.0, 1.0, 1e7, true),
            Self::Hours => number(720.0, 0.001, 1e7, false),
            Self::RunUsd => number(self.published()?.value?, 0.0, 1e6, false),
            Self::Compiling => number(self.published()?.value?, 0.0, 1e4, false),
            Self::EngineerUsd => number(self.published()?.value?, 0.0, 1e5, false),
            _ => None,
        }
    }

    /// Where the default comes from, if it has a source.
    #[must_use]
    pub const fn published(self) -> Option<&'static perfmodel::Sourced<f64>> {
        use perfmodel::run_inputs;
        match self {
            Self::Cost(CostInput::Mtbf) => Some(&run_inputs::CHIP_MTBF_HOURS),
            Self::Cost(CostInput::Save) => Some(&run_inputs::SAVE_SECONDS),
            Self::Cost(CostInput::Restart) => Some(&run_inputs::RESTART_SECONDS),
            Self::Cost(CostInput::Compile) => Some(&run_inputs::COMPILE_SECONDS),
            Self::RunUsd => Some(&run_inputs::USD_PER_CHIP_HOUR),
            Self::Compiling => Some(&run_inputs::COMPILING_PERCENT),
            Self::EngineerUsd => Some(&run_inputs::ENGINEER_USD_PER_HOUR),
            _ => None,
        }
    }
}

/// The range of a number, in the entry's own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    /// What counts unless it is set.
    pub usual: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// Whether fractions are refused.
    pub is_whole: bool,
}

impl NumberRange {
    /// The number that a text writes, if it is in the range. Underscores may group digits: `1_000`.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<f64> {
        let in_range = |value: &f64| (self.min..=self.max).contains(value);
        let value = display::number::read(&text.trim().replace('_', "")).filter(in_range)?;
        (!self.is_whole || value.fract() == 0.0).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn within_a_topic_every_name_is_that_of_one_entry() {
        for topic in Topic::ALL {
            for entry in topic.entries() {
                assert_eq!(topic.entry(entry.id()), Some(entry), "{topic:?}");
            }
        }
        assert_eq!(Topic::Model.entry("zebra"), None);
    }
}
