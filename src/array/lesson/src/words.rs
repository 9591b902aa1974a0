//! Texts of lessons, made from typed values: mistakes in lesson files, verdicts on answers, and labels of buttons.

mod mistakes;

pub use mistakes::{mistake, what};

use core::ops::RangeInclusive;

use display::number::{MINUS, fixed, readable, significant};
use plain::OrEmpty;
use studio::{Field, FieldValue};
use systolic::{Adder, Dtype, Rule};

use crate::again::{GAPS_DAYS, HEAD, NotAgain};
use crate::course::{self, Set};
use crate::entry::NotUsable;
use crate::printed::{ALL, OnAdder, Opened, Print};
use crate::{Best, Judged, Kind, Operation, Part, Unit, Value, Verdict};

/// Label of the button that goes to the next card.
pub const NEXT: &str = "Next";
/// Label of the button that goes to the previous card.
pub const BACK: &str = "Back";
/// Label of the button that skips a question.
pub const SKIP: &str = "Skip";
/// Label of the button that restores the state of the card.
pub const BACK_TO_LESSON: &str = "Back to the lesson";
/// Label of the button that leaves the lesson and keeps the current run in the array view.
pub const TRY: &str = "Try it in Explore";
/// Label of the button that starts a lesson from its first card.
pub const AGAIN: &str = "Start over";
/// Label of the button that opens the nearest card.
pub const NEAREST: &str = "Open the nearest card";
/// Returns the message about a card that is no longer in the course.
#[must_use]
pub fn no_longer(card: &str) -> String {
    format!("The card {} is no longer in the course.", plain::quote(card))
}
/// Label of the button that plays the run of the answer again.
pub const RUN_AGAIN: &str = "Run it again";
/// Label of the button that asks the question of a card again, with other numbers.
pub const OTHER_NUMBERS: &str = "Again, with other numbers";
/// Label of the button that opens a card as it is written.
pub const AS_WRITTEN: &str = "Open the card as written";
/// Label of the field for the number of a version.
pub const VERSION: &str = "Version (0: as written)";
/// Returns the message about a number that no version has.
#[must_use]
pub fn version_range(most: u32) -> String {
    format!("A version has a whole number from 0 to {most}. Version 0 is the lesson as written.")
}

/// Label of the button that opens a version of a test.
pub const OPEN_VERSION: &str = "Open this version";
/// Title above the right answer and the reason of a repeated card.
pub const WORKED: &str = "Worked example, with other numbers";
/// Title above a struck answer of a repeated card.
pub const HALF_WORKED: &str = "One wrong answer less";
/// Title above a misconception of a repeated card that has no choices.
pub const MISCONCEPTION: &str = "A common mistake";
/// Note on a card that cannot vary, in a deck.
pub const NO_OTHER_NUMBERS: &str = "This card always asks the same question, with the same numbers.";
/// Mark next to the right choice after a wrong answer, for a screen reader.
pub const RIGHT_CHOICE: &str = "Right answer";
/// Title of the cards to do again.
pub const TO_DO_AGAIN: &str = "To do again";
/// Label of the button that starts a deck of cards of all lessons.
pub const MIXED: &str = "Ten mixed cards";
/// Label of the button that starts the cards that are due or, before a card is due, all cards to do again.
pub const DO_AGAIN: &str = "Do them now";
/// Label of the folded buttons that print a lesson.
pub const PRINT_LESSON: &str = "Print this lesson";
/// Label of the button that saves the cards to do again as a file.
pub const SAVE_AGAIN: &str = "Save as a file";
/// Label of the field that opens a saved file.
pub const OPEN_AGAIN: &str = "Open a file";
/// Message about a chosen file that the browser cannot read.
pub const UNREADABLE: &str = "The browser cannot read this file. Choose it again.";
/// Label of the button that ends a deck.
pub const DECK_DONE: &str = "Deck done: all lessons";

/// Returns the place in a deck: `Deck: card 2 of 10`.
#[must_use]
pub fn deck_progress(nth: usize, n_cards: usize) -> String {
    format!("Deck: card {nth} of {n_cards}")
}

/// Returns the label of the button that opens the next card of a deck.
#[must_use]
pub fn next_of_deck(n_left: usize) -> String {
    if n_left == 1 { "Next: the last card".to_owned() } else { format!("Next card, {n_left} left") }
}

/// Returns the number of cards that are due, the number of cards to do again, and when the next card is due.
#[must_use]
pub fn to_do_again(n_due: usize, n_cards: usize, in_days: Option<u32>) -> String {
    let cards = |n: usize| if n == 1 { "1 card".to_owned() } else { format!("{n} cards") };
    match (n_due, n_cards, in_days) {
        (_, 0, _) => {
            let gaps: Vec<String> = GAPS_DAYS.iter().map(ToString::to_string).collect();
            format!("A missed card comes back after {} days, with other numbers.", display::number::joined(&gaps, ", "))
        }
        (0, n, Some(1)) => format!("{} to do again. The first one is due tomorrow.", cards(n)),
        (0, n, days) => format!("{} to do again. The first one is due in {} days.", cards(n), days.unwrap_or(0)),
        (n_due, n, _) if n_due == n => format!("{} due today.", cards(n)),
        (n_due, n, _) => format!("{} due today, of {n} to do again.", cards(n_due)),
    }
}

/// Returns the message about a link with a version of a card that has none.
#[must_use]
pub fn no_version(version: u32, title: &str, card: usize) -> String {
    format!("Card {card} of “{title}” has no version {version}, because its numbers do not vary.")
}

/// Label of the button that opens the list of all lessons.
pub const ALL_LESSONS: &str = "All lessons";
/// Label of the button that locks in an answer, while the button is disabled because no answer is chosen.
pub const CHOOSE_FIRST: &str = "Answer first";
/// Label of the field for the row of a PE.
pub const ROW: &str = "row";
/// Label of the field for the column of a PE.
pub const COL: &str = "column";
/// Accessible name of the field and the slider for a number.
pub const NUMBER: &str = "Your answer";
/// Value of a slider for screen readers, before a person moves the slider.
pub const NO_ANSWER: &str = "no answer yet";
/// Label of the button that chooses the PE with the typed row and column.
pub const CHOOSE: &str = "Choose";
/// Accessible name of the field for a formula.
pub const FORMULA: &str = "Your formula";
/// Hint below the field for a formula.
pub const FORMULA_HINT: &str =
    "You can use rows, cols, m, k, n, numbers, + - * / and ceil( ). The page tests your formula on many shapes.";
/// Label of the button that moves an item up in an ordered list.
pub const EARLIER: &str = "up";
/// Label of the button that moves an item down in an ordered list.
pub const LATER: &str = "down";

/// Returns the heading of a set of lessons.
#[must_use]
pub const fn set(set: Set) -> &'static str {
    match set {
        Set::Course => "Lessons",
        Set::Claims => "Claims",
        Set::Challenges => "Challenges",
        Set::Tests => "Tests",
    }
}

/// Title of the list of all lessons.
pub const CONTENTS: &str = "Learn";
/// Sentence below the title of the list.
pub const CONTENTS_LEAD: &str = "Predict, run, compare: the array computes every answer in front of you.";

/// Heading of the digits that chips printed.
pub const PRINTS: &str = "As printed by a chip";
/// Sentence next to this heading.
pub const PRINTS_LEAD: &str = "Public outputs of TPUs and GPUs, next to the digits of this array for the same inputs. Open an entry to see its number on other adders, such as an H100's.";
/// Heading of the exact digits.
pub const EXACT: &str = "exact";
/// Label of the button at the top of the list that goes to these digits.
pub const TO_PRINTS: &str = "Digits of real TPUs and GPUs";
/// Headings of the digits. A print without elements has no exact digits.
pub const PRINT_HEADS: &[&str] = &["NumPy, f64", "printed", "this array", ""];
/// Headings of the digits of other adders.
pub const ADDER_HEADS: [&str; 3] = ["adder", "digits", "rule"];
/// Label of the link to the run of a print.
pub const SHOW_PRINT: &str = "Show on the array";
/// Label of the link to the source of a print.
pub const SOURCE_OF_PRINT: &str = "Source";

/// Returns a number of the array in the shortest form that stands for the same f32 number.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "an f32 number")]
pub fn digits(value: f64) -> String {
    (value as f32).to_string()
}

/// Returns a number with at most nine significant digits, and with the minus sign of the prints. Nine digits distinguish all
/// numbers of f32.
#[must_use]
pub fn exact(value: f64) -> String {
    significant(value, 9).replace(MINUS, "-")
}

/// Returns the heading of one element of C on several adders.
#[must_use]
pub fn on_adders((m, n): (u64, u64)) -> String {
    format!("c[{m},{n}] on other adders, computed by this array")
}

/// Returns the short name of an adder.
#[must_use]
pub fn adder(adder: Adder) -> String {
    if adder == Adder::F32 { adder.id().to_owned() } else { adder.id().to_uppercase() }
}

/// Returns a power of two: `2⁻²⁵`.
fn power_of_two(exponent: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    };
    format!("2{}", exponent.to_string().chars().map(raised).collect::<String>())
}

/// Returns the name of the exact sum of operands of a format.
#[must_use]
pub fn exact_of(dtype: Dtype) -> String {
    format!("exact sum of the {dtype} inputs")
}

/// Returns the rule of an adder: the number of products that it adds at once, the bits that it drops, and its rounding.
#[must_use]
pub fn rule_of(one: &OnAdder) -> String {
    match one.rule {
        None => "adds 1 product at a time, and rounds each sum to nearest".to_owned(),
        Some(rule @ Rule::Exact { .. }) => {
            format!("adds {} products at once, exactly, and rounds the sum to nearest", rule.block())
        }
        Some(Rule::Truncated { block, fraction_bits, result_bits, adds_c_after }) => {
            let lowest = ::words::block::lowest_bit(fraction_bits);
            let here = one.unit.map_or_else(String::new, |unit| format!(" (here {})", power_of_two(unit)));
            let ending = if adds_c_after { ", then adds the sum before" } else { "" };
            format!(
                "adds {block} products at once, drops bits below the {lowest}{here}, and cuts the sum to {} bits{ending}",
                result_bits + 1
            )
        }
    }
}

/// Id of the print in which a TPU and an H100 have different digits for equal bf16 inputs.
pub const OTHER_DIGITS: &str = "gpu-table-H100-bf16";

/// Returns the sentences on the reason why adders have different digits.
#[must_use]
pub fn why_adders_differ(opened: &Opened) -> String {
    let of = |adder: Adder| opened.adders.iter().find(|one| one.adder == adder);
    let short = |one: &OnAdder| match one.rule {
        None => "adds 1 product at a time and rounds each sum to nearest".to_owned(),
        Some(rule @ Rule::Exact { .. }) => {
            format!("adds {} products at once and rounds each sum to nearest", rule.block())
        }
        Some(rule @ Rule::Truncated { .. }) => {
            let lowest =
                one.unit.map_or_else(|| "low bits".to_owned(), |unit| format!("bits below {}", power_of_two(unit)));
            format!("adds {} at once, drops {lowest}, and cuts each sum toward zero", rule.block())
        }
    };
    let (tpu, h100) = (of(Adder::Tpu), of(Adder::H100));
    if let Some((tpu, h100)) = tpu.zip(h100).filter(|(tpu, h100)| digits(tpu.value) != digits(h100.value)) {
        let times = |n: u64| if n == 1 { "once".to_owned() } else { format!("{n} times") };
        let [rounds, cuts] = [tpu, h100].map(|one| times(one.n_roundings));
        let is_above = h100.value > opened.exact_of_operands && h100.value > 0.0;
        // Cutting toward zero would only make a positive sum smaller. If the sum is larger, the lost bits were those of
        // negative products.
        let above = if is_above { " The bits that it drops from negative products make its sum larger." } else { "" };
        let (dtype, tpu, h100) = (opened.dtype, short(tpu), short(h100));
        return format!(
            "A TPU and an H100 multiply equal {dtype} inputs. The TPU {tpu}, here {rounds}. The H100 {h100}, here {cuts}.{above}"
        );
    }
    let mut all = opened.adders.iter().map(|one| digits(one.value));
    let first = all.next();
    if all.all(|one| Some(one) == first) {
        let other = ALL.iter().find(|print| opened.dtype == Dtype::Bf16 && print.id == OTHER_DIGITS);
        let other = other.map_or_else(String::new, |print| format!(" For other digits, open “{}”.", print.title));
        format!("All these adders have equal digits here.{other}")
    } else {
        "The products are equal. Only the additions differ.".to_owned()
    }
}

/// Returns the word that marks a number as equal or as different.
#[must_use]
pub const fn is_equal(is_same: bool) -> &'static str {
    if is_same { "equal" } else { "differs" }
}

/// Returns the sentence on the whole table of a print.
#[must_use]
pub fn whole_table(all: &str) -> String {
    format!("In the whole table, {all} are equal (a test compares all).")
}

/// Returns the chip and the date of a print, and the issue in which it stands: `A100, 2023-01-25, jax#14157`.
#[must_use]
pub fn chip_and_date(print: &Print) -> String {
    let issue = print.source.split_once("/issues/").and_then(|(project, number)| {
        let name = project.rsplit('/').next()?;
        Some(format!("{name}#{number}"))
    });
    let parts = [Some(print.chip.to_owned()), print.date.map(str::to_owned), issue];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns a sentence about a set, next to its heading.
#[must_use]
pub fn set_lead(set: Set) -> String {
    match set {
        Set::Course => {
            let minutes: u64 = course::of_set(set).map(|entry| entry.minutes).sum();
            format!("{} lessons, {}", course::of_set(set).count(), self::minutes(minutes))
        }
        Set::Claims => "True or false? Judge a claim, then see the run.".to_owned(),
        Set::Challenges => "Reach a goal with the fewest PEs, cycles or dollars.".to_owned(),
        Set::Tests => {
            "For before and after the course: the page does not show the array or the right answers.".to_owned()
        }
    }
}

/// Returns a time in minutes: `5 min`.
#[must_use]
pub fn minutes(minutes: u64) -> String {
    format!("{minutes} min")
}

/// Returns the label of the button that opens the next card of a lesson.
#[must_use]
pub const fn start(is_begun: bool) -> &'static str {
    if is_begun { "Continue" } else { "Start" }
}

/// Question about a claim, with the rule for claims that are true only in some cases.
pub const CLAIM: &str = "True, false, or does it depend? It depends if only some cases make the claim true. One counterexample refutes “all”, “always” or “never”.";
/// Possible verdicts on a claim.
pub const CLAIMED: [&str; 3] = ["true", "false", "it depends"];

/// Returns the text for the result of a condition: yes or no.
#[must_use]
pub const fn truth(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

/// Returns the text that names the purpose of a card. The page shows this text above the question.
#[must_use]
pub const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Explain => "Look",
        Kind::Predict => "Predict first",
        Kind::Change => "Your turn",
    }
}

/// Returns the position in a lesson: `Card 5 of 8`.
#[must_use]
pub fn progress(card: usize, cards: usize) -> String {
    format!("Card {card} of {cards}")
}

/// Returns the hint that the page shows while no PE is chosen. `is_one` is true if the question asks for a single PE.
#[must_use]
pub const fn press(is_one: bool) -> &'static str {
    if is_one {
        "Click a PE of the array, or type its position."
    } else {
        "Click every PE that answers the question, or type the positions of these PEs."
    }
}

/// Returns the label of the button that locks in an answer: `Lock in 16 and see`.
#[must_use]
pub fn lock(answer: &str) -> String {
    if answer.is_empty() { "Lock in and see".to_owned() } else { format!("Lock in {answer} and see") }
}

/// Returns the label of the button that goes to the next lesson.
#[must_use]
pub fn next_lesson(title: &str) -> String {
    format!("Next: {title}")
}

/// Returns the status of a goal: met, or not yet met.
#[must_use]
pub const fn goal(is_met: bool) -> &'static str {
    if is_met { "Done." } else { "Not yet." }
}

/// Returns a comparison of a goal: its mark, its value in the run, and its name with the wanted value.
#[must_use]
pub fn part(part: &Part<'_>) -> [String; 3] {
    let shown = |value: Option<Value>| value.map_or_else(|| "unknown".to_owned(), Value::shown);
    let wanted = match part.operation {
        Operation::AtLeast => "at least",
        Operation::AtMost => "at most",
        Operation::Greater => "more than",
        Operation::Less => "less than",
        Operation::Unequal => "not",
        _ => "exactly",
    };
    let mark = if part.is_met { "✓" } else { "…" };
    let now = match (part.now, part.wanted) {
        (Some(now), Some(wanted)) if !part.is_met => shown_apart(now, wanted),
        (now, _) => shown(now),
    };
    let [now, goal] = [now, shown(part.wanted)].map(|text| text.replace(' ', "\u{a0}"));
    [mark.to_owned(), now, format!("{}; goal: {wanted} {goal}", part.name)]
}

/// Returns a share with as many digits as it takes to differ from another share. A person who reads “60.0%, at least
/// 60.0%” could not know why the goal is missed.
fn shown_apart(now: Value, wanted: Value) -> String {
    let is_alike = now.unit == Unit::Share && wanted.unit == Unit::Share && now.shown() == wanted.shown();
    if !is_alike || now.number == wanted.number {
        return now.shown();
    }
    let digits = (2..=9).find(|digits| fixed(100.0 * now.number, *digits) != fixed(100.0 * wanted.number, *digits));
    digits.map_or_else(|| now.shown(), |digits| fixed(100.0 * now.number, digits) + " %")
}

/// Returns the text for screen readers about a comparison that the run meets or misses.
#[must_use]
pub const fn is_met(is_met: bool) -> &'static str {
    if is_met { "met:" } else { "not met:" }
}

/// Message after a wrong first answer. If the card names no misconception for a wrong number, the message says in which
/// direction the right number is.
#[must_use]
pub fn first_try(judged: &Judged) -> String {
    let not = if judged.given.is_empty() { "Not yet.".to_owned() } else { format!("Not {}.", quoted(&judged.given)) };
    let direction = match judged.numbers.filter(|_| judged.reason.is_none()) {
        Some((given, right)) if given.number < right.number => " The right number is larger.",
        Some(_) => " The right number is smaller.",
        None => "",
    };
    format!("{not}{direction} Try once more.")
}

/// Message about a locked answer of a test.
pub const SAVED: &str = "Your answer counts. A test does not say which answers are right.";

/// Returns the result of a test.
#[must_use]
pub fn test_result(n_right: usize, n_questions: usize) -> String {
    format!("{n_right} of {n_questions} answers are right.")
}

/// Text before the misconception behind a wrong answer.
pub const THOUGHT: &str = "You may have thought";
/// Label of the button that shows the next hint.
pub const HINT: &str = "Hint";

/// Returns a sentence that compares the reader's solution with the best known solution.
#[must_use]
pub fn best(best: &Best, known: Value, yours: Value) -> String {
    let is_as_good =
        known.is_same(yours) || if best.is_largest { yours.number > known.number } else { yours.number < known.number };
    let [yours, known] = [yours, known].map(|value| amount(best, value));
    match is_as_good {
        true => format!("{yours}: the best known result."),
        false => format!("Yours: {yours}. Best known: {known}."),
    }
}

/// Returns a value with the name or the unit of the measure that ranks solutions: `M = 12`, `208 cycles`.
fn amount(best: &Best, value: Value) -> String {
    let shown = value.shown();
    let unit = match best.measure.as_str() {
        size @ ("m" | "k" | "n") => return format!("{} = {shown}", size.to_ascii_uppercase()),
        "largest" => return format!("largest value {shown}"),
        "pes" => "PEs",
        "cycles" => "cycles",
        "macs" => "products",
        "reads_a + reads_b + writes_c" => "numbers",
        "wrong" => "wrong elements",
        "ridge" => "FLOP per byte",
        "watts" => "W",
        _ => return shown,
    };
    format!("{shown} {unit}")
}

/// Returns the message about a lesson that does not exist (`n_cards` = 0), or about a card that the lesson does not
/// have.
#[must_use]
pub fn not_there(place: &str, title: &str, n_cards: usize) -> String {
    match n_cards {
        0 => format!("There is no lesson card {}.", plain::quote(place)),
        _ => format!("There is no card {}: “{title}” has {n_cards} cards.", plain::quote(place)),
    }
}

/// Returns the message about a lesson that is loading, or that could not be loaded.
#[must_use]
pub const fn waiting(is_missing: bool) -> &'static str {
    match is_missing {
        true => "This lesson could not be loaded; the rest of the page still works.",
        false => "Loading the lesson …",
    }
}

/// Label of the button that tries to load a lesson again.
pub const TRY_AGAIN: &str = "Try again";
/// Label of the button that deletes the record of answered cards.
pub const CLEAR: &str = "Clear my progress";
/// Note that explains where the progress is stored.
pub const KEPT: &str = "Stored only in this browser.";

/// Returns the progress in a set: `5 of 62 cards done`.
#[must_use]
pub fn set_done(set: Set, done: usize, all: usize) -> String {
    let unit = match set {
        Set::Course | Set::Tests => "cards done",
        Set::Challenges => "solved",
        Set::Claims => "judged",
    };
    format!("{done} of {all} {unit}")
}

/// Returns the progress in a lesson: `5 of 9`.
#[must_use]
pub fn cards_done(done: usize, cards: usize) -> String {
    if done >= cards { "✓ all done".to_owned() } else { format!("{done} of {cards}") }
}

/// Label of the field with the link to an answer.
pub const RESULT: &str = "Link to your answer (re-checked when opened)";

/// Returns the message about an answer in a link. The message lists the settings of the answer, and states if the
/// settings meet the goal.
#[must_use]
pub fn sent(settings: &[(Field, FieldValue)], is_met: bool) -> String {
    let settings: Vec<String> = settings.iter().map(|(name, value)| format!("{} = {value}", field(*name))).collect();
    let settings = display::number::joined(&settings, ", ");
    let verdict = if is_met { "it meets the goal" } else { "it does not meet the goal" };
    let settings = if settings.is_empty() { settings } else { format!(": {settings}") };
    format!("This link contains an answer{settings}. Your browser ran the answer again: {verdict}.")
}

/// Message about a run that differs from the card in a setting that the task does not offer.
pub const NOT_OFFERED: &str =
    "A setting outside this task has changed, so the result does not count. Go back to the lesson.";

/// Message about a link that changes more settings than the task allows.
pub const SENT_TOO_MUCH: &str =
    "This link contains an answer that changes more than the task allows, so it does not count. Here is the task.";

/// Returns the message about an unusable typed answer, with the allowed answers.
#[must_use]
pub fn not_usable(what: &NotUsable) -> String {
    match what {
        NotUsable::Number { given, limits } => {
            let kind = if limits.is_whole { "whole number" } else { "number" };
            let number = |number| significant(number, 9);
            let range = limits.range.map(|(least, most)| format!(" from {} to {}", number(least), number(most)));
            format!("{} is not a {kind}{}.", plain::quote(given), range.or_empty())
        }
        NotUsable::TooLarge(given) => format!("{} is too large.", plain::quote(given)),
        NotUsable::Pe { given: (row, col), array } => {
            let (row, col) = (plain::quote(row), plain::quote(col));
            let (last_row, last_col) = (array.rows() - 1, array.cols() - 1);
            format!("There is no PE in row {row}, column {col}: rows are 0 to {last_row}, columns 0 to {last_col}.")
        }
    }
}

/// Returns the message about a file that has no cards to do again.
#[must_use]
pub fn not_again(what: &NotAgain) -> String {
    match what {
        NotAgain::Head(given) => {
            format!(
                "The file begins with {}, not with “{HEAD}”: choose a file that this page exported.",
                plain::quote(given)
            )
        }
        NotAgain::Line { line, given } => {
            let gaps: Vec<String> = GAPS_DAYS.iter().map(ToString::to_string).collect();
            let gaps = display::number::joined(&gaps, ", ");
            format!(
                "Line {line} is {}: write a card that is not in the list yet, its next day, its gap in days ({gaps}) and its last version, such as “multiply.4 20787 3 2”.",
                plain::quote(given)
            )
        }
    }
}

/// Returns a title with the versions that follow: `Follow one matmul, version 3`, `Follow one matmul, versions 1 to 5`.
/// Version 0 is the lesson as written.
#[must_use]
pub fn titled(title: &str, versions: RangeInclusive<u32>) -> String {
    match versions.into_inner() {
        (0, 0) => title.to_owned(),
        (first, last) if first == last => format!("{title}, version {first}"),
        (first, last) => format!("{title}, versions {first} to {last}"),
    }
}

/// Returns the title of a card, which says if the card has other numbers: `One PE, with other numbers`.
#[must_use]
pub fn repeated(title: &str, has_others: bool) -> String {
    if has_others { format!("{title}, with other numbers") } else { title.to_owned() }
}

/// Returns the verdict on an answer, in one or two sentences.
#[must_use]
pub fn verdict(judged: &Judged) -> String {
    if judged.verdict == Verdict::Right {
        // A typed number that is near enough counts as right. The message has the exact number.
        let exact = judged.numbers.map_or_else(|| judged.given.clone(), |(_, right)| right.shown());
        return if exact.is_empty() { "Right.".to_owned() } else { format!("Right: {exact}.") };
    }
    if let Some(differs) = &judged.differs {
        let sizes: Vec<String> =
            differs.sizes.iter().map(|(field, size)| format!("{} = {size}", ::words::label::field(*field))).collect();
        let given = differs.given.map_or_else(|| "no value".to_owned(), Value::shown);
        return format!(
            "Your formula is not right for every shape. With {}, the formula gives {given}; the array needs {}.",
            display::number::joined(&sizes, ", "),
            differs.right.shown()
        );
    }
    let said = format!("You answered {}; the right answer is {}.", quoted(&judged.given), quoted(&judged.right));
    match off_by(judged) {
        Some(off) => said + " " + &off,
        None => said,
    }
}

/// Returns an answer inside a sentence: an answer in words is in quotation marks; a number or a name is not.
fn quoted(answer: &str) -> String {
    if answer.starts_with(char::is_lowercase) { format!("“{answer}”") } else { answer.to_owned() }
}

/// Returns a sentence that compares a wrong number with the right number. The sentence states the ratio if the ratio is
/// at least 2, and otherwise the difference. `None` if a number is not a positive amount, or if a wrong share, time or
/// price is almost right.
fn off_by(judged: &Judged) -> Option<String> {
    let (given, right) = judged.numbers?;
    let is_amount = matches!(right.unit, Unit::Count | Unit::Share | Unit::Seconds | Unit::Dollars);
    if !is_amount || given.number <= 0.0 || right.number <= 0.0 {
        return None;
    }
    let is_more = given.number > right.number;
    let (less, more) = if is_more { (right.number, given.number) } else { (given.number, right.number) };
    let ratio = more / less;
    if ratio >= 2.0 {
        let whose = if is_more { "Your number" } else { "The right number" };
        let times = if ratio < 2.05 { "twice".to_owned() } else { format!("{} times", readable(ratio, 2)) };
        return Some(format!("{whose} is {times} as large."));
    }
    // Any difference of a count is reported. Other differences are reported only if they are large enough.
    let way = if is_more { "too high" } else { "too low" };
    match right.unit {
        Unit::Count => {
            // A quotient of two counts is not a number of things.
            let is_number_of_things = given.number.fract() == 0.0 && right.number.fract() == 0.0;
            let way = match (is_number_of_things, is_more) {
                (true, true) => "too many",
                (true, false) => "too few",
                (false, _) => way,
            };
            Some(format!("That is {} {way}.", readable(more - less, 3)))
        }
        Unit::Share if more - less >= 0.005 => {
            Some(format!("That is {} percentage points {way}.", readable((more - less) * 100.0, 2)))
        }
        Unit::Seconds | Unit::Dollars if ratio >= 1.05 => {
            let off = (given.number / right.number - 1.0).abs();
            Some(format!("That is {} % {way}.", readable(off * 100.0, 2)))
        }
        _ => None,
    }
}

/// Returns the label of a field that a task lets the reader change.
#[must_use]
pub const fn field(field: Field) -> &'static str {
    ::words::label::field(field)
}

/// Button that locks a guess, after which the fields appear.
pub const LOCK_GUESS: &str = "Lock guess";

/// Label of the field for a guess.
#[must_use]
pub fn guess(field: Field) -> String {
    format!("First, guess {}", self::field(field))
}

/// Returns the guess of the reader. After the task is solved, the text also says that the guess meets the goal, or
/// gives the setting of the solution.
#[must_use]
pub fn guessed(guess: &str, is_met: bool, field: Field, solution: Option<&FieldValue>) -> String {
    let said = |given: &str| match setting(field, given) {
        Some(name) => name.to_owned(),
        None => format!("{} = {given}", self::field(field)),
    };
    let guess = said(guess);
    match solution {
        Some(_) if is_met => format!("You guessed {guess}, and this meets the goal."),
        Some(solution) => format!("You guessed {guess}. A solution is {}.", said(&solution.to_string())),
        None => format!("You guessed {guess}."),
    }
}

/// Returns the name of a setting of a task, such as “sums stay”. `None` if the id of the setting is its name.
#[must_use]
pub fn setting(field: Field, id: &str) -> Option<&'static str> {
    match (field, id) {
        (Field::Dataflow, "ws") => Some("weights stay"),
        (Field::Dataflow, "os") => Some("sums stay"),
        (Field::Dataflow, "is") => Some("inputs stay"),
        _ => None,
    }
}

/// Message about pictures of a worksheet that did not load.
pub const NO_PICTURES: &str = "The pictures did not load. Press the button again.";

/// Button that prints all cards of a lesson.
pub const PRINT: &str = "Print worksheet";
/// Button that prints all cards of a lesson with their answers.
pub const PRINT_ANSWERS: &str = "Print with answers";
/// Label before the right answer on a worksheet.
pub const ANSWER: &str = "Answer:";

/// Label before the document that supports a conclusion.
pub const SOURCE: &str = "Source:";

/// Caption below the picture of the run that a claim describes.
pub const AS_DRAWN: &str = "The array as drawn";

/// Returns the caption below the picture of a run that disproves a claim or contradicts a drawing.
#[must_use]
pub fn beside(cycle: systolic::Cycle) -> String {
    format!("A correct run, at cycle {}", display::number::grouped(cycle.get()))
}
