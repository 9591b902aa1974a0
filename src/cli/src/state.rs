//! `systolic state`: every register of a cycle, or of all cycles.

use std::io::Write;

use serde_json::json;
use systolic::{Activity, Cycle, Design, Element, Hold, Operand, Overlap, Prober, Registers, Schedule, Value};

use crate::arguments::Arguments;
use crate::matrix;
use crate::number::{Notation, exact};
use crate::problem::{Problem, Problems, Usable};
use crate::progress::Progress;

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

/// A register by its column's name.
type Named = (&'static str, fn(&Registers) -> Option<Value>);

/// The registers that only this design has.
fn more_registers(schedule: &Schedule) -> Vec<Named> {
    let Design { overlap, pipeline, .. } = schedule.design();
    let overlapped = overlap == Overlap::DoubleBuffered;
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let mut named: Vec<Named> = vec![];
    if overlapped && flows {
        named.push(("shadow", |registers| registers.shadow));
    }
    if pipeline.product_register {
        named.push(("product", |registers| registers.product));
    }
    if pipeline.two_registers_south {
        named.push(("passing", |registers| registers.passing));
    }
    if overlapped && schedule.drain_cycles().get() > 0 {
        named.push(("set_aside", |registers| registers.drained));
    }
    named
}

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let unit = arguments.unit()?;
    let (gemm, operands) = matrix::operands(arguments, unit.dtype())?;
    let schedule = arguments.schedule(gemm)?;
    let last = schedule.last_cycle();
    let given = arguments.value("at").unwrap_or("all");
    let cycles = match given {
        "all" => 0..=last.get(),
        text => {
            let cycle = text.parse::<u64>().ok().filter(|&cycle| cycle <= last.get());
            let cycle = cycle.ok_or_else(|| Problem::option("at", text, Usable::Cycle { last: last.get() }))?;
            cycle..=cycle
        }
    };
    let as_json = arguments.choice("format", &["csv", "json"])? == "json";
    let prober = Prober::new(&schedule, &operands, unit);
    let more = more_registers(&schedule);
    if !as_json {
        let names: String = more.iter().map(|(name, _)| format!(",{name}")).collect();
        writeln!(out, "cycle,row,col,a,b,psum,phase,fold{names}")?;
    }
    let mut progress = Progress::new("cycles", Some(last.get() + 1));
    for cycle in cycles.map(Cycle) {
        progress.at(cycle.get());
        for pe in schedule.array().iter() {
            let fold = schedule.fold_at(cycle, pe).index;
            let probe = prober.at(cycle, pe);
            let registers = if more.is_empty() { Registers::default() } else { prober.registers(cycle, pe) };
            let more =
                more.iter().map(|(name, of)| (name, of(&registers).map(|value| exact(value, Notation::Decimal))));
            let text = |element: Option<Element>| element.map(|element| exact(element.value, Notation::Decimal));
            let (a, b) = (text(probe.operand(Operand::A)), text(probe.operand(Operand::B)));
            let psum = probe.sum.map(|sum| exact(sum.value, Notation::Decimal));
            let (row, col, phase) = (pe.row, pe.col, phase(probe.activity));
            if as_json {
                // One object a line, so that a reader can stream it too.
                let mut line = json!({
                    "cycle": cycle.get(), "row": row, "col": col, "a": a, "b": b, "psum": psum,
                    "phase": phase, "fold": fold,
                });
                more.for_each(|(name, value)| line[*name] = json!(value));
                writeln!(out, "{line}")?;
            } else {
                let (a, b, psum) = (a.unwrap_or_default(), b.unwrap_or_default(), psum.unwrap_or_default());
                let more: String = more.map(|(_, value)| format!(",{}", value.unwrap_or_default())).collect();
                writeln!(out, "{cycle},{row},{col},{a},{b},{psum},{phase},{fold}{more}")?;
            }
        }
    }
    Ok(())
}
