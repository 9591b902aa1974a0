//! `systolic state`: every register of a cycle, or of all cycles.

use std::io::Write;

use serde_json::json;
use systolic::{Activity, Cycle, Element, Operand, Prober};

use crate::arguments::Arguments;
use crate::matrix;
use crate::number::{Notation, exact};
use crate::problem::Problems;

/// The phase of a PE in its fold.
const fn phase(activity: Activity) -> &'static str {
    match activity {
        Activity::Unmapped => "padding",
        Activity::Loading => "load",
        Activity::Waiting => "fill",
        Activity::Useful | Activity::OnPadding => "steady",
        Activity::Done => "drain",
        Activity::Stalled => "stall",
    }
}

pub(crate) fn command(arguments: &mut Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let unit = arguments.unit()?;
    let (gemm, operands) = matrix::operands(arguments, unit.dtype())?;
    let schedule = arguments.schedule(gemm)?;
    let last = schedule.last_cycle();
    let given = arguments.value("at").unwrap_or("all");
    let cycles = match given {
        "all" => 0..=last.get(),
        text => {
            let cycle = text.parse::<u64>().ok().filter(|&cycle| cycle <= last.get());
            let cycle = cycle.ok_or_else(|| Problems::one(format!("--at = {text}: allowed is all or 0 to {last}.")))?;
            cycle..=cycle
        }
    };
    let as_json = arguments.choice("format", &["csv", "json"])? == "json";
    let prober = Prober::new(&schedule, &operands, unit);
    if !as_json {
        writeln!(out, "cycle,row,col,a,b,psum,phase,fold")?;
    }
    for cycle in cycles.map(Cycle) {
        let fold = schedule.locate(cycle).fold.index;
        for pe in schedule.array().iter() {
            let probe = prober.at(cycle, pe);
            let text = |element: Option<Element>| element.map(|element| exact(element.value, Notation::Decimal));
            let (a, b) = (text(probe.operand(Operand::A)), text(probe.operand(Operand::B)));
            let psum = probe.sum.map(|sum| exact(sum.value, Notation::Decimal));
            let (row, col, phase) = (pe.row, pe.col, phase(probe.activity));
            if as_json {
                // One object a line, so that a reader can stream it too.
                let line = json!({
                    "cycle": cycle.get(), "row": row, "col": col, "a": a, "b": b, "psum": psum,
                    "phase": phase, "fold": fold,
                });
                writeln!(out, "{line}")?;
            } else {
                let (a, b, psum) = (a.unwrap_or_default(), b.unwrap_or_default(), psum.unwrap_or_default());
                writeln!(out, "{cycle},{row},{col},{a},{b},{psum},{phase},{fold}")?;
            }
        }
    }
    Ok(())
}
