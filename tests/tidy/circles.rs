//! Circles of modules that need each other, found by the paths in a crate. A parent and its child may need each other.

use std::collections::{BTreeMap, BTreeSet};

/// Modules of a crate: the path of each, such as `panels::learn`, and its code without comments and tests.
pub(crate) type Modules = BTreeMap<String, String>;

/// Modules of the largest circle, in the order of their names; empty if no circle exists.
pub(crate) fn largest(modules: &Modules) -> Vec<String> {
    let edges: BTreeMap<&str, BTreeSet<&str>> =
        modules.iter().map(|(name, text)| (name.as_str(), needed(name, text, modules))).collect();
    let reached: BTreeMap<&str, BTreeSet<&str>> = edges.keys().map(|from| (*from, reached(from, &edges))).collect();
    let circle = |name: &&str| -> Vec<String> {
        let of_it = reached[*name].iter().filter(|other| reached[**other].contains(*name));
        of_it.map(|other| (*other).to_owned()).collect()
    };
    edges.keys().map(circle).max_by_key(Vec::len).filter(|circle| circle.len() > 1).unwrap_or_default()
}

/// Modules that can be reached from `from` along the edges.
fn reached<'a>(from: &'a str, edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(name) = open.pop() {
        open.extend(edges[name].iter().filter(|next| seen.insert(**next)));
    }
    seen
}

/// Modules that a module names, except its ancestors and descendants.
fn needed<'a>(name: &str, text: &str, modules: &'a Modules) -> BTreeSet<&'a str> {
    let here: Vec<&str> = name.split("::").collect();
    let paths = paths(text).into_iter().filter_map(|path| {
        let n_up = path.iter().take_while(|step| *step == "super").count();
        let base =
            if path.first()? == "crate" { Vec::new() } else { here.get(..here.len().checked_sub(n_up)?)?.to_vec() };
        let rest = path.iter().map(String::as_str).skip(n_up.max(1));
        owner(&base.into_iter().chain(rest).collect::<Vec<_>>(), modules)
    });
    let is_kin = |one: &str, other: &str| one == other || one.starts_with(&format!("{other}::"));
    paths.filter(|other| !is_kin(name, other) && !is_kin(other, name)).collect()
}

/// Module that contains the last name of a path.
fn owner<'a>(path: &[&str], modules: &'a Modules) -> Option<&'a str> {
    (1..=path.len()).rev().find_map(|n| modules.get_key_value(&path[..n].join("::"))).map(|(name, _)| name.as_str())
}

/// Paths that begin with `crate` or `super`, with each name of a list in braces.
fn paths(text: &str) -> Vec<Vec<String>> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut paths = Vec::new();
    for root in ["crate::", "super::"] {
        for (at, _) in text.match_indices(root) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|letter| is_name(letter) || letter == ':') {
                continue;
            }
            let (mut path, mut rest) = (Vec::new(), &text[at..]);
            loop {
                let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
                path.push(rest[..end].to_owned());
                let Some(more) = rest[end..].strip_prefix("::") else { break };
                rest = more;
                if let Some(list) = rest.strip_prefix('{') {
                    let list = &list[..list.find(';').unwrap_or(list.len())];
                    let names =
                        list.split(|letter: char| !is_name(letter) && letter != ':').filter(|one| !one.is_empty());
                    let with = |name: &str| path.iter().cloned().chain(name.split("::").map(str::to_owned)).collect();
                    paths.extend(names.map(with));
                    break;
                }
            }
            paths.push(path);
        }
    }
    paths
}

#[test]
fn a_circle_is_found_through_lists_and_parents_and_kin_is_none() {
    let modules = |all: &[(&str, &str)]| -> Modules {
        all.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    };
    let circle = [
        ("a", "use crate::b::{self, B};"),
        ("b", "use crate::{c::C, d};"),
        ("c::inner", "fn f() { super::super::a::f() }"),
        ("c", "use crate::c::inner;"),
        ("d", "use crate::c::inner::X;"),
    ];
    assert_eq!(largest(&modules(&circle)), ["a", "b", "c::inner", "d"]);
    assert!(largest(&modules(&circle[..4])).is_empty(), "without d nobody needs what is inside of c");
    assert!(largest(&modules(&[("a", "use a::b;"), ("a::b", "use super::x;")])).is_empty());
}
