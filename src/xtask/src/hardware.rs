//! `cargo xtask rtl --check`: installs two simulators and a synthesizer, and tests the hardware of random designs in
//! these programs.

use std::path::Path;

use crate::process::{cargo, run as run_program, step};
use crate::{Error, debian};

/// Attempts to install missing programs from Debian's packages, and returns the programs that are still missing.
pub(crate) fn ensure() -> Vec<&'static str> {
    debian::ensure(&["iverilog", "verilator", "yosys"])
}

/// Compares the hardware of random designs with the simulator core, in every program, at every register and cycle.
///
/// # Errors
/// Fails if a program is missing or a design differs. The message names the seed that reproduces the difference.
pub(crate) fn run(root: &Path, designs: u64, seed: Option<u64>) -> Result<(), Error> {
    let seed = seed.unwrap_or_else(|| crate::clock_seed() % u64::from(u32::MAX));
    let missing = step("Icarus Verilog, Verilator and Yosys", || Ok(ensure()))?;
    if !missing.is_empty() {
        let remedy = "install Debian's packages of these names, or put the programs on PATH";
        return Err(Error::missing(&missing.join(", "), remedy));
    }
    step(&format!("{designs} designs from seed {seed}"), || {
        let mut command = cargo(root, &["test", "--locked", "--package=rtl", "--test=hardware", "--", "--nocapture"]);
        command.env("HARDWARE", "1").env("SEED", seed.to_string()).env("DESIGNS", designs.to_string());
        let again = format!("`cargo xtask rtl --check --seed {seed} --designs {designs}` shows it again");
        run_program("hardware", &mut command).map_err(|_| Error::Verdict(format!("hardware differs; {again}")))
    })
}
