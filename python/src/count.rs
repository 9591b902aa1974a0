//! Table of runs, with the numbers of `systolic count`.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString};
use systolic::{ArrayShape, Dataflow, Design, Gemm, Overlap, Padding, Schedule, Slot};

use crate::columns::{Whole, bytes, made};
use crate::problem::{Problem, Usable};
use crate::settings::{Settings, dataflows};

/// Index of each name in the list of all dataflows or overlaps, one byte each.
#[pyfunction]
pub(crate) fn codes<'py>(column: &str, names: &Bound<'py, PyList>) -> PyResult<Bound<'py, PyBytes>> {
    let is_dataflow = column == "dataflow";
    let ids: Vec<&'static str> =
        if is_dataflow { Dataflow::ALL.map(Dataflow::id).to_vec() } else { Overlap::ALL.map(Overlap::id).to_vec() };
    let mut codes = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let code = match name.cast::<PyString>() {
            Ok(name) => (0u8..).zip(&ids).find(|(_, id)| name.to_str().is_ok_and(|name| id.eq_ignore_ascii_case(name))),
            Err(_) => None,
        };
        let Some((code, _)) = code else {
            let (name, usable) = if is_dataflow { ("dataflow", dataflows()) } else { ("overlap", Usable::OneOf(ids)) };
            let given = names.get_item(index)?.str()?.to_string_lossy().into_owned();
            return Err(Problem::At { name, index, given, usable }.into());
        };
        codes.push(code);
    }
    Ok(PyBytes::new(names.py(), &codes))
}

/// Counts a table of runs, in thirteen columns of 8 bytes a number. The columns are cycles, folds, mapping efficiency
/// in percent, utilization in percent, and then counts. The counts are reads of A, reads of B, writes of C, and the six
/// classes of PE-cycles.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the columns of a table, each by its name")]
pub(crate) fn count<'py>(
    py: Python<'py>,
    m: &[u8],
    n: &[u8],
    k: &[u8],
    rows: &[u8],
    cols: &[u8],
    dataflow: &[u8],
    overlap: Option<&[u8]>,
    settings: BTreeMap<String, String>,
) -> PyResult<Vec<Bound<'py, PyByteArray>>> {
    let settings = Settings::new(settings)?;
    let design = settings.design()?;
    let padding = settings.padding()?;
    let whole = [("M", m), ("N", n), ("K", k), ("R", rows), ("C", cols)].map(|(name, bytes)| Whole::new(name, bytes));
    let counted = |row: usize| -> Result<[[u8; 8]; 13], Problem> {
        let dataflow = named(&Dataflow::ALL, dataflow, row).unwrap_or(Dataflow::WeightStationary);
        let overlap = overlap.and_then(|codes| named(&Overlap::ALL, codes, row)).unwrap_or(design.overlap);
        let [m, n, k, rows, cols] = whole;
        let dim = |column: Whole<'_>| column.at(row, Gemm::DIM_MAX);
        let side = |column: Whole<'_>| column.at(row, ArrayShape::SIDE_MAX);
        let (gemm, array) = (Gemm::new(dim(m)?, dim(k)?, dim(n)?)?, ArrayShape::new(side(rows)?, side(cols)?)?);
        counts(gemm, array, dataflow, padding, Design { overlap, ..design })
    };
    let columns = py.detach(|| made(whole[0].len(), counted))?;
    Ok(bytes(py, columns))
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
        (schedule.mapping_efficiency() * 100.0).to_ne_bytes(),
        (tally.utilization() * 100.0).to_ne_bytes(),
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
