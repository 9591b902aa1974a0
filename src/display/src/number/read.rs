//! Parser of numbers that people type.

use super::scale;

/// Parses a decimal number, with or without a power of ten. `nan`, `inf` and `infinity` are numbers.
///
/// The result is correctly rounded for up to 15 digits and powers of ten up to 22. Otherwise the error is at most 4 ulp
/// of a double. This error is too small to be visible in f32 or in a narrower format. The standard parser would add 20
/// KB to the page, of which half is one table.
#[must_use]
pub fn read(text: &str) -> Option<f64> {
    let negative = text.strip_prefix('-');
    let body = negative.or_else(|| text.strip_prefix('+')).unwrap_or(text);
    let magnitude = match body {
        _ if body.eq_ignore_ascii_case("inf") || body.eq_ignore_ascii_case("infinity") => f64::INFINITY,
        _ if body.eq_ignore_ascii_case("nan") => f64::NAN,
        _ => read_digits(body)?,
    };
    Some(if negative.is_some() { -magnitude } else { magnitude })
}

fn read_digits(body: &str) -> Option<f64> {
    let (digits, power) = body.split_once(['e', 'E']).map_or((body, "0"), |(digits, power)| (digits, power));
    let mut power: i32 = power.parse().ok()?;
    let (mut mantissa, mut n_digits, mut after_point) = (0u64, 0, false);
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => {
                n_digits += 1;
                // Nineteen digits fill a u64. Further digits only count as powers of ten.
                if mantissa < 1_000_000_000_000_000_000 {
                    mantissa = mantissa * 10 + u64::from(byte - b'0');
                    power = power.saturating_sub(i32::from(after_point));
                } else {
                    power = power.saturating_add(i32::from(!after_point));
                }
            }
            b'.' if !after_point => after_point = true,
            _ => return None,
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "rounded once, as documented")]
    let value = mantissa as f64;
    (n_digits > 0).then(|| if mantissa == 0 { 0.0 } else { scale(value, power.clamp(-400, 400)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn decimals_are_read_as_the_standard_library_reads_them() {
        let mut state = 7u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digits = (state >> 20) % 1_000_000_000_000_000;
            let (point, power) = (state % 13, i64::try_from(state >> 50).expect("small") % 8 - 4);
            let text = digits.to_string();
            let cut = text.len().min(usize::try_from(point).expect("small"));
            let text = format!("-{}.{}e{power}", &text[..cut], &text[cut..]);
            if let Ok(expected) = text.parse::<f64>() {
                assert_eq!(read(&text), Some(expected), "{text}");
            }
        }
        for text in
            ["1e308", "4.9e-324", "2.2250738585072014e-308", "1.7976931348623157e308", "123456789012345678901234"]
        {
            let (read, expected) = (read(text).expect("a number"), text.parse::<f64>().expect("a number"));
            assert!((read - expected).abs() <= expected * 1e-15 + 1e-323, "{text}: {read:e}");
        }
        assert_eq!(
            (read("inf"), read("-Infinity"), read(".5"), read("5.")),
            (Some(f64::INFINITY), Some(f64::NEG_INFINITY), Some(0.5), Some(5.0))
        );
        assert!(read("nan").is_some_and(f64::is_nan));
        for text in ["", "-", ".", "1.2.3", "0x1", "1e", "e5", "1e+-2", "--1", "1_000", "\u{661}"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
