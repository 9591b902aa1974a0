//! Expected values of all registers at each clock edge, from the register machine.

use std::fmt::Write as _;

use systolic::lane::Int8;
use systolic::{Machine, PeRegister, Registers, Value, Vectors};

use crate::Rtl;

/// Layout of a PE's registers in one binary word: each register follows its valid bit. All PEs have the same layout.
/// PEs of the last row can lack a register, and then the bits of this register are unused.
#[derive(Clone, Debug)]
pub(crate) struct Word {
    registers: Vec<(PeRegister, u64)>,
}

impl Word {
    /// Returns the layout for the PEs of a run.
    pub(crate) fn of(rtl: &Rtl) -> Self {
        let storage = rtl.schedule.storage(rtl.unit, 0);
        Self { registers: storage.registers().to_vec() }
    }

    pub(crate) fn registers(&self) -> &[(PeRegister, u64)] {
        &self.registers
    }

    /// Returns the width of the word in bits, including the valid bits.
    pub(crate) fn bits(&self) -> u64 {
        self.registers.iter().map(|(_, bits)| bits + 1).sum()
    }

    /// Returns the SystemVerilog expressions, one line per register, from which the testbench builds the word.
    pub(crate) fn fields(&self) -> String {
        let place = |register: &(PeRegister, u64)| format!("dut.array.row[i].col[j].pe.{}", register.0.id());
        let both = |register| format!("                    {0}_valid, {0}", place(register));
        self.registers.iter().map(both).collect::<Vec<_>>().join(",\n")
    }

    fn value(&self, registers: &Registers) -> u128 {
        self.registers.iter().fold(0, |word, &(register, bits)| {
            let (is_valid, value) = bits_of(register.of(registers), bits);
            (word << 1 | u128::from(is_valid)) << bits | u128::from(value)
        })
    }
}

/// Returns the valid bit and the value bits of a register. An empty register has the value zero.
pub(crate) fn bits_of(value: Option<Value>, bits: u64) -> (bool, u32) {
    let mask = u32::MAX >> (32 - bits);
    match value {
        Some(Value::Int(value)) => (true, value.cast_unsigned() & mask),
        Some(Value::Float(_)) | None => (false, 0),
    }
}

/// Returns the number of register values that the testbench compares: all registers of all PEs, at every clock edge.
pub(crate) fn compared(rtl: &Rtl) -> u64 {
    let array = rtl.schedule.array();
    let of_row = |row| rtl.schedule.storage(rtl.unit, row).registers().len() as u64;
    let of_all: u64 = (0..array.rows()).map(of_row).sum::<u64>() * u64::from(array.cols());
    of_all * rtl.schedule.cycles().get()
}

/// Calls `each` after every clock edge with the registers of all PEs, row by row.
pub(crate) fn stepped(rtl: &Rtl, mut each: impl FnMut(&[Registers])) {
    let vectors = Vectors::new(Int8(rtl.unit.dtype()), rtl.schedule, rtl.operands);
    let mut machine = Machine::new(rtl.schedule, &vectors, None);
    while !machine.finished() {
        machine.tick();
        let registers: Vec<Registers> = rtl.schedule.array().iter().map(|pe| machine.registers(pe)).collect();
        each(&registers);
    }
}

/// Returns the text of `registers.hex`: a line with one word for each PE at each clock edge.
pub(crate) fn registers_hex(rtl: &Rtl) -> String {
    let word = Word::of(rtl);
    let digits = usize::try_from(word.bits().div_ceil(4)).unwrap_or(usize::MAX);
    let mut text = String::new();
    stepped(rtl, |all| {
        for registers in all {
            let _ = writeln!(text, "{:0digits$x}", word.value(registers));
        }
    });
    text
}
