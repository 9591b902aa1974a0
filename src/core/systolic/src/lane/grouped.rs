//! Blocks of products in closed forms: pairs of operands, added in f64.
//!
//! The register machine adds blocks in integers instead (`aligned.rs`). The two files share no code, and tests compare
//! them.

use super::{Lane, float_of};
use crate::{MacUnit, Rule, Value};

const BLOCK_MAX: usize = Rule::BLOCK_MAX;

/// Floats of any format as f32. A sum keeps the pairs of operands of its open block, and is rounded at the end of each
/// block.
#[derive(Clone, Copy, Debug)]
pub struct Grouped {
    unit: MacUnit,
    rule: Rule,
    /// Exponent of the smallest normal operand.
    exponent_min: i32,
}

/// A sum with an open block of products.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GroupedSum {
    /// Sum before the open block.
    c: f32,
    /// Sum of the products of the open block that are ∞ or NaN; else 0.
    special: f32,
    n: u8,
    pairs: [[f32; 2]; BLOCK_MAX],
}

/// Returns 2^`power`, which must be a normal number in f64.
#[expect(clippy::cast_sign_loss, reason = "powers above −1023")]
const fn two_to(power: i32) -> f64 {
    f64::from_bits(((power + 1023) as u64) << 52)
}

/// Exponent of a number other than 0, but at least `min`.
fn exponent(value: f64, min: i32) -> i32 {
    (((value.to_bits() >> 52) & 0x7ff) as i32 - 1023).max(min)
}

/// Exact sum of some numbers, rounded once to f32, to nearest even.
///
/// The partial sums do not overlap, and the larger ones come last (Shewchuk, "Adaptive Precision Floating-Point
/// Arithmetic and Fast Robust Geometric Predicates", 1997).
fn nearest_sum(terms: impl Iterator<Item = f64>) -> f32 {
    let two_sum = |a: f64, b: f64| {
        let sum = a + b;
        let of_b = sum - a;
        (sum, (a - (sum - of_b)) + (b - of_b))
    };
    let (mut parts, mut n) = ([0.0f64; BLOCK_MAX + 2], 0);
    for term in terms {
        let (mut high, mut kept) = (term, 0);
        for place in 0..n {
            let (sum, low) = two_sum(high, parts[place]);
            high = sum;
            if low != 0.0 {
                parts[kept] = low;
                kept += 1;
            }
        }
        parts[kept] = high;
        n = kept + 1;
    }
    let (mut high, mut low) = (0.0, 0.0);
    for &part in parts[..n].iter().rev() {
        (high, low) = two_sum(high, part);
        if low != 0.0 {
            break;
        }
    }
    // The sum is first rounded to odd. It is then a tie of f32 only if no lower bit is set.
    let bits = f64::to_bits(high);
    if low != 0.0 && bits & 1 == 0 {
        high = f64::from_bits(if (low > 0.0) == (high > 0.0) { bits + 1 } else { bits - 1 });
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
    let nearest = high as f32;
    nearest
}

impl GroupedSum {
    /// Sum before the open block.
    pub(crate) const fn before(&self) -> f32 {
        self.c
    }

    fn pairs(&self) -> &[[f32; 2]] {
        &self.pairs[..self.n.into()]
    }

    fn products(&self) -> impl Iterator<Item = f64> {
        self.pairs().iter().map(|&[x, w]| f64::from(x) * f64::from(w)).filter(|product| product.is_finite())
    }

    /// Exact value so far, rounded once to f32.
    pub(crate) fn nearest(&self) -> f32 {
        if self.n == 0 || !self.c.is_finite() || self.special != 0.0 || self.special.is_nan() {
            return self.c + self.special;
        }
        nearest_sum(self.products().chain([f64::from(self.c)]))
    }
}

impl Grouped {
    /// Lane of a MAC unit that adds blocks; `None` for other MAC units.
    #[must_use]
    pub const fn new(unit: MacUnit) -> Option<Self> {
        match (unit.rule(), unit.dtype().float()) {
            (Some(rule), Some(format)) => Some(Self { unit, rule, exponent_min: format.exponent_min() }),
            _ => None,
        }
    }

    /// Number of products in a block.
    pub(crate) fn block(self) -> u64 {
        self.rule.block().into()
    }

    fn appended(self, mut sum: GroupedSum, pairs: &[[f32; 2]], special: f32) -> GroupedSum {
        for &pair in pairs {
            sum.pairs[usize::from(sum.n) % BLOCK_MAX] = pair;
            sum.n += 1;
        }
        sum.special += special;
        if u32::from(sum.n) >= self.rule.block() { self.closed(sum) } else { sum }
    }

    /// Sum of `c` and the products of a block, each cut to a multiple of a power of two.
    fn cut_sum(self, sum: &GroupedSum, fraction_bits: u32, result_bits: u32, c: f32) -> f32 {
        let c = f64::from(c);
        let of_product = |&[x, w]: &[f32; 2]| {
            let [x, w] = [f64::from(x), f64::from(w)];
            (x * w != 0.0 && (x * w).is_finite())
                .then(|| exponent(x, self.exponent_min) + exponent(w, self.exponent_min))
        };
        let of_c = (c != 0.0).then(|| exponent(c, -126));
        let Some(largest) = sum.pairs().iter().filter_map(of_product).chain(of_c).max() else { return 0.0 };
        let unit = two_to(largest - fraction_bits.cast_signed());
        let total: f64 = sum.products().chain([c]).map(|term| (term / unit).trunc() * unit).sum();
        if total == 0.0 {
            return 0.0;
        }
        let last = two_to(exponent(total, -126) - result_bits.cast_signed());
        #[expect(clippy::cast_possible_truncation, reason = "exact, or ∞ beyond the largest f32")]
        let result = ((total / last).trunc() * last) as f32;
        result
    }
}

impl Lane for Grouped {
    type Operand = f32;
    type Sum = GroupedSum;
    const IN_BLOCKS: bool = true;

    fn encode(self, value: f64) -> f32 {
        float_of(self.unit.operand(value))
    }
    fn operand(self, operand: f32) -> Value {
        Value::Float(operand)
    }
    fn start(self, c: f64) -> GroupedSum {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
        let c = c as f32;
        GroupedSum { c, ..GroupedSum::default() }
    }
    fn sum(self, sum: GroupedSum) -> Value {
        Value::Float(sum.nearest())
    }
    fn product(self, x: f32, w: f32) -> GroupedSum {
        let mut sum = GroupedSum { n: 1, special: special(x, w), ..GroupedSum::default() };
        sum.pairs[0] = [x, w];
        sum
    }
    fn add(self, a: GroupedSum, b: GroupedSum) -> GroupedSum {
        if b.n == 0 { self.start(f64::from(a.c + b.c)) } else { self.appended(a, b.pairs(), b.special) }
    }
    fn mac(self, sum: GroupedSum, x: f32, w: f32) -> GroupedSum {
        self.appended(sum, &[[x, w]], special(x, w))
    }
    fn closed(self, sum: GroupedSum) -> GroupedSum {
        if sum.n == 0 {
            return sum;
        }
        let c = if !sum.c.is_finite() || sum.special != 0.0 || sum.special.is_nan() {
            sum.c + sum.special
        } else {
            match self.rule {
                Rule::Exact { .. } => sum.nearest(),
                Rule::Truncated { fraction_bits, result_bits, adds_c_after: true, .. } => {
                    sum.c + self.cut_sum(&sum, fraction_bits, result_bits, 0.0)
                }
                Rule::Truncated { fraction_bits, result_bits, adds_c_after: false, .. } => {
                    self.cut_sum(&sum, fraction_bits, result_bits, sum.c)
                }
            }
        };
        GroupedSum { c, ..GroupedSum::default() }
    }
    fn continues(self) -> bool {
        self.rule.continues()
    }
}

/// Product of two operands if it is ∞ or NaN; else 0. A product of two finite operands is finite, even beyond f32.
fn special(x: f32, w: f32) -> f32 {
    if x.is_finite() && w.is_finite() { 0.0 } else { x * w }
}
