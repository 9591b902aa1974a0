//! Functions of a program, with their matmuls, calls and loops.

use std::collections::HashMap;

use crate::note::Note;
use crate::product::Kind;

/// A program, reduced to its matmuls, calls and loops.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) functions: Vec<Function>,
    pub(super) loops: Vec<Loop>,
    pub(super) notes: Vec<Note>,
    /// Number of devices that run the program; 0 if the program does not say so.
    pub(super) partitions: u64,
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Box<str>,
    pub(super) steps: Vec<Step>,
}

impl Function {
    /// True if the name says that the sizes are those of one device: bodies of `shard_map` in JAX.
    pub(super) fn is_local(&self) -> bool {
        self.name.starts_with("shmap_body") || self.name.contains("manual_computation_body")
    }
}

/// An operation of a function, and the loops around it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) act: Act,
    pub(super) line: usize,
    pub(super) loops: Box<[usize]>,
    /// True if the sizes are those of one device.
    pub(super) is_local: bool,
}

#[derive(Debug)]
pub(super) enum Act {
    Call(Box<str>),
    Product {
        kind: Kind,
        name: Box<str>,
        sizes: [u64; 4],
    },
    /// A matmul whose sizes are not in the text.
    Unknown(Box<str>),
    /// A call to code that is not in the text, such as a kernel or a library.
    Foreign(Box<str>),
    /// An operation that multiplies matrices but is not a single matmul.
    Several(Box<str>),
}

/// A `while` loop. The trip count is known if the loop counts from one constant to another.
#[derive(Debug, Default)]
pub(super) struct Loop {
    pub(super) line: usize,
    pub(super) starts: Vec<Option<i64>>,
    pub(super) condition: Vec<Box<str>>,
    pub(super) body: Vec<Box<str>>,
    /// Comparison in the condition of the loop: name of the result, index of the compared carried value, and exclusive
    /// upper limit.
    pub(super) compared: Option<(Box<str>, usize, i64)>,
    pub(super) limit: Option<(usize, i64)>,
    /// Results that are the sum of a carried value and a constant. Each result has the index of the carried value, and
    /// the constant.
    pub(super) sums: HashMap<Box<str>, (usize, i64)>,
    pub(super) step: Option<i64>,
}

impl Loop {
    /// Number of iterations, if constants in the text determine this number.
    pub(super) fn trips(&self) -> Option<u64> {
        let (carried, limit) = self.limit?;
        let start = (*self.starts.get(carried)?)?;
        let step = u64::try_from(self.step?).ok().filter(|step| *step > 0)?;
        let way = limit.checked_sub(start)?.max(0).unsigned_abs();
        Some(way.div_ceil(step))
    }
}
