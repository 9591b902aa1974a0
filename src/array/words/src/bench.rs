//! Texts of the tools: comparison, faults, heat map, folds, and the PE sheet (the details of one PE).

use display::number::joined;
use studio::Channel;
use studio::compare::Clock;
use studio::defect::Mix;
use studio::follow::What;
use systolic::{Activity, Dataflow, Dtype, PeId, Slot};

/// Label that opens settings that few people need.
pub const MORE: &str = "More";
/// Label of the menu of predefined comparisons.
pub const COMPARE_WITH: &str = "compare with";
/// Label of the text field for the settings of the second run.
pub const COMPARE_FIELDS: &str = "second run";
/// Label of the menu that sets how the cycles of two compared runs are coupled.
pub const COMPARE_CLOCK: &str = "clock";
/// Column headings of the comparison.
pub const COMPARE_HEADS: [&str; 3] = ["measure", "first run", "second run"];
/// Predefined comparisons: the settings of the second run as in a link, and the name in the menu.
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
/// Menu entry for a comparison that is not predefined: value and name.
pub const COMPARE_OTHER: (&str, &str) = ("other", "custom");
/// Label of the menu of predefined faults.
pub const DEFECT_READY: &str = "fault";
/// Label of the text field for a fault, which is written as in a link.
pub const DEFECT_TEXT: &str = "link code";
/// Note below the number of wrong elements: the figures outside the tool ignore the fault.
pub const DEFECT_FIGURES: &str = "Timeline, cycles, MFU and cost ignore the fault.";
/// Column headings of the table of wrong elements.
pub const DEFECT_HEADS: [&str; 4] = ["element", "got", "expected", "first mismatch"];
/// Predefined faults: the text in a link, and the name in the menu.
pub const DEFECTS: [(&str, &str); 5] = [
    ("", "none"),
    ("no-skew", "no skew (all rows start together)"),
    ("late-1", "row 1 one cycle late"),
    ("sum-bf16", "sums kept in bf16"),
    ("sum-f16", "sums kept in f16"),
];
/// Menu entry for a PE whose sum is stuck.
pub const STUCK_READY: &str = "sum of one PE stuck at 0";
/// Hint that leads to a fault in another PE.
pub const STUCK_HINT: &str = "To break another PE, select it in the array.";

/// Names the PE with the fault, and says what the fault does to sums.
#[must_use]
pub fn stuck_at(pe: PeId, dataflow: Dataflow) -> String {
    let effect = match dataflow {
        Dataflow::OutputStationary => "Its element of C stays 0.",
        Dataflow::WeightStationary | Dataflow::InputStationary => {
            "A sum that passes this PE loses the products of this PE and of the PEs above."
        }
    };
    format!("PE {},{} always holds the sum 0. {effect}", pe.row, pe.col)
}

/// Label of the button that moves the fault to the selected PE.
#[must_use]
pub fn break_pe(pe: PeId) -> String {
    format!("Break PE {},{}", pe.row, pe.col)
}

/// Menu entry for a fault that is not predefined: value and name.
pub const DEFECT_OTHER: (&str, &str) = ("other", "custom");
/// Label that opens the event log.
pub const TRANSCRIPT_OPEN: &str = "event log of the next 100 cycles";
/// Heading of the sliders that set the delay of each row at the west edge.
pub const OWN_SKEW: &str = "delay of each row, in cycles";
/// Headline if the row delays that the user has set are correct.
pub const RIGHT_SKEW: &str = "Correct delays: all results are right";
/// Hint if the row delays that the user has set are correct.
pub const RIGHT_SKEW_HINT: &str =
    "These delays are correct: operands meet in every row. Change a delay to break the result.";
/// Hint about the rows that have no delay slider.
pub const OWN_SKEW_REST: &str = "All rows without a slider start on time.";
/// Menu entry that lets the user set the delay of each row.
pub const OWN_SKEW_READY: &str = "set each row’s delay yourself";
/// Label of the menu of heat maps.
pub const CHANNEL_CHOICE: &str = "color PEs by";
/// Message if too many PEs are in view for the heat map of errors.
pub const CHANNEL_TOO_MANY: &str = "The error is shown for up to 4096 PEs at once: zoom in.";
/// Message while the page adds the terms of the sums for the heat map.
pub const CHANNEL_UNDERWAY: &str = "Adding the terms …";
/// Message if the heat map would have to add too many terms.
pub const CHANNEL_TOO_LONG: &str = "The sums that this cycle shows need more than 4 billion additions: zoom in, or choose an earlier cycle of the fold.";
/// Message in place of the heat map if the array has a fault.
pub const CHANNEL_BROKEN: &str = "To color the PEs by a value (heat map), switch the fault off.";
/// Label of the checkbox that repeats the current fold during playback.
pub const LOOP_FOLD: &str = "loop this fold";
/// Label of the menu of values to follow.
pub const FOLLOW: &str = "follow";
/// Menu entry for following no value, so that the PE sheet stays at the selected PE.
pub const FOLLOW_NOTHING: &str = "the PE";
/// Message if the PE had no value of the chosen kind when the user selected the PE.
pub const FOLLOW_EMPTY: &str = "This PE held no such value when you selected the PE.";
/// Text after the name of the followed value, if no PE has this value now.
pub const FOLLOW_OUTSIDE: &str = "is not in any PE now.";
/// Column headings of the table of a PE's steps within a cycle.
pub const SHEET_STEPS: [&str; 2] = ["step of this cycle", "what happens"];
/// Column headings of the history of a PE.
pub const SHEET_HISTORY: [&str; 4] = ["cycle", "the PE", "multiplies", "sum"];
/// Message in place of the PE sheet, if no PE is selected and no PE multiplies.
pub const SHEET_EMPTY: &str = "Pick a PE to see its registers, its partial sum and its bits.";
/// Message in place of the PE sheet while the run plays.
pub const SHEET_PLAYING: &str = "Pause to see a PE's registers, its sum and its bits.";
/// Message in place of the PE sheet if the array has a fault.
pub const SHEET_BROKEN: &str = "Switch the fault off to see a PE's registers, its sum and its bits.";
/// Column headings of the registers of a PE.
pub const SHEET_REGISTERS: [&str; 4] = ["register", "holds", "from", "next"];
/// Column headings of the terms of a PE's sum.
pub const SHEET_TERMS: [&str; 3] = ["term, in order of addition", "made by", "in cycle"];
/// Column headings of the terms that a chip adds at once.
pub const SHEET_BLOCK: [&str; 4] = ["added at once", "value", "aligned, in units", "cut off"];
/// Column headings of the bits of integers.
pub const SHEET_BITS_WHOLE: [&str; 4] = ["number", "value", "two's complement", "code"];
/// Column headings of the bits of floating-point numbers.
pub const SHEET_BITS: [&str; 6] = ["number", "value", "sign", "exponent", "fraction", "code"];

/// Returns a sentence with the number of wrong elements of C.
#[must_use]
pub fn wrong(n: u64, all: u64) -> String {
    crate::label::capitalized(&crate::caption::elements_wrong(n, all)) + "."
}

/// Returns the name of a heat map, which shows one number per PE.
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

/// Relates the shades of a heat map to the classes of PE-cycles. Empty if a heat map does not count PE-cycles.
#[must_use]
pub fn shades(channel: Channel) -> String {
    let (useful, wasted) = (crate::busy::class(Slot::Useful), wasted());
    match channel {
        Channel::Activity | Channel::Sum | Channel::Error => String::new(),
        Channel::Useful => format!("A useful MAC is a PE-cycle of the class “{useful}”."),
        Channel::Wasted => {
            format!("First shade: nearly all PE-cycles so far are {useful}. Last shade: nearly all are {wasted}.")
        }
    }
}

/// Lists the names of the classes of PE-cycles that are not useful: `padding, loading, filling, draining or stalled`.
fn wasted() -> String {
    let names: Vec<String> = Slot::ALL[1..].iter().map(|slot| crate::busy::class(*slot).to_owned()).collect();
    names.split_last().map_or_else(String::new, |(last, rest)| format!("{} or {last}", joined(rest, ", ")))
}

/// Returns the message that replaces the heat map of errors if the sums are exact.
#[must_use]
pub fn exact(dtype: Dtype) -> String {
    format!("{} sums are exact: no error to show.", dtype.id())
}

/// Returns the name of a value that can be followed.
#[must_use]
pub const fn follow(what: What) -> &'static str {
    match what {
        What::East => "the operand going east",
        What::South => "the operand going south",
        What::Sum => "the sum",
    }
}

/// Returns the activity of a PE, in one or two words.
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

/// Returns the name of a way to couple the cycles of two compared runs.
#[must_use]
pub const fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Cycle => "same cycle",
        Clock::Share => "same fraction of the run",
    }
}

/// Describes the first mismatch in a wrong element of C. The text does not repeat the name of the fault, which is above
/// the table.
#[must_use]
pub fn mix(mix: Option<Mix>) -> String {
    match mix {
        Some(Mix::Terms(a, b)) => format!("k = {a} met k = {b}"),
        Some(Mix::Elements((row, col), (other_row, other_col))) => {
            format!("c[{row},{col}] and c[{other_row},{other_col}]")
        }
        Some(Mix::Missing) => "terms are missing".to_owned(),
        None => "corrupted sum".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_shades_of_wasted_cycles_name_each_class_of_the_rail_once() {
        let words = shades(Channel::Wasted);
        let (first, last) = words.split_once("Last shade").expect("two sentences");
        assert!(first.contains("are useful.") && !last.contains("useful"), "{words}");
        for class in ["padding", "loading", "filling", "draining", "stalled"] {
            assert_eq!((first.matches(class).count(), last.matches(class).count()), (0, 1), "{words}");
        }
        assert!(shades(Channel::Useful).contains("useful") && shades(Channel::Sum).is_empty());
    }
}
