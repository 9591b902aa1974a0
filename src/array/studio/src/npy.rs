//! Reader of NumPy's array files (`.npy`), whose format is in NEP 1 of NumPy.

use crate::matrix_rows::Listed;
use systolic::Dtype;

/// Reason why a file cannot be used as a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NpyRefusal {
    /// The file ends before its last element.
    Cut,
    /// The header is damaged.
    Malformed,
    /// The array does not have two dimensions.
    Dimensions {
        /// Number of dimensions.
        found: usize,
    },
    /// The elements are not numbers of a supported type.
    ElementType {
        /// Type in NumPy's notation, truncated.
        given: String,
    },
    /// More elements than are supported.
    TooMany {
        /// Largest number of elements.
        most: u64,
    },
    /// No elements.
    Empty,
}

/// Returns true if the bytes begin as a file of NumPy does.
#[must_use]
pub fn is_npy(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads an array of two dimensions with at most `most` elements. The elements can be Booleans, integers of 8 to 64
/// bits, or floating-point numbers of 16, 32 or 64 bits.
///
/// # Errors
/// [`NpyRefusal`] names the reason.
pub fn read(bytes: &[u8], most: u64) -> Result<Listed, NpyRefusal> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NpyRefusal::Malformed)?;
    let (version, rest) = rest.split_at_checked(2).ok_or(NpyRefusal::Cut)?;
    let (length, rest) = if version.first() == Some(&1) {
        let (length, rest) = rest.split_first_chunk::<2>().ok_or(NpyRefusal::Cut)?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<4>().ok_or(NpyRefusal::Cut)?;
        (usize::try_from(u32::from_le_bytes(*length)).map_err(|_| NpyRefusal::Malformed)?, rest)
    };
    let (header, data) = rest.split_at_checked(length).ok_or(NpyRefusal::Cut)?;
    let header = std::str::from_utf8(header).map_err(|_| NpyRefusal::Malformed)?;
    // {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
    let after = |key: &str| header.split_once(key).map(|(_, rest)| rest.trim_start_matches(['\'', '"', ':', ' ']));
    let descr = after("descr").ok_or(NpyRefusal::Malformed)?;
    let descr = descr.split(['\'', '"']).next().unwrap_or("");
    let by_columns = after("fortran_order").ok_or(NpyRefusal::Malformed)?.starts_with("True");
    let shape = after("shape").and_then(|rest| rest.strip_prefix('(')?.split_once(')')).ok_or(NpyRefusal::Malformed)?.0;
    let sizes: Vec<u64> = shape
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
        .map(|size| size.parse().map_err(|_| NpyRefusal::Malformed))
        .collect::<Result<_, _>>()?;
    let [rows, cols] = sizes[..] else { return Err(NpyRefusal::Dimensions { found: sizes.len() }) };
    let count = rows.checked_mul(cols).filter(|count| *count <= most).ok_or(NpyRefusal::TooMany { most })?;
    if count == 0 {
        return Err(NpyRefusal::Empty);
    }
    let element = Element::of(descr).ok_or_else(|| NpyRefusal::ElementType { given: plain::cut(descr) })?;
    let whole = usize::try_from(count).ok().and_then(|count| count.checked_mul(element.bytes));
    let data = whole.and_then(|length| data.get(..length)).ok_or(NpyRefusal::Cut)?;
    let stored: Vec<f64> = data.chunks_exact(element.bytes).map(|chunk| element.value(chunk)).collect();
    let values = if by_columns {
        let place = |row: u64, col: u64| usize::try_from(col * rows + row).unwrap_or(usize::MAX);
        let all = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        all.map(|(row, col)| stored.get(place(row, col)).copied().unwrap_or(0.0)).collect()
    } else {
        stored
    };
    Ok(Listed { rows, cols, values })
}

/// Type of the elements, such as `<f4`: the order of the bytes, the kind of number, and the number of bytes.
struct Element {
    is_big: bool,
    kind: char,
    bytes: usize,
}

impl Element {
    fn of(descr: &str) -> Option<Self> {
        let mut signs = descr.chars();
        let (order, kind) = (signs.next()?, signs.next()?);
        let bytes: usize = signs.as_str().parse().ok()?;
        let is_known = match kind {
            'f' => matches!(bytes, 2 | 4 | 8),
            'i' | 'u' => matches!(bytes, 1 | 2 | 4 | 8),
            'b' => bytes == 1,
            _ => false,
        };
        is_known.then_some(Self { is_big: order == '>', kind, bytes })
    }

    #[expect(clippy::cast_precision_loss, reason = "operands have at most 24 significant bits")]
    fn value(&self, chunk: &[u8]) -> f64 {
        let low_first = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
        let bits = if self.is_big { chunk.iter().fold(0, low_first) } else { chunk.iter().rev().fold(0, low_first) };
        let low32 = || u32::try_from(bits & u64::from(u32::MAX)).unwrap_or(0);
        match (self.kind, self.bytes) {
            ('f', 2) => Dtype::F16.float().map_or(f64::NAN, |format| format.value(low32())),
            ('f', 4) => f64::from(f32::from_bits(low32())),
            ('f', _) => f64::from_bits(bits),
            ('i', bytes) => {
                let spare = 64_u32.saturating_sub(8 * u32::try_from(bytes).unwrap_or(8));
                ((bits << spare).cast_signed() >> spare) as f64
            }
            _ => bits as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MatrixText;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn file(descr: &str, fortran: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let length = u16::try_from(header.len()).expect("short").to_le_bytes();
        [MAGIC, &[1, 0], &length, header.as_bytes(), data].concat()
    }

    #[test]
    fn arrays_of_all_types_and_orders_are_read() {
        let wanted = Listed { rows: 2, cols: 2, values: vec![1.0, -2.0, 3.0, 4.0] };
        let f32s: Vec<u8> = [1.0f32, -2.0, 3.0, 4.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(read(&file("<f4", "False", "(2, 2)", &f32s), 100), Ok(wanted.clone()));
        let text = MatrixText::text_of_file(&file("<f4", "False", "(2, 2)", &f32s));
        assert_eq!(text.as_deref(), Ok("1,-2;3,4"));
        let big: Vec<u8> = [1.0f64, -2.0, 3.0, 4.0].iter().flat_map(|value| value.to_be_bytes()).collect();
        assert_eq!(read(&file(">f8", "False", "(2, 2)", &big), 100), Ok(wanted.clone()));
        let by_columns: Vec<u8> = [1i16, 3, -2, 4].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(read(&file("<i2", "True", "(2, 2)", &by_columns), 100), Ok(wanted.clone()));
        assert_eq!(read(&file("|i1", "False", "(2, 2)", &[1, 0xfe, 3, 4]), 100), Ok(wanted.clone()));
        // These are 1, −2, 3 and 4 in IEEE binary16.
        let halves = [0x00, 0x3c, 0x00, 0xc0, 0x00, 0x42, 0x00, 0x44];
        assert_eq!(read(&file("<f2", "False", "(2, 2)", &halves), 100), Ok(wanted));
    }

    #[test]
    fn an_array_of_no_use_is_refused() {
        assert_eq!(read(b"\x93NUMPY", 100), Err(NpyRefusal::Cut));
        assert_eq!(read(&file("<f4", "False", "(2, 2)", &[0; 15]), 100), Err(NpyRefusal::Cut));
        assert_eq!(read(&file("<f4", "False", "(4,)", &[0; 16]), 100), Err(NpyRefusal::Dimensions { found: 1 }));
        assert_eq!(
            read(&file("<c8", "False", "(1, 1)", &[0; 8]), 100),
            Err(NpyRefusal::ElementType { given: "<c8".into() })
        );
        assert_eq!(read(&file("<f4", "False", "(2, 2)", &[0; 16]), 3), Err(NpyRefusal::TooMany { most: 3 }));
        assert_eq!(read(&file("<f4", "False", "(0, 2)", &[]), 3), Err(NpyRefusal::Empty));
        assert_eq!(read(&file("<f4", "False", "(x, 2)", &[]), 3), Err(NpyRefusal::Malformed));
    }
}
