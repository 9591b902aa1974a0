//! All lessons, in the order of the course, with the claims and the challenges.
//!
//! The text of a lesson is a separate file, which the page fetches when a person opens the lesson. The titles and the
//! card counts are computed when this crate is compiled, so the page can list the lessons without their texts.

systolic::named! {
    /// One of the sets in the list of lessons, in the order of the list.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Set {
        /// Lessons of the course.
        Course => "lessons",
        /// Challenges: tasks with a goal to meet.
        Challenges => "challenges",
        /// Claims about arrays and chips, for the reader to judge.
        Claims => "claims",
        /// Tests for before and after the course.
        Tests => "tests",
    }
}

/// List entry of a lesson, a group of claims or a group of challenges. The list shows the entry before the text is
/// loaded.
#[derive(Debug)]
pub struct Entry {
    /// The set that contains the lesson.
    pub set: Set,
    /// Name of the lesson in links.
    pub id: &'static str,
    /// Title of the lesson.
    pub title: &'static str,
    /// Contents of the lesson, in a few words.
    pub about: &'static str,
    /// Time for the cards in minutes, an estimate.
    pub minutes: u64,
    /// Number of cards.
    pub n_cards: usize,
    /// Cards that ask and can vary, as bits: bit 0 is the first card.
    varying: u16,
}

impl Entry {
    /// True if the card with this number, counted from 1, asks a question and has versions with other numbers.
    #[must_use]
    pub const fn can_vary(&self, card: usize) -> bool {
        card >= 1 && card <= self.n_cards && self.varying >> (card - 1) & 1 == 1
    }
}

const TITLE: &str = "# ";
const ABOUT: &str = "\nabout: ";
const MINUTES: &str = "\nminutes: ";

/// Returns the start and the end of the text between the first `mark` and the end of the line, as byte positions.
const fn rest_of_line(text: &str, mark: &str) -> (usize, usize) {
    let (bytes, mark) = (text.as_bytes(), mark.as_bytes());
    let (mut at, mut matched) = (0, 0);
    while matched < mark.len() {
        matched = if bytes[at] == mark[matched] { matched + 1 } else { (bytes[at] == mark[0]) as usize };
        at += 1;
    }
    let first = at;
    while bytes[at] != b'\n' {
        at += 1;
    }
    (first, at)
}

/// Returns the length in bytes of the text between the first `mark` and the end of the line.
const fn length(text: &str, mark: &str) -> usize {
    let (first, last) = rest_of_line(text, mark);
    last - first
}

/// Copies the text between the first `mark` and the end of the line into a separate byte array. A slice of the text
/// would keep the whole text in the compiled program.
const fn copy_of<const N: usize>(text: &str, mark: &str) -> [u8; N] {
    let (first, _) = rest_of_line(text, mark);
    let (mut copy, mut at) = ([0; N], 0);
    while at < N {
        copy[at] = text.as_bytes()[first + at];
        at += 1;
    }
    copy
}

/// Reads the time in minutes from the text of a lesson.
const fn minutes(text: &str) -> u64 {
    let (mut at, last) = rest_of_line(text, MINUTES);
    let mut minutes = 0;
    while at < last {
        minutes = minutes * 10 + (text.as_bytes()[at] - b'0') as u64;
        at += 1;
    }
    minutes
}

/// Counts the cards in the text of a lesson.
const fn card_count(text: &str) -> usize {
    let (bytes, mut at, mut cards) = (text.as_bytes(), 0, 0);
    while at < bytes.len() {
        cards += has_at(bytes, at, b"\n## ") as usize;
        at += 1;
    }
    cards
}

/// True if a text has a mark at this byte position.
const fn has_at(text: &[u8], at: usize, mark: &[u8]) -> bool {
    let mut nth = 0;
    while nth < mark.len() && at + nth < text.len() && text[at + nth] == mark[nth] {
        nth += 1;
    }
    nth == mark.len()
}

/// Returns the cards with the keys `ask` and `vary`, as bits: bit 0 is the first card.
const fn varying(text: &str) -> u16 {
    let (bytes, mut at, mut card) = (text.as_bytes(), 0, 0_u32);
    let (mut asking, mut varying) = (0_u16, 0_u16);
    while at < bytes.len() {
        card += has_at(bytes, at, b"\n## ") as u32;
        let bit = if card == 0 { 0 } else { 1 << (card - 1) };
        asking |= if has_at(bytes, at, b"\nask: ") { bit } else { 0 };
        varying |= if has_at(bytes, at, b"\nvary: ") { bit } else { 0 };
        at += 1;
    }
    asking & varying
}

macro_rules! cards {
    ($($set:ident in $folder:literal: $($id:literal),+;)+) => {
        /// All lessons, claims and challenges, in the order of the list.
        static ALL: &[Entry] = &[$($({
            const TEXT: &str = include_str!(concat!("../../../../course/", $folder, "/", $id, ".md"));
            const TITLE_BYTES: &[u8] = &copy_of::<{ length(TEXT, TITLE) }>(TEXT, TITLE);
            const ABOUT_BYTES: &[u8] = &copy_of::<{ length(TEXT, ABOUT) }>(TEXT, ABOUT);
            const ENTRY: Entry = Entry {
                set: Set::$set,
                id: $id,
                title: match str::from_utf8(TITLE_BYTES) { Ok(title) => title, Err(_) => $id },
                about: match str::from_utf8(ABOUT_BYTES) { Ok(about) => about, Err(_) => "" },
                minutes: minutes(TEXT),
                n_cards: card_count(TEXT),
                varying: varying(TEXT),
            };
            ENTRY
        }),+),+];

        /// Returns the text of the lesson, claims or challenges with this id. The shipped page does not call this
        /// function, because the page fetches a text when a person opens the lesson.
        #[must_use]
        pub fn text(id: &str) -> Option<&'static str> {
            Some(match id {
                $($($id => include_str!(concat!("../../../../course/", $folder, "/", $id, ".md")),)+)+
                _ => return None,
            })
        }
    };
}

cards! {
    Course in "lessons":
        "multiply", "why-array", "pe-cycles", "tiles", "dataflow", "build", "layers", "array-size", "rounding", "to-mfu";
    Claims in "claims":
        "mixed-claims", "array-claims", "drawing-claims", "memory-claims", "chip-claims", "format-claims",
        "price-claims", "run-claims", "layer-claims";
    Challenges in "challenges": "challenges-first", "challenges-second", "challenges-chip";
    Tests in "tests": "form-a", "form-b";
}

/// Returns the lesson with this id.
#[must_use]
pub fn entry(id: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.id == id)
}

/// Lessons of a set, in the order of the list.
pub fn of_set(set: Set) -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter(move |entry| entry.set == set)
}

/// Ids of all lessons of the course, in order.
pub fn ids() -> impl Iterator<Item = &'static str> {
    ids_of_set(Set::Course)
}

/// Ids of a set, in the order of the list.
pub fn ids_of_set(set: Set) -> impl Iterator<Item = &'static str> {
    of_set(set).map(|entry| entry.id)
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

/// Returns the title of a lesson, from the first line of the lesson's text. Empty if no lesson has this id.
#[must_use]
pub fn title(id: &str) -> &'static str {
    entry(id).map_or("", |entry| entry.title)
}

/// Returns the number of cards of a lesson, or 0 if no lesson has this id.
#[must_use]
pub fn n_cards(id: &str) -> usize {
    entry(id).map_or(0, |entry| entry.n_cards)
}
