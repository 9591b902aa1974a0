//! The searched texts of `public/ask.txt`, made from the sources of the page and of the book.

use std::collections::BTreeSet;

use ask::{Answer, Entry, Index, Kind, Target};
use lesson::course::Set;
use lesson::{Card, Lesson, printed};
use perfmodel::{Chip, Compute};
use studio::{PartText, Preset};
use workload::models::{MODELS, Model};
use workload::{Feed, Mixer};

use crate::pages::{self, Section};

/// Largest size of the index in bytes. The page loads the index when a person opens the search.
const BYTES_MAX: usize = 215_000;

fn entry(kind: Kind, target: &str, title: &str, says: &str, words: &str) -> Entry {
    let target =
        if target.starts_with('?') { Target::Link(target.to_owned()) } else { Target::Book(target.to_owned()) };
    Entry { answer: Answer { kind, title: title.to_owned(), says: says.to_owned(), target }, words: words.to_owned() }
}

/// Minimum number of bytes of a sentence that can stand alone.
const SENTENCE_MIN: usize = 40;

/// Returns the first sentence of a text, with the second if the first is short. Returns an empty text if the result has
/// more than `most` characters, or if it begins a list.
fn sentence(text: &str, most: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_end = |at: &usize| text[*at..].is_empty() || text[*at..].starts_with(' ');
    let ends: Vec<usize> = text.match_indices(['.', '?']).map(|(at, _)| at + 1).filter(is_end).collect();
    // A first sentence such as "No." needs the second.
    let end = ends.iter().find(|end| **end >= SENTENCE_MIN).or(ends.last()).copied().unwrap_or(0);
    let short = &text[..end];
    if short.chars().count() <= most { short.to_owned() } else { String::new() }
}

/// Words that are in most texts.
const COMMON: &[&str] = &[
    "the", "and", "of", "to", "in", "is", "are", "an", "for", "that", "this", "with", "as", "by", "on", "it", "its",
    "from", "or", "at", "be", "has", "have", "if", "not", "all", "each", "one", "two", "only", "also", "than", "then",
    "these", "they", "can", "which", "their", "other", "such", "does", "so", "was", "were", "but", "because",
    "between", "into", "there", "when", "you", "your", "no", "any", "more", "most", "same", "after", "before", "says",
    "test",
];

/// Words of a text that no other text of the entry has, each once, in their order.
fn words(text: &str, others: &[&str], most: usize) -> String {
    let split = |text: &str| -> Vec<String> {
        text.split(|sign: char| !sign.is_alphanumeric()).filter(|word| word.len() > 1).map(str::to_lowercase).collect()
    };
    let mut seen: BTreeSet<String> = others.iter().flat_map(|other| split(other)).collect();
    let is_new = |word: &String| !COMMON.contains(&&**word) && seen.insert(word.clone());
    split(text).into_iter().filter(is_new).take(most).collect::<Vec<_>>().join(" ")
}

/// Contributors read these pages, so the index has only their titles.
const TITLES_ONLY: [&str; 15] = [
    "../CONTRIBUTING.md",
    "testing.md",
    "../tests/golden/README.md",
    "../ARCHITECTURE.md",
    "../DESIGN.md",
    "../STYLE.md",
    "../CHANGELOG.md",
    "changes.md",
    "class-tests.md",
    "README.md",
    "sap.md",
    "json/README.md",
    "performance.md",
    "../course/README.md",
    "../SECURITY.md",
];
/// Pages whose content other entries of the index cover. For each page, the index has only headings up to this level.
const ELSEWHERE: [(&str, usize); 2] = [("glossary.md", 1), ("teachers.md", 2)];

/// Entries of a page of the book: worked questions, and other sections.
fn of_page(path: &str) -> Vec<Entry> {
    let from_root = path.strip_prefix("../").map_or_else(|| format!("docs/{path}"), str::to_owned);
    let sections = pages::sections(&crate::read(&from_root));
    let place = pages::place(path);
    let page = sections.first().map(|section| section.title.clone()).unwrap_or_default();
    let has_questions = matches!(path, "questions.md" | "facts.md");
    let of = |section: &Section| {
        let is_title = section.level == 1;
        let is_elsewhere = ELSEWHERE.iter().any(|(page, level)| *page == path && section.level > *level);
        if !is_title && (TITLES_ONLY.contains(&path) || is_elsewhere) {
            return None;
        }
        let is_question = has_questions && section.title.ends_with('?');
        let kind = if is_question { Kind::Question } else { Kind::Page };
        let place = if is_title { place.clone() } else { format!("{place}#{}", section.anchor) };
        let target = section.link.clone().filter(|link| is_question && link.len() > 1).unwrap_or(place);
        let title = if is_question || is_title { section.title.clone() } else { format!("{page}: {}", section.title) };
        let says = sentence(&section.lead, if is_question { 220 } else { 50 });
        let most = if is_question { 8 } else { 0 };
        Some(entry(kind, &target, &title, &says, &words(&section.text, &[&title, &says], most)))
    };
    sections.iter().filter_map(of).collect()
}

/// Title of the last card of each lesson, which asks for a summary.
const SUMMARY: &str = "In one sentence";

/// Entries of the cards of a set.
fn of_set(set: Set, kind: Kind) -> Vec<Entry> {
    let mut all = Vec::new();
    for list in lesson::course::of_set(set) {
        let text = lesson::course::text(list.id).expect("a text");
        let lesson = Lesson::read(text).expect("a lesson");
        all.extend((set == Set::Course).then(|| {
            let aims = lesson.aims.join(" ");
            entry(kind, &format!("?learn={}.1", list.id), &format!("Lesson: {}", list.title), list.about, &aims)
        }));
        let titled = |title: String| if set == Set::Claims { title } else { format!("{title} ({})", list.title) };
        let cards = lesson.cards.iter().zip(1..).filter(|(card, _)| card.title.text(&card.scene()) != SUMMARY);
        all.extend(cards.map(|(card, nth)| {
            let title = titled(card.title.text(&card.scene()));
            of_card(kind, &format!("?learn={}.{nth}", list.id), &title, card)
        }));
    }
    all
}

fn of_card(kind: Kind, target: &str, title: &str, card: &Card) -> Entry {
    let scene = card.scene();
    let texts = |all: &[lesson::Paragraph]| all.iter().map(|one| one.text(&scene)).collect::<Vec<_>>().join(" ");
    let (text, why) = (texts(&card.text), texts(&card.why));
    let says = match (kind, &card.question) {
        (Kind::Claim, Some(question)) => {
            let right = question.right(&scene).map_or_else(|_| String::new(), |right| question.shown(&scene, &right));
            let mut letters = right.chars();
            let verdict: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
            format!("{verdict}: {}", sentence(&why, 300))
        }
        _ => Some(sentence(&why, 200)).filter(|why| !why.is_empty()).unwrap_or_else(|| sentence(&text, 200)),
    };
    // All claims have the same text of the question, so the index omits it.
    let asks = card.question.as_ref().filter(|_| kind != Kind::Claim);
    let question = asks.map_or_else(String::new, |question| question.text.text(&scene));
    let task = card.change.as_ref().map_or_else(String::new, |change| change.text.text(&scene));
    let all = format!("{text} {question} {task} {why}");
    entry(kind, target, title, &says, &words(&all, &[title, &says], 4))
}

/// Maximum number of bytes of an entry's link. An entry with a longer link opens the book.
const LINK_BYTES_MAX: usize = 130;

fn of_prints() -> Vec<Entry> {
    let of = |print: &printed::Print| {
        let place = pages::place("printed.md");
        let target = if print.run.len() <= LINK_BYTES_MAX { print.run } else { &place };
        let issue = lesson::words::chip_and_date(print);
        let digits = print.printed.iter().take(4).copied().collect::<Vec<_>>().join(" ");
        let title = format!("As printed by a chip: {}", print.title);
        let says = format!("{} printed {}. {}", print.chip, digits, print.why.unwrap_or(print.proves));
        entry(Kind::Example, target, &title, &says, &format!("{issue} wrong digits"))
    };
    printed::ALL.iter().map(of).collect()
}

fn of_terms() -> Vec<Entry> {
    let of = |one: &words::glossary::Entry| {
        let target = format!("?#{}", words::glossary::place(one));
        entry(Kind::Term, &target, one.term, one.sentence, "")
    };
    words::glossary::ENTRIES.iter().map(of).collect()
}

fn of_settings() -> Vec<Entry> {
    let of = |one: studio::Entry| {
        let (query, fragment) = one.example();
        let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
        let takes = words::link_table::takes(one);
        let title = format!("Link parameter {}", one.name());
        let text = words(&takes, &[], 4);
        entry(Kind::Setting, &format!("?{query}{fragment}"), &title, words::link_table::about(one), &text)
    };
    studio::Entry::all().map(of).collect()
}

fn of_chips() -> Vec<Entry> {
    let of = |chip: &Chip| {
        let sides = match &chip.compute {
            Compute::Arrays { rows, cols, .. } => rows.value.zip(cols.value),
            Compute::TensorCores { .. } | Compute::Unknown(_) => None,
        };
        let dtype = if chip.peak(perfmodel::PeakDtype::Bf16).is_some() { "bf16" } else { "int8" };
        let run = |(rows, cols)| format!("?rows={rows}&cols={cols}&m=4096&k=4096&n=4096&dt={dtype}&chip={}", chip.id);
        let target = sides.map_or_else(|| format!("?ui=desk&ask=chip%3D{}", chip.id), run);
        let known = chip.peaks.iter().filter_map(|(dtype, peak)| Some((dtype, peak.value?)));
        let peaks: Vec<String> =
            known.map(|(dtype, peak)| format!("{} {}", display::number::readable(peak, 5), dtype.word())).collect();
        let memory = chip.memory.capacity.value.map_or_else(String::new, |size| {
            let rate = chip
                .memory
                .gb_per_sec
                .value
                .map_or_else(String::new, |rate| format!(" at {} GB/s", display::number::readable(rate, 4)));
            let size = display::number::readable(size, 4);
            format!("; {size} {} of {}{rate}", chip.memory.unit.word(), chip.memory.kind)
        });
        let says = format!("Dense peaks in TFLOPS or TOPS: {}{memory}.", peaks.join(", "));
        let text = format!("{} {} peak memory bandwidth price", chip.vendor, chip.id.replace('-', " "));
        entry(Kind::Chip, &target, chip.name, &says, &text)
    };
    Chip::all().iter().map(of).collect()
}

/// Other names that find a listed model, such as models with the same sizes.
const ALSO: [(&str, &str); 9] = [
    ("llama3-8b", "Llama 3.1 8B; Llama 8B"),
    ("llama3-70b", "Llama 3.1 70B; Llama 3.3 70B; Llama 70B"),
    ("llama3-405b", "Llama 3.1 405B; Llama 405B"),
    ("llama2-7b", "Llama 7B"),
    ("gpt3-175b", "GPT-3"),
    ("gpt2-xl", "GPT-2; GPT2"),
    ("deepseek-v3", "DeepSeek R1; DeepSeek-R1"),
    ("resnet50", "ResNet-50; ResNet50"),
    ("sd15-unet", "Stable Diffusion 1.5; SD 1.5"),
];

fn of_models() -> Vec<Entry> {
    MODELS.iter().map(of_model).collect()
}

fn of_model(model: &Model) -> Entry {
    let also = ALSO.iter().find(|(id, _)| *id == model.id).map(|(_, names)| names.replace("; ", ";"));
    let sizes = model.transformer().and_then(|transformer| {
        let layers = transformer.layers.last()?;
        let all: u64 = transformer.layers.iter().map(|layers| layers.count).sum();
        let (heads, cache) = match &layers.mixer {
            Mixer::Heads(heads) => (heads.heads, format!(";kv heads {};head width {}", heads.kv_heads, heads.head_dim)),
            Mixer::Latent(latent) => (latent.heads, String::new()),
            Mixer::Recurrent(_) => return None,
        };
        let inner = match &layers.feed {
            Feed::Gated { inner, .. } | Feed::Plain { inner } => format!(";inner {inner}"),
            _ => String::new(),
        };
        let (hidden, vocab) = (transformer.hidden, transformer.vocab);
        Some(format!("layers {all};hidden {hidden};heads {heads}{cache}{inner};vocabulary {vocab}"))
    });
    let text: Vec<String> = [Some(model.id.to_owned()), also, sizes].into_iter().flatten().collect();
    let target = format!("?ui=desk&ask=model%3D{}", model.id);
    let says = format!("Step time, MFU and cost of {} on chips that you choose.", model.title);
    entry(Kind::Model, &target, model.title, &says, &text.join(";"))
}

fn of_examples() -> Vec<Entry> {
    let of = |preset: Preset| {
        let title = format!("Example: {}", words::label::preset(preset));
        entry(Kind::Example, &format!("?{}", preset.query()), &title, words::examples::sentence(preset), "")
    };
    Preset::ALL.into_iter().map(of).collect()
}

fn of_keys() -> Vec<Entry> {
    let of = |(keys, effect): (&str, &str)| {
        entry(Kind::Key, "docs/first-steps.html#keys", &format!("{keys}: {effect}"), "", "key keyboard shortcut press")
    };
    words::help::KEYS.into_iter().map(of).collect()
}

/// Questions with a known place, and topics outside of the model. An entry without a sentence gets the sentence of its
/// run.
fn of_asked() -> Vec<Entry> {
    let text = crate::read("src/shell/ask/asked.txt");
    let mut all: Vec<Entry> = text.lines().map(|line| Entry::parse(line).unwrap_or_else(|| panic!("{line}"))).collect();
    for one in all.iter_mut().filter(|one| one.answer.says.is_empty()) {
        let Target::Link(link) = &one.answer.target else { panic!("{one:?} says nothing") };
        one.answer.says = Index::default().ask(link).found.swap_remove(0).says;
    }
    all
}

fn entries() -> Vec<Entry> {
    let start = [
        entry(
            Kind::Page,
            "docs/questions.html",
            "Worked questions",
            "The book answers questions with runs and numbers.",
            "",
        ),
        entry(
            Kind::Lesson,
            "?learn=contents",
            "All lessons",
            "Lessons, claims and challenges, in order.",
            "course tutorial learn",
        ),
        entry(
            Kind::Page,
            "docs/first-steps.html",
            "First steps",
            "The book begins with the first screen.",
            "beginner start tutorial",
        ),
    ];
    let mut all = start.to_vec();
    all.extend(of_asked());
    for path in pages::paths() {
        all.extend(
            of_page(&path)
                .into_iter()
                .filter(|one| !start.iter().any(|first| first.answer.target == one.answer.target)),
        );
    }
    all.extend(of_set(Set::Claims, Kind::Claim));
    all.extend(of_set(Set::Course, Kind::Lesson));
    all.extend(of_set(Set::Challenges, Kind::Lesson));
    all.extend([of_prints(), of_terms(), of_settings(), of_chips(), of_models(), of_examples(), of_keys()].concat());
    all
}

#[test]
fn the_index_is_that_of_the_sources() {
    let text: String = entries().iter().map(|entry| entry.line() + "\n").collect();
    let path = crate::root().join("public/ask.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &text).expect("written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = kept.lines().zip(text.lines()).find(|(kept, now)| kept != now);
    assert!(kept == text, "public/ask.txt is stale: UPDATE=1 cargo test -p ask writes it: {differs:?}");
    assert!(text.len() <= BYTES_MAX, "{} bytes; {BYTES_MAX} are allowed", text.len());
    assert_eq!(text.lines().filter(|line| Entry::parse(line).is_none()).count(), 0);
}

#[test]
fn every_target_exists() {
    let mut anchors: BTreeSet<String> = BTreeSet::new();
    for path in pages::paths() {
        let from_root = path.strip_prefix("../").map_or_else(|| format!("docs/{path}"), str::to_owned);
        let place = pages::place(&path);
        anchors.insert(place.clone());
        anchors.extend(
            pages::sections(&crate::read(&from_root)).iter().map(|section| format!("{place}#{}", section.anchor)),
        );
    }
    let mut kinds = BTreeSet::new();
    for entry in crate::read("public/ask.txt").lines().filter_map(Entry::parse) {
        kinds.insert(entry.answer.kind);
        match &entry.answer.target {
            Target::Link(_) => {
                let link = crate::link(&entry.answer);
                if let Some(studio::LearnPage::Card(place)) = &link.tools.learn {
                    let n_cards = lesson::course::n_cards(&place.lesson);
                    assert!((1..=n_cards).contains(&place.card), "{entry:?}");
                }
                if !link.texts[PartText::Ask].is_empty() {
                    crate::query(&entry.answer);
                }
            }
            Target::Book(page) => assert!(anchors.contains(page), "{page} does not exist: {entry:?}"),
            Target::None => assert_eq!(entry.answer.kind, Kind::Outside, "{entry:?}"),
        }
    }
    let found: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| !kinds.contains(kind)).collect();
    assert_eq!(found, [Kind::Run], "only readers answer with a run");
}
