//! Shapes of tensors in the text of a compiler or a profiler, and the matmul of three such shapes.

use super::run::{Asked, Sizes};
use super::tokens::Tokens;
use super::{Read, chips, formats};
use crate::Index;
use crate::words::{as_f64, profile as words};

/// A shape such as `bf16[8192,32768]{1,0:T(8,128)}`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    /// Format and sizes, as written.
    pub(super) text: String,
    dtype: String,
    dims: Vec<u64>,
    /// Axes from the innermost to the outermost.
    order: Vec<usize>,
    /// Rows and columns of a tile of the layout in memory.
    pub(super) tile: Option<(u64, u64)>,
}

/// Maximum number of shapes that are read.
const SHAPES_MAX: usize = 64;

/// Returns all shapes of a text.
pub(super) fn all(text: &str) -> Vec<Shape> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('[').filter(|_| found.len() < SHAPES_MAX) {
        let (before, after) = rest.split_at(at);
        let start = before
            .rfind(|sign: char| !sign.is_ascii_alphanumeric())
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let dtype = before.get(start..).unwrap_or_default().to_lowercase();
        rest = after.get(1..).unwrap_or_default();
        let Some((inner, behind)) = rest.split_once(']') else { break };
        let dims: Option<Vec<u64>> =
            inner.split(',').map(|size| size.trim().parse().ok().filter(|size| *size > 0)).collect();
        if let (Some(_), Some(dims)) = (formats::bytes(&dtype), dims) {
            found.push(Shape::new(dtype, dims, inner, behind));
        }
    }
    found
}

impl Shape {
    fn new(dtype: String, dims: Vec<u64>, inner: &str, behind: &str) -> Self {
        let layout = behind.strip_prefix('{').and_then(|rest| rest.split_once('}')).map_or("", |(layout, _)| layout);
        let (axes, tiles) = layout.split_once(':').unwrap_or((layout, ""));
        let order: Vec<usize> =
            axes.split(',').filter_map(|axis| axis.trim().parse().ok()).filter(|axis| *axis < dims.len()).collect();
        let order = if order.len() == dims.len() { order } else { (0..dims.len()).rev().collect() };
        let tile = tiles.split_once("T(").and_then(|(_, rest)| {
            let (rows, cols) = rest.split_once(')')?.0.split_once(',')?;
            let side = |text: &str| text.trim().parse::<u64>().ok().filter(|side| (1..=1 << 16).contains(side));
            Some((side(rows)?, side(cols)?))
        });
        let text = format!("{dtype}[{inner}]");
        Self { text, dtype, dims, order, tile }
    }

    /// Size of an axis, counted from the innermost.
    pub(super) fn dim(&self, nth: usize) -> u64 {
        self.order.get(nth).and_then(|axis| self.dims.get(*axis)).copied().unwrap_or(1)
    }

    /// Rows and columns of the usual tile of a TPU: 8 × 128 elements of 4 bytes.
    pub(super) fn usual_tile(&self) -> (u64, u64) {
        let packed = if formats::bytes(&self.dtype) == Some(2.0) { 16 } else { 8 };
        (packed, 128)
    }

    /// Bytes without padding.
    pub(super) fn bytes(&self) -> f64 {
        self.dims.iter().map(|size| as_f64(*size)).product::<f64>() * formats::bytes(&self.dtype).unwrap_or(0.0)
    }

    /// Bytes in memory: the two innermost axes are rounded up to whole tiles.
    pub(super) fn padded_bytes(&self) -> f64 {
        let (rows, cols) = self.tile.unwrap_or((1, 1));
        let size = |(nth, axis): (usize, &usize)| {
            let side = [cols, rows].get(nth).copied().unwrap_or(1);
            as_f64(self.dims.get(*axis).copied().unwrap_or(1).div_ceil(side)) * as_f64(side)
        };
        self.order.iter().enumerate().map(size).product::<f64>() * formats::bytes(&self.dtype).unwrap_or(0.0)
    }
}

/// Reads a matmul from the shapes of its result and operands, and compares a utilization with the run.
pub(super) fn read(_index: &Index, text: &str) -> Option<Read> {
    let lower = text.to_lowercase();
    let shapes = all(text);
    let is_matmul = ["dot", "convolution", "matmul", "einsum", "gemm"].iter().any(|word| lower.contains(word));
    let [m, k, n] = product(&shapes).filter(|_| is_matmul)?;
    let mut tokens = Tokens::of(text);
    let chip = chips::take(&mut tokens).first().map(|one| one.chip);
    let dtype = formats::take(&mut tokens).iter().find_map(|format| format.in_run);
    let sizes = Sizes { m: Some(m), k: Some(k), n: Some(n), ..Sizes::default() };
    let focus = if chip.is_some() { crate::words::run::Focus::Chip } else { crate::words::run::Focus::Array };
    let (mut answer, _) = Asked { sizes, chip, dtype, focus, ..Asked::default() }.answer()?;
    if let Some(seconds) = seconds(&tokens).next() {
        answer.says += &words::measured([m, k, n], seconds, chip);
    }
    Some(Read::certain(answer, None))
}

/// Returns the times in a profiler line, without times of a minute or more.
pub(super) fn seconds(tokens: &Tokens) -> impl Iterator<Item = f64> {
    (0..tokens.0.len()).filter_map(|at| {
        let scale = match tokens.word(at + 1) {
            "us" | "usec" | "usecs" | "µs" | "μs" | "microseconds" => 1e-6,
            "ms" | "msec" | "milliseconds" => 1e-3,
            "ns" | "nsec" => 1e-9,
            _ => return None,
        };
        tokens.number(at).map(|number| number * scale).filter(|seconds| (1e-9..60.0).contains(seconds))
    })
}

/// Returns M, K and N of three shapes of two axes: `[M,N] = [M,K] · [K,N]`, also with a transposed operand.
fn product(shapes: &[Shape]) -> Option<[u64; 3]> {
    let matrix = |shape: &Shape| match *shape.dims {
        [rows, cols] => Some([rows, cols]),
        _ => None,
    };
    let all: Vec<[u64; 2]> = shapes.iter().filter_map(matrix).collect();
    let of_two = |a: [u64; 2], b: [u64; 2]| (a[1] == b[0]).then_some([a[0], a[1], b[1]]);
    let turned = |[rows, cols]: [u64; 2]| [cols, rows];
    match *all {
        [c, a, b, ..] => {
            let ways = [(a, b), (a, turned(b)), (turned(a), b), (turned(a), turned(b))];
            ways.into_iter().find_map(|(a, b)| of_two(a, b).filter(|mkn| [mkn[0], mkn[2]] == c))
        }
        [a, b] => of_two(a, b),
        _ => None,
    }
}
