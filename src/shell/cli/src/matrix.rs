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

// File of the matrix from which sums start.
#[derive(Args, Debug)]
pub(crate) struct Start {
    /// The file of matrix c, from which the sums of C = c + A·B start. The file has the form of --a, with M×N numbers
    /// in the format of the sums. Default: zeros.
    #[arg(long, value_name = "FILE")]
    c: Option<PathBuf>,
}

/// Maximum number of elements in a matrix. A matrix of this size takes half a gigabyte of memory.
const NUMBERS_MAX: u64 = 1 << 26;

/// Reads a matrix. `whole` has the format and the range of whole numbers, if the matrix has only whole numbers.
fn read(
    option: &'static str,
    path: &Path,
    whole: Option<(Dtype, i32, i32)>,
    decimal: Option<Decimal>,
) -> Result<Listed, Problem> {
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
    if let Some((dtype, least, most)) = whole {
        let fits = |value: f64| value == value.trunc() && (f64::from(least)..=f64::from(most)).contains(&value);
        if let Some((index, value)) = (0u64..).zip(&listed.values).find(|(_, value)| !fits(**value)) {
            let usable = Usable::WholeOf { dtype, least, most };
            return Err(cell(index / listed.cols, index % listed.cols, &value.to_string(), usable));
        }
    }
    Ok(listed)
}

impl Matrices {
    /// Reads A and B. Returns the sizes of the matmul, and the two matrices.
    pub(crate) fn operands(&self, dtype: Dtype, decimal: Option<Decimal>) -> Result<(Gemm, Operands), Problem> {
        let whole = dtype.whole_range().map(|(least, most)| (dtype, least.into(), most.into()));
        let a = read("a", &self.a, whole, decimal)?;
        let b = read("b", &self.b, whole, decimal)?;
        if a.cols != b.rows {
            return Err(Problem::InnerSizes { b_rows: b.rows, a_cols: a.cols });
        }
        let gemm = Gemm::new(a.rows, a.cols, b.cols)?;
        let listed = |table: Listed| Matrix::listed(table.rows, table.cols, table.values);
        Ok((gemm, Operands::new(listed(a)?, listed(b)?)))
    }
}

impl Start {
    /// Adds the matrix c to A and B, if the command line has a file of c.
    pub(crate) fn add_to(
        &self,
        operands: Operands,
        gemm: Gemm,
        dtype: Dtype,
        decimal: Option<Decimal>,
    ) -> Result<Operands, Problem> {
        let Some(path) = &self.c else { return Ok(operands) };
        // c has the format of the sums.
        let whole = dtype.is_integer().then_some((dtype, i32::MIN, i32::MAX));
        let c = read("c", path, whole, decimal)?;
        let (given, needed) = ((c.rows, c.cols), (gemm.m(), gemm.n()));
        if given != needed {
            return Err(Problem::SizesOfC { given, needed });
        }
        Ok(operands.with_c(Matrix::listed(c.rows, c.cols, c.values)?))
    }
}
