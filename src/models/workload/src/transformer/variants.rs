//! Variants of a transformer: packed sequences, and latent attention that expands all keys and values.

use super::{Mixer, Reach, Transformer};
use crate::note::Note;

/// Returns the mean number of tokens to which a token of packed sequences attends, rounded. This mean is the sum of the
/// squared lengths, divided by the sum of the lengths. `None` without lengths, or if the lengths are too large.
#[must_use]
pub fn packed_mean(lengths: &[u64]) -> Option<u64> {
    let (mut sum, mut squares) = (0_u128, 0_u128);
    for length in lengths.iter().map(|length| u128::from(*length)) {
        sum = sum.checked_add(length)?;
        squares = squares.checked_add(length.checked_mul(length)?)?;
    }
    let mean = squares.checked_mul(2)?.checked_add(sum)?.checked_div(sum.checked_mul(2)?)?;
    u64::try_from(mean).ok()
}

impl Transformer {
    /// Returns the same model with latent attention that expands all keys and values in decode, too.
    #[must_use]
    pub fn expanded(mut self) -> Self {
        for layers in &mut self.layers {
            if let Mixer::Latent(latent) = &mut layers.mixer {
                latent.expands = true;
            }
        }
        self
    }

    /// Returns the same model for sequences that are packed into one. A token attends only to tokens of the same
    /// sequence. `mean` is the mean number of these tokens, from [`packed_mean`].
    #[must_use]
    pub fn packed(mut self, mean: u64) -> Self {
        for layers in &mut self.layers {
            match layers.reach {
                Reach::Window(most) | Reach::Chunk(most) if most <= mean => {}
                _ => layers.reach = Reach::Mean(mean),
            }
        }
        self.notes.push(Note::Packed { mean });
        self
    }
}
