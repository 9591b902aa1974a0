//! `systolic cast`: rounds numbers to another format, and writes their values and codes.

use std::io::{self, BufRead as _, Write};

use systolic::{Dtype, MacUnit, Value};

use crate::arguments::Arguments;
use crate::problem::{Name, Problem, Problems, Usable};
use export::{Notation, exact};

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let from = MacUnit::new(arguments.dtype_of("from")?);
    let to = MacUnit::new(arguments.dtype_of("to")?)
        .with_saturation(arguments.flag("saturate"))
        .with_flushing(arguments.flag("flush"));
    let notation = match arguments.choice("format", &["decimal", "hex"])? {
        "hex" => Notation::Hex,
        _ => Notation::Decimal,
    };
    let mut problems = Vec::new();
    writeln!(out, "value,code")?;
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    for row in 1u64.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).map_err(Problem::Input)? == 0 {
            break;
        }
        let Ok(line) = std::str::from_utf8(&bytes) else {
            problems.push(Problem::NotText.in_row(row));
            continue;
        };
        for word in line.split([',', ' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()) {
            let Ok(value) = word.parse::<f64>() else {
                let (name, given, usable) = (Name::Number, word.to_owned(), Usable::Number);
                problems.push(Problem::Value { name, given, usable }.in_row(row));
                continue;
            };
            let value = to.operand(from.operand(value).as_f64());
            writeln!(out, "{},{}", exact(value, notation), code(to.dtype(), value))?;
        }
    }
    Problems::all(problems)
}

/// Returns the bit pattern of a number in its format, as hexadecimal digits with leading zeros.
fn code(dtype: Dtype, value: Value) -> String {
    let width = usize::try_from(dtype.bits().div_ceil(4)).unwrap_or(8);
    let code = match (value, dtype.float()) {
        // A tf32 number is an f32 number in memory.
        (Value::Float(float), Some(_)) if dtype == Dtype::Tf32 => float.to_bits(),
        (Value::Float(float), Some(format)) => format.code(f64::from(float)),
        (Value::Int(int), _) => int.cast_unsigned() & ((1 << dtype.bits()) - 1),
        (Value::Float(_), None) => 0,
    };
    format!("0x{code:0width$x}")
}
