//! What an expression comes to: a number and what it counts, which says how it is written.

use display::number::{fixed, percent_at_a_glance, readable, significant};

/// What a number is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Things that are counted: PEs, cycles, slots, rows.
    Count,
    /// A part of a whole, from 0 to 1.
    Share,
    /// An element of A, B or C, or what a register holds.
    Element,
    /// Anything else.
    Number,
    /// Seconds.
    Seconds,
    /// Dollars.
    Dollars,
    /// Whether something holds: 1 or 0.
    Truth,
}

/// A number with its unit. Counts are exact up to 2^53.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The number.
    pub number: f64,
    /// What it is a number of.
    pub unit: Unit,
}

impl Value {
    /// So many things.
    #[must_use]
    pub fn count(count: u64) -> Self {
        Self { number: systolic::PeCycles(count).as_f64(), unit: Unit::Count }
    }

    /// A part of a whole.
    #[must_use]
    pub const fn share(number: f64) -> Self {
        Self { number, unit: Unit::Share }
    }

    /// What a register holds.
    #[must_use]
    pub fn element(value: systolic::Value) -> Self {
        Self { number: value.as_f64(), unit: Unit::Element }
    }

    /// Whether something holds.
    #[must_use]
    pub const fn truth(holds: bool) -> Self {
        Self { number: if holds { 1.0 } else { 0.0 }, unit: Unit::Truth }
    }

    /// Whether it is a truth that holds.
    #[must_use]
    pub fn holds(self) -> bool {
        self.unit == Unit::Truth && self.number > 0.0
    }

    /// Whether two numbers are the same to a reader: written alike.
    #[must_use]
    pub fn is_same(self, other: Self) -> bool {
        self.number == other.number || self.shown() == other.shown()
    }

    /// As the page writes it: `28 %`, `12 288`, `−26`.
    #[must_use]
    pub fn shown(self) -> String {
        match self.unit {
            Unit::Count if self.number == self.number.trunc() => fixed(self.number, 0),
            Unit::Share => percent_at_a_glance(self.number) + " %",
            Unit::Element => significant(self.number, 9),
            Unit::Count | Unit::Number => readable(self.number, 3),
            Unit::Seconds => display::figure::duration(self.number),
            Unit::Dollars => display::figure::dollars(self.number),
            Unit::Truth => crate::words::truth(self.number > 0.0).to_owned(),
        }
    }
}
