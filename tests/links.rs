//! Tests that links are stable: every link of the corpus shows what it showed when it was recorded.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use whole::links::{PATH, differences, on_the_page, presets, read, rows, said, sayable, shown, write, written};

/// Text of the corpus. If the variable `UPDATE` is set, the corpus is first rewritten with what its links show now.
fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/links.txt");
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{PATH}: {error}"));
        if std::env::var_os("UPDATE").is_none() {
            return text;
        }
        let text = write(&read(&text), shown);
        std::fs::write(file, &text).unwrap_or_else(|error| panic!("{PATH}: {error}"));
        text
    })
}

#[test]
fn every_link_shows_what_it_always_showed() {
    let rows = rows(text());
    assert!(rows.len() >= 80, "only {} links", rows.len());
    let bare: Vec<&str> = rows.iter().filter(|row| row.lines.is_empty()).map(|row| row.link.as_str()).collect();
    assert!(bare.is_empty(), "nothing is known of these links, so write it down with UPDATE=1: {bare:#?}");
    let broken: Vec<String> = rows.iter().flat_map(|row| differences(row, &shown(&row.address()))).collect();
    assert!(broken.is_empty(), "{} broken promises:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn a_link_written_back_shows_the_same() {
    for row in rows(text()) {
        let Some(written) = written(&row.address()) else { continue };
        let now = shown(&written);
        assert_eq!(differences(&row, &now), Vec::<String>::new(), "{written}");
    }
}

#[test]
fn everything_that_a_link_can_say_is_said_by_one() {
    let rows = rows(text());
    let all: BTreeSet<(String, String)> = rows.iter().flat_map(|row| said(&row.address())).collect();
    let has = |(name, value): &(String, Option<String>)| {
        all.iter().any(|(other, set)| other == name && value.as_ref().is_none_or(|value| value == set))
    };
    let missing: Vec<_> = sayable().into_iter().filter(|one| !has(one)).collect();
    assert!(missing.is_empty(), "no link of {PATH} says {missing:?}");
    let links: BTreeSet<&str> = rows.iter().map(|row| row.link.as_str()).collect();
    assert_eq!(links.len(), rows.len(), "a link stands there once");
    for preset in presets() {
        assert!(links.contains(preset.as_str()), "{preset} is not in {PATH}");
    }
}

#[test]
fn a_changed_value_is_noticed() {
    // The test alters each kind of line in the first link that has one. Before the change, this link has no difference.
    // After the change, it has one.
    let mut kinds = BTreeSet::new();
    for mut row in rows(text()) {
        let news = |(name, _): &(String, String)| !kinds.contains(kind(name));
        let new: Vec<usize> = (0..row.lines.len()).filter(|&at| news(&row.lines[at])).collect();
        let Some(&first) = new.first() else { continue };
        let now = shown(&row.address());
        assert_eq!(differences(&row, &now), Vec::<String>::new());
        for &at in &new {
            let (name, value) = row.lines[at].clone();
            kinds.insert(kind(&name).to_owned());
            row.lines[at].1 = altered(&value);
            let told = differences(&row, &now);
            assert!(told.len() == 1 && told[0].contains(&name) && told[0].starts_with(&row.link), "{told:?}");
            row.lines[at].1 = value;
        }
        let lost: Vec<_> = now.iter().filter(|(name, _)| *name != row.lines[first].0).cloned().collect();
        assert_eq!(differences(&row, &lost).len(), 1, "a line that is gone is noticed too");
    }
    for kind in ["cycle", "last", "utilization", "result", "sums", "notices", "written", "figure", "ask", "defect"] {
        assert!(kinds.contains(kind), "no {kind} among {kinds:?}");
    }
}

/// The first word of a line's name.
fn kind(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

/// Value with its last character changed.
fn altered(value: &str) -> String {
    let mut signs: Vec<char> = value.chars().collect();
    let last = signs.pop();
    signs.push(if last == Some('1') { '2' } else { '1' });
    signs.into_iter().collect()
}

#[test]
fn another_number_in_a_link_shows_other_numbers() {
    // A comparison of values that never change would pass the other tests.
    let names = |one: &str, two: &str| -> Vec<String> {
        let (one, two) = (shown(one), shown(two));
        one.into_iter().filter(|line| !two.contains(line)).map(|(name, _)| name).collect()
    };
    let seed = names("?rows=4&cols=4&m=6&k=4&n=3&seed=7&t=9", "?rows=4&cols=4&m=6&k=4&n=3&seed=8&t=9");
    assert!(seed.contains(&"result".to_owned()) && seed.contains(&"sums".to_owned()), "{seed:?}");
    assert!(!seed.contains(&"utilization".to_owned()), "{seed:?}");
    let batch = names("?ui=desk&ask=batch%3D4", "?ui=desk&ask=batch%3D5");
    assert!(batch.contains(&"ask number step_time_s".to_owned()), "{batch:?}");
    assert!(!on_the_page("?ui=desk").is_empty());
}
