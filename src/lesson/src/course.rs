//! All lessons, in the order of the course, with the claims and the challenges.
//!
//! The text of a lesson is a separate file, which the page fetches when a person opens the lesson. The titles and the
//! numbers of cards in the list are computed when this crate is compiled.

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

/// What the list says of a lesson before its text is there.
#[derive(Debug)]
struct Entry {
    set: Set,
    id: &'static str,
    title: &'static str,
    cards: usize,
}

const TITLE_MARK: &str = "# ";

/// How long the title is that a text begins with.
const fn title_length(text: &str) -> usize {
    let (bytes, mut at) = (text.as_bytes(), TITLE_MARK.len());
    while bytes[at] != b'\n' {
        at += 1;
    }
    at - TITLE_MARK.len()
}

/// The title as bytes of its own: a piece of the text would bring all of the text along.
const fn title_of<const N: usize>(text: &str) -> [u8; N] {
    let (mut title, mut at) = ([0; N], 0);
    while at < N {
        title[at] = text.as_bytes()[TITLE_MARK.len() + at];
        at += 1;
    }
    title
}

/// How many cards a text has.
const fn card_count(text: &str) -> usize {
    let (bytes, mut at, mut cards) = (text.as_bytes(), 0, 0);
    while at + 4 < bytes.len() {
        let is_heading = bytes[at] == b'\n' && bytes[at + 1] == b'#' && bytes[at + 2] == b'#' && bytes[at + 3] == b' ';
        cards += is_heading as usize;
        at += 1;
    }
    cards
}

macro_rules! cards {
    ($($set:ident in $folder:literal: $($id:literal),+;)+) => {
        /// All of them, in the order of the list.
        static ALL: &[Entry] = &[$($({
            const TEXT: &str = include_str!(concat!("../../../course/", $folder, "/", $id, ".md"));
            const TITLE: &[u8] = &title_of::<{ title_length(TEXT) }>(TEXT);
            const CARDS: usize = card_count(TEXT);
            let title = match str::from_utf8(TITLE) { Ok(title) => title, Err(_) => $id };
            Entry { set: Set::$set, id: $id, title, cards: CARDS }
        }),+),+];

        /// The text of a lesson, of claims or of challenges. The shipped page does not call it: it fetches each text when
        /// it is opened.
        #[must_use]
        pub fn text(id: &str) -> Option<&'static str> {
            Some(match id {
                $($($id => include_str!(concat!("../../../course/", $folder, "/", $id, ".md")),)+)+
                _ => return None,
            })
        }
    };
}

cards! {
    Course in "lessons": "wave", "waste", "dataflows", "folds", "formats", "mfu", "models";
    Claims in "claims":
        "claims-array", "claims-drawings", "claims-memory", "claims-chips", "claims-numbers", "claims-money",
        "claims-scale", "claims-clouds", "claims-software";
    Challenges in "challenges": "challenges-first", "challenges-second", "challenges-chip";
}

fn entry(id: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.id == id)
}

/// The ids of all lessons, in the order of the course.
pub fn ids() -> impl Iterator<Item = &'static str> {
    of(Set::Course)
}

/// The ids of a set, in the order in which they are listed.
pub fn of(set: Set) -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(move |entry| entry.set == set).map(|entry| entry.id)
}

/// The set of an id.
#[must_use]
pub fn set(id: &str) -> Option<Set> {
    entry(id).map(|entry| entry.set)
}

/// What follows in the same set.
#[must_use]
pub fn after(id: &str) -> Option<&'static str> {
    of(set(id)?).skip_while(|of| *of != id).nth(1)
}

/// Its title, as its first line says it.
#[must_use]
pub fn title(id: &str) -> &'static str {
    entry(id).map_or("", |entry| entry.title)
}

/// How many cards it has; none where there is no such lesson.
#[must_use]
pub fn n_cards(id: &str) -> usize {
    entry(id).map_or(0, |entry| entry.cards)
}
