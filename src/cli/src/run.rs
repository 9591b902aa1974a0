//! `systolic run`: a product in the array's own order, exactly.

use std::io::Write;

use serde_json::json;
use systolic::lane::Lane;
use systolic::{Operands, Schedule, Slot, Value, reference, with_lane};

use crate::arguments::Arguments;
use crate::matrix;
use crate::number::{Notation, exact};
use crate::problem::Problems;

pub(crate) fn command(arguments: &mut Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let unit = arguments.unit()?;
    let (gemm, operands) = matrix::operands(arguments, unit.dtype())?;
    let schedule = arguments.schedule(gemm)?;
    let notation = match arguments.choice("format", &["decimal", "hex"])? {
        "hex" => Notation::Hex,
        _ => Notation::Decimal,
    };
    let result = with_lane!(unit, lane => product(lane, &schedule, &operands));
    let cols = usize::try_from(gemm.n()).unwrap_or(usize::MAX);
    if arguments.flag("json") {
        let tally = schedule.tally();
        let slots: serde_json::Map<_, _> = Slot::ALL
            .into_iter()
            .map(|slot| (studio::words::label::slot(slot).to_owned(), json!(tally.get(slot).get())))
            .collect();
        let rows: Vec<Vec<String>> =
            result.chunks(cols).map(|row| row.iter().map(|&value| exact(value, notation)).collect()).collect();
        let report = json!({
            "m": gemm.m(), "k": gemm.k(), "n": gemm.n(),
            "rows": schedule.array().rows(), "cols": schedule.array().cols(),
            "dataflow": schedule.dataflow().id(),
            "dtype": unit.dtype().id(), "accumulator": unit.accumulator().id(),
            "cycles": schedule.cycles().get(), "folds": schedule.folds(),
            "utilization": tally.utilization(), "mapping_efficiency": schedule.mapping_efficiency(),
            "pe_cycles": slots,
            "c": rows,
        });
        writeln!(out, "{report:#}")?;
        return Ok(());
    }
    for row in result.chunks(cols) {
        let texts: Vec<String> = row.iter().map(|&value| exact(value, notation)).collect();
        writeln!(out, "{}", texts.join(","))?;
    }
    Ok(())
}

fn product<L: Lane>(lane: L, schedule: &Schedule, operands: &Operands) -> Vec<Value> {
    reference::product(lane, schedule, operands).into_iter().map(|sum| lane.sum(sum)).collect()
}
