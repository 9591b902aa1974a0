//! Tables of an answer: which one it is, its rows, and cells that are texts or amounts.

use core::fmt;

use display::amount::Amount;

use super::{bill, model, plots, runs};

/// The tables of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableId {
    /// Chips, or runs, side by side.
    Beside,
    /// From the peak to a measured run.
    Ladder,
    /// The requirements of a claim.
    Claim,
    /// A difference between two runs, one change at a time.
    Apart,
    /// The products by time.
    Products,
    /// Errors of the times.
    Errors,
    /// Latency against batch.
    Batches,
    /// The run on other numbers of chips.
    Scaling,
    /// Published runs on the chip.
    Published,
    /// The assumptions of an answer.
    Assumptions,
    /// The chip, value by value.
    Chip,
    /// Every way of batching sequences.
    Ways,
    /// Cost of a run with failures.
    RunBill,
    /// Other checkpoint intervals.
    Intervals,
    /// The dots of the roofline.
    Roofline,
    /// Cost of a model.
    Bill,
    /// Costs of two runs.
    Bills,
}

impl TableId {
    /// The title.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Beside => model::BESIDE,
            Self::Ladder => runs::LADDER,
            Self::Claim => runs::CLAIM,
            Self::Apart => runs::APART,
            Self::Products => model::PRODUCTS,
            Self::Errors => model::ERRORS,
            Self::Batches => model::BATCHES,
            Self::Scaling => model::SCALING,
            Self::Published => model::PUBLISHED,
            Self::Assumptions => model::ASSUMPTIONS,
            Self::Chip => model::SHEET,
            Self::Ways => model::WAYS,
            Self::RunBill => model::BILL,
            Self::Intervals => model::INTERVALS,
            Self::Roofline => plots::TABLE,
            Self::Bill => bill::TITLE,
            Self::Bills => bill::BESIDE,
        }
    }

    /// True if the table belongs to the answer; false if it explains the answer.
    #[must_use]
    pub const fn is_answer(self) -> bool {
        matches!(self, Self::Beside | Self::Ladder | Self::Claim | Self::Apart)
    }
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Which.
    pub id: TableId,
    /// Names of the columns.
    pub heads: Vec<&'static str>,
    /// Its rows; none where only the ids of tables were asked for.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// True if the page emphasizes the row: a sum, or the case in question.
    pub is_marked: bool,
    /// Its cells; the first one names it.
    pub cells: Vec<Cell>,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A name, a choice, a remark.
    Text(String),
    /// A number with its unit.
    Amount(Amount),
}

impl Table {
    /// A table of these rows.
    #[must_use]
    pub fn new(id: TableId, heads: &[&'static str], rows: impl IntoIterator<Item = Row>) -> Self {
        Self { id, heads: heads.to_vec(), rows: rows.into_iter().collect() }
    }

    /// Its rows as they are shown, the marked ones with `true`.
    #[must_use]
    pub fn texts(&self) -> Vec<(bool, Vec<String>)> {
        self.rows.iter().map(|row| (row.is_marked, row.texts())).collect()
    }
}

impl Row {
    /// A row with a name.
    #[must_use]
    pub fn new(name: impl Into<Cell>, cells: impl IntoIterator<Item = impl Into<Cell>>) -> Self {
        let cells = core::iter::once(name.into()).chain(cells.into_iter().map(Into::into)).collect();
        Self { is_marked: false, cells }
    }

    /// This row, emphasized if `is_marked`.
    #[must_use]
    pub fn marked(self, is_marked: bool) -> Self {
        Self { is_marked, ..self }
    }

    /// Its cells as they are shown.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.cells.iter().map(Cell::to_string).collect()
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => to.write_str(text),
            Self::Amount(amount) => amount.fmt(to),
        }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Amount> for Cell {
    fn from(amount: Amount) -> Self {
        Self::Amount(amount)
    }
}
