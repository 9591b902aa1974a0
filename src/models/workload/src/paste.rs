//! Reader of pasted matmuls: `M, K, N[, count][, name]` on each line, a Markdown table, or the table of a tracer.

pub(crate) mod items;
mod traced;

use std::borrow::Cow;

use crate::cells::{self, CELLS_MAX, MULTIPLIERS, Named, is_number};
use crate::limits::PIECE_MAX;
use crate::lines::Lines;
use crate::note::Note;
use crate::problem::{Column, Fault, Problem, count};
use crate::product::{Kind, Product};
use crate::workload::Workload;
use plain::Decimal;
pub(crate) use traced::TOTALS;

/// Returns the matmuls of pasted lines. A name may come first or last. Without a header, the order of sizes is M, K, N.
///
/// # Errors
/// [`Problem`] for every line that cannot be used, up to 20.
pub fn workload(text: &str) -> Result<Workload, Vec<Problem>> {
    let (mut reader, mut rest) = (Reader::default(), text.as_bytes());
    while !rest.is_empty() && !reader.is_full() {
        let piece = rest.get(..PIECE_MAX).unwrap_or(rest);
        let gone = usize::try_from(reader.feed(piece, piece.len() == rest.len())).unwrap_or(usize::MAX);
        rest = plain::after(rest, gone);
    }
    reader.finish()
}

/// Reader of lines that arrive in pieces.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    lines: Lines,
    rows: Rows,
}

/// Rows that were already read.
#[derive(Debug, Default)]
struct Rows {
    /// Meaning of each cell according to the header, or `None` without a header.
    named: Option<Vec<Named>>,
    /// Decimal separator, if the caller knows it.
    decimal: Option<Decimal>,
    began: bool,
    /// True if the order of the cells decided the meaning of a line.
    is_ordered: bool,
    /// Columns and comments of a tracer.
    traced: traced::Traced,
    work: Workload,
}

impl Reader {
    pub(crate) fn new(decimal: Option<Decimal>) -> Self {
        Self { rows: Rows { decimal, ..Rows::default() }, ..Self::default() }
    }

    /// Reads the complete lines of a piece, and returns the number of bytes read.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) -> u64 {
        let rows = &mut self.rows;
        self.lines.feed(piece, last, |line, number| rows.read(line, number))
    }

    pub(crate) fn is_full(&self) -> bool {
        self.lines.is_full()
    }

    pub(crate) fn finish(self) -> Result<Workload, Vec<Problem>> {
        let Rows { is_ordered, traced, mut work, .. } = self.rows;
        let mut problems = self.lines.problems(work.products.is_empty());
        if problems.is_empty() {
            problems.extend(traced.finish(&mut work).err());
        }
        if is_ordered {
            work.notes.push(Note::AssumedOrder);
        }
        if problems.is_empty() { Ok(work) } else { Err(problems) }
    }
}

impl Rows {
    fn read(&mut self, line: &str, number: usize) -> Result<(), Fault> {
        if self.traced.comment(line, number) {
            return Ok(());
        }
        if let Some(row) = labeled(line)? {
            self.began = true;
            self.work.products.push(row.product(self.decimal, number)?);
            return Ok(());
        }
        let cells = split(line);
        let cells: Vec<&str> = cells.iter().map(|cell| &**cell).collect();
        // This is the rule under the header of a Markdown table.
        let ruled = cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ' | '=')));
        if ruled || line.trim_start().starts_with('#') {
            return Ok(());
        }
        if !std::mem::replace(&mut self.began, true) && !cells.iter().any(|cell| is_number(cell)) {
            self.named = header(&cells)?;
            if !self.traced.header(&cells)? {
                self.work.notes.extend(unused(&cells, self.named.as_deref().unwrap_or(&[])));
            }
            return Ok(());
        }
        let row = match &self.named {
            Some(named) => by_name(&cells, named),
            None => {
                self.is_ordered = true;
                by_place(&cells)?
            }
        };
        let decimal = cells::decimal(cells::delimiter(line.trim()), self.decimal);
        let product = row.product(decimal, number)?;
        self.work.products.push(self.traced.product(product, &cells, decimal)?);
        Ok(())
    }
}

/// Maximum number of names in a note about columns without effect.
const UNUSED_MAX: usize = 5;
/// Sizes of a line, in the order that they have in a list without a header.
const SIZES: [Column; 3] = [Column::M, Column::K, Column::N];

/// Returns a note about the columns of a header that have no effect.
fn unused(header: &[&str], named: &[Named]) -> Option<Note> {
    let is_used = |named: Named| match named {
        Named::Of(column) => SIZES.contains(&column) || MULTIPLIERS.contains(&column),
        Named::Name => true,
        Named::Sparsity | Named::Other => false,
    };
    let unused = named.iter().zip(header).filter(|(named, cell)| !is_used(**named) && !cell.is_empty());
    let names: Vec<String> = unused.map(|(_, cell)| plain::quote(cell)).take(UNUSED_MAX).collect();
    (!names.is_empty()).then(|| Note::UnusedColumns { names: names.join(", ") })
}

/// Splits a line into cells, without the surrounding pipes and spaces.
fn split(line: &str) -> Vec<Cow<'_, str>> {
    let line = line.trim();
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').unwrap_or(inner).trim_end_matches([',', ';']);
    match cells::delimiter(line) {
        Some(delimiter) => cells::split(inner, delimiter),
        None if is_number(line) && line.contains(CROSSES) => crossed(inner).into_iter().map(Cow::Borrowed).collect(),
        None => inner.split_whitespace().take(CELLS_MAX).map(Cow::Borrowed).collect(),
    }
}

/// Multiplication signs that may separate sizes.
const CROSSES: [char; 4] = ['×', 'x', 'X', '*'];

/// Splits a line like `128x512x1536 max`. An `x` between sizes separates them; an `x` after the sizes belongs to the
/// name.
fn crossed(line: &str) -> Vec<&str> {
    let is_between = |c: char| c == ' ' || CROSSES.contains(&c);
    let (mut cells, mut rest) = (Vec::new(), line);
    while is_number(rest) && cells.len() < CELLS_MAX {
        let (size, after) = rest.split_at(rest.find(is_between).unwrap_or(rest.len()));
        cells.push(size);
        let next = after.trim_start_matches(is_between);
        rest = if is_number(next) { next } else { after.trim() };
    }
    if !rest.is_empty() && cells.len() < CELLS_MAX {
        cells.push(rest);
    }
    cells
}

/// Returns the meaning of each cell of a header. `None` if the line has fewer than 3 cells and is only a title.
fn header(cells: &[&str]) -> Result<Option<Vec<Named>>, Fault> {
    let all = cells::header(cells);
    if let Some(column) = cells::twice(&all, &SIZES).or_else(|| cells::twice(&all, &MULTIPLIERS)) {
        return Err(Fault::ColumnTwice { column });
    }
    match SIZES.iter().all(|column| all.contains(&Named::Of(*column))) {
        true => Ok(Some(all)),
        false if cells.len() >= SIZES.len() => Err(Fault::UnknownColumns),
        false => Ok(None),
    }
}

/// Cells of a line by their meaning.
struct Row<'a> {
    name: Option<&'a str>,
    sizes: [Option<&'a str>; 3],
    /// Numbers that multiply the work, such as the count and the batch.
    counts: Vec<(Column, &'a str)>,
}

/// Returns the sizes of a line that names each of them: `Perf (m= 128, n= 7168, k= 2048, layout=NT)`, as benchmarks of
/// matmuls print it. `None` if the line does not name M, K and N.
fn labeled(line: &str) -> Result<Option<Row<'_>>, Fault> {
    let is_of_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let (mut names, mut cells) = (Vec::new(), Vec::new());
    let parts: Vec<&str> = line.split('=').collect();
    for pair in parts.windows(2) {
        let [before, after] = pair else { continue };
        let name = before.trim_end().rsplit(|sign: char| !is_of_name(sign)).next().unwrap_or("");
        let value = after.trim_start().split(|sign: char| ",;:)|".contains(sign) || sign.is_whitespace()).next();
        names.push(name);
        cells.push(value.unwrap_or(""));
    }
    let named = cells::header(&names);
    if !SIZES.iter().all(|column| named.contains(&Named::Of(*column))) {
        return Ok(None);
    }
    match cells::twice(&named, &SIZES).or_else(|| cells::twice(&named, &MULTIPLIERS)) {
        Some(column) => Err(Fault::ColumnTwice { column }),
        None => Ok(Some(Row { name: None, ..by_name(&cells, &named) })),
    }
}

/// Returns the cells of a line, by the columns of the header.
fn by_name<'a>(cells: &[&'a str], named: &[Named]) -> Row<'a> {
    let all = || named.iter().zip(cells).map(|(named, cell)| (*named, *cell));
    let size = |column| all().find(|(named, _)| *named == Named::Of(column)).map(|(_, cell)| cell);
    let counts = all().filter_map(|(named, cell)| match named {
        Named::Of(column) if MULTIPLIERS.contains(&column) => Some((column, cell)),
        _ => None,
    });
    let own = all().filter(|(named, cell)| *named == Named::Name && !cell.is_empty());
    let other = all().filter(|(named, cell)| *named == Named::Other && is_word(cell));
    Row { name: own.chain(other).map(|(_, cell)| cell).next(), sizes: SIZES.map(size), counts: counts.collect() }
}

/// Returns the cells of a line in a list without a header. The name comes first or last, and the numbers are M, K, N and
/// a count.
fn by_place<'a>(cells: &[&'a str]) -> Result<Row<'a>, Fault> {
    let (name, numbers) = match cells {
        [first, rest @ ..] if is_word(first) => (Some(*first), rest),
        [rest @ .., last] if is_word(last) => (Some(*last), rest),
        all => (None, all),
    };
    if let Some(more) = numbers.get(SIZES.len() + 1).filter(|cell| !cell.is_empty()) {
        return Err(Fault::Surplus { given: plain::cut(more) });
    }
    let counts = numbers.get(SIZES.len()).map(|cell| (Column::Count, *cell)).into_iter().collect();
    Ok(Row { name, sizes: [0, 1, 2].map(|at| numbers.get(at).copied()), counts })
}

fn is_word(cell: &str) -> bool {
    !cell.is_empty() && !is_number(cell)
}

impl Row<'_> {
    fn product(&self, decimal: Option<Decimal>, number: usize) -> Result<Product, Fault> {
        let mut sizes = [0; 3];
        for ((size, column), cell) in sizes.iter_mut().zip(SIZES).zip(self.sizes) {
            let cell = cell.filter(|cell| !cell.is_empty()).ok_or(Fault::Missing { column })?;
            *size = count(column, cell, decimal)?;
        }
        let given = self.counts.iter().filter(|(_, cell)| !cell.is_empty());
        let times = given.map(|(column, cell)| count(*column, cell, decimal)).collect::<Result<Vec<u64>, Fault>>()?;
        let times = times.iter().try_fold(1u64, |all, &by| all.checked_mul(by)).ok_or(Fault::TooLarge)?;
        let name = self.name.map_or_else(|| format!("line {number}"), |name| name.chars().take(80).collect());
        Ok(Product::new(name, Kind::Plain, sizes, times)?)
    }
}
