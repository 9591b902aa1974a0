//! Counts the files that a frame enters, found in the source of this crate. A frame is easier to follow if it enters
//! fewer files.
//!
//! The walk begins at `stage::draw`. It enters each function of the crate that is called by its name, once, in the
//! order of the text. It does not follow pointers: layers, channels, and functions that draw in place of the array.
//!
//! - A stay begins if a function is in another file than the function before.
//!
//! - A return is a stay in a file that had a stay before.
//!
//! `cargo test -p stage rooms -- --nocapture` prints the files in the order of the walk.

use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};

/// Largest numbers of stays and of returns in a frame.
const STAYS_MAX: usize = 39;
const RETURNS_MAX: usize = 30;

/// A function of the crate.
#[derive(Debug)]
struct Function {
    /// Name of the file, without `.rs`.
    room: String,
    /// Type of the `impl` block around the function.
    owner: Option<String>,
    name: String,
    body: String,
    /// Text of the whole file.
    file: String,
}

/// Returns the functions in a folder of source files and its subfolders.
fn functions(folder: &Path, found: &mut Vec<Function>) {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            functions(&path, found);
        } else if name != "tests" {
            let text = fs::read_to_string(&path).expect("a text");
            let file = code(text.split("#[cfg(test)]\nmod").next().unwrap_or(&text));
            functions_of(&name, &file, found);
        }
    }
}

fn functions_of(room: &str, file: &str, found: &mut Vec<Function>) {
    let impls = starts(file, "impl").into_iter().filter_map(|at| {
        let (header, block) = block_after(&file[at..])?;
        let types = header.rsplit(" for ").next()?;
        let types = types.split_once("> ").filter(|_| types.starts_with("impl<")).map_or(types, |(_, name)| name);
        let name = types.trim_start_matches("impl ").split(|letter: char| !letter.is_alphanumeric()).next()?;
        Some((at..at + header.len() + block.len(), name.to_owned()))
    });
    let impls: Vec<_> = impls.collect();
    for at in starts(file, "fn") {
        let Some((header, body)) = block_after(&file[at..]) else { continue };
        let name = header[2..].trim_start().split(|letter: char| !is_name(letter)).next().unwrap_or_default();
        let owner = impls.iter().find(|(range, _)| range.contains(&at)).map(|(_, owner)| owner.clone());
        let (room, name) = (room.to_owned(), name.to_owned());
        found.push(Function { room, owner, name, body: body.to_owned(), file: file.to_owned() });
    }
}

const fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Returns the positions of a word in a text.
fn starts(text: &str, word: &str) -> Vec<usize> {
    let is_edge = |letter: Option<char>| letter.is_none_or(|letter| !is_name(letter));
    let places = text.match_indices(word).map(|(at, _)| at);
    let is_word = |at: &usize| is_edge(text[..*at].chars().last()) && is_edge(text[at + word.len()..].chars().next());
    places.filter(is_word).collect()
}

/// Splits a text into the part before the first block in braces, and the block. Returns `None` if a `;` comes first.
fn block_after(text: &str) -> Option<(&str, &str)> {
    let begin = text.find(['{', ';']).filter(|at| text[*at..].starts_with('{'))?;
    let mut depth = 0;
    let end = text[begin..].find(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        depth == 0
    })?;
    Some((&text[..begin], &text[begin..begin + end]))
}

/// Returns the text without comments, and with empty strings.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let lines = lines.map(|line| line.split(" // ").next().unwrap_or(line));
    let without_strings = |line: &str| line.split('"').step_by(2).collect::<Vec<_>>().join("\"\"");
    lines.map(without_strings).collect::<Vec<_>>().join("\n")
}

/// Returns the functions that a function calls by their names, in the order of the text.
fn calls<'a>(caller: &Function, all: &'a [Function]) -> Vec<&'a Function> {
    let mut called = Vec::new();
    for (at, _) in caller.body.match_indices('(') {
        let before = &caller.body[..at];
        let before = before.strip_suffix('>').and_then(|rest| rest.rsplit_once("::<")).map_or(before, |(rest, _)| rest);
        let path = &before[before.rfind(|letter| !is_name(letter) && letter != ':').map_or(0, |at| at + 1)..];
        let (scope, name) = path.rsplit_once("::").unwrap_or(("", path));
        let scope = scope.rsplit("::").next().unwrap_or(scope);
        let rest = &before[..before.len() - path.len()];
        let is_method = rest.ends_with('.') && !rest.ends_with("..");
        let named: Vec<&Function> = all.iter().filter(|function| !name.is_empty() && function.name == name).collect();
        let of_types = named.iter().filter(|function| function.owner.is_some());
        let is_free = |function: &&&Function| function.owner.is_none();
        if is_method {
            // A call counts if only one function has this name, or if the file names the type of each such function.
            let is_only = of_types.clone().count() == 1;
            let is_named = |function: &&Function| {
                function.owner.as_ref().is_some_and(|owner| !starts(&caller.file, owner).is_empty())
            };
            called.extend(of_types.filter(|function| is_only || is_named(function)));
        } else if scope.is_empty() {
            let own = named.iter().find(|function| is_free(function) && function.room == caller.room);
            let is_imported = || {
                caller.file.split(';').any(|line| {
                    let line = line.trim_start();
                    let is_of_crate = ["use crate::", "use super::"].iter().any(|root| line.starts_with(root));
                    is_of_crate && !starts(line, name).is_empty()
                })
            };
            called.extend(own.or_else(|| named.iter().find(is_free).filter(|_| is_imported())));
        } else {
            let scope = if scope == "Self" { caller.owner.as_deref().unwrap_or(scope) } else { scope };
            called.extend(named.iter().find(|function| match &function.owner {
                Some(owner) => owner == scope,
                None => function.room == scope || ["crate", "super"].contains(&scope),
            }));
        }
    }
    called
}

/// Adds the stays of a function and of the functions that it calls.
fn walk<'a>(
    function: &'a Function,
    all: &'a [Function],
    seen: &mut BTreeSet<*const Function>,
    stays: &mut Vec<&'a str>,
) {
    if !seen.insert(function) {
        return;
    }
    if stays.last() != Some(&function.room.as_str()) {
        stays.push(&function.room);
    }
    for called in calls(function, all) {
        walk(called, all, seen, stays);
    }
}

/// Returns the files that a walk from `draw` in the file `lib` enters.
fn stays(all: &[Function]) -> Vec<&str> {
    let draw = all.iter().find(|function| function.room == "lib" && function.name == "draw").expect("stage::draw");
    let mut stays = Vec::new();
    walk(draw, all, &mut BTreeSet::new(), &mut stays);
    stays
}

#[test]
#[expect(clippy::print_stdout, reason = "the files in the order of the walk, for a person")]
fn a_frame_enters_few_files() {
    let mut all = Vec::new();
    functions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let stays = stays(&all);
    let n_files = stays.iter().collect::<BTreeSet<_>>().len();
    let n_returns = stays.len() - n_files;
    println!("{} stays in {n_files} files, {n_returns} returns: {}", stays.len(), stays.join(" "));
    assert!(n_files > 3, "the walk finds calls: {stays:?}");
    assert!(stays.len() <= STAYS_MAX && n_returns <= RETURNS_MAX, "{} stays, {n_returns} returns", stays.len());
}

#[test]
fn the_walk_follows_paths_imports_and_methods_and_enters_each_function_once() {
    let files = [
        (
            "lib",
            "fn draw(f: &F) {\n    let scene = Scene::new(f);\n    edges::links(&scene);\n    cells::body(&scene);\n}",
        ),
        ("geometry", "impl Scene {\n    fn new() -> Self { wide() }\n    fn lane(&self) {}\n}\nfn wide() { other(1) }"),
        ("edges", "use super::cells::token;\nfn links(scene: &Scene) { scene.lane(); token(); \"body(\"; }"),
        ("cells", "fn token() {}\nfn other() {}\nfn body(scene: &Scene) {\n    // edges::last()\n    scene.lane();\n}"),
        ("unused", "fn last() {}"),
    ];
    let mut all = Vec::new();
    for (room, text) in files {
        functions_of(room, &code(text), &mut all);
    }
    assert_eq!(stays(&all), ["lib", "geometry", "edges", "geometry", "cells"]);
}
