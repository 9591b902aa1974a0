//! Columns of numbers as bytes, computed by all processors.

use std::num::NonZeroUsize;
use std::thread;

use crate::problem::{Problem, Usable};

/// Smallest number of rows per thread. For fewer rows, a thread costs more than it saves.
const ROWS_MIN: usize = 4096;

/// Column of 64-bit whole numbers. A single number applies to all rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole<'a> {
    name: &'static str,
    bytes: &'a [u8],
}

impl<'a> Whole<'a> {
    pub(crate) const fn new(name: &'static str, bytes: &'a [u8]) -> Self {
        Self { name, bytes }
    }

    pub(crate) const fn len(self) -> usize {
        self.bytes.len() / 8
    }

    /// Returns the number of a row. Fails if the number is not from 1 to `most`.
    pub(crate) fn at(self, row: usize, most: u64) -> Result<u64, Problem> {
        let index = if self.len() == 1 { 0 } else { row };
        let given = self.bytes.get(index * 8..index * 8 + 8).and_then(|bytes| bytes.try_into().ok());
        let given = given.map(i64::from_ne_bytes).unwrap_or_default();
        let found = u64::try_from(given).ok().filter(|value| (1..=most).contains(value));
        found.ok_or_else(|| Problem::At {
            name: self.name,
            index,
            given: given.to_string(),
            usable: Usable::UpTo(most),
        })
    }
}

/// Computes `N` columns with `rows` rows, 8 bytes a number. Fails with the problem of the first row that cannot be
/// used.
pub(crate) fn made<const N: usize>(
    rows: usize,
    row: impl Fn(usize) -> Result<[[u8; 8]; N], Problem> + Sync,
) -> Result<[Vec<u8>; N], Problem> {
    let most = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let each = rows.div_ceil(most).max(ROWS_MIN);
    let part = |from: usize| -> Result<[Vec<u8>; N], Problem> {
        let to = (from + each).min(rows);
        let mut columns = [const { Vec::new() }; N];
        columns.iter_mut().for_each(|column| column.reserve_exact((to - from) * 8));
        for index in from..to {
            for (column, number) in columns.iter_mut().zip(row(index)?) {
                column.extend_from_slice(&number);
            }
        }
        Ok(columns)
    };
    if rows <= each {
        return part(0);
    }
    let part = &part;
    let parts: Vec<Result<[Vec<u8>; N], Problem>> = thread::scope(|scope| {
        let started: Vec<_> = (0..rows).step_by(each).map(|from| scope.spawn(move || part(from))).collect();
        started.into_iter().map(|one| one.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut all = [const { Vec::new() }; N];
    for part in parts {
        for (all, mut column) in all.iter_mut().zip(part?) {
            if all.is_empty() {
                *all = column;
            } else {
                all.append(&mut column);
            }
        }
    }
    Ok(all)
}
