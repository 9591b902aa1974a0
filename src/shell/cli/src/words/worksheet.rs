//! Sentences of a worksheet.

use display::number::joined;
use lesson::course::Set;
use lesson::{Change, Lesson, course};
use studio::defect::DefectName;
use studio::{Field, FieldValue};

/// Returns the line with the duration of the lesson in minutes, the aims of the lesson, and the lessons to do first.
pub(crate) fn about(lesson: &Lesson) -> String {
    let aims = joined(&lesson.aims, "; ");
    let needs = match lesson.needs.as_slice() {
        [] => String::new(),
        needs => {
            let titles: Vec<String> = needs.iter().map(|id| course::title(id).to_owned()).collect();
            format!(" Before this lesson: {}.", joined(&titles, ", "))
        }
    };
    format!("{} minutes. Aims: {aims}.{needs}", lesson.minutes)
}

/// Returns the footer: the source of the worksheet, the tests behind its numbers, and the address parameter that opens
/// the same lesson on the page.
pub(crate) fn checked(id: &str) -> String {
    format!(
        "Systolic Playground {}, worksheet {id}. Each number is computed from the run of its card, and tests solve \
         every question. No class has tried this worksheet yet. To answer on screen, open the page with learn={id} in the \
         address.",
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns the name of the answer to a card, for screen readers: `Answer to 3, version 2`.
pub(crate) fn answer_of(nth: u32, version: u32) -> String {
    lesson::words::titled(&format!("Answer to {nth}"), version..=version)
}

/// Returns the problem with a version of a worksheet whose cards cannot vary.
pub(crate) fn no_version(id: &str) -> String {
    let can_vary =
        |id: &&str| course::entry(id).is_some_and(|entry| (1..=entry.n_cards).any(|card| entry.can_vary(card)));
    let ids: Vec<String> =
        Set::ALL.into_iter().flat_map(course::ids_of_set).filter(can_vary).map(str::to_owned).collect();
    format!("--version: no card of {id} can vary, so use one of {}.", joined(&ids, ", "))
}

/// Returns the line with the right answer.
pub(crate) fn right(answer: &str) -> String {
    format!("Answer: {answer}.")
}

/// Returns the line with the fields that a reader can change.
pub(crate) fn fields(change: &Change) -> String {
    if change.skew.is_some() {
        return "To change: the delay of each row, in cycles.".to_owned();
    }
    if change.flow.is_some() {
        return "To change: the move of A, B and the sums, and the delays of rows and columns.".to_owned();
    }
    let names: Vec<String> = change.fields.iter().map(|&field| words::label::field(field).to_owned()).collect();
    format!("To change: {}.", joined(&names, ", "))
}

/// Returns the line with the best known settings that meet the goal.
pub(crate) fn solution(change: &Change) -> String {
    if let Some(DefectName::OwnSkew { edges, n_rows }) = change.skew {
        let edges: Vec<String> = edges.iter().take(n_rows.into()).map(ToString::to_string).collect();
        return format!("Best known, row by row: {} cycles.", joined(&edges, ", "));
    }
    if let Some(flow) = change.flow {
        let moves =
            [("A", flow.a), ("B", flow.b), ("sums", flow.sums)].map(|(name, motion)| [name, motion.id()].join(" "));
        let (row, col) = (flow.row_delay, flow.col_delay);
        return format!("Best known: {}, row delay {row}, column delay {col}.", joined(&moves, ", "));
    }
    let set = |(field, value): &(Field, FieldValue)| format!("{} = {value}", words::label::field(*field));
    format!("Best known: {}.", joined(&change.solution.iter().map(set).collect::<Vec<_>>(), ", "))
}
