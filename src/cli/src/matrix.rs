//! Reads matrices from CSV files.

use std::fs::File;
use std::path::Path;

use systolic::{Dtype, Gemm, Matrix, Operands};

use crate::arguments::Arguments;
use crate::problem::{Name, Problem, Usable};

/// Maximum number of elements in a matrix. A matrix of this size takes half a gigabyte of memory.
const NUMBERS_MAX: usize = 1 << 26;

/// Elements of a matrix, row by row.
struct Table {
    rows: u64,
    cols: u64,
    values: Vec<f64>,
}

fn read(option: &'static str, path: &Path, dtype: Dtype) -> Result<Table, Problem> {
    let shown = || path.display().to_string();
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(File::open(path).map_err(|error| Problem::File { option, path: shown(), error })?);
    let mut table = Table { rows: 0, cols: 0, values: Vec::new() };
    for record in reader.records() {
        let record = record.map_err(|error| Problem::FileTable { option, path: shown(), error })?;
        let row = table.rows;
        for (col, text) in record.iter().enumerate() {
            let refused =
                |usable| Problem::Value { name: Name::Cell { option, row, col }, given: text.to_owned(), usable };
            let value: f64 = text.parse().map_err(|_| refused(Usable::Number))?;
            if let Some((least, most)) = dtype.whole_range()
                && !(value == value.trunc() && (f64::from(least)..=f64::from(most)).contains(&value))
            {
                return Err(refused(Usable::WholeOf { dtype, least: least.into(), most: most.into() }));
            }
            if table.values.len() >= NUMBERS_MAX {
                return Err(Problem::TooManyNumbers { option, path: shown(), most: NUMBERS_MAX as u64 });
            }
            table.values.push(value);
        }
        let found = record.len() as u64;
        if row == 0 {
            table.cols = found;
        } else if found != table.cols {
            return Err(Problem::Ragged { option, row, found, first: table.cols });
        }
        table.rows += 1;
    }
    if table.rows == 0 { Err(Problem::NoNumbers { option, path: shown() }) } else { Ok(table) }
}

/// Reads A and B from the files of `--a` and `--b`. Returns the sizes of the matmul, and the two matrices.
pub(crate) fn operands(arguments: &Arguments, dtype: Dtype) -> Result<(Gemm, Operands), Problem> {
    let a = read("a", &arguments.path("a")?, dtype)?;
    let b = read("b", &arguments.path("b")?, dtype)?;
    if a.cols != b.rows {
        return Err(Problem::InnerSizes { b_rows: b.rows, a_cols: a.cols });
    }
    let gemm = Gemm::new(a.rows, a.cols, b.cols)?;
    let listed = |table: Table| Matrix::listed(table.rows, table.cols, table.values);
    Ok((gemm, Operands { a: listed(a)?, b: listed(b)? }))
}
