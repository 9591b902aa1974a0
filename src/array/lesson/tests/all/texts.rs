//! Tests of the words of the cards: no number that is not computed, and no glossary word before its introduction.

use std::collections::{BTreeMap, BTreeSet};

use lesson::course::Set;
use lesson::{Card, Piece};
use perfmodel::gemm_time::Rung;
use words::{glossary, legend};

use crate::cards;

/// Words for numbers that are five or more. A smaller number in words may count parts of the sentence.
const IN_WORDS: [&str; 22] = [
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "sixteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "sixty-four",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "percent",
];

/// Literal numbers that a text may contain, each with the reason why it is not computed.
const EXCEPTIONS: [(&str, &str, &str); 8] = [
    ("", "us-central1", "a region of a cloud"),
    ("", "fp8", "all formats of eight bits"),
    ("", "10\u{b9}\u{b2}", "a unit: tera"),
    ("", "10\u{b9}\u{2075}", "a unit: peta"),
    ("", "10\u{2079}", "a unit: giga"),
    ("rounding.5", "thousand", "in the title; the text has the number"),
    ("rounding.8", "sixteen", "in the title; the task has the number"),
    ("format-claims", "six", "the setting of the state that the card compares"),
];

/// Returns the parts of a card's texts that are literal and not computed. Inline code is a name and does not count.
fn written(card: &Card) -> Vec<&str> {
    let pieces = cards::paragraphs(card).into_iter().flat_map(|one| &one.pieces);
    let text = |piece: &'_ Piece| matches!(piece, Piece::Text { .. });
    pieces
        .filter(|piece| text(piece))
        .map(|piece| if let Piece::Text { text, .. } = piece { text.as_str() } else { "" })
        .collect()
}

/// Words with digits that are names: of formats and of chips, from the tables.
fn names() -> BTreeSet<String> {
    let formats = systolic::Dtype::ALL.map(|dtype| dtype.id().to_owned()).into_iter();
    let chips = perfmodel::Chip::all().iter().flat_map(|chip| {
        let parts = chip.name.split([' ', '(', ')']).chain(chip.id.split('-'));
        parts.map(str::to_owned).collect::<Vec<_>>()
    });
    formats.chain(chips).map(|name| name.to_lowercase()).collect()
}

#[test]
fn no_digit_stands_in_a_card_that_is_not_part_of_a_name() {
    let (names, mut found, mut used) = (names(), Vec::new(), BTreeSet::new());
    for (place, card) in cards::all() {
        for text in written(&card) {
            let words = text.split(|sign: char| !(sign.is_alphanumeric() || sign == '-'));
            let is_number =
                |word: &&str| word.contains(char::is_numeric) || IN_WORDS.contains(&word.to_lowercase().as_str());
            for word in words.filter(is_number).filter(|word| !names.contains(&word.to_lowercase())) {
                let excuse =
                    EXCEPTIONS.iter().find(|(at, known, _)| place.starts_with(at) && known.eq_ignore_ascii_case(word));
                match excuse {
                    Some(excuse) => _ = used.insert(excuse),
                    None => found.push(format!("{place} says {word:?}: {text}")),
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    assert!(EXCEPTIONS.iter().all(|one| used.contains(one)), "an exception that nothing needs: {used:?}");
}

/// Returns all texts of a card with their numbers.
fn said(card: &Card) -> Vec<String> {
    let scene = card.scene();
    cards::paragraphs(card).into_iter().filter_map(|one| one.shown(&scene).ok()).collect()
}

#[test]
fn a_word_of_the_glossary_is_introduced_before_a_card_uses_it() {
    let mut introduced: BTreeMap<String, String> = BTreeMap::new();
    let mut wrong = Vec::new();
    // A person who checks claims or solves challenges can look words up in the course.
    for (place, card) in Set::ALL.into_iter().flat_map(cards::of) {
        for word in &card.words {
            if let Some(before) = introduced.insert(word.clone(), place.clone()) {
                wrong.push(format!("{place} introduces {word}, as {before} does"));
            }
        }
        // The title of a lesson's first card is the name of the lesson.
        let names = usize::from(place.ends_with(".1"));
        for text in said(&card).into_iter().skip(names) {
            for (word, entry) in glossary::marked(&text) {
                if let Some(entry) = entry.filter(|entry| !introduced.contains_key(entry.id)) {
                    wrong.push(format!("{place} uses {word:?} ({}) before it is introduced", entry.id));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_card_says_the_words_that_it_introduces() {
    let mut silent = Vec::new();
    for (place, card) in Set::ALL.into_iter().flat_map(cards::of) {
        let text = said(&card).join(" ");
        let says = |term: &str| {
            let stands_alone = |at: usize| {
                let is_end = |sign: Option<char>| sign.is_none_or(|sign| !sign.is_alphanumeric());
                let after = text[at + term.len()..].strip_prefix('s').unwrap_or(&text[at + term.len()..]);
                is_end(text[..at].chars().next_back()) && is_end(after.chars().next())
            };
            let (lower, text) = (term.to_lowercase(), text.to_lowercase());
            text.match_indices(&lower).any(|(at, _)| stands_alone(at))
        };
        for word in &card.words {
            let entry = glossary::by_id(word).expect("an entry");
            if !entry.term.split(", ").any(says) {
                silent.push(format!("{place} introduces {word} and says none of {:?}", entry.term));
            }
        }
    }
    assert!(silent.is_empty(), "\n{}", silent.join("\n"));
}

/// Words about a run, with the condition under which they are true.
type Condition = (&'static str, fn(&Card) -> bool);

fn conditions() -> [Condition; 5] {
    let b_stays = |card: &Card| card.plan.schedule().dataflow() == systolic::Dataflow::WeightStationary;
    // Columns of A enter the rows of PEs, unless A is stationary.
    let rows_get_rows = |card: &Card| card.plan.schedule().dataflow() == systolic::Dataflow::OutputStationary;
    let filling_costs = |card: &Card| {
        let on = card.plan.on_chip().ok();
        on.is_some_and(|on| factor(&on, Rung::FillAndDrain) < factor(&on, Rung::Unexplained))
    };
    let reads_once = |card: &Card| legend::title(&card.plan)[1].contains("read once");
    let overlaps = |card: &Card| card.plan.schedule().design().overlap == systolic::Overlap::DoubleBuffered;
    [
        ("B stays in the PEs", b_stays),
        ("each row of A one cycle longer", rows_get_rows),
        ("pipelines fill", filling_costs),
        ("each number is read once", reads_once),
        ("load the next weights while they multiply", overlaps),
    ]
}

fn factor(on: &perfmodel::gemm_time::ProductOnChip, rung: Rung) -> f64 {
    on.steps.iter().find(|step| step.rung == rung).map_or(1.0, |step| step.factor)
}

#[test]
fn no_card_says_about_its_run_what_the_run_refutes() {
    let mut n_said = 0;
    for (place, card) in cards::all() {
        let text: String = cards::paragraphs(&card).iter().map(|one| one.text(&card.scene()) + "\n").collect();
        for (words, holds) in conditions() {
            assert!(!text.contains(words) || holds(&card), "{place}: {words}");
            n_said += u32::from(text.contains(words));
        }
    }
    assert!(n_said > 0);
}
