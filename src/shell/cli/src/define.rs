//! `systolic define`: prints the definitions of measures in the words of the page.

use std::io::Write;

use clap::Args;
use perfmodel::definition::Definition;

use crate::problem::{Problems, Usable};
use crate::words::{IN_SCALE_SIM, LEAVES_OUT, SOURCE};

/// Defines a measure: formula, exclusions, source.
///
/// Writes the definition of a measure: its formula, its exclusions and its source. Without MEASURE, writes all
/// definitions.
#[derive(Args, Debug)]
pub(crate) struct Options {
    /// The measure, e.g. utilization.
    #[arg(value_parser = measure)]
    measure: Option<&'static Definition>,
}

fn measure(id: &str) -> Result<&'static Definition, Usable> {
    Definition::by_id(id).ok_or_else(|| Usable::one_of(Definition::all().map(|definition| definition.id)))
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    match options.measure {
        Some(measure) => Ok(print(measure, out)?),
        None => Ok(Definition::all().try_for_each(|definition| print(definition, out))?),
    }
}

fn print(definition: &Definition, out: &mut impl Write) -> std::io::Result<()> {
    let Definition { id, name, formula, says, leaves_out, source } = definition;
    writeln!(out, "{name} ({id})\n  = {formula}\n  {says}")?;
    if let Some(other) = definition.in_scale_sim() {
        writeln!(out, "  {IN_SCALE_SIM}{other}")?;
    }
    writeln!(out, "  {LEAVES_OUT}{leaves_out}\n  {SOURCE}{}\n", source.citation())
}
