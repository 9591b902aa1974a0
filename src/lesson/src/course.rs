//! All lessons, in the order of the course, with the claims and the challenges.
//!
//! The text of a lesson is a separate file, which the page fetches when a person opens the lesson. The titles and the
//! card counts are computed when this crate is compiled, so the list of lessons needs no texts.

/// One of the three sets in the list of lessons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Set {
    /// Lessons of the course.
    Course,
    /// Claims about arrays and chips, for the reader to judge.
    Claims,
    /// Challenges: tasks with a goal to meet.
    Challenges,
}

impl Set {
    /// All sets, in the order of the list.
    pub const ALL: [Self; 3] = [Self::Course, Self::Claims, Self::Challenges];
}

/// Data of a lesson that the list shows before the text is loaded.
#[derive(Debug)]
struct Entry {
    set: Set,
    id: &'static str,
    title: &'static str,
    cards: usize,
}

const TITLE_MARK: &str = "# ";

/// Returns the length in bytes of the title at the beginning of a text.
const fn title_length(text: &str) -> usize {
    let (bytes, mut at) = (text.as_bytes(), TITLE_MARK.len());
    while bytes[at] != b'\n' {
        at += 1;
    }
    at - TITLE_MARK.len()
}

/// Copies the title into its own byte array. A slice of the text would keep the whole text in the compiled program.
const fn title_of<const N: usize>(text: &str) -> [u8; N] {
    let (mut title, mut at) = ([0; N], 0);
    while at < N {
        title[at] = text.as_bytes()[TITLE_MARK.len() + at];
        at += 1;
    }
    title
}

/// Counts the cards of a text.
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
        /// All lessons, claims and challenges, in the order of the list.
        static ALL: &[Entry] = &[$($({
            const TEXT: &str = include_str!(concat!("../../../course/", $folder, "/", $id, ".md"));
            const TITLE: &[u8] = &title_of::<{ title_length(TEXT) }>(TEXT);
            const CARDS: usize = card_count(TEXT);
            let title = match str::from_utf8(TITLE) { Ok(title) => title, Err(_) => $id };
            Entry { set: Set::$set, id: $id, title, cards: CARDS }
        }),+),+];

        /// Returns the text of the lesson, claims or challenges with this id. The shipped page does not call this
        /// function, because it fetches each text when a person opens it.
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

/// Ids of all lessons of the course, in order.
pub fn ids() -> impl Iterator<Item = &'static str> {
    ids_of_set(Set::Course)
}

/// Ids of a set, in the order of the list.
pub fn ids_of_set(set: Set) -> impl Iterator<Item = &'static str> {
    ALL.iter().filter(move |entry| entry.set == set).map(|entry| entry.id)
}

/// Returns the set that contains an id.
#[must_use]
pub fn set(id: &str) -> Option<Set> {
    entry(id).map(|entry| entry.set)
}

/// Returns the id of the next lesson in the same set.
#[must_use]
pub fn next_in_set(id: &str) -> Option<&'static str> {
    ids_of_set(set(id)?).skip_while(|of| *of != id).nth(1)
}

/// Returns the title of a lesson, taken from its first line. Empty if no lesson has this id.
#[must_use]
pub fn title(id: &str) -> &'static str {
    entry(id).map_or("", |entry| entry.title)
}

/// Returns the number of cards of a lesson, or 0 if no lesson has this id.
#[must_use]
pub fn n_cards(id: &str) -> usize {
    entry(id).map_or(0, |entry| entry.cards)
}
