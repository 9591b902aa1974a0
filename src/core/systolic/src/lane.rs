//! The arithmetic of one PE: IEEE f32, rounded to nearest even, or integers that wrap.
//!
//! Products of bf16, f16 and fp8 numbers are exact in f32 over the normal range. An f32 multiply and then an f32 add
//! therefore round once, at the add. The multiply and the add are never fused, because a fused multiply-add gives other
//! bits for f32 operands.
//!
//! The lanes (implementations of [`Lane`]) form two families. The closed forms work on operands as f32 or i32, for any
//! operand format ([`Float`], [`Whole`], [`Narrow`]). The register machine stores operands in their true width
//! ([`F32`], [`Bf16`], [`F16`], [`Fp8`], [`Int8`]) or, if operands or sums are rounded in a special way, as [`Narrow`].
//! An [`Adder`](crate::Adder) that adds blocks of products has a lane in each family: [`Grouped`] and [`Aligned`]. Tests
//! compare the two families.

mod aligned;
mod dispatch;
mod grouped;
mod row;

use core::fmt::Debug;

pub use aligned::{Aligned, AlignedSum};
pub use grouped::{Grouped, GroupedSum};

use crate::minifloat::MiniFloat;
use crate::{Accumulator, Dtype, MacUnit, Value};

/// Arithmetic of a PE: the types that the PE stores, and how the PE multiplies and adds.
pub trait Lane: Copy + Debug + 'static {
    /// Type of an operand.
    type Operand: Copy + Default + Debug + PartialEq + Send + Sync + 'static;
    /// Type of a sum.
    type Sum: Copy + Default + Debug + PartialEq + Send + Sync + 'static;

    /// True if the PEs add blocks of products. A sum is then open between two roundings.
    const IN_BLOCKS: bool = false;

    /// Operand nearest to `value`, ties to even (tf32: away from zero). Integers are truncated toward zero and saturate.
    fn encode(self, value: f64) -> Self::Operand;
    /// Value of an operand.
    fn operand(self, operand: Self::Operand) -> Value;
    /// Sum that starts from an element of the matrix c, rounded to the accumulator's format.
    fn start(self, c: f64) -> Self::Sum;
    /// Value of a sum. For an open sum: the exact sum so far, rounded once to f32.
    fn sum(self, sum: Self::Sum) -> Value;
    /// Product `x·w`. The product is rounded for f32 operands, and exact over the normal range for narrower operands.
    fn product(self, x: Self::Operand, w: Self::Operand) -> Self::Sum;
    /// Sum `a + b`, rounded to the accumulator's format. PEs add in this way, and so do the accumulators outside the
    /// array.
    fn add(self, a: Self::Sum, b: Self::Sum) -> Self::Sum;
    /// Multiply-accumulate `sum + x·w`. The product is rounded before the add, so the multiply and the add are never
    /// fused.
    #[inline(always)]
    fn mac(self, sum: Self::Sum, x: Self::Operand, w: Self::Operand) -> Self::Sum {
        self.add(sum, self.product(x, w))
    }
    /// The sum after its open block is rounded. Missing products of the block count as zeros.
    #[must_use]
    #[inline(always)]
    fn closed(self, sum: Self::Sum) -> Self::Sum {
        sum
    }
    /// True if a sum goes on from fold to fold. False if each fold starts from zero, and the folds are added outside the
    /// array.
    #[inline(always)]
    fn continues(self) -> bool {
        false
    }
    /// Multiply-accumulates for many PEs: adds `x·w` to each sum.
    #[inline(always)]
    fn mac_all(self, sums: &mut [Self::Sum], x: &[Self::Operand], w: &[Self::Operand]) {
        row::mac_all(self, sums, x, w);
    }
}

fn float_of(value: Value) -> f32 {
    match value {
        Value::Float(float) => float,
        Value::Int(_) => 0.0,
    }
}

/// An element of c for sums in i32: truncated toward zero; saturates, and NaN becomes 0.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates; NaN becomes 0")]
const fn whole(c: f64) -> i32 {
    c as i32
}

/// Floats of any format as f32, summed in f32.
#[derive(Clone, Copy, Debug)]
pub struct Float(pub MacUnit);

/// Integers of any format as i32, summed in i32.
#[derive(Clone, Copy, Debug)]
pub struct Whole(pub MacUnit);

/// Floats of any format as f32. At every add, the sum is rounded to the accumulator's format, and a subnormal sum may
/// become zero.
#[derive(Clone, Copy, Debug)]
pub struct Narrow(pub MacUnit);

/// f32 operands in their true width.
#[derive(Clone, Copy, Debug, Default)]
pub struct F32;

/// bf16 operands as their 16 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bf16;

/// f16 operands as their 16 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct F16;

/// fp8 operands as their 8 bits, decoded by a table.
#[derive(Clone, Copy, Debug)]
pub struct Fp8 {
    format: MiniFloat,
    saturate: bool,
    values: &'static [f32; 256],
}

/// 8-bit integers, and 4-bit integers in a byte each, summed in i32.
#[derive(Clone, Copy, Debug)]
pub struct Int8(pub Dtype);

macro_rules! f32_sums {
    () => {
        #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
        fn start(self, c: f64) -> f32 {
            c as f32
        }
        #[inline(always)]
        fn sum(self, sum: f32) -> Value {
            Value::Float(sum)
        }
        #[inline(always)]
        fn add(self, a: f32, b: f32) -> f32 {
            a + b
        }
    };
}

impl Lane for Float {
    type Operand = f32;
    type Sum = f32;
    f32_sums!();

    fn encode(self, value: f64) -> f32 {
        float_of(self.0.operand(value))
    }
    fn operand(self, operand: f32) -> Value {
        Value::Float(operand)
    }
    #[inline(always)]
    fn product(self, x: f32, w: f32) -> f32 {
        x * w
    }
}

impl Lane for Whole {
    type Operand = i32;
    type Sum = i32;

    fn encode(self, value: f64) -> i32 {
        match self.0.operand(value) {
            Value::Int(int) => int,
            Value::Float(_) => 0,
        }
    }
    fn operand(self, operand: i32) -> Value {
        Value::Int(operand)
    }
    fn start(self, c: f64) -> i32 {
        whole(c)
    }
    fn sum(self, sum: i32) -> Value {
        Value::Int(sum)
    }
    #[inline(always)]
    fn product(self, x: i32, w: i32) -> i32 {
        x.wrapping_mul(w)
    }
    #[inline(always)]
    fn add(self, a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
}

impl Narrow {
    /// A sum rounded to the format of the accumulator.
    fn rounded(self, sum: f32) -> f32 {
        let flush = self.0.flush_subnormals;
        let format = match self.0.accumulator() {
            Accumulator::Bf16 => Dtype::Bf16,
            Accumulator::F16 => Dtype::F16,
            Accumulator::F32 | Accumulator::Int32 if !flush => return sum,
            Accumulator::F32 | Accumulator::Int32 => Dtype::F32,
        };
        // Sums do not saturate: a narrow accumulator overflows to infinity.
        format.float().map_or(sum, |format| format.nearest_f32(f64::from(sum), false, flush))
    }
}

impl Lane for Narrow {
    type Operand = f32;
    type Sum = f32;

    fn encode(self, value: f64) -> f32 {
        float_of(self.0.operand(value))
    }
    fn operand(self, operand: f32) -> Value {
        Value::Float(operand)
    }
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
    fn start(self, c: f64) -> f32 {
        self.rounded(c as f32)
    }
    fn sum(self, sum: f32) -> Value {
        Value::Float(sum)
    }
    fn product(self, x: f32, w: f32) -> f32 {
        x * w
    }
    fn add(self, a: f32, b: f32) -> f32 {
        self.rounded(a + b)
    }
}

impl Lane for F32 {
    type Operand = f32;
    type Sum = f32;
    f32_sums!();

    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
    fn encode(self, value: f64) -> f32 {
        value as f32
    }
    fn operand(self, operand: f32) -> Value {
        Value::Float(operand)
    }
    #[inline(always)]
    fn product(self, x: f32, w: f32) -> f32 {
        x * w
    }
}

/// Code (bit pattern) of the 16-bit float nearest to an f64.
///
/// This function replaces `from_f64` of `half`. In `half` 2.7, the conversion to bf16 drops the lower 32 bits before
/// rounding, so that a number just above a tie rounds to even. The conversion to f16 may round twice, because it goes
/// through f32.
#[expect(clippy::cast_possible_truncation, reason = "a code of 16 bits")]
fn code_16(dtype: Dtype, value: f64) -> u16 {
    dtype.float().map_or(0, |format| format.code(format.nearest(value, false, false)) as u16)
}

#[inline(always)]
fn widen(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

impl Lane for Bf16 {
    type Operand = u16;
    type Sum = f32;
    f32_sums!();

    fn encode(self, value: f64) -> u16 {
        code_16(Dtype::Bf16, value)
    }
    fn operand(self, operand: u16) -> Value {
        Value::Float(widen(operand))
    }
    #[inline(always)]
    fn product(self, x: u16, w: u16) -> f32 {
        widen(x) * widen(w)
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    #[inline(always)]
    fn mac_all(self, sums: &mut [f32], x: &[u16], w: &[u16]) {
        row::mac_all_bf16(sums, x, w);
    }
}

impl Lane for F16 {
    type Operand = u16;
    type Sum = f32;
    f32_sums!();

    fn encode(self, value: f64) -> u16 {
        code_16(Dtype::F16, value)
    }
    fn operand(self, operand: u16) -> Value {
        Value::Float(half::f16::from_bits(operand).to_f32())
    }
    #[inline(always)]
    fn product(self, x: u16, w: u16) -> f32 {
        half::f16::from_bits(x).to_f32() * half::f16::from_bits(w).to_f32()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "exact: f32 holds every number of an 8-bit format")]
const fn table(format: MiniFloat) -> [f32; 256] {
    let mut values = [0.0; 256];
    let mut code = 0;
    while code < 256 {
        values[code as usize] = format.value(code) as f32;
        code += 1;
    }
    values
}

const fn format_of(dtype: Dtype) -> MiniFloat {
    match dtype.float() {
        Some(format) => format,
        None => panic!("integers have no such format"),
    }
}

static E4M3FN: [f32; 256] = table(format_of(Dtype::E4m3fn));
static E5M2: [f32; 256] = table(format_of(Dtype::E5m2));
static E4M3B11FNUZ: [f32; 256] = table(format_of(Dtype::E4m3b11fnuz));
static E4M3FNUZ: [f32; 256] = table(format_of(Dtype::E4m3fnuz));
static E5M2FNUZ: [f32; 256] = table(format_of(Dtype::E5m2fnuz));

impl Fp8 {
    /// The lane of an 8-bit float; `None` for any other format.
    #[must_use]
    pub fn new(unit: MacUnit) -> Option<Self> {
        let values = match unit.dtype() {
            Dtype::E4m3fn => &E4M3FN,
            Dtype::E5m2 => &E5M2,
            Dtype::E4m3b11fnuz => &E4M3B11FNUZ,
            Dtype::E4m3fnuz => &E4M3FNUZ,
            Dtype::E5m2fnuz => &E5M2FNUZ,
            _ => return None,
        };
        Some(Self { format: unit.dtype().float()?, saturate: unit.saturate, values })
    }
}

impl Lane for Fp8 {
    type Operand = u8;
    type Sum = f32;
    f32_sums!();

    #[expect(clippy::cast_possible_truncation, reason = "a code of 8 bits")]
    fn encode(self, value: f64) -> u8 {
        self.format.code(self.format.nearest(value, self.saturate, false)) as u8
    }
    fn operand(self, operand: u8) -> Value {
        Value::Float(self.values[usize::from(operand)])
    }
    #[inline(always)]
    fn product(self, x: u8, w: u8) -> f32 {
        self.values[usize::from(x)] * self.values[usize::from(w)]
    }
}

impl Lane for Int8 {
    type Operand = i8;
    type Sum = i32;

    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates; NaN becomes 0")]
    fn encode(self, value: f64) -> i8 {
        let (least, most) = self.0.whole_range().unwrap_or((0, 0));
        (value as i8).clamp(least, most)
    }
    fn operand(self, operand: i8) -> Value {
        Value::Int(i32::from(operand))
    }
    fn start(self, c: f64) -> i32 {
        whole(c)
    }
    fn sum(self, sum: i32) -> Value {
        Value::Int(sum)
    }
    #[inline(always)]
    fn product(self, x: i8, w: i8) -> i32 {
        i32::from(x) * i32::from(w)
    }
    #[inline(always)]
    fn add(self, a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
}
