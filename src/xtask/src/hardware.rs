//! `cargo xtask rtl --check`: installs two simulators and a synthesizer, and tests the hardware of random designs in
//! these programs.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::process::cargo;
use crate::steps::Steps;
use crate::{Error, debian, process};

/// Program names. Debian's packages have the same names as the programs.
const PROGRAMS: [&str; 3] = ["iverilog", "verilator", "yosys"];

/// Options of the check: number of designs, and seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    designs: u64,
    seed: Option<u64>,
}

impl Request {
    /// Reads `--check`, `--seed S` and `--designs N`.
    ///
    /// # Errors
    /// [`Error::Usage`] if `--check` is missing, an option is unknown, or a value is not a number in its range.
    pub fn parse(arguments: &[&str]) -> Result<Self, Error> {
        let mut request = Self { designs: 40, seed: None };
        let ["--check", options @ ..] = arguments else {
            return Err(Error::Usage("`rtl` needs --check; `systolic rtl` writes hardware".to_owned()));
        };
        for pair in options.chunks(2) {
            let [name @ ("--seed" | "--designs"), value] = pair else {
                return Err(Error::Usage(match pair {
                    [name @ ("--seed" | "--designs")] => format!("{name} needs a number"),
                    _ => format!("`rtl --check` knows no {}", pair[0]),
                }));
            };
            let max = if *name == "--seed" { u64::from(u32::MAX) } else { 10_000 };
            let number = value.parse().ok().filter(|number| (1..=max).contains(number));
            let number = number.ok_or_else(|| Error::Usage(format!("{name} {value}: 1 to {max} are allowed")))?;
            if *name == "--seed" { request.seed = Some(number) } else { request.designs = number }
        }
        Ok(request)
    }
}

/// Attempts to install missing programs from Debian's packages, and returns the programs that are still missing.
#[must_use]
pub fn ensure() -> Vec<&'static str> {
    debian::ensure(&PROGRAMS)
}

/// Compares the hardware of random designs with the simulator core, in every program, at every register and cycle.
///
/// # Errors
/// Fails if a program is missing or a design differs. The message names the seed that reproduces the difference.
pub fn run(root: &Path, request: Request) -> Result<(), Error> {
    // The clock only chooses the default seed.
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_secs());
    let (designs, seed) = (request.designs, request.seed.unwrap_or(clock % u64::from(u32::MAX)));
    let mut steps = Steps::estimated(vec![Duration::ZERO, Duration::from_secs(30 + 4 * designs)]);
    let missing = steps.run("Icarus Verilog, Verilator and Yosys", || Ok(ensure()))?;
    if !missing.is_empty() {
        let remedy = "install Debian's packages of these names, or put the programs on PATH".to_owned();
        return Err(Error::Missing { what: missing.join(", "), remedy });
    }
    steps.run(&format!("{designs} designs from seed {seed}"), || {
        let mut command = cargo(root, &["test", "--locked", "--package=rtl", "--test=hardware", "--", "--nocapture"]);
        command.env("HARDWARE", "1").env("SEED", seed.to_string()).env("DESIGNS", designs.to_string());
        let again = format!("`cargo xtask rtl --check --seed {seed} --designs {designs}` shows it again");
        if process::tee(&mut command, |_| ())? {
            Ok(())
        } else {
            Err(Error::Verdict(format!("hardware differs; {again}")))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_any_order() {
        assert_eq!(Request::parse(&["--check"]).unwrap(), Request { designs: 40, seed: None });
        let both = Request { designs: 5, seed: Some(7) };
        assert_eq!(Request::parse(&["--check", "--designs", "5", "--seed", "7"]).unwrap(), both);
    }

    #[test]
    fn a_wrong_option_says_what_is_wrong() {
        for (arguments, words) in [
            (&[][..], "`rtl` needs --check"),
            (&["--check", "--seed"], "--seed needs a number"),
            (&["--check", "--designs", "0"], "--designs 0: 1 to 10000 are allowed"),
            (&["--check", "--hours", "2"], "`rtl --check` knows no --hours"),
        ] {
            let error = Request::parse(arguments).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
