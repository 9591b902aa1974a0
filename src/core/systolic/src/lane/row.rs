//! Multiply-accumulates `sum + x·w` for many PEs at once.

use super::Lane;

/// Number of PEs that the grouped loop computes at once.
const TOGETHER: usize = 16;

/// Adds `x·w` to each sum, in a plain or a grouped loop.
///
/// Compilers vectorize the two loops differently. With 8-bit operands in WebAssembly, a step of 256×256 PEs takes 8 µs
/// in the plain loop and 11 µs in the grouped one. In native code, the plain loop is faster for 16-bit operands too.
#[inline(always)]
pub(super) fn mac_all<L: Lane>(lane: L, sums: &mut [L::Sum], x: &[L::Operand], w: &[L::Operand]) {
    let n = sums.len();
    let (x, w) = (&x[..n], &w[..n]);
    let is_narrow = size_of::<L::Operand>() <= if cfg!(target_arch = "wasm32") { 1 } else { 2 };
    if is_narrow {
        for j in 0..n {
            sums[j] = lane.mac(sums[j], x[j], w[j]);
        }
        return;
    }
    let (groups, rest) = sums.as_chunks_mut::<TOGETHER>();
    let ((xs, x), (ws, w)) = (x.as_chunks::<TOGETHER>(), w.as_chunks::<TOGETHER>());

    mac_groups(lane, groups, xs, ws);
    for ((sum, &x), &w) in rest.iter_mut().zip(x).zip(w) {
        *sum = lane.mac(*sum, x, w);
    }
}

type Group<T> = [T; TOGETHER];

/// Adds `x·w` to each sum, group by group.
///
/// The loop has its own function, because variables that are needed after a loop occupy registers during the loop. The
/// separate function saves 1 µs per step of 256×256 PEs in WebAssembly.
#[inline(never)]
fn mac_groups<L: Lane>(lane: L, sums: &mut [Group<L::Sum>], x: &[Group<L::Operand>], w: &[Group<L::Operand>]) {
    for ((sums, x), w) in sums.iter_mut().zip(x).zip(w) {
        // All values are read before any is written, so that the compiler need not check for overlap.
        let (before, x, w) = (*sums, *x, *w);
        *sums = core::array::from_fn(|j| lane.mac(before[j], x[j], w[j]));
    }
}

/// Number of PEs in a group for bf16 operands in WebAssembly. A step of 256×256 PEs takes 7.1 µs with groups of 32 PEs,
/// and 7.5 µs with groups of 16 or 64.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
const TOGETHER_BF16: usize = 32;

/// Adds `x·w` to each sum, for bf16 operands in WebAssembly.
///
/// A bf16 number is the upper half of its f32, so one interleaving with zeros widens four numbers. By default the
/// compiler extends and shifts instead, and a step of 256×256 PEs takes 10 µs instead of 7.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
pub(super) fn mac_all_bf16(sums: &mut [f32], x: &[u16], w: &[u16]) {
    let n = sums.len();
    let (groups, rest) = sums.as_chunks_mut::<TOGETHER_BF16>();
    let ((xs, x), (ws, w)) = (x[..n].as_chunks::<TOGETHER_BF16>(), w[..n].as_chunks::<TOGETHER_BF16>());
    mac_groups_bf16(groups, xs, ws);
    for ((sum, &x), &w) in rest.iter_mut().zip(x).zip(w) {
        *sum = super::Bf16.mac(*sum, x, w);
    }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(never)]
fn mac_groups_bf16(sums: &mut [[f32; TOGETHER_BF16]], x: &[[u16; TOGETHER_BF16]], w: &[[u16; TOGETHER_BF16]]) {
    use core::arch::wasm32::{f32x4, f32x4_add, f32x4_extract_lane, f32x4_mul, u16x8, u16x8_shuffle};
    // The compiler must not know that these numbers are zeros. It would turn known zeros into a shuffle for which
    // engines have no instruction.
    let zeros = core::hint::black_box(u16x8(0, 0, 0, 0, 0, 0, 0, 0));
    let widen = |x: &[u16; 8]| {
        let x = u16x8(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
        let low = u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(zeros, x);
        [low, u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(zeros, x)]
    };
    let mac_eight = |sums: &mut [f32; 8], x: &[u16; 8], w: &[u16; 8]| {
        for ((sums, x), w) in sums.as_chunks_mut::<4>().0.iter_mut().zip(widen(x)).zip(widen(w)) {
            let sum = f32x4_add(f32x4(sums[0], sums[1], sums[2], sums[3]), f32x4_mul(x, w));
            *sums = [
                f32x4_extract_lane::<0>(sum),
                f32x4_extract_lane::<1>(sum),
                f32x4_extract_lane::<2>(sum),
                f32x4_extract_lane::<3>(sum),
            ];
        }
    };
    for ((sums, x), w) in sums.iter_mut().zip(x).zip(w) {
        let eights = sums.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0).zip(w.as_chunks().0);
        eights.for_each(|((sums, x), w)| mac_eight(sums, x, w));
    }
}
