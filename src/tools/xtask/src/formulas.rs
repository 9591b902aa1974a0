//! Mutation test of the lessons' tests: they must fail if a formula of the simulator core changes.
//!
//! The command changes one formula in a copy of the sources. At least one card must then disagree with the value that
//! the tests compute without the core.

use std::collections::BTreeSet;
use std::path::Path;

use crate::process::{cargo, step};
use crate::{Error, files};

/// A change of a formula in a source file.
struct Change {
    said: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

const CHANGES: [Change; 2] = [
    Change {
        said: "a fold takes one cycle more",
        file: "src/core/systolic/src/timing.rs",
        from: "row_hop * (rows - 1) + cols - 1 + product_delay",
        to: "row_hop * (rows - 1) + cols + product_delay",
    },
    Change {
        said: "the wave comes to all columns at once",
        file: "src/core/systolic/src/schedule.rs",
        from: "self.timing.row_hop * pe.row as u64 + pe.col as u64",
        to: "self.timing.row_hop * pe.row as u64",
    },
];

/// Minimum number of cards that must notice at least one of the changes.
const CARDS_MIN: usize = 30;

/// Changes each formula and runs the tests of the lessons.
///
/// # Errors
/// Fails if a formula is not in its file, the copy does not build, no card disagrees with a change, or fewer than 30
/// cards disagree in all.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let mut all = BTreeSet::new();
    for change in &CHANGES {
        let mut cards: Vec<String> = Vec::new();
        step(&format!("lessons where {}", change.said), || disagreeing(root, change, &mut cards))?;
        println!("      noticed by {} cards: {}", cards.len(), cards.join(", "));
        all.extend(cards);
    }
    if all.len() < CARDS_MIN {
        let n = all.len();
        return Err(Error::Verdict(format!("only {n} cards notice a changed formula; at least {CARDS_MIN} must")));
    }
    Ok(())
}

fn disagreeing(root: &Path, change: &Change, cards: &mut Vec<String>) -> Result<(), Error> {
    let copy = root.join("target/changed");
    files::sources(root, &copy)?;
    let path = copy.join(change.file);
    let text = files::text(&path)?;
    if text.matches(change.from).count() != 1 {
        return Err(Error::Failed(format!("{} has no one place with {:?}", change.file, change.from)));
    }
    files::write(&path, text.replace(change.from, change.to))?;
    let mut command = cargo(&copy, &["test", "--quiet", "--offline", "-p", "lesson", "--test", "all", "by_hand"]);
    // The build needs its own folder, because cargo mistakes a package of the copy for the project's package.
    command.env("CARGO_TARGET_DIR", copy.join("target")).env("RUST_BACKTRACE", "0");
    // The output is hidden, because readers would mistake its expected failures for failures of the project.
    let output = command.output().map_err(Error::io("run the lessons' tests"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    for line in text.lines() {
        let card = line.strip_prefix("card ").and_then(|rest| rest.split_once(" disagrees"));
        // If a lesson no longer parses, its line has more text behind the name of the card.
        let name = card.and_then(|(card, _)| card.split(':').next());
        cards.extend(name.map(str::to_owned).filter(|name| !cards.contains(name)));
    }
    if output.status.success() || cards.is_empty() {
        println!("{text}{}", String::from_utf8_lossy(&output.stderr));
        return Err(Error::Verdict(format!("no card notices that {}", change.said)));
    }
    Ok(())
}
