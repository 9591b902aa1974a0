//! Registers of a PE in hardware: the registers that a design has, and their widths in bits.

use crate::{Accumulator, Hold, Load, MacUnit, Overlap, Registers, Schedule, Value};

/// A register of a PE. Each register also has a valid bit, which is set if the register has content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeRegister {
    /// Held register: the stationary operand (WS, IS).
    Held,
    /// Shadow register: the stationary operand of the next fold (WS, IS, double-buffered).
    Shadow,
    /// East register: the operand that moves east.
    East,
    /// South register: the operand that moves south (OS).
    South,
    /// Product register, in a design that latches the product before the add.
    Product,
    /// Sum register.
    Sum,
    /// Second register of a hop to the south.
    Passing,
    /// Output buffer: the finished sum on its way out (OS, double-buffered and drained south).
    Drained,
}

/// Registers and control bits of one PE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeStorage {
    registers: Vec<(PeRegister, u64)>,
    control_bits: u64,
}

crate::named! {
    PeRegister {
        Held => "held",
        Shadow => "shadow",
        East => "east",
        South => "south",
        Product => "product",
        Sum => "sum",
        Passing => "passing",
        Drained => "drained",
    }
}

impl PeRegister {
    /// Content of this register in one PE; `None` if the register is empty.
    #[must_use]
    pub const fn of(self, registers: &Registers) -> Option<Value> {
        match self {
            Self::Held => registers.held,
            Self::Shadow => registers.shadow,
            Self::East => registers.east,
            Self::South => registers.south,
            Self::Product => registers.product,
            Self::Sum => registers.sum,
            Self::Passing => registers.passing,
            Self::Drained => registers.drained,
        }
    }

    /// Width of the register in bits. A product of integers has as many bits as both operands. A product of floats is
    /// as wide as a sum.
    #[must_use]
    const fn bits(self, unit: MacUnit, hold: Hold) -> u64 {
        let operand = unit.dtype().register_bits();
        let sum = match unit.accumulator() {
            Accumulator::F32 | Accumulator::Int32 => 32,
            Accumulator::Bf16 | Accumulator::F16 => 16,
        };
        match (self, hold) {
            (Self::Held | Self::Shadow | Self::East | Self::South, _) | (Self::Passing, Hold::Result) => operand,
            (Self::Product, _) if unit.dtype().is_integer() => 2 * operand,
            (Self::Product | Self::Sum | Self::Drained, _) | (Self::Passing, Hold::Operand) => sum,
        }
    }
}

impl PeStorage {
    /// Registers of the PE and their widths in bits, without valid bits.
    #[must_use]
    pub fn registers(&self) -> &[(PeRegister, u64)] {
        &self.registers
    }

    /// Number of data bits in all registers.
    #[must_use]
    pub fn data_bits(&self) -> u64 {
        self.registers.iter().map(|(_, bits)| bits).sum()
    }

    /// Number of valid bits: one per register, set if the register has content.
    #[must_use]
    pub fn valid_bits(&self) -> u64 {
        self.registers.iter().map(|_| 1).sum()
    }

    /// Number of control bits of a double-buffered PE.
    ///
    /// These bits mark the beginning and end of a fold, new rows in the shadow registers, and waiting sums.
    #[must_use]
    pub const fn control_bits(&self) -> u64 {
        self.control_bits
    }

    /// Number of flip-flops of the PE: data, valid and control bits.
    #[must_use]
    pub fn bits(&self) -> u64 {
        self.data_bits() + self.valid_bits() + self.control_bits
    }
}

impl Schedule {
    /// Registers and control bits of each PE of a row. The last row has no second register to the south.
    #[must_use]
    pub fn storage(&self, unit: MacUnit, row: u32) -> PeStorage {
        let (design, hold) = (self.design(), self.dataflow().hold());
        let overlapped = design.overlap == Overlap::DoubleBuffered;
        let sets_aside = overlapped && self.drain_cycles().get() > 0;
        let has = |register: PeRegister| match register {
            PeRegister::Held => hold == Hold::Operand,
            PeRegister::Shadow => hold == Hold::Operand && overlapped,
            PeRegister::East | PeRegister::Sum => true,
            PeRegister::South => hold == Hold::Result,
            PeRegister::Product => design.pipeline.product_register,
            PeRegister::Passing => design.pipeline.two_registers_south && row + 1 < self.array().rows(),
            PeRegister::Drained => sets_aside,
        };
        let registers = PeRegister::ALL.into_iter().filter(|&register| has(register));
        PeStorage {
            registers: registers.map(|register| (register, register.bits(unit, hold))).collect(),
            // The control bits are two marks (OS), or one mark and the bit of a new shadow register (WS, IS). A
            // buffered sum also has a waiting bit.
            control_bits: if overlapped { 2 + u64::from(sets_aside) } else { 0 },
        }
    }

    /// Number of flip-flops of all PEs.
    #[must_use]
    pub fn array_bits(&self, unit: MacUnit) -> u64 {
        let (rows, cols) = (self.array().rows(), u64::from(self.array().cols()));
        let of_row = |row: u32| cols * self.storage(unit, row).bits();
        u64::from(rows - 1) * of_row(0) + of_row(rows - 1)
    }

    /// Number of flip-flops of the skew registers at the west and north edges, including the flip-flops that delay the
    /// fold marks.
    #[must_use]
    pub fn skew_bits(&self, unit: MacUnit) -> u64 {
        let (design, hold) = (self.design(), self.dataflow().hold());
        let overlapped = u64::from(design.overlap == Overlap::DoubleBuffered);
        let element = unit.dtype().register_bits() + 1;
        let triangle = |side: u32| u64::from(side) * u64::from(side - 1) / 2;
        let (rows, cols) = (self.array().rows(), self.array().cols());
        let west = (1 + u64::from(design.pipeline.two_registers_south)) * triangle(rows);
        match hold {
            Hold::Operand => {
                let north = if design.load() == Load::Diagonal { triangle(cols) } else { 0 };
                west * (element + overlapped) + north * (element + 1 + overlapped)
            }
            Hold::Result => {
                let behind = u64::from(rows) * u64::from(design.pipeline.product_register);
                west * element + 2 * overlapped * (west + behind) + triangle(cols) * element
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArrayShape, Dataflow, Design, Dtype, Gemm, Padding, Pipeline};

    fn schedule(dataflow: Dataflow, design: Design) -> Schedule {
        let (gemm, array) = (Gemm::new(6, 4, 3).expect("small"), ArrayShape::new(4, 4).expect("small"));
        Schedule::new(gemm, array, dataflow, Padding::Ragged).and_then(|run| run.with(design)).expect("small")
    }

    #[test]
    fn the_array_of_the_first_screen_has_three_registers_a_pe() {
        let schedule = schedule(Dataflow::WeightStationary, Design::default());
        let storage = schedule.storage(MacUnit::new(Dtype::Int8), 0);
        let registers = [(PeRegister::Held, 8), (PeRegister::East, 8), (PeRegister::Sum, 32)];
        assert_eq!(storage.registers(), registers);
        assert_eq!((storage.data_bits(), storage.valid_bits(), storage.bits()), (48, 3, 51));
        assert_eq!(schedule.array_bits(MacUnit::new(Dtype::Int8)), 16 * 51);
        // The rows wait 0, 1, 2 and 3 cycles and are nine bits wide.
        assert_eq!(schedule.skew_bits(MacUnit::new(Dtype::Int8)), 6 * 9);
    }

    #[test]
    fn the_last_row_has_no_second_register() {
        let pipeline = Pipeline { product_register: true, two_registers_south: true };
        let schedule = schedule(Dataflow::OutputStationary, Design { pipeline, ..Design::default() });
        let unit = MacUnit::new(Dtype::Int4);
        let widths = |row| schedule.storage(unit, row).registers().iter().map(|(_, bits)| *bits).collect::<Vec<_>>();
        assert_eq!(widths(0), [4, 4, 8, 32, 4]);
        assert_eq!(widths(3), [4, 4, 8, 32]);
    }
}
