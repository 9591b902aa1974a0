//! What is said about lessons, from typed values: mistakes in them, verdicts, and the words of their buttons.

use display::number::readable;
use plain::OrEmpty;
use studio::Field;

use crate::course::Set;
use crate::entry::NotUsable;
use crate::mistake::What;
use crate::{Best, Judged, Kind, Mistake, Refusal, Unit, Value, Verdict};

/// The button to the card after this one.
pub const NEXT: &str = "Next";
/// The button to the card before this one.
pub const BACK: &str = "Back";
/// The button that leaves a question unanswered.
pub const SKIP: &str = "Skip";
/// The button that puts the state of the card back.
pub const BACK_TO_LESSON: &str = "Back to the lesson";
/// The button that hands the state over.
pub const TRY: &str = "Try it in Explore";
/// The button that starts a lesson from its first card.
pub const AGAIN: &str = "Start over";
/// The button that plays the reveal once more.
pub const RUN_AGAIN: &str = "Run it again";
/// The list of all lessons.
pub const ALL_LESSONS: &str = "All lessons";
/// The button while nothing is chosen.
pub const CHOOSE_FIRST: &str = "Choose an answer first";
/// The two fields of a PE, and that of a number.
pub const ROW: &str = "row";
/// See [`ROW`].
pub const COL: &str = "column";
/// See [`ROW`].
pub const NUMBER: &str = "Your answer";
/// What a slider says before it was touched.
pub const NO_ANSWER: &str = "no answer yet";
/// The button that chooses the PE of two fields.
pub const CHOOSE: &str = "Choose";
/// The field of a formula.
pub const FORMULA: &str = "Your formula";
/// The note below the heading.
pub const FORMULA_HINT: &str =
    "In rows, cols, m, k and n, with + - * / and ceil( ). The page tests your formula on many shapes.";
/// The buttons that move one of several in their order.
pub const EARLIER: &str = "up";
/// See [`EARLIER`].
pub const LATER: &str = "down";

/// The heading of a set of cards.
#[must_use]
pub const fn set(set: Set) -> &'static str {
    match set {
        Set::Course => "Lessons",
        Set::Claims => "True or false?",
        Set::Challenges => "Challenges",
    }
}

/// What is asked of a claim.
pub const CLAIM: &str = "True, false, or it depends?";
/// What a claim may be.
pub const CLAIMED: [&str; 3] = ["true", "false", "it depends"];

/// Whether something holds.
#[must_use]
pub const fn truth(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

/// What a card is for, above its question.
#[must_use]
pub const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Explain => "Look",
        Kind::Predict => "Predict first",
        Kind::Change => "Your turn",
    }
}

/// How far one is: `Card 5 of 8`.
#[must_use]
pub fn progress(card: usize, cards: usize) -> String {
    format!("Card {card} of {cards}")
}

/// How a PE is chosen, until one is.
#[must_use]
pub const fn press(is_one: bool) -> &'static str {
    if is_one {
        "Press a PE of the array, or type its position."
    } else {
        "Press every such PE, or type their positions."
    }
}

/// The button that locks an answer: `Lock in 16 and see`.
#[must_use]
pub fn lock(answer: &str) -> String {
    if answer.is_empty() { "Lock in and see".to_owned() } else { format!("Lock in {answer} and see") }
}

/// The button to the next lesson.
#[must_use]
pub fn next_lesson(title: &str) -> String {
    format!("Next: {title}")
}

/// That a goal is met, or where the run is now.
#[must_use]
pub const fn goal(is_met: bool) -> &'static str {
    if is_met { "Done." } else { "Not yet." }
}

/// Behind what a goal is about, as it is now.
pub const NOW: &str = "now";
/// Before what a wrong answer comes from.
pub const THOUGHT: &str = "You may have thought";
/// The button that shows the next of several hints.
pub const HINT: &str = "Hint";

/// How a way to meet a goal compares with the best known one.
#[must_use]
pub fn best(best: &Best, known: Value, yours: Value) -> String {
    let is_as_good =
        known.is_same(yours) || if best.is_largest { yours.number > known.number } else { yours.number < known.number };
    match is_as_good {
        true => format!("{}: the best known.", yours.shown()),
        false => format!("Yours: {}. Best known: {}.", yours.shown(), known.shown()),
    }
}

/// That there is no such lesson, or no such card of a lesson of this title.
#[must_use]
pub fn not_there(place: &str, title: &str, n_cards: usize) -> String {
    match n_cards {
        0 => format!("There is no lesson card {}.", plain::quote(place)),
        _ => format!("There is no card {}: “{title}” has {n_cards} cards.", plain::quote(place)),
    }
}

/// That a lesson is on its way, or did not arrive.
#[must_use]
pub const fn waiting(is_missing: bool) -> &'static str {
    match is_missing {
        true => "This lesson could not be loaded; the rest of the page still works.",
        false => "Loading the lesson …",
    }
}

/// The button that asks for a lesson once more.
pub const TRY_AGAIN: &str = "Try again";
/// The button that forgets which cards were answered.
pub const CLEAR: &str = "Clear my progress";
/// The note below the heading.
pub const KEPT: &str = "Stored only in this browser.";

/// How far a lesson has been gone through: `5 of 9`.
#[must_use]
pub fn cards_done(done: usize, cards: usize) -> String {
    if done >= cards { "✓ all done".to_owned() } else { format!("{done} of {cards}") }
}

/// Over the link to an answer.
pub const RESULT: &str = "Link to your answer (re-checked when opened)";

/// What becomes of an answer that came with a link: its settings, and whether they meet the goal.
#[must_use]
pub fn sent(settings: &[(Field, String)], is_met: bool) -> String {
    let settings: Vec<String> = settings.iter().map(|(name, text)| format!("{} = {text}", field(*name))).collect();
    let settings = display::number::joined(&settings, ", ");
    let verdict = if is_met { "it meets the goal" } else { "it does not meet the goal" };
    let settings = if settings.is_empty() { settings } else { format!(": {settings}") };
    format!("This link contains an answer{settings}. Your browser re-ran it: {verdict}.")
}

/// That the link changes more than the task allows.
pub const SENT_TOO_MUCH: &str =
    "This link contains an answer that changes more than the task allows, so it does not count. Here is the task.";

/// What is wrong with what was typed, and what may be.
#[must_use]
pub fn not_usable(what: &NotUsable) -> String {
    match what {
        NotUsable::Number { given, limits } => {
            let kind = if limits.is_whole { "whole number" } else { "number" };
            let number = |number| display::number::significant(number, 9);
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

/// What became of an answer, in a sentence or two.
#[must_use]
pub fn verdict(judged: &Judged<'_>) -> String {
    if judged.verdict == Verdict::Right {
        return match judged.given.as_str() {
            "" => "Right.".to_owned(),
            given => format!("Right: {given}."),
        };
    }
    if let Some(differs) = &judged.differs {
        let sizes: Vec<String> =
            differs.sizes.iter().map(|(field, size)| format!("{} = {size}", ::words::label::field(*field))).collect();
        let given = differs.given.map_or_else(|| "no value".to_owned(), Value::shown);
        return format!(
            "Not for every shape. With {} your formula gives {given}; the array needs {}.",
            display::number::joined(&sizes, ", "),
            differs.right.shown()
        );
    }
    let said = format!("You said {}; it is {}.", judged.given, judged.right);
    match off_by(judged) {
        Some(off) => said + " " + &off,
        None => said,
    }
}

/// How far off a number was: by how many where that is less than as many again, else by what factor.
fn off_by(judged: &Judged<'_>) -> Option<String> {
    let (given, right) = judged.numbers?;
    let is_amount = matches!(right.unit, Unit::Count | Unit::Share | Unit::Seconds | Unit::Dollars);
    if !is_amount || given.number <= 0.0 || right.number <= 0.0 {
        return None;
    }
    let is_more = given.number > right.number;
    let (less, more) = if is_more { (right.number, given.number) } else { (given.number, right.number) };
    let ratio = more / less;
    if ratio >= 2.0 {
        let whose = if is_more { "Yours" } else { "The right number" };
        let times = if ratio < 2.05 { "twice".to_owned() } else { format!("{} times", readable(ratio, 2)) };
        return Some(format!("{whose} is {times} as large."));
    }
    // Of what is no count, what nobody would notice is not said.
    match right.unit {
        Unit::Count => {
            let way = if is_more { "too many" } else { "too few" };
            Some(format!("That is {} {way}.", readable(more - less, 3)))
        }
        Unit::Share if more - less >= 0.005 => {
            let (off, way) = (readable((more - less) * 100.0, 2), if is_more { "too high" } else { "too low" });
            Some(format!("That is {off} percentage points {way}."))
        }
        Unit::Seconds | Unit::Dollars if ratio >= 1.05 => {
            let (off, way) =
                ((given.number / right.number - 1.0).abs(), if is_more { "too much" } else { "too little" });
            Some(format!("That is {} % {way}.", readable(off * 100.0, 2)))
        }
        _ => None,
    }
}

/// A mistake in a lesson: `12:7: …`.
#[must_use]
pub fn mistake(mistake: &Mistake) -> String {
    format!("{}:{}: {}", mistake.at.line, mistake.at.col, what(&mistake.what))
}

fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    display::number::joined(&names, ", ")
}

/// What is wrong, without its place.
#[must_use]
pub fn what(what: &What) -> String {
    match what {
        What::Markup => "a card has headings, paragraphs, one list, one quote and bold words, nothing else".to_owned(),
        What::OutOfPlace => {
            "a lesson is # title, a block `lesson`, then for each card ## title, a block `card`, text, ### question, choices as a list, and the conclusion as a quote"
                .to_owned()
        }
        What::Key(key, known) => format!("there is no key {}; the keys are {}", plain::quote(key), list(known)),
        What::Twice(key) => format!("{key} is here twice"),
        What::NoKey(key) => format!("this block needs the key {key}"),
        What::NotOneOf(given, names) => format!("{} is not one of {}", plain::quote(given), list(names)),
        What::NoCount(given) => format!("{} is not a whole number, 1 or more", plain::quote(given)),
        What::NoColon(given) => format!("{} is not `key: value`", plain::quote(given)),
        What::State(said) => format!("the state cannot be used: {said}"),
        What::Problem(problem) => ::words::message::problem(problem),
        What::Name(name) => format!("nothing is called {}", plain::quote(name)),
        What::Sign(sign) if sign.is_empty() => "the expression ends too early".to_owned(),
        What::Sign(sign) => format!("the expression cannot go on with {}", plain::quote(sign)),
        What::NoValue(given, why) => {
            let of = if given.is_empty() { "this".to_owned() } else { plain::quote(given) };
            format!("{of} has no value here: {}", refusal(*why))
        }
        What::Number(number) => {
            format!("the text says {number}, which is not a size of the state: write its expression in braces")
        }
        What::TooManyWords { n, most } => format!("{n} words; at most {most} are allowed here"),
        What::TooManyLit(n) => format!("{n} parts are highlighted; at most {} are allowed", crate::Lit::MOST),
        What::Kind("explain") => "a card of the kind explain asks nothing".to_owned(),
        What::Kind(kind) => format!("a card of the kind {kind} needs a ### heading that asks"),
        What::Choices(what) => choices(what).to_owned(),
        What::NoReason => {
            "a wrong answer needs its own paragraph, which begins with the misconception in bold".to_owned()
        }
        What::Goal("shows") => "the condition in `shows` is false in this state".to_owned(),
        What::Goal("source") => "a claim that a source decides names the source at the end, after `Source:`".to_owned(),
        What::Goal("met") => "the state meets the goal already".to_owned(),
        What::Goal(_) => "the solution does not meet the goal, or sets a field that the card does not offer".to_owned(),
        What::Cards(n) => {
            format!("{n} cards; a lesson has {} to {}", crate::Lesson::CARDS.0, crate::Lesson::CARDS.1)
        }
    }
}

fn choices(what: &str) -> &'static str {
    match what {
        "value" => "an answer begins with its value, in braces if it is shown and as code if it is not",
        "right" => "exactly one answer must be right",
        "reason" => "this answer is right, so it has no misconception; write the conclusion into the quote",
        "same" => "this answer has the same value as another answer",
        "few" => "there must be two answers or more",
        _ => "the right answer is outside of the range",
    }
}

const fn refusal(why: Refusal) -> &'static str {
    match why {
        Refusal::CannotRun => "with these settings nothing can run",
        Refusal::NotThere => "the run has no such cycle, PE or element",
        Refusal::NoDefect => "the state has no fault: `break=`",
        Refusal::Nothing => "the register is empty then",
        Refusal::NoEvent => "the run has no such moment",
        Refusal::NoRun => "the card has no key run",
        Refusal::NoPe => "row and col are for conditions on PEs",
        Refusal::NotWhole => "a whole number, 0 or more, is needed",
        Refusal::NotOfKind => "a number is needed instead of a condition, or a condition instead of a number",
        Refusal::NoNumber => "the result is divided by zero or too large",
        Refusal::Unknown => "its inputs are not published",
    }
}

/// A field of a change, for its slider.
#[must_use]
pub const fn field(field: Field) -> &'static str {
    ::words::label::field(field)
}

/// Under the picture of the run that shows a claim or a drawing to be otherwise.
#[must_use]
pub fn beside(cycle: systolic::Cycle) -> String {
    format!("A run that disproves it, at cycle {}", display::number::grouped(cycle.get()))
}
