//! `systolic state`: writes every register at one cycle or at all cycles.

use std::io::Write;

use export::registers::Table;
use systolic::{Cycle, Run};

use crate::arguments::Arguments;
use crate::design;
use crate::matrix;
use crate::problem::{Problem, Problems, Usable};
use crate::progress::Progress;

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let unit = arguments.unit()?;
    let (gemm, operands) = matrix::operands(arguments, unit.dtype())?;
    let run = Run::new(design::schedule(arguments, gemm)?, operands, unit)?;
    let last = run.schedule().last_cycle();
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
    let table = Table::new(run.schedule(), run.prober());
    if !as_json {
        table.write_head(out)?;
    }
    let mut progress = Progress::new("cycles", Some(last.get() + 1));
    for cycle in cycles.map(Cycle) {
        progress.at(cycle.get());
        if as_json { table.write_json(cycle, out)? } else { table.write_csv(cycle, out)? }
    }
    Ok(())
}
