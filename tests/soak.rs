//! Random actions and links on the state of the page, without a browser. Nothing may panic, and every state must pass
//! the checks.
//!
//! `SEED` chooses other walks, `ACTIONS` makes them longer. The report of a failure has a link that shows the failure
//! again.

#[path = "soak/checks.rs"]
mod checks;
#[path = "soak/choice.rs"]
mod choice;
#[path = "soak/dice.rs"]
mod dice;
#[path = "soak/walk.rs"]
mod walk;

use std::thread;

use checks::Check;
use studio::{Link, Playhead, Session};
use walk::Walk;

/// Number of actions of all walks together; [`ACTIONS_MAX`] is this number in the long suite and in the soak.
const ACTIONS: u64 = 200_000;
const ACTIONS_MAX: u64 = 1_000_000;
/// Number of parallel walks: as many as the smallest machine has cores.
const WALKS: u64 = 2;

/// Reads a number from an environment variable.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
#[expect(clippy::print_stdout, reason = "how many, and what took longest, is for whoever runs a long walk")]
fn random_actions_break_nothing() {
    walk::note_panics();
    let is_long = ["LONG", "SEED"].iter().any(|name| std::env::var_os(name).is_some());
    let n_actions = variable("ACTIONS").unwrap_or(if is_long { ACTIONS_MAX } else { ACTIONS });
    // With ACTIONS, only the walk of SEED runs, because the report of a failure names its seed and number of actions.
    let n_walks = if variable("ACTIONS").is_some() { 1 } else { WALKS };
    let seed = variable("SEED").unwrap_or(0x5eed);
    let walks = (0..n_walks).map(|nth| {
        thread::spawn(move || {
            let mut walk = Walk::new(seed.wrapping_add(nth), &checks::ALL);
            walk.go(n_actions / n_walks).map(|()| (walk.n_done, walk.longest))
        })
    });
    let walks: Vec<_> = walks.collect();
    let done: Vec<_> = walks.into_iter().map(|walk| walk.join().expect("a walk catches what panics")).collect();
    let failed: Vec<&str> = done.iter().filter_map(|one| one.as_ref().err().map(String::as_str)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    let n_done: u64 = done.iter().flatten().map(|(n, _)| n).sum();
    let longest = done.into_iter().flatten().map(|(_, longest)| longest).max();
    println!("{n_done} actions from seed {seed}, the longest {longest:?}");
    assert_eq!(n_done, n_actions / n_walks * n_walks);
}

/// Check that fails for arrays with three columns. The check passes for settings that cannot run, because no link shows
/// their last run.
fn never_three_columns(session: &Session, _: &Playhead) -> Result<(), String> {
    let cols = session.plan.schedule().array().cols();
    if cols == 3 && !session.has_problems() { Err("three columns".to_owned()) } else { Ok(()) }
}

/// Check that panics for runs in bf16.
fn panics_on_bf16(session: &Session, _: &Playhead) -> Result<(), String> {
    assert_ne!(session.plan.dtype(), systolic::Dtype::Bf16, "no bf16 here");
    Ok(())
}

#[test]
fn what_breaks_is_told_with_a_link_that_shows_it_again() {
    walk::note_panics();
    const RULE: &[(u64, Check)] = &[(1, never_three_columns)];
    const CODE: &[(u64, Check)] = &[(1, panics_on_bf16)];
    for (checks, says) in [(RULE, "three columns"), (CODE, "no bf16 here")] {
        for seed in 0..5 {
            let told = Walk::new(seed, checks).go(100_000).expect_err("it is found");
            assert!(told.contains(says) && told.contains(&format!("of seed {seed}:")), "{told}");
            let (_, rest) = told.split_once("this link shows it: ?").unwrap_or_else(|| panic!("no link: {told}"));
            let link = rest.lines().next().unwrap_or_default();
            let (query, fragment) = link.split_once('#').unwrap_or((link, ""));
            let (session, _) = Session::open(&Link::parse(query, fragment));
            let is_it = match says {
                "three columns" => session.plan.schedule().array().cols() == 3,
                _ => session.plan.dtype() == systolic::Dtype::Bf16,
            };
            assert!(is_it, "{told}");
            // The seed is enough to find the failure at the same action.
            assert_eq!(Walk::new(seed, checks).go(100_000), Err(told));
        }
    }
}
