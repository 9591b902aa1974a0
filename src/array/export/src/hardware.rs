//! Export of the array as SystemVerilog: a ZIP with modules, matrices, a testbench, and the registers of a short run. A
//! second export has only the registers, as waveforms. The exported array is fault-free, even if the link names a
//! fault.

use std::io;

pub use rtl::Refusal;
use rtl::{Pieces, Rtl};
use studio::Plan;

use crate::zip_file::ZipFile;

/// Maximum number of PE-cycles in a run whose registers are exported. With more PE-cycles, the page would freeze.
pub const REGISTERS_MAX: u64 = 1 << 14;

/// Prefix of module and file names, as in `systolic rtl`.
const PREFIX: &str = "systolic_";

/// Checks that the array of a run can be written as hardware.
///
/// # Errors
/// Fails if the adder is not f32, if the number format is not an integer format, if the run has a matrix c, or if the
/// run is too large.
pub fn check(plan: &Plan) -> Result<(), Refusal> {
    rtl(plan).map(|_| ())
}

fn rtl(plan: &Plan) -> Result<Rtl<'_>, Refusal> {
    Rtl::new(plan.run()).map(|rtl| rtl.with_registers_up_to(REGISTERS_MAX))
}

/// Returns the registers of every PE as waveforms, one scope for each PE. `None` if the run has more than
/// [`REGISTERS_MAX`] PE-cycles.
///
/// # Errors
/// Fails in the same cases as [`check`].
pub fn waveforms(plan: &Plan) -> Result<Option<String>, Refusal> {
    waveforms_up_to(plan, REGISTERS_MAX)
}

/// Variant of [`waveforms`] with a limit of `pe_cycles` PE-cycles.
pub(crate) fn waveforms_up_to(plan: &Plan, pe_cycles: u64) -> Result<Option<String>, Refusal> {
    Ok(rtl(plan)?.with_registers_up_to(pe_cycles).waveforms(PREFIX))
}

/// Returns a writer that produces the files of the ZIP in pieces.
pub(crate) fn pieces(plan: &Plan) -> Result<Pieces, Refusal> {
    Ok(Pieces::new(&rtl(plan)?, PREFIX))
}

/// Adds the next piece to the ZIP. Returns the number of matrix rows that the ZIP already contains and the total number
/// of matrix rows, or `None` after the last piece.
pub(crate) fn add(plan: &Plan, pieces: &mut Pieces, zip: &mut ZipFile) -> io::Result<Option<(u64, u64)>> {
    let piece = rtl(plan).ok().and_then(|rtl| pieces.next(&rtl));
    let Some(piece) = piece else { return Ok(None) };
    if let Some(name) = piece.begins {
        zip.begin(&name)?;
    }
    zip.write(&piece.text)?;
    Ok(Some(piece.rows))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read as _};
    use std::sync::Arc;

    use super::*;
    use crate::{File, Job, Limits, Refused};
    use studio::{Link, Session};
    use systolic::{Adder, Dtype};
    use zip::ZipArchive;

    fn folder(plan: &Plan) -> Result<Vec<u8>, Refused> {
        let mut out = Vec::new();
        let plan = Arc::new(plan.clone());
        let mut job = Job::new(File::Hardware, plan, Link::default(), (1200.0, 800.0), Limits::TAB)?;
        while !job.step(&mut out).expect("memory takes it").is_done() {}
        Ok(out)
    }

    #[test]
    fn the_folder_has_what_the_command_line_writes() {
        let plan = Plan::default();
        let packed = folder(&plan).expect("integers");
        let mut zip = ZipArchive::new(Cursor::new(packed)).expect("a ZIP");
        let files = Rtl::new(plan.run()).expect("integers").files(PREFIX);
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
    fn a_long_run_is_written_whole_in_many_pieces_with_growing_progress() {
        let link = Link::parse("rows=4&cols=4&m=9000&k=4&n=4&dt=int8", "");
        let plan = Session::open(&link).0.plan;
        let mut job =
            Job::new(File::Hardware, Arc::clone(&plan), link, (1200.0, 800.0), Limits::TAB).expect("integers");
        let (mut out, mut n_steps, mut done) = (Vec::new(), 0, 0);
        loop {
            let made = job.step(&mut out).expect("memory takes it");
            if made.is_done() {
                break;
            }
            n_steps += 1;
            assert!(made.done >= done && made.done <= made.all, "{made:?}");
            done = made.done;
        }
        // The files of the west, of C and of A have 9000 rows each. The files of B and of the north have 4 rows each.
        assert!(n_steps > 15 && done == 3 * 9000 + 2 * 4, "{n_steps} {done}");
        let mut zip = ZipArchive::new(Cursor::new(out)).expect("a ZIP");
        let mut text = |name: &str| {
            let mut text = String::new();
            zip.by_name(name).expect(name).read_to_string(&mut text).expect("text");
            text
        };
        let c: Vec<String> = plan
            .run()
            .result()
            .iter()
            .map(|sum| match sum {
                systolic::Value::Int(sum) => format!("{sum:08x}"),
                systolic::Value::Float(_) => String::new(),
            })
            .collect();
        assert!(text("systolic_c.hex").lines().eq(c.iter().map(String::as_str)));
        assert_eq!((text("systolic_west.hex").lines().count(), text("systolic_a.csv").lines().count()), (9000, 9000));
    }

    #[test]
    fn floats_adders_of_chips_and_c_are_refused_and_a_long_run_has_no_registers() {
        let plan = |query: &str| Session::open(&Link::parse(query, "")).0.plan;
        assert_eq!(check(&plan("dt=bf16")), Err(Refusal::Format(Dtype::Bf16)));
        let adder = Refusal::Adder { adder: Adder::H100, block: 16 };
        assert_eq!(check(&plan("dt=bf16&adder=h100")), Err(adder));
        let start = Session::open(&Link::parse("rows=2&cols=2", "a=1,2;3,4&b=5,6;7,8&c=1,0;0,1")).0.plan;
        assert_eq!(check(&start), Err(Refusal::StartsFromC));
        let long = folder(&plan("rows=16&cols=16&m=200&k=16&n=16")).expect("integers");
        let mut zip = ZipArchive::new(Cursor::new(long)).expect("a ZIP");
        assert!(zip.by_name("systolic_tb.sv").is_ok() && zip.by_name("systolic_model.vcd").is_err());
        assert_eq!(waveforms(&plan("rows=16&cols=16&m=200&k=16&n=16")), Ok(None));
    }
}
