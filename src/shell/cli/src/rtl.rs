//! `systolic rtl`: writes the array as SystemVerilog files to a folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Arg, Args};
use rtl::{Refusal, Rtl};
use studio::Link;
use systolic::{Adder, Dtype, Fill, MacUnit, Run};

use crate::design::{DesignOptions, Placement};
use crate::link::{link, session};
use crate::matrix::Matrices;
use crate::options::{Adding, Decimals, Format, Sizes};
use crate::problem::{FileProblem, Problem, Problems};
use crate::words::rtl as words;

/// Writes the array as SystemVerilog with a testbench.
///
/// Writes SystemVerilog files into a folder. The files describe the PE, the array, the skew, the feeders and the
/// sequencers. The folder also contains the matrices of the run and a testbench. The testbench checks C and every
/// register at every clock edge, in Verilator or Icarus. The file `systolic_model.vcd` has the same registers as
/// waveforms. Prints how many registers and bits a PE has. Works only for int8 and int4. With --gemm, the command fills
/// the matrices as the web page does: small values with seed 7.
#[derive(Args, Debug)]
#[command(override_usage = "systolic rtl [LINK] --out DIR [OPTIONS]", mut_args(instead_of_link))]
pub(crate) struct Options {
    /// The address of the page, or the part of the address from the ? on.
    #[arg(value_parser = link)]
    link: Option<Link>,
    #[command(flatten)]
    sizes: Option<Sizes>,
    /// The folder for the SystemVerilog files, existing or new. Existing files with the same names are replaced.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    matrices: Option<Matrices>,
    #[command(flatten)]
    placement: Option<Placement>,
    #[command(flatten)]
    format: Option<Format>,
    #[command(flatten)]
    adding: Adding,
    #[command(flatten)]
    decimals: Decimals,
    #[command(flatten)]
    design: DesignOptions,
}

/// A link contains all settings of a run. Without a link, the run needs an array, and either sizes or matrices.
fn instead_of_link(option: Arg) -> Arg {
    if option.is_positional() || option.get_id() == "out" {
        return option;
    }
    let option = option.conflicts_with("link").required(false);
    match option.get_id().as_str() {
        "a" | "b" => option.conflicts_with("gemm").required_unless_present_any(["link", "gemm"]),
        "array" | "dataflow" | "dtype" => option.required_unless_present("link"),
        _ => option,
    }
}

/// Prefix of module and file names.
pub(crate) const PREFIX: &str = "systolic_";
/// Fill of the matrices on the first screen of the page.
const FILL: Fill = Fill::Small { seed: 7 };

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let Options { design, decimals, out: folder, .. } = options;
    if let Some(refusal) = refused(options.adding.adder(), options.format.as_ref().map(|format| format.dtype)) {
        return Err(Problem::Hardware(refusal).into());
    }
    match options {
        Options { matrices: Some(matrices), placement: Some(array), format: Some(Format { dtype }), .. } => {
            let (gemm, operands) = matrices.operands(*dtype, decimals.decimal)?;
            written(&Run::new(array.schedule(gemm, design)?, operands, MacUnit::new(*dtype))?, folder, out)
        }
        Options { sizes: Some(sizes), placement: Some(array), format: Some(Format { dtype }), .. } => {
            written(&Run::filled(array.schedule(sizes.gemm, design)?, FILL, *dtype), folder, out)
        }
        // The parser accepts a command line without these options only if the command line has a link.
        Options { link, .. } => {
            let (session, _) = session(&link.clone().unwrap_or_default(), "rtl")?;
            written(session.plan.run(), folder, out)
        }
    }
}

/// Returns the reason why an adder cannot be written as hardware, in any format.
fn refused(adder: Adder, dtype: Option<Dtype>) -> Option<Refusal> {
    let rule = dtype.and_then(|dtype| adder.rule(dtype));
    let rule = rule.or_else(|| adder.formats().find_map(|dtype| adder.rule(dtype)))?;
    Some(Refusal::Adder { adder, block: rule.block() })
}

fn written(run: &Run, folder: &Path, out: &mut impl Write) -> Result<(), Problems> {
    let (schedule, unit) = (run.schedule(), run.unit());
    let rtl = Rtl::new(run).map_err(Problem::Hardware)?;
    let files = rtl.files(PREFIX);
    let refused = |error| Problem::File {
        option: "out",
        path: folder.display().to_string(),
        why: FileProblem::Unwritable(error),
    };
    fs::create_dir_all(folder).map_err(refused)?;
    for file in &files {
        put(&folder.join(&file.name), &file.text).map_err(refused)?;
    }
    writeln!(out, "{}", words::wrote(files.len(), &folder.to_string_lossy()))?;
    for line in ::words::hardware::storage(schedule, unit) {
        writeln!(out, "{line}")?;
    }
    if !rtl.has_registers() {
        writeln!(out, "{}", words::no_registers(schedule.pe_cycles().get()))?;
    }
    writeln!(out, "{}", words::RUN)?;
    Ok(())
}

/// Writes a file under a temporary name, and then renames the file to `path`. An existing file at `path` is replaced
/// whole or not at all. A link at `path` is replaced, not followed.
fn put(path: &Path, text: &str) -> std::io::Result<()> {
    let part = path.with_extension("part");
    // A run that was stopped can leave this file. Usually, no such file exists.
    let _ = fs::remove_file(&part);
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // Only the first error is reported.
        let _ = fs::remove_file(&part);
    }
    written
}
