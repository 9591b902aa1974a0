//! Tests of versions of the cards: each has its right answer, its known wrong answers, and numbers that `by_hand`
//! confirms.

use std::collections::{BTreeMap, BTreeSet};

use lesson::course::Set;
use lesson::{Answer, Ask, Card, Expression, Lesson, LessonPlace, Verdict};
use systolic::Dataflow;

use crate::by_hand::{Compared, Papers, compare};
use crate::cards::{self, Placed};
use crate::lessons::wrong_answers;

fn place(text: &str) -> LessonPlace {
    LessonPlace::parse(text).expect("a place")
}

/// Returns the cards that can vary, as written.
fn written() -> Vec<Placed> {
    cards::all().into_iter().filter(|(_, card)| card.can_vary()).collect()
}

/// Returns a version of a card. Panics if the card has no versions.
fn version(name: &str, card: &Card, version: u32) -> Card {
    let found = card.version(&place(name), version);
    found.unwrap_or_else(|| panic!("{name} has no version {version}: {:?}", card.vary))
}

/// Checks versions 1 to `n` of each card. Returns a line for each mistake, with the card and the version.
fn mistakes(n: u32) -> Vec<String> {
    let (mut wrong, mut papers) = (Vec::new(), Papers::default());
    let (mut n_judged, mut n_compared) = (0, 0);
    for (name, card) in written() {
        for number in 1..=n {
            let drawn = version(&name, &card, number);
            let mut say = |what: String| wrong.push(format!("{name}, version {number}: {what}"));
            let scene = drawn.scene();
            if drawn.plan == card.plan && drawn.state.cycle == card.state.cycle {
                say("this is the written run".to_owned());
            }
            for paragraph in cards::paragraphs(&drawn) {
                if let Err(why) = paragraph.shown(&scene) {
                    say(format!("no text: {why:?}"));
                }
            }
            if let Some(change) = &drawn.change {
                let solved = lesson::evaluate::plan_with(&drawn.plan, &change.solution).expect("the solution can run");
                let tools = change.solved_tools(&drawn.state.tools);
                if change.is_met(&scene) || !drawn.is_solved_by(&solved, &tools) {
                    say("the goal is met at first, or missed by the solution".to_owned());
                }
                n_judged += 1;
            }
            if let Some(question) = &drawn.question {
                let right = question.right(&scene).expect("a right answer");
                if question.judge(&scene, &right).verdict != Verdict::Right {
                    say(format!("{right:?} is judged wrong"));
                }
                let reasons: Vec<_> = question.reasons().collect();
                let traps = wrong_answers(question, &scene);
                let is_order = matches!(question.ask, Ask::Order(_));
                if !is_order && traps.len() != reasons.len() {
                    say(format!("{} wrong answers, {} reasons", traps.len(), reasons.len()));
                }
                for (nth, trap) in traps.iter().enumerate() {
                    let judged = question.judge(&scene, trap);
                    let has_reason = is_order || judged.reason.as_ref() == reasons.get(nth).copied();
                    if judged.verdict != Verdict::Wrong || !has_reason {
                        say(format!("{trap:?} is {:?}: {:?}", judged.verdict, judged.reason));
                    }
                }
                n_judged += 1;
            }
            let mut compared = Vec::new();
            for expression in cards::expressions(&drawn) {
                compare(expression, &scene, &mut papers, &mut compared);
            }
            n_compared += compared.len();
            for Compared { what, core, paper } in compared {
                if !core.is_some_and(|core| (core - paper).abs() <= 1e-12 * paper.abs()) {
                    say(format!("{what}: the core says {core:?}, paper {paper}"));
                }
            }
        }
        let all: BTreeSet<String> = (0..=n).map(|number| version(&name, &card, number).state.to_parts().0).collect();
        if all.len() < 3 {
            wrong.push(format!("{name}: {} different versions", all.len()));
        }
    }
    assert!(n_judged >= 40 * n && n_compared >= 80, "{n_judged} {n_compared}");
    wrong
}

/// Counts of the questions with three numbers: those whose right number is the smallest, the middle and the largest.
#[derive(Clone, Copy, Default)]
struct Places([u32; 3]);

impl Places {
    fn middle(self) -> f64 {
        f64::from(self.0[1]) / f64::from(self.0.iter().sum::<u32>())
    }
}

impl std::fmt::Display for Places {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self([smallest, middle, largest]) = self;
        write!(f, "smallest {smallest}, middle {middle} ({:.1}%), largest {largest}", 100.0 * self.middle())
    }
}

/// Place of the right number among three: 0 if it is the smallest. `None` if the reader does not choose one of three
/// numbers.
fn place_of_right(card: &Card) -> Option<usize> {
    let (question, scene) = (card.question.as_ref()?, card.scene());
    let (Ask::Choose { choices, .. }, Ok(Answer::Choice(right))) = (&question.ask, question.right(&scene)) else {
        return None;
    };
    if choices.len() != 3 || !choices.iter().all(|choice| choice.is_shown) {
        return None;
    }
    let value = |of: &Expression| of.value(&scene).expect("a value").number;
    let right = value(&choices[right].value);
    Some(choices.iter().filter(|choice| value(&choice.value) < right).count())
}

/// Checks that a reader who always takes the middle number is right in about a third of versions 1 to `n` of all
/// lessons: over the cards that vary, and over all cards. A card that cannot vary counts as written.
fn assert_places(n: u32) {
    let (mut varying, mut all) = (Places::default(), Places::default());
    let mut cards: BTreeMap<String, Places> = BTreeMap::new();
    for (name, card) in cards::of(Set::Course) {
        for number in 1..=n {
            let drawn = if card.can_vary() { version(&name, &card, number) } else { card.clone() };
            let Some(at) = place_of_right(&drawn) else { continue };
            all.0[at] += 1;
            varying.0[at] += u32::from(card.can_vary());
            cards.entry(name.clone()).or_default().0[at] += 1;
        }
    }
    let cards: Vec<String> = cards.iter().map(|(name, places)| format!("  {name}: {places}")).collect();
    let found = format!("in {n} versions:\nvarying cards: {varying}\nall cards: {all}\n{}", cards.join("\n"));
    for places in [varying, all] {
        assert!((0.25..=0.45).contains(&places.middle()), "the middle number is right too often or seldom {found}");
    }
}

fn assert_versions(n: u32) {
    let wrong = mistakes(n);
    assert!(wrong.is_empty(), "{} mistakes:\n{}", wrong.len(), wrong.join("\n"));
    assert_places(n);
}

#[test]
fn three_versions_of_each_card_are_right() {
    assert_versions(3);
}

mod long {
    #[test]
    fn thirty_versions_of_each_card_are_right() {
        super::assert_versions(30);
    }
}

const LESSON: &str = "# Waves\n```lesson\nid: waves\nminutes: 1\naims: count the cycles\n```\n## Cycles\n```card\n\
kind: predict\nstate: ?rows=4&cols=4&m=6&k=4&n=4&t=4\n\
beside: ?rows=4&cols=4&m=5&k=4&n=4&df=os&t=9\nlit: pe 3 3\nrun: last\nask: choose\nanswer: cycles\n\
vary: rows 4 to 9, k as rows, m 3 to 20, cols 4 to 9, n as cols, t as load, dt int8 bf16\n```\nA has {m} rows.\n\
### How many cycles?\n- {m + rows}\n\n  **No wave.** There is one.\n- {cycles}\n- {cycles + cols - m}\n\n  **No A.** \
There is one.\n";

#[test]
fn a_version_never_changes_because_links_and_printed_sheets_name_it() {
    let lesson = Lesson::read(LESSON).expect("no mistake");
    let sizes = |number: u32| {
        let state = &lesson.version(number).cards[0].state;
        let scenario = &state.scenario;
        ([scenario.rows, scenario.cols, scenario.m, scenario.k, scenario.n, state.cycle.get()], scenario.dtype.id())
    };
    assert_eq!(lesson.version(0), lesson);
    assert_eq!(sizes(1), ([7, 4, 9, 7, 4, 7], "int8"));
    assert_eq!(sizes(2), ([6, 6, 5, 6, 6, 6], "int8"));
    assert_eq!(sizes(3), ([6, 9, 5, 6, 9, 6], "int8"));
}

#[test]
fn a_version_has_what_its_card_lights_and_the_order_that_its_number_wants() {
    let lesson = Lesson::read(LESSON).expect("no mistake");
    let mut order = Vec::new();
    for number in 1..=30 {
        let card = &lesson.version(number).cards[0];
        let (schedule, scene) = (card.plan.schedule(), card.scene());
        let scenario = card.plan.scenario();
        assert!(card.lit.iter().all(|lit| lit.is_in(schedule)), "{number}");
        assert_eq!((scenario.k, scenario.n), (scenario.rows, scenario.cols), "{number}");
        assert_eq!(card.state.cycle.get(), schedule.load_cycles().get(), "{number}");
        assert_eq!(card.run, Some(card.plan.last()), "{number}");
        // The second state has the new numbers, except in the settings in which the two states differ.
        let (beside, second) = card.beside.as_ref().expect("a second state");
        let second = second.scenario();
        assert_eq!(
            (second.rows, second.cols, second.k, second.dtype),
            (scenario.rows, scenario.cols, scenario.k, scenario.dtype)
        );
        assert_eq!((second.m, second.dataflow, beside.cycle.get()), (5, Dataflow::OutputStationary, 9), "{number}");
        let question = card.question.as_ref().expect("a question");
        let mut numbers: Vec<f64> =
            question.choices().iter().map(|choice| choice.value.value(&scene).expect("a value").number).collect();
        let right = numbers[1];
        numbers.sort_by(f64::total_cmp);
        order.push(numbers.iter().position(|&number| number == right).expect("a choice"));
    }
    // The right number is never the smallest, because the run takes more cycles than loading and the rows of A.
    assert!(order.iter().all(|&at| at > 0) && order.contains(&1) && order.contains(&2), "{order:?}");
}
