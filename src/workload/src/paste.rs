//! Products as people paste them: `M, K, N[, count][, name]` in each line, a table of Markdown included.

use crate::gemm::{Gemm, Kind};
use crate::import::MOST_PIECE;
use crate::lines::Lines;
use crate::problem::{Fault, Problem, count};
use crate::workload::Workload;

/// The products of pasted lines. A name may stand first or last; without a header the order of sizes is M, K, N.
///
/// # Errors
/// Every line that cannot be used, up to 20.
pub fn workload(text: &str) -> Result<Workload, Vec<Problem>> {
    let (mut reader, mut rest) = (Reader::default(), text.as_bytes());
    while !rest.is_empty() && !reader.is_full() {
        let piece = rest.get(..MOST_PIECE).unwrap_or(rest);
        let gone = usize::try_from(reader.feed(piece, piece.len() == rest.len())).unwrap_or(usize::MAX);
        rest = rest.get(gone..).unwrap_or_default();
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
#[derive(Debug)]
struct Rows {
    order: [&'static str; 4],
    first: bool,
    gemms: Vec<Gemm>,
}

impl Default for Rows {
    fn default() -> Self {
        Self { order: ORDER, first: true, gemms: Vec::new() }
    }
}

impl Reader {
    /// Reads whole lines of a piece and tells how many bytes they are.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) -> u64 {
        let rows = &mut self.rows;
        self.lines.feed(piece, last, |line, number| rows.read(line, number))
    }

    pub(crate) fn is_full(&self) -> bool {
        self.lines.is_full()
    }

    pub(crate) fn finish(self) -> Result<Workload, Vec<Problem>> {
        let work = Workload { gemms: self.rows.gemms, ..Workload::default() };
        let problems = self.lines.problems(work.gemms.is_empty());
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
        if std::mem::take(&mut self.first) && !cells.iter().any(|cell| starts_with_digit(cell)) {
            if let Some(named) = header(&cells) {
                self.order = named;
            }
            return Ok(());
        }
        self.gemms.push(read(&cells, &self.order, number)?);
        Ok(())
    }
}

/// Cells of a line that are looked at.
const MOST_CELLS: usize = 32;
/// What the numbers of a line are, one after the other.
const ORDER: [&str; 4] = ["M", "K", "N", "the count"];

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
        _ if line.contains(['×', 'x', '*']) && starts_with_digit(line) => &['×', 'x', '*', ' '],
        _ => &[' '],
    };
    let cells = inner.split(cut).map(str::trim);
    if cut.contains(&' ') {
        cells.filter(|cell| !cell.is_empty()).take(MOST_CELLS).collect()
    } else {
        cells.take(MOST_CELLS).collect()
    }
}

fn starts_with_digit(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit())
}

/// The order of sizes that a header names.
fn header(cells: &[&str]) -> Option<[&'static str; 4]> {
    let mut named = cells.iter().filter_map(|cell| match cell.to_lowercase().as_str() {
        "m" => Some("M"),
        "k" => Some("K"),
        "n" => Some("N"),
        "count" | "times" | "repeat" | "layers" => Some("the count"),
        _ => None,
    });
    let mut order: Vec<&'static str> = named.by_ref().take(4).collect();
    if !order.contains(&"the count") {
        order.push("the count");
    }
    let all = ORDER.iter().all(|column| order.contains(column));
    order.try_into().ok().filter(|_| all)
}

/// The product of one line.
fn read(cells: &[&str], order: &[&'static str; 4], number: usize) -> Result<Gemm, Fault> {
    let words = |cell: &&&str| !cell.is_empty() && !starts_with_digit(cell);
    let name = match (cells.first(), cells.last()) {
        (Some(first), _) if words(&first) => Some(*first),
        (_, Some(last)) if words(&last) => Some(*last),
        _ => None,
    };
    let numbers: Vec<&str> = match name {
        Some(name) if cells.first() == Some(&name) => cells.iter().skip(1).copied().collect(),
        Some(_) => cells.iter().take(cells.len().saturating_sub(1)).copied().collect(),
        None => cells.to_vec(),
    };
    let [mut m, mut k, mut n, mut times] = [0, 0, 0, 1];
    for (at, &column) in order.iter().enumerate() {
        let cell = numbers.get(at).copied().filter(|cell| !cell.is_empty());
        let place = match column {
            "M" => &mut m,
            "K" => &mut k,
            "N" => &mut n,
            _ => &mut times,
        };
        match cell {
            Some(cell) => *place = count(column, cell)?,
            None if column == "the count" => {}
            None => return Err(Fault::Missing { column }),
        }
    }
    if let Some(more) = numbers.get(order.len()).filter(|cell| !cell.is_empty()) {
        return Err(Fault::NotACount { column: "what follows the count", given: crate::quote::quote(more) });
    }
    let name: String = name.map_or_else(|| format!("line {number}"), |name| name.chars().take(80).collect());
    Ok(Gemm::new(name, Kind::Plain, [m, k, n], times)?)
}
