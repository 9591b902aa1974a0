//! A program's functions: what each multiplies, calls and repeats.

use std::collections::HashMap;

use crate::note::Note;
use crate::product::Kind;

/// A program as far as products of matrices go.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) functions: Vec<Function>,
    pub(super) loops: Vec<Loop>,
    pub(super) notes: Vec<Note>,
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Box<str>,
    pub(super) steps: Vec<Step>,
}

/// Something that a function does, and the loops around it.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) act: Act,
    pub(super) line: usize,
    pub(super) loops: Box<[usize]>,
}

#[derive(Debug)]
pub(super) enum Act {
    Call(Box<str>),
    Product {
        kind: Kind,
        name: Box<str>,
        sizes: [u64; 4],
    },
    /// A product whose sizes are not in the text.
    Unknown(Box<str>),
    /// A call of code that is not in the text: a kernel, a library.
    Foreign(Box<str>),
    /// An operation that multiplies matrices, but is no single product.
    Several(Box<str>),
}

/// A `while` that counts from one constant to another.
#[derive(Debug, Default)]
pub(super) struct Loop {
    pub(super) line: usize,
    pub(super) starts: Vec<Option<i64>>,
    pub(super) condition: Vec<Box<str>>,
    pub(super) body: Vec<Box<str>>,
    /// The result of the comparison, which carried value it is of, and what that must stay below.
    pub(super) compared: Option<(Box<str>, usize, i64)>,
    pub(super) limit: Option<(usize, i64)>,
    /// Results that are a carried value plus a constant.
    pub(super) sums: HashMap<Box<str>, (usize, i64)>,
    pub(super) step: Option<i64>,
}

impl Loop {
    /// How often it runs, where that is written.
    pub(super) fn trips(&self) -> Option<u64> {
        let (carried, limit) = self.limit?;
        let start = (*self.starts.get(carried)?)?;
        let step = u64::try_from(self.step?).ok().filter(|step| *step > 0)?;
        let way = limit.checked_sub(start)?.max(0).unsigned_abs();
        Some(way.div_ceil(step))
    }
}
