//! Mutation test of the lessons' tests: they must fail if a formula of the simulator core changes.
//!
//! The command changes one formula in a copy of the sources. At least one card must then disagree with the value that
//! the tests compute without the core.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::Error;
use crate::process::cargo;
use crate::steps::Steps;

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
        file: "src/systolic/src/timing.rs",
        from: "row_hop * (rows - 1) + cols - 1 + product_delay",
        to: "row_hop * (rows - 1) + cols + product_delay",
    },
    Change {
        said: "the wave comes to all columns at once",
        file: "src/systolic/src/schedule.rs",
        from: "self.timing.row_hop * pe.row as u64 + pe.col as u64",
        to: "self.timing.row_hop * pe.row as u64",
    },
];

/// Least number of cards that notice one of the changes.
const CARDS_MIN: usize = 30;

/// Files and folders that a build of the lessons' tests reads.
const COPIED: [&str; 8] = ["src", "patches", "tests", "benches", "python", "course", "Cargo.toml", "Cargo.lock"];

/// Changes each formula and runs the tests of the lessons.
///
/// # Errors
/// Fails if a formula is not in its file, the copy does not build, no card disagrees with a change, or fewer than 30
/// cards disagree in all.
pub fn run(root: &Path, steps: &mut Steps) -> Result<(), Error> {
    let mut all = BTreeSet::new();
    for change in &CHANGES {
        let mut cards: Vec<String> = Vec::new();
        steps.run(&format!("lessons where {}", change.said), || disagreeing(root, change, &mut cards))?;
        println!("      noticed by {} cards: {}", cards.len(), cards.join(", "));
        all.extend(cards);
    }
    if all.len() < CARDS_MIN {
        let n = all.len();
        return Err(Error::Verdict(format!("only {n} cards notice a changed formula; at least {CARDS_MIN} must")));
    }
    Ok(())
}

/// Returns the approximate duration of each step of [`run`] on two cores.
#[must_use]
pub const fn estimates() -> [Duration; CHANGES.len()] {
    [Duration::from_secs(30); CHANGES.len()]
}

fn disagreeing(root: &Path, change: &Change, cards: &mut Vec<String>) -> Result<(), Error> {
    let copy = root.join("target/changed");
    for name in COPIED {
        copied(&root.join(name), &copy.join(name)).map_err(Error::io(format!("copy {name}")))?;
    }
    let path = copy.join(change.file);
    let text = fs::read_to_string(&path).map_err(Error::io(format!("read {}", change.file)))?;
    if text.matches(change.from).count() != 1 {
        return Err(Error::Malformed(format!("{} has no one place with {:?}", change.file, change.from)));
    }
    let changed = text.replace(change.from, change.to);
    fs::write(&path, changed).map_err(Error::io(format!("write {}", change.file)))?;
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

/// Copies a file or folder, but only files that differ, so that cargo does not rebuild unchanged crates.
fn copied(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copied(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    let now = fs::read(from)?;
    if fs::read(to).is_ok_and(|before| before == now) { Ok(()) } else { fs::write(to, now) }
}
