//! Answers as the page shows them: figures, a bar chart of steps, a cost breakdown, and plots.

use display::figure::{Citation, Figure};
use display::plot::{Axis, Plot};
use estimate::{Entry, Measure, Number};

use super::table::Table;

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
    pub plot: Plot,
    /// Description and source of each numbered dot, for the list next to the plot.
    pub dots: Vec<(String, Citation)>,
    /// Data table of the plot; `None` if [`Self::dots`] describes the dots.
    pub table: Option<Table>,
    /// Notes below the plot, one sentence each.
    pub notes: Vec<String>,
    /// The entry that a drag along the horizontal axis sets; `None` if nothing can be dragged.
    pub drag: Option<Drag>,
}

impl Drawing {
    /// Makes a drawing of a plot alone: no list of dots, no table, no notes, and nothing to drag.
    pub(super) const fn of(plot: Plot) -> Self {
        Self { plot, dots: Vec::new(), table: None, notes: Vec::new(), drag: None }
    }
}

/// An entry that a drag along the horizontal axis of a plot sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Drag {
    /// The entry.
    pub entry: Entry,
    /// Values that the entry can take, in ascending order.
    pub values: Vec<u64>,
}

impl Drag {
    /// Returns the value that is nearest to a position on a logarithmic axis.
    #[must_use]
    pub fn nearest(&self, axis: &Axis, place: f64) -> Option<u64> {
        let distance = |value: &u64| (axis.place(*value as f64) - place).abs();
        self.values.iter().copied().min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }
}

/// One column of the comparison: a run on its chips.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnView {
    /// Name of the chip.
    pub name: &'static str,
    /// Number of chips.
    pub chips: u64,
    /// Price of a chip-hour in dollars, if known.
    pub usd_per_chip_hour: Option<f64>,
    /// Number of sequences on each chip; `None` if the model has no sequences.
    pub sequences: Option<u64>,
    /// Kind, region and date of the price.
    pub price_note: String,
    /// Cell of each measure, in the order of the rows.
    pub cells: Vec<ColumnCell>,
    /// True if the run fits in memory with its activations.
    pub has_room: bool,
    /// Activations that the backward pass recomputes; empty except in training.
    pub recomputation: &'static str,
    /// Factors that lead from the peak to the MFU.
    pub factors: Vec<Factor>,
}

impl Columns {
    /// True if the comparison has the figure with this id.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.columns
            .iter()
            .flat_map(|column| &column.cells)
            .any(|cell| cell.figure.as_ref().is_some_and(|one| one.id == id))
    }
}

/// The cell of a run and a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnCell {
    /// The measure.
    pub measure: Measure,
    /// The figure; `None` if the run has no such figure.
    pub figure: Option<Figure>,
    /// The figure as a number; `None` if the run has no such number.
    pub number: Option<Number>,
    /// True if this run has the best value of the measure.
    pub is_best: bool,
    /// Bar below the figure.
    pub bar: Option<ColumnBar>,
    /// Note below the figure.
    pub note: String,
}

/// A bar below a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColumnBar {
    /// A share from 0 to 1 with the ends of its interval. The middle is `None` if the interval is too wide for one number.
    Range(f64, Option<f64>, f64),
    /// Used share of a capacity; above 1 if the capacity is too small.
    Used(f64),
}

/// One factor that leads from the peak to the MFU.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// Name of the cause of the loss.
    pub name: &'static str,
    /// The factor; `None` if its cause is not counted.
    pub factor: Option<f64>,
    /// Share of the peak that is left after this factor.
    pub left: f64,
    /// True for the largest loss of the run.
    pub is_largest_loss: bool,
}

/// A warning, with the setting that helps.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// The warning in words.
    pub says: String,
    /// Text of the button; empty if no setting helps.
    pub text: String,
    /// Entries that the button sets, each with its new text.
    pub set: Vec<(Entry, String)>,
    /// True if the warning rests on estimated activations.
    pub is_estimated: bool,
}

/// The comparison of the runs of an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Name of the model.
    pub model: String,
    /// Settings that all runs share, and the meaning of the ranges.
    pub setting: String,
    /// The answer in one sentence.
    pub sentence: String,
    /// Each measure with its name, in the order of the rows.
    pub measures: Vec<(Measure, &'static str)>,
    /// The runs; the first run is the run of the question.
    pub columns: Vec<ColumnView>,
    /// The most important warning.
    pub remedy: Option<Remedy>,
}

/// An answer, complete or partial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Title, which names the question.
    pub title: String,
    /// Comparison of the runs, for an answer about a model.
    pub columns: Columns,
    /// Figures, most important first.
    pub figures: Vec<Figure>,
    /// Sentence on the largest loss between peak and MFU; empty without an MFU.
    pub why: String,
    /// Bar chart of the steps, if the answer has steps.
    pub bars: Option<Bars>,
    /// Cost breakdown, if the answer has one.
    pub bill: Option<Bill>,
    /// Messages next to entries with problems, one sentence each.
    pub beside_entries: Vec<(Entry, String)>,
    /// Notes next to valid entries, one sentence each.
    pub notes: Vec<(Entry, String)>,
    /// Problems of the whole answer, and messages that belong to no entry, one sentence each.
    pub refused: Vec<String>,
}
