//! Every challenge is read, missed at first, met by its best known solution, and no way nearby is better.

use std::fs;
use std::path::PathBuf;

use lesson::{Best, Card, Change, Lesson, Scene, evaluate::plan_with, words};
use studio::{Field, Takes};

fn challenges() -> Vec<(String, Card)> {
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests"));
    let mut files: Vec<PathBuf> = fs::read_dir(folder.join("../../challenges"))
        .expect("the challenges are there")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    let mut all = Vec::new();
    for path in files {
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let text = fs::read_to_string(&path).expect("a file can be read");
        assert_eq!(lesson::course::text(&name), Some(text.as_str()), "{name} is not in the list");
        let read =
            Lesson::read(&text).unwrap_or_else(|mistake| panic!("challenges/{name}.md:{}", words::mistake(&mistake)));
        assert_eq!(read.id, name, "a set of challenges is named as its file");
        all.extend(read.cards.into_iter().zip(1..).map(|(card, nth)| (format!("{name}.{nth}"), card)));
    }
    all
}

type Settings = Vec<(Field, String)>;

/// Values of the fields that are offered: all names, and numbers from one up as far as there is time for.
fn ways(change: &Change) -> Vec<Settings> {
    let n_numbers = change.fields.iter().filter(|field| matches!(field.takes(), Takes::Whole { .. })).count();
    let most = match n_numbers {
        0 | 1 => 520,
        2 => 42,
        _ => 12,
    };
    let mut all: Vec<Settings> = vec![Vec::new()];
    for &field in &change.fields {
        let values: Vec<String> = match field.takes() {
            Takes::Whole { min, max } => (min..=max.min(most)).map(|value| value.to_string()).collect(),
            Takes::OneOf(names) => names.iter().map(|name| (*name).to_owned()).collect(),
            Takes::Chip => perfmodel::Chip::all().iter().map(|chip| chip.id.to_owned()).collect(),
            Takes::Matrix => Vec::new(),
        };
        let with = |way: &Settings, value: &String| way.iter().cloned().chain([(field, value.clone())]).collect();
        all = all.iter().flat_map(|way| values.iter().map(move |value| with(way, value)).collect::<Vec<_>>()).collect();
    }
    all
}

#[test]
fn thirty_goals_are_missed_at_first_and_met_by_what_is_known_to_meet_them() {
    let challenges = challenges();
    assert!(challenges.len() >= 30, "{}", challenges.len());
    for (place, card) in challenges {
        let change = card.change.as_ref().unwrap_or_else(|| panic!("{place} is no challenge"));
        assert!(!change.is_met(&card.scene()), "{place}");
        assert!(!change.hints.is_empty() && !card.why.is_empty(), "{place}: hints, and what it shows");
        let (best, known) = (change.best.as_ref().expect("compared"), change.best_known(&card).expect("known"));
        assert!(words::best(best, known, known).ends_with("none better is known."), "{place}");
    }
}

#[test]
fn no_way_to_meet_a_goal_that_can_be_tried_is_better_than_the_best_known() {
    for (place, card) in challenges() {
        let change = card.change.as_ref().expect("a challenge");
        let (Some(Best { of, is_largest }), Some(known)) = (&change.best, change.best_known(&card)) else {
            panic!("{place} compares nothing")
        };
        let mut met = 0;
        for way in ways(change) {
            let Ok(plan) = plan_with(&card.plan, &way) else { continue };
            let scene = Scene::new(&plan, card.state.cycle);
            if !change.is_met(&scene) {
                continue;
            }
            met += 1;
            let value = of.value(&scene).expect("what is compared has a value where the goal is met").number;
            let is_better = if *is_largest { value > known.number } else { value < known.number };
            assert!(!is_better, "{place}: {way:?} comes to {value}, and {} is said to be best", known.number);
        }
        assert!(met > 0 || change.fields.len() > 1, "{place}: nothing meets the goal");
    }
}
