//! Value of an expression: a number with its unit. The unit decides how the page formats the number.

use display::number::{fixed, percent, readable, significant};

/// Unit of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Number of PEs, cycles, PE-cycles or rows.
    Count,
    /// Fraction of a total, from 0 to 1.
    Share,
    /// Element of A, B or C, or content of a register.
    Element,
    /// Number of any other kind.
    Number,
    /// Seconds.
    Seconds,
    /// Dollars.
    Dollars,
    /// Result of a condition: 1 if true, 0 if false.
    Truth,
}

/// A number with its unit. Counts are exact up to 2^53.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The number.
    pub number: f64,
    /// Unit of the number.
    pub unit: Unit,
}

impl Value {
    /// Returns a count.
    #[must_use]
    pub fn count(count: u64) -> Self {
        Self { number: systolic::PeCycles(count).as_f64(), unit: Unit::Count }
    }

    /// Returns a share: a fraction of a total, from 0 to 1.
    #[must_use]
    pub const fn share(number: f64) -> Self {
        Self { number, unit: Unit::Share }
    }

    /// Returns an element of a matrix or the content of a register.
    #[must_use]
    pub fn element(value: systolic::Value) -> Self {
        Self { number: value.as_f64(), unit: Unit::Element }
    }

    /// Returns the result of a condition.
    #[must_use]
    pub const fn truth(holds: bool) -> Self {
        Self { number: if holds { 1.0 } else { 0.0 }, unit: Unit::Truth }
    }

    /// True if the value is the result of a true condition.
    #[must_use]
    pub fn holds(self) -> bool {
        self.unit == Unit::Truth && self.number > 0.0
    }

    /// True if two values are equal, or if the page shows them as the same text.
    #[must_use]
    pub fn is_same(self, other: Self) -> bool {
        self.number == other.number || self.shown() == other.shown()
    }

    /// Formats the value for the page: `28 %`, `12 288`, `−26`.
    #[must_use]
    pub fn shown(self) -> String {
        match self.unit {
            Unit::Count if self.number == self.number.trunc() => fixed(self.number, 0),
            Unit::Share => percent(self.number) + " %",
            Unit::Element => significant(self.number, 9),
            Unit::Count | Unit::Number => readable(self.number, 3),
            Unit::Seconds => display::figure::duration(self.number),
            Unit::Dollars => display::figure::dollars(self.number),
            Unit::Truth => crate::words::truth(self.number > 0.0).to_owned(),
        }
    }
}
