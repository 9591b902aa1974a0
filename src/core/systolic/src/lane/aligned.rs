//! Blocks of products in the register machine: significands and exponents, aligned and added as integers.
//!
//! Closed forms add blocks in f64 instead (`grouped.rs`). The two files share no code, and tests compare them.

use super::{Lane, float_of};
use crate::{AlignedTerm, BlockView, ExactSum, MacUnit, MiniFloat, Rule, Value};

const BLOCK_MAX: usize = Rule::BLOCK_MAX;

/// Layout of a sum.
const F32: MiniFloat = super::format_of(crate::Dtype::F32);

/// Floats of any format as their bits. A sum keeps the significands and exponents of its open block, and is rounded at
/// the end of each block.
#[derive(Clone, Copy, Debug)]
pub struct Aligned {
    unit: MacUnit,
    rule: Rule,
    format: MiniFloat,
}

/// A sum with an open block of products.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AlignedSum {
    /// Sum before the open block.
    c: f32,
    /// Sum of the products of the open block that are ∞ or NaN; else 0.
    special: f32,
    n: u8,
    products: [Product; BLOCK_MAX],
}

/// A product that is not normalized: the integer product of two significands, and the sum of two exponents.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Product {
    significand: i32,
    exponent: i16,
}

/// Value `significand` · 2^(`exponent` − `point`). The significand of a normal number has `point` + 1 bits.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    significand: i64,
    exponent: i32,
    point: u32,
}

impl Scaled {
    /// Number with these bits, which is not ∞ or NaN. A subnormal number has the smallest exponent and leading zeros.
    const fn of_bits(format: MiniFloat, bits: u32) -> Self {
        let MiniFloat { exponent_bits, fraction_bits, bias, .. } = format;
        let fraction = (bits & ((1 << fraction_bits) - 1)) as i64;
        let code = ((bits >> fraction_bits) & ((1 << exponent_bits) - 1)).cast_signed();
        let magnitude = if code == 0 { fraction } else { fraction | 1 << fraction_bits };
        let is_negative = bits >> (exponent_bits + fraction_bits) & 1 == 1;
        let exponent = if code == 0 { 1 - bias } else { code - bias };
        Self { significand: if is_negative { -magnitude } else { magnitude }, exponent, point: fraction_bits }
    }

    const fn is_zero(self) -> bool {
        self.significand == 0
    }

    /// This value in units of 2^(`largest` − `fraction_bits`), cut toward zero.
    fn aligned(self, largest: i32, fraction_bits: u32) -> i64 {
        if self.is_zero() {
            return 0; // The exponent of a zero may be larger than the largest exponent.
        }
        let left = fraction_bits.cast_signed() - self.point.cast_signed() - (largest - self.exponent);
        let magnitude = self.significand.unsigned_abs();
        let moved = if left >= 0 { magnitude << left } else { magnitude.checked_shr(left.unsigned_abs()).unwrap_or(0) };
        moved.cast_signed() * self.significand.signum()
    }

    #[expect(clippy::cast_precision_loss, reason = "at most 24 bits")]
    fn value(self) -> f64 {
        self.significand as f64 * 2f64.powi(self.exponent - self.point.cast_signed())
    }
}

/// Value `total` · 2^`unit`, cut toward zero to `result_bits` fraction bits.
fn cut(total: i64, unit: i32, result_bits: u32) -> f32 {
    if total == 0 {
        return 0.0;
    }
    let magnitude = total.unsigned_abs();
    let exponent = unit + magnitude.ilog2().cast_signed();
    let last = exponent.max(F32.exponent_min()) - result_bits.cast_signed();
    let dropped = (last - unit).max(0);
    let kept = magnitude.checked_shr(dropped.unsigned_abs()).unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "at most 24 bits")]
    let value = kept as f64 * 2f64.powi(unit + dropped);
    #[expect(clippy::cast_possible_truncation, reason = "exact, or ∞ beyond the largest f32")]
    let value = value as f32;
    if total < 0 { -value } else { value }
}

impl Aligned {
    /// Lane of a MAC unit that adds blocks; `None` for other MAC units.
    #[must_use]
    pub const fn new(unit: MacUnit) -> Option<Self> {
        match (unit.rule(), unit.dtype().float()) {
            (Some(rule), Some(format)) => Some(Self { unit, rule, format }),
            _ => None,
        }
    }

    /// The last block of a sum, and its result if no more products come. After a machine has closed a block, this view
    /// shows the next block, which has no products yet.
    #[must_use]
    pub fn view(self, sum: &AlignedSum) -> BlockView {
        let c = Scaled::of_bits(F32, sum.c.to_bits());
        let (fraction_bits, takes_c) = match self.rule {
            Rule::Exact { .. } => (None, true),
            Rule::Truncated { fraction_bits, adds_c_after, .. } => (Some(fraction_bits), !adds_c_after),
        };
        let exponent = self.largest(sum, takes_c);
        let term = |scaled: Scaled| {
            let value = scaled.value();
            let aligned = fraction_bits.zip(exponent).map(|(bits, largest)| scaled.aligned(largest, bits));
            #[expect(clippy::cast_precision_loss, reason = "at most 27 bits")]
            let cut = aligned.zip(fraction_bits.zip(exponent)).map_or(0.0, |(aligned, (bits, largest))| {
                value - aligned as f64 * 2f64.powi(largest - bits.cast_signed())
            });
            AlignedTerm { value, exponent: scaled.exponent, aligned, cut }
        };
        let is_finite = is_finite(sum);
        BlockView {
            rule: self.rule,
            is_open: u32::from(sum.n) < self.rule.block(),
            n_products: sum.n.into(),
            start: sum.c,
            c: (takes_c && is_finite).then(|| term(c)),
            products: if is_finite { self.scaled(sum).map(term).collect() } else { vec![] },
            exponent,
            total: fraction_bits.zip(exponent).map(|(bits, largest)| self.total(sum, takes_c, largest, bits)),
            result: self.result(sum),
        }
    }

    /// Adds a product to a sum, and leaves the block open even if it is full.
    #[must_use]
    pub fn opened(self, mut sum: AlignedSum, x: u32, w: u32) -> AlignedSum {
        let product = self.product(x, w);
        sum.products[usize::from(sum.n) % BLOCK_MAX] = product.products[0];
        sum.special += product.special;
        sum.n += 1;
        sum
    }

    fn scaled(self, sum: &AlignedSum) -> impl Iterator<Item = Scaled> {
        let point = 2 * self.format.fraction_bits;
        sum.products[..sum.n.into()].iter().map(move |product| Scaled {
            significand: product.significand.into(),
            exponent: product.exponent.into(),
            point,
        })
    }

    /// Largest exponent of the products, and of the sum before them if `takes_c`; `None` if all are zeros.
    fn largest(self, sum: &AlignedSum, takes_c: bool) -> Option<i32> {
        let c = takes_c.then(|| Scaled::of_bits(F32, sum.c.to_bits()));
        self.scaled(sum).chain(c).filter(|term| !term.is_zero()).map(|term| term.exponent).max()
    }

    fn total(self, sum: &AlignedSum, takes_c: bool, largest: i32, fraction_bits: u32) -> i64 {
        let c = takes_c.then(|| Scaled::of_bits(F32, sum.c.to_bits()));
        self.scaled(sum).chain(c).map(|term| term.aligned(largest, fraction_bits)).sum()
    }

    /// Exact value so far, rounded once to f32.
    fn nearest(self, sum: &AlignedSum) -> f32 {
        if sum.n == 0 || !is_finite(sum) {
            return sum.c + sum.special;
        }
        let mut exact = ExactSum::default();
        exact.add(sum.c.into());
        self.scaled(sum).for_each(|product| exact.add(product.value()));
        exact.to_f32()
    }

    fn result(self, sum: &AlignedSum) -> f32 {
        let cut_sum = |fraction_bits: u32, result_bits: u32, takes_c: bool| {
            self.largest(sum, takes_c).map_or(0.0, |largest| {
                let total = self.total(sum, takes_c, largest, fraction_bits);
                cut(total, largest - fraction_bits.cast_signed(), result_bits)
            })
        };
        match self.rule {
            _ if sum.n == 0 || !is_finite(sum) => sum.c + sum.special,
            Rule::Exact { .. } => self.nearest(sum),
            Rule::Truncated { fraction_bits, result_bits, adds_c_after: true, .. } => {
                sum.c + cut_sum(fraction_bits, result_bits, false)
            }
            Rule::Truncated { fraction_bits, result_bits, adds_c_after: false, .. } => {
                cut_sum(fraction_bits, result_bits, true)
            }
        }
    }

    fn closed_if_full(self, sum: AlignedSum) -> AlignedSum {
        if u32::from(sum.n) >= self.rule.block() { self.closed(sum) } else { sum }
    }
}

fn is_finite(sum: &AlignedSum) -> bool {
    sum.c.is_finite() && sum.special == 0.0
}

impl Lane for Aligned {
    type Operand = u32;
    type Sum = AlignedSum;
    const IN_BLOCKS: bool = true;

    fn encode(self, value: f64) -> u32 {
        self.format.code(float_of(self.unit.operand(value)).into())
    }
    #[expect(clippy::cast_possible_truncation, reason = "exact: f32 holds every number of the format")]
    fn operand(self, operand: u32) -> Value {
        Value::Float(self.format.value(operand) as f32)
    }
    fn start(self, c: f64) -> AlignedSum {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
        let c = c as f32;
        AlignedSum { c, ..AlignedSum::default() }
    }
    fn sum(self, sum: AlignedSum) -> Value {
        Value::Float(self.nearest(&sum))
    }
    #[expect(clippy::cast_possible_truncation, reason = "22 bits, and exponents of at most 10 bits")]
    fn product(self, x: u32, w: u32) -> AlignedSum {
        let mut sum = AlignedSum { n: 1, ..AlignedSum::default() };
        let values = [x, w].map(|bits| self.format.value(bits));
        if values.iter().all(|value| value.is_finite()) {
            let [x, w] = [x, w].map(|bits| Scaled::of_bits(self.format, bits));
            let significand = (x.significand * w.significand) as i32;
            // A zero has no exponent.
            let exponent = if significand == 0 { 0 } else { (x.exponent + w.exponent) as i16 };
            sum.products[0] = Product { significand, exponent };
        } else {
            sum.special = (values[0] * values[1]) as f32;
        }
        sum
    }
    fn add(self, a: AlignedSum, b: AlignedSum) -> AlignedSum {
        if b.n == 0 {
            return self.start((a.c + b.c).into());
        }
        let mut sum = a;
        for &product in &b.products[..b.n.into()] {
            sum.products[usize::from(sum.n) % BLOCK_MAX] = product;
            sum.n += 1;
        }
        sum.special += b.special;
        self.closed_if_full(sum)
    }
    fn mac(self, sum: AlignedSum, x: u32, w: u32) -> AlignedSum {
        self.closed_if_full(self.opened(sum, x, w))
    }
    fn closed(self, sum: AlignedSum) -> AlignedSum {
        AlignedSum { c: self.result(&sum), ..AlignedSum::default() }
    }
    fn continues(self) -> bool {
        self.rule.continues()
    }
}
