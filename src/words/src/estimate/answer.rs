//! Answers as the page shows them: figures, tables, a bar chart of steps, a cost breakdown, and plots.

use display::figure::{Citation, Figure};
use estimate::Entry;

use super::table::Table;

/// The depth of an answer: the parts that are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Figures, and tables without rows.
    Figures,
    /// Figures, and tables with their rows. Computing the rows takes most of the time.
    Tables,
}

/// A bar chart with a bar for each step of a run, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Description of the bars in words.
    pub words: String,
    /// Height of each bar from 0 to 1, and true if the bar is marked.
    pub bars: Vec<(f64, bool)>,
}

/// A cost breakdown: a table whose lines add up to the total, and a figure for each line.
#[derive(Clone, Debug, PartialEq)]
pub struct Bill {
    /// Title, which names the work that has this cost.
    pub title: String,
    /// Table of the lines and their total.
    pub table: Table,
    /// Figure of each line, with its formula and sources.
    pub lines: Vec<Figure>,
    /// Table that compares the costs of two runs; `None` if there is no second run.
    pub beside: Option<Table>,
}

/// A plot with its legend, data table and notes.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// The plot.
    pub plot: display::plot::Plot,
    /// Description and source of each numbered dot, for the list next to the plot.
    pub dots: Vec<(String, Citation)>,
    /// Data table of the plot; `None` if [`Self::dots`] describes the dots.
    pub table: Option<Table>,
    /// Notes below the plot, one sentence each.
    pub notes: Vec<String>,
}

/// An answer, complete or partial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Title, which names the question.
    pub title: String,
    /// Figures, most important first.
    pub figures: Vec<Figure>,
    /// Sentence on the largest loss between peak and MFU; empty without an MFU.
    pub why: String,
    /// Tables in the order of the page.
    pub tables: Vec<Table>,
    /// Bar chart of the steps, if the answer has steps.
    pub bars: Option<Bars>,
    /// Cost breakdown, if the answer has one.
    pub bill: Option<Bill>,
    /// Messages next to entries with problems, one sentence each.
    pub beside_entries: Vec<(Entry, String)>,
    /// Notes next to valid entries, one sentence each.
    pub notes: Vec<(Entry, String)>,
    /// Warnings about expensive settings, each a sentence that names a better setting.
    pub warnings: Vec<String>,
    /// Problems of the whole answer, and messages that belong to no entry, one sentence each.
    pub refused: Vec<String>,
}
