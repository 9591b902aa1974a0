//! Texts of the fields for custom matrices.

use display::number::grouped;
use studio::Field;
use studio::npy::NpyRefusal;
use studio::problem::Why;

use crate::label;

/// Label that opens the text fields for custom matrices.
pub const OPEN_TEXT: &str = "Type or paste as text";
/// Hint above the fields of custom matrices.
pub const GRID_HINT: &str = "Type in a field, or paste a whole matrix into it.";
/// Second line of the button that changes an element.
pub const OR_PASTE: &str = "or paste a whole matrix";
/// Hint about the formats of a pasted matrix.
pub const PASTE_HINT: &str = "One row per line; separate numbers with commas, tabs or spaces. NumPy and MATLAB syntax also work. nan and inf are allowed. A pasted matrix applies at once, and typed numbers apply when you leave the field. A file can be text or .npy.";
/// Label of the button that opens a file with a matrix.
pub const OPEN_FILE: &str = "Open a file";

/// Maximum number of rows that get their own lines in a text field. Chromium needs over a second to lay out 65 536
/// lines. With semicolons between the rows, it needs only 30 ms.
const LINES_MAX: usize = 4096;

/// Returns a matrix for a text field: one row per line, which is easier to read than semicolons. A matrix with more than
/// `LINES_MAX` rows keeps its semicolons.
#[must_use]
pub fn in_lines(matrix: String) -> String {
    if matrix.matches(';').count() < LINES_MAX { matrix.replace(';', "\n") } else { matrix }
}

/// Returns the reason why a file of NumPy cannot be used as a matrix, and the remedy.
#[must_use]
pub fn npy(why: &NpyRefusal) -> String {
    match why {
        NpyRefusal::Cut => "the file is not complete: save the array again.".to_owned(),
        NpyRefusal::Malformed => "the header of the file is damaged: save the array again.".to_owned(),
        NpyRefusal::Dimensions { found } => {
            format!("the array has {found} dimensions: save a matrix, which has 2.")
        }
        NpyRefusal::ElementType { given } => {
            format!("the elements are of type {given}: convert them to float32 or int8 before you save them.")
        }
        NpyRefusal::TooMany { most } => format!("use an array of at most {} numbers.", grouped(*most)),
        NpyRefusal::Empty => "the array is empty: save an array with numbers.".to_owned(),
    }
}

/// Returns the reason why a printed matrix cannot be read, and the remedy.
#[must_use]
pub fn printed(why: &Why) -> String {
    match why {
        Why::Dimensions { found } => format!("the array has {found} dimensions: use one matrix, which has 2."),
        Why::LineBreaks => {
            "a line break inside the brackets may end a row or only a line: put brackets around each row.".to_owned()
        }
        _ => "MATLAB and R print blocks of columns or a common factor: save the matrix as CSV, and use the CSV."
            .to_owned(),
    }
}

/// Returns the message if the browser cannot read the file of a matrix.
#[must_use]
pub fn no_file(matrix: Field) -> String {
    format!("{}: the file cannot be read. Choose another file.", label::field(matrix))
}

/// Returns the message if the file of a matrix is too large.
#[must_use]
pub fn large_file(matrix: Field) -> String {
    format!("{}: the file is larger than 2 MiB. Choose a file with at most 65 536 numbers.", label::field(matrix))
}

/// Returns the message if a file of NumPy cannot be used as a matrix.
#[must_use]
pub fn refused(matrix: Field, why: &NpyRefusal) -> String {
    format!("{}: {}", label::field(matrix), npy(why))
}

/// Returns the heading of a matrix grid: `A, 6×4`.
#[must_use]
pub fn heading(matrix: Field, (rows, cols): (u64, u64)) -> String {
    format!("{}, {rows}×{cols}", label::field(matrix))
}

/// Returns the label of the button that opens the field of an element: `Change a[3,0]`.
#[must_use]
pub fn change(matrix: Field, row: u64, col: u64) -> String {
    format!("Change {}[{row},{col}]", if matrix == Field::A { "a" } else { "b" })
}

/// Returns the note that a size of the run hides elements of a custom matrix: `K = 2 hides 2 of 4 rows of B.`
#[must_use]
pub fn cropping(matrix: Field, side: Field, now: u64, whole: u64) -> String {
    let is_by_rows = (matrix, side) == (Field::A, Field::M) || (matrix, side) == (Field::B, Field::K);
    let lines = if is_by_rows { "rows" } else { "columns" };
    let (hidden, matrix, side) = (whole.saturating_sub(now), label::field(matrix), label::field(side));
    format!("{side} = {now} hides {hidden} of {whole} {lines} of {matrix}. They return when {side} grows.")
}

/// Returns the name of a cell of a matrix grid: `A row 1, column 0`. Rows and columns are counted from 0, as in the
/// array view.
#[must_use]
pub fn element(matrix: Field, row: u64, col: u64) -> String {
    format!("{} row {row}, column {col}", label::field(matrix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_field_never_has_more_lines_than_a_browser_lays_out_quickly() {
        assert_eq!(in_lines("1,2;3,4".to_owned()), "1,2\n3,4");
        for rows in [LINES_MAX, LINES_MAX + 1, 65_536] {
            let text = vec!["7"; rows].join(";");
            let shown = in_lines(text.clone());
            assert!(shown.lines().count() <= LINES_MAX, "{rows} rows");
            assert_eq!(shown.replace('\n', ";"), text);
        }
    }
}
