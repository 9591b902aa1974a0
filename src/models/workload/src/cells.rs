//! Cells of a table: how a line is split, and which column a name in the header means.

use std::borrow::Cow;

use crate::problem::Column;
use plain::Decimal;

/// Maximum number of cells of a line that are read.
pub(crate) const CELLS_MAX: usize = 256;

/// Characters that separate cells. A comma is the last, because numbers may contain commas.
const DELIMITERS: [char; 4] = ['|', '\t', ';', ','];

/// Returns the character that separates the cells of a line, or `None` if spaces separate them.
pub(crate) fn delimiter(line: &str) -> Option<char> {
    let mut is_quoted = false;
    let bare: String = line
        .chars()
        .filter(|&sign| {
            is_quoted ^= sign == '"';
            !is_quoted
        })
        .collect();
    DELIMITERS.into_iter().find(|&sign| bare.contains(sign))
}

/// Returns the decimal separator of a table's cells. If commas separate the cells, only a point is possible. `None` if
/// both a point and a comma are possible.
pub(crate) fn decimal(delimiter: Option<char>, given: Option<Decimal>) -> Option<Decimal> {
    given.or((delimiter == Some(',')).then_some(Decimal::Point))
}

/// Splits a line into trimmed cells. A cell in quotation marks may contain the delimiter. Two quotation marks inside
/// such a cell stand for one.
pub(crate) fn split(line: &str, delimiter: char) -> Vec<Cow<'_, str>> {
    let (mut cells, mut rest) = (Vec::new(), line);
    while cells.len() < CELLS_MAX {
        let trimmed = rest.trim_start_matches([' ', '\u{a0}']);
        let Some(quoted) = trimmed.strip_prefix('"') else {
            let (cell, after) = rest.split_once(delimiter).map_or((rest, None), |(cell, after)| (cell, Some(after)));
            cells.push(Cow::Borrowed(cell.trim()));
            match after {
                Some(after) => rest = after,
                None => break,
            }
            continue;
        };
        let (mut cell, mut inner) = (String::new(), quoted);
        loop {
            let (part, after) = inner.split_once('"').unwrap_or((inner, ""));
            cell += part;
            inner = after;
            let Some(more) = after.strip_prefix('"') else { break };
            cell.push('"');
            inner = more;
        }
        cells.push(Cow::Owned(cell.trim().to_owned()));
        match inner.split_once(delimiter) {
            Some((_, after)) => rest = after,
            None => break,
        }
    }
    cells
}

/// Meaning of the name of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// Column of sizes or counts.
    Of(Column),
    /// Name of the layer or of the matmul.
    Name,
    /// Sparsity of the form N:M.
    Sparsity,
    /// Any other column.
    Other,
}

/// Returns the meaning of a name in a header. Case, spaces and punctuation are ignored.
pub(crate) fn named(cell: &str) -> Named {
    let letters: String = cell.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let of = match letters.as_str() {
        "m" => Column::M,
        "k" | "infeatures" => Column::K,
        "n" | "outfeatures" => Column::N,
        "count" | "counts" | "times" | "repeat" | "repeats" | "repetitions" | "calls" | "instances" | "occurrences"
        | "frequency" | "multiplicity" => Column::Count,
        "layers" | "nlayers" | "numlayers" => Column::Layers,
        "heads" | "nheads" | "numheads" => Column::Heads,
        "experts" | "nexperts" | "numexperts" => Column::Experts,
        "groups" | "group" | "numgroups" | "ngroups" => Column::Groups,
        "batch" | "batches" | "batchsize" | "bs" | "images" | "b" => Column::Batch,
        "padding" | "pad" | "pads" => Column::Padding,
        "dilation" | "dilations" | "dilationrate" => Column::Dilation,
        "ifmapheight" | "ifmaph" | "inputheight" | "inputh" | "inheight" | "inh" | "imageheight" => Column::InputHeight,
        "ifmapwidth" | "ifmapw" | "inputwidth" | "inputw" | "inwidth" | "inw" | "imagewidth" => Column::InputWidth,
        "filterheight" | "filterh" | "filtheight" | "filth" | "kernelheight" | "kernelh" | "kh" => Column::FilterHeight,
        "filterwidth" | "filterw" | "filtwidth" | "filtw" | "kernelwidth" | "kernelw" | "kw" => Column::FilterWidth,
        "channels" | "channel" | "numchannels" | "numch" | "inchannels" | "cin" => Column::Channels,
        "numfilter" | "numfilters" | "numfilt" | "filters" | "outchannels" | "cout" => Column::Filters,
        _ if letters.starts_with("stride") => Column::Stride,
        _ if letters.starts_with("batch") && !letters.contains("stride") => Column::Batch,
        _ if letters.starts_with("spars") => return Named::Sparsity,
        "name" | "layer" | "layername" | "op" | "product" | "gemm" | "matmul" | "label" => return Named::Name,
        _ => return Named::Other,
    };
    Named::Of(of)
}

/// Returns the meanings of the names in a header. If the header has a column A, the column B is an operand instead of a
/// batch.
pub(crate) fn header(cells: &[&str]) -> Vec<Named> {
    let is_of = |cell: &&str, name: &str| cell.trim().eq_ignore_ascii_case(name);
    let has_a = cells.iter().any(|cell| is_of(cell, "a"));
    cells.iter().map(|cell| if has_a && is_of(cell, "b") { Named::Other } else { named(cell) }).collect()
}

/// Columns that multiply the work.
pub(crate) const MULTIPLIERS: [Column; 6] =
    [Column::Count, Column::Layers, Column::Heads, Column::Experts, Column::Batch, Column::Groups];

/// Returns the first of these columns that a header has twice.
pub(crate) fn twice(header: &[Named], columns: &[Column]) -> Option<Column> {
    let count = |column: Column| header.iter().filter(|named| **named == Named::Of(column)).count();
    columns.iter().copied().find(|column| count(*column) > 1)
}

/// True for a first cell that begins as a number. Such a line has no name. If it is the first line of a table, the
/// table has no header.
pub(crate) fn is_number(cell: &str) -> bool {
    let unsigned = cell.trim_start_matches(['+', '-', '\u{2212}', '.']);
    unsigned.starts_with(|digit: char| digit.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_at_the_sign_that_its_cells_leave() {
        for (line, wanted) in [
            ("a,1,2", Some(',')),
            ("a;1,5;2", Some(';')),
            ("a\t1,024\t2", Some('\t')),
            ("| a | 1;2 |", Some('|')),
            ("\"a,b\";1", Some(';')),
            ("\"a;b\" 1", None),
        ] {
            assert_eq!(delimiter(line), wanted, "{line}");
        }
    }

    #[test]
    fn a_cell_in_quotation_marks_keeps_its_delimiter() {
        assert_eq!(split("\"qkv, \"\"fused\"\"\", 512 ,\"3,072\",", ','), ["qkv, \"fused\"", "512", "3,072", ""]);
        assert_eq!(split("\"never closed, 5", ','), ["never closed, 5"]);
        assert_eq!(split("", ','), [""]);
        assert_eq!(split(&",".repeat(300), ',').len(), CELLS_MAX);
    }

    #[test]
    fn names_of_columns_are_found_in_their_spellings() {
        for (cell, wanted) in [
            ("IFMAP Height", Named::Of(Column::InputHeight)),
            ("ifmap_h", Named::Of(Column::InputHeight)),
            ("Channel(s)", Named::Of(Column::Channels)),
            ("Num Filter(s)", Named::Of(Column::Filters)),
            ("Batch Size", Named::Of(Column::Batch)),
            ("Strides", Named::Of(Column::Stride)),
            ("in_features", Named::Of(Column::K)),
            ("out_features", Named::Of(Column::N)),
            ("Layer name", Named::Name),
            ("batch_count", Named::Of(Column::Batch)),
            ("batch_stride", Named::Other),
            ("Sparsity", Named::Sparsity),
            ("FFN_up", Named::Other),
            ("", Named::Other),
        ] {
            assert_eq!(named(cell), wanted, "{cell}");
        }
    }
}
