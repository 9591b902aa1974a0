//! Tables of an answer: ids, rows, and cells with texts or amounts.

use core::fmt;

use display::amount::Amount;

use super::{model, plots};

/// The id of a table in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableId {
    /// Comparison of chips or runs.
    Beside,
    /// Efficiency breakdown of a measured run.
    Ladder,
    /// A measured figure in each convention.
    Conventions,
    /// The requirements of a claim.
    Claim,
    /// Difference between two runs, one change at a time.
    Apart,
    /// The time of a step of prefill or decode, split into its parts.
    StepParts,
    /// Matmuls by time.
    Products,
    /// Errors of predicted times.
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
    /// Failure overhead at other checkpoint intervals.
    Intervals,
    /// The dots of the roofline.
    Roofline,
    /// Cost of a model.
    Bill,
    /// Costs of two runs.
    Bills,
}

impl TableId {
    /// Returns the title of the table.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Beside => model::BESIDE,
            Self::Ladder => "Efficiency breakdown of your run",
            Self::Conventions => "Your figure in each convention",
            Self::Claim => "Requirements of the claim",
            Self::Apart => "The difference, one change at a time",
            Self::StepParts => "Where the time of a step goes",
            Self::Products => "Matmuls by time",
            Self::Errors => "Error of the predicted times",
            Self::Batches => "Latency against batch",
            Self::Scaling => "With other numbers of chips",
            Self::Published => "Nearest published runs on this chip",
            Self::Assumptions => "Sources and assumptions",
            Self::Chip => "The chip, value by value",
            Self::Ways => "All ways of batching",
            Self::RunBill | Self::Bill => "Cost",
            Self::Intervals => "Other checkpoint intervals",
            Self::Roofline => plots::TABLE,
            Self::Bills => "Costs of both runs, for the same tokens",
        }
    }

    /// True if the table is part of the answer; false if the table only explains the answer.
    #[must_use]
    pub const fn is_answer(self) -> bool {
        matches!(self, Self::Ladder | Self::Conventions | Self::Claim | Self::Apart | Self::StepParts)
    }

    /// True if the page folds the table until a person opens it.
    #[must_use]
    pub const fn is_detail(self) -> bool {
        matches!(
            self,
            Self::Beside | Self::Products | Self::Errors | Self::Scaling | Self::Assumptions | Self::Chip | Self::Apart
        )
    }
}

/// A table of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Id of the table.
    pub id: TableId,
    /// Names of the columns.
    pub heads: Vec<&'static str>,
    /// Rows of the table.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// True if the page emphasizes the row, because the row is a total or the user's case.
    pub is_marked: bool,
    /// Cells of the row. The first cell has the name of the row.
    pub cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Text, such as a name, a choice or a remark.
    Text(String),
    /// A number with its unit.
    Amount(Amount),
}

impl Table {
    /// Makes a table of rows.
    #[must_use]
    pub fn new(id: TableId, heads: &[&'static str], rows: impl IntoIterator<Item = Row>) -> Self {
        Self { id, heads: heads.to_vec(), rows: rows.into_iter().collect() }
    }

    /// Returns the cells of each row as shown, with `true` for a marked row.
    #[must_use]
    pub fn texts(&self) -> Vec<(bool, Vec<String>)> {
        self.rows.iter().map(|row| (row.is_marked, row.texts())).collect()
    }
}

impl Row {
    /// Makes a row from its name and its other cells.
    #[must_use]
    pub fn new(name: impl Into<Cell>, cells: impl IntoIterator<Item = impl Into<Cell>>) -> Self {
        let cells = core::iter::once(name.into()).chain(cells.into_iter().map(Into::into)).collect();
        Self { is_marked: false, cells }
    }

    /// Returns this row, emphasized if `is_marked`.
    #[must_use]
    pub fn marked(self, is_marked: bool) -> Self {
        Self { is_marked, ..self }
    }

    /// Returns the cells of the row as shown.
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
