//! Names in the workbench.

use crate::channel::Channel;
use crate::compare::Clock;
use crate::follow::What;
use systolic::Activity;

/// The list of tools.
pub const INDEX: &str = "Tools";
/// The tools: where they are and their names.
pub const TOOLS: [(&str, &str); 6] = [
    ("channels", "show"),
    ("tiles", "matrices"),
    ("compare", "compare"),
    ("breaker", "break"),
    ("sheet", "one PE"),
    ("transcript", "transcript"),
];
/// The map of the matrices.
pub const OPERAND_MAP: &str = "Matrices and folds";
/// The comparison of two runs.
pub const COMPARE: &str = "Compare";
/// List of ready comparisons.
pub const COMPARE_WITH: &str = "compare with";
/// The fields in which the second run differs.
pub const COMPARE_FIELDS: &str = "second run";
/// How the clocks of two runs go together.
pub const COMPARE_CLOCK: &str = "clock";
/// Columns of the comparison.
pub const COMPARE_HEADS: [&str; 4] = ["measure", "first run", "equal?", "second run"];
/// Ready comparisons: what the second run differs in, as in a link, and its name.
pub const COMPARISONS: [(&str, &str); 10] = [
    ("", "nothing"),
    ("df=ws", "weight-stationary"),
    ("df=os", "output-stationary"),
    ("df=is", "input-stationary"),
    ("overlap=double-buffered", "double-buffered folds"),
    ("rows=256&cols=256", "an array of 256×256"),
    ("rows=128&cols=128", "an array of 128×128"),
    ("dt=bf16", "bf16"),
    ("dt=int8", "int8"),
    ("pad=zero", "zeros to the array"),
];
/// Machines with a defect.
pub const DEFECT: &str = "Break it";
/// List of ready defects.
pub const DEFECT_READY: &str = "defect";
/// A defect as a link spells it.
pub const DEFECT_TEXT: &str = "as in a link";
/// Between the wrong elements and all.
pub const DEFECT_OF: &str = "of";
/// After the number of elements.
pub const DEFECT_WRONG: &str = "elements of C come out wrong.";
/// What the other panels show.
pub const DEFECT_FIGURES: &str =
    "Cycles, shares, MFU and money are those of the sound machine: a defect spoils numbers, the run is as long.";
/// Columns of the wrong elements.
pub const DEFECT_HEADS: [&str; 3] = ["element", "comes out", "should be"];
/// Ready defects: the text in a link and the name.
pub const DEFECTS: [(&str, &str); 6] = [
    ("", "none"),
    ("no-skew", "no skew: a vector enters at once"),
    ("late-1", "row 1 enters a cycle late"),
    ("stuck-1.1", "the sum of PE 1,1 is stuck at 0"),
    ("sum-bf16", "sums rounded to bf16"),
    ("sum-f16", "sums rounded to f16"),
];
/// A defect that is none of those: what the field says.
pub const DEFECT_OTHER: (&str, &str) = ("other", "as the field says");
/// The run as text.
pub const TRANSCRIPT: &str = "Transcript";
/// What opens it.
pub const TRANSCRIPT_OPEN: &str = "the next hundred cycles in words";
/// One's own schedule of the west edge.
pub const OWN_SKEW: &str = "cycles by which each row enters late";
/// Rows that cannot be scheduled.
pub const OWN_SKEW_REST: &str = "The rows after these enter as they must.";
/// The ready defect that opens it.
pub const OWN_SKEW_READY: &str = "schedule the rows yourself";
/// One number per PE.
pub const CHANNEL: &str = "What the PEs show";
/// List of channels.
pub const CHANNEL_CHOICE: &str = "show";
/// Where the error cannot be shown.
pub const CHANNEL_TOO_MANY: &str = "The error is worked out for up to 4096 PEs at once: zoom in.";
/// While terms are still being added.
pub const CHANNEL_UNDERWAY: &str = "The terms are being added …";
/// Where too many terms would have to be added.
pub const CHANNEL_TOO_LONG: &str = "These sums take over four thousand million additions in this cycle: zoom in, or choose an earlier cycle of the fold.";
/// Where a machine with a defect is shown.
pub const CHANNEL_BROKEN: &str = "A machine with a defect shows its registers alone.";
/// Whether playing stays within a fold.
pub const LOOP_FOLD: &str = "play this fold again and again";
/// List of what can be followed.
pub const FOLLOW: &str = "follow";
/// Where nothing is followed.
pub const FOLLOW_NOTHING: &str = "the PE";
/// Where there is nothing to follow.
pub const FOLLOW_EMPTY: &str = "This PE held no such number in the cycle in which it was chosen.";
/// Where what is followed is in no PE.
pub const FOLLOW_OUTSIDE: &str = "is in no PE in this cycle.";
/// Columns of the steps within a cycle.
pub const SHEET_STEPS: [&str; 2] = ["step of this cycle", "what happens"];
/// Columns of a PE's history.
pub const SHEET_HISTORY: [&str; 4] = ["cycle", "the PE", "multiplies", "sum"];
/// One PE written out.
pub const SHEET: &str = "One PE written out";
/// Instead of it, while time passes or no PE does anything.
pub const SHEET_EMPTY: &str = "Pause a sound machine and choose a PE to read its registers, its sum and its bits.";
/// Columns of its registers.
pub const SHEET_REGISTERS: [&str; 4] = ["register", "holds", "from", "next"];
/// Columns of its sum.
pub const SHEET_TERMS: [&str; 3] = ["term, in the order of adding", "made by", "in cycle"];
/// Columns of the bits of whole numbers.
pub const SHEET_BITS_WHOLE: [&str; 4] = ["number", "value", "two's complement", "code"];
/// Columns of its bits.
pub const SHEET_BITS: [&str; 6] = ["number", "value", "sign", "exponent", "fraction", "code"];

/// What a number per PE is.
#[must_use]
pub const fn channel(channel: Channel) -> &'static str {
    match channel {
        Channel::Activity => "what each PE does",
        Channel::Sum => "size of the sum",
        Channel::Useful => "useful MACs so far",
        Channel::Wasted => "wasted cycles so far",
        Channel::Error => "error of the sum, in ulp",
    }
}

/// What is followed.
#[must_use]
pub const fn follow(what: What) -> &'static str {
    match what {
        What::East => "the operand going east",
        What::South => "the operand going south",
        What::Sum => "the sum",
    }
}

/// What a PE does, in one word or two.
#[must_use]
pub const fn activity(activity: Activity) -> &'static str {
    match activity {
        Activity::Unmapped => "is outside",
        Activity::Loading => "loads",
        Activity::Waiting => "waits",
        Activity::Useful => "multiplies",
        Activity::OnPadding => "multiplies padding",
        Activity::Done => "is done",
        Activity::Stalled => "is stalled",
    }
}

/// Name of a way in which two clocks go together.
#[must_use]
pub const fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Cycle => "the same cycle",
        Clock::Share => "the same share of the run",
    }
}
