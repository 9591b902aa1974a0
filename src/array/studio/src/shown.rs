//! Parts of the page that a link hides, and settings that a link locks.

use core::fmt;

use crate::Field;

/// An item that a link lists by its name.
pub trait Listed: Copy + 'static {
    /// All items, in the order of a link; at most sixteen.
    const ALL: &'static [Self];
    /// Names of all items in a link.
    const IDS: &'static [&'static str];

    /// Returns the index of the item in [`ALL`](Self::ALL).
    fn place(self) -> usize;
}

systolic::named! {
    /// A group of settings that a link can lock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Lock {
        /// M, K and N.
        Sizes => "sizes",
        /// The numbers in the matrices.
        Numbers => "numbers",
        /// Rows and columns of PEs.
        Array => "array",
        /// Dataflow: the matrix that stays in the PEs.
        Dataflow => "df",
        /// The number format, with the number of bf16 passes.
        Format => "dt",
        /// Kind of padding, if the GEMM does not fill the array.
        Padding => "pad",
        /// Design of the array, and source of B.
        Design => "design",
        /// The chip.
        Chip => "chip",
    }
}

impl Lock {
    /// Returns the lock that covers a field.
    #[must_use]
    pub const fn of(field: Field) -> Self {
        match field {
            Field::M | Field::K | Field::N => Self::Sizes,
            Field::Fill | Field::Seed | Field::A | Field::B | Field::C => Self::Numbers,
            Field::Rows | Field::Cols => Self::Array,
            Field::Dataflow => Self::Dataflow,
            Field::Dtype | Field::Passes | Field::Adder | Field::Out => Self::Format,
            Field::Padding | Field::Multiple => Self::Padding,
            Field::Overlap | Field::Load | Field::Drain | Field::KTiles | Field::Feed => Self::Design,
            Field::Chip | Field::Arrays | Field::Clock | Field::Price => Self::Chip,
        }
    }
}

systolic::named! {
    /// A part of the page around the array.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Part {
        /// Legend: the line that explains the shapes.
        Legend => "legend",
        /// Caption: the events of the cycle.
        Caption => "caption",
        /// Timeline: the run as a strip.
        Timeline => "timeline",
        /// Playback controls.
        Controls => "controls",
        /// Utilization of the array, and the reasons for it.
        Busy => "busy",
        /// The row of tools.
        Tools => "tools",
    }
}

macro_rules! listed {
    ($($kind:ty),+) => { $(
        impl Listed for $kind {
            const ALL: &'static [Self] = &Self::ALL;
            const IDS: &'static [&'static str] = &Self::NAMES;

            fn place(self) -> usize {
                self as usize
            }
        }
    )+ };
}

listed!(Lock, Part);

/// The name of an empty list.
const NONE: &str = "none";

/// A set of items of one kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct List<T> {
    bits: u16,
    kind: core::marker::PhantomData<T>,
}

impl<T: Listed> List<T> {
    /// The empty list.
    pub const EMPTY: Self = Self { bits: 0, kind: core::marker::PhantomData };

    fn bit(one: T) -> u16 {
        1 << one.place()
    }

    /// True if the list has the item.
    #[must_use]
    pub fn has(self, one: T) -> bool {
        self.bits & Self::bit(one) != 0
    }

    /// Returns the list with an item if `is_in` is true, else without the item.
    #[must_use]
    pub fn with(self, one: T, is_in: bool) -> Self {
        let bits = if is_in { self.bits | Self::bit(one) } else { self.bits & !Self::bit(one) };
        Self { bits, ..self }
    }

    /// Returns the items of the list, in the order of a link.
    pub fn iter(self) -> impl Iterator<Item = T> {
        T::ALL.iter().copied().filter(move |one| self.has(*one))
    }

    /// Reads names separated by dots or commas, or `none`. Returns `None` if a name is unknown.
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

    /// Returns the text that [`parse`](Self::parse) reads.
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
            assert!(Field::ALL.into_iter().any(|field| Lock::of(field) == lock), "{lock:?}");
        }
    }
}
