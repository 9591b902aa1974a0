//! `systolic trace`: writes every element that crosses a port.

use std::io::Write;

use systolic::{Cycle, Operand};

use crate::arguments::Arguments;
use crate::design;
use crate::problem::Problems;
use crate::progress::Progress;

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let schedule = design::schedule(arguments, arguments.gemm()?)?;
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
