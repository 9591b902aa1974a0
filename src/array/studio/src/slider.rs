//! Positions of a slider: all whole numbers up to sixteen, then eight values per doubling. So each step changes the
//! value, and the largest value is within reach.

use crate::{Field, Takes};

/// Largest value up to which every whole number has a position.
const SINGLE: u64 = 16;
/// Positions per doubling beyond `SINGLE`.
const PER_OCTAVE: u64 = 8;

/// Returns the value at a position, counted from 0.
#[must_use]
pub const fn value_at(place: u64) -> u64 {
    match place.checked_sub(SINGLE) {
        None => place + 1,
        Some(beyond) => (PER_OCTAVE + 1 + beyond % PER_OCTAVE) << (beyond / PER_OCTAVE + 1),
    }
}

/// Returns the position nearest to a value.
#[must_use]
pub fn place_of(value: u64) -> u64 {
    let above = (0..).find(|&place| value_at(place) >= value).unwrap_or(0);
    let (Some(below), over) = (above.checked_sub(1), value_at(above)) else { return above };
    if value - value_at(below) < over - value { below } else { above }
}

impl Field {
    /// The fields that have a slider, in the order of the form.
    pub const SLIDERS: [Self; 5] = [Self::M, Self::K, Self::N, Self::Rows, Self::Cols];

    /// True if the field is a side of the array.
    #[must_use]
    pub const fn is_side(self) -> bool {
        matches!(self, Self::Rows | Self::Cols)
    }

    /// Returns the largest number that the field accepts; 0 if the field does not accept a number.
    #[must_use]
    pub const fn most(self) -> u64 {
        match self.takes() {
            Takes::Whole { max, .. } => max,
            _ => 0,
        }
    }

    /// Returns the values of the field's slider, from 1 to the largest value.
    pub fn slider(self) -> impl Iterator<Item = u64> {
        (0..=place_of(self.most())).map(value_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn each_place_is_a_larger_value_and_the_limits_of_a_field_have_one() {
        for field in Field::SLIDERS {
            let values: Vec<u64> = field.slider().collect();
            assert_eq!((values.first(), values.last()), (Some(&1), Some(&field.most())), "{field:?}");
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
            assert!(values.len() < 130, "{}", values.len());
            // No step is larger than an eighth of the value.
            assert!(values.windows(2).all(|pair| pair[1] - pair[0] <= (pair[0] / 8).max(1)), "{values:?}");
            for (place, value) in values.into_iter().enumerate() {
                assert_eq!(place_of(value), place as u64);
            }
        }
        assert_eq!([1, 16, 17, 18, 19, 21].map(|value| value_at(place_of(value))), [1, 16, 18, 18, 20, 22]);
    }
}
