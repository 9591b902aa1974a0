//! The array of a run as hardware: SystemVerilog for the PE, the array, its skew, feeders and sequencers, with a
//! testbench.
//!
//! The folder also has the matrices of the run. The testbench checks every register and every result. [`Rtl::files`] is
//! the whole folder.
//!
//! The hardware is a third description of the machine, next to the register machine and the closed forms. It has a
//! clock, registers and counters, and no formula for wave times. Other programs check it (`tests/hardware`):
//!
//! - Simulators compare every register at every cycle with the closed forms.
//! - Yosys counts the flip-flops, and a test compares their number with `Schedule::storage`.
//! - Hardware with one wrong hop must fail.

mod design;
mod memory;
mod model;
mod pieces;
mod template;
pub mod vcd;
mod words;

pub use pieces::{Piece, Pieces};

use systolic::{Dtype, MacUnit, Operands, PeId, Run, Schedule};

/// A run whose array can be written as hardware.
#[derive(Clone, Copy, Debug)]
pub struct Rtl<'a> {
    schedule: &'a Schedule,
    operands: &'a Operands,
    unit: MacUnit,
    registers_max: u64,
    flaw: Option<Flaw>,
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// Why a run cannot be written as hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The format is no integer: adders of floats are not written.
    Format(Dtype),
    /// A, B and C, or the lines of the feeders, have more elements than a file should.
    Elements {
        /// How many there are.
        given: u64,
        /// How many there may be.
        most: u64,
    },
    /// The run has more cycles than a counter of the hardware counts.
    Cycles {
        /// How many there are.
        given: u64,
        /// How many there may be.
        most: u64,
    },
}

/// A mistake put into the hardware on purpose, to see that the tests notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// One row enters a clock edge too late.
    LateLane {
        /// The row.
        row: u32,
    },
    /// One PE takes what its neighbor in the west takes, not what that one passes on.
    SkippedHop {
        /// The PE, not of the first column.
        pe: PeId,
    },
}

impl<'a> Rtl<'a> {
    /// Most elements of A, B and C together, and of the lines of a feeder.
    pub const ELEMENTS_MAX: u64 = 1 << 22;
    /// Longest run in cycles.
    pub const CYCLES_MAX: u64 = 1 << 30;
    /// Longest run in PE-cycles whose registers are written, for the testbench and as waveforms.
    pub const REGISTERS_MAX: u64 = 1 << 20;

    /// The hardware of a run.
    ///
    /// # Errors
    /// When the format is no integer, or the run is too large.
    pub fn new(run: &'a Run) -> Result<Self, Refusal> {
        let (schedule, operands, unit) = (run.schedule(), run.operands(), run.unit());
        if !unit.dtype().is_integer() {
            return Err(Refusal::Format(unit.dtype()));
        }
        let (given, most) = (schedule.cycles().get(), Self::CYCLES_MAX);
        if given > most {
            return Err(Refusal::Cycles { given, most });
        }
        let (given, most) = (memory::elements(schedule), Self::ELEMENTS_MAX);
        if given > most {
            return Err(Refusal::Elements { given, most });
        }
        Ok(Self { schedule, operands, unit, registers_max: Self::REGISTERS_MAX, flaw: None })
    }

    /// The same with files of registers only where the run has at most so many PE-cycles.
    #[must_use]
    pub const fn with_registers_up_to(self, pe_cycles: u64) -> Self {
        Self { registers_max: pe_cycles, ..self }
    }

    /// The same with a mistake.
    #[must_use]
    pub const fn with(self, flaw: Flaw) -> Self {
        Self { flaw: Some(flaw), ..self }
    }

    /// Whether the run is short enough for a file of its registers.
    #[must_use]
    pub const fn has_registers(&self) -> bool {
        self.schedule.pe_cycles().get() <= self.registers_max
    }

    /// All files. `prefix` begins the name of each module and of each file, so that several designs fit into one build.
    #[must_use]
    pub fn files(&self, prefix: &str) -> Vec<File> {
        let (mut pieces, mut files) = (Pieces::new(self, prefix), Vec::<File>::new());
        while let Some(piece) = pieces.next(self) {
            if let Some(name) = piece.begins {
                files.push(File { name, text: piece.text });
            } else if let Some(file) = files.last_mut() {
                file.text.push_str(&piece.text);
            }
        }
        files
    }

    /// The registers of every PE as waveforms (a value change dump, IEEE 1800, clause 21.7), with the names that the
    /// modules have under `prefix`; `None` where the run is too long for them.
    #[must_use]
    pub fn waveforms(&self, prefix: &str) -> Option<String> {
        self.has_registers().then(|| vcd::written(self, prefix))
    }
}
