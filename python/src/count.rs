//! Table of runs, with the numbers of `systolic count`.

use std::collections::BTreeMap;

use systolic::{ArrayShape, Dataflow, Design, Gemm, Overlap, Padding, Schedule, Slot};

use crate::columns::{Whole, made};
use crate::problem::{Problem, Usable};
use crate::settings::{Settings, dataflows};

/// Returns the index of a name in the list of all dataflows or overlaps. The row `index` of the column has this name.
pub(crate) fn code(column: &str, index: usize, name: &str) -> Result<u8, Problem> {
    let is_dataflow = column == "dataflow";
    let ids: Vec<&'static str> =
        if is_dataflow { Dataflow::ALL.map(Dataflow::id).to_vec() } else { Overlap::ALL.map(Overlap::id).to_vec() };
    let found = (0u8..).zip(&ids).find(|(_, id)| id.eq_ignore_ascii_case(name)).map(|(code, _)| code);
    found.ok_or_else(|| {
        let (column, usable) = if is_dataflow { ("dataflow", dataflows()) } else { ("overlap", Usable::OneOf(ids)) };
        Problem::At { name: column, index, given: name.to_owned(), usable }
    })
}

/// Columns of a table of runs. A column with a single value applies to all rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<'a> {
    /// M, N, K, R and C as 64-bit whole numbers.
    pub(crate) sizes: [&'a [u8]; 5],
    /// Codes of the dataflows, one byte each.
    pub(crate) dataflow: &'a [u8],
    /// Codes of the overlaps, if the table has them.
    pub(crate) overlap: Option<&'a [u8]>,
}

/// Counts a table of runs, in thirteen columns of 8 bytes a number. The columns are cycles, folds, mapping efficiency
/// in percent, utilization in percent, and then counts. The counts are reads of A, reads of B, writes of C, and the six
/// classes of PE-cycles.
pub(crate) fn count(table: Table<'_>, settings: BTreeMap<String, String>) -> Result<[Vec<u8>; 13], Problem> {
    let settings = Settings::new(settings)?;
    let design = settings.design()?;
    let padding = settings.padding()?;
    let [m, n, k, rows, cols] = table.sizes;
    let whole = [("M", m), ("N", n), ("K", k), ("R", rows), ("C", cols)].map(|(name, bytes)| Whole::new(name, bytes));
    let counted = |row: usize| -> Result<[[u8; 8]; 13], Problem> {
        let dataflow = named(&Dataflow::ALL, table.dataflow, row).unwrap_or(Dataflow::WeightStationary);
        let overlap = table.overlap.and_then(|codes| named(&Overlap::ALL, codes, row)).unwrap_or(design.overlap);
        let [m, n, k, rows, cols] = whole;
        let dim = |column: Whole<'_>| column.at(row, Gemm::DIM_MAX);
        let side = |column: Whole<'_>| column.at(row, ArrayShape::SIDE_MAX);
        let (gemm, array) = (Gemm::new(dim(m)?, dim(k)?, dim(n)?)?, ArrayShape::new(side(rows)?, side(cols)?)?);
        counts(gemm, array, dataflow, padding, Design { overlap, ..design })
    };
    made(whole[0].len(), counted)
}

/// Value for the code of a row. A single code applies to all rows.
fn named<T: Copy>(all: &[T], codes: &[u8], row: usize) -> Option<T> {
    let code = codes.get(if codes.len() == 1 { 0 } else { row })?;
    all.get(usize::from(*code)).copied()
}

fn counts(
    gemm: Gemm,
    array: ArrayShape,
    dataflow: Dataflow,
    padding: Padding,
    design: Design,
) -> Result<[[u8; 8]; 13], Problem> {
    let schedule = Schedule::new(gemm, array, dataflow, padding)?.with(design)?;
    let (tally, traffic) = (schedule.tally(), schedule.edge_traffic());
    let [useful, padding, load, fill, drain, stall] = Slot::ALL.map(|slot| tally.get(slot).get().to_ne_bytes());
    Ok([
        schedule.cycles().get().to_ne_bytes(),
        schedule.folds().to_ne_bytes(),
        plain::percent(schedule.mapping_efficiency()).to_ne_bytes(),
        plain::percent(tally.utilization()).to_ne_bytes(),
        traffic.a_reads.get().to_ne_bytes(),
        traffic.b_reads.get().to_ne_bytes(),
        traffic.c_writes.get().to_ne_bytes(),
        useful,
        padding,
        load,
        fill,
        drain,
        stall,
    ])
}
