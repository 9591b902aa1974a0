//! Text in exported files, with the names and descriptions of these files.

use display::number::grouped;

use crate::{File, Progress, Unit};

/// Requirements on a document that contains the LaTeX picture.
pub(crate) const NEEDS_TIKZ: &str = "Needs \\usepackage{tikz} and a UTF-8 document.";
/// Name of the trace tracks that show folds.
pub(crate) const FOLDS: &str = "folds";
/// Name of the trace tracks that show the phases of folds.
pub(crate) const PHASES: &str = "phases";
/// Name of the phase that loads the stationary operand.
pub(crate) const LOAD: &str = "load";
/// Name of the phase that follows loading and lasts until the end of the fold.
pub(crate) const STREAM: &str = "stream and drain";
/// Name of the counter that shows the number of PEs that multiply.
pub(crate) const AT_WORK: &str = "PEs at work";
/// Name of the count of PEs that multiply elements of the matrices.
pub(crate) const USEFUL: &str = "useful";
/// Name of the count of PEs that multiply zeros of padding.
pub(crate) const ON_PADDING: &str = "on padding";
/// Unit of time in a trace.
pub(crate) const UNIT: &str = "1 cycle = 1 us";

/// Name of a fold, by its number from 0.
pub(crate) fn fold(index: u64) -> String {
    format!("fold {index}")
}

/// Display name of a file format.
#[must_use]
pub const fn name(file: File) -> &'static str {
    match file {
        File::Svg => "SVG",
        File::Png => "PNG",
        File::Tikz => "TikZ",
        File::Frames => "ZIP of SVG",
        File::Film => "GIF",
        File::Video => "WebM",
        File::Csv => "CSV",
        File::Json => "JSON",
        File::Trace => "Trace",
        File::Waveforms => "VCD",
        File::Hardware => "SystemVerilog",
    }
}

/// Describes the content of a file, such as "whole run, 16 frames". `drawn` is the number of cycles in the file, and
/// may be less than `cycles`.
#[must_use]
pub fn content(file: File, cycles: u64, drawn: u64, lines: u64) -> String {
    let of_run = |what: &str| match drawn < cycles {
        true => format!("the first {} of {} cycles", grouped(drawn), grouped(cycles)),
        false => format!("whole run, {} {what}", grouped(cycles)),
    };
    match file {
        File::Svg => "this cycle, sharp at any size".to_owned(),
        File::Png => "this cycle, in pixels".to_owned(),
        File::Tikz => "this cycle, for LaTeX".to_owned(),
        File::Frames => of_run("drawings"),
        File::Film => format!("{}, up to 50 per second", of_run("frames")),
        File::Video => format!("{}, for video players", of_run("frames")),
        File::Csv => format!("every register, {} lines", grouped(lines)),
        File::Json => format!("every register, {} objects", grouped(lines)),
        File::Trace => "folds and phases, for trace viewers".to_owned(),
        File::Waveforms => "every register, for waveform viewers".to_owned(),
        File::Hardware => "this array, with a testbench".to_owned(),
    }
}

/// Describes the progress of a file that is made in pieces.
#[must_use]
pub fn progress(progress: Progress) -> String {
    let unit = match progress.unit {
        Unit::Cycles => "cycle",
        Unit::Rows => "row",
    };
    format!("{unit} {} of {}", grouped(progress.done), grouped(progress.all))
}
