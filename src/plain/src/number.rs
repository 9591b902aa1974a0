//! Numbers as people and programs write them, with separators between thousands and with a decimal point or comma.

/// Decimal separator of a number: the sign before the decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decimal {
    /// A point: `1,024.5`.
    Point,
    /// A comma: `1.024,5`.
    Comma,
}

impl Decimal {
    const fn sign(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    const fn between_thousands(self) -> char {
        match self {
            Self::Point => ',',
            Self::Comma => '.',
        }
    }
}

/// Reason why a text cannot be read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoNumber {
    /// The text is not a number.
    Word,
    /// The sign in the text may stand before decimals or between thousands: `1.000` is 1 or 1000.
    Either,
}

/// Reads a whole number. Underscores, apostrophes, spaces, points and commas may separate thousands, and the decimals
/// may be zeros.
///
/// `decimal` is the sign before decimals, if the caller knows the sign. Otherwise both readings are tried.
///
/// ```
/// use plain::{Decimal, NoNumber, whole_number};
/// assert_eq!(whole_number("1,024", None), Ok(1024));
/// assert_eq!(whole_number("1.024,0", None), Ok(1024));
/// assert_eq!(whole_number("64.0", None), Ok(64));
/// assert_eq!(whole_number("1.000", None), Err(NoNumber::Either));
/// assert_eq!(whole_number("1.000", Some(Decimal::Comma)), Ok(1000));
/// assert_eq!(whole_number("1.5", None), Err(NoNumber::Word));
/// ```
///
/// # Errors
/// [`NoNumber`] if the text is not a whole number, or if two readings give different whole numbers.
pub fn whole_number(text: &str, decimal: Option<Decimal>) -> Result<u64, NoNumber> {
    let spaces = ['_', '\'', '’', ' ', '\u{a0}', '\u{202f}'];
    let text: String = text.chars().filter(|sign| !spaces.contains(sign)).collect();
    let read = |decimal: Decimal| {
        let (whole, rest) = text.split_once(decimal.sign()).unwrap_or((&text, ""));
        if !rest.chars().all(|digit| digit == '0') {
            return None;
        }
        let mut groups = whole.split(decimal.between_thousands());
        let first = groups.next()?;
        let others: Vec<&str> = groups.collect();
        if !others.is_empty() && (first.is_empty() || first.len() > 3 || others.iter().any(|group| group.len() != 3)) {
            return None;
        }
        let digits = [first, &others.concat()].concat();
        let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        if is_number { digits.parse().ok() } else { None }
    };
    match decimal {
        Some(decimal) => read(decimal).ok_or(NoNumber::Word),
        None => match (read(Decimal::Point), read(Decimal::Comma)) {
            (Some(a), Some(b)) if a != b => Err(NoNumber::Either),
            (Some(number), _) | (None, Some(number)) => Ok(number),
            (None, None) => Err(NoNumber::Word),
        },
    }
}

/// Returns a number with a decimal point and without signs between thousands. `None` if the sign in the text may stand
/// before decimals or between thousands.
///
/// `decimal` is the sign before decimals, if the caller knows the sign. Otherwise a comma is read as the sign before
/// decimals unless it may separate thousands.
pub fn with_point(text: &str, decimal: Option<Decimal>) -> Option<String> {
    if let Some(decimal) = decimal {
        return Some(text.replace(decimal.between_thousands(), "").replace(decimal.sign(), "."));
    }
    let Some((whole, rest)) = text.split_once(',') else { return Some(text.to_owned()) };
    let digits = whole.trim_start_matches(|sign: char| !sign.is_ascii_digit());
    let may_be_thousands = (1..=3).contains(&digits.len()) && !digits.starts_with('0') && rest.len() == 3;
    (!may_be_thousands && !rest.contains(',')).then(|| format!("{whole}.{rest}"))
}
