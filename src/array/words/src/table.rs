//! Tables of one cycle: the registers of each PE, and each element of A, B and C with its state. A table of a large
//! array or matrix shows only a part.

use super::caption::{place, telling_pe};
use super::picture;
use core::ops::Range;
use display::number::{grouped, joined};
use studio::Plan;
use studio::progress_blocks::{axes, extent};
use studio::value_text::full;
use studio::whereabouts::{ResultProgress, Whereabouts, one};
use systolic::{Activity, Axis, Cycle, Lane, Operand, PeId, Probe, Value, dispatch_lane, reference};

/// Label of the `<details>` element that contains the tables.
pub const OPEN: &str = "Table of this cycle";
/// Message that replaces the tables if the array has a fault.
pub const BROKEN: &str = "Switch off the fault to read the registers in a table.";

/// Maximum number of rows, and of columns, of a table.
const WINDOW: u64 = 8;

/// A table whose cells contain text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Title of the table, with the rows and columns that the table shows.
    pub name: String,
    /// Column headings. The first column has the names of the rows.
    pub heads: Vec<String>,
    /// Rows of the table. The first cell of each row is the name of the row.
    pub rows: Vec<Vec<String>>,
}

/// Returns four tables for one cycle: the PEs, A, B and C. The tables show the surroundings of the chosen PE, or of the
/// PE that the caption describes ([`telling_pe`]).
#[must_use]
pub fn tables(plan: &Plan, cycle: Cycle, chosen: Option<PeId>) -> [Table; 4] {
    let pe = chosen.or_else(|| telling_pe(plan, cycle)).unwrap_or(PeId::new(0, 0));
    let [a, b, c] = [Operand::A, Operand::B, Operand::C].map(|operand| elements(plan, cycle, operand, pe));
    [pes(plan, cycle, pe), a, b, c]
}

/// Returns the range of at most [`WINDOW`] rows or columns around the row or column `place`.
fn around(place: u64, all: u64) -> Range<u64> {
    let n = WINDOW.min(all);
    let from = place.saturating_sub(n / 2).min(all - n);
    from..from + n
}

fn span(range: &Range<u64>) -> String {
    if range.end - range.start == 1 {
        return grouped(range.start);
    }
    format!("{} to {}", grouped(range.start), grouped(range.end.saturating_sub(1)))
}

/// Returns the title of a table: "PEs, 256×256: rows 117 to 124, columns 0 to 7".
fn name(what: &str, rows: &Range<u64>, cols: &Range<u64>, all: (u64, u64)) -> String {
    let sides = picture::sides(all.0, all.1);
    if rows.end - rows.start == all.0 && cols.end - cols.start == all.1 {
        return format!("{what}, {sides}");
    }
    format!("{what}, {sides}: rows {}, columns {}", span(rows), span(cols))
}

fn pes(plan: &Plan, cycle: Cycle, chosen: PeId) -> Table {
    let array = plan.schedule().array();
    let all = (u64::from(array.rows()), u64::from(array.cols()));
    let (rows, cols) = (around(chosen.row.into(), all.0), around(chosen.col.into(), all.1));
    let index = |place: u64| u32::try_from(place).unwrap_or(u32::MAX);
    let prober = plan.prober();
    let row = |row: u64| {
        let cells = cols.clone().map(|col| registers(&prober.at(cycle, PeId::new(index(row), index(col)))));
        core::iter::once(picture::row(index(row))).chain(cells).collect()
    };
    let heads = cols.clone().map(|col| picture::col(index(col)));
    Table {
        name: name(&format!("PEs after cycle {}", grouped(cycle.get())), &rows, &cols, all),
        heads: core::iter::once(String::new()).chain(heads).collect(),
        rows: rows.clone().map(row).collect(),
    }
}

/// Returns the content of a PE's registers: "a[0,3] = −2, holds b[3,0] = −7, sum −26 (4 of 4)".
fn registers(probe: &Probe) -> String {
    let operand = |words: &str, element: Option<systolic::Element>| {
        element.map(|element| format!("{words}{} = {}", place(&element), full(element.value)))
    };
    let sum = probe.sum.map(|sum| format!("sum {} ({} of {})", full(sum.value), sum.terms, sum.terms_max));
    let drained = probe.drained.map(|sum| format!("passes c[{},{}] = {} on", sum.row, sum.col, full(sum.value)));
    let parts = [
        operand("", probe.east),
        operand("", probe.south),
        operand("holds ", probe.held),
        operand("next ", probe.shadow),
        sum,
        drained,
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match (parts.is_empty(), probe.activity) {
        (true, Activity::Unmapped) => "unused".to_owned(),
        (true, _) => "empty".to_owned(),
        (false, _) => joined(&parts, ", "),
    }
}

/// Returns the name of an axis of the matmul.
const fn axis(axis: Axis) -> &'static str {
    match axis {
        Axis::M => "m",
        Axis::K => "k",
        Axis::N => "n",
    }
}

fn elements(plan: &Plan, cycle: Cycle, operand: Operand, chosen: PeId) -> Table {
    let all = extent(plan.schedule().gemm(), operand);
    let probe = plan.prober().at(cycle, chosen);
    // Element that the chosen PE has.
    let at = match operand {
        Operand::C => probe.sum.map(|sum| (sum.row, sum.col)),
        Operand::A | Operand::B => probe.operand(operand).map(|element| (element.row, element.col)),
    };
    let at = at.unwrap_or_default();
    let (rows, cols) = (around(at.0.min(all.0 - 1), all.0), around(at.1.min(all.1 - 1), all.1));
    let cell = |row: u64, col: u64| match operand {
        Operand::C => result(plan, cycle, (row, col)),
        Operand::A | Operand::B => {
            let value = full(plan.prober().element(operand, row, col).value);
            format!("{value}, {}", whereabouts(one::operand(plan, cycle, operand, (row, col))))
        }
    };
    let (down, across) = axes(operand);
    let head = |which: Axis, index: u64| format!("{} = {}", axis(which), grouped(index));
    let row = |row: u64| {
        let cells = cols.clone().map(|col| cell(row, col));
        core::iter::once(head(down, row)).chain(cells).collect()
    };
    Table {
        name: name(picture::letter(operand), &rows, &cols, all),
        heads: core::iter::once(String::new()).chain(cols.clone().map(|col| head(across, col))).collect(),
        rows: rows.clone().map(row).collect(),
    }
}

/// Returns the state of an element of A or B, in a few words.
const fn whereabouts(state: Whereabouts) -> &'static str {
    match state {
        Whereabouts::Waiting => "waiting",
        Whereabouts::Next => "enters next",
        Whereabouts::Queued => "in a skew register",
        Whereabouts::Inside => "in the array",
        Whereabouts::Passed => "done",
    }
}

/// Returns the value of a complete element of C. For an incomplete element, returns the number of products added so far
/// and the number of all products.
fn result(plan: &Plan, cycle: Cycle, at: (u64, u64)) -> String {
    let ResultProgress { terms, is_complete, is_new } = one::result(plan, cycle, at);
    if is_complete {
        let value = full(value(plan, at));
        return if is_new { format!("{value}, complete now") } else { value };
    }
    format!("{} of {} products", grouped(terms), grouped(plan.schedule().run().k()))
}

/// Returns the final value of an element of C.
fn value(plan: &Plan, at: (u64, u64)) -> Value {
    dispatch_lane!(plan.unit(), lane => {
        let schedule = plan.schedule();
        lane.sum(reference::element(lane, schedule, plan.operands(), at, schedule.run().k()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    #[test]
    fn the_first_screen_reads_as_it_looks() {
        let plan = Plan::default();
        let [pes, a, b, c] = tables(&plan, Cycle(7), None);
        assert_eq!(pes.name, "PEs after cycle 7, 4×4");
        assert_eq!(pes.heads, ["", "col 0", "col 1", "col 2", "col 3"]);
        assert_eq!(pes.rows[3][..2], ["row 3", "a[0,3] = −2, holds b[3,0] = −7, sum −26 (4 of 4)"]);
        assert_eq!(pes.rows[3][2], "holds b[3,1] = −3");
        assert_eq!(a.rows[0][4], "−2, in the array");
        assert_eq!((a.rows[1][4].as_str(), a.rows[5][1].as_str()), ("−9, in a skew register", "−9, waiting"));
        assert_eq!(b.rows[3], ["k = 3", "−7, in the array", "−3, in the array", "6, in the array"]);
        assert_eq!(c.rows[0][1..3], ["−26, complete now", "3 of 4 products"]);
        assert_eq!(c.rows[5][3], "0 of 4 products");
        let last = tables(&plan, plan.last(), None);
        assert_eq!(last[3].rows[0], ["m = 0", "−26", "−116", "−46"]);
    }

    #[test]
    fn of_a_large_array_there_is_a_window_around_the_chosen_pe_and_its_name_says_so() {
        let plan = plan("rows=256&cols=256&m=128&k=256&n=200&df=ws&dt=bf16");
        let [pes, a, _, c] = tables(&plan, Cycle(486), Some(PeId::new(120, 110)));
        assert_eq!(pes.name, "PEs after cycle 486, 256×256: rows 116 to 123, columns 106 to 113");
        assert_eq!((pes.rows.len(), pes.rows[0].len()), (8, 9));
        assert!(a.name.starts_with("A, 128×256: rows 0 to 7, columns 116 to 123"), "{}", a.name);
        assert_eq!(c.rows.len(), 8);
    }

    #[test]
    fn a_run_with_sums_of_many_products_is_written_at_once() {
        let plan = plan("rows=128&cols=128&m=1&k=65536&n=65536&df=os&dt=int8");
        for cycle in [0, 70_000] {
            let tables = tables(&plan, Cycle(cycle), None);
            assert!(tables.iter().all(|table| table.rows.iter().all(|row| row.len() == table.heads.len())));
        }
    }
}
