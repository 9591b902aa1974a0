//! `systolic define`: prints the definitions of measures in the words of the page.

use std::io::Write;

use perfmodel::definition::Definition;

use crate::arguments::Arguments;
use crate::problem::{Name, Problem, Problems, Usable};
use crate::words::{IN_SCALE_SIM, LEAVES_OUT, SOURCE};

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let Some(id) = arguments.word(0) else {
        return Ok(Definition::all().try_for_each(|definition| print(definition, out))?);
    };
    let definition = Definition::by_id(id).ok_or_else(|| {
        let usable = Usable::OneOf(Definition::all().map(|definition| definition.id).collect());
        Problem::Value { name: Name::Measure, given: id.to_owned(), usable }
    })?;
    Ok(print(definition, out)?)
}

fn print(definition: &Definition, out: &mut impl Write) -> std::io::Result<()> {
    let Definition { id, name, formula, says, leaves_out, source } = definition;
    writeln!(out, "{name} ({id})\n  = {formula}\n  {says}")?;
    if let Some(other) = definition.in_scale_sim() {
        writeln!(out, "  {IN_SCALE_SIM}{other}")?;
    }
    writeln!(out, "  {LEAVES_OUT}{leaves_out}\n  {SOURCE}{}\n", source.text)
}
