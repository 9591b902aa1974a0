//! Numbers as text without the float formatter of the standard library, which alone would add some 20 KB to the page.

mod read;

pub use read::read;

use systolic::Value;

/// U+2212, the minus sign that is as wide as a plus.
pub const MINUS: char = '\u{2212}';
/// U+202F, the narrow space that groups digits by three.
pub const GROUP: char = '\u{202f}';

/// A whole number with its digits in groups of three: `32 640`.
#[must_use]
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    if digits.len() <= 4 {
        return digits;
    }
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 * 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}

/// Texts one after the other with a sign between them. The standard `join` is a kilobyte for each type it joins.
#[must_use]
pub fn joined(texts: &[String], sign: &str) -> String {
    let mut all = String::new();
    for (nth, text) in texts.iter().enumerate() {
        all += if nth == 0 { "" } else { sign };
        all += text;
    }
    all
}

/// A count in groups of three, or in powers of ten where it would be longer than nine digits.
#[must_use]
pub fn compact(value: u64) -> String {
    if value < 1_000_000_000 { grouped(value) } else { readable(systolic::Elements(value).as_f64(), 3) }
}

/// A share in percent with one decimal, or with two where it is below one percent or would round to all: `25.1`, `0.26`,
/// `99.98`.
#[must_use]
pub fn percent(share: f64) -> String {
    match share {
        share if share > 0.0 && share < 0.01 => significant(share * 100.0, 2),
        // Nearly all is not all.
        share if (0.9995..1.0).contains(&share) => fixed((share * 1e4).floor() / 100.0, 2),
        // Thousandths are rounded before they become tenths of a percent: 63.75 % is a tie in both.
        share => fixed((share * 1000.0).round() / 10.0, 1),
    }
}

/// A number with this many decimals, rounded to nearest; for numbers below 2^53.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be finite, positive and small")]
pub fn fixed(value: f64, decimals: u32) -> String {
    if !value.is_finite() || value.abs() >= 9e15 {
        return significant(value, 4);
    }
    let scale = 10u64.pow(decimals.min(9));
    let scaled = (value.abs() * u64_f64(scale)).round() as u64;
    let sign = if value < 0.0 && scaled > 0 { "\u{2212}" } else { "" };
    let whole = grouped(scaled / scale);
    if decimals == 0 {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{:0width$}", scaled % scale, width = decimals.min(9) as usize)
}

/// Shares of a whole in tenths of a percent that sum to exactly 100.0, as texts. The first is rounded to nearest, so that
/// it agrees with the utilization beside it; the rest share what is left by largest remainder.
#[must_use]
pub fn parts_percent<const N: usize>(parts: [u64; N]) -> [String; N] {
    // Room for the factor 1000; the bits that go are far below a tenth of a percent.
    let whole: u64 = parts.iter().sum();
    let spare = whole.leading_zeros();
    let parts = parts.map(|part| part >> 12u32.saturating_sub(spare));
    let total: u64 = parts.iter().sum();
    if total == 0 {
        return parts.map(|_| "0.0".to_owned());
    }
    let mut tenths = parts.map(|part| part * 1000 / total);
    let mut rest = parts.map(|part| part * 1000 % total);
    if let (Some(first), Some(rest)) = (tenths.first_mut(), rest.first()) {
        *first += u64::from(rest * 2 >= total);
    }
    for _ in tenths.iter().sum()..1000u64 {
        let mut most = 1.min(N - 1);
        for index in 1..N {
            if rest[index] > rest[most] {
                most = index;
            }
        }
        tenths[most] += 1;
        rest[most] = 0;
    }
    tenths.map(|tenth| format!("{}.{}", tenth / 10, tenth % 10))
}

/// A number with at most this many significant digits, trailing zeros dropped: `0.0625`, `1.5e−9`, `∞`.
#[must_use]
pub fn significant(value: f64, digits: u32) -> String {
    shortest(value, digits, false)
}

/// The same for reading: the whole part in groups of three, and a power of ten where it would be longer than nine digits:
/// `0.0625`, `34 020`, `1.881 × 10¹¹`.
#[must_use]
pub fn readable(value: f64, digits: u32) -> String {
    shortest(value, digits, true)
}

fn shortest(value: f64, digits: u32, for_reading: bool) -> String {
    let Some((negative, mantissa, exponent)) = decimal(value, digits) else {
        return special(value);
    };
    let sign = if negative { "\u{2212}" } else { "" };
    let text = mantissa.to_string();
    let mut body = text.trim_end_matches('0').to_owned();
    let longest = if for_reading { 9 } else { i32::try_from(digits.max(6)).unwrap_or(6) };
    if (-4..longest).contains(&exponent) {
        let mut point = usize::try_from(exponent + 1).unwrap_or(0);
        if exponent < 0 {
            let zeros = usize::try_from(-exponent - 1).unwrap_or(0);
            return format!("{sign}0.{}{body}", "0".repeat(zeros));
        }
        while body.len() < point {
            body.push('0');
        }
        if body.len() > point {
            body.insert(point, '.');
        }
        let is_long = for_reading && point > 4;
        while is_long && point > 3 {
            point -= 3;
            body.insert(point, GROUP);
        }
        return format!("{sign}{body}");
    }
    if body.len() > 1 {
        body.insert(1, '.');
    }
    let (mark, minus) = if for_reading { (" × 10", '\u{207b}') } else { ("e", MINUS) };
    body.push_str(mark);
    if exponent < 0 {
        body.push(minus);
    }
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: u8| if for_reading { RAISED[usize::from(digit - b'0')] } else { char::from(digit) };
    body.extend(exponent.unsigned_abs().to_string().bytes().map(raised));
    format!("{sign}{body}")
}

/// A register's content in full: integers exactly, floats with up to nine significant digits, which tell f32 apart.
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

/// A register's content in at most four or five glyphs: `−128`, `12k`, `1.25`, `3e4`, `∞`.
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
                trimmed(if value.is_finite() && value != 0.0 { fixed(value, digits) } else { special(value) })
            }
        }
    }
}

/// A register's content in at most this many glyphs where it can be: fewer digits, no zero before the point, `≈0` where
/// nothing else is left of it.
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
    // A whole number is never zero; a fraction with a power of ten is shorter as what it is near to.
    if value.as_f64().abs() < 0.1 { "≈0".to_owned() } else { scientific(value.as_f64()) }
}

/// One digit and a power of ten.
fn scientific(value: f64) -> String {
    let Some((negative, digit, exponent)) = decimal(value, 1) else { return special(value) };
    let sign = if negative { "\u{2212}" } else { "" };
    if exponent < 0 { format!("{sign}{digit}e{MINUS}{}", -exponent) } else { format!("{sign}{digit}e{exponent}") }
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

fn special(value: f64) -> String {
    match (value.is_nan(), value.is_infinite(), value.is_sign_negative()) {
        (true, ..) => "NaN".to_owned(),
        (_, true, true) => "\u{2212}\u{221e}".to_owned(),
        (_, true, false) => "\u{221e}".to_owned(),
        (.., true) => "\u{2212}0".to_owned(),
        _ => "0".to_owned(),
    }
}

/// Sign, `digits` decimal digits as a whole number, and the exponent of the first; `None` for 0, ∞ and NaN.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "scaled to fewer than 10^10")]
fn decimal(value: f64, digits: u32) -> Option<(bool, u64, i32)> {
    if value == 0.0 || !value.is_finite() {
        return None;
    }
    let magnitude = value.abs();
    let digits = digits.clamp(1, 9);
    let places = i32::try_from(digits).unwrap_or(9) - 1;
    let mut exponent = magnitude.log10().floor() as i32;
    let round = |exponent: i32| scale(magnitude, places - exponent).round() as u64;
    let mut mantissa = round(exponent);
    // The logarithm may be one off at a power of ten, and rounding may reach the next power.
    if mantissa < 10u64.pow(digits - 1) {
        exponent -= 1;
        mantissa = round(exponent);
    }
    if mantissa >= 10u64.pow(digits) {
        exponent += 1;
        mantissa = round(exponent);
    }
    Some((value < 0.0, mantissa, exponent))
}

fn scale(value: f64, power: i32) -> f64 {
    // Steps of 10^22, the largest power of ten that a double holds exactly, so that no factor overflows either.
    const EXACT: i32 = 22;
    let (mut value, mut left) = (value, power);
    while left != 0 {
        let step = left.clamp(-EXACT, EXACT);
        let factor = (0..step.abs()).fold(1.0, |factor: f64, _| factor * 10.0);
        value = if step < 0 { value / factor } else { value * factor };
        left -= step;
    }
    value
}

/// Whether a text that `significant` wrote is nearest to this f32 and no other.
fn reads_back(text: &str, float: f32) -> bool {
    let plain = text.replace(MINUS, "-");
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the question")]
    let same = read(&plain).is_some_and(|read| (read as f32).to_bits() == float.to_bits());
    same || !float.is_finite() || float == 0.0
}

#[expect(clippy::cast_precision_loss, reason = "callers pass powers of ten below 2^53")]
const fn u64_f64(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn parts_sum_to_exactly_one_hundred() {
        let texts = parts_percent([72, 64, 48, 30, 42, 0]);
        assert_eq!(texts, ["28.1", "25.0", "18.8", "11.7", "16.4", "0.0"]);
        assert_eq!(parts_percent([1, 1, 1]), ["33.3", "33.4", "33.3"]);
        assert_eq!(parts_percent([432, 1584, 432, 288, 432, 0])[0], "13.6", "as the utilization beside it");
        for parts in
            [[0, 0, 7, 0, 0, 0], [1, 999, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [u64::MAX / 8; 6], [5, 1, 1, 0, 0, 0]]
        {
            let tenths: u64 =
                parts_percent(parts).iter().map(|text| text.replace('.', "").parse::<u64>().expect("digits")).sum();
            assert_eq!(tenths, 1000, "{parts:?}");
        }
    }

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
        assert_eq!(float(-1.6e30), "\u{2212}2e30", "what cannot fit is told all the same");
        assert_eq!(fitting(Value::Int(-1234), 4), "\u{2212}1e3");
        assert_eq!(fitting(Value::Int(-122), 4), "\u{2212}122");
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

    #[test]
    fn significant_digits_follow_the_standard_formatter() {
        for value in [1.0, 0.1, 12.5, 1234.6, 0.000_123_4, 9.999_9, 41.63, 1e-30, 6.02e23, 0.0625] {
            let text = significant(value, 4).replace(MINUS, "-");
            let read: f64 = text.parse().expect("a number");
            let expected: f64 = format!("{value:.3e}").parse().expect("a number");
            assert!((read - expected).abs() <= expected * 1e-12, "{value}: {text}");
        }
        assert_eq!(significant(3.479e-9, 3), "3.48e\u{2212}9");
        for (value, text) in [
            (34_020.4, "34\u{202f}020"),
            (-2_177_123.0, "\u{2212}2\u{202f}177\u{202f}000"),
            (999_999_999.0, "1 × 10⁹"),
            (1.880_6e11, "1.881 × 10¹¹"),
            (2e-7, "2 × 10⁻⁷"),
            (0.000_123_45, "0.0001235"),
            (1234.56, "1235"),
            (41.63, "41.63"),
            (0.0, "0"),
            (f64::INFINITY, "∞"),
        ] {
            assert_eq!(readable(value, 4), text);
        }
        assert_eq!(fixed(11.709, 2), "11.71");
        assert_eq!(grouped(32_640), "32\u{202f}640");
    }
}
