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
    fitting(value, 5)
}

/// Most digits of a rounded float.
const DIGITS: u32 = 4;

/// Returns a register's content in at most `glyphs` glyphs, if possible. A rounded float begins with `≈` and has as
/// many digits as fit, up to four. If necessary, the zero before the decimal point is missing, and a small number is
/// `≈0`. A whole number of at most three digits is never rounded: the text is exact, or empty if the number does not
/// fit.
#[must_use]
pub fn fitting(value: Value, glyphs: usize) -> String {
    let fits = |text: &String| text.chars().count() <= glyphs;
    let short = if let Value::Int(int) = value { short_int(i64::from(int)) } else { full(value) };
    if fits(&short) {
        return short;
    }
    match value {
        // `−1e2` for −116 would look like a wrong result. The exact number is shown when a person points at the value.
        Value::Int(int) if int.unsigned_abs() < 1_000 => String::new(),
        Value::Float(float) => {
            let value = f64::from(float);
            let has_point = (0.001..9995.0).contains(&value.abs());
            let (mut text, mut digits) = (short, if has_point { DIGITS } else { 0 });
            loop {
                text = without_zero(text);
                if fits(&text) || digits == 0 {
                    break;
                }
                text = "≈".to_owned() + &trimmed(significant(value, digits));
                if fits(&text) {
                    break;
                }
                digits -= 1;
            }
            if fits(&text) {
                return text;
            }
            let power = scientific(value);
            if !has_point && reads_back(&power, float) {
                power
            } else if value.abs() < 0.5 {
                // A small fraction is shorter as `≈0` than with a power of ten.
                "≈0".to_owned()
            } else {
                "≈".to_owned() + &if has_point { fixed(value, 0) } else { power }
            }
        }
        Value::Int(int) => scientific(f64::from(int)),
    }
}

/// Returns a number without the zero before its decimal point: `−.85`.
fn without_zero(text: String) -> String {
    match text.split_once('0') {
        Some((sign, rest)) if rest.starts_with('.') && !sign.ends_with(|one: char| one.is_ascii_digit()) => {
            [sign, rest].concat()
        }
        _ => text,
    }
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
        assert_eq!(float(30_000.0), "30000");
        assert_eq!(float(2.0), "2");
        assert_eq!(float(f32::INFINITY), "\u{221e}");
        assert_eq!(float(-0.0), "\u{2212}0");
        assert_eq!(float(f32::NAN), "NaN");
        assert_eq!(float(123.456), "≈123");
        assert_eq!(float(1e-9), "1e\u{2212}9");
    }

    #[test]
    fn numbers_fit_where_they_can() {
        let float = |value: f32| fitting(Value::Float(value), 4);
        assert_eq!(float(-0.85), "\u{2212}.85");
        assert_eq!(float(0.85), "0.85");
        assert_eq!(float(-1.08), "≈\u{2212}1", "no room for 1.1");
        assert_eq!((float(0.0081), fitting(Value::Float(-0.9123), 3)), ("≈0".to_owned(), "≈\u{2212}1".to_owned()));
        assert_eq!((float(10.25), float(100.53)), ("≈10".to_owned(), "≈101".to_owned()));
        assert_eq!((float(0.4567), fitting(Value::Float(0.4567), 3)), ("≈.46".to_owned(), "≈.5".to_owned()));
        // Three digits tell neighbors of bf16 apart.
        let near = [1.085_937_5, 1.093_75].map(|value| fitting(Value::Float(value), 6));
        assert_eq!(near, ["≈1.086", "≈1.094"]);
        assert_eq!(float(-0.0081), "≈0", "not zero, and no room to say how far from it");
        assert_eq!(float(-1.6e30), "≈\u{2212}2e30", "what cannot fit is written all the same");
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
