//! Texts in the array view, the timeline and the other pictures.

use display::number::{grouped, percent};
use studio::{Plan, progress_blocks};
use systolic::{Axis, Cycle, Cycles, Element, EventKind, Fold, Operand};

/// Labels below the triangle of skew registers at the west edge, the longest first. If the array has a fault, or if a
/// card asks a question, only the last label is used.
pub const SKEW_REGISTERS: [&str; 2] = ["skew: row r waits r cycles", "skew registers"];
/// Short label below the triangle of skew registers, if the space is small.
pub const SKEW: &str = "skew";
/// Label of the line behind which PEs multiply.
pub const FILL_FRONT: &str = "fill front ↘";
/// Label of the line behind which PEs have finished.
pub const DRAIN_FRONT: &str = "drain front ↘";
/// Label of the line at which one fold follows another.
pub const FOLD_FRONT: &str = "next fold ↘";
/// Label of the line that the shifted-in rows have reached.
pub const LOAD_FRONT: &str = "load front ↓";
/// Label over the array while all PEs stall because memory is too slow.
pub const STARVED: &str = "all PEs stall: memory";
/// Name of the phase in which the wavefront spreads.
pub const FILL: &str = "filling";
/// Name of the phase in which every used PE multiplies.
pub const STEADY: &str = "full";
/// Name of the phase in which the wavefront leaves.
pub const DRAIN: &str = "draining";

/// Returns the name of the phase in which the stationary operand is shifted in.
#[must_use]
pub const fn loading(stationary: Operand) -> &'static str {
    match stationary {
        Operand::A => "loading inputs",
        Operand::B | Operand::C => "loading weights",
    }
}

/// Returns the name of a row of the array.
#[must_use]
pub fn row(row: u32) -> String {
    format!("row {row}")
}

/// Returns the name of a column of the array.
#[must_use]
pub fn col(col: u32) -> String {
    format!("col {col}")
}

/// Returns the clock edge at which a value is in a place, written with the letter of the time axis: `t=7`.
#[must_use]
pub fn at_cycle(cycle: Cycle) -> String {
    format!("t={}", cycle.get())
}

/// Returns the name and the size of a matrix.
#[must_use]
pub fn matrix(name: &str, rows: u64, cols: u64) -> String {
    format!("{name} {}×{}", grouped(rows), grouped(cols))
}

/// Returns the letter of a matrix.
#[must_use]
pub const fn letter(operand: Operand) -> &'static str {
    match operand {
        Operand::A => "A",
        Operand::B => "B",
        Operand::C => "C",
    }
}

/// Returns the size of a matrix.
#[must_use]
pub fn sides(rows: u64, cols: u64) -> String {
    format!("{}×{}", grouped(rows), grouped(cols))
}

/// Returns the number of complete elements of C out of all elements, and the number of wrong elements, if known.
#[must_use]
pub fn complete_and_wrong(count: (u64, u64), wrong: Option<u64>) -> String {
    let complete = complete(count);
    wrong.map_or_else(|| complete.clone(), |wrong| format!("{complete}, {} wrong", grouped(wrong)))
}

/// Returns the number of complete elements of C out of all elements.
#[must_use]
pub fn complete((n, all): (u64, u64)) -> String {
    format!("{} of {}", grouped(n), grouped(all))
}

/// Describes the current fold: its tile, and the number of vectors that have started to enter the array.
#[must_use]
pub fn operand_map(plan: &Plan, cycle: Cycle) -> String {
    let schedule = plan.schedule();
    let (fold, came) = progress_blocks::progress(plan, cycle);
    let mapping = schedule.mapping();
    let letter = axis_letter;
    let range = |from: u64, n: u32| format!("{}–{}", grouped(from), grouped(from + u64::from(n).saturating_sub(1)));
    format!(
        "Fold {} of {}: {} {}, {} {}; {} of {} {} have started to enter the array.",
        grouped(fold.index + 1),
        grouped(schedule.folds()),
        letter(mapping.rows),
        range(fold.row_origin, fold.mapped.rows),
        letter(mapping.cols),
        range(fold.col_origin, fold.mapped.cols),
        grouped(came),
        grouped(schedule.stream_len()),
        moving(mapping.time)
    )
}

/// Returns the name of the vectors that enter the array one after another, such as "rows of A".
const fn moving(time: Axis) -> &'static str {
    match time {
        Axis::M => "rows of A",
        Axis::N => "columns of B",
        Axis::K => "steps of k",
    }
}

/// Describes two operands that meet although they belong to different terms. The text is the longest variant with at
/// most `letters` characters.
#[must_use]
pub fn clash(x: &Element, w: &Element, letters: usize) -> String {
    let k = |element: &Element| if element.operand == Operand::A { element.col } else { element.row };
    let texts =
        [format!("k={} meets k={}", k(x), k(w)), format!("k={} ≠ k={}", k(x), k(w)), format!("{}≠{}", k(x), k(w))];
    texts.into_iter().find(|text| text.chars().count() <= letters).unwrap_or_else(|| "≠".to_owned())
}

/// Describes a product that belongs to one element of C and is added to the sum of another element. The text is the
/// longest variant with at most `letters` characters.
#[must_use]
pub fn stray(own: (u64, u64), sum: (u64, u64), letters: usize) -> String {
    let (axis, own, sum) = if own.0 == sum.0 { ("n", own.1, sum.1) } else { ("m", own.0, sum.0) };
    let texts =
        [format!("{axis}={own} meets {axis}={sum}"), format!("{axis}={own} ≠ {axis}={sum}"), format!("{own}≠{sum}")];
    texts.into_iter().find(|text| text.chars().count() <= letters).unwrap_or_else(|| "≠".to_owned())
}

/// Returns the share of rows, columns or PEs that a partial fold leaves idle, in percent: `idle` of `all`.
#[must_use]
pub fn padding_share(idle: u32, all: u32) -> String {
    percent(f64::from(idle) / f64::from(all.max(1)))
}

/// Returns the label of the idle columns of a partial fold, in one line.
#[must_use]
pub fn padding_cols(n: u32, share: &str) -> String {
    let noun = if n == 1 { "column" } else { "columns" };
    format!("{n} {noun} unused · {share} %")
}

/// Returns three labels for the idle columns of a partial fold, from the longest to the shortest.
#[must_use]
pub fn padding_cols_labels(share: &str) -> [String; 3] {
    [format!("padding {share} %"), "padding".to_owned(), format!("{share} %")]
}

/// Returns the label of the idle rows of a partial fold, in short lines.
#[must_use]
pub fn padding_rows_lines(n: u32, share: &str) -> [String; 3] {
    let noun = if n == 1 { "row" } else { "rows" };
    [format!("{n} {noun}"), "unused".to_owned(), format!("{share} %")]
}

/// Returns the label of the idle rows of a partial fold, in one line.
#[must_use]
pub fn padding_rows(n: u32, share: &str) -> String {
    let noun = if n == 1 { "row" } else { "rows" };
    format!("{n} {noun} unused · {share} %")
}

/// Returns the label of an event above the timeline.
#[must_use]
pub fn event(kind: EventKind, plan: &Plan, fold: &Fold) -> String {
    let used = u64::from(fold.mapped.rows) * u64::from(fold.mapped.cols);
    let all = if used == plan.schedule().array().pes() { "" } else { " used" };
    let noun = if used == 1 { "PE" } else { "PEs" };
    match kind {
        EventKind::FoldStart => "fold begins".to_owned(),
        EventKind::FirstMac => "first multiply".to_owned(),
        EventKind::ArrayFull => format!("all {}{all} {noun} active", grouped(used)),
        EventKind::FirstResult if plan.schedule().folds() > 1 => {
            format!("first result of fold {}", grouped(fold.index + 1))
        }
        EventKind::FirstResult => "first result".to_owned(),
        EventKind::LastMac => "last multiply".to_owned(),
        EventKind::End => "done".to_owned(),
    }
}

/// Returns the label of a fold below the timeline.
#[must_use]
pub fn fold(_: &Plan, fold: &Fold) -> String {
    format!("fold {}", grouped(fold.index + 1))
}

/// Returns the label of a fold below the timeline, with the tile of the fold.
#[must_use]
pub fn fold_with_place(plan: &Plan, fold: &Fold) -> String {
    let mapping = plan.schedule().mapping();
    let range = |axis: Axis, from: u64, n: u32| {
        let last = from + u64::from(n).saturating_sub(1);
        format!("{} {}–{}", axis_letter(axis), grouped(from), grouped(last))
    };
    let (rows, cols) = (fold.mapped.rows, fold.mapped.cols);
    let (down, across) = (range(mapping.rows, fold.row_origin, rows), range(mapping.cols, fold.col_origin, cols));
    format!("fold {} · {down}, {across}", grouped(fold.index + 1))
}

const fn axis_letter(axis: Axis) -> &'static str {
    match axis {
        Axis::M => "m",
        Axis::K => "k",
        Axis::N => "n",
    }
}

/// Returns the caption below a timeline of several folds: the number and the length of the folds.
#[must_use]
pub fn folds(n: u64, cycles: Cycles, period: Cycles) -> String {
    let text = format!("{} folds of {} cycles", grouped(n), grouped(cycles.get()));
    if period == cycles { text } else { format!("{text}, one every {}", grouped(period.get())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::parts;
    use studio::Link;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_label_of_the_padding_has_the_digits_of_the_accounts() {
        let mut n = 0;
        for (side, m, n_cols) in (1..20).flat_map(|side| (1..9).flat_map(move |m| (1..side).map(move |n| (side, m, n))))
        {
            for dataflow in ["ws", "os"] {
                let query = format!("rows={side}&cols={side}&m={side}&k={m}&n={n_cols}&df={dataflow}");
                let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
                if plan.schedule().folds() > 1 || (dataflow == "ws" && m != side) {
                    continue;
                }
                let idle = u32::try_from(side - n_cols).expect("small");
                let side = u32::try_from(side).expect("small");
                let shown = padding_share(idle, side);
                let [_, padding, ..] = parts(&plan.schedule().tally());
                assert_eq!(shown, padding.percent, "{query}");
                n += 1;
            }
        }
        assert!(n > 500, "{n} runs");
        // The idle share of a partial fold differs from the padding of the run.
        assert_eq!(padding_share(5, 8), "62.5");
    }
}
