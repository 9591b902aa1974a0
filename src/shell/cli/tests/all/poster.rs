//! Tests that the command line draws the picture that the page shows before its module runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Size of the array view of the first screen in a window of 1280 by 900.
const SIZE: &str = "700x552";

/// Runs the command line for a link.
fn svg(link: &str) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_systolic")).args(["svg", link, "--size", SIZE]).output().expect("it runs");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns every color of a drawing with its attribute, in order.
fn colors(svg: &str) -> Vec<(&'static str, &str)> {
    let mut found: Vec<(usize, &'static str, &str)> = Vec::new();
    for name in ["fill", "stroke"] {
        let before = format!(" {name}=\"#");
        found.extend(svg.match_indices(&before).map(|(at, _)| (at, name, &svg[at + before.len()..][..6])));
    }
    found.sort_unstable();
    found.into_iter().map(|(_, name, digits)| (name, digits)).collect()
}

/// Returns the poster: the drawing in light colors, with rules that replace each color in a dark theme.
///
/// The page says what the picture shows, so the poster has no title. The browser enlarges the poster to the size of the
/// array view. With `geometricPrecision`, the browser then scales the letters, and does not lay out each text again.
fn drawn() -> String {
    let (light, dark) = (svg("?theme=light"), svg("?theme=dark"));
    let mut counts: BTreeMap<_, BTreeMap<_, usize>> = BTreeMap::new();
    for (from, (_, to)) in colors(&light).into_iter().zip(colors(&dark)) {
        *counts.entry(from).or_default().entry(to).or_default() += 1;
    }
    // Two tones can have one color in the light theme. The rule then takes the dark color of the tone with more marks.
    let commonest =
        |darks: &BTreeMap<&str, usize>| darks.iter().max_by_key(|(_, n)| **n).map(|(to, _)| (*to).to_owned());
    let rules: String = counts
        .iter()
        .filter_map(|((name, from), darks)| Some(format!("[{name}=\"#{from}\"]{{{name}:#{}}}", commonest(darks)?)))
        .collect();
    let (before, rest) = light.split_once("<title>").expect("a title");
    let (_, marks) = rest.split_once("</title>\n").expect("its end");
    let before = before.replacen("<svg ", "<svg text-rendering=\"geometricPrecision\" ", 1);
    format!("{before}<style>@media (prefers-color-scheme: dark) {{{rules}}}</style>\n{marks}")
}

/// If UPDATE is set, the test first writes the file.
#[test]
fn the_poster_is_the_first_screen_as_the_command_line_draws_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let (poster, drawn) = (root.join("public/poster.svg"), drawn());
    if env::var_os("UPDATE").is_some() {
        fs::write(&poster, &drawn).expect("written");
    }
    let kept = fs::read_to_string(poster).expect("public/poster.svg");
    assert!(kept == drawn, "public/poster.svg is stale: run this test with UPDATE=1");
}
