//! Tests of tables with any delimiter, order, spelling and locale. The result is the intended matmuls, or an error that
//! names the cell.

use proptest::prelude::{Just, Strategy, any, prop};
use proptest::{prop_assert, prop_assert_eq, proptest};
use workload::{Content, Note};

/// Notation of a number in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Plain,
    Underscores,
    NarrowSpaces,
    ThousandsComma,
    ThousandsPoint,
    /// Notation of a column of floating-point numbers.
    PointZero,
    CommaZero,
}

impl Style {
    const ALL: [Self; 7] = [
        Self::Plain,
        Self::Underscores,
        Self::NarrowSpaces,
        Self::ThousandsComma,
        Self::ThousandsPoint,
        Self::PointZero,
        Self::CommaZero,
    ];

    fn write(self, value: u64) -> String {
        let digits = value.to_string();
        let grouped = |sign: &str| {
            let groups: Vec<&str> = {
                let first = digits.len() % 3;
                let (head, tail) = digits.split_at(first);
                let tail = tail.as_bytes().chunks(3).map(|chunk| std::str::from_utf8(chunk).expect("digits"));
                std::iter::once(head).filter(|head| !head.is_empty()).chain(tail).collect()
            };
            groups.join(sign)
        };
        match self {
            Self::Plain => digits,
            Self::Underscores => grouped("_"),
            Self::NarrowSpaces => grouped("\u{202f}"),
            Self::ThousandsComma => grouped(","),
            Self::ThousandsPoint => grouped("."),
            Self::PointZero => format!("{digits}.0"),
            Self::CommaZero => format!("{digits},0"),
        }
    }
}

const M: [&str; 3] = ["M", "m", " M "];
const K: [&str; 2] = ["K", "k"];
const N: [&str; 2] = ["N", "n"];
const COUNT: [&str; 7] = ["count", "Count", "repeats", "calls", "heads", "n_layers", "Times"];
const NAME: [&str; 5] = ["name", "Layer", "op", "Layer name", "label"];

/// Writes a cell, in quotation marks if it contains the delimiter.
fn cell(text: &str, delimiter: char, quoted: bool) -> String {
    if quoted || text.contains(delimiter) { format!("\"{text}\"") } else { text.to_owned() }
}

/// UTF-16 with a byte order mark, as spreadsheets save "Unicode text".
fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

fn order() -> impl Strategy<Value = Vec<usize>> {
    Just((0..5).collect::<Vec<usize>>()).prop_shuffle()
}

proptest! {
    #[test]
    fn a_table_is_read_as_it_is_meant_or_refused_by_name(
        rows in prop::collection::vec([1u64..5_000_000, 1..9_000, 1..9_000, 1..3_000], 1..6),
        delimiter in prop::sample::select(vec![',', ';', '\t', '|']),
        style in prop::sample::select(Style::ALL.to_vec()),
        order in order(),
        spelling in any::<usize>(),
        [quoted, marked, wide, crlf] in any::<[bool; 4]>(),
    ) {
        let pick = |names: &[&str]| names[spelling % names.len()].to_owned();
        let names = [pick(&NAME), pick(&M), pick(&K), pick(&N), pick(&COUNT)];
        let line = |cells: [String; 5]| {
            let cells: Vec<String> = order.iter().map(|&at| cell(&cells[at], delimiter, quoted)).collect();
            let line = cells.join(&delimiter.to_string());
            if delimiter == '|' { format!("|{line}|") } else { line }
        };
        let mut lines = vec![line(names)];
        for (at, [m, k, n, count]) in rows.iter().enumerate() {
            let number = |value: &u64| style.write(*value);
            lines.push(line([format!("layer {at}"), number(m), number(k), number(n), number(count)]));
        }
        let text = lines.join(if crlf { "\r\n" } else { "\n" }) + "\n";
        let bytes = match (wide, marked) {
            (true, _) => utf16(&text),
            (false, true) => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            (false, false) => text.clone().into_bytes(),
        };
        match Content::of(&bytes) {
            Ok(Content::Products(work)) => {
                let found: Vec<[u64; 4]> = work
                    .products
                    .iter()
                    .map(|product| {
                        let [m, k, n] = product.sizes.mkn();
                        [m, k, n, product.count]
                    })
                    .collect();
                prop_assert_eq!(&found, &rows, "{}", text);
                for (at, product) in work.products.iter().enumerate() {
                    prop_assert_eq!(&product.name, &format!("layer {at}"));
                }
            }
            Ok(other) => prop_assert!(false, "{text}: {other:?}"),
            Err(refusal) => {
                let said = refusal.to_string();
                // 5.000 can be five thousand or five.
                let either = rows.iter().flatten().map(|value| style.write(*value)).find(|text| {
                    text.split_once([',', '.']).is_some_and(|(_, rest)| rest.len() == 3 && rest == "000")
                });
                let is_grouped = matches!(style, Style::ThousandsComma | Style::ThousandsPoint);
                let cannot_be = delimiter == ',' && matches!(style, Style::ThousandsPoint | Style::CommaZero);
                prop_assert!(is_grouped && either.is_some() || cannot_be, "{text}: {said}");
                prop_assert!(said.starts_with("Line ") && said.contains(" = "), "{said}");
            }
        }
    }

    #[test]
    fn no_column_is_dropped_without_a_word(
        name in "[A-Za-z][A-Za-z _]{0,14}",
        value in 2u64..50,
        first in any::<bool>(),
    ) {
        let (header, row) = if first {
            (format!("{name},M,K,N"), format!("{value},64,32,16"))
        } else {
            (format!("M,K,N,{name}"), format!("64,32,16,{value}"))
        };
        let Ok(Content::Products(work)) = Content::of(format!("{header}\n{row}\n").as_bytes()) else {
            // A table is refused if the column repeats one of the three sizes, or if it belongs to a convolution.
            return Ok(());
        };
        let product = &work.products[0];
        let work_of_one = 64 * 32 * 16;
        let macs = u64::try_from(product.executed_macs()).expect("small");
        let is_named = work.notes.iter().any(|note| matches!(note, Note::UnusedColumns { names } if names.contains(name.trim())));
        let is_used = macs == work_of_one * value;
        let is_label = product.name == value.to_string();
        prop_assert!(is_used || is_named && macs == work_of_one || is_label, "{header}: {macs}, {:?}", work.notes);
    }
}
