//! Messages about mistakes in lesson files.

use crate::mistake::What;
use crate::{Mistake, Refusal};

/// Returns the message about a mistake in a lesson, with its line and column: `12:7: …`.
#[must_use]
pub fn mistake(mistake: &Mistake) -> String {
    format!("{}:{}: {}", mistake.at.line, mistake.at.col, what(&mistake.what))
}

fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    display::number::joined(&names, ", ")
}

/// Returns the message about a mistake in a lesson, without its position.
#[must_use]
pub fn what(what: &What) -> String {
    match what {
        What::Markup => "a card can have only headings, paragraphs, one list, one quote and bold words: remove everything else".to_owned(),
        What::OutOfPlace => {
            "this part is out of order: a lesson starts with a # title and a `lesson` block; then each card has, in this order, a ## title, a `card` block, text, a ### question, the choices as a list, and the conclusion as a quote"
                .to_owned()
        }
        What::Key(key, known) => format!("there is no key {}: use one of {}", plain::quote(key), list(known)),
        What::Twice(key) => format!("{key} appears twice: remove one of the two lines"),
        What::NoKey(key) => format!("this block needs the key {key}"),
        What::NotOneOf(given, names) => format!("{} is not allowed here: use one of {}", plain::quote(given), list(names)),
        What::NoCount(given) => format!("{} is not a whole number of 1 or more", plain::quote(given)),
        What::NoColon(given) => format!("{} does not have the form `key: value`", plain::quote(given)),
        What::State(said) => format!("the state cannot be used: {said}"),
        What::Problem(problem) => ::words::message::problem(problem),
        What::Name(name) => format!("there is nothing with the name {}", plain::quote(name)),
        What::Sign(sign) if sign.is_empty() => "the expression ends too early".to_owned(),
        What::Sign(sign) => format!("the expression cannot continue with {}", plain::quote(sign)),
        What::NoValue(given, why) => {
            let of = if given.is_empty() { "this".to_owned() } else { plain::quote(given) };
            format!("{of} has no value here: {}", refusal(*why))
        }
        What::Number(number) => {
            format!("the text says {number}, which is not a size in the state: replace the number with an expression in braces")
        }
        What::TooManyWords { n, most } => format!("{n} words; at most {most} are allowed here"),
        What::TooManyLit(n) => format!("{n} parts are highlighted; at most {} are allowed", crate::Lit::MOST),
        What::Kind("explain") => "a card of the kind `explain` cannot have a question".to_owned(),
        What::Kind(kind) => format!("a card of the kind {kind} needs a ### heading with a question"),
        What::Choices(what) => choices(what).to_owned(),
        What::NoReason => {
            "a wrong answer needs a paragraph that begins with the misconception in bold".to_owned()
        }
        What::Goal("shows") => "the condition in `shows` is false in this state".to_owned(),
        What::Goal("source") => {
            "a claim with `shows: source` needs `source:` with an address that begins with https://, a space, and words of the document in quotation marks".to_owned()
        }
        What::Goal("names") => "`names` needs one name for each comparison of the goal".to_owned(),
        What::Goal("met") => "the state already meets the goal".to_owned(),
        What::Goal(_) => "the solution does not meet the goal, or sets a field that the card does not offer".to_owned(),
        What::Beside => "`beside` cannot show a built dataflow: leave out `beside`, or each `flow=`".to_owned(),
        What::Vary(why, given) => format!("{} cannot vary: {}", plain::quote(given), vary(why)),
        What::Cards(n) => {
            format!("{n} cards; a lesson has {} to {}", crate::Lesson::CARDS.0, crate::Lesson::CARDS.1)
        }
    }
}

fn vary(why: &str) -> &'static str {
    match why {
        "best" => {
            "the best solution is known only for the numbers that the challenge has in the file, so remove `vary`"
        }
        "twice" => "this name appears twice, so remove one of the two",
        "state" => "the run of this state does not depend on it, so remove it",
        "empty" => "write a range from a smaller to a larger number, such as `3 to 9`",
        _ => "write a range such as `3 to 9`, at least two values such as `4 8`, or a size such as `as rows`",
    }
}

fn choices(what: &str) -> &'static str {
    match what {
        "value" => {
            "an answer must begin with its value: write the value in braces to show it on the page, or as code to hide it"
        }
        "right" => "exactly one answer must be right",
        "reason" => {
            "this answer is right, so it cannot have a misconception: remove the text of the misconception, and put the explanation into the card's conclusion (the block quote)"
        }
        "same" => "this answer has the same value as another answer",
        "stop" => "an answer must not end with a period, because the verdict puts the answer into a sentence",
        "few" => "a question needs at least two answers",
        _ => "the right answer is outside of the range",
    }
}

const fn refusal(why: Refusal) -> &'static str {
    match why {
        Refusal::CannotRun => "no run is possible with these settings",
        Refusal::NotThere => "the run has no such cycle, PE or element",
        Refusal::NoDefect => "the state has no fault: add `break=`",
        Refusal::NoFlow => "the state has no built dataflow: add `flow=`",
        Refusal::Nothing => "the register is empty in this cycle",
        Refusal::NoEvent => "the run has no such event",
        Refusal::NoRun => "the card does not have the key `run`",
        Refusal::NoPe => "row and col work only in conditions on PEs",
        Refusal::NotWhole => "a whole number, 0 or more, is needed",
        Refusal::NotOfKind => "this is a number where a condition is needed, or a condition where a number is needed",
        Refusal::NoNumber => "the expression divides by zero, or its result is too large",
        Refusal::Unknown => "its inputs are not published",
    }
}
