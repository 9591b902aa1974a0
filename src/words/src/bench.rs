//! Names in the workbench.

use studio::Channel;
use studio::compare::Clock;
use studio::defect::Mix;
use studio::follow::What;
use systolic::{Activity, Dtype};

/// What few need, under what all do.
pub const MORE: &str = "More";
/// List of ready comparisons.
pub const COMPARE_WITH: &str = "compare with";
/// The fields in which the second run differs.
pub const COMPARE_FIELDS: &str = "second run";
/// How the clocks of two runs go together.
pub const COMPARE_CLOCK: &str = "clock";
/// Columns of the comparison.
pub const COMPARE_HEADS: [&str; 3] = ["measure", "first run", "second run"];
/// Ready comparisons: what the second run differs in, as in a link, and its name.
pub const COMPARISONS: [(&str, &str); 10] = [
    ("", "no comparison"),
    ("df=ws", "weight-stationary"),
    ("df=os", "output-stationary"),
    ("df=is", "input-stationary"),
    ("overlap=double-buffered", "double-buffered folds"),
    ("rows=256&cols=256", "an array of 256×256"),
    ("rows=128&cols=128", "an array of 128×128"),
    ("dt=bf16", "bf16"),
    ("dt=int8", "int8"),
    ("pad=zero", "zero padding to the array size"),
];
/// A comparison that is none of those: what its field says.
pub const COMPARE_OTHER: (&str, &str) = ("other", "custom");
/// List of ready defects.
pub const DEFECT_READY: &str = "fault";
/// A defect as a link spells it.
pub const DEFECT_TEXT: &str = "link code";
/// What the other panels show.
pub const DEFECT_FIGURES: &str = "Timeline, cycles, utilization and cost are for the array without the fault.";
/// Columns of the wrong elements.
pub const DEFECT_HEADS: [&str; 4] = ["element", "got", "expected", "first mismatch"];
/// Ready defects: the text in a link and the name.
pub const DEFECTS: [(&str, &str); 6] = [
    ("", "none"),
    ("no-skew", "no skew (all rows start together)"),
    ("late-1", "row 1 one cycle late"),
    ("stuck-1.1", "sum of PE 1,1 stuck at 0"),
    ("sum-bf16", "sums kept in bf16"),
    ("sum-f16", "sums kept in f16"),
];
/// A defect that is none of those: what the field says.
pub const DEFECT_OTHER: (&str, &str) = ("other", "custom");
/// What opens it.
pub const TRANSCRIPT_OPEN: &str = "event log of the next 100 cycles";
/// One's own schedule of the west edge.
pub const OWN_SKEW: &str = "delay of each row, in cycles";
/// A schedule of one's own that is the right one, as a headline.
pub const RIGHT_SKEW: &str = "Right delays: all results are correct";
/// After it.
pub const RIGHT_SKEW_HINT: &str =
    "These delays are correct: operands meet in every row. Change one to break the result.";
/// Rows that cannot be scheduled.
pub const OWN_SKEW_REST: &str = "The rows after these start on time.";
/// The ready defect that opens it.
pub const OWN_SKEW_READY: &str = "set each row’s delay yourself";
/// List of channels.
pub const CHANNEL_CHOICE: &str = "color PEs by";
/// Where the error cannot be shown.
pub const CHANNEL_TOO_MANY: &str = "The error is shown for up to 4096 PEs at once: zoom in.";
/// While terms are still being added.
pub const CHANNEL_UNDERWAY: &str = "Adding the terms …";
/// Where too many terms would have to be added.
pub const CHANNEL_TOO_LONG: &str =
    "These sums need more than 4 billion additions in this cycle: zoom in, or choose an earlier cycle of the fold.";
/// Where a machine with a defect is shown.
pub const CHANNEL_BROKEN: &str = "Switch the fault off to color the PEs by a number.";
/// Whether playing stays within a fold.
pub const LOOP_FOLD: &str = "loop this fold";
/// List of what can be followed.
pub const FOLLOW: &str = "follow";
/// Where nothing is followed.
pub const FOLLOW_NOTHING: &str = "the PE";
/// Where there is nothing to follow.
pub const FOLLOW_EMPTY: &str = "When you selected this PE, it held no such value.";
/// Where what is followed is in no PE.
pub const FOLLOW_OUTSIDE: &str = "is not in any PE now.";
/// Columns of the steps within a cycle.
pub const SHEET_STEPS: [&str; 2] = ["step of this cycle", "what happens"];
/// Columns of a PE's history.
pub const SHEET_HISTORY: [&str; 4] = ["cycle", "the PE", "multiplies", "sum"];
/// Instead of it, where no PE is chosen and none does anything.
pub const SHEET_EMPTY: &str = "Pick a PE to see its registers, its partial sum and its bits.";
/// The same while time passes.
pub const SHEET_PLAYING: &str = "Pause to see a PE's registers, its sum and its bits.";
/// The same where the machine has a defect.
pub const SHEET_BROKEN: &str = "Switch the fault off to see a PE's registers, its sum and its bits.";
/// Columns of its registers.
pub const SHEET_REGISTERS: [&str; 4] = ["register", "holds", "from", "next"];
/// Columns of its sum.
pub const SHEET_TERMS: [&str; 3] = ["term, in the order of adding", "made by", "in cycle"];
/// Columns of the bits of whole numbers.
pub const SHEET_BITS_WHOLE: [&str; 4] = ["number", "value", "two's complement", "code"];
/// Columns of its bits.
pub const SHEET_BITS: [&str; 6] = ["number", "value", "sign", "exponent", "fraction", "code"];

/// How many elements of C a fault spoils.
#[must_use]
pub fn wrong(n: u64, all: u64) -> String {
    crate::label::capitalized(&crate::caption::elements_wrong(n, all)) + "."
}

/// What a number per PE is.
#[must_use]
pub const fn channel(channel: Channel) -> &'static str {
    match channel {
        Channel::Activity => "activity of each PE",
        Channel::Sum => "size of the partial sum",
        Channel::Useful => "useful MACs so far",
        Channel::Wasted => "wasted cycles so far",
        Channel::Error => "error of the partial sum, in ulp",
    }
}

/// Instead of the errors of sums that have none.
#[must_use]
pub fn exact(dtype: Dtype) -> String {
    format!("{} sums are exact: no error to show.", dtype.id())
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
        Activity::Unmapped => "is unused",
        Activity::Loading => "loads",
        Activity::Waiting => "waits",
        Activity::Useful => "multiplies",
        Activity::OnPadding => "multiplies padding",
        Activity::Done => "is finished",
        Activity::Stalled => "stalls",
    }
}

/// Name of a way in which two clocks go together.
#[must_use]
pub const fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Cycle => "same cycle",
        Clock::Share => "same fraction of the run",
    }
}

/// What met first in a wrong element of C, without the defect's own name: that stands over the table.
#[must_use]
pub fn mix(mix: Option<Mix>) -> String {
    match mix {
        Some(Mix::Terms(a, b)) => format!("k = {a} met k = {b}"),
        Some(Mix::Elements((row, col), (other_row, other_col))) => {
            format!("c[{row},{col}] and c[{other_row},{other_col}]")
        }
        Some(Mix::Missing) => "terms are missing".to_owned(),
        None => "operands matched, but the sum was corrupted".to_owned(),
    }
}
