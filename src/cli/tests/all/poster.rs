//! The picture that the page shows before its module runs is what the command line draws.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The stage of the first screen in a window of 1280 by 900.
const SIZE: &str = "700x552";

fn drawn() -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_systolic")).args(["svg", "?", "--size", SIZE]).output().expect("it runs");
    let svg = String::from_utf8(output.stdout).expect("text");
    // A document has the light colors; the page has those of the system, and says itself what the picture shows.
    let svg = svg.replacen("data-theme=\"light\"", "data-theme=\"auto\"", 1);
    let (before, rest) = svg.split_once("<title>").expect("a title");
    before.to_owned() + rest.split_once("</title>\n").expect("its end").1
}

/// With UPDATE set the file is first written anew.
#[test]
fn the_poster_is_the_first_screen_as_the_command_line_draws_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (poster, drawn) = (root.join("public/poster.svg"), drawn());
    if env::var_os("UPDATE").is_some() {
        fs::write(&poster, &drawn).expect("written");
    }
    let kept = fs::read_to_string(poster).expect("public/poster.svg");
    assert!(kept == drawn, "public/poster.svg is stale: run this test with UPDATE=1");
}
