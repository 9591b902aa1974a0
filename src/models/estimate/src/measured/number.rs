//! Number and unit at the start of a text.

use plain::Decimal;

/// Numbers that a measurement or a claim can have. Outside this range, ratios may not be finite numbers.
pub(super) const NUMBERS: core::ops::RangeInclusive<f64> = 1e-6..=1e12;

/// Splits a text into a number in the range [`NUMBERS`] and the rest of the text, without spaces.
pub(crate) fn number_and_unit(text: &str) -> Option<(f64, String)> {
    let text: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    let is_of_number = |(at, c): (usize, char)| {
        let after_e = || text[..at].ends_with(['e', 'E']);
        let is_exponent =
            || c.eq_ignore_ascii_case(&'e') && text[at + 1..].starts_with(|c: char| "+-0123456789".contains(c));
        c.is_ascii_digit() || matches!(c, '.' | ',') || is_exponent() || ("+-".contains(c) && after_e())
    };
    let end = text.char_indices().find(|one| !is_of_number(*one)).map_or(text.len(), |(at, _)| at);
    let (number, unit) = text.split_at(end);
    let number = display::number::read(&with_point(number, unit)?).filter(|number| NUMBERS.contains(number))?;
    Some((number, unit.to_owned()))
}

/// Returns a number without commas between thousands, and with a point before decimals. `None` if a comma may have both
/// meanings: `2,500 s`. A comma in a rate of tokens separates thousands, because nobody counts thousandths of tokens.
fn with_point(number: &str, unit: &str) -> Option<String> {
    let whole = number.split('.').next().unwrap_or(number);
    let is_grouped = plain::whole_number(whole, Some(Decimal::Point)).is_ok();
    let is_certain = number.contains('.') || number.matches(',').count() > 1 || unit.starts_with("tok");
    match is_grouped && is_certain {
        true => Some(number.replace(',', "")),
        false => plain::with_point(number, None),
    }
}
