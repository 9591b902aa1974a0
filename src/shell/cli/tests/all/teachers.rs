//! Tests that `docs/teachers.md` agrees with the files of the lessons, claims and challenges.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use crate::common::{systolic, told};
use export::embed::{Embed, Language, Size};
use lesson::course::{self, Set};
use lesson::{Kind, Lesson, moved};

/// Path of the document.
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/teachers.md");
/// Marks before and after the list.
const MARKS: (&str, &str) = ("<!-- from the heads of the files -->\n", "<!-- end -->\n");
/// Address of a page that a teacher can use.
const HOST: &str = plain::PUBLIC_ADDRESS;

fn read(id: &str) -> Lesson {
    let text = course::text(id).unwrap_or_else(|| panic!("{id} has a text"));
    Lesson::read(text).unwrap_or_else(|mistake| panic!("{id}:{}", lesson::words::mistake(&mistake)))
}

fn described(lesson: &Lesson) -> String {
    let count = |kind: Kind| lesson.cards.iter().filter(|card| card.kind == kind).count();
    let (shown, asked, tasks) = (count(Kind::Explain), count(Kind::Predict), count(Kind::Change));
    let parts = [(shown, "to look at", "to look at"), (asked, "question", "questions"), (tasks, "task", "tasks")];
    let part = |(n, one, many): &(usize, &str, &str)| format!("{n} {}", if *n == 1 { one } else { many });
    let parts: Vec<String> = parts.iter().filter(|part| part.0 > 0).map(part).collect();
    let needs: Vec<String> = lesson.needs.iter().map(|id| format!("{} (`{id}`)", course::title(id))).collect();
    let mut text = format!("### {} (`{}`)\n\n", lesson.title, lesson.id);
    _ = writeln!(text, "- Time: {} minutes; {} cards: {}.", lesson.minutes, lesson.cards.len(), parts.join(", "));
    _ = writeln!(text, "- Aims: {}.", lesson.aims.join("; "));
    _ = writeln!(text, "- Before it: {}.", if needs.is_empty() { "nothing".to_owned() } else { needs.join(", ") });
    _ = writeln!(text, "- Link: `?learn={}.1`; worksheet: `systolic worksheet {}`\n", lesson.id, lesson.id);
    text
}

/// The code that embeds the first lesson. For another lesson, a teacher replaces its id and its title.
fn code() -> String {
    let id = course::ids_of_set(Set::Course).next().expect("a lesson");
    let (page, frame) = (format!("{HOST}?learn={id}.1"), format!("{HOST}?ui=embed&learn={id}.1"));
    let embed = Embed { frame: &frame, page: &page, title: course::title(id), size: Size::Fixed(800, 600) };
    format!(
        "## Embed a lesson\n\nReplace `{id}` by the name of a lesson from the lists below, and the title by its title:\n\n\
         ```html\n{}\n```\n\n",
        embed.code(Language::Html)
    )
}

fn list() -> String {
    let mut text = code();
    for (set, heading) in
        [(Set::Course, "The course"), (Set::Claims, "Claims"), (Set::Challenges, "Challenges"), (Set::Tests, "Tests")]
    {
        let lessons: Vec<Lesson> = course::ids_of_set(set).map(read).collect();
        let (minutes, cards) = (
            lessons.iter().map(|one| one.minutes).sum::<u64>(),
            lessons.iter().map(|one| one.cards.len()).sum::<usize>(),
        );
        _ = writeln!(text, "## {heading}\n\n{} files, {cards} cards, {minutes} minutes.\n", lessons.len());
        lessons.iter().for_each(|lesson| text += &described(lesson));
    }
    text
}

#[test]
fn the_page_for_teachers_says_of_each_lesson_what_its_head_says() {
    let page = fs::read_to_string(PATH).expect("it can be read");
    let (before, rest) = page.split_once(MARKS.0).expect("the list begins");
    let (written, after) = rest.split_once(MARKS.1).expect("the list ends");
    let list = format!("\n{}", list());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(PATH, [before, MARKS.0, &list, MARKS.1, after].concat()).expect("it can be written");
    } else {
        assert!(written == list, "the heads have changed; UPDATE=1 writes the list again");
    }
    assert!(list.matches("\n### ").count() >= 19, "every lesson, all claims and all challenges");
}

#[test]
fn documents_name_the_cards_of_today() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs");
    let earlier: BTreeSet<String> =
        moved::all().filter_map(|(place, _)| Some(place.split_once('.')?.0.to_owned())).collect();
    let mut n_cards = 0;
    for file in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()) {
        let Some(text) = file.extension().filter(|end| *end == "md").and_then(|_| fs::read_to_string(&file).ok())
        else {
            continue;
        };
        let name = file.display();
        for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c))) {
            let (id, nth) = word.split_once('.').unwrap_or((word, ""));
            // Some earlier names are also words of a lesson's expressions, such as `folds`.
            let is_earlier = earlier.contains(id) && (id.contains('-') || nth.parse::<usize>().is_ok());
            assert!(!is_earlier, "{name}: {word} is a card of an earlier course");
            if let (true, Ok(nth)) =
                (Set::ALL.into_iter().flat_map(course::ids_of_set).any(|one| one == id), nth.parse::<usize>())
            {
                assert!((1..=course::n_cards(id)).contains(&nth), "{name}: there is no card {word}");
                n_cards += 1;
            }
        }
    }
    assert!(n_cards > 40 && earlier.contains("claims-array"), "{n_cards}");
}

fn prints(set: Set) {
    for (id, nth) in course::ids_of_set(set).zip(0..) {
        let (lesson, solved) = (read(id), told(&systolic(&["worksheet", id, "--answers"])));
        let answered = lesson.cards.iter().filter(|card| card.question.is_some() || card.change.is_some()).count();
        assert_eq!(solved.matches("<section>").count(), lesson.cards.len(), "{id}");
        assert!(solved.matches("<aside ").count() >= answered, "{id}: an answer to each question and task");
        // A test has no pictures, because a test shows no run.
        assert_eq!(solved.contains("<svg"), set != Set::Tests, "{id}");
        assert!(!solved.contains("<img"), "{id}: pictures are vectors");
        assert!(solved.contains(&format!("worksheet {id}")), "{id} says which it is");
        if nth == 0 {
            let plain = told(&systolic(&["worksheet", id]));
            assert!(!plain.contains("<aside") && plain.len() < solved.len(), "{id}");
        }
    }
}

#[test]
fn every_lesson_prints_with_answers_and_without() {
    prints(Set::Course);
    let tiles = told(&systolic(&["worksheet", "tiles"]));
    assert!(tiles.contains("Before this lesson: Where the PE-cycles go."), "titles, and no ids");
}

#[test]
fn all_claims_print_with_answers_and_without() {
    prints(Set::Claims);
}

#[test]
fn all_tests_print_with_answers_and_without() {
    prints(Set::Tests);
}

#[test]
fn all_challenges_print_with_answers_and_without() {
    prints(Set::Challenges);
}

#[test]
fn the_answers_of_the_tests_for_a_class_are_those_of_the_core() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/class-tests.md");
    let page = fs::read_to_string(path).expect("it can be read");
    let (_, runs) = page.split_once("### Runs of the answers").expect("the table of runs");
    let mut n_runs = 0;
    for row in runs.lines().filter(|line| line.contains("`?")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [_, question, link, cycles, utilization, _] = cells[..] else { panic!("{row}") };
        let link = studio::Link::parse(link.trim_matches('`').trim_start_matches('?'), "");
        let plan = studio::Plan::new(&link.scenario).unwrap_or_else(|_| panic!("{row} can run"));
        let tally = plan.schedule().tally();
        assert_eq!(plan.schedule().cycles().get().to_string(), cycles, "{question}");
        assert_eq!(display::number::percent(tally.utilization()) + " %", utilization, "{question}");
        n_runs += 1;
    }
    assert!(n_runs >= 13, "{n_runs}");
    // Item 6 counts the numbers that cross the edge of an array with one row, and of a square array.
    let edge = |array: &str, side: u64| {
        let query = format!("{array}&m={side}&k={side}&n={side}&df=ws&dt=int8&overlap=double-buffered");
        let plan = studio::Plan::new(&studio::Link::parse(&query, "").scenario).expect("a run");
        let traffic = plan.schedule().edge_traffic();
        traffic.a_reads.get() + traffic.b_reads.get() + traffic.c_writes.get()
    };
    assert_eq!((edge("rows=1&cols=64", 64), edge("rows=8&cols=8", 64)), (270_336, 69_632));
    assert_eq!((edge("rows=1&cols=256", 256), edge("rows=16&cols=16", 256)), (16_908_288, 2_162_688));
}
