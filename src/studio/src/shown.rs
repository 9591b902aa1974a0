//! What of the page somebody who passes a link on leaves out, and what he keeps others from changing.

use core::fmt;

use crate::Field;

/// A thing that a link lists by its name.
pub trait Listed: Copy + 'static {
    /// All of them, in the order of a link; at most sixteen.
    const ALL: &'static [Self];
    /// Their names in a link.
    const IDS: &'static [&'static str];

    /// Which of them it is.
    fn place(self) -> usize;

    /// The name in a link.
    fn id(self) -> &'static str {
        Self::IDS[self.place()]
    }
}

/// Settings that a link can lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// M, K and N.
    Sizes,
    /// The numbers in the matrices.
    Numbers,
    /// Rows and columns of PEs.
    Array,
    /// What stays in the PEs.
    Dataflow,
    /// The number format, with its passes.
    Format,
    /// What happens where the product does not fill the array.
    Padding,
    /// How the array is built and fed.
    Design,
    /// The chip.
    Chip,
}

impl Listed for Lock {
    const ALL: &'static [Self] = &[
        Self::Sizes,
        Self::Numbers,
        Self::Array,
        Self::Dataflow,
        Self::Format,
        Self::Padding,
        Self::Design,
        Self::Chip,
    ];

    const IDS: &'static [&'static str] = &["sizes", "numbers", "array", "df", "dt", "pad", "design", "chip"];

    fn place(self) -> usize {
        self as usize
    }
}

impl Lock {
    /// The lock that a field is behind.
    #[must_use]
    pub const fn of(field: Field) -> Self {
        match field {
            Field::M | Field::K | Field::N => Self::Sizes,
            Field::Fill | Field::Seed | Field::A | Field::B => Self::Numbers,
            Field::Rows | Field::Cols => Self::Array,
            Field::Dataflow => Self::Dataflow,
            Field::Dtype | Field::Passes => Self::Format,
            Field::Padding | Field::Multiple => Self::Padding,
            Field::Overlap | Field::Load | Field::Drain | Field::Feed => Self::Design,
            Field::Chip => Self::Chip,
        }
    }
}

/// A part of the page around the array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The line of shapes.
    Legend,
    /// What happens in the cycle.
    Caption,
    /// The run as a strip.
    Timeline,
    /// The buttons that move in time.
    Controls,
    /// How busy the array is, and why.
    Busy,
    /// The row of tools.
    Tools,
}

impl Listed for Part {
    const ALL: &'static [Self] =
        &[Self::Legend, Self::Caption, Self::Timeline, Self::Controls, Self::Busy, Self::Tools];

    const IDS: &'static [&'static str] = &["legend", "caption", "timeline", "controls", "busy", "tools"];

    fn place(self) -> usize {
        self as usize
    }
}

/// The name of an empty list.
const NONE: &str = "none";

/// Some of the things of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct List<T> {
    bits: u16,
    kind: core::marker::PhantomData<T>,
}

impl<T: Listed> List<T> {
    /// None of them.
    pub const EMPTY: Self = Self { bits: 0, kind: core::marker::PhantomData };

    fn bit(one: T) -> u16 {
        1 << one.place()
    }

    /// Whether it has one.
    #[must_use]
    pub fn has(self, one: T) -> bool {
        self.bits & Self::bit(one) != 0
    }

    /// With one more, or without it.
    #[must_use]
    pub fn with(self, one: T, is_in: bool) -> Self {
        let bits = if is_in { self.bits | Self::bit(one) } else { self.bits & !Self::bit(one) };
        Self { bits, ..self }
    }

    /// What it has, in the order of a link.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::ALL.iter().copied().filter(move |one| self.has(*one))
    }

    /// Reads names between dots or commas, or `none`; no list where one of them is the name of nothing.
    ///
    /// ```
    /// use studio::{List, Lock};
    /// let list = List::<Lock>::parse("array,dt").unwrap();
    /// assert!(list.has(Lock::Array) && !list.has(Lock::Sizes));
    /// assert_eq!(list.to_text(), "array.dt");
    /// assert_eq!(List::<Lock>::parse("zebra"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        bits(text, T::IDS).map(|bits| Self { bits, ..Self::EMPTY })
    }

    /// The text that [`parse`](Self::parse) reads.
    #[must_use]
    pub fn to_text(self) -> String {
        text(self.bits, T::IDS)
    }
}

fn bits(text: &str, ids: &[&str]) -> Option<u16> {
    if text == NONE {
        return Some(0);
    }
    text.split(['.', ',']).try_fold(0, |bits, name| {
        let place = ids.iter().position(|id| *id == name.trim())?;
        Some(bits | 1 << place)
    })
}

fn text(bits: u16, ids: &[&str]) -> String {
    let mut text = String::new();
    for (_, id) in ids.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1) {
        text += if text.is_empty() { "" } else { "." };
        text += id;
    }
    if text.is_empty() { NONE.to_owned() } else { text }
}

impl<T: Listed> Default for List<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T: Listed> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_list_is_read_as_it_is_written() {
        for bits in 0..1u16 << Lock::ALL.len() {
            let in_it = |place: usize| bits >> place & 1 == 1;
            let list = Lock::ALL
                .iter()
                .enumerate()
                .fold(List::EMPTY, |list: List<Lock>, (place, one)| list.with(*one, in_it(place)));
            assert_eq!(List::parse(&list.to_text()), Some(list));
            assert_eq!(u32::try_from(list.iter().count()), Ok(bits.count_ones()));
        }
    }

    #[test]
    fn each_name_stands_at_the_place_of_what_it_names() {
        let of = |name: &str| List::<Lock>::parse(name).map(|list| list.iter().collect::<Vec<_>>());
        let names = ["sizes", "numbers", "array", "df", "dt", "pad", "design", "chip"];
        for (lock, name) in Lock::ALL.iter().zip(names) {
            assert_eq!((of(name), lock.id()), (Some(vec![*lock]), name));
        }
        for (part, name) in Part::ALL.iter().zip(["legend", "caption", "timeline", "controls", "busy", "tools"]) {
            assert_eq!((List::parse(name), part.id()), (Some(List::EMPTY.with(*part, true)), name));
        }
    }

    #[test]
    fn each_field_is_behind_one_lock_and_each_lock_before_a_field() {
        for lock in Lock::ALL {
            assert!(Field::ALL.into_iter().any(|field| Lock::of(field) == *lock), "{lock:?}");
        }
    }
}
