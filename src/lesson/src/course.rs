//! All lessons, in the order of the course; the claims and the challenges.

/// What a set of cards is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// A lesson of the course.
    Course,
    /// What is said of arrays and chips, to be checked.
    Claims,
    /// Goals to meet.
    Challenges,
}

impl Set {
    /// All of them, in the order of the list.
    pub const ALL: [Self; 3] = [Self::Course, Self::Claims, Self::Challenges];
}

macro_rules! cards {
    ($set:ident, $folder:literal, $($id:literal),+) => {
        [$((Set::$set, $id, include_str!(concat!("../../../", $folder, "/", $id, ".md")))),+]
    };
}

/// Each lesson's id and its text.
static COURSE: [(Set, &str, &str); 7] =
    cards!(Course, "lessons", "wave", "waste", "dataflows", "folds", "formats", "mfu", "models");
static CLAIMS: [(Set, &str, &str); 6] = cards!(
    Claims,
    "claims",
    "claims-array",
    "claims-memory",
    "claims-chips",
    "claims-numbers",
    "claims-money",
    "claims-scale"
);
static CHALLENGES: [(Set, &str, &str); 3] =
    cards!(Challenges, "challenges", "challenges-first", "challenges-second", "challenges-chip");

fn all() -> impl Iterator<Item = &'static (Set, &'static str, &'static str)> {
    COURSE.iter().chain(&CLAIMS).chain(&CHALLENGES)
}

/// The ids of all lessons, in the order of the course.
pub fn ids() -> impl Iterator<Item = &'static str> {
    of(Set::Course)
}

/// The ids of a set, in the order in which they are listed.
pub fn of(set: Set) -> impl Iterator<Item = &'static str> {
    all().filter(move |(of, ..)| *of == set).map(|(_, id, _)| *id)
}

/// The set of an id.
#[must_use]
pub fn set(id: &str) -> Option<Set> {
    all().find(|(_, of, _)| *of == id).map(|(set, ..)| *set)
}

/// What follows in the same set.
#[must_use]
pub fn after(id: &str) -> Option<&'static str> {
    of(set(id)?).skip_while(|of| *of != id).nth(1)
}

/// The text of a lesson, of claims or of challenges.
#[must_use]
pub fn text(id: &str) -> Option<&'static str> {
    all().find(|(_, of, _)| *of == id).map(|(.., text)| *text)
}

/// Its title, as its first line says it.
#[must_use]
pub fn title(id: &str) -> &'static str {
    text(id).and_then(|text| text.lines().next()).map_or("", |line| line.trim_start_matches(['#', ' ']))
}
