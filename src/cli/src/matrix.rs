//! Reads matrices from text files.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use plain::Decimal;
use studio::matrix_rows::{self, Listed};
use studio::npy;
use studio::problem::Why;
use systolic::{Dtype, Gemm, Matrix, Operands};

use crate::problem::{FileProblem, Name, Problem, Usable};

// Files of the two matrices.
#[derive(Args, Debug)]
pub(crate) struct Matrices {
    /// The file of matrix A, with one row of the matrix per line. Commas, tabs or spaces separate the numbers.
    #[arg(long, value_name = "FILE")]
    a: PathBuf,
    /// The file of matrix B, with one row of the matrix per line. Commas, tabs or spaces separate the numbers.
    #[arg(long, value_name = "FILE")]
    b: PathBuf,
}

/// Maximum number of elements in a matrix. A matrix of this size takes half a gigabyte of memory.
const NUMBERS_MAX: u64 = 1 << 26;

fn read(option: &'static str, path: &Path, dtype: Dtype, decimal: Option<Decimal>) -> Result<Listed, Problem> {
    let of_file = |why| Problem::File { option, path: path.display().to_string(), why };
    let failed = |error| of_file(FileProblem::Unreadable(error));
    let bytes = fs::read(path).map_err(failed)?;
    let cell = |row, col, given: &str, usable| Problem::Value {
        name: Name::Cell { option, row, col },
        given: given.to_owned(),
        usable,
    };
    let listed = if npy::is_npy(&bytes) {
        npy::read(&bytes, NUMBERS_MAX).map_err(|why| of_file(FileProblem::Npy(why)))
    } else {
        let text = plain::text_of(&bytes).ok_or_else(|| failed(io::ErrorKind::InvalidData.into()))?;
        matrix_rows::read_with(&text, NUMBERS_MAX, decimal).map_err(|(given, why)| match why {
            Why::RowLength { row, found, wanted } => Problem::Ragged { option, row, found, first: wanted },
            Why::TooManyElements { max } => of_file(FileProblem::TooManyNumbers(max)),
            Why::CommaInNumber { row, col } => cell(row, col, &given, Usable::OneReading),
            Why::NotANumber { row, col } => cell(row, col, &given, Usable::Number),
            Why::Dimensions { .. } | Why::Blocks | Why::LineBreaks => of_file(FileProblem::Printed(why)),
            _ => of_file(FileProblem::NoNumbers),
        })
    }?;
    if let Some((least, most)) = dtype.whole_range() {
        let fits = |value: f64| value == value.trunc() && (f64::from(least)..=f64::from(most)).contains(&value);
        if let Some((index, value)) = (0u64..).zip(&listed.values).find(|(_, value)| !fits(**value)) {
            let usable = Usable::WholeOf { dtype, least: least.into(), most: most.into() };
            return Err(cell(index / listed.cols, index % listed.cols, &value.to_string(), usable));
        }
    }
    Ok(listed)
}

impl Matrices {
    /// Reads A and B. Returns the sizes of the matmul, and the two matrices.
    pub(crate) fn operands(&self, dtype: Dtype, decimal: Option<Decimal>) -> Result<(Gemm, Operands), Problem> {
        let a = read("a", &self.a, dtype, decimal)?;
        let b = read("b", &self.b, dtype, decimal)?;
        if a.cols != b.rows {
            return Err(Problem::InnerSizes { b_rows: b.rows, a_cols: a.cols });
        }
        let gemm = Gemm::new(a.rows, a.cols, b.cols)?;
        let listed = |table: Listed| Matrix::listed(table.rows, table.cols, table.values);
        Ok((gemm, Operands::new(listed(a)?, listed(b)?)))
    }
}
