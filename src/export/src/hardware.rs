//! The array as SystemVerilog, in a ZIP: modules, matrices, a testbench, and the registers of a short run; and the registers
//! alone, as waveforms. The machine is the sound one, whatever defect a link names.

use std::io::{Cursor, Write};

pub use rtl::Refusal;
use rtl::Rtl;
use studio::Plan;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// PE-cycles of a run whose registers are put in: a page that writes more of them would stand still.
pub const REGISTERS_MAX: u64 = 1 << 14;

/// What begins the names of modules and files, as `systolic rtl` has them.
const PREFIX: &str = "systolic_";

/// Whether the array of a run can be hardware.
///
/// # Errors
/// The format is no integer, or the run is too large; the refusal is one sentence.
pub fn check(plan: &Plan) -> Result<(), Refusal> {
    rtl(plan).map(|_| ())
}

fn rtl(plan: &Plan) -> Result<Rtl<'_>, Refusal> {
    Rtl::new(plan.schedule(), plan.operands(), plan.unit()).map(|rtl| rtl.with_registers_up_to(REGISTERS_MAX))
}

/// The registers of every PE as waveforms, one scope for each; `None` where the run has more than [`REGISTERS_MAX`]
/// PE-cycles.
///
/// # Errors
/// As [`check`].
pub fn waveforms(plan: &Plan) -> Result<Option<String>, Refusal> {
    waveforms_up_to(plan, REGISTERS_MAX)
}

/// Waveforms, as [`waveforms`] makes them, with another limit of PE-cycles.
pub(crate) fn waveforms_up_to(plan: &Plan, pe_cycles: u64) -> Result<Option<String>, Refusal> {
    Ok(rtl(plan)?.with_registers_up_to(pe_cycles).waveforms(PREFIX))
}

/// The folder; `None` where the ZIP cannot hold it.
///
/// # Errors
/// As [`check`].
pub fn folder(plan: &Plan) -> Result<Option<Vec<u8>>, Refusal> {
    let files = rtl(plan)?.files(PREFIX);
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let packed = files.iter().try_for_each(|file| {
        zip.start_file(file.name.as_str(), options)?;
        Ok(zip.write_all(file.text.as_bytes())?)
    });
    let packed: zip::result::ZipResult<()> = packed;
    Ok(packed.and_then(|()| zip.finish()).map(Cursor::into_inner).ok())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use studio::{Link, Session};
    use systolic::Dtype;
    use zip::ZipArchive;

    #[test]
    fn the_folder_has_what_the_command_line_writes() {
        let plan = Plan::default();
        let packed = folder(&plan).expect("integers").expect("small");
        let mut zip = ZipArchive::new(Cursor::new(packed)).expect("a ZIP");
        let files = Rtl::new(plan.schedule(), plan.operands(), plan.unit()).expect("integers").files(PREFIX);
        assert_eq!(zip.len(), files.len());
        let waves = files.iter().find(|file| file.name == "systolic_model.vcd").map(|file| file.text.clone());
        assert!(waves.is_some() && waveforms(&plan) == Ok(waves));
        for file in files {
            let mut text = String::new();
            zip.by_name(&file.name).expect("there").read_to_string(&mut text).expect("text");
            assert!(text == file.text, "{}", file.name);
        }
    }

    #[test]
    fn floats_are_refused_and_a_long_run_has_no_registers() {
        let plan = |query: &str| Session::open(&Link::parse(query, "")).0.plan;
        assert_eq!(check(&plan("dt=bf16")), Err(Refusal::Format(Dtype::Bf16)));
        let long = folder(&plan("rows=16&cols=16&m=200&k=16&n=16")).expect("integers").expect("small");
        let mut zip = ZipArchive::new(Cursor::new(long)).expect("a ZIP");
        assert!(zip.by_name("systolic_tb.sv").is_ok() && zip.by_name("systolic_model.vcd").is_err());
        assert_eq!(waveforms(&plan("rows=16&cols=16&m=200&k=16&n=16")), Ok(None));
    }
}
