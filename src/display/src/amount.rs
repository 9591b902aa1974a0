//! Amounts: a number with its unit, or an unknown number. The page formats an amount as text only when it shows the
//! amount.

use core::fmt;

use crate::figure::{cents, dollars, duration};
use crate::number::{grouped, percent, readable};
use crate::rounded_parts::Decimal;

/// Text of an unknown number.
pub const UNKNOWN: &str = "unknown";

/// A value with its unit.
///
/// ```
/// use display::amount::Amount;
///
/// assert_eq!(Amount::Share(0.281_25).to_string(), "28.1 %");
/// assert_eq!(Amount::or_unknown(None, Amount::Usd), Amount::Unknown);
/// assert!(Amount::Usd(0.0).is_nothing() && !Amount::Unknown.is_known());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Dollars with three digits, as [`dollars`] formats them.
    Usd(f64),
    /// Price in dollars: to the cent, or with more decimals if the price has fractions of a cent.
    UsdPrice(f64),
    /// Dollars in a column whose shown amounts add up exactly.
    UsdPart(Decimal),
    /// Percent in a column whose shown amounts add up exactly.
    PercentPart(Decimal),
    /// A share from 0 to 1, shown in percent.
    Share(f64),
    /// Seconds, shown in a suitable unit.
    Time(f64),
    /// A count.
    Count(u64),
    /// Number, the number of its shown digits, and its unit. The unit may be empty.
    Number(f64, u32, &'static str),
    /// Factor with this number of digits.
    Times(f64, u32),
    /// Unknown number.
    Unknown,
}

impl Amount {
    /// Returns the amount of a value, or [`Amount::Unknown`] for `None`.
    #[must_use]
    pub fn or_unknown<T>(value: Option<T>, of: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Unknown, of)
    }

    /// True if the number is known.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != Self::Unknown
    }

    /// True for an amount of dollars.
    #[must_use]
    pub const fn is_usd(self) -> bool {
        matches!(self, Self::Usd(_) | Self::UsdPrice(_) | Self::UsdPart(_))
    }

    /// True if each shown digit is zero.
    #[must_use]
    pub fn is_nothing(self) -> bool {
        match self {
            Self::UsdPart(part) | Self::PercentPart(part) => part.units == 0,
            Self::Usd(value)
            | Self::UsdPrice(value)
            | Self::Share(value)
            | Self::Time(value)
            | Self::Number(value, ..)
            | Self::Times(value, _) => value == 0.0,
            Self::Count(count) => count == 0,
            Self::Unknown => false,
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Usd(usd) => to.write_str(&dollars(usd)),
            Self::UsdPrice(usd) => to.write_str(&cents(usd)),
            Self::UsdPart(part) => write!(to, "${part}"),
            Self::PercentPart(part) => write!(to, "{part} %"),
            Self::Share(share) => write!(to, "{} %", percent(share)),
            Self::Time(seconds) => to.write_str(&duration(seconds)),
            Self::Count(count) => to.write_str(&grouped(count)),
            Self::Number(value, digits, "") => to.write_str(&readable(value, digits)),
            Self::Number(value, digits, unit) => write!(to, "{} {unit}", readable(value, digits)),
            Self::Times(times, digits) => write!(to, "× {}", readable(times, digits)),
            Self::Unknown => to.write_str(UNKNOWN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounded_parts::RoundedParts;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn nothing_is_what_shows_no_digit_but_zero() {
        let parts = RoundedParts::new(&[Some(1000.0), Some(0.004)]).expect("small").parts;
        let part = |at: usize| Amount::UsdPart(parts[at].expect("known"));
        for (amount, text) in [
            (part(0), "$1000.00"),
            (part(1), "$0.00"),
            (Amount::Usd(0.004), "$0.004"),
            (Amount::Usd(0.0), "$0"),
            (Amount::Usd(35_555_758.26), "$35.6 million"),
            (Amount::Usd(999_600.0), "$1 million"),
            (Amount::Count(0), "0"),
        ] {
            assert_eq!(amount.to_string(), text);
            let has_digit = text.contains(|sign: char| sign.is_ascii_digit() && sign != '0');
            assert_eq!(amount.is_nothing(), !has_digit, "{text}");
        }
        assert!(!Amount::Unknown.is_nothing() && !Amount::Unknown.is_known());
    }
}
