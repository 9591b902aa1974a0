//! How far off an answer was, in words that fit the numbers.

use lesson::{Judged, Unit, Value, Verdict, words};

fn said(given: f64, right: f64, unit: Unit) -> String {
    let value = |number| Value { number, unit };
    let (given, right) = (value(given), value(right));
    words::verdict(&Judged {
        verdict: Verdict::Wrong,
        reason: None,
        given: given.shown(),
        right: right.shown(),
        numbers: Some((given, right)),
        differs: None,
    })
}

#[test]
fn a_near_miss_has_its_difference_and_a_far_one_its_factor() {
    let ends = |given, right, unit, end: &str| {
        let said = said(given, right, unit);
        assert!(said.ends_with(end), "{said}");
    };
    ends(11.0, 12.0, Unit::Count, "You answered 11; the right answer is 12. That is 1 too few.");
    ends(16.0, 12.0, Unit::Count, "That is 4 too many.");
    ends(901.0, 894.0, Unit::Count, "That is 7 too many.");
    ends(894.0, 1788.0, Unit::Count, "The right number is twice as large.");
    ends(72.0, 256.0, Unit::Count, "The right number is 3.6 times as large.");
    ends(0.75, 0.28, Unit::Share, "Your number is 2.7 times as large.");
    ends(
        0.25,
        0.28125,
        Unit::Share,
        "You answered 25.0 %; the right answer is 28.1 %. That is 3.1 percentage points too low.",
    );
    ends(0.28, 0.2812, Unit::Share, "the right answer is 28.1 %.");
    ends(11.0, 10.0, Unit::Dollars, "That is 10 % too much.");
    ends(9.0, 10.0, Unit::Seconds, "That is 10 % too little.");
    // Nothing is as many times nothing.
    ends(0.0, 12.0, Unit::Count, "the right answer is 12.");
}
