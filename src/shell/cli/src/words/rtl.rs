//! Sentences about exported hardware and its registers.

use std::fmt;

use plain::{cut, grouped};
use rtl::Rtl;

/// Returns the message about the written files.
pub(crate) fn wrote(n_files: usize, folder: &str) -> String {
    format!("Wrote {n_files} files to {}.", cut(folder))
}

/// Command that runs the testbench.
pub(crate) const RUN: &str = "Run the testbench there with: iverilog -g2012 -s systolic_tb -o run *.sv && vvp run";

/// Returns the reason why the written files contain no register values.
pub(crate) fn no_registers(pe_cycles: u64) -> String {
    format!(
        "The testbench checks only C, not the registers: the run has {} PE-cycles, and register checks are limited to {} PE-cycles.",
        grouped(pe_cycles),
        grouped(Rtl::REGISTERS_MAX)
    )
}

/// Writes the reason why a run has too many PE-cycles for waveforms.
pub(crate) fn no_waveforms(f: &mut fmt::Formatter<'_>, pe_cycles: u64) -> fmt::Result {
    write!(
        f,
        "The run has {} PE-cycles: for waveforms, use a run of at most {} PE-cycles.",
        grouped(pe_cycles),
        grouped(Rtl::REGISTERS_MAX)
    )
}
