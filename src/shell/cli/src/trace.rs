//! `systolic trace`: writes every element that crosses a port.

use std::io::Write;

use clap::Args;
use systolic::{Cycle, Dtype, MacUnit, Operand};

use crate::design::{DesignOptions, Placement};
use crate::options::{Adding, Sizes, with_adder};
use crate::problem::Problems;
use crate::progress::Progress;

/// Lists every element that crosses a port of the array.
///
/// Writes a line for every element that crosses a port, with the columns `cycle`, `operand`, `edge`, `port`, `i` and
/// `j`. The operand is A, B or O; O is a sum that leaves the array. The element is in row `i` and column `j` of its
/// matrix. Output-stationary sums that are read in place cross no port, so the list omits these sums.
#[derive(Args, Debug)]
#[command(override_usage = "systolic trace --gemm MxKxN --array RxC --dataflow D [OPTIONS]")]
#[command(mut_arg("adder", |adder| adder.requires("dtype")))]
pub(crate) struct Options {
    #[command(flatten)]
    sizes: Sizes,
    #[command(flatten)]
    placement: Placement,
    /// The number format, which --adder needs: f32, bf16, f16, tf32, e4m3fn, e5m2, e4m3b11fnuz, int8 or int4.
    #[arg(long, value_name = "T")]
    dtype: Option<Dtype>,
    #[command(flatten)]
    adding: Adding,
    #[command(flatten)]
    design: DesignOptions,
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    // Without an adder, the trace is the same for every format.
    let unit = options.adding.unit(MacUnit::new(options.dtype.unwrap_or(Dtype::F32)))?;
    let schedule = with_adder(options.placement.schedule(options.sizes.gemm, &options.design)?, unit)?;
    writeln!(out, "cycle,operand,edge,port,i,j")?;
    let mut progress = Progress::new("cycles", Some(schedule.cycles().get()));
    for cycle in (0..schedule.cycles().get()).map(Cycle) {
        progress.at(cycle.get());
        let mut written = Ok(());
        schedule.port_events(cycle, |event| {
            let operand = match event.operand {
                Operand::A => "A",
                Operand::B => "B",
                Operand::C => "O",
            };
            if written.is_ok() {
                let (edge, port) = (event.edge.id(), event.port);
                written = writeln!(out, "{cycle},{operand},{edge},{port},{},{}", event.i, event.j);
            }
        });
        written?;
    }
    Ok(())
}
