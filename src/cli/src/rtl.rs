//! `systolic rtl`: the array as SystemVerilog, in a folder.

use std::fs;
use std::io::Write;
use std::path::Path;

use rtl::Rtl;
use systolic::{Fill, Gemm, MacUnit, Matrix, Operands, Schedule};

use crate::arguments::Arguments;
use crate::design;
use crate::problem::{Problem, Problems, Usable};
use crate::words::rtl as words;
use crate::{link, matrix};

/// What begins the names of modules and files.
pub(crate) const PREFIX: &str = "systolic_";
/// The numbers of the page's first screen.
const FILL: Fill = Fill::Small { seed: 7 };

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let folder = arguments.needed("out", Usable::Folder)?;
    if arguments.word(0).is_some() {
        let beside = arguments.command.options().into_iter().filter(|name| *name != "out");
        if let Some(name) = beside.into_iter().find(|name| arguments.value(name).is_some() || arguments.flag(name)) {
            return Err(Problem::LinkBesideOption(name).into());
        }
        let (session, _) = link::session(arguments)?;
        let plan = &session.plan;
        return written(plan.schedule(), plan.operands(), plan.unit(), folder, out);
    }
    let unit = MacUnit::new(arguments.dtype_of("dtype")?);
    let (gemm, operands) = match (arguments.value("gemm"), arguments.first_of(&["a", "b"])) {
        (Some(_), Some(_)) => return Err(Problem::Either("--gemm", "--a and --b").into()),
        (Some(_), None) => filled(arguments.gemm()?, unit),
        (None, _) => matrix::operands(arguments, unit.dtype())?,
    };
    written(&design::schedule(arguments, gemm)?, &operands, unit, folder, out)
}

/// A product whose matrices are the page's.
fn filled(gemm: Gemm, unit: MacUnit) -> (Gemm, Operands) {
    let matrix = |rows, cols, salt| Matrix::new(rows, cols, FILL, salt, unit.dtype());
    (gemm, Operands { a: matrix(gemm.m(), gemm.k(), 0), b: matrix(gemm.k(), gemm.n(), 1) })
}

fn written(
    schedule: &Schedule,
    operands: &Operands,
    unit: MacUnit,
    folder: &str,
    out: &mut impl Write,
) -> Result<(), Problems> {
    let rtl = Rtl::new(schedule, operands, unit).map_err(Problem::Hardware)?;
    let files = rtl.files(PREFIX);
    let refused = |error| Problem::Folder { path: folder.to_owned(), error };
    fs::create_dir_all(folder).map_err(refused)?;
    for file in &files {
        fs::write(Path::new(folder).join(&file.name), &file.text).map_err(refused)?;
    }
    writeln!(out, "{}", words::wrote(files.len(), folder))?;
    for line in ::words::hardware::storage(schedule, unit) {
        writeln!(out, "{line}")?;
    }
    if !rtl.has_registers() {
        writeln!(out, "{}", words::no_registers(schedule.pe_cycles().get()))?;
    }
    writeln!(out, "{}", words::RUN)?;
    Ok(())
}
