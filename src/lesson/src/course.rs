//! All lessons, in the order of the course.

/// Each lesson's id and its text.
static COURSE: [(&str, &str); 1] = [("wave", include_str!("../../../lessons/wave.md"))];

/// The ids of all lessons, in the order of the course.
pub fn ids() -> impl Iterator<Item = &'static str> {
    COURSE.iter().map(|(id, _)| *id)
}

/// The text of a lesson.
#[must_use]
pub fn text(id: &str) -> Option<&'static str> {
    COURSE.iter().find(|(of, _)| *of == id).map(|(_, text)| *text)
}

/// The title of a lesson, as its first line says it.
#[must_use]
pub fn title(id: &str) -> &'static str {
    text(id).and_then(|text| text.lines().next()).map_or("", |line| line.trim_start_matches(['#', ' ']))
}
