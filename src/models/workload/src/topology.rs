//! Reader of SCALE-Sim topology files, with one line for each convolution or matmul. The reader supports all known
//! dialects of the format.
//!
//! SCALE-Sim assumes a fixed order of columns, ignores text after the last comma, and needs a flag for convolutions.
//! This reader looks at the header instead, and the last comma is optional. A column that multiplies the work is used,
//! and a note names every column without effect.

use std::cmp::Ordering;

use crate::cells::{self, MULTIPLIERS, Named};
use crate::limits::PIECE_MAX;
use crate::lines::Lines;
use crate::note::Note;
use crate::problem::{self, Fault, Problem, Way, count};
use crate::product::{Kind, Product};
use crate::workload::Workload;
use plain::Decimal;

/// Meaning of the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Convolutions without padding.
    Convolutions,
    /// Matmuls.
    Gemms,
}

/// Columns other than sizes. They are used if the table has them.
const EXTRA: [problem::Column; 9] = [
    problem::Column::Stride,
    problem::Column::Batch,
    problem::Column::Count,
    problem::Column::Layers,
    problem::Column::Heads,
    problem::Column::Experts,
    problem::Column::Groups,
    problem::Column::Padding,
    problem::Column::Dilation,
];
/// Columns whose numbers multiply the count of the matmul.
const REPEATS: [problem::Column; 4] =
    [problem::Column::Count, problem::Column::Layers, problem::Column::Heads, problem::Column::Experts];
/// Maximum number of names in a note about columns without effect.
const UNUSED_MAX: usize = 5;
/// Maximum number of characters of a layer's name.
const NAME_MAX: usize = 80;
/// Maximum number of sparsity notes for single lines.
const NOTES_MAX: usize = 20;
const GEMM_SIZES: [problem::Column; 3] = [problem::Column::M, problem::Column::N, problem::Column::K];
const CONVOLUTION_SIZES: [problem::Column; 6] = [
    problem::Column::InputHeight,
    problem::Column::InputWidth,
    problem::Column::FilterHeight,
    problem::Column::FilterWidth,
    problem::Column::Channels,
    problem::Column::Filters,
];

/// Returns the matmuls of a topology file. A given form overrides the form that the header implies.
///
/// # Errors
/// [`Problem`] for every line that cannot be used, up to 20.
pub fn workload(text: &str, form: Option<Form>) -> Result<Workload, Vec<Problem>> {
    let (mut reader, mut rest) = (Reader::new(form, None), text.as_bytes());
    while !rest.is_empty() && !reader.is_full() {
        let piece = rest.get(..PIECE_MAX).unwrap_or(rest);
        let gone = usize::try_from(reader.feed(piece, piece.len() == rest.len())).unwrap_or(usize::MAX);
        rest = plain::after(rest, gone);
    }
    reader.finish()
}

/// Reader of a topology file that arrives in pieces.
#[derive(Debug)]
pub(crate) struct Reader {
    lines: Lines,
    rows: Rows,
}

/// Rows that were already read.
#[derive(Debug)]
struct Rows {
    forced: Option<Form>,
    /// Decimal separator, if the caller knows it.
    decimal: Option<Decimal>,
    delimiter: char,
    headless: bool,
    /// Meaning of the cells. `None` before the first row; `Some(None)` if the first row does not identify the columns.
    table: Option<Option<Table>>,
    work: Workload,
}

impl Reader {
    pub(crate) fn new(forced: Option<Form>, decimal: Option<Decimal>) -> Self {
        let rows = Rows { forced, decimal, delimiter: ',', headless: false, table: None, work: Workload::default() };
        Self { lines: Lines::default(), rows }
    }

    /// Reads the complete lines of a piece, and returns the number of bytes read.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) -> u64 {
        let rows = &mut self.rows;
        self.lines.feed(piece, last, |line, number| rows.read(line, number))
    }

    pub(crate) fn is_full(&self) -> bool {
        self.lines.is_full() || matches!(self.rows.table, Some(None))
    }

    pub(crate) fn finish(self) -> Result<Workload, Vec<Problem>> {
        let Rows { headless, table, mut work, .. } = self.rows;
        let problems = self.lines.problems(work.products.is_empty());
        if headless {
            work.notes.push(Note::NoHeader);
        }
        if let Some(table) = table.flatten() {
            if table.form == Form::Convolutions && !table.has(problem::Column::Padding) {
                work.notes.push(Note::NoPadding);
            }
            if !table.unused.is_empty() {
                work.notes.push(Note::UnusedColumns { names: table.unused.join(", ") });
            }
        }
        if problems.is_empty() { Ok(work) } else { Err(problems) }
    }
}

impl Rows {
    fn read(&mut self, line: &str, number: usize) -> Result<(), Fault> {
        // A row of empty cells, as spreadsheets leave them, is an empty line.
        if line.chars().all(|c| matches!(c, ',' | ';') || c.is_whitespace()) {
            return Ok(());
        }
        if self.table.is_none() {
            self.delimiter = cells::delimiter(line).unwrap_or(',');
        }
        let cells = cells::split(line, self.delimiter);
        let cells: Vec<&str> = cells.iter().map(|cell| &**cell).collect();
        let table = match &self.table {
            Some(table) => table,
            None => {
                let named = cells::header(&cells);
                let is_conv = cells.iter().any(|cell| is_filter(cell));
                let used: &[problem::Column] = if is_conv { &EXTRA } else { &MULTIPLIERS };
                let twice = cells::twice(&named, &GEMM_SIZES).or_else(|| cells::twice(&named, used));
                if let Some(column) = twice {
                    // After an unusable header, rows are ignored.
                    self.table = Some(None);
                    return Err(Fault::ColumnTwice { column });
                }
                self.headless = cells.get(1).is_some_and(|cell| cells::is_number(cell));
                let table = self.table.insert(Table::new(&cells, self.headless, self.forced));
                if table.is_none() {
                    return Err(Fault::UnknownColumns);
                }
                if !self.headless {
                    return Ok(());
                }
                table
            }
        };
        // After an unusable header, rows are ignored.
        let decimal = cells::decimal(Some(self.delimiter), self.decimal);
        table.as_ref().map_or(Ok(()), |table| table.read(&cells, decimal, number, &mut self.work))
    }
}

/// Meaning of the cells of a row.
#[derive(Debug)]
struct Table {
    form: Form,
    columns: Vec<Named>,
    /// Names of columns without effect, quoted.
    unused: Vec<String>,
}

impl Table {
    fn new(header: &[&str], headless: bool, forced: Option<Form>) -> Option<Self> {
        let names = cells::header(header);
        let numbers = header.iter().skip(1).filter(|cell| !cell.is_empty()).count();
        let has = |column: &problem::Column| names.contains(&Named::Of(*column));
        let gemm_header = GEMM_SIZES.iter().all(has);
        let found = if headless && numbers >= 7 || !headless && header.iter().any(|cell| is_filter(cell)) {
            Some(Form::Convolutions)
        } else if headless && (3..=4).contains(&numbers) || gemm_header {
            Some(Form::Gemms)
        } else {
            None
        };
        let form = forced.or(found)?;
        let sizes = form.sizes();
        let by_place = |place: usize, named: Named| match place {
            0 => Named::Name,
            _ if place <= sizes.len() => sizes.get(place - 1).map_or(Named::Other, |size| Named::Of(*size)),
            _ if headless && form == Form::Convolutions && place == sizes.len() + 1 => {
                Named::Of(problem::Column::Stride)
            }
            _ if headless => Named::Other,
            _ => extra(named),
        };
        let by_name = |place: usize, named: Named| match named {
            Named::Of(column) if sizes.contains(&column) => named,
            _ if place == 0 => Named::Name,
            _ => extra(named),
        };
        // If a header names all sizes, their order in the header counts.
        let is_named = !headless && sizes.iter().all(has);
        // Otherwise, the sizes have SCALE-Sim's order, and no name may contradict this order.
        let is_elsewhere = |(place, named): (usize, &Named)| match named {
            Named::Of(column) => sizes.iter().position(|size| size == column).is_some_and(|size| size + 1 != place),
            _ => false,
        };
        // Some tables of SCALE-Sim name the width of the input twice.
        let of_filters =
            names.iter().enumerate().filter(|(_, named)| !matches!(named, Named::Of(column) if is_input(*column)));
        if !is_named && !headless && of_filters.clone().any(is_elsewhere) {
            return None;
        }
        let columns: Vec<Named> = (names.iter().enumerate())
            .map(|(place, named)| if is_named { by_name(place, *named) } else { by_place(place, *named) })
            .collect();
        let is_used = |named: &Named| match named {
            Named::Of(column) => form == Form::Convolutions || sizes.contains(column) || MULTIPLIERS.contains(column),
            Named::Name | Named::Sparsity => true,
            Named::Other => false,
        };
        let is_unused = |(named, cell): &(&Named, &&str)| !is_used(named) && !headless && !cell.is_empty();
        let unused = columns.iter().zip(header).filter(is_unused).map(|(_, cell)| plain::quote(cell));
        let unused = unused.take(UNUSED_MAX).collect();
        Some(Self { form, columns, unused })
    }

    fn has(&self, column: problem::Column) -> bool {
        self.columns.contains(&Named::Of(column))
    }

    /// Returns the cell of a column. `None` if the cell is missing or empty.
    fn cell<'a>(&self, cells: &[&'a str], column: Named) -> Option<&'a str> {
        let at = self.columns.iter().position(|other| *other == column)?;
        cells.get(at).copied().filter(|cell| !cell.is_empty())
    }

    /// Adds the matmul of one row.
    fn read(&self, cells: &[&str], decimal: Option<Decimal>, number: usize, work: &mut Workload) -> Result<(), Fault> {
        let whole = self.cell(cells, Named::Name).unwrap_or("layer");
        let name: String = whole.chars().take(NAME_MAX).collect();
        let size = |column: problem::Column| {
            let cell = self.cell(cells, Named::Of(column)).ok_or(Fault::Missing { column })?;
            count(column, cell, decimal)
        };
        let optional = |column: problem::Column| match self.cell(cells, Named::Of(column)) {
            Some(cell) => count(column, cell, decimal),
            None => Ok(1),
        };
        let batch = optional(problem::Column::Batch)?;
        // Several columns may multiply the work, such as a count and a number of heads.
        let repeats = REPEATS.iter().map(|column| optional(*column)).collect::<Result<Vec<u64>, Fault>>()?;
        let repeats = times(&repeats)?;
        let product = match self.form {
            Form::Gemms => {
                let [m, n, k] = [size(problem::Column::M)?, size(problem::Column::N)?, size(problem::Column::K)?];
                let repeats = times(&[repeats, optional(problem::Column::Groups)?])?;
                Product::new(name, Kind::Plain, [times(&[m, batch])?, k, n], repeats)?
            }
            Form::Convolutions => {
                let mut sizes = [0; CONVOLUTION_SIZES.len()];
                for (place, column) in sizes.iter_mut().zip(CONVOLUTION_SIZES) {
                    *place = size(column)?;
                }
                let [height, width, filter_height, filter_width, channels, filters] = sizes;
                let (stride, dilation) = (optional(problem::Column::Stride)?, optional(problem::Column::Dilation)?);
                let padding = match self.cell(cells, Named::Of(problem::Column::Padding)) {
                    Some(cell) => problem::whole(problem::Column::Padding, cell, decimal)?,
                    None => 0,
                };
                let input = |side: u64| side.checked_add(padding.checked_mul(2)?);
                let [height, width] = [input(height).ok_or(Fault::TooLarge)?, input(width).ok_or(Fault::TooLarge)?];
                // A dilated filter reaches over the values that it skips.
                let reach = |side: u64| (side - 1).checked_mul(dilation)?.checked_add(1);
                let out_height = steps(Way::High, height, reach(filter_height).ok_or(Fault::TooLarge)?, stride)?;
                let out_width = steps(Way::Wide, width, reach(filter_width).ok_or(Fault::TooLarge)?, stride)?;
                let rows = times(&[out_height, out_width, batch])?;
                let groups = optional(problem::Column::Groups)?;
                if channels % groups != 0 || filters % groups != 0 {
                    return Err(Fault::Groups { groups, channels, filters });
                }
                // A depthwise layer is one small convolution for each channel. In a table without groups, `DP` in its
                // name marks such a layer.
                let is_depthwise = !self.has(problem::Column::Groups) && whole.contains("DP");
                let (deep, wide, groups) =
                    if is_depthwise { (1, filters, channels) } else { (channels / groups, filters / groups, groups) };
                let window = times(&[filter_height, filter_width, deep])?;
                Product::new(name, Kind::Convolution, [rows, window, wide], times(&[groups, repeats])?)?
            }
        };
        if let Some(ratio) = self.cell(cells, Named::Sparsity) {
            let parts = ratio.split_once(':').map(|(n, m)| (n.trim().parse::<u64>(), m.trim().parse::<u64>()));
            match parts {
                Some((Ok(n), Ok(m))) if n == m && n > 0 => {}
                Some((Ok(n), Ok(m))) if 0 < n && n < m => match work.notes.len().cmp(&NOTES_MAX) {
                    Ordering::Less => work.notes.push(Note::Sparsity { line: number, n, m }),
                    Ordering::Equal => work.notes.push(Note::MoreSparsity),
                    Ordering::Greater => {}
                },
                _ => return Err(Fault::Sparsity { given: plain::cut(ratio.trim()) }),
            }
        }
        work.products.push(product);
        Ok(())
    }
}

impl Form {
    /// Sizes of a row, in SCALE-Sim's order.
    const fn sizes(self) -> &'static [problem::Column] {
        match self {
            Self::Convolutions => &CONVOLUTION_SIZES,
            Self::Gemms => &GEMM_SIZES,
        }
    }
}

/// True for a column name that occurs only in tables of convolutions.
fn is_filter(cell: &str) -> bool {
    cell.to_lowercase().contains("filt")
}

const fn is_input(column: problem::Column) -> bool {
    matches!(column, problem::Column::InputHeight | problem::Column::InputWidth)
}

/// Meaning of a column after the sizes.
fn extra(named: Named) -> Named {
    match named {
        Named::Of(column) if EXTRA.contains(&column) => named,
        Named::Sparsity | Named::Name => named,
        _ => Named::Other,
    }
}

/// Number of positions of a filter along one side: ⌈(input − filter + stride) ÷ stride⌉.
fn steps(way: Way, input: u64, filter: u64, stride: u64) -> Result<u64, Fault> {
    let left = input.checked_sub(filter).ok_or(Fault::FilterTooLarge { way, filter, input })?;
    Ok(left.div_ceil(stride).saturating_add(1))
}

fn times(factors: &[u64]) -> Result<u64, Fault> {
    factors.iter().try_fold(1u64, |product, &by| product.checked_mul(by)).ok_or(Fault::TooLarge)
}
