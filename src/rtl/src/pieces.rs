//! The folder in pieces: a page can do other work between two of them.

use std::collections::VecDeque;

use systolic::ProductRows;
use systolic::lane::Int8;

use crate::memory::Table;
use crate::{Rtl, design, model, vcd};

/// Elements of a piece: some milliseconds of work.
const ELEMENTS_PER_PIECE: u64 = 1 << 15;

/// A file that is still to be written.
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
    /// The name of the file that begins with this piece.
    pub begins: Option<String>,
    /// The text that follows what was written before.
    pub text: String,
    /// Progress: rows of the matrices that are written, of all.
    pub rows: (u64, u64),
}

/// The files of [`Rtl::files`], in pieces.
#[derive(Clone, Debug)]
pub struct Pieces {
    prefix: String,
    parts: VecDeque<Part>,
    /// Rows of the table that are written.
    row: u64,
    done: u64,
    all: u64,
    product: Option<ProductRows<Int8>>,
}

impl Pieces {
    /// The files of a design, of which none is written yet.
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

    /// The next piece of the same design; none after the last one.
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
