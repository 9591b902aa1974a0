//! `systolic define`: the measures, each with the words of the page.

use std::io::Write;

use perfmodel::definition::Definition;

use crate::arguments::Arguments;
use crate::problem::Problems;

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let Some(id) = arguments.word(0) else {
        return Ok(Definition::all().try_for_each(|definition| print(definition, out))?);
    };
    let ids = || Definition::all().map(|definition| definition.id).collect::<Vec<_>>().join(", ");
    let found = Definition::by_id(id);
    let definition =
        found.ok_or_else(|| Problems::one(format!("measure = {}: allowed are {}.", plain::cut(id), ids())))?;
    Ok(print(definition, out)?)
}

fn print(definition: &Definition, out: &mut impl Write) -> std::io::Result<()> {
    let Definition { id, name, formula, says, leaves_out, source } = definition;
    writeln!(out, "{name} ({id})\n  = {formula}\n  {says}")?;
    if let Some(other) = definition.in_scale_sim() {
        writeln!(out, "  In SCALE-Sim: {other}")?;
    }
    writeln!(out, "  Leaves out: {leaves_out}\n  Source: {}\n", source.text)
}
