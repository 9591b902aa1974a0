//! Reader of matrices as people and programs write them.
//!
//! Rows of numbers end with a line break, `;` or a bracket. Numbers end with a comma, a tab or spaces. The printed forms
//! of NumPy, PyTorch, JAX, MATLAB, Mathematica, LaTeX and JSON are such rows, once their words are gone. A spreadsheet
//! that writes decimal commas separates its cells with `;` or tabs.

use std::borrow::Cow;

use crate::problem::Why;

/// Sizes and elements of a matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    /// Number of rows.
    pub rows: u64,
    /// Number of columns.
    pub cols: u64,
    /// Elements, row by row.
    pub values: Vec<f64>,
}

/// Reads a matrix with at most `most` elements. Lines that begin with `#` are comments.
///
/// # Errors
/// The text of the first element, row or matrix that does not fit, and the reason.
pub fn read(text: &str, most: u64) -> Result<Listed, (String, Why)> {
    let body = body(text.trim());
    let cells = spreadsheet(&body);
    let ends: &[char] = if cells.is_some() { &['\n', '\r'] } else { &['\n', '\r', ';', ']'] };
    let mut listed = Listed { rows: 0, cols: 0, values: Vec::new() };
    for line in body.split(ends).filter(|line| !line.trim_start().starts_with('#')) {
        let mut n_here = 0;
        for word in words(line, cells) {
            let (row, col) = (listed.rows, n_here);
            let refused = |why| (word.to_owned(), why);
            let number = if cells.is_some() { with_point(word) } else { Some(Cow::Borrowed(word)) };
            let number = number.ok_or_else(|| refused(Why::CommaInNumber { row, col }))?;
            let number = number.replace(display::number::MINUS, "-");
            let value = display::number::read(&number).ok_or_else(|| refused(Why::NotANumber { row, col }))?;
            n_here += 1;
            listed.values.push(value);
            if listed.values.len() as u64 > most {
                return Err(refused(Why::TooManyElements { max: most }));
            }
        }
        if n_here == 0 {
            continue;
        }
        if listed.rows == 0 {
            listed.cols = n_here;
        } else if n_here != listed.cols {
            return Err((
                line.trim().to_owned(),
                Why::RowLength { row: listed.rows, found: n_here, wanted: listed.cols },
            ));
        }
        listed.rows += 1;
    }
    if listed.rows == 0 { Err((text.trim().to_owned(), Why::NoValues)) } else { Ok(listed) }
}

/// Returns the words of a line. An empty cell between two others is a word, too, because a number is missing there.
fn words(line: &str, spreadsheet: Option<char>) -> Vec<&str> {
    let delimiter = spreadsheet.or_else(|| [',', '\t'].into_iter().find(|&sign| line.contains(sign)));
    let line = line.trim_matches(|sign: char| sign.is_whitespace() || sign == '[' || Some(sign) == delimiter);
    let mut words = Vec::new();
    for cell in line.split(|sign| Some(sign) == delimiter).filter(|_| !line.is_empty()) {
        let is_space = |sign: char| spreadsheet.is_none() && (sign.is_whitespace() || sign == '[');
        let n_before = words.len();
        words.extend(cell.split(is_space).map(str::trim).filter(|word| !word.is_empty()));
        if words.len() == n_before {
            words.push("");
        }
    }
    words
}

/// Returns the rows of a matrix without the words that a program prints around them.
fn body(text: &str) -> Cow<'_, str> {
    // \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}
    if let Some((_, rest)) = text.split_once("\\begin{") {
        let inner = rest.split_once('}').map_or(rest, |(_, rest)| rest);
        let inner = inner.split_once("\\end").map_or(inner, |(inner, _)| inner);
        return Cow::Owned(inner.replace("\\\\", ";").replace('&', ","));
    }
    // tensor([[1., 2.]], device='cuda:0'), np.array(...), Array(..., dtype=float32)
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|sign| sign.is_alphanumeric() || "._".contains(sign));
    let inner = match text.split_once('(') {
        Some((word, inner)) if is_word(word.trim()) => inner.rsplit_once(')').map_or(inner, |(inner, _)| inner),
        _ => text,
    };
    let inner = inner.find('=').and_then(|at| inner[..at].rfind(',')).map_or(inner, |comma| &inner[..comma]);
    if inner.contains(['(', ')', '{', '}']) {
        return Cow::Owned(inner.replace(['(', '{'], "[").replace([')', '}'], "]"));
    }
    Cow::Borrowed(inner)
}

/// Returns the delimiter of a spreadsheet whose numbers may have decimal commas: a tab, or a `;` within a line of
/// several lines.
fn spreadsheet(body: &str) -> Option<char> {
    if !body.contains(',') || body.contains('[') {
        return None;
    }
    if body.contains('\t') {
        return Some('\t');
    }
    let lines = || body.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_within = |line: &str| line.trim_end_matches(';').contains(';');
    (lines().count() > 1 && lines().any(is_within)).then_some(';')
}

/// Returns a number with a decimal point instead of a decimal comma. `None` if the comma may also separate thousands.
fn with_point(word: &str) -> Option<Cow<'_, str>> {
    let Some((whole, rest)) = word.split_once(',') else { return Some(Cow::Borrowed(word)) };
    let digits = whole.trim_start_matches(['-', '+', display::number::MINUS]);
    let may_be_thousands = (1..=3).contains(&digits.len()) && !digits.starts_with('0') && rest.len() == 3;
    (!may_be_thousands && !rest.contains(',')).then(|| Cow::Owned(format!("{whole}.{rest}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_printed_forms_of_other_programs_are_read() {
        for text in [
            "1,2;3,4",
            "1 2\n3 4",
            "1,2,\n3,4,",
            "1, 2;\n3, 4;",
            "[[1, 2], [3, 4]]",
            "[1 2; 3 4]",
            "array([[1., 2.],\n       [3., 4.]])",
            "np.array([[1, 2], [3, 4]], dtype=np.float32)",
            "array([[1., 2.],\n       [3., 4.]], dtype=float32)",
            "tensor([[1., 2.],\n        [3., 4.]])",
            "tensor([[1., 2.],\n        [3., 4.]], device='cuda:0', dtype=torch.float16)",
            "tensor([[1., 2.],\n        [3., 4.]], grad_fn=<MulBackward0>)",
            "Array([[1., 2.],\n       [3., 4.]], dtype=float32)",
            "jnp.array([[1, 2], [3, 4]])",
            "{{1, 2}, {3, 4}}",
            "\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}",
            "\\begin{pmatrix}\n1 & 2 \\\\\n3 & 4\n\\end{pmatrix}",
            "# from numpy.savetxt\n1.000000000000000000e+00 2.0e+00\n3.0e+00 4.0e+00\n",
            "1\t2\n3\t4",
            "1;2\n3;4,0",
        ] {
            let found = read(text, 100).unwrap_or_else(|(given, why)| panic!("{text}: {given} {why:?}"));
            assert_eq!(found, Listed { rows: 2, cols: 2, values: vec![1.0, 2.0, 3.0, 4.0] }, "{text}");
        }
    }

    #[test]
    fn decimal_commas_of_a_spreadsheet_are_read_and_a_comma_of_thousands_is_refused() {
        for text in ["0,5\t1,5\n2,5\t-3,25", "0,5;1,5\n2,5;-3,25"] {
            let found = read(text, 100).expect("a spreadsheet");
            assert_eq!(found, Listed { rows: 2, cols: 2, values: vec![0.5, 1.5, 2.5, -3.25] }, "{text}");
        }
        // A matrix in a link has no line breaks: its rows end with a semicolon.
        assert_eq!(read("0,5;1,5", 100).expect("rows").values, [0.0, 5.0, 1.0, 5.0]);
        let why = |text: &str| read(text, 100).expect_err("either");
        assert_eq!(why("1,024\t2\n3\t4"), ("1,024".to_owned(), Why::CommaInNumber { row: 0, col: 0 }));
        assert_eq!(read("0,125\t2\n3\t4", 100).expect("no thousands").values[0], 0.125);
        assert_eq!(why("1,2\n3,x").1, Why::NotANumber { row: 1, col: 1 });
        assert_eq!(why("1,,2\n3,4,5"), (String::new(), Why::NotANumber { row: 0, col: 1 }));
        assert_eq!(why("1,2\n3").1, Why::RowLength { row: 1, found: 1, wanted: 2 });
        assert_eq!(why("  \n ").1, Why::NoValues);
        assert_eq!(read("1 2 3", 2).expect_err("three").1, Why::TooManyElements { max: 2 });
    }
}
