//! Slides: views to show one after another, so that one link can contain a lecture.
//!
//! `?…&slide=2#slides=rows%3D4%0Arows%3D8` has two slides and shows the second one. Each slide is the link of a view.
//! The title (`# Each number is read once`), the time (`@ 40 s`) and the notes of the speaker follow the link. After
//! the time, `plays` lets the run of the slide play by itself, and `stop=6` stops it at cycle 6. Tabs separate the
//! parts, and the lines of the notes, because no link contains a tab. A file of slides has one slide per line.
//!
//! The page has no separate mode for slides. So a reload shows the same slide, and a change by a person affects the
//! view but not the slide.

use crate::{Entry, Link, PartText, PartTexts};

/// Slides, and the index of the slide that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deck {
    slides: Vec<Slide>,
    /// Index of the shown slide, from 0, if a slide is shown. A slide with this index always exists.
    at: Option<usize>,
}

/// Reason why a text is not a file of slides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeckProblem {
    /// A line that is not a link of this page.
    NoLink {
        /// Number of the line, from 1.
        line: usize,
        /// Text of the line, cut when long.
        given: String,
    },
    /// A line that makes the slides longer than [`Deck::BYTES_MAX`].
    TooLong {
        /// Number of the line, from 1.
        line: usize,
    },
    /// A file without any slide.
    Empty,
}

/// One slide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Slide {
    /// Link of the slide's view, as `query#fragment`.
    view: String,
    said: Said,
}

/// The words and the time of a slide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Sentence that the audience reads in place of the caption; empty for the caption of the run.
    pub title: String,
    /// Time that the speaker plans for the slide, in seconds; 0 if none is planned.
    pub seconds: u32,
    /// True if the run of the slide plays by itself.
    pub plays: bool,
    /// Cycle at which playback stops for the speaker; `None` if playback stops only at the end of the run.
    pub stop: Option<u64>,
    /// True if the slide shows no MFU and no cost, because the talk has not explained them yet.
    pub has_no_mfu: bool,
    /// Notes of the speaker, in lines.
    pub notes: String,
}

impl Said {
    /// Reads the parts of a slide after its view.
    fn of_parts<'a>(parts: impl Iterator<Item = &'a str>) -> Self {
        let (mut said, mut parts) = (Self::default(), parts.peekable());
        if let Some(title) = parts.next_if(|part| part.starts_with(TITLE)) {
            title[TITLE.len()..].clone_into(&mut said.title);
        }
        if let Some(time) = parts.next_if(|part| part.starts_with(TIME)) {
            said.seconds = time.split(' ').find_map(|word| word.parse().ok()).unwrap_or(0).min(Self::SECONDS_MAX);
            let has = |mark| time.split(' ').any(|word| word == mark);
            said.stop = time.split(' ').find_map(|word| word.strip_prefix(STOP)?.parse().ok());
            (said.plays, said.has_no_mfu) = (has(PLAYS), has(NO_MFU));
        }
        said.notes = parts.collect::<Vec<_>>().join("\n");
        said
    }

    /// Writes the parts of a slide after its view, each after a tab.
    fn to_parts(&self) -> String {
        // A line break would end the slide, and other control characters do not belong in a text.
        let line = |text: &str| text.replace(char::is_control, " ");
        let mut parts = Vec::new();
        if !self.title.is_empty() {
            parts.push(format!("{TITLE}{}", line(&self.title)));
        }
        if self.seconds > 0 || self.plays || self.stop.is_some() || self.has_no_mfu {
            let mut time = format!("{TIME}{} s", self.seconds);
            let stop = self.stop.map(|cycle| format!(" {STOP}{cycle}"));
            for (_, mark) in [(self.plays, PLAYS), (self.has_no_mfu, NO_MFU)].into_iter().filter(|(is_set, _)| *is_set)
            {
                time.extend([" ", mark]);
            }
            time.extend(stop);
            parts.push(time);
        }
        parts.extend(self.notes.lines().map(line));
        parts.iter().map(|part| format!("{BETWEEN}{part}")).collect()
    }

    /// Longest time of a slide, in seconds.
    pub const SECONDS_MAX: u32 = 3600;
}

impl Slide {
    fn of_line(line: &str) -> Self {
        let mut parts = line.split(BETWEEN);
        let view = parts.next().unwrap_or_default().to_owned();
        Self { view, said: Said::of_parts(parts) }
    }

    fn to_line(&self) -> String {
        format!("{}{}", self.view, self.said.to_parts())
    }

    fn n_bytes(&self) -> usize {
        self.to_line().len() + 1
    }
}

/// Beginnings of the parts with the title and with the time, then the marks that can follow the time. With these marks,
/// the run plays by itself, playback stops at a cycle, or the slide has no MFU and no cost.
const TITLE: &str = "# ";
const TIME: &str = "@ ";
const PLAYS: &str = "plays";
const STOP: &str = "stop=";
const NO_MFU: &str = "no-mfu";

/// Separator between the parts of a slide.
const BETWEEN: char = '\t';

impl Deck {
    /// Maximum number of bytes of the slides in a link. The number is limited, because the page writes a link at every
    /// change.
    pub const BYTES_MAX: usize = 16_384;

    /// Reads the slides of a link. A slide number that is too large means the last slide. Without a number, no slide is
    /// shown.
    #[must_use]
    pub fn of(texts: &PartTexts) -> Self {
        let slides: Vec<Slide> = texts[PartText::Slides].lines().map(Slide::of_line).collect();
        let number = texts[PartText::Slide].parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let at = number.zip(slides.len().checked_sub(1)).map(|(index, last)| index.min(last));
        Self { slides, at }
    }

    /// Returns a copy of `texts` with these slides and the number of the shown slide.
    #[must_use]
    pub fn in_texts(&self, texts: &PartTexts) -> PartTexts {
        let slide = self.at.map_or_else(String::new, |at| (at + 1).to_string());
        let lines: Vec<String> = self.slides.iter().map(Slide::to_line).collect();
        texts.clone().with(PartText::Slides, lines.join("\n")).with(PartText::Slide, slide)
    }

    /// Number of slides.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slides.len()
    }

    /// True if there are no slides.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slides.is_empty()
    }

    /// Index of the shown slide, from 0; `None` if no slide is shown.
    #[must_use]
    pub const fn at(&self) -> Option<usize> {
        self.at
    }

    /// Returns the link that shows a slide and keeps the other `texts`. `None` if no slide has this index.
    #[must_use]
    pub fn shown(&self, index: usize, texts: &PartTexts) -> Option<Link> {
        let text = self.slides.get(index)?.view.as_str();
        let (query, fragment) = text.split_once('#').unwrap_or((text, ""));
        let texts = Self { at: Some(index), ..self.clone() }.in_texts(texts);
        Some(Link { texts, ..Link::parse(query, fragment) })
    }

    /// Adds a slide with this view after the shown slide, or at the end if none is shown. Returns false if the slides
    /// would exceed [`BYTES_MAX`](Self::BYTES_MAX).
    pub fn push(&mut self, view: &Link) -> bool {
        // A slide contains no slides, because the deck would then grow by copies of itself.
        let without = |texts: PartTexts, of| texts.with(of, String::new());
        let texts = [PartText::Slides, PartText::Slide, PartText::Kiosk].into_iter().fold(view.texts.clone(), without);
        let (query, fragment) = Link { texts, ..view.clone() }.to_parts();
        let view = if fragment.is_empty() { query } else { format!("{query}#{fragment}") };
        let slide = Slide { view, said: Said::default() };
        let has_room = self.n_bytes() + slide.n_bytes() <= Self::BYTES_MAX;
        if has_room {
            self.slides.insert(self.at.map_or(self.slides.len(), |at| at + 1), slide);
        }
        has_room
    }

    fn n_bytes(&self) -> usize {
        self.slides.iter().map(Slide::n_bytes).sum()
    }

    /// Writes the slides as a file that people and browsers can read. Each line has the link of a slide and, after tabs,
    /// its title, its time and its notes.
    #[must_use]
    pub fn to_file(&self, page: &str) -> String {
        self.slides.iter().map(|slide| format!("{page}?{}\n", slide.to_line())).collect()
    }

    /// Reads a file that [`to_file`](Self::to_file) wrote. The links may contain the address of any page. Ignores empty
    /// lines.
    ///
    /// # Errors
    /// Names the first line that is not the link of a view, or that makes the slides longer than
    /// [`BYTES_MAX`](Self::BYTES_MAX). Fails also if no slide is found.
    pub fn of_file(text: &str) -> Result<Self, DeckProblem> {
        let mut deck = Self::default();
        for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let Slide { view, said } = Slide::of_line(line);
            let view = view.trim();
            if view.is_empty() && said == Said::default() {
                continue;
            }
            // A link inside a fragment may have its own question mark.
            let from = view.split('#').next().and_then(|before| before.find('?')).map_or(0, |at| at + 1);
            let (query, fragment) = view[from..].split_once('#').unwrap_or((&view[from..], ""));
            let says = |part: &str| form_urlencoded::parse(part.as_bytes()).any(|(name, _)| Entry::of(&name).is_some());
            if !says(query) && !says(fragment) {
                return Err(DeckProblem::NoLink { line: index + 1, given: plain::cut(line) });
            }
            let has_room = deck.push(&Link::parse(query, fragment)) && deck.say(deck.len() - 1, &said);
            if !has_room {
                return Err(DeckProblem::TooLong { line: index + 1 });
            }
        }
        if deck.is_empty() { Err(DeckProblem::Empty) } else { Ok(deck) }
    }

    /// Returns the links of the views, in their order.
    pub fn views(&self) -> impl Iterator<Item = &str> {
        self.slides.iter().map(|slide| slide.view.as_str())
    }

    /// Returns the words and the time of a slide, if a slide has this index.
    #[must_use]
    pub fn said(&self, index: usize) -> Option<&Said> {
        self.slides.get(index).map(|slide| &slide.said)
    }

    /// Sets the words and the time of a slide. Returns false if no slide has this index, or if the words are too long.
    pub fn say(&mut self, index: usize, said: &Said) -> bool {
        let n_bytes = self.n_bytes();
        let Some(slide) = self.slides.get_mut(index) else { return false };
        // The deck stores the words and the time as a link does: without control characters, and with the time within
        // its bounds.
        let said = Said::of_parts(said.to_parts().split(BETWEEN).skip(1));
        let new = Slide { view: slide.view.clone(), said };
        let has_room = n_bytes - slide.n_bytes() + new.n_bytes() <= Self::BYTES_MAX;
        if has_room {
            *slide = new;
        }
        has_room
    }

    /// Removes a slide. If the removed slide was shown, a neighboring slide is shown instead.
    pub fn remove(&mut self, index: usize) {
        if index < self.slides.len() {
            self.slides.remove(index);
            let last = self.slides.len().checked_sub(1);
            self.at = self.at.zip(last).map(|(at, last)| if index < at { at - 1 } else { at.min(last) });
        }
    }

    /// Moves a slide one position toward the start.
    pub fn move_up(&mut self, index: usize) {
        if (1..self.slides.len()).contains(&index) {
            self.slides.swap(index - 1, index);
            self.at = match self.at {
                Some(at) if at == index => Some(index - 1),
                Some(at) if at + 1 == index => Some(index),
                at => at,
            };
        }
    }

    /// Returns the index of the slide that is `places` positions after the shown slide. A negative number goes back.
    /// The index never goes before the first slide or beyond the last slide. `None` if the deck is empty.
    #[must_use]
    pub fn next(&self, places: isize) -> Option<usize> {
        let last = self.slides.len().checked_sub(1)?;
        // If no slide is shown yet, the first slide is next.
        Some(self.at.map_or(0, |at| at.saturating_add_signed(places).min(last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn deck(views: &[&str]) -> Deck {
        let mut deck = Deck::default();
        for view in views {
            let (query, fragment) = view.split_once('#').unwrap_or((view, ""));
            assert!(deck.push(&Link::parse(query, fragment)));
        }
        deck
    }

    fn shown(deck: &Deck, index: usize) -> Option<Link> {
        deck.shown(index, &PartTexts::default())
    }

    #[test]
    fn slides_go_through_a_link_unchanged() {
        let deck = deck(&["rows=8&cols=8&t=12", "df=os&break=no-skew", "fill=custom&t=3#a=1,2;3,4&b=5,6;7,8"]);
        let asked =
            PartTexts::default().with(PartText::Ask, "chips=8".to_owned()).with(PartText::Kiosk, "45".to_owned());
        let link = deck.shown(2, &asked).expect("the third");
        let (query, fragment) = link.to_parts();
        let again = Link::parse(&query, &fragment);
        assert_eq!(again, link);
        assert_eq!(Deck::of(&again.texts), Deck { at: Some(2), ..deck });
        assert_eq!((again.texts[PartText::Ask].as_str(), again.texts[PartText::Kiosk].as_str()), ("chips=8", "45"));
        assert_eq!(again.cycle, Cycle(3));
        assert_eq!((again.scenario.m, again.scenario.n), (2, 2), "the view of the slide is that of the link");
        let first = shown(&Deck::of(&again.texts), 0).expect("a slide");
        assert_eq!((first.scenario.rows, first.cycle), (8, Cycle(12)));
        assert!(again.notices.is_empty() && again.unknown == crate::Unknown::default());
    }

    #[test]
    fn a_deck_is_walked_from_end_to_end_and_back() {
        let mut deck = deck(&["t=1", "t=2", "t=3"]);
        assert_eq!((deck.at(), deck.next(1), deck.next(-1)), (None, Some(0), Some(0)));
        let walked = [1, 1, 1, 1, -1, -1, -1].map(|places| {
            deck.at = deck.next(places);
            deck.at.expect("one is shown")
        });
        assert_eq!(walked, [0, 1, 2, 2, 1, 0, 0]);
        assert_eq!(Deck::default().next(1), None);
    }

    #[test]
    fn what_is_shown_stays_shown_while_slides_come_and_go() {
        let at = |deck: &Deck| deck.at().and_then(|at| shown(deck, at)).map(|link| link.cycle.get());
        let mut deck = deck(&["t=1", "t=2", "t=3"]);
        deck.at = Some(1);
        deck.move_up(2);
        assert_eq!(at(&deck), Some(2));
        deck.move_up(0);
        deck.remove(0);
        assert_eq!((at(&deck), deck.len()), (Some(2), 2));
        deck.remove(1);
        assert_eq!(at(&deck), Some(3), "the last one there is");
        deck.remove(0);
        deck.remove(7);
        assert_eq!((at(&deck), deck.is_empty()), (None, true));
    }

    #[test]
    fn notes_go_through_a_link_with_their_slides() {
        let mut deck = deck(&["t=1", "fill=custom&t=3#a=1,2;3,4&b=5,6;7,8"]);
        let notes = |text: &str| Said { notes: text.to_owned(), ..Said::default() };
        let title = "Each number is read once".to_owned();
        let said = Said {
            title,
            seconds: 40,
            plays: true,
            stop: Some(6),
            has_no_mfu: true,
            notes: "Ask: what comes next? #1 & 50 %\nThen step.".to_owned(),
        };
        assert!(deck.say(1, &said) && !deck.say(2, &notes("nobody's")));
        deck.move_up(1);
        let (query, fragment) = shown(&deck, 0).expect("a slide").to_parts();
        let again = Deck::of(&Link::parse(&query, &fragment).texts);
        assert_eq!((again.said(0), again.said(1), again.said(2)), (Some(&said), Some(&Said::default()), None));
        assert_eq!(again.views().collect::<Vec<_>>(), deck.views().collect::<Vec<_>>());
        let first = shown(&again, 0).expect("a slide");
        assert!(first.scenario.a.is_some() && first.notices.is_empty(), "the notes are no part of the view");
        assert!(deck.say(0, &notes("a\tb\r\nc\u{1b}")));
        assert_eq!(deck.said(0), Some(&notes("a b\nc ")), "a tab of a note is no line");
        assert!(!deck.say(0, &notes(&"x".repeat(Deck::BYTES_MAX))), "no room");
        assert_eq!(deck.said(0), Some(&notes("a b\nc ")), "the notes are unchanged");
        assert!(deck.say(0, &Said { seconds: 1_000_000, ..Said::default() }));
        assert_eq!(deck.said(0).map(|said| said.seconds), Some(Said::SECONDS_MAX));
        assert!(
            deck.say(0, &notes("")) && shown(&deck, 0).is_some_and(|link| !link.texts[PartText::Slides].contains('\t'))
        );
    }

    #[test]
    fn slides_go_through_a_file_with_their_notes() {
        let mut deck = deck(&["t=1", "df=os&break=no-skew", "fill=custom&t=3#a=1,2;3,4&b=5,6;7,8"]);
        let said = Said { notes: "Ask: what comes next?\nThen step.".to_owned(), plays: true, ..Said::default() };
        assert!(deck.say(1, &said));
        let file = deck.to_file("https://example.org/play/");
        let lines: Vec<&str> = file.lines().collect();
        assert!(lines.len() == 3 && lines[0].starts_with("https://example.org/play/?v=1&rows=4"), "{file}");
        assert_eq!(Deck::of_file(&file), Ok(deck.clone()));
        // An editor on another system may save the deck of another page with empty lines.
        let other = format!(
            "\u{feff}{}",
            file.replace("https://example.org/play/", "file:///C:/a%20b.html").replace('\n', "\r\n\r\n")
        );
        assert_eq!(Deck::of_file(&other), Ok(deck));
        assert_eq!(Deck::of_file("rows=8&t=3").map(|deck| deck.len()), Ok(1), "without a page");
    }

    #[test]
    fn a_file_that_is_none_of_slides_is_refused_with_its_line() {
        let refused = |text: &str| Deck::of_file(text).expect_err("no slides");
        assert_eq!(refused(""), DeckProblem::Empty);
        assert_eq!(refused("\n \r\n"), DeckProblem::Empty);
        let no_link = |line, given: &str| DeckProblem::NoLink { line, given: given.to_owned() };
        assert_eq!(refused("t=1\nMy lecture"), no_link(2, "My lecture"));
        assert_eq!(refused("https://example.org/"), no_link(1, "https://example.org/"));
        assert_eq!(refused("\tnotes without a view"), no_link(1, "notes without a view"));
        let long = format!("t=1\nt=2\t{}", "x".repeat(Deck::BYTES_MAX));
        assert_eq!(refused(&long), DeckProblem::TooLong { line: 2 });
    }

    #[test]
    fn absurd_decks_are_read_without_harm() {
        for (query, fragment, n_slides, at) in [
            ("slide=99", "slides=t%3D1%0At%3D2", 2, Some(1)),
            ("slide=2", "slides=t%3D1%0A%0A", 2, Some(1)),
            ("slide=0", "slides=%23%23%23", 1, None),
            ("slide=-1e9", "slides=rows%3D1e99", 1, None),
            ("slide=1", "", 0, None),
            ("", "slides", 0, None),
        ] {
            let link = Link::parse(query, fragment);
            let deck = Deck::of(&link.texts);
            assert_eq!((deck.len(), deck.at()), (n_slides, at), "{query} {fragment}");
            for index in 0..=n_slides {
                assert_eq!(shown(&deck, index).is_some(), index < n_slides);
            }
        }
        assert_eq!(Link::parse("", "slides=t%3D1&slides=t%3D2").notices.iter().count(), 1, "the first counts");
    }

    #[test]
    fn a_deck_that_no_link_can_carry_is_refused() {
        let mut deck = Deck::default();
        let n_carried = (0..).find(|_| !deck.push(&Link::default())).expect("an end");
        assert!(n_carried >= 80, "{n_carried} slides fit in a link");
        assert_eq!(deck.len(), n_carried);
        let (query, fragment) = shown(&deck, 0).expect("the first").to_parts();
        let again = Link::parse(&query, &fragment);
        assert_eq!((Deck::of(&again.texts).len(), again.notices.is_empty()), (n_carried, true));
    }
}
