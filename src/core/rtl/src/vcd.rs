//! A run as waveforms: a value change dump (IEEE 1800, clause 21.7) with the registers of every PE.
//!
//! Names and times agree with the testbench: clock edge t is at 15 + 10·t nanoseconds, and all registers are empty
//! before the first edge.

use std::fmt::Write as _;

use crate::Rtl;
use crate::model::{self, Word};

/// Time in nanoseconds at which the dump shows all registers empty.
const BEGIN_NS: u64 = 10;

/// Returns the time of the clock edge of `cycle`, in nanoseconds.
#[must_use]
pub const fn edge_ns(cycle: u64) -> u64 {
    15 + 10 * cycle
}

/// A signal of the dump: one bit, or several bits that change together.
struct Signal {
    code: String,
    bits: u64,
    shown: u32,
}

impl Signal {
    fn write(&self, text: &mut String) {
        let _ = match self.bits {
            1 => writeln!(text, "{}{}", self.shown, self.code),
            _ => writeln!(text, "b{:b} {}", self.shown, self.code),
        };
    }
}

/// Returns the whole value change dump.
pub(crate) fn written(rtl: &Rtl, prefix: &str) -> String {
    let word = Word::of(rtl);
    let mut signals = Vec::new();
    let mut text = String::from("$timescale 1ns $end\n");
    for scope in [&format!("module {prefix}tb"), "module dut", "module array"] {
        let _ = writeln!(text, "$scope {scope} $end");
    }
    let array = rtl.schedule.array();
    for row in 0..array.rows() {
        let _ = writeln!(text, "$scope begin row[{row}] $end");
        for col in 0..array.cols() {
            let _ = writeln!(text, "$scope begin col[{col}] $end\n$scope module pe $end");
            declare(&word, &mut signals, &mut text);
            text.push_str("$upscope $end\n$upscope $end\n");
        }
        text.push_str("$upscope $end\n");
    }
    text.push_str("$upscope $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n");
    let _ = writeln!(text, "#{BEGIN_NS}\n$dumpvars");
    signals.iter().for_each(|signal| signal.write(&mut text));
    text.push_str("$end\n");
    let mut cycle = 0;
    model::stepped(rtl, |all| {
        let mut is_timed = false;
        let values = all.iter().flat_map(|registers| {
            word.registers().iter().flat_map(|&(register, bits)| {
                let (is_valid, value) = model::bits_of(register.of(registers), bits);
                [value, u32::from(is_valid)]
            })
        });
        for (signal, value) in signals.iter_mut().zip(values) {
            if signal.shown != value {
                if !is_timed {
                    let _ = writeln!(text, "#{}", edge_ns(cycle));
                    is_timed = true;
                }
                signal.shown = value;
                signal.write(&mut text);
            }
        }
        cycle += 1;
    });
    text
}

fn declare(word: &Word, signals: &mut Vec<Signal>, text: &mut String) {
    for &(register, bits) in word.registers() {
        let name = register.id();
        let value = Signal { code: code(signals.len()), bits, shown: 0 };
        let _ = writeln!(text, "$var reg {bits} {} {name} [{}:0] $end", value.code, bits - 1);
        signals.push(value);
        let valid = Signal { code: code(signals.len()), bits: 1, shown: 0 };
        let _ = writeln!(text, "$var reg 1 {} {name}_valid $end", valid.code);
        signals.push(valid);
    }
}

/// Returns the short name of a signal: its index as a number whose digits are the 94 printable ASCII characters.
fn code(mut index: usize) -> String {
    let mut code = String::new();
    loop {
        code.push(char::from(b'!' + u8::try_from(index % 94).unwrap_or(u8::MAX)));
        index /= 94;
        if index == 0 {
            return code;
        }
    }
}
