//! The pages of the lessons: the list of lessons, and the cards, each with its lesson and number.

/// A card of a lesson, as a link names it: `wave.3` is the third card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonPlace {
    /// The lesson.
    pub lesson: String,
    /// Number of the card, from 1.
    pub card: usize,
    /// Version of the card with other numbers; 0 for the card as written.
    pub version: u32,
    /// True if the link has an answer to the task of the card. The settings of the answer replace the settings with
    /// which the card begins.
    pub is_result: bool,
}

/// Suffix of the name of a card with an answer.
const RESULT: &str = ".result";
/// Text before the number of a version.
const VERSION: &str = ".v";

impl LessonPlace {
    /// Reads `wave.3`, `wave.3.v12` for a version or, with an answer, `wave.3.result`. A name without a number, such as
    /// `wave`, means the first card of the lesson.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let without = text.strip_suffix(RESULT);
        let (text, is_result) = (without.unwrap_or(text), without.is_some());
        let (lesson, card) = text.split_once('.').unwrap_or((text, "1"));
        let is_id = !lesson.is_empty() && lesson.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        let (card, version) = card.split_once(VERSION).map_or((card, None), |(card, version)| (card, Some(version)));
        let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number > 0);
        let card = number(card)?;
        let version = version.map_or(Some(0), |version| u32::try_from(number(version)?).ok())?;
        is_id.then(|| Self { lesson: lesson.to_owned(), card, version, is_result })
    }

    /// Returns the text that [`parse`](Self::parse) reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.version_text() + if self.is_result { RESULT } else { "" }
    }

    /// Returns the name of the card with its version, without an answer, such as `wave.3` or `wave.3.v12`.
    #[must_use]
    pub fn version_text(&self) -> String {
        let card = self.card_text();
        if self.version == 0 { card } else { [&card, VERSION, &self.version.to_string()].concat() }
    }

    /// Returns the name of the card without version and answer, such as `wave.3`.
    #[must_use]
    pub fn card_text(&self) -> String {
        format!("{}.{}", self.lesson, self.card)
    }
}

/// The page of the lessons that a link opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LearnPage {
    /// List of all lessons, challenges and claims.
    Contents,
    /// Card of a lesson.
    Card(LessonPlace),
}

/// Name of the list of lessons in a link. No lesson has this id.
const CONTENTS: &str = "contents";

impl LearnPage {
    /// Reads `contents`, or the name of a card as [`LessonPlace::parse`] does.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text == CONTENTS { Some(Self::Contents) } else { LessonPlace::parse(text).map(Self::Card) }
    }

    /// Returns the text that [`parse`](Self::parse) reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        match self {
            Self::Contents => CONTENTS.to_owned(),
            Self::Card(place) => place.to_text(),
        }
    }

    /// Returns the card, if the page is a card.
    #[must_use]
    pub const fn card(&self) -> Option<&LessonPlace> {
        match self {
            Self::Contents => None,
            Self::Card(place) => Some(place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_place_reads_what_it_writes_and_a_lesson_alone_is_its_first_card() {
        for text in ["wave.1", "wave.12", "number-formats.3", "wave.3.result", "wave.3.v12", "wave.3.v1.result"] {
            assert_eq!(LessonPlace::parse(text).map(|place| place.to_text()).as_deref(), Some(text));
        }
        assert_eq!(LessonPlace::parse("wave").map(|place| place.to_text()).as_deref(), Some("wave.1"));
        for text in [
            "",
            "wave.0",
            "wave.x",
            "Wave.1",
            "../wave.1",
            "wave.1.2",
            "wave.-1",
            "wave.1.result.result",
            ".result",
            "wave.1.v",
            "wave.1.v0",
            "wave.1.vx",
            "wave.1.v-1",
            "wave.v1",
        ] {
            assert_eq!(LessonPlace::parse(text), None, "{text}");
            assert_eq!(LearnPage::parse(text), None, "{text}");
        }
        assert_eq!(LearnPage::parse("contents"), Some(LearnPage::Contents));
        assert_eq!(LearnPage::Contents.to_text(), "contents");
    }
}
