//! Names of entries and of their choices.

use estimate::custom::CustomEntry;
use estimate::lengths::{Mix, Way};
use estimate::{CostInput, Entry, Topic, View};
use perfmodel::{Attention, CustomValue, Framework, PeakDtype, Remat, Sharding};
use workload::PassKind;

/// Returns the name of a topic on the page.
#[must_use]
pub const fn topic(topic: Topic) -> &'static str {
    match topic {
        Topic::Model => "Real models",
        Topic::Lengths => "Sequences in static shapes",
        Topic::Failures => "Failures and cost",
    }
}

/// Name of the choice of a view.
pub const VIEWS: &str = "View";

/// Returns the name of a view of the model estimates.
#[must_use]
pub const fn view_name(view: View) -> &'static str {
    match view {
        View::Comparison => "Comparison",
        View::Bill => "Bill",
        View::Sequences => "Sequences",
        View::Failures => "Failures",
    }
}

/// Returns the name of an entry on the page.
#[must_use]
pub const fn name(entry: Entry) -> &'static str {
    match entry {
        Entry::Model => "model",
        Entry::M => "M (rows of A)",
        Entry::K => "K (columns of A)",
        Entry::N => "N (columns of B)",
        Entry::Chip => "chip",
        Entry::Own => "chip values",
        Entry::Dtype => "format",
        Entry::Passes => "f32 on a TPU",
        Entry::Chips | Entry::RunChips | Entry::ChipsOf(_) => "chips",
        Entry::Pass => "workload",
        Entry::Seq => "tokens per sequence",
        Entry::Batch => "sequences per chip",
        Entry::Rate => "tokens/s per user",
        Entry::Remat => "activation recomputation",
        Entry::Framework => "framework",
        Entry::Attention => "count attention FLOPs as",
        Entry::Packed => "lengths of packed sequences",
        Entry::Latent => "latent attention",
        Entry::Split => "parallelism",
        Entry::Groups => "groups of chips",
        Entry::Network => "network between nodes",
        Entry::Overlap => "overlap (%)",
        Entry::Price => "price",
        Entry::Usd | Entry::UsdOf(_) => "$ per chip-hour",
        Entry::Tokens => "total tokens",
        Entry::Versus => "compare with",
        Entry::Third | Entry::Fourth => "and with",
        Entry::Measured => "measured run",
        Entry::Runs => "your other runs",
        Entry::Than => "settings of the second run",
        Entry::Claim => "claim against the second run",
        Entry::Custom(entry) => custom(entry),
        Entry::Cost(input) => cost(input),
        Entry::Axis => "MFU axis shows",
        Entry::Curve => "curves along",
        Entry::View => VIEWS,
        Entry::Mix => "lengths",
        Entry::Median => "median length (tokens)",
        Entry::Sigma => "spread of the logarithm",
        Entry::Shortest => "shortest (tokens)",
        Entry::Longest => "longest (tokens)",
        Entry::OwnLengths => "own lengths (tokens)",
        Entry::Count => "sequences",
        Entry::Rows => "rows per batch",
        Entry::Way => "batching",
        Entry::Multiple => "round up to multiples of",
        Entry::CompileTime => "compile time per shape (s)",
        Entry::LongestStep => "longest step (s)",
        Entry::Epochs => "epochs",
        Entry::Hours => "hours of run time",
        Entry::RunUsd => "price ($ per chip-hour)",
        Entry::Compiling => "compilation (% of the time)",
        Entry::EngineerUsd => "engineer ($ per hour)",
    }
}

const fn custom(entry: CustomEntry) -> &'static str {
    match entry.value(PeakDtype::Bf16) {
        CustomValue::Peak(_) => "peak in this format (10¹² operations per second)",
        CustomValue::Bandwidth => "memory bandwidth (GB/s)",
        CustomValue::Capacity => "memory capacity (GB)",
        CustomValue::Rows => "array rows",
        CustomValue::Cols => "array columns",
        CustomValue::Arrays => "arrays per chip",
        CustomValue::Clock => "clock (MHz)",
        CustomValue::Power => "power (W)",
        CustomValue::Price => "price ($ per chip-hour)",
    }
}

const fn cost(input: CostInput) -> &'static str {
    match input {
        CostInput::Mtbf => "chip MTBF (h)",
        CostInput::Save => "checkpoint time (s)",
        CostInput::Restart => "restart time (s)",
        CostInput::Interval => "checkpoint interval (min; 0 = optimal)",
        CostInput::Shapes => "compiled shapes",
        CostInput::Compile => "compile time per shape (s)",
        CostInput::Egress => "egress (GB)",
        CostInput::EgressUsd => "egress price ($ per GB)",
        CostInput::Weeks => "porting to this chip (engineer-weeks)",
        CostInput::WeekUsd => "porting price ($ per week)",
        CostInput::KwhUsd => "electricity, billed separately ($ per kWh)",
        CostInput::Pue => "PUE of the building",
        CostInput::Grid => "grid (kg CO₂ per kWh)",
    }
}

/// Returns the name of a pass.
#[must_use]
pub const fn pass(pass: PassKind) -> &'static str {
    match pass {
        PassKind::Training => "training",
        PassKind::Prefill => "prefill",
        PassKind::Decode => "decode",
    }
}

/// The only entry in the menus of rematerialization and frameworks if the pass is not training.
pub const ONLY_IN_TRAINING: &str = "only in training";

/// Returns the name of a kind of rematerialization; `None` is the default.
#[must_use]
pub const fn remat(remat: Option<Remat>) -> &'static str {
    match remat {
        None => "as in published runs",
        Some(Remat::None) => "none",
        Some(Remat::Full) => "full",
    }
}

/// Returns the name of a training framework; `None` is the default.
#[must_use]
pub const fn framework(framework: Option<Framework>) -> &'static str {
    match framework {
        None => "usual on the chip",
        Some(Framework::MaxText) => "MaxText",
        Some(Framework::Megatron) => "Megatron-LM",
        Some(Framework::Other) => "other or unknown",
    }
}

/// Returns the name of a convention for attention FLOPs.
#[must_use]
pub const fn attention(attention: Attention) -> &'static str {
    match attention {
        Attention::Full => "full",
        Attention::Causal => "causal (half)",
    }
}

/// Returns the name of a kind of parallelism.
#[must_use]
pub const fn split(split: Sharding) -> &'static str {
    match split {
        Sharding::Data => "data parallel",
        Sharding::FullySharded => "fully sharded",
        Sharding::Tensor => "tensor parallel",
    }
}

/// Returns the name of a network between nodes of GPUs.
#[must_use]
pub fn network(id: &str) -> &str {
    match id {
        "superpod" => "DGX SuperPOD",
        "p4d" => "AWS p4d",
        "a3-mega" => "Google Cloud A3 Mega",
        "a3-high" => "Google Cloud A3 High",
        other => other,
    }
}

/// Returns the name of a distribution of sequence lengths.
#[must_use]
pub const fn mix(mix: Mix) -> &'static str {
    match mix {
        Mix::LogNormal => "log-normal",
        Mix::Uniform => "uniform",
        Mix::Own => "own list",
    }
}

/// Returns the name of a way to batch sequences.
#[must_use]
pub const fn way(way: Way) -> &'static str {
    match way {
        Way::Max => "all padded to the longest",
        Way::Powers => "powers of two",
        Way::Multiples => "multiples",
        Way::Exact => "longest of the batch",
        Way::SortedPowers => "sorted, powers of two",
        Way::SortedMultiples => "sorted, multiples",
        Way::SortedExact => "sorted, longest of the batch",
        Way::Packed => "packed",
    }
}
