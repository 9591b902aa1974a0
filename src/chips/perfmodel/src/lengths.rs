//! Pseudorandom streams of sequence lengths. A seed gives the same stream on every machine.

/// Largest number of sequences in a stream: enough for any chart, and fast to generate.
pub const SEQUENCES_MAX: u32 = 1 << 18;

/// Longest sequence, in tokens.
pub const SEQUENCE_TOKENS_MAX: u32 = 1 << 24;

/// Distribution of the sequence lengths in a corpus, in tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthMix<'a> {
    /// Log-normal distribution: many short sequences and a long tail, as in text. Lengths above `longest` become
    /// `longest`, and lengths below 1 become 1.
    LogNormal {
        /// Median length: half of the sequences are shorter.
        median: f64,
        /// Standard deviation of the natural logarithm of the length.
        sigma: f64,
        /// Longest length.
        longest: u32,
    },
    /// Uniform distribution: every length in a range is equally likely.
    Uniform {
        /// Shortest length.
        shortest: u32,
        /// Longest length.
        longest: u32,
    },
    /// Lengths from a list, in order. After the last length, the list starts again.
    List(&'a [u32]),
}

/// Reason why a stream of lengths, or its layout in batches, is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeRefusal {
    /// No sequences, a batch size of 0, or a list without entries.
    Empty,
    /// More sequences than [`SEQUENCES_MAX`].
    TooMany {
        /// Requested number of sequences, or requested batch size.
        count: u64,
    },
    /// A length of 0, a length above [`SEQUENCE_TOKENS_MAX`], or a shortest length that is above the longest length.
    Length {
        /// The length that is not allowed.
        given: u32,
    },
    /// Parameter of the distribution that is not allowed: the median must be above 0, and sigma at least 0.
    Parameter,
    /// Sequence that fits into no allowed shape.
    TooLong {
        /// Length of the sequence.
        length: u32,
        /// Length of the longest shape.
        longest: u32,
    },
}

impl LengthMix<'_> {
    /// Generates `count` lengths in tokens from a seed.
    ///
    /// # Errors
    /// [`ShapeRefusal`] if the count, a length or a parameter is not allowed.
    pub fn lengths(&self, count: u32, seed: u64) -> Result<Vec<u32>, ShapeRefusal> {
        if count == 0 {
            return Err(ShapeRefusal::Empty);
        }
        if count > SEQUENCES_MAX {
            return Err(ShapeRefusal::TooMany { count: u64::from(count) });
        }
        let mut draw = Draw(seed);
        let length = |given| if allowed(given) { Ok(given) } else { Err(ShapeRefusal::Length { given }) };
        match *self {
            Self::LogNormal { median, sigma, longest } => {
                let longest = f64::from(length(longest)?);
                if !(median > 0.0 && sigma >= 0.0 && median.is_finite() && sigma.is_finite()) {
                    return Err(ShapeRefusal::Parameter);
                }
                Ok((0..count).map(|_| whole((median * (sigma * draw.normal()).exp()).clamp(1.0, longest))).collect())
            }
            Self::Uniform { shortest, longest } => {
                let (shortest, longest) = (length(shortest)?, length(longest)?);
                let span = longest.checked_sub(shortest).ok_or(ShapeRefusal::Length { given: shortest })?;
                let span = f64::from(span) + 1.0;
                Ok((0..count).map(|_| (shortest + floor(draw.unit() * span)).min(longest)).collect())
            }
            Self::List(lengths) => {
                for given in lengths {
                    length(*given)?;
                }
                let all: Vec<_> = lengths.iter().copied().cycle().take(count as usize).collect();
                if all.is_empty() { Err(ShapeRefusal::Empty) } else { Ok(all) }
            }
        }
    }
}

pub(crate) fn allowed(length: u32) -> bool {
    (1..=SEQUENCE_TOKENS_MAX).contains(&length)
}

/// The nearest whole number; every length fits into a `u32`.
fn whole(length: f64) -> u32 {
    floor(length + 0.5)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "lengths are from 1 to 2²⁴")]
fn floor(length: f64) -> u32 {
    length as u32
}

/// The generator SplitMix64 (Steele, Lea and Flood, 2014): every seed gives its own stream, identical on every machine.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Draws a number from 0 to below 1, in steps of 2⁻⁵³.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Draws a nearly normal number with mean 0 and standard deviation 1: the sum of twelve values from [`Self::unit`],
    /// minus six. The sum uses only additions, which round identically on every machine. The tails end at ±6.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Draw, LengthMix, SEQUENCES_MAX, ShapeRefusal};

    #[test]
    fn the_generator_is_the_published_one() {
        // The reference implementation of SplitMix64 gives these first outputs for the seed 1234567.
        let mut draw = Draw(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([draw.next(), draw.next(), draw.next()], expected);
    }

    #[test]
    fn a_log_normal_mix_has_its_median_and_a_long_tail() {
        let mix = LengthMix::LogNormal { median: 200.0, sigma: 0.8, longest: 100_000 };
        let mut lengths = mix.lengths(20_000, 1).expect("allowed");
        assert_eq!(Ok(lengths.clone()), mix.lengths(20_000, 1));
        assert_ne!(Ok(lengths.clone()), mix.lengths(20_000, 2));
        lengths.sort_unstable();
        let median = f64::from(lengths[10_000]);
        assert!((median / 200.0 - 1.0).abs() < 0.03, "{median}");
        // The mean of a log-normal is median · e^(σ²/2).
        let mean = lengths.iter().map(|length| f64::from(*length)).sum::<f64>() / 20_000.0;
        assert!((mean / (200.0 * 0.32_f64.exp()) - 1.0).abs() < 0.03, "{mean}");
    }

    #[test]
    fn a_uniform_mix_reaches_both_ends_evenly() {
        let lengths = LengthMix::Uniform { shortest: 3, longest: 6 }.lengths(8000, 7).expect("allowed");
        for length in 3..=6 {
            let share = lengths.iter().filter(|found| **found == length).count() as f64 / 8000.0;
            assert!((share - 0.25).abs() < 0.02, "{length}: {share}");
        }
        assert!(lengths.iter().all(|length| (3..=6).contains(length)));
    }

    #[test]
    fn given_lengths_repeat() {
        assert_eq!(LengthMix::List(&[5, 9]).lengths(5, 0), Ok(vec![5, 9, 5, 9, 5]));
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let uniform = |shortest, longest| LengthMix::Uniform { shortest, longest }.lengths(1, 0);
        assert_eq!(uniform(6, 3), Err(ShapeRefusal::Length { given: 6 }));
        assert_eq!(uniform(0, 3), Err(ShapeRefusal::Length { given: 0 }));
        assert_eq!(uniform(1, u32::MAX), Err(ShapeRefusal::Length { given: u32::MAX }));
        assert_eq!(LengthMix::List(&[]).lengths(1, 0), Err(ShapeRefusal::Empty));
        assert_eq!(LengthMix::List(&[1]).lengths(0, 0), Err(ShapeRefusal::Empty));
        let many = SEQUENCES_MAX + 1;
        assert_eq!(LengthMix::List(&[1]).lengths(many, 0), Err(ShapeRefusal::TooMany { count: u64::from(many) }));
        let normal = LengthMix::LogNormal { median: f64::NAN, sigma: 1.0, longest: 9 };
        assert_eq!(normal.lengths(1, 0), Err(ShapeRefusal::Parameter));
    }
}
