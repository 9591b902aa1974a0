//! Error messages for the lines of a list.

use std::fmt;

use plain::grouped;

use super::NOT_TEXT;
use crate::problem::{Column, Fault, LINE_BYTES_MAX, LINES_MAX, PROBLEMS_MAX, Problem, Way};
use crate::product::TooLarge;

/// Maximum number of problems that are listed individually.
const NAMED_MAX: usize = 3;

/// Returns one sentence for each of the first 3 problems, and a last sentence about the number of further lines.
#[must_use]
pub fn sentences(problems: &[Problem]) -> Vec<String> {
    let named = problems.iter().take(NAMED_MAX).map(ToString::to_string);
    let more = match problems.len() {
        0..=NAMED_MAX => None,
        // The rest of the file was not read.
        PROBLEMS_MAX.. => Some("… and so on. This does not look like a table of matmuls.".to_owned()),
        n if n - NAMED_MAX == 1 => Some("… and 1 more line.".to_owned()),
        n => Some(format!("… and {} more lines.", n - NAMED_MAX)),
    };
    named.chain(more).collect()
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line {}: {}", grouped(self.line as u64), self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotACount { column, given } => write!(f, "{column} = {given}: use a whole number, 1 or more."),
            Self::EitherNumber { column, given } => write!(
                f,
                "{column} = {given} may be {} or {}: write it without points and commas.",
                given.split(['.', ',']).next().unwrap_or(given),
                given.replace(['.', ','], "")
            ),
            Self::Surplus { given } => {
                write!(f, "the line has one number too many, {given}: use only M, K, N and a count.")
            }
            Self::Missing { column } => write!(f, "{column} is missing: every row needs it."),
            Self::ColumnTwice { column } => write!(f, "two columns mean {column}: keep only one."),
            Self::Sparsity { given } => write!(f, "sparsity = {given}: use N:M with N at most M, such as 2:4."),
            Self::FilterTooLarge { way, filter, input } => {
                let way = match way {
                    Way::High => "high",
                    Way::Wide => "wide",
                };
                let [filter, input] = [*filter, *input].map(grouped);
                write!(f, "the filter is {filter} {way}, larger than the input: use at most {input}.")
            }
            Self::TracedColumn { name } => {
                write!(f, "the table of systolic_matmuls.py has no column {name}: write the table again.")
            }
            Self::Role { given } => {
                write!(f, "role = {given}: use forward, recomputed, input-gradient or weight-gradient.")
            }
            Self::Weights { given } => write!(f, "weights = {given}: use a whole number."),
            Self::Kept { given } => write!(f, "kept = {given}: use a, b or c, or leave the cell empty."),
            Self::Masked { given } => {
                write!(f, "masked = {given}: use a share from 0 to 1, or leave the cell empty.")
            }
            Self::Totals { name, stated, found } => {
                let stated = stated.map_or_else(|| "no number".to_owned(), |stated| stated.to_string());
                write!(f, "the totals state {stated} for {name}, but the rows have {found}: write the table again.")
            }
            Self::Groups { groups, channels, filters } => {
                let [groups, channels, filters] = [*groups, *channels, *filters].map(grouped);
                write!(f, "groups = {groups}: use a divisor of {channels} channels and of {filters} filters.")
            }
            Self::TooLarge => TooLarge.fmt(f),
            Self::TooManyLines => write!(f, "the list is too long: use at most {} lines.", grouped(LINES_MAX as u64)),
            Self::LineTooLong => {
                write!(
                    f,
                    "the line is longer than {} bytes: put one layer on each line.",
                    grouped(LINE_BYTES_MAX as u64)
                )
            }
            Self::NotText => f.write_str(NOT_TEXT),
            Self::Empty => f.write_str("the line has no layer: put one layer on each line."),
            Self::UnknownColumns => f.write_str(
                "unknown columns: use a header with M, N and K, or with the heights and widths of input and filter.",
            ),
        }
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::M => "M",
            Self::K => "K",
            Self::N => "N",
            Self::Count => "count",
            Self::Layers => "layers",
            Self::Heads => "heads",
            Self::Experts => "experts",
            Self::Batch => "batch",
            Self::Stride => "stride",
            Self::InputHeight => "input height",
            Self::InputWidth => "input width",
            Self::FilterHeight => "filter height",
            Self::FilterWidth => "filter width",
            Self::Channels => "channels",
            Self::Filters => "filters",
            Self::Groups => "groups",
            Self::Padding => "padding",
            Self::Dilation => "dilation",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_file_that_is_no_table_is_refused_in_a_few_sentences() {
        let problems = |n: usize| (1..=n).map(|line| Problem { line, fault: Fault::Empty }).collect::<Vec<_>>();
        assert_eq!(sentences(&problems(3)).len(), 3);
        assert_eq!(sentences(&problems(4))[3], "… and 1 more line.");
        assert_eq!(sentences(&problems(9))[3], "… and 6 more lines.");
        assert_eq!(sentences(&problems(PROBLEMS_MAX))[3], "… and so on. This does not look like a table of matmuls.");
    }
}
