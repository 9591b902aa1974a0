//! Compares the table with the reader and the writer of links.

use std::collections::BTreeSet;

use super::*;
use crate::PartTexts;
use crate::{Notice, Part};

/// True if the reader accepts a name, in the query or in the fragment.
fn is_read(name: &str) -> bool {
    let text = format!("{name}=1");
    let [query, fragment] = [Link::parse(&text, ""), Link::parse("", &text)];
    query.unknown.of(Part::Query).next().is_none() || fragment.unknown.of(Part::Fragment).next().is_none()
}

/// Returns every word in quotation marks in the sources of links, and every name of up to three letters.
fn candidates() -> BTreeSet<String> {
    let sources = [
        include_str!("../link.rs"),
        include_str!("../field.rs"),
        include_str!("../tools.rs"),
        include_str!("../part_texts.rs"),
        include_str!("../notice.rs"),
        include_str!("../view.rs"),
        include_str!("../deck.rs"),
        include_str!("../kiosk.rs"),
    ];
    let quoted = sources.iter().flat_map(|source| source.split('"')).map(str::to_owned);
    let letters = || ('a'..='z').map(String::from).chain([String::new()]);
    let short = letters().flat_map(|a| {
        letters().flat_map(move |b| {
            let a = a.clone();
            letters().map(move |c| format!("{a}{b}{c}"))
        })
    });
    let is_name = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    quoted.chain(short).filter(is_name).collect()
}

#[test]
fn the_table_has_each_name_that_the_reader_knows_and_no_other() {
    let listed: BTreeSet<String> = Entry::all().map(|entry| entry.name().to_owned()).collect();
    assert_eq!(listed.len(), Entry::all().count(), "a name stands twice");
    let read: BTreeSet<String> = candidates().into_iter().filter(|name| is_read(name)).collect();
    assert_eq!(listed, read);
}

#[test]
fn the_writer_writes_what_the_table_has_on_its_side_of_the_mark() {
    let mut seen = BTreeSet::new();
    for entry in Entry::all() {
        let (query, fragment) = entry.example();
        let (query, fragment) = Link::parse(query, fragment).to_parts();
        for (text, is_fragment) in [(query, false), (fragment, true)] {
            for (name, _) in form_urlencoded::parse(text.as_bytes()) {
                let listed = Entry::all().find(|entry| entry.name() == name && entry.is_in_fragment() == is_fragment);
                assert!(listed.is_some(), "{name} of the example of {}", entry.name());
                seen.insert(name.into_owned());
            }
        }
    }
    let never: Vec<&str> = Entry::all().map(Entry::name).filter(|name| !seen.contains(*name)).collect();
    assert!(never.is_empty(), "no example makes the writer write {never:?}");
}

/// Returns the link of an example without the parameter.
fn without(entry: Entry) -> Link {
    let cut = |text: &str| {
        let kept = text.split('&').filter(|pair| pair.split_once('=').is_none_or(|(name, _)| name != entry.name()));
        kept.collect::<Vec<_>>().join("&")
    };
    let (query, fragment) = entry.example();
    Link::parse(&cut(query), &cut(fragment))
}

#[test]
fn each_example_is_read_without_a_notice_and_changes_what_its_parameter_is_of() {
    for entry in Entry::all() {
        let (query, fragment) = entry.example();
        let (with, without) = (Link::parse(query, fragment), without(entry));
        let name = entry.name();
        assert!(with.notices.is_empty() && with.unknown == crate::Unknown::default(), "{name}: {:?}", with.notices);
        assert!(crate::Plan::new(&with.scenario).is_ok(), "{name}");
        match entry {
            Entry::Version => assert_eq!(with, without),
            Entry::Setting(field) => assert_ne!(with.scenario.text(field), without.scenario.text(field), "{name}"),
            Entry::View(Parameter::Cycle) => assert_ne!(with.cycle, without.cycle),
            Entry::View(Parameter::Speed) => assert_ne!(with.speed, without.speed),
            Entry::View(Parameter::Pe) => assert_ne!(with.view.selected, without.view.selected),
            Entry::View(Parameter::Theme) => assert_ne!(with.view.theme, without.view.theme),
            Entry::View(Parameter::Room) => assert_ne!(with.view.chrome, without.view.chrome),
            Entry::View(Parameter::Panel) => assert_ne!(with.view.panel, without.view.panel),
            Entry::View(Parameter::Lock) => assert_ne!(with.view.lock, without.view.lock),
            Entry::View(Parameter::Hide) => assert_ne!(with.view.hide, without.view.hide),
            Entry::Tool(tool) => assert_ne!(with.tools.text(tool), without.tools.text(tool), "{name}"),
            Entry::Text(_) => assert_ne!(with.texts, without.texts, "{name}"),
        }
    }
}

/// True if the page uses a value of a parameter. If a part reads the parameter itself, this function asks that part.
fn is_used(entry: Entry, value: &str) -> bool {
    match entry {
        Entry::Text(PartText::Kiosk) => Idle::parse(value).is_some(),
        Entry::Text(PartText::Slide) => {
            let slides = PartTexts::default().with(PartText::Slides, "rows=4".to_owned());
            let texts = slides.with(PartText::Slide, value.to_owned());
            crate::Deck::of(&texts).at().is_some()
        }
        _ => {
            let pair = format!("{}={value}", entry.name());
            // Own matrices are used only if the link contains them.
            let matrices = if value == "custom" { "a=1&b=1" } else { "" };
            let (query, fragment) =
                if entry.is_in_fragment() { ("", pair.as_str()) } else { (pair.as_str(), matrices) };
            Link::parse(query, fragment).notices.is_empty()
        }
    }
}

#[test]
fn what_the_table_allows_is_used_at_its_edges_and_refused_beyond() {
    for entry in Entry::all() {
        let name = entry.name();
        let (used, refused): (Vec<String>, Vec<String>) = match entry.allowed() {
            Allowed::Whole { min, max } => {
                let below = if min == 0 { "-1".to_owned() } else { (min - 1).to_string() };
                (vec![min.to_string(), max.to_string()], vec![below, (u128::from(max) + 1).to_string(), "x".to_owned()])
            }
            Allowed::OneOf(names) => {
                let others = names.iter().map(|name| format!("{name}x")).chain(["zebra".to_owned()]);
                (names.iter().map(|name| (*name).to_owned()).collect(), others.collect())
            }
            Allowed::Some(names) => (
                names.iter().map(|name| (*name).to_owned()).chain([names.join("."), "none".to_owned()]).collect(),
                vec!["zebra".to_owned(), format!("{}.zebra", names[0])],
            ),
            // K of the run has one tile.
            Allowed::TileOrder => {
                let good = ["up", "down", "second-half-first", "0"].map(str::to_owned);
                (good.to_vec(), ["1", "0,0", "x", ""].map(str::to_owned).to_vec())
            }
            Allowed::Place => (vec!["0.0".to_owned(), "3.3".to_owned()], vec!["2".to_owned(), "a.b".to_owned()]),
            Allowed::Matrix => (vec!["1,2;3,4".to_owned()], vec!["1,2;3".to_owned(), "x".to_owned()]),
            Allowed::Text => (Vec::new(), Vec::new()),
        };
        for value in used {
            assert!(is_used(entry, &value), "{name}={value} is allowed, and not used");
        }
        for value in refused {
            assert!(!is_used(entry, &value), "{name}={value} is not allowed, and used");
        }
    }
}

#[test]
fn the_usual_value_changes_nothing() {
    for entry in Entry::all() {
        let Some(usual) = entry.usual() else { continue };
        let mut said = Link::parse(&format!("{}={usual}&t=7", entry.name()), "");
        said.notices = crate::Notices::default();
        assert_eq!(said, Link::parse("t=7", ""), "{}", entry.name());
    }
}

#[test]
fn a_slip_in_a_name_tells_the_name_that_was_meant() {
    let slips = [
        ("row", "rows"),
        ("col", "cols"),
        ("collumns", ""),
        ("columns", "cols"),
        ("Rows", "rows"),
        (" M ", "m"),
        ("dtype", "dt"),
        ("speeds", "speed"),
        ("spee", "speed"),
        ("spead", "speed"),
        ("slide", "slide"),
        ("A", "a"),
        // Hosts add these parameters.
        ("utm_source", ""),
        ("fbclid", ""),
        ("lang", ""),
        ("id", ""),
        ("ref", ""),
        ("uid", ""),
        ("", ""),
        ("x", ""),
        ("pid", ""),
    ];
    for (name, meant) in slips {
        assert_eq!(Entry::meant(name).map_or("", Entry::name), meant, "{name:?}");
    }
    for entry in Entry::all() {
        assert_eq!(Entry::meant(entry.name()), Some(entry));
    }
}

#[test]
fn a_parameter_that_was_nearly_named_or_stands_elsewhere_is_told_and_carried_on() {
    let cases = [("row=8", "", ["row", "rows"], false), ("", "rows=8", ["rows", "rows"], true)];
    for (query, fragment, [given, meant], is_misplaced) in cases {
        let link = Link::parse(query, fragment);
        let told: Vec<_> = link.notices.iter().collect();
        let meant = Entry::meant(meant).expect("a name");
        assert_eq!(told, [&Notice::Meant { given: given.to_owned(), meant, is_misplaced }], "{query}#{fragment}");
        let (query, fragment) = link.to_parts();
        assert_eq!(Link::parse(&query, &fragment).unknown, link.unknown);
    }
    assert_eq!(Link::parse("lesson=3&utm_source=mail", "note=hi").notices.iter().count(), 0);
}
