//! The entries (inputs) of an estimate, defined once for links, forms, messages and the command line.

use crate::CostInput;
use crate::columns::Column;
use crate::custom::CustomEntry;

/// A topic of estimates. Each topic has one link parameter that contains its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Time, MFU and cost of a model on chips.
    Model,
    /// Cost of padding and compiling for sequences of many lengths.
    Lengths,
    /// Cost of failures in a long run, and the bill of the run.
    Failures,
}

/// A value that a link, form or option can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// Name of the model.
    Model,
    /// Rows (M) of a single matmul.
    M,
    /// Depth (K) of a single matmul.
    K,
    /// Columns (N) of a single matmul.
    N,
    /// Id of the chip.
    Chip,
    /// All custom values of the chip, as one text.
    Own,
    /// Format of the operands.
    Dtype,
    /// Number of bf16 passes that a TPU uses to multiply f32.
    Passes,
    /// Number of chips that run one program together.
    Chips,
    /// The pass of the model: training, prefill or decode.
    Pass,
    /// Tokens of a sequence.
    Seq,
    /// Lengths of sequences that are packed into one.
    Packed,
    /// Way to decode with latent attention.
    Latent,
    /// Sequences on each chip.
    Batch,
    /// Tokens per second that each user of decode needs.
    Rate,
    /// Rematerialization in the backward pass.
    Remat,
    /// Training framework.
    Framework,
    /// Convention for counting the FLOPs of attention.
    Attention,
    /// Kind of parallelism over the chips.
    Split,
    /// Sizes of the groups of chips that split the model, as one text.
    Groups,
    /// Network between nodes of GPUs.
    Network,
    /// Overlap of arithmetic and communication, in percent of the shorter of the two times.
    Overlap,
    /// A listed price of the chip.
    Price,
    /// A custom price.
    Usd,
    /// Number of tokens in the whole run.
    Tokens,
    /// The second chip, which is compared with the first.
    Versus,
    /// The third chip.
    Third,
    /// The fourth chip.
    Fourth,
    /// Number of chips in a further column; empty for the number in the first column.
    ChipsOf(Column),
    /// Custom price of the chips in a further column.
    UsdOf(Column),
    /// Settings of the second run that differ from the first run, as one text.
    Than,
    /// A measurement of the run.
    Measured,
    /// Other runs of the user, which determine the speed of the user's software.
    Runs,
    /// A claim about the run, compared with the second run.
    Claim,
    /// One custom value of the chip, which is one piece of the text of [`Entry::Own`].
    Custom(CustomEntry),
    /// An input of the bill.
    Cost(CostInput),
    /// Convention of MFU that the plot uses.
    Axis,
    /// Quantity along which the curves run.
    Curve,
    /// View of the model estimates.
    View,
    /// Source of the sequence lengths: a distribution or a custom list.
    Mix,
    /// Median of the sequence lengths in tokens, for a log-normal distribution.
    Median,
    /// Standard deviation of the logarithm of the sequence length, for a log-normal distribution.
    Sigma,
    /// Shortest sequence length, in tokens.
    Shortest,
    /// Longest sequence length, in tokens.
    Longest,
    /// Custom list of sequence lengths, in tokens.
    OwnLengths,
    /// Number of sequences in an epoch.
    Count,
    /// Number of rows in a batch.
    Rows,
    /// Method of padding or packing sequences into the rows of a batch.
    Way,
    /// Number of tokens; row lengths are rounded up to a multiple of this number.
    Multiple,
    /// Seconds to compile the program for one shape.
    CompileTime,
    /// Time of a step with the longest rows, in seconds.
    LongestStep,
    /// Number of epochs.
    Epochs,
    /// Number of chips in a long run.
    RunChips,
    /// Hours of useful work.
    Hours,
    /// Dollars per chip-hour of a long run.
    RunUsd,
    /// Time spent compiling, as a percentage of the time of useful work.
    Compiling,
    /// Dollars per engineer-hour.
    EngineerUsd,
}

impl Topic {
    /// All topics, in the order of the page.
    pub const ALL: [Self; 3] = [Self::Model, Self::Lengths, Self::Failures];

    /// Returns the link parameter that contains the topic's entries.
    #[must_use]
    pub const fn parameter(self) -> &'static str {
        match self {
            Self::Model => "ask",
            Self::Lengths => "lengths",
            Self::Failures => "failures",
        }
    }

    /// Returns the topic's entries, in the order of the form.
    #[must_use]
    pub fn entries(self) -> Vec<Entry> {
        match self {
            Self::Model => {
                let before = Entry::OF_A_MODEL.into_iter().chain(Column::ALL.into_iter().flat_map(Column::entries));
                let runs = [Entry::Measured, Entry::Runs, Entry::Than, Entry::Claim];
                let custom = CustomEntry::ALL.into_iter().map(Entry::Custom);
                let cost = CostInput::ALL.into_iter().map(Entry::Cost);
                before.chain(runs).chain(custom).chain(cost).chain([Entry::Axis, Entry::Curve, Entry::View]).collect()
            }
            Self::Lengths => Entry::OF_LENGTHS.to_vec(),
            Self::Failures => Entry::OF_FAILURES.to_vec(),
        }
    }

    /// Returns the entry with this name, if the topic has one.
    #[must_use]
    pub fn entry(self, id: &str) -> Option<Entry> {
        self.entries().into_iter().find(|entry| entry.id() == id)
    }
}

impl Entry {
    const OF_A_MODEL: [Self; 25] = [
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
        Self::Packed,
        Self::Latent,
        Self::Batch,
        Self::Rate,
        Self::Remat,
        Self::Framework,
        Self::Attention,
        Self::Split,
        Self::Groups,
        Self::Network,
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

    /// Returns the entry's name in a link and on the command line.
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
            Self::Packed => "packed",
            Self::Latent => "latent",
            Self::Batch => "batch",
            Self::Rate | Self::EngineerUsd => "rate",
            Self::Remat => "remat",
            Self::Framework => "framework",
            Self::Attention => "attention",
            Self::Split => "split",
            Self::Groups => "groups",
            Self::Network => "network",
            Self::Overlap => "overlap",
            Self::Price => "price",
            Self::Usd | Self::RunUsd => "usd",
            Self::Tokens => "tokens",
            Self::Versus => "versus",
            Self::Third => "third",
            Self::Fourth => "fourth",
            Self::ChipsOf(column) => column.chips_id(),
            Self::UsdOf(column) => column.usd_id(),
            Self::Than => "than",
            Self::Measured => "measured",
            Self::Runs => "runs",
            Self::Claim => "claim",
            Self::Custom(entry) => entry.id(),
            Self::Cost(input) => input.id(),
            Self::Axis => "axis",
            Self::Curve => "curve",
            Self::View => "view",
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
        }
    }

    /// Iterates over the entries of [`Topic::Model`] that are options of the command line.
    pub fn options() -> impl Iterator<Item = Self> {
        // Matmuls, further chips and plots have separate commands.
        let is_option = |entry: &Self| {
            let of_a_product = matches!(entry, Self::M | Self::K | Self::N);
            let of_a_column = matches!(entry, Self::Third | Self::Fourth | Self::ChipsOf(_) | Self::UsdOf(_));
            !of_a_product && !of_a_column && !matches!(entry, Self::Custom(_) | Self::Axis | Self::Curve | Self::View)
        };
        Topic::Model.entries().into_iter().filter(is_option)
    }

    /// Returns the range of a numeric entry of [`Topic::Lengths`] or [`Topic::Failures`]; `None` for any other entry.
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
            Self::Rows => number(32.0, 1.0, 1e5, true),
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

    /// Returns the entry's default with its source; `None` if no source states the default.
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

/// The range and the default of a number, in the entry's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberRange {
    /// The default value.
    pub usual: f64,
    /// Smallest allowed value.
    pub min: f64,
    /// Largest allowed value.
    pub max: f64,
    /// True if the number must be whole.
    pub is_whole: bool,
}

impl NumberRange {
    /// Smallest number above zero. A smaller number is a typing error, and a ratio with it may not be a finite number.
    const SMALLEST: f64 = 1e-6;

    /// Reads a number from text, if it is in the range. Underscores may group digits: `1_000`.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<f64> {
        display::number::read(&text.trim().replace('_', "")).filter(|value| self.has(*value))
    }

    /// True for a number in the range.
    #[must_use]
    pub fn has(&self, value: f64) -> bool {
        let is_in_range = (self.min..=self.max).contains(&value) && (value == 0.0 || value.abs() >= Self::SMALLEST);
        is_in_range && (!self.is_whole || value.fract() == 0.0)
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
