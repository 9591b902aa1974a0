//! Compact form of matrices in links. The text of a long matrix would fill a QR code, a message or a line of a page.
//!
//! `~3.1.KTgB` is 0.5, −1 and 1.6: a matrix with 3 columns and one decimal. With one decimal, each element is stored as
//! a whole number of tenths. A letter carries five bits of this number, the lowest bits first. A sixth bit tells
//! whether more letters follow. A small number takes one letter, instead of two or three characters as text.
//!
//! A few letters never expand to a large matrix, because each element takes at least one letter. The number of elements
//! has the same limit as in any listed matrix.

use crate::problem::Why;
use crate::{Field, MatrixText, Problem};

/// First character of a packed matrix. No number begins with this character.
pub(crate) const MARK: char = '~';
/// Maximum length, in bytes, of a matrix text that is never packed. Such a text stays readable in a link.
pub(crate) const TEXT_MAX: usize = 240;
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Separator between the number of columns, the number of decimals, and the letters.
const POINT: char = '.';
const DECIMALS_MAX: u32 = 6;
/// Largest whole number that is packed. Up to this number, a division by a power of ten rounds at most once. So the
/// quotient is the number that the decimal text means.
const WHOLE_MAX: f64 = 1e12;
/// Number of bits of an element in one letter. The next higher bit, `MORE`, tells that more letters follow.
const BITS: u32 = 5;
const MORE: u64 = 1 << BITS;

fn power(decimals: u32) -> f64 {
    f64::from(10u32.pow(decimals))
}

/// Packs the elements of a matrix with `cols` columns. Returns `None` if an element would be read back as another
/// number.
pub(crate) fn pack(values: &[f64], cols: u64) -> Option<String> {
    let (decimals, wholes) = (0..=DECIMALS_MAX).find_map(|decimals| Some((decimals, wholes(values, decimals)?)))?;
    let mut text = format!("{MARK}{cols}{POINT}{decimals}{POINT}");
    for whole in wholes {
        // The sign is the lowest bit, so that small numbers of either sign are short.
        let mut rest = (whole << 1 ^ whole >> 63).cast_unsigned();
        loop {
            let more = if rest < MORE { 0 } else { MORE };
            #[expect(clippy::cast_possible_truncation, reason = "six bits")]
            let letter = ((rest % MORE) | more) as usize;
            text.push(char::from(LETTERS[letter]));
            rest >>= BITS;
            if more == 0 {
                break;
            }
        }
    }
    Some(text)
}

/// Returns the elements times 10 to the power of `decimals`, as whole numbers. `None` if an element cannot be restored
/// bit by bit.
fn wholes(values: &[f64], decimals: u32) -> Option<Vec<i64>> {
    let one = |value: &f64| {
        let whole = (value * power(decimals)).round();
        #[expect(clippy::cast_possible_truncation, reason = "within the limit")]
        let whole = (whole.abs() <= WHOLE_MAX).then_some(whole as i64)?;
        (number(whole, decimals).to_bits() == value.to_bits()).then_some(whole)
    };
    values.iter().map(one).collect()
}

#[expect(clippy::cast_precision_loss, reason = "whole numbers up to the limit are exact")]
fn number(whole: i64, decimals: u32) -> f64 {
    whole as f64 / power(decimals)
}

/// Reads the text that [`pack`] wrote, without its first character [`MARK`].
///
/// # Errors
/// Names the first element that cannot be read. Fails also if the last row is too short, or if the number of elements
/// is 0 or too large to list.
pub(crate) fn unpack(field: Field, text: &str) -> Result<MatrixText, Problem> {
    let refused = |why| Problem::new(field, &format!("{MARK}{text}"), why);
    let mut parts = text.trim().splitn(3, POINT);
    let mut part = |max: u64| parts.next().and_then(|part| part.parse().ok()).filter(|one| *one <= max);
    let cols: Option<u64> = part(MatrixText::ELEMENTS_MAX).filter(|cols| *cols > 0);
    let decimals = part(u64::from(DECIMALS_MAX)).and_then(|decimals| u32::try_from(decimals).ok());
    let (Some(cols), Some(decimals), Some(letters)) = (cols, decimals, parts.next()) else {
        return Err(refused(Why::NotANumber { row: 0, col: 0 }));
    };
    let mut values = Vec::new();
    let (mut bits, mut shift) = (0u64, 0u32);
    for letter in letters.bytes() {
        let n_values = values.len() as u64;
        let place = Why::NotANumber { row: n_values / cols, col: n_values % cols };
        let value = LETTERS.iter().position(|one| *one == letter).filter(|_| shift < 60);
        let Some(value) = value.map(|value| value as u64) else { return Err(refused(place)) };
        bits |= (value % MORE) << shift;
        shift += BITS;
        if value >= MORE {
            continue;
        }
        if n_values == MatrixText::ELEMENTS_MAX {
            return Err(refused(Why::TooManyElements { max: MatrixText::ELEMENTS_MAX }));
        }
        values.push(number((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed(), decimals));
        (bits, shift) = (0, 0);
    }
    let (rows, rest) = (values.len() as u64 / cols, values.len() as u64 % cols);
    if shift > 0 || rest > 0 {
        return Err(refused(Why::RowLength { row: rows, found: rest, wanted: cols }));
    }
    if rows == 0 {
        return Err(refused(Why::NoValues));
    }
    Ok(MatrixText::new(rows, cols, values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn matrix(cols: u64, values: Vec<f64>) -> MatrixText {
        MatrixText::new(values.len() as u64 / cols, cols, values)
    }

    /// Reads the format letter by letter, as a person would.
    fn by_hand(text: &str) -> Vec<f64> {
        let mut parts = text[1..].split('.').skip(1);
        let decimals: i32 = parts.next().unwrap().parse().unwrap();
        let alphabet: String = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['-', '_']).collect();
        let mut numbers = Vec::new();
        let (mut sum, mut place) = (0i64, 1i64);
        for letter in parts.next().unwrap().chars() {
            let value = i64::try_from(alphabet.find(letter).unwrap()).unwrap();
            sum += (value % 32) * place;
            place *= 32;
            if value < 32 {
                let whole = if sum % 2 == 0 { sum / 2 } else { -(sum / 2) - 1 };
                numbers.push(format!("{whole}e-{decimals}").parse().unwrap());
                (sum, place) = (0, 1);
            }
        }
        numbers
    }

    #[test]
    fn letters_are_what_the_head_of_this_file_says() {
        let packed = pack(&[0.5, -1.0, 1.6], 3).unwrap();
        assert_eq!((packed.as_str(), by_hand(&packed)), ("~3.1.KTgB", vec![0.5, -1.0, 1.6]));
        assert_eq!(pack(&[0.0, -1.0, 1.0, 15.0], 2).as_deref(), Some("~2.0.ABCe"), "a letter each");
    }

    #[test]
    fn what_does_not_come_back_is_not_packed() {
        for value in [-0.0, f64::NAN, f64::INFINITY, 1e-7, 1e300, 0.1 + 0.2] {
            assert_eq!(pack(&[1.0, value], 2), None, "{value}");
        }
    }

    #[test]
    fn what_is_no_packed_matrix_is_named_with_its_place() {
        let problem = |text: &str| MatrixText::parse(Field::B, text).expect_err("bad").why;
        assert_eq!(problem("~2.0.AB!"), Why::NotANumber { row: 1, col: 0 });
        assert_eq!(problem("~2.0.ABC"), Why::RowLength { row: 1, found: 1, wanted: 2 });
        assert_eq!(problem("~2.0.ABg"), Why::RowLength { row: 1, found: 0, wanted: 2 }, "more should follow");
        assert_eq!(problem("~2.0."), Why::NoValues);
        for text in ["~", "~2", "~2.0", "~0.0.A", "~2.7.AB", "~-1.0.A", "~99999999999999999999.0.A", "~65537.0.A"] {
            assert_eq!(problem(text), Why::NotANumber { row: 0, col: 0 }, "{text}");
        }
        assert_eq!(problem(&format!("~1.0.{}A", "g".repeat(12))), Why::NotANumber { row: 0, col: 0 }, "endless");
        let many = format!("~1.0.{}", "A".repeat(65_537));
        assert_eq!(problem(&many), Why::TooManyElements { max: MatrixText::ELEMENTS_MAX });
    }

    proptest! {
        #[test]
        fn every_decimal_matrix_comes_back_bit_by_bit(
            cols in 1u64..9, rows in 1u64..9, decimals in 0u32..=6, seed in proptest::collection::vec(-1_000_000i64..1_000_000, 64),
        ) {
            let n = usize::try_from(rows * cols).unwrap();
            let values: Vec<f64> = seed[..n].iter().map(|whole| number(*whole, decimals)).collect();
            let packed = pack(&values, cols).unwrap();
            prop_assert_eq!(&by_hand(&packed), &values);
            let before = matrix(cols, values);
            // A matrix that is read from the text of a matrix is equal to that matrix.
            prop_assert_eq!(&MatrixText::parse(Field::A, &before.to_text()).unwrap(), &before);
            prop_assert_eq!(MatrixText::parse(Field::A, &packed).unwrap(), before);
        }

        #[test]
        fn no_text_behind_the_mark_makes_the_reader_stop(text in "~[0-9.]{0,6}[A-Za-z0-9_.~-]{0,40}") {
            if let Ok(read) = MatrixText::parse(Field::A, &text) {
                prop_assert_eq!(read.rows * read.cols, read.values.len() as u64);
            }
        }
    }
}
