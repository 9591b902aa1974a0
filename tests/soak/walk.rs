//! Walk of random actions, and its report when something breaks.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use studio::{Action, Changed, Link, Playhead, Session};

use super::checks::Check;
use super::choice::{Choice, Said, next};
use super::dice::Dice;

/// Number of actions between two remembered states of a walk.
const MARKED: u64 = 512;

/// Walk of random actions, with the state that it has reached.
#[derive(Clone)]
pub(crate) struct Walk {
    seed: u64,
    dice: Dice,
    session: Session,
    playhead: Playhead,
    /// True if every check runs after every action.
    is_strict: bool,
    /// Checks, each with the number of actions between two runs of the check.
    checks: &'static [(u64, Check)],
    /// Number of actions done.
    pub(crate) n_done: u64,
    /// Duration and description of the slowest action.
    pub(crate) longest: (Duration, String),
}

impl Walk {
    /// Starts a walk at the first screen.
    pub(crate) fn new(seed: u64, checks: &'static [(u64, Check)]) -> Self {
        let (session, playhead) = Session::open(&Link::default());
        let dice = Dice::new(seed);
        Self {
            seed,
            dice,
            session,
            playhead,
            is_strict: false,
            checks,
            n_done: 0,
            longest: (Duration::ZERO, String::new()),
        }
    }

    /// Does `n` more actions.
    ///
    /// # Errors
    /// Fails if a check fails or something panics. The error names the problem, the action, and a link that shows the
    /// problem.
    pub(crate) fn go(&mut self, n: u64) -> Result<(), String> {
        let mut mark = self.clone();
        for _ in 0..n {
            if self.n_done.is_multiple_of(MARKED) {
                mark = self.clone();
            }
            if let Err(late) = self.advance() {
                // Some checks run only now and then. A strict repetition finds the action that broke the state.
                mark.is_strict = true;
                return Err((0..MARKED).find_map(|_| mark.advance().err()).unwrap_or(late));
            }
        }
        Ok(())
    }

    fn advance(&mut self) -> Result<(), String> {
        let choice = next(&mut self.dice, &self.session.scenario);
        let before = (self.session.clone(), self.playhead);
        let done = caught(|| self.step(&choice.action));
        self.n_done += 1;
        done.map_err(|what| self.told(&before, &choice, &what))
    }

    fn step(&mut self, action: &Action) -> Result<(), String> {
        let (before, head) = (self.session.clone(), self.playhead);
        let begun = Instant::now();
        match action {
            Action::Edit(edit) => {
                let (session, playhead, changed) = before.clone().applied(edit, head);
                if (changed == Changed::Nothing) != (session == before) {
                    return Err(format!("the change is {changed:?}"));
                }
                // A text that cannot be used undoes the numbers that were typed before it. Only then may the number of
                // changes decrease.
                if session.revision < before.revision && session.drafts.is_empty() {
                    return Err("a step of the history was lost".to_owned());
                }
                (self.session, self.playhead) = (session, playhead);
            }
            Action::Move(transport) => self.playhead = head.moved(*transport, &before.plan),
            Action::Elapse(seconds) => {
                self.playhead = head.elapsed(*seconds, &before.plan, before.tools.repeats_fold);
            }
        }
        if begun.elapsed() > self.longest.0 {
            self.longest = (begun.elapsed(), short(action));
        }
        let nth = self.n_done + 1;
        let mut due = self.checks.iter().filter(|(every, _)| self.is_strict || nth.is_multiple_of(*every));
        due.try_for_each(|(_, check)| check(&self.session, &self.playhead))
    }

    /// Report of a failure, with a link and a command that reproduce it.
    fn told(&self, before: &(Session, Playhead), choice: &Choice, what: &str) -> String {
        let link = replay(before, choice);
        let alone = caught(|| {
            let (query, fragment) = link.split_once('#').unwrap_or((&link, ""));
            let (session, playhead) = Session::open(&Link::parse(query, fragment));
            self.checks.iter().try_for_each(|(_, check)| check(&session, &playhead))
        });
        let shows = if alone.is_err() { "shows it" } else { "is where it happened, and does not show it by itself" };
        let (seed, n, action) = (self.seed, self.n_done, short(&choice.action));
        format!(
            "{what}\naction {n} of seed {seed}: {action}\nthis link {shows}: {link}\nall of it: SEED={seed} ACTIONS={n} cargo test -p whole --test soak"
        )
    }
}

/// Beginning of an action as text.
fn short(action: &Action) -> String {
    format!("{action:?}").chars().take(200).collect()
}

/// Link to the state before an action, with the effect of the action.
fn replay((session, playhead): &(Session, Playhead), choice: &Choice) -> String {
    let (mut query, mut fragment) = session.link(playhead).to_parts();
    let pair =
        |name: &str, value: &str| form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
    match &choice.link {
        None => {}
        Some(Said::Instead(other, rest)) => (query, fragment) = (other.clone(), rest.clone()),
        Some(Said::Query(name, value)) => {
            // If a parameter is repeated, some parameters use the first value, and others use the last value.
            let others: Vec<&str> = query.split('&').filter(|one| one.split('=').next() != Some(*name)).collect();
            query = [others.join("&"), pair(name, value)].join("&");
        }
        Some(Said::Fragment(name, value)) => {
            let joint = if fragment.is_empty() { "" } else { "&" };
            fragment = format!("{fragment}{joint}{}", pair(name, value));
        }
    }
    if fragment.is_empty() { format!("?{query}") } else { format!("?{query}#{fragment}") }
}

thread_local! {
    /// Place and message of the last panic in a walk.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Records the message of a panic in a walk and does not print it, because the failure is printed once, with its link.
pub(crate) fn note_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_walk = IN_WALK.with(|walk| *walk.borrow());
        if is_walk { PANIC.with(|said| *said.borrow_mut() = panic.to_string()) } else { usual(panic) }
    }));
}

thread_local! {
    static IN_WALK: RefCell<bool> = const { RefCell::new(false) };
}

/// Does the work, and returns a panic as an error.
fn caught(work: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    IN_WALK.with(|walk| *walk.borrow_mut() = true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IN_WALK.with(|walk| *walk.borrow_mut() = false);
    done.unwrap_or_else(|_| Err(PANIC.with(|said| said.borrow().clone())))
}
