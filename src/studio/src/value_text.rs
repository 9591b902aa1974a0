//! Contents of a register as text: in full, or in the few glyphs that fit into a cell.

use display::number::{MINUS, fixed, read, scientific, significant};
use systolic::Value;

/// Returns a register's content in full: integers exactly, floats with up to nine significant digits, which distinguish
/// all f32 values.
#[must_use]
pub fn full(value: Value) -> String {
    match value {
        Value::Int(int) if int < 0 => format!("{MINUS}{}", int.unsigned_abs()),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => (1..=9)
            .map(|digits| (digits, significant(f64::from(float), digits)))
            .find(|(digits, text)| *digits == 9 || reads_back(text, float))
            .map_or_else(String::new, |(_, text)| text),
    }
}

/// Returns a register's content in at most four or five glyphs: `−128`, `12k`, `1.25`, `3e4`, `∞`.
#[must_use]
pub fn short(value: Value) -> String {
    match value {
        Value::Int(int) => short_int(i64::from(int)),
        Value::Float(float) => {
            let value = f64::from(float);
            if value == value.trunc() && value.abs() < 10_000.0 && !(value == 0.0 && value.is_sign_negative()) {
                #[expect(clippy::cast_possible_truncation, reason = "whole and below ten thousand")]
                return short_int(value as i64);
            }
            let magnitude = value.abs();
            if magnitude >= 9995.0 || (magnitude > 0.0 && magnitude < 0.001) {
                scientific(value)
            } else if magnitude >= 100.0 {
                fixed(value, 0)
            } else if magnitude >= 10.0 {
                trimmed(fixed(value, 1))
            } else {
                let digits = if magnitude < 0.01 { 3 } else { 2 };
                trimmed(if value.is_finite() && value != 0.0 { fixed(value, digits) } else { significant(value, 1) })
            }
        }
    }
}

/// Returns a register's content in at most `glyphs` glyphs, if possible. If necessary, uses fewer digits, omits the
/// zero before the decimal point, or writes `≈0` for a small number. A whole number of at most three digits is either exact
/// or empty.
#[must_use]
pub fn fitting(value: Value, glyphs: usize) -> String {
    for digits in [0, 2, 1] {
        let mut text = if digits == 0 { short(value) } else { significant(value.as_f64(), digits) };
        if text.chars().count() == glyphs + 1 {
            if let Some(rest) = text.strip_prefix("0.") {
                text = [".", rest].concat();
            } else if let Some(rest) = text.strip_prefix("\u{2212}0.") {
                text = ["\u{2212}.", rest].concat();
            }
        }
        if text.chars().count() <= glyphs {
            return text;
        }
    }
    // `−1e2` for −116 would look like a wrong result. The exact number is shown when a person points at the value.
    if matches!(value, Value::Int(int) if int.unsigned_abs() < 1_000) {
        return String::new();
    }
    // A whole number is never near zero. A small fraction is shorter as `≈0` than with a power of ten.
    if value.as_f64().abs() < 0.1 { "≈0".to_owned() } else { scientific(value.as_f64()) }
}

fn short_int(int: i64) -> String {
    let sign = if int < 0 { "\u{2212}" } else { "" };
    let magnitude = int.unsigned_abs();
    let (scaled, unit) = match magnitude {
        0..10_000 => (magnitude, ""),
        10_000..1_000_000 => (magnitude / 1000, "k"),
        1_000_000..1_000_000_000 => (magnitude / 1_000_000, "M"),
        _ => (magnitude / 1_000_000_000, "G"),
    };
    format!("{sign}{scaled}{unit}")
}

fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// True if this f32 is the nearest f32 to the number in a text that `significant` wrote.
fn reads_back(text: &str, float: f32) -> bool {
    let plain = text.replace(MINUS, "-");
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the question")]
    let same = read(&plain).is_some_and(|read| (read as f32).to_bits() == float.to_bits());
    same || !float.is_finite() || float == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn short_numbers_keep_to_a_few_glyphs() {
        let float = |value: f32| short(Value::Float(value));
        assert_eq!(short(Value::Int(-128)), "\u{2212}128");
        assert_eq!(short(Value::Int(-3_456_789)), "\u{2212}3M");
        assert_eq!(short(Value::Int(12_999)), "12k");
        assert_eq!(float(1.25), "1.25");
        assert_eq!(float(-0.5), "\u{2212}0.5");
        assert_eq!(float(30_000.0), "3e4");
        assert_eq!(float(2.0), "2");
        assert_eq!(float(f32::INFINITY), "\u{221e}");
        assert_eq!(float(-0.0), "\u{2212}0");
        assert_eq!(float(f32::NAN), "NaN");
        assert_eq!(float(123.456), "123");
        assert_eq!(float(1e-9), "1e\u{2212}9");
    }

    #[test]
    fn numbers_fit_where_they_can() {
        let float = |value: f32| fitting(Value::Float(value), 4);
        assert_eq!(float(-0.85), "\u{2212}.85");
        assert_eq!(float(0.85), "0.85");
        assert_eq!(float(-1.08), "\u{2212}1.1");
        assert_eq!(float(0.0081), ".008");
        assert_eq!(float(-0.0081), "≈0", "not zero, and no room to say how far from it");
        assert_eq!(float(-1.6e30), "\u{2212}2e30", "what cannot fit is written all the same");
        assert_eq!(fitting(Value::Int(-1234), 4), "\u{2212}1e3");
        assert_eq!(fitting(Value::Int(-122), 4), "\u{2212}122");
        assert_eq!(fitting(Value::Int(-122), 3), "", "a rounded number of three digits would look wrong");
    }

    #[test]
    fn full_numbers_read_back_as_the_same_f32() {
        let mut bits = 1u32;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let float = f32::from_bits(bits);
            if float.is_finite() && float != 0.0 {
                let read: f32 = full(Value::Float(float)).replace(MINUS, "-").parse().expect("a number");
                assert_eq!(read.to_bits(), bits, "{float:e}");
            }
        }
    }
}
