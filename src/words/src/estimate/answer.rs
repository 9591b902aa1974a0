//! Answers as the page shows them: figures that open, tables, steps as bars, a bill, plots.

use display::figure::{Citation, Figure};
use estimate::Entry;

use super::table::Table;

/// How much of an answer is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Figures, and the titles of tables.
    Figures,
    /// Tables with their rows too: most of the work.
    Tables,
}

/// Steps of a run in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What they are, in words.
    pub words: String,
    /// Height from 0 to 1, and whether it is marked.
    pub bars: Vec<(f64, bool)>,
}

/// A bill: a table that adds up, and lines that open.
#[derive(Clone, Debug, PartialEq)]
pub struct Bill {
    /// What it is of.
    pub title: String,
    /// The lines and their sum.
    pub table: Table,
    /// Where each comes from.
    pub lines: Vec<Figure>,
    /// The same run on another chip beside it.
    pub beside: Option<Table>,
}

/// A plot with its legend, data table and notes.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The plot.
    pub plot: display::plot::Plot,
    /// Of each numbered dot a line and its source.
    pub dots: Vec<(String, Citation)>,
    /// The plot as a table; of none where the dots have their lines.
    pub table: Option<Table>,
    /// What is to be known of it, a sentence each.
    pub notes: Vec<String>,
}

/// An answer, or as much of one as there is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What it is the answer for.
    pub title: String,
    /// Figures that open, the most wanted first.
    pub figures: Vec<Figure>,
    /// What costs most of the peak, in a sentence; empty where there is no MFU.
    pub why: String,
    /// Tables.
    pub tables: Vec<Table>,
    /// Steps, where there are some to be drawn.
    pub bars: Option<Bars>,
    /// What it costs, line by line.
    pub bill: Option<Bill>,
    /// What is to be read beside an entry: a sentence each.
    pub beside_entries: Vec<(Entry, String)>,
    /// What is to be known at an entry that can be used all the same: a sentence each.
    pub notes: Vec<(Entry, String)>,
    /// What makes the answer a bad bargain, and what would be better: a sentence each.
    pub warnings: Vec<String>,
    /// Why there is no more, and what belongs to no entry.
    pub refused: Vec<String>,
}
