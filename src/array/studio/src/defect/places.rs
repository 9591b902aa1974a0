//! Simulation with the places of elements (row and column) instead of their values. The simulation shows if two
//! elements that meet belong together.

use crate::Plan;
use systolic::{Element, Lane, Matrix, Operand, Operands, Value};

/// Returns matrices A and B, with padding. The value of each element is its own row and column, packed into one number.
pub(super) fn places(plan: &Plan) -> Operands {
    let run = plan.schedule().run();
    let matrix = |rows: u64, cols: u64| Matrix::from_fn(rows, cols, |row, col| f64::from(packed(row, col)));
    Operands::new(matrix(run.m(), run.k()), matrix(run.k(), run.n()))
}

/// Number of bits of a packed row or column.
const PLACE_BITS: u32 = 15;
/// Largest row or column that a packed place can store.
pub(super) const PLACE_MAX: u64 = (1 << PLACE_BITS) - 1;

fn packed(row: u64, col: u64) -> u32 {
    u32::try_from((row.min(PLACE_MAX) << PLACE_BITS) | col.min(PLACE_MAX)).unwrap_or(u32::MAX)
}

pub(super) fn place_of(tag: Value) -> (u64, u64) {
    let code = match tag {
        Value::Int(code) => u64::from(code.cast_unsigned()),
        Value::Float(_) => 0,
    };
    ((code >> PLACE_BITS) & PLACE_MAX, code & PLACE_MAX)
}

/// Combines the value of an element, from the simulation of values, with its place, from the simulation of places.
pub(super) fn element(operand: Operand, value: Option<Value>, tag: Option<Value>) -> Option<Element> {
    let place = place_of(tag?);
    Some(Element { operand, row: place.0, col: place.1, value: value? })
}

/// Row and column in C to which a product belongs.
pub(super) const fn product_place(x: &Element, w: &Element) -> (u64, u64) {
    match x.operand {
        Operand::A => (x.row, w.col),
        Operand::B | Operand::C => (w.row, x.col),
    }
}

/// Arithmetic of PEs that work on places instead of values. Each sum records its element of C, and the first mismatch
/// of its products.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) west_is_a: bool,
}

/// The first mismatch in a sum of products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// An element of A and an element of B with different k: the k of A, then the k of B.
    Terms(u32, u32),
    /// No mismatch, but terms are missing.
    Missing,
    /// Terms that belong to two different elements of C, each element by its row and column.
    Elements((u32, u32), (u32, u32)),
}

/// The content of a PE in place of a sum, packed: the place in C, the number of products and the first mismatch. The
/// form is compact, because every PE of the array stores such a sum at each clock edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TagSum {
    /// Place in C of the first product, with the flag [`THERE`]; 0 if no product was added.
    place: u32,
    /// Number of products that were added.
    n_terms: u32,
    /// First mismatch: its kind ([`TERMS`] or [`ELEMENTS`]) and two k's or two places; 0 for no mismatch.
    mix: u64,
}

/// Flag in the field `place` of a [`TagSum`]: a product was added.
const THERE: u32 = 1 << 31;
/// Flag of a mismatch between the k's of two operands.
const TERMS: u64 = 1 << 62;
/// Flag of a mismatch between two elements of C.
const ELEMENTS: u64 = 1 << 63;
/// Mask of a packed place.
const PLACE: u64 = (1 << (2 * PLACE_BITS)) - 1;

/// Packs a mismatch: its kind, and two places or two k's in 30 bits each.
const fn mix(kind: u64, one: u32, other: u32) -> u64 {
    kind | ((one as u64 & PLACE) << (2 * PLACE_BITS)) | (other as u64 & PLACE)
}

impl TagSum {
    /// Row and column in C to which the first product belongs.
    pub(super) fn place(self) -> (u64, u64) {
        place_of(Value::Int((self.place & !THERE).cast_signed()))
    }

    /// True if the sum has a mismatch.
    pub(super) const fn is_mixed(self) -> bool {
        self.mix != 0
    }

    /// Number of products that were added.
    pub(super) fn n_terms(self) -> u64 {
        self.n_terms.into()
    }

    /// Returns the first mismatch of the sum.
    pub(super) fn mix(self) -> Option<Mix> {
        let part = |shift: u32| u32::try_from(self.mix >> shift & PLACE).unwrap_or(u32::MAX);
        let (one, other) = (part(2 * PLACE_BITS), part(0));
        let split = |place: u32| (place >> PLACE_BITS, place & ((1 << PLACE_BITS) - 1));
        match self.mix {
            0 => None,
            mix if mix & TERMS != 0 => Some(Mix::Terms(one, other)),
            _ => Some(Mix::Elements(split(one), split(other))),
        }
    }
}

impl Lane for Tag {
    type Operand = u32;
    type Sum = TagSum;

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a packed place")]
    fn encode(self, value: f64) -> u32 {
        value as u32
    }
    fn operand(self, operand: u32) -> Value {
        Value::Int(operand.cast_signed())
    }
    fn start(self, _: f64) -> TagSum {
        TagSum::default()
    }
    fn sum(self, sum: TagSum) -> Value {
        Value::Int((sum.place & !THERE).cast_signed())
    }
    #[inline]
    fn product(self, x: u32, w: u32) -> TagSum {
        let (a, b) = if self.west_is_a { (x, w) } else { (w, x) };
        let mask = (1 << PLACE_BITS) - 1;
        let (k_of_a, k_of_b) = (a & mask, b >> PLACE_BITS);
        let mix = if k_of_a == k_of_b { 0 } else { mix(TERMS, k_of_a, k_of_b) };
        TagSum { place: THERE | (a & (mask << PLACE_BITS)) | (b & mask), n_terms: 1, mix }
    }
    #[inline]
    fn add(self, a: TagSum, b: TagSum) -> TagSum {
        let is_other = a.place != 0 && b.place != 0 && a.place != b.place;
        let elements = if is_other { mix(ELEMENTS, a.place, b.place) } else { 0 };
        let first = |one: u64, other: u64| if one == 0 { other } else { one };
        TagSum {
            place: if a.place == 0 { b.place } else { a.place },
            n_terms: a.n_terms.saturating_add(b.n_terms),
            mix: first(a.mix, first(b.mix, elements)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defect::{BrokenMachine, Defect};
    use systolic::{Cycle, PeId};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_product_that_strays_into_the_sum_of_another_element_is_found_by_hand() {
        // Without skew, all rows of the array multiply elements of one row of A at once. A sum from the north began one
        // cycle earlier for each row that it has passed.
        let link = crate::Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", "");
        let plan = Plan::new(&link.scenario).expect("a run");
        let broken = BrokenMachine::at(&plan, Defect::NoSkew, Cycle(9));
        for (row, began) in [(0, None), (1, Some(4)), (2, Some(3)), (3, Some(2))] {
            let cell = broken.cell(PeId::new(row, 0)).expect("a cell");
            assert_eq!(cell.stray, began.map(|m| ((5, 0), (m, 0))), "row {row}");
        }
    }
}
