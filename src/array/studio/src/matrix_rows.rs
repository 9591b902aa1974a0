//! Reader of matrices as people and programs write them.
//!
//! Rows of numbers end with a line break, `;` or a bracket. Numbers end with a comma, a tab or spaces. Without their
//! words, the printed forms of NumPy, PyTorch, JAX, MATLAB, Mathematica, LaTeX and JSON are such rows. If each row has
//! brackets, a line break is only a space, because NumPy and PyTorch print a long row on several lines. A spreadsheet
//! that writes decimal commas separates its cells with `;` or tabs.

use std::borrow::Cow;

use crate::problem::Why;
use plain::Decimal;

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
    read_with(text, most, None)
}

/// Reads a matrix as [`read`] does. `decimal` is the decimal separator, if the caller knows it. If it is a comma, a
/// comma never separates two numbers. If it is a point, a comma in a number separates thousands.
///
/// # Errors
/// The text of the first element, row or matrix that does not fit, and the reason.
pub fn read_with(text: &str, most: u64, decimal: Option<Decimal>) -> Result<Listed, (String, Why)> {
    let mut lines = text.lines().map(str::trim);
    if text.contains("[,1]") || lines.any(|line| line.starts_with("Column") || line.ends_with(" *")) {
        return Err((String::new(), Why::Blocks));
    }
    let body = body(text.trim());
    let brackets = Brackets::of(&body).map_err(|why| (text.trim().to_owned(), why))?;
    let cells = match decimal {
        // If the comma is the decimal separator, cells end with a semicolon, a tab or spaces.
        Some(Decimal::Comma) => Some(if body.contains('\t') {
            '\t'
        } else if body.contains(';') {
            ';'
        } else {
            ' '
        }),
        Some(Decimal::Point) | None => spreadsheet(&body),
    };
    let ends: &[char] = match brackets {
        _ if cells.is_some() => &['\n', '\r'],
        Brackets::AroundRows => &[';', ']'],
        Brackets::No | Brackets::AroundAll => &['\n', '\r', ';', ']'],
    };
    let mut listed = Listed { rows: 0, cols: 0, values: Vec::new() };
    for line in body.split(ends).filter(|line| !line.trim_start().starts_with('#')) {
        let mut n_here = 0;
        for word in words(line, cells) {
            let (row, col) = (listed.rows, n_here);
            let refused = |why| (word.to_owned(), why);
            let number = if cells.is_some() { plain::with_point(word, decimal) } else { Some(word.to_owned()) };
            let number = number.ok_or_else(|| refused(Why::CommaInNumber { row, col }))?;
            let number = number.replace(display::number::MINUS, "-");
            let value = value(&number).ok_or_else(|| refused(Why::NotANumber { row, col }))?;
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

/// Reads a number: decimal, hexadecimal, or the bits of an f32 as eight hexadecimal digits.
fn value(text: &str) -> Option<f64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |digits| (-1.0, digits));
    let Some(digits) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) else {
        return display::number::read(text);
    };
    // 0x1.8p+1, as C writes it
    if let Some((mantissa, exponent)) = digits.split_once(['p', 'P']) {
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = u64::from_str_radix(&format!("{whole}{part}"), 16).ok()?;
        let exponent: i32 = exponent.parse().ok().filter(|exponent: &i32| exponent.abs() <= 2000)?;
        let places = i32::try_from(part.len()).ok()?;
        #[expect(clippy::cast_precision_loss, reason = "operands have at most 24 significant bits")]
        return Some(sign * all as f64 * 2f64.powi(exponent - 4 * places));
    }
    let bits = u32::from_str_radix(digits, 16).ok()?;
    if digits.len() == 8 && sign > 0.0 { Some(f32::from_bits(bits).into()) } else { Some(sign * f64::from(bits)) }
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

/// Brackets of a printed matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Brackets {
    No,
    /// One pair, as MATLAB writes it: `[1 2; 3 4]`.
    AroundAll,
    /// A pair for each row, and perhaps a pair around all rows.
    AroundRows,
}

/// Shortest first line of a list that a program may have broken. NumPy fills a line up to 75 characters, and a number
/// has at most 25. So a line before a break has at least 50 characters.
const BROKEN_LINE_MIN: usize = 50;

impl Brackets {
    /// Finds the brackets of a matrix. A list of matrices is not a matrix. A long list of one level is refused if it has
    /// several lines, because its line breaks may end rows or only lines.
    fn of(body: &str) -> Result<Self, Why> {
        let (mut depth, mut most, mut n_lists) = (0u64, 0, 0u64);
        for sign in body.chars() {
            match sign {
                '[' => (depth, n_lists) = (depth + 1, n_lists + 1),
                ']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            most = most.max(depth);
        }
        let mut lines = body.trim_end_matches(|sign: char| sign == ']' || sign.is_whitespace()).lines();
        let is_long = lines.next().is_some_and(|line| line.trim_end().len() >= BROKEN_LINE_MIN);
        match (most, n_lists) {
            (0, _) => Ok(Self::No),
            (3.., _) => Err(Why::Dimensions { found: most }),
            (1, 1) if is_long && lines.next().is_some() && !body.contains(';') => Err(Why::LineBreaks),
            (1, 1) => Ok(Self::AroundAll),
            _ => Ok(Self::AroundRows),
        }
    }
}

/// Returns the rows of a matrix without the words that a program prints around them.
fn body(text: &str) -> Cow<'_, str> {
    // \begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}
    if let Some((_, rest)) = text.split_once("\\begin{") {
        let inner = rest.split_once('}').map_or(rest, |(_, rest)| rest);
        let inner = inner.split_once("\\end").map_or(inner, |(inner, _)| inner);
        return Cow::Owned(inner.replace("\\\\", ";").replace('&', ","));
    }
    // <tf.Tensor: shape=(1, 2), dtype=float32, numpy=array([[1., 2.]], dtype=float32)>
    let text = text.split_once("numpy=").map_or(text, |(_, array)| array.trim().trim_end_matches('>'));
    // A = [1 2; 3 4], x = tensor(...), and MATLAB's display, whose rows follow on the next lines
    let text = match text.split_once('=') {
        Some((name, rest))
            if name.trim().chars().all(is_of_name)
                && rest.trim_start_matches(' ').starts_with(|sign: char| {
                    matches!(sign, '[' | '{' | '\r' | '\n') || sign.is_ascii_alphabetic()
                }) =>
        {
            rest.trim_start()
        }
        _ => text,
    };
    // ([[1, 2], [3, 4]])
    let inner = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).filter(|inner| inner.contains('['));
    let text = inner.unwrap_or(text);
    if !text.contains(['(', '{', '=']) {
        return Cow::Borrowed(text);
    }
    // Mathematica writes 1.5*^-7.
    Cow::Owned(without_calls(text).replace("*^", "e"))
}

const fn is_of_name(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || matches!(sign, '.' | '_')
}

/// Removes the names of functions, and their named arguments: `tensor([[1., 2.]], device='cuda:0')` becomes `[[1.,
/// 2.]]`, and `np.float64(1.0)` becomes `1.0`. Other parentheses and braces become brackets.
fn without_calls(text: &str) -> String {
    let mut kept = String::new();
    // The open parentheses, each with true if it belongs to a function.
    let mut open: Vec<bool> = Vec::new();
    // Number of open parentheses around an argument with a name.
    let mut skipped: Option<usize> = None;
    for sign in text.chars() {
        match sign {
            '(' | '{' => {
                let is_call = sign == '(' && kept.ends_with(|last: char| last.is_ascii_alphanumeric());
                open.push(is_call);
                if skipped.is_none() && is_call {
                    kept.truncate(kept.trim_end_matches(is_of_name).len());
                } else if skipped.is_none() {
                    kept.push('[');
                }
            }
            ')' | '}' => {
                let is_call = open.pop().unwrap_or(false);
                skipped = skipped.filter(|around| *around <= open.len());
                if skipped.is_none() && !is_call {
                    kept.push(']');
                }
            }
            _ if skipped.is_some() => {}
            '=' => match kept.rsplit_once(',') {
                // Text after a list may be the end of a copied call.
                Some((before, name))
                    if *open.last().unwrap_or(&before.ends_with(']')) && name.trim().chars().all(is_of_name) =>
                {
                    kept.truncate(before.len());
                    skipped = Some(open.len());
                }
                _ => kept.push(sign),
            },
            _ => kept.push(sign),
        }
    }
    kept
}

/// Returns the delimiter of a spreadsheet whose numbers may have decimal commas: a tab, or a `;` inside a line if the
/// text has several lines.
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
            "{{1, 2.*^0}, {0.3*^1, 4}}",
            "\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\end{bmatrix}",
            "\\begin{pmatrix}\n1 & 2 \\\\\n3 & 4\n\\end{pmatrix}",
            "[[np.float64(1.0), np.float64(2.0)], [np.float64(3.0), np.float64(4.0)]]",
            "[array([1., 2.], dtype=float32), array([3., 4.], dtype=float32)]",
            "[tensor(1.), tensor(2., device='cuda:0')]\n[tensor(3.), tensor(4.)]",
            "([[1, 2], [3, 4]])",
            "[[1.,\n  2.],\n [3.,\n  4.]]",
            "[[1.\n  2.]\n [3.\n  4.]]",
            "[[1, 2], [3, 4]], dtype=float32",
            "A = [1 2; 3 4]",
            "x = torch.tensor([[1, 2], [3, 4]])",
            "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[1., 2.],\n       [3., 4.]], dtype=float32)>",
            "A =\n\n     1     2\n     3     4\n",
            "[1 2\n3 4]",
            "# from numpy.savetxt\n1.000000000000000000e+00 2.0e+00\n3.0e+00 4.0e+00\n",
            "1\t2\n3\t4",
            "1;2\n3;4,0",
        ] {
            let found = read(text, 100).unwrap_or_else(|(given, why)| panic!("{text}: {given} {why:?}"));
            assert_eq!(found, Listed { rows: 2, cols: 2, values: vec![1.0, 2.0, 3.0, 4.0] }, "{text}");
        }
    }

    #[test]
    fn a_stack_blocks_of_columns_and_unclear_line_breaks_are_refused() {
        let why = |text: &str| read(text, 1000).expect_err(text).1;
        assert_eq!(why("[[[1, 2],\n  [3, 4]],\n\n [[5, 6],\n  [7, 8]]]"), Why::Dimensions { found: 3 });
        assert_eq!(why("tensor([[[[1.]]]])"), Why::Dimensions { found: 4 });
        assert_eq!(why("  Columns 1 through 2\n\n  1  2\n\n  Column 3\n\n  3\n"), Why::Blocks);
        assert_eq!(why("   1.0e+03 *\n\n    0.0010    2.0000\n"), Why::Blocks);
        assert_eq!(why("     [,1] [,2]\n[1,]    1    2\n[2,]    3    4"), Why::Blocks);
        // A printed vector of 36 numbers has two lines of 18.
        let line = |from: u32| (from..from + 18).map(|n| format!("{n:3}")).collect::<Vec<_>>().join(" ");
        assert_eq!(why(&format!("[{}\n {}]", line(100), line(200))), Why::LineBreaks);
        for text in [
            "1,2\n3,4,x=5",
            "x=1,y=2",
            "x=nan,y=2",
            "np.array([[1, 2], [3, 4]]).T",
            "[[1, x=2], [3, 4]]",
            "[[1, 2], [3, 4]] = 5",
        ] {
            assert!(matches!(why(text), Why::NotANumber { .. }), "{text}");
        }
    }

    #[test]
    fn hexadecimal_numbers_and_bits_of_f32_are_read() {
        let found = read("0x3f800000 0xC0000000 0x1.8p+1\n0x1F -0x10 -0x1p-1", 100).expect("numbers");
        assert_eq!(found.values, [1.0, -2.0, 3.0, 31.0, -16.0, -0.5]);
        assert!(read("0x", 100).is_err() && read("0xg", 100).is_err() && read("0x1p", 100).is_err());
    }

    #[test]
    fn the_caller_may_say_which_sign_stands_before_decimals() {
        let with = |text: &str, decimal| read_with(text, 100, Some(decimal)).expect("numbers").values;
        assert_eq!(with("1,024;2\n3;4", Decimal::Comma), [1.024, 2.0, 3.0, 4.0]);
        assert_eq!(with("1.024,5\t2\n3\t4", Decimal::Comma), [1024.5, 2.0, 3.0, 4.0]);
        assert_eq!(with("0,5 1,5\n2 3", Decimal::Comma), [0.5, 1.5, 2.0, 3.0]);
        assert_eq!(with("1,024\t2\n3\t4", Decimal::Point), [1024.0, 2.0, 3.0, 4.0]);
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

    /// Prints a matrix as a program does.
    fn printed(printer: usize, rows: &[Vec<f32>]) -> String {
        let each = |open: &str, between: &str, close: &str, ends: &str| {
            let row = |row: &Vec<f32>| {
                let words: Vec<String> = row.iter().map(|value| format!("{value:?}")).collect();
                format!("{open}{}{close}", words.join(between))
            };
            rows.iter().map(row).collect::<Vec<_>>().join(ends)
        };
        match printer {
            0 => format!("array([{}], dtype=float32)", each("[", ", ", "]", ",\n       ")),
            1 => format!("tensor([{}], device='cuda:0')", each("[", ", ", "]", ",\n        ")),
            2 => format!("Array([{}], dtype=float32)", each("[", ", ", "]", ",\n       ")),
            // The next forms are from MATLAB's mat2str, Mathematica, LaTeX, numpy.savetxt and spreadsheets.
            3 => format!("[{}]", each("", " ", "", ";")),
            4 => format!("{{{}}}", each("{", ", ", "}", ", ").replace('e', "*^")),
            5 => format!("\\begin{{bmatrix}}\n{}\n\\end{{bmatrix}}", each("", " & ", "", " \\\\\n")),
            6 => each("", " ", "", "\n") + "\n",
            7 => each("", "\t", "", "\r\n"),
            8 => each("", ";", "", "\n").replace('.', ","),
            // PyTorch and NumPy break a long row.
            9 => format!("tensor([{}])", each("[", ",\n          ", "]", ",\n        ")),
            10 => format!("[{}]", each("[", "\n  ", "]", "\n ")),
            _ => format!("[{}]", each("[", ",", "]", ",")),
        }
    }

    proptest::proptest! {
        #[test]
        fn every_printer_is_read_back_or_refused_by_name(
            sides in (1usize..5, 2usize..5),
            values in proptest::collection::vec(-9e6f32..9e6, 25),
            small in proptest::prelude::any::<bool>(),
            printer in 0usize..12,
        ) {
            let (n_rows, n_cols) = sides;
            let scale = |value: f32| if small { (value / 1e6).round() / 8.0 } else { value };
            let rows: Vec<Vec<f32>> =
                (0..n_rows).map(|row| (0..n_cols).map(|col| scale(values[row * 5 + col])).collect()).collect();
            let text = printed(printer, &rows);
            match read(&text, 100) {
                Ok(found) => {
                    let wanted: Vec<f64> = rows.iter().flatten().map(|value| f64::from(*value)).collect();
                    // One row of a spreadsheet with decimal commas looks like two lists.
                    let is_one_line = printer == 8 && n_rows == 1;
                    #[expect(clippy::cast_possible_truncation, reason = "JAX prints values of f32")]
                    let as_f32: Vec<f32> = found.values.iter().map(|value| *value as f32).collect();
                    #[expect(clippy::cast_possible_truncation, reason = "JAX prints values of f32")]
                    let wanted: Vec<f32> = wanted.iter().map(|value| *value as f32).collect();
                    proptest::prop_assert!(is_one_line || as_f32 == wanted, "{text}: {found:?}");
                    proptest::prop_assert!(is_one_line || (found.rows, found.cols) == (n_rows as u64, n_cols as u64));
                }
                Err((given, why)) => {
                    // 1,125 can be a little more than one, or more than a thousand.
                    let is_either = matches!(why, Why::CommaInNumber { .. }) && printer == 8;
                    proptest::prop_assert!(is_either && text.contains(&given), "{text}: {given} {why:?}");
                }
            }
        }
    }
}
