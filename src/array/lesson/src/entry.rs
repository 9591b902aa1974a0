//! Reads the answer that a person types: a number within limits, or the row and column of a PE.

use display::number;
use systolic::{ArrayShape, Dtype, PeId};

use crate::{Ask, Card, Unit, Value};

/// Limits on the number that a person types.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// True if only whole numbers are allowed.
    pub is_whole: bool,
    /// True if the number is a share, typed in percent.
    pub is_share: bool,
    /// Minimum and maximum, in percent for a share.
    pub range: Option<(f64, f64)>,
}

/// Reason why a typed answer cannot be used. [`words::not_usable`](crate::words::not_usable) writes the message.
#[derive(Clone, Debug, PartialEq)]
pub enum NotUsable {
    /// Text that is not a number within the limits.
    Number {
        /// Typed text, truncated if long.
        given: String,
        /// Limits of the number.
        limits: Limits,
    },
    /// Number with an absolute value above 10¹⁵: the typed text, truncated if long.
    TooLarge(String),
    /// Row and column outside the array.
    Pe {
        /// Typed row and column, each truncated if long.
        given: (String, String),
        /// Shape of the array.
        array: ArrayShape,
    },
}

/// Maximum absolute value of a typed number. Floating-point numbers represent all whole numbers up to this value
/// exactly.
const MOST: f64 = 1e15;

impl Limits {
    /// Returns the limits for the question of a card, or `None` if the question does not ask for a number.
    #[must_use]
    pub fn of(card: &Card) -> Option<Self> {
        let scene = card.scene();
        let typed = |value: Value| if value.unit == Unit::Share { value.number * 100.0 } else { value.number };
        let (answer, range) = match &card.question.as_ref()?.ask {
            Ask::Number { answer, range } => {
                let bound = |one: &crate::Expression| one.value(&scene).ok().map(typed);
                (answer, range.as_ref().and_then(|(least, most)| bound(least).zip(bound(most))))
            }
            Ask::Register(answer) => (answer, None),
            Ask::Cycle(_) => {
                let last = Value::count(card.plan.last().get()).number;
                return Some(Self { is_whole: true, is_share: false, range: Some((0.0, last)) });
            }
            _ => return None,
        };
        let value = answer.value(&scene).ok()?;
        let is_integer = matches!(card.plan.scenario().dtype, Dtype::Int8 | Dtype::Int4);
        let is_whole = match value.unit {
            Unit::Count => value.number == value.number.trunc(),
            Unit::Element => is_integer,
            _ => false,
        };
        Some(Self { is_whole, is_share: value.unit == Unit::Share, range })
    }

    /// Reads a number. A share may end with a percent sign.
    ///
    /// # Errors
    /// - `Number` if the text is not a number within the limits.
    /// - `TooLarge` if the absolute value is above 10¹⁵.
    pub fn read(self, typed: &str) -> Result<f64, NotUsable> {
        let plain = typed.replace('\u{2212}', "-");
        let plain = plain.trim();
        let plain = if self.is_share { plain.trim_end_matches('%').trim_end() } else { plain };
        let is_within = |number: f64| self.range.is_none_or(|(least, most)| (least..=most).contains(&number));
        let number = number::read(plain)
            .filter(|&number| (!self.is_whole || number == number.trunc()) && is_within(number))
            .ok_or_else(|| NotUsable::Number { given: plain::cut(typed.trim()), limits: self })?;
        if number.abs() <= MOST { Ok(number) } else { Err(NotUsable::TooLarge(plain::cut(typed.trim()))) }
    }
}

/// Reads the row and column of a PE.
///
/// # Errors
/// `Pe` if the array has no PE in this row and column.
pub fn pe(row: &str, col: &str, array: ArrayShape) -> Result<PeId, NotUsable> {
    let read = row.trim().parse().ok().zip(col.trim().parse().ok());
    let pe = read.map(|(row, col)| PeId::new(row, col)).filter(|&pe| array.contains(pe));
    pe.ok_or_else(|| NotUsable::Pe { given: (plain::cut(row.trim()), plain::cut(col.trim())), array })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words;

    const SHARE: Limits = Limits { is_whole: false, is_share: true, range: Some((0.0, 100.0)) };
    const CYCLE: Limits = Limits { is_whole: true, is_share: false, range: Some((0.0, 15.0)) };
    const REGISTER: Limits = Limits { is_whole: true, is_share: false, range: None };

    #[test]
    fn a_number_is_read_with_its_minus_and_its_percent_sign() {
        assert_eq!(SHARE.read(" 28.1 % "), Ok(28.1));
        assert_eq!(REGISTER.read("\u{2212}47"), Ok(-47.0));
        assert_eq!(CYCLE.read("15"), Ok(15.0));
    }

    #[test]
    fn what_is_no_answer_is_said_with_what_is_allowed() {
        let said = |limits: Limits, typed: &str| words::not_usable(&limits.read(typed).expect_err("no answer"));
        assert_eq!(said(CYCLE, "4.5"), "“4.5” is not a whole number from 0 to 15.");
        assert_eq!(said(CYCLE, "1e9"), "“1e9” is not a whole number from 0 to 15.");
        assert_eq!(said(SHARE, "150"), "“150” is not a number from 0 to 100.");
        assert_eq!(said(REGISTER, "abc"), "“abc” is not a whole number.");
        assert_eq!(said(REGISTER, "9e99"), "“9e99” is too large.");
    }

    #[test]
    fn a_place_that_the_array_lacks_is_said_with_its_rows_and_columns() {
        let array = ArrayShape::new(4, 3).expect("an array");
        assert_eq!(pe(" 3", "2 ", array), Ok(PeId::new(3, 2)));
        let said = words::not_usable(&pe("4", "x", array).expect_err("no place"));
        assert_eq!(said, "There is no PE in row “4”, column “x”: rows are 0 to 3, columns 0 to 2.");
    }
}
