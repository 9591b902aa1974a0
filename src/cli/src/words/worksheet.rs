//! The sentences of a worksheet.

use display::number::joined;
use lesson::Lesson;
use studio::Field;

/// Minutes, aims, and what comes before.
pub(crate) fn about(lesson: &Lesson) -> String {
    let aims = joined(&lesson.aims, "; ");
    let needs = match lesson.needs.as_slice() {
        [] => String::new(),
        needs => format!(" Before it: {}.", joined(needs, ", ")),
    };
    format!("{} minutes. Aims: {aims}.{needs}", lesson.minutes)
}

/// What was checked and how to name the source.
pub(crate) fn checked(id: &str) -> String {
    format!(
        "Systolic Playground {}, worksheet {id}. Each number is worked out from the run of its card; tests solve every \
         question. No class has tried it yet. To answer on screen, open the page with learn={id} in its address.",
        env!("CARGO_PKG_VERSION")
    )
}

/// The right answer.
pub(crate) fn right(answer: &str) -> String {
    format!("Answer: {answer}.")
}

/// What may be changed.
pub(crate) fn fields(fields: &[Field]) -> String {
    let names: Vec<String> = fields.iter().map(|&field| words::label::field(field).to_owned()).collect();
    format!("To change: {}.", joined(&names, ", "))
}

/// Settings that meet a goal.
pub(crate) fn solution(settings: &[(Field, String)]) -> String {
    let set = |(field, value): &(Field, String)| format!("{} = {value}", words::label::field(*field));
    format!("Best known: {}.", joined(&settings.iter().map(set).collect::<Vec<_>>(), ", "))
}
