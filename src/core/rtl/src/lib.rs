//! Generates hardware for the array of a run: SystemVerilog for the PE, the array, skew registers, feeders and
//! sequencers, with a testbench.
//!
//! [`Rtl::files`] returns all generated files, including the matrices of the run. The testbench checks every register
//! and every result.
//!
//! The hardware is a third model of the array, next to the register machine ([`systolic::Machine`]) and the closed
//! forms ([`systolic::Schedule`]). The hardware has a clock, registers and counters, but no formula for wavefront
//! times. Other programs check the hardware (`tests/hardware`):
//!
//! - Simulators compare every register at every cycle with the closed forms.
//! - Yosys counts the flip-flops, and a test compares their number with `Schedule::storage`.
//! - Hardware with a deliberate mistake ([`Flaw`]) must fail in the testbench.

mod design;
mod memory;
mod model;
mod pieces;
mod template;
pub mod vcd;
mod words;

pub use pieces::{Piece, Pieces};

use systolic::{Adder, Dtype, MacUnit, Operands, PeId, Run, Schedule};

/// A run from which [`Rtl::files`] can generate hardware.
#[derive(Clone, Copy, Debug)]
pub struct Rtl<'a> {
    schedule: &'a Schedule,
    operands: &'a Operands,
    unit: MacUnit,
    registers_max: u64,
    flaw: Option<Flaw>,
}

/// A file of the generated hardware.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Name of the file.
    pub name: String,
    /// Content of the file.
    pub text: String,
}

/// Reason why no hardware can be generated from a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An adder that adds a block of products at once. A generated PE has one multiplier.
    Adder {
        /// The adder.
        adder: Adder,
        /// Number of products in a block.
        block: u32,
    },
    /// A number format that is not an integer. This crate writes no floating-point adders.
    Format(Dtype),
    /// Sums that start from a matrix c. The generated sums start from zero.
    StartsFromC,
    /// Too many elements in A, B and C together, or in the memory of one feeder.
    Elements {
        /// Number of elements that is above the limit.
        given: u64,
        /// Largest allowed number of elements ([`Rtl::ELEMENTS_MAX`]).
        most: u64,
    },
    /// Too many cycles to generate hardware for the run.
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
        /// The faulty PE, which must not be in the first column.
        pe: PeId,
    },
}

impl<'a> Rtl<'a> {
    /// Largest number of elements in A, B and C together, and in the memory of each feeder.
    pub const ELEMENTS_MAX: u64 = 1 << 22;
    /// Largest number of cycles of a run.
    pub const CYCLES_MAX: u64 = 1 << 30;
    /// Largest number of PE-cycles for which register values are written to files: `registers.hex` for the testbench,
    /// and the waveforms.
    pub const REGISTERS_MAX: u64 = 1 << 20;

    /// Prepares the hardware of a run for [`Rtl::files`].
    ///
    /// # Errors
    /// - [`Refusal::Adder`] if the adder adds blocks of products.
    /// - [`Refusal::Format`] if the number format is not an integer.
    /// - [`Refusal::StartsFromC`] if the run has a matrix c.
    /// - [`Refusal::Cycles`] or [`Refusal::Elements`] if the run is too large.
    pub fn new(run: &'a Run) -> Result<Self, Refusal> {
        let (schedule, operands, unit) = (run.schedule(), run.operands(), run.unit());
        // The adder is checked first, because a refusal of the format would not say that the adder is refused too.
        if let Some(rule) = unit.rule() {
            return Err(Refusal::Adder { adder: unit.adder(), block: rule.block() });
        }
        if !unit.dtype().is_integer() {
            return Err(Refusal::Format(unit.dtype()));
        }
        if operands.c.is_some() {
            return Err(Refusal::StartsFromC);
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

    /// Sets the largest number of PE-cycles for which register values are written to files.
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

    /// Returns the registers of every PE as waveforms (a value change dump, IEEE 1800, clause 21.7). The module names
    /// match the testbench of [`Rtl::files`] if this `prefix` was also given to [`Rtl::files`]. Returns `None` if the
    /// run has more PE-cycles than [`Rtl::has_registers`] allows.
    #[must_use]
    pub fn waveforms(&self, prefix: &str) -> Option<String> {
        self.has_registers().then(|| vcd::written(self, prefix))
    }
}
