//! Matrices that a person typed or pasted: CSV, TSV, spaces, NumPy or MATLAB text.

use std::sync::{Arc, OnceLock};

use crate::matrix_rows::{self, Listed};
use crate::npy::{self, NpyRefusal};
use crate::{Field, Problem, packed};
use display::number::joined;
use systolic::Matrix;

/// A matrix that a person typed or pasted element by element.
#[derive(Clone, Debug)]
pub struct MatrixText {
    /// Number of rows.
    pub rows: u64,
    /// Number of columns.
    pub cols: u64,
    /// Elements, row by row.
    pub values: Arc<[f64]>,
    /// Text form, stored at its first use, because the page writes a link at every change.
    text: Arc<OnceLock<String>>,
    /// Form in links, stored at its first use.
    in_link: Arc<OnceLock<String>>,
}

/// Compares sizes and bits of the elements. Two NaNs with the same bits are equal, because the person's input is the
/// same.
impl PartialEq for MatrixText {
    fn eq(&self, other: &Self) -> bool {
        // Matrices of equal sizes have equally many values.
        let is_same = |(ours, theirs): (&f64, &f64)| ours.to_bits() == theirs.to_bits();
        if Arc::ptr_eq(&self.values, &other.values) {
            return (self.rows, self.cols) == (other.rows, other.cols);
        }
        (self.rows, self.cols) == (other.rows, other.cols) && self.values.iter().zip(&*other.values).all(is_same)
    }
}

impl MatrixText {
    /// Maximum number of elements of a matrix that is listed element by element.
    pub const ELEMENTS_MAX: u64 = 65_536;

    /// Reads rows of numbers, as [`matrix_rows::read`](crate::matrix_rows::read) does. Letters after a `~` are the packed form of a long matrix in a link. `nan`, `inf` and `-inf` are numbers. The
    /// minus sign that this page writes is also accepted.
    ///
    /// # Errors
    /// Names the first element or row that does not fit.
    pub fn parse(field: Field, text: &str) -> Result<Self, Problem> {
        if let Some(letters) = text.trim_start().strip_prefix(packed::MARK) {
            return packed::unpack(field, letters);
        }
        let found = matrix_rows::read(text, Self::ELEMENTS_MAX);
        let Listed { rows, cols, values } = found.map_err(|(given, why)| Problem::new(field, &given, why))?;
        Ok(Self::new(rows, cols, values))
    }

    /// Returns the text of a matrix in a file: the elements of a `.npy` file, or the text of a text file.
    ///
    /// # Errors
    /// [`NpyRefusal`] if the file is a `.npy` file that cannot be used as a matrix.
    ///
    /// ```
    /// use studio::MatrixText;
    ///
    /// assert_eq!(MatrixText::text_of_file(b"1,2\n3,4").as_deref(), Ok("1,2\n3,4"));
    /// ```
    pub fn text_of_file(bytes: &[u8]) -> Result<String, NpyRefusal> {
        if npy::is_npy(bytes) {
            let Listed { rows, cols, values } = npy::read(bytes, Self::ELEMENTS_MAX)?;
            return Ok(Self::new(rows, cols, values).to_text());
        }
        Ok(plain::text_of(bytes).unwrap_or_else(|| String::from_utf8_lossy(bytes).into_owned()))
    }

    pub(crate) fn new(rows: u64, cols: u64, values: Vec<f64>) -> Self {
        Self { rows, cols, values: values.into(), text: Arc::default(), in_link: Arc::default() }
    }

    /// Lists the elements of a matrix. Returns `None` if there are more elements than can be listed.
    #[must_use]
    pub fn of(matrix: &Matrix) -> Option<Self> {
        Self::corner_of(matrix, (matrix.rows(), matrix.cols()))
    }

    /// Lists the first rows and columns of a matrix. Returns `None` if these rows and columns have more elements than
    /// can be listed.
    pub(crate) fn corner_of(matrix: &Matrix, (rows, cols): (u64, u64)) -> Option<Self> {
        Self::can_list(rows, cols).then(|| Self::filled(rows, cols, |row, col| matrix.at(row, col)))
    }

    /// True if a matrix of this size can be listed.
    pub(crate) fn can_list(rows: u64, cols: u64) -> bool {
        rows.checked_mul(cols).is_some_and(|n| (1..=Self::ELEMENTS_MAX).contains(&n))
    }

    fn filled(rows: u64, cols: u64, at: impl Fn(u64, u64) -> f64) -> Self {
        let at = &at;
        Self::new(rows, cols, (0..rows).flat_map(|row| (0..cols).map(move |col| at(row, col))).collect())
    }

    /// Returns an element; `None` outside the matrix.
    #[must_use]
    pub fn at(&self, row: u64, col: u64) -> Option<f64> {
        let index = (row < self.rows && col < self.cols).then(|| row * self.cols + col)?;
        self.values.get(usize::try_from(index).ok()?).copied()
    }

    /// Returns an element as text; empty outside the matrix.
    #[must_use]
    pub fn text_at(&self, row: u64, col: u64) -> String {
        self.at(row, col).map_or_else(String::new, plain)
    }

    /// Returns the matrix in another size, with zeros for new elements. `None` if there are more elements than can be
    /// listed.
    #[must_use]
    pub fn resized(&self, rows: u64, cols: u64) -> Option<Self> {
        Self::can_list(rows, cols).then(|| Self::filled(rows, cols, |row, col| self.at(row, col).unwrap_or(0.0)))
    }

    /// Returns the matrix with a block of new elements. The first new element is at `(row, col)`. The matrix grows if
    /// the block extends beyond it. At (0, 0), a block of several elements replaces the whole matrix. `None` if there
    /// are more elements than can be listed.
    #[must_use]
    pub fn overlaid(&self, (row, col): (u64, u64), block: &Self) -> Option<Self> {
        if (row, col) == (0, 0) && (block.rows, block.cols) != (1, 1) {
            return Some(block.clone());
        }
        let (rows, cols) = (self.rows.max(row + block.rows), self.cols.max(col + block.cols));
        let in_block = |i: u64, j: u64| block.at(i.checked_sub(row)?, j.checked_sub(col)?);
        let at = |i: u64, j: u64| in_block(i, j).or_else(|| self.at(i, j)).unwrap_or(0.0);
        Self::can_list(rows, cols).then(|| Self::filled(rows, cols, at))
    }

    /// Returns the text form: commas between elements, semicolons between rows.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.text.get_or_init(|| self.written()).clone()
    }

    /// Returns the form in links: the text, or the packed form. The packed form replaces a long text if the packed form
    /// is shorter and exact.
    #[must_use]
    pub fn in_link(&self) -> &str {
        self.in_link.get_or_init(|| {
            let text = self.to_text();
            let packed = (text.len() > packed::TEXT_MAX).then(|| packed::pack(&self.values, self.cols)).flatten();
            packed.filter(|packed| packed.len() < text.len()).unwrap_or(text)
        })
    }

    fn written(&self) -> String {
        let cols = usize::try_from(self.cols).unwrap_or(1).max(1);
        let row = |row: &[f64]| joined(&row.iter().map(|&value| plain(value)).collect::<Vec<_>>(), ",");
        joined(&self.values.chunks(cols).map(row).collect::<Vec<_>>(), ";")
    }
}

/// Writes a number with at most nine significant digits. [`MatrixText::parse`] reads back the same double if nine
/// digits suffice.
fn plain(value: f64) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    display::number::significant(value, 9).replace(display::number::MINUS, "-")
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_usual_notation_is_read() {
        let expected = MatrixText::new(2, 2, vec![1.0, -2.5, 3.0, 4.0]);
        for text in [
            "1,-2.5\n3,4",
            "1\t-2.5\r\n3\t4\r\n",
            "1 -2.5; 3 4",
            "[[1, -2.5],\n [3, 4]]",
            "array([[ 1. , -2.5],\n       [ 3. ,  4. ]])",
            "np.array([[1, -2.5], [3, 4]])",
            "1,\u{2212}2.5\n3,4\n\n",
            "1,-2.5;3,4;",
        ] {
            assert_eq!(MatrixText::parse(Field::A, text), Ok(expected.clone()), "{text:?}");
        }
        assert_eq!(MatrixText::parse(Field::A, &expected.to_text()), Ok(expected));
    }

    #[test]
    fn a_block_fills_from_where_it_is_put_and_makes_the_matrix_larger() {
        let matrix = |text: &str| MatrixText::parse(Field::A, text).expect("a matrix");
        let whole = matrix("1 2 3; 4 5 6");
        for (at, block, sum) in [
            ((0, 0), "9 8; 7 6; 5 4", "9,8;7,6;5,4"),
            ((0, 0), "9", "9,2,3;4,5,6"),
            ((1, 1), "9 8", "1,2,3;4,9,8"),
            ((1, 2), "9 8; 7 6", "1,2,3,0;4,5,9,8;0,0,7,6"),
        ] {
            assert_eq!(whole.overlaid(at, &matrix(block)).map(|one| one.to_text()), Some(sum.to_owned()), "{at:?}");
        }
        assert_eq!(whole.overlaid((40_000, 0), &matrix("1")), None, "more than can be listed");
        assert_eq!(whole.resized(1, 2).map(|one| one.to_text()), Some("1,2".to_owned()));
        assert_eq!(whole.resized(3, 2).map(|one| one.to_text()), Some("1,2;4,5;0,0".to_owned()));
        assert_eq!((whole.text_at(1, 2), whole.text_at(2, 0)), ("6".to_owned(), String::new()));
    }
}
