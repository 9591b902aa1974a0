//! `systolic state`: writes every register at one cycle or at all cycles.

use std::io::Write;

use clap::{Args, ValueEnum};
use export::registers::Table;
use systolic::{Cycle, Run};

use crate::design::{DesignOptions, Placement};
use crate::matrix::{Matrices, Start};
use crate::options::{Arithmetic, Decimals, with_adder};
use crate::problem::{Problem, Problems, Usable};
use crate::progress::Progress;

/// Writes the registers of every PE.
///
/// Writes a row for every PE, with its registers just after a clock edge. The columns are `cycle`, `row`, `col`, `a`,
/// `b`, `psum`, `phase` and `fold`. A field is empty if its register is empty. If the design needs other registers too,
/// the table also has their columns: `shadow`, `product`, `passing` or `drained`.
#[derive(Args, Debug)]
#[command(override_usage = "systolic state --a A.csv --b B.csv --array RxC --dataflow D --dtype T [OPTIONS]")]
pub(crate) struct Options {
    #[command(flatten)]
    matrices: Matrices,
    #[command(flatten)]
    start: Start,
    #[command(flatten)]
    placement: Placement,
    #[command(flatten)]
    arithmetic: Arithmetic,
    /// The output format: csv, or json with one object per line.
    #[arg(long, value_name = "F", value_enum, default_value_t, hide_default_value = true, hide_possible_values = true)]
    format: Format,
    #[command(flatten)]
    decimals: Decimals,
    /// The cycle to show, just after its clock edge, or the word all, which is the default.
    #[arg(long, value_name = "CYCLE", default_value = "all", hide_default_value = true)]
    at: String,
    #[command(flatten)]
    design: DesignOptions,
}

/// Format of the registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
enum Format {
    #[default]
    Csv,
    Json,
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let unit = options.arithmetic.unit()?;
    let (dtype, decimal) = (unit.dtype(), options.decimals.decimal);
    let (gemm, operands) = options.matrices.operands(dtype, decimal)?;
    let operands = options.start.add_to(operands, gemm, dtype, decimal)?;
    let schedule = with_adder(options.placement.schedule(gemm, &options.design)?, unit)?;
    let run = Run::new(schedule, operands, unit)?;
    let last = run.schedule().last_cycle();
    // The maximum depends on the run.
    let cycles = match options.at.as_str() {
        "all" => 0..=last.get(),
        text => {
            let cycle = text.parse::<u64>().ok().filter(|&cycle| cycle <= last.get());
            let cycle = cycle.ok_or_else(|| Problem::option("at", text, Usable::Cycle { last: last.get() }))?;
            cycle..=cycle
        }
    };
    let as_json = options.format == Format::Json;
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
