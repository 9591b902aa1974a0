//! Reader of pasted matmuls: `M, K, N[, count][, name]` on each line, or a Markdown table.

use crate::limits::PIECE_MAX;
use crate::lines::Lines;
use crate::problem::{Column, Fault, Problem, count};
use crate::product::{Kind, Product};
use crate::workload::Workload;

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
    /// Column of each cell according to the header, with `None` for cells that are not sizes. The whole list is `None`
    /// without a header.
    named: Option<Vec<Option<Column>>>,
    began: bool,
    products: Vec<Product>,
}

impl Reader {
    /// Reads the complete lines of a piece, and returns the number of bytes read.
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
        // This is the rule under the header of a Markdown table.
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

/// Maximum number of cells of a line that are read.
const CELLS_MAX: usize = 32;
/// Order of the numbers on each line, if the list has no header.
const ORDER: [Column; 4] = [Column::M, Column::K, Column::N, Column::Count];

/// Splits a line into cells, without the surrounding pipes and spaces.
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

/// Multiplication signs that may separate sizes.
const CROSSES: [char; 4] = ['×', 'x', 'X', '*'];

/// Splits a line like `128x512x1536 max`. An `x` between sizes separates them; an `x` after the sizes belongs to the
/// name.
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

/// Returns the column of each cell of a header. `None` if the line has fewer than 3 cells and is only a title.
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

/// Name of a line, and its sizes in the order of [`ORDER`].
type Parts<'a> = (Option<&'a str>, [Option<&'a str>; 4]);

/// Returns the name and the sizes of a line, by the columns of the header.
fn by_name<'a>(cells: &[&'a str], named: &[Option<Column>]) -> Parts<'a> {
    let part = |column| named.iter().position(|of| *of == Some(column)).and_then(|at| cells.get(at).copied());
    let others = named.iter().zip(cells).filter(|(of, _)| of.is_none()).map(|(_, cell)| *cell);
    (others.clone().find(|cell| is_word(cell)), ORDER.map(part))
}

/// Returns the name and the sizes of a line in a list without a header. The name comes first or last, and the sizes are
/// in the order of [`ORDER`].
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

/// Parses the matmul of one line.
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
