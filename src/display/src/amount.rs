//! An amount: a number that knows its unit and whether it is known. Text is made of it last, here.

use core::fmt;

use crate::figure::{cents, dollars, duration};
use crate::number::{fixed, grouped, percent, readable};
use crate::rounded_parts::Decimal;

/// The text of a number that nobody knows.
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
    /// Dollars: to the cent, or with three digits below one cent.
    Usd(f64),
    /// Dollars: to the cent, or with three digits below one dollar.
    SmallUsd(f64),
    /// Dollars to the cent.
    UsdToTheCent(f64),
    /// Dollars with so many digits.
    UsdDigits(f64, u32),
    /// A price in dollars: to the cent, and further digits where it has any.
    UsdPrice(f64),
    /// Dollars of a column that adds up.
    UsdPart(Decimal),
    /// Percent of a column that adds up.
    PercentPart(Decimal),
    /// A share from 0 to 1, shown in percent.
    Share(f64),
    /// Seconds, shown in a unit that suits them.
    Time(f64),
    /// A count.
    Count(u64),
    /// A number with so many digits and its unit, which may be empty.
    Number(f64, u32, &'static str),
    /// A factor, with so many digits.
    Times(f64, u32),
    /// Nobody knows it.
    Unknown,
}

impl Amount {
    /// The amount of a value that may not be known.
    #[must_use]
    pub fn or_unknown<T>(value: Option<T>, of: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Unknown, of)
    }

    /// True if somebody knows the number.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != Self::Unknown
    }

    /// True for an amount of dollars.
    #[must_use]
    pub const fn is_usd(self) -> bool {
        matches!(
            self,
            Self::Usd(_)
                | Self::SmallUsd(_)
                | Self::UsdToTheCent(_)
                | Self::UsdDigits(..)
                | Self::UsdPrice(_)
                | Self::UsdPart(_)
        )
    }

    /// True if each shown digit is zero.
    #[must_use]
    pub fn is_nothing(self) -> bool {
        match self {
            Self::UsdPart(part) | Self::PercentPart(part) => part.units == 0,
            Self::UsdToTheCent(usd) => usd.abs() < 0.005,
            Self::Usd(value)
            | Self::SmallUsd(value)
            | Self::UsdDigits(value, _)
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
            Self::SmallUsd(usd) if usd < 1.0 => write!(to, "${}", readable(usd, 3)),
            Self::Usd(usd) | Self::SmallUsd(usd) => to.write_str(&dollars(usd)),
            Self::UsdToTheCent(usd) => write!(to, "${}", fixed(usd, 2)),
            Self::UsdDigits(usd, digits) => write!(to, "${}", readable(usd, digits)),
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
        let parts = RoundedParts::new(&[Some(1000.0), Some(0.004)], 2).expect("small").parts;
        let part = |at: usize| Amount::UsdPart(parts[at].expect("known"));
        for (amount, text) in [
            (part(0), "$1000.00"),
            (part(1), "$0.00"),
            (Amount::UsdToTheCent(0.004), "$0.00"),
            (Amount::UsdToTheCent(0.006), "$0.01"),
            (Amount::Usd(0.004), "$0.004"),
            (Amount::Usd(0.0), "$0"),
            (Amount::UsdDigits(0.000_12, 4), "$0.00012"),
            (Amount::Count(0), "0"),
        ] {
            assert_eq!(amount.to_string(), text);
            let has_digit = text.contains(|sign: char| sign.is_ascii_digit() && sign != '0');
            assert_eq!(amount.is_nothing(), !has_digit, "{text}");
        }
        assert!(!Amount::Unknown.is_nothing() && !Amount::Unknown.is_known());
    }
}
