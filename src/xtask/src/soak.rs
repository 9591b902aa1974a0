//! `cargo xtask soak`: repeats the random tests for a given time, each round with another seed. Each round also fuzzes
//! the entry points, guided by coverage.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::steps::{Steps, elapsed};
use crate::suite::{self, InBrowser, Score};
use crate::{Error, fuzz, page, rooms};

/// Number of keys pressed in each theme per round, ten times as many as in the test suite.
const KEYS: &str = "3334";

/// Options of `soak`: duration and first seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    minutes: u64,
    seed: Option<u64>,
}

impl Request {
    /// Reads `--minutes N` and `--seed S`.
    ///
    /// # Errors
    /// [`Error::Usage`] if an option is unknown, or a value is not a number in its range.
    pub fn parse(arguments: &[&str]) -> Result<Self, Error> {
        let mut request = Self { minutes: 30, seed: None };
        for pair in arguments.chunks(2) {
            let [name @ ("--minutes" | "--seed"), value] = pair else {
                return Err(Error::Usage(match pair {
                    [name @ ("--minutes" | "--seed")] => format!("{name} needs a number"),
                    _ => format!("`soak` knows no {}", pair[0]),
                }));
            };
            // Tests count up from the seed, so it must be far below the largest number of their type.
            let max = if *name == "--seed" { u64::from(u32::MAX) } else { 10_000 };
            let number = value.parse().ok().filter(|number| (1..=max).contains(number));
            let number = number.ok_or_else(|| Error::Usage(format!("{name} {value}: 1 to {max} are allowed")))?;
            if *name == "--seed" { request.seed = Some(number) } else { request.minutes = number }
        }
        Ok(request)
    }
}

/// True if the run should stop after `rounds` rounds, because one more round would end farther from the requested time.
/// The mean length of the finished rounds predicts the length of this round.
const fn is_over(asked_secs: u64, passed_secs: u64, rounds: u64) -> bool {
    2 * passed_secs + passed_secs / rounds >= 2 * asked_secs
}

/// Runs rounds for approximately the requested time, at least one round.
///
/// # Errors
/// Fails if a test or an entry point fails. The message of a failed test names the seed that reproduces the failure.
pub fn run(root: &Path, request: Request) -> Result<(), Error> {
    let time = Duration::from_secs(60 * request.minutes);
    // The clock only chooses the default seed.
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs());
    let first = request.seed.unwrap_or(clock);
    let mut score = Score::default();
    let mut steps = Steps::new(InBrowser::STEPS + page::STEPS + 1);
    let browser = InBrowser::ensure(root, &mut steps, &mut score)?;
    page::build(root, &mut steps)?;
    let fuzzer = steps.run("AFL++", || Ok(fuzz::Fuzzer::ensure(root)))?;
    let fuzzer =
        fuzzer.map_err(|reason| score.skip(format!("a search for texts that break an entry point: {reason}"))).ok();
    // A long walk on one page shows memory growth.
    let walk = (request.minutes * 2 / 3).clamp(1, 60).to_string();
    let begun = Instant::now();
    for round in 1_u64.. {
        // Some tests use thousands of consecutive seeds from this seed.
        let seed = (first + 10_000 * (round - 1)).to_string();
        println!("\nround {round}, seed {seed}, after {}", elapsed(begun.elapsed()));
        let seeded = [("SEED", seed.as_str()), ("PROPTEST_RNG_SEED", &seed), ("KEYS", KEYS), ("PAGE_MINUTES", &walk)];
        let keys =
            [suite::of_page(), ["random_keys::", "walk::", "--show-output"].map(str::to_owned).to_vec()].concat();
        let in_browser = [&seeded[..], &browser.environment()].concat();
        let mut steps = Steps::new(2 + fuzzer.map_or(0, |_| fuzz::STEPS));
        suite::test(root, &mut steps, &mut score, "native tests", &rooms::natively(), &seeded)
            .and_then(|()| {
                suite::test(root, &mut steps, &mut score, "random keys and a walk on the page", &keys, &in_browser)
            })
            .map_err(|error| match error {
                Error::Verdict(what) => {
                    Error::Verdict(format!("{what}; `cargo xtask soak --minutes 1 --seed {seed}` shows it again"))
                }
                other => other,
            })?;
        if let Some(fuzzer) = fuzzer {
            fuzzer.search(&mut steps, first + 10_000 * (round - 1), fuzz::SECONDS, None)?;
        }
        if is_over(time.as_secs(), begun.elapsed().as_secs(), round) {
            break;
        }
    }
    println!("{score}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_any_order() {
        assert_eq!(Request::parse(&[]).unwrap(), Request { minutes: 30, seed: None });
        let both = Request { minutes: 5, seed: Some(7) };
        assert_eq!(Request::parse(&["--seed", "7", "--minutes", "5"]).unwrap(), both);
        assert_eq!(Request::parse(&["--minutes", "5", "--seed", "7"]).unwrap(), both);
    }

    #[test]
    fn rounds_end_as_near_to_the_time_as_they_can() {
        assert!(is_over(3600, 3000, 1), "a second one would take until 6000");
        assert!(!is_over(3600, 2000, 1), "a second one takes until 4000");
        assert!(is_over(3600, 3700, 4));
        assert!(!is_over(3600, 1500, 3));
    }

    #[test]
    fn a_wrong_option_says_what_is_wrong() {
        for (arguments, words) in [
            (&["--minutes"][..], "--minutes needs a number"),
            (&["--minutes", "0"], "--minutes 0: 1 to 10000 are allowed"),
            (&["--seed", "x"], "--seed x: 1 to 4294967295 are allowed"),
            (&["--hours", "2"], "`soak` knows no --hours"),
        ] {
            let error = Request::parse(arguments).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
