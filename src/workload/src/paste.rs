//! Products as people paste them: `M, K, N[, count][, name]` in each line, a table of Markdown included.

use crate::limits::PIECE_MAX;
use crate::lines::Lines;
use crate::problem::{Column, Fault, Problem, count};
use crate::product::{Kind, Product};
use crate::workload::Workload;

/// The products of pasted lines. A name may stand first or last; without a header the order of sizes is M, K, N.
///
/// # Errors
/// Every line that cannot be used, up to 20.
pub fn workload(text: &str) -> Result<Workload, Vec<Problem>> {
    let (mut reader, mut rest) = (Reader::default(), text.as_bytes());
    while !rest.is_empty() && !reader.is_full() {
        let piece = rest.get(..PIECE_MAX).unwrap_or(rest);
        let gone = usize::try_from(reader.feed(piece, piece.len() == rest.len())).unwrap_or(usize::MAX);
        rest = plain::after(rest, gone);
    }
    reader.finish()
}

/// Lines that come a piece at a time.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    lines: Lines,
    rows: Rows,
}

/// What has been read of the rows.
#[derive(Debug, Default)]
struct Rows {
    /// What a header says of each cell, where there is one; of some it says nothing that is used.
    named: Option<Vec<Option<Column>>>,
    began: bool,
    products: Vec<Product>,
}

impl Reader {
    /// Reads whole lines of a piece and returns how many bytes they are.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) -> u64 {
        let rows = &mut self.rows;
        self.lines.feed(piece, last, |line, number| rows.read(line, number))
    }

    pub(crate) fn is_full(&self) -> bool {
        self.lines.is_full()
    }

    pub(crate) fn finish(self) -> Result<Workload, Vec<Problem>> {
        let work = Workload { products: self.rows.products, ..Workload::default() };
        let problems = self.lines.problems(work.products.is_empty());
        if problems.is_empty() { Ok(work) } else { Err(problems) }
    }
}

impl Rows {
    fn read(&mut self, line: &str, number: usize) -> Result<(), Fault> {
        let cells = cells(line);
        // What is under the header of a Markdown table.
        let ruled = cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ' | '=')));
        if ruled || line.trim_start().starts_with('#') {
            return Ok(());
        }
        if !std::mem::replace(&mut self.began, true) && !cells.iter().any(|cell| starts_with_digit(cell)) {
            self.named = header(&cells)?;
            return Ok(());
        }
        let (name, sizes) = match &self.named {
            Some(named) => by_name(&cells, named),
            None => by_place(&cells)?,
        };
        self.products.push(read(name, sizes, number)?);
        Ok(())
    }
}

/// Cells of a line that are looked at.
const CELLS_MAX: usize = 32;
/// What the numbers of a line are, one after the other.
const ORDER: [Column; 4] = [Column::M, Column::K, Column::N, Column::Count];

/// The cells of a line, without the pipes and spaces around them.
fn cells(line: &str) -> Vec<&str> {
    let line = line.trim();
    let inner = line.strip_prefix('|').unwrap_or(line);
    let inner = inner.strip_suffix('|').unwrap_or(inner).trim_end_matches([',', ';']);
    let cut: &[char] = match line {
        _ if line.contains('|') => &['|'],
        _ if line.contains('\t') => &['\t'],
        _ if line.contains(';') => &[';'],
        _ if line.contains(',') => &[','],
        _ if starts_with_digit(line) && line.contains(CROSSES) => return crossed(inner),
        _ => &[' '],
    };
    let cells = inner.split(cut).map(str::trim);
    if cut.contains(&' ') {
        cells.filter(|cell| !cell.is_empty()).take(CELLS_MAX).collect()
    } else {
        cells.take(CELLS_MAX).collect()
    }
}

/// Signs between sizes.
const CROSSES: [char; 4] = ['×', 'x', 'X', '*'];

/// The cells of a line as `128x512x1536 max`: a cross stands between sizes, but behind them is a letter of the name.
fn crossed(line: &str) -> Vec<&str> {
    let is_between = |c: char| c == ' ' || CROSSES.contains(&c);
    let (mut cells, mut rest) = (Vec::new(), line);
    while starts_with_digit(rest) && cells.len() < CELLS_MAX {
        let (size, after) = rest.split_at(rest.find(is_between).unwrap_or(rest.len()));
        cells.push(size);
        let next = after.trim_start_matches(is_between);
        rest = if starts_with_digit(next) { next } else { after.trim() };
    }
    if !rest.is_empty() && cells.len() < CELLS_MAX {
        cells.push(rest);
    }
    cells
}

fn starts_with_digit(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit())
}

/// What a header says of each cell; `None` for a first line that is a title.
fn header(cells: &[&str]) -> Result<Option<Vec<Option<Column>>>, Fault> {
    let named = |cell: &&str| match cell.to_lowercase().as_str() {
        "m" => Some(Column::M),
        "k" => Some(Column::K),
        "n" => Some(Column::N),
        "count" | "times" | "repeat" | "layers" => Some(Column::Count),
        _ => None,
    };
    let all: Vec<Option<Column>> = cells.iter().map(named).collect();
    match [Column::M, Column::K, Column::N].iter().all(|column| all.contains(&Some(*column))) {
        true => Ok(Some(all)),
        false if cells.len() >= 3 => Err(Fault::UnknownColumns),
        false => Ok(None),
    }
}

/// Name and sizes of a line, in the order of [`ORDER`].
type Parts<'a> = (Option<&'a str>, [Option<&'a str>; 4]);

/// The parts of a line under a header.
fn by_name<'a>(cells: &[&'a str], named: &[Option<Column>]) -> Parts<'a> {
    let part = |column| named.iter().position(|of| *of == Some(column)).and_then(|at| cells.get(at).copied());
    let others = named.iter().zip(cells).filter(|(of, _)| of.is_none()).map(|(_, cell)| *cell);
    (others.clone().find(|cell| is_word(cell)), ORDER.map(part))
}

/// The parts of a line without one: a name first or last, and sizes in order.
fn by_place<'a>(cells: &[&'a str]) -> Result<Parts<'a>, Fault> {
    let (name, numbers) = match cells {
        [first, rest @ ..] if is_word(first) => (Some(*first), rest),
        [rest @ .., last] if is_word(last) => (Some(*last), rest),
        all => (None, all),
    };
    if let Some(more) = numbers.get(ORDER.len()).filter(|cell| !cell.is_empty()) {
        return Err(Fault::Surplus { given: plain::cut(more) });
    }
    Ok((name, [0, 1, 2, 3].map(|at| numbers.get(at).copied())))
}

fn is_word(cell: &str) -> bool {
    !cell.is_empty() && !starts_with_digit(cell)
}

/// The product of one line.
fn read(name: Option<&str>, sizes: [Option<&str>; 4], number: usize) -> Result<Product, Fault> {
    let size = |column: Column| {
        let at = ORDER.iter().position(|of| *of == column);
        match at.and_then(|at| sizes.get(at).copied().flatten()).filter(|cell| !cell.is_empty()) {
            Some(cell) => count(column, cell),
            None if column == Column::Count => Ok(1),
            None => Err(Fault::Missing { column }),
        }
    };
    let (m, k, n, times) = (size(Column::M)?, size(Column::K)?, size(Column::N)?, size(Column::Count)?);
    let name: String = name.map_or_else(|| format!("line {number}"), |name| name.chars().take(80).collect());
    Ok(Product::new(name, Kind::Plain, [m, k, n], times)?)
}
