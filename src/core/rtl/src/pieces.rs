//! Generation of the hardware files piece by piece, so that a page can do other work between two pieces.

use std::collections::VecDeque;

use systolic::ProductRows;
use systolic::lane::Int8;

use crate::memory::Table;
use crate::{Rtl, design, model, vcd};

/// Number of elements per piece: a few milliseconds of work.
const ELEMENTS_PER_PIECE: u64 = 1 << 15;

/// A file that is not completely written yet.
#[derive(Clone, Debug)]
enum Part {
    Text(&'static str, String),
    Table(Table),
    Registers,
    Waveforms,
}

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Name of the file that begins with this piece. `None` if the piece continues the file of the previous piece.
    pub begins: Option<String>,
    /// Text of the piece.
    pub text: String,
    /// Progress in the matrix files: number of rows written so far, and total number of rows.
    pub rows: (u64, u64),
}

/// Writer that returns the files of [`Rtl::files`] piece by piece.
#[derive(Clone, Debug)]
pub struct Pieces {
    prefix: String,
    parts: VecDeque<Part>,
    /// Number of rows of the current matrix file that are already written.
    row: u64,
    done: u64,
    all: u64,
    product: Option<ProductRows<Int8>>,
}

impl Pieces {
    /// Starts to write the files of a design.
    #[must_use]
    pub fn new(rtl: &Rtl, prefix: &str) -> Self {
        let mut parts: VecDeque<Part> =
            design::files(rtl, prefix).into_iter().map(|(name, text)| Part::Text(name, text)).collect();
        parts.extend(Table::ALL.map(Part::Table));
        if rtl.has_registers() {
            parts.extend([Part::Registers, Part::Waveforms]);
        }
        let all = Table::ALL.iter().map(|table| table.rows(rtl.schedule)).sum();
        Self { prefix: prefix.to_owned(), parts, row: 0, done: 0, all, product: None }
    }

    /// Returns the next piece, or `None` after the last piece. `rtl` must be the design that was given to
    /// [`Pieces::new`].
    pub fn next(&mut self, rtl: &Rtl) -> Option<Piece> {
        let (name, text) = match self.parts.pop_front()? {
            Part::Text(name, text) => (Some(name), text),
            Part::Registers => (Some("registers.hex"), model::registers_hex(rtl)),
            Part::Waveforms => (Some("model.vcd"), vcd::written(rtl, &self.prefix)),
            Part::Table(table) => self.rows_of(table, rtl),
        };
        let begins = name.map(|name| format!("{}{name}", self.prefix));
        Some(Piece { begins, text, rows: (self.done, self.all) })
    }

    fn rows_of(&mut self, table: Table, rtl: &Rtl) -> (Option<&'static str>, String) {
        let name = (self.row == 0).then(|| table.name());
        let all = table.rows(rtl.schedule);
        let n_rows = (ELEMENTS_PER_PIECE / table.work_of_row(rtl.schedule).max(1)).max(1);
        let end = all.min(self.row.saturating_add(n_rows));
        let mut text = String::new();
        for row in self.row..end {
            table.write(rtl, row, &mut self.product, &mut text);
        }
        self.done += end - self.row;
        self.row = end;
        if end < all {
            self.parts.push_front(Part::Table(table));
        } else {
            self.row = 0;
            self.product = None;
        }
        (name, text)
    }
}
