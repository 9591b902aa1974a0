//! `systolic rtl`: writes the array as SystemVerilog files to a folder.

use std::fs;
use std::io::Write;
use std::path::Path;

use rtl::Rtl;
use systolic::{Fill, MacUnit, Run};

use crate::arguments::Arguments;
use crate::design;
use crate::problem::{Problem, Problems, Usable};
use crate::words::rtl as words;
use crate::{link, matrix};

/// Prefix of module and file names.
pub(crate) const PREFIX: &str = "systolic_";
/// Fill of the matrices on the first screen of the page.
const FILL: Fill = Fill::Small { seed: 7 };

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let folder = arguments.needed("out", Usable::Folder)?;
    if arguments.word(0).is_some() {
        let beside = arguments.command.options().into_iter().filter(|name| *name != "out");
        if let Some(name) = beside.into_iter().find(|name| arguments.value(name).is_some() || arguments.flag(name)) {
            return Err(Problem::LinkBesideOption(name).into());
        }
        let (session, _) = link::session(arguments)?;
        return written(session.plan.run(), folder, out);
    }
    let dtype = arguments.dtype_of("dtype")?;
    let run = match (arguments.value("gemm"), arguments.first_of(&["a", "b"])) {
        (Some(_), Some(_)) => return Err(Problem::Either("--gemm", "--a and --b").into()),
        (Some(_), None) => Run::filled(design::schedule(arguments, arguments.gemm()?)?, FILL, dtype),
        (None, _) => {
            let (gemm, operands) = matrix::operands(arguments, dtype)?;
            Run::new(design::schedule(arguments, gemm)?, operands, MacUnit::new(dtype))?
        }
    };
    written(&run, folder, out)
}

fn written(run: &Run, folder: &str, out: &mut impl Write) -> Result<(), Problems> {
    let (schedule, unit) = (run.schedule(), run.unit());
    let rtl = Rtl::new(run).map_err(Problem::Hardware)?;
    let files = rtl.files(PREFIX);
    let refused = |error| Problem::Folder { path: folder.to_owned(), error };
    fs::create_dir_all(folder).map_err(refused)?;
    for file in &files {
        put(&Path::new(folder).join(&file.name), &file.text).map_err(refused)?;
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

/// Writes a file under a temporary name, and then renames it. A file of this name is replaced whole or not at all, and a
/// link of this name is replaced, not followed.
fn put(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    // A run that was stopped can leave this file. Usually, no such file exists.
    let _ = fs::remove_file(&part);
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&part);
    }
    written
}
