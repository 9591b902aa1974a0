//! Conversion of numbers to text that reads back as the same number.

use serde_json::Value as Json;
use systolic::Value;

/// Notation of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Shortest decimal that reads back as the same double. Every value fits into a double without rounding.
    Decimal,
    /// Hexadecimal floating point, as in C and Python: `0x1.8p+1`.
    Hex,
}

/// Formats a value as text that reads back as the same value: `-128`, `0.10000000149011612`, `0x1.8p+1`, `nan`, `-inf`.
#[must_use]
pub fn exact(value: Value, notation: Notation) -> String {
    match (value, notation) {
        (Value::Int(int), _) => int.to_string(),
        (Value::Float(float), Notation::Decimal) => match float {
            float if float.is_nan() => "nan".to_owned(),
            float if float.is_infinite() => if float > 0.0 { "inf" } else { "-inf" }.to_owned(),
            float => f64::from(float).to_string(),
        },
        (Value::Float(float), Notation::Hex) => hex(f64::from(float)),
    }
}

/// Returns a value as JSON: a number that reads back as the same value. JSON has no numbers for `nan`, `inf` and `-inf`,
/// so these values are texts.
///
/// ```
/// assert_eq!(export::json(systolic::Value::Int(-7)).to_string(), "-7");
/// assert_eq!(export::json(systolic::Value::Float(f32::INFINITY)).to_string(), "\"inf\"");
/// ```
#[must_use]
pub fn json(value: Value) -> Json {
    match value {
        Value::Int(int) => Json::from(int),
        Value::Float(float) if float.is_finite() => Json::from(f64::from(float)),
        Value::Float(_) => Json::from(exact(value, Notation::Decimal)),
    }
}

fn hex(value: f64) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "nan"
        } else if value > 0.0 {
            "inf"
        } else {
            "-inf"
        }
        .to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value == 0.0 {
        return format!("{sign}0x0p+0");
    }
    // Every f32 is a normal double.
    let bits = value.to_bits();
    let exponent = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(i64::MAX) - 1023;
    let digits = format!("{:013x}", bits & ((1 << 52) - 1));
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("{sign}0x1{point}{digits}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_python_reads_them() {
        let hex = |value: f32| exact(Value::Float(value), Notation::Hex);
        assert_eq!(hex(3.0), "0x1.8p+1");
        assert_eq!(hex(-1.0), "-0x1p+0");
        assert_eq!(hex(0.1), "0x1.99999ap-4");
        assert_eq!(hex(f32::from_bits(1)), "0x1p-149");
        assert_eq!(hex(-0.0), "-0x0p+0");
        assert_eq!(exact(Value::Float(0.1), Notation::Decimal), "0.10000000149011612");
        assert_eq!(exact(Value::Float(f32::NEG_INFINITY), Notation::Decimal), "-inf");
        assert_eq!(exact(Value::Int(-128), Notation::Hex), "-128");
    }
}
