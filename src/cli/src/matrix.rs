//! Matrices from CSV files.

use std::path::Path;

use display::number::grouped;
use systolic::{Dtype, Fill, Gemm, Matrix, Operands};

use crate::arguments::Arguments;
use crate::problem::Problems;

/// Numbers of a matrix that are read: half a gigabyte of memory.
const NUMBERS_MAX: usize = 1 << 26;

/// Rows of numbers.
struct Table {
    rows: u64,
    cols: u64,
    values: Vec<f64>,
}

fn read(name: &str, path: &Path, dtype: Dtype) -> Result<Table, Problems> {
    let problem = |text: String| Problems::one(format!("{name}: {text}"));
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_path(path)
        .map_err(|error| problem(format!("{} cannot be read: {error}.", path.display())))?;
    let mut table = Table { rows: 0, cols: 0, values: Vec::new() };
    for record in reader.records() {
        let record = record.map_err(|error| problem(format!("{error}.")))?;
        let row = table.rows;
        for (col, text) in record.iter().enumerate() {
            let value: f64 = text.parse().map_err(|_| {
                problem(format!(
                    "row {row}, column {col} = {}: allowed are numbers, nan, inf and -inf.",
                    plain::cut(text)
                ))
            })?;
            if let Some((least, most)) = dtype.whole_range()
                && !(value == value.trunc() && (f64::from(least)..=f64::from(most)).contains(&value))
            {
                let text = plain::cut(text);
                return Err(problem(format!(
                    "row {row}, column {col} = {text}: allowed in {dtype} are whole numbers from {least} to {most}."
                )));
            }
            if table.values.len() >= NUMBERS_MAX {
                let most = grouped(NUMBERS_MAX as u64);
                return Err(problem(format!("{} has more than {most} numbers: allowed are {most}.", path.display())));
            }
            table.values.push(value);
        }
        let found = record.len() as u64;
        if row == 0 {
            table.cols = found;
        } else if found != table.cols {
            return Err(problem(format!(
                "row {row} has {} numbers: allowed are {}, as in row 0.",
                grouped(found),
                grouped(table.cols)
            )));
        }
        table.rows += 1;
    }
    if table.rows == 0 { Err(problem(format!("{} has no numbers.", path.display()))) } else { Ok(table) }
}

/// A and B from the files of `--a` and `--b`, and the product they make.
pub(crate) fn operands(arguments: &Arguments, dtype: Dtype) -> Result<(Gemm, Operands), Problems> {
    let a = read("--a", &arguments.path("a")?, dtype)?;
    let b = read("--b", &arguments.path("b")?, dtype)?;
    if a.cols != b.rows {
        return Err(Problems::one(format!(
            "--b has {} rows: allowed are {}, because --a has as many columns.",
            grouped(b.rows),
            grouped(a.cols)
        )));
    }
    let gemm = Gemm::new(a.rows, a.cols, b.cols)?;
    let listed =
        |table: Table, salt| Matrix::new(table.rows, table.cols, Fill::Listed(table.values.into()), salt, dtype);
    Ok((gemm, Operands { a: listed(a, 0), b: listed(b, 1) }))
}
