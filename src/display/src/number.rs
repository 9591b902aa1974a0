//! Numbers as text without the float formatter of the standard library, which would add about 20 KB to the page.

mod read;

pub use plain::{GROUP, grouped};
pub use read::read;

/// U+2212, the minus sign that is as wide as a plus.
pub const MINUS: char = '\u{2212}';
/// Joins texts with a separator. The standard `join` adds a kilobyte for each type that it joins.
#[must_use]
pub fn joined(texts: &[String], sign: &str) -> String {
    let mut all = String::new();
    for (nth, text) in texts.iter().enumerate() {
        all += if nth == 0 { "" } else { sign };
        all += text;
    }
    all
}

/// Formats a count in groups of three digits, or with a power of ten if it has more than nine digits.
#[must_use]
pub fn compact(value: u64) -> String {
    if value < 1_000_000_000 { grouped(value) } else { readable(u64_f64(value), 3) }
}

/// Formats a share in percent with one decimal: `25.1`. Shares below 1% get two significant digits: `0.26`,
/// `0.0000029`, `2.9 × 10⁻⁸`. Shares that would round to 100% get two decimals: `99.98`.
#[must_use]
pub fn percent(share: f64) -> String {
    match share {
        share if (0.000_995..0.009_995).contains(&share) => fixed(share * 100.0, 2),
        share if share > 0.0 && share < 0.009_995 => shortest(share * 100.0, 2, true, -6),
        // A share below 1 must not round to 100%.
        share if (0.9995..1.0).contains(&share) => fixed((share * 1e4).floor() / 100.0, 2),
        // The share is rounded to thousandths and then divided by 10. This order rounds a tie such as 63.75% up,
        // because 0.6375 · 1000 is exact and 0.6375 · 100 is not.
        share => fixed((share * 1000.0).round() / 10.0, 1),
    }
}

/// Formats a number below 9·10¹⁵ with this number of decimals, rounded to nearest. Other numbers get four significant
/// digits.
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

/// Formats a number with at most this many significant digits, without trailing zeros: `0.0625`, `1.5e−9`, `∞`.
#[must_use]
pub fn significant(value: f64, digits: u32) -> String {
    shortest(value, digits, false, -4)
}

/// Formats a number for readers, with at most this many significant digits. The whole part is in groups of three
/// digits. Numbers of more than nine whole digits get a power of ten: `0.0625`, `34 020`, `1.881 × 10¹¹`.
#[must_use]
pub fn readable(value: f64, digits: u32) -> String {
    shortest(value, digits, true, -4)
}

/// Formats a number. The text has a power of ten if the exponent of the first digit is below `lowest`.
fn shortest(value: f64, digits: u32, for_reading: bool, lowest: i32) -> String {
    let Some((negative, mantissa, exponent)) = decimal(value, digits) else {
        return special(value);
    };
    let sign = if negative { "\u{2212}" } else { "" };
    let text = mantissa.to_string();
    let mut body = text.trim_end_matches('0').to_owned();
    let longest = if for_reading { 9 } else { i32::try_from(digits.max(6)).unwrap_or(6) };
    if (lowest..longest).contains(&exponent) {
        let mut point = usize::try_from((exponent + 1).max(0)).unwrap_or(usize::MAX);
        if exponent < 0 {
            let zeros = usize::try_from((-exponent - 1).max(0)).unwrap_or(usize::MAX);
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

/// Formats a number with one digit and a power of ten: `3e4`, `1e−9`.
#[must_use]
pub fn scientific(value: f64) -> String {
    let Some((negative, digit, exponent)) = decimal(value, 1) else { return special(value) };
    let sign = if negative { "\u{2212}" } else { "" };
    if exponent < 0 { format!("{sign}{digit}e{MINUS}{}", -exponent) } else { format!("{sign}{digit}e{exponent}") }
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

/// Splits a number into its sign, `digits` decimal digits as a whole number, and the exponent of the first digit.
/// `None` for 0, ∞ and NaN.
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
    // Scales in steps of 10^22, the largest power of ten that a double represents exactly. No factor overflows.
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

#[expect(clippy::cast_precision_loss, reason = "callers need three digits, or pass powers of ten below 2^53")]
const fn u64_f64(value: u64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

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
        for (share, text) in [
            (0.251, "25.1"),
            (0.002_58, "0.26"),
            (3.3e-6, "0.00033"),
            (3.3e-7, "0.000033"),
            (2.9e-8, "0.0000029"),
            (2.9e-10, "2.9 × 10⁻⁸"),
            (0.999_84, "99.98"),
        ] {
            assert_eq!(percent(share), text);
        }
        assert_eq!(fixed(11.709, 2), "11.71");
        assert_eq!(grouped(32_640), "32\u{202f}640");
    }
}
