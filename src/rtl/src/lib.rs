//! The array of a run as hardware: SystemVerilog for the PE, the array, its skew, feeders and sequencers, with a
//! testbench.
//!
//! [`Rtl::files`] returns the whole folder, which also has the matrices of the run. The testbench checks every register
//! and every result.
//!
//! The hardware is a third description of the machine, next to the register machine and the closed forms. The hardware
//! has a clock, registers and counters, and no formula for wavefront times. Other programs check it (`tests/hardware`):
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

/// A run that [`Rtl::files`] can write as hardware.
#[derive(Clone, Copy, Debug)]
pub struct Rtl<'a> {
    schedule: &'a Schedule,
    operands: &'a Operands,
    unit: MacUnit,
    registers_max: u64,
    flaw: Option<Flaw>,
}

/// A file of the hardware folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Name of the file.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

/// Reason why a run cannot be written as hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A number format that is not an integer. This crate writes no floating-point adders.
    Format(Dtype),
    /// Too many elements in A, B and C together, or in the lines of one feeder.
    Elements {
        /// Elements of the run.
        given: u64,
        /// Largest allowed number of elements ([`Rtl::ELEMENTS_MAX`]).
        most: u64,
    },
    /// Too many cycles for a run as hardware.
    Cycles {
        /// Cycles of the run.
        given: u64,
        /// Largest allowed number of cycles ([`Rtl::CYCLES_MAX`]).
        most: u64,
    },
}

/// A deliberate mistake in the hardware, which the tests must notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A row of the array whose data enters one clock edge too late.
    LateLane {
        /// Index of the late row.
        row: u32,
    },
    /// A PE that receives the input of its western neighbor instead of the neighbor's output.
    SkippedHop {
        /// The faulty PE. It is not in the first column.
        pe: PeId,
    },
}

impl<'a> Rtl<'a> {
    /// Largest number of elements of A, B and C together, and of the lines of one feeder.
    pub const ELEMENTS_MAX: u64 = 1 << 22;
    /// Largest number of cycles of a run.
    pub const CYCLES_MAX: u64 = 1 << 30;
    /// Largest number of PE-cycles of a run with files of its registers: `registers.hex` for the testbench, and the
    /// waveforms.
    pub const REGISTERS_MAX: u64 = 1 << 20;

    /// Returns the hardware of a run.
    ///
    /// # Errors
    /// - [`Refusal::Format`] if the number format is not an integer.
    /// - [`Refusal::Cycles`] or [`Refusal::Elements`] if the run is too large.
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

    /// Sets the largest number of PE-cycles of a run with files of its registers.
    #[must_use]
    pub const fn with_registers_up_to(self, pe_cycles: u64) -> Self {
        Self { registers_max: pe_cycles, ..self }
    }

    /// Puts a deliberate mistake into the hardware.
    #[must_use]
    pub const fn with(self, flaw: Flaw) -> Self {
        Self { flaw: Some(flaw), ..self }
    }

    /// True if the run is short enough to write the values of its registers into files.
    #[must_use]
    pub const fn has_registers(&self) -> bool {
        self.schedule.pe_cycles().get() <= self.registers_max
    }

    /// Returns all files. The name of each module and file starts with `prefix`, so that several designs fit into one
    /// build.
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

    /// Returns the registers of every PE as waveforms (a value change dump, IEEE 1800, clause 21.7). The testbench has
    /// the same module names if its files have the same `prefix`. Returns `None` if the run has more PE-cycles than
    /// [`Rtl::has_registers`] allows.
    #[must_use]
    pub fn waveforms(&self, prefix: &str) -> Option<String> {
        self.has_registers().then(|| vcd::written(self, prefix))
    }
}
