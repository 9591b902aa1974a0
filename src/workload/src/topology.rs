//! Reader of SCALE-Sim topology files, with one line for each convolution or matmul. The reader supports all known
//! dialects of the format.
//!
//! SCALE-Sim assumes a fixed order of columns, ignores text after the last comma, and needs a flag for convolutions.
//! This reader looks at the header instead, and the last comma is optional.

use std::cmp::Ordering;

use crate::limits::PIECE_MAX;
use crate::lines::Lines;
use crate::note::Note;
use crate::problem::{self, Fault, Problem, Way, count};
use crate::product::{Kind, Product};
use crate::workload::Workload;

/// Meaning of the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Convolutions without padding.
    Convolutions,
    /// Matmuls.
    Gemms,
}

/// Meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Name,
    Size(usize),
    Stride,
    Batch,
    Sparsity,
    Other,
}

/// Maximum number of columns that are read.
const COLUMNS_MAX: usize = 32;
/// Maximum number of characters of a layer's name.
const NAME_MAX: usize = 80;
/// Maximum number of sparsity notes for single lines.
const NOTES_MAX: usize = 20;
const GEMM_SIZES: [&str; 3] = ["M", "N", "K"];
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
    let (mut reader, mut rest) = (Reader::new(form), text.as_bytes());
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
    cut: char,
    headless: bool,
    /// Meaning of the cells. `None` before the first row; `Some(None)` if the first row does not identify the columns.
    table: Option<Option<Table>>,
    work: Workload,
}

impl Reader {
    pub(crate) fn new(forced: Option<Form>) -> Self {
        let rows = Rows { forced, cut: ',', headless: false, table: None, work: Workload::default() };
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
        if table.flatten().is_some_and(|table| table.form == Form::Convolutions) {
            work.notes.push(Note::NoPadding);
        }
        if problems.is_empty() { Ok(work) } else { Err(problems) }
    }
}

impl Rows {
    fn read(&mut self, line: &str, number: usize) -> Result<(), Fault> {
        // A row of empty cells, as spreadsheets leave them, is an empty line.
        if line.chars().all(|c| c == ',' || c.is_whitespace()) {
            return Ok(());
        }
        if self.table.is_none() {
            self.cut = if line.contains('\t') && !line.contains(',') { '\t' } else { ',' };
        }
        let cells: Vec<&str> = line.split(self.cut).map(str::trim).take(COLUMNS_MAX).collect();
        let table = match &self.table {
            Some(table) => table,
            None => {
                self.headless = cells.get(1).is_some_and(|cell| cell.parse::<u64>().is_ok());
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
        table.as_ref().map_or(Ok(()), |table| table.read(&cells, number, &mut self.work))
    }
}

/// Meaning of the cells of a row.
#[derive(Debug)]
struct Table {
    form: Form,
    columns: Vec<Column>,
}

impl Table {
    fn new(header: &[&str], headless: bool, forced: Option<Form>) -> Option<Self> {
        let lower: Vec<String> = header.iter().map(|cell| cell.to_lowercase()).collect();
        let numbers = header.iter().skip(1).filter(|cell| !cell.is_empty()).count();
        let gemm_header = ["m", "n", "k"].iter().all(|name| lower.iter().any(|cell| cell == name));
        let found = if headless && numbers >= 7 || !headless && lower.iter().any(|cell| cell.contains("filt")) {
            Some(Form::Convolutions)
        } else if headless && (3..=4).contains(&numbers) || gemm_header {
            Some(Form::Gemms)
        } else {
            None
        };
        let form = forced.or(found)?;
        let extra = |cell: &str| match cell {
            _ if cell.contains("stride") => Column::Stride,
            _ if cell.contains("batch") => Column::Batch,
            _ if cell.contains("spars") => Column::Sparsity,
            _ => Column::Other,
        };
        let sizes = if form == Form::Gemms { GEMM_SIZES.len() } else { CONVOLUTION_SIZES.len() };
        let by_place = |place: usize, cell: &str| match place {
            0 => Column::Name,
            _ if place <= sizes => Column::Size(place - 1),
            _ if headless && form == Form::Convolutions && place == sizes + 1 => Column::Stride,
            _ if headless => Column::Other,
            _ => extra(cell),
        };
        let by_name = |place: usize, cell: &str| match GEMM_SIZES.iter().position(|name| name.to_lowercase() == cell) {
            Some(size) => Column::Size(size),
            None if place == 0 => Column::Name,
            None => extra(cell),
        };
        // If a header names M, N and K, their order in the header counts. Headers of convolutions have too many
        // spellings for that.
        let named = form == Form::Gemms && gemm_header && !headless;
        let columns = lower.iter().enumerate();
        let columns = columns.map(|(at, cell)| if named { by_name(at, cell) } else { by_place(at, cell) }).collect();
        Some(Self { form, columns })
    }

    /// Returns the cell of a column. `None` if the cell is missing or empty.
    fn cell<'a>(&self, cells: &[&'a str], column: Column) -> Option<&'a str> {
        let at = self.columns.iter().position(|other| *other == column)?;
        cells.get(at).copied().filter(|cell| !cell.is_empty())
    }

    /// Adds the matmul of one row.
    fn read(&self, cells: &[&str], number: usize, work: &mut Workload) -> Result<(), Fault> {
        let whole = self.cell(cells, Column::Name).unwrap_or("layer");
        let name: String = whole.chars().take(NAME_MAX).collect();
        let size = |index: usize, column: problem::Column| {
            let cell = self.cell(cells, Column::Size(index)).ok_or(Fault::Missing { column })?;
            count(column, cell)
        };
        let optional = |which: Column, column: problem::Column| match self.cell(cells, which) {
            Some(cell) => count(column, cell),
            None => Ok(1),
        };
        let batch = optional(Column::Batch, problem::Column::Batch)?;
        let product = match self.form {
            Form::Gemms => {
                let [m, n, k] =
                    [size(0, problem::Column::M)?, size(1, problem::Column::N)?, size(2, problem::Column::K)?];
                Product::new(name, Kind::Plain, [times(&[m, batch])?, k, n], 1)?
            }
            Form::Convolutions => {
                let mut sizes = [0; CONVOLUTION_SIZES.len()];
                for (index, (place, column)) in sizes.iter_mut().zip(CONVOLUTION_SIZES).enumerate() {
                    *place = size(index, column)?;
                }
                let [height, width, filter_height, filter_width, channels, filters] = sizes;
                let stride = optional(Column::Stride, problem::Column::Stride)?;
                let out_height = steps(Way::High, height, filter_height, stride)?;
                let out_width = steps(Way::Wide, width, filter_width, stride)?;
                let rows = times(&[out_height, out_width, batch])?;
                // A depthwise layer is one small convolution for each channel. Its name contains `DP`.
                let (deep, groups) = if whole.contains("DP") { (1, channels) } else { (channels, 1) };
                let window = times(&[filter_height, filter_width, deep])?;
                Product::new(name, Kind::Convolution, [rows, window, filters], groups)?
            }
        };
        if let Some(ratio) = self.cell(cells, Column::Sparsity) {
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

/// Number of positions of a filter along one side: ⌈(input − filter + stride) ÷ stride⌉.
fn steps(way: Way, input: u64, filter: u64, stride: u64) -> Result<u64, Fault> {
    let left = input.checked_sub(filter).ok_or(Fault::FilterTooLarge { way, filter, input })?;
    Ok(left.div_ceil(stride).saturating_add(1))
}

fn times(factors: &[u64]) -> Result<u64, Fault> {
    factors.iter().try_fold(1u64, |product, &by| product.checked_mul(by)).ok_or(Fault::TooLarge)
}
