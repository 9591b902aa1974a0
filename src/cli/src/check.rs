//! `systolic check`: predicts every published run with constants that were fitted without the data of the same
//! publication.

use std::io::Write;

use perfmodel::left_out::{self, Judged, ShareFrom, Verdict};

use crate::arguments::Arguments;
use crate::problem::Problems;

/// Values of `--by`, which groups the list of runs.
const BY: [&str; 3] = ["publication", "class", "run"];
const OF_A_PUBLICATION: [&str; 9] = [
    "publication",
    "verified",
    "runs",
    "mean_error_points",
    "within_2.5_points",
    "within_5_points",
    "inside_interval",
    "coverage_pct",
    "mean_width_points",
];
const OF_A_CLASS: [&str; 5] = ["constant_of", "publications", "runs", "interval_log", "interval_factor"];
const OF_A_RUN: [&str; 9] =
    ["publication", "model", "chip", "chips", "constant_of", "measured_mfu_pct", "mfu_pct", "low", "high"];
/// Name of the row that summarizes all verified runs.
const ALL: &str = "all";

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let mut writer = csv::Writer::from_writer(out);
    match arguments.choice("by", &BY)? {
        "class" => by_class(&mut writer)?,
        "run" => by_run(&mut writer)?,
        _ => by_publication(&mut writer)?,
    }
    Ok(writer.flush()?)
}

fn by_publication<W: Write>(writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    let judged = left_out::judged();
    writer.write_record(OF_A_PUBLICATION)?;
    let mut names: Vec<&str> = judged.iter().map(|run| left_out::publication(run.row)).collect();
    names.dedup();
    for name in names {
        let runs: Vec<Judged> = judged.iter().filter(|run| left_out::publication(run.row) == name).copied().collect();
        let is_verified = runs.iter().all(|run| left_out::is_verified(run.row));
        writer.write_record(verdict(name, is_verified, &runs))?;
    }
    let verified: Vec<Judged> = judged.into_iter().filter(|run| left_out::is_verified(run.row)).collect();
    Ok(writer.write_record(verdict(ALL, true, &verified))?)
}

fn verdict(name: &str, is_verified: bool, runs: &[Judged]) -> [String; 9] {
    let of = Verdict::of(runs);
    [
        name.to_owned(),
        if is_verified { "yes" } else { "no" }.to_owned(),
        of.runs.to_string(),
        tenths(of.mean_error),
        of.within_2_5.to_string(),
        of.within_5.to_string(),
        of.held.to_string(),
        tenths(of.coverage_percent()),
        tenths(of.mean_width),
    ]
}

fn by_class<W: Write>(writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    writer.write_record(OF_A_CLASS)?;
    for (from, spread) in ShareFrom::ALL.into_iter().zip(left_out::spreads(&left_out::verified())) {
        let (log, factor) = (format!("{:.3}", spread.log), format!("{:.2}", spread.log.exp()));
        let counts = [spread.publications, spread.runs].map(|count| count.to_string());
        let cells = [from.id().to_owned()].into_iter().chain(counts).chain([log, factor]);
        writer.write_record(cells)?;
    }
    Ok(())
}

fn by_run<W: Write>(writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    writer.write_record(OF_A_RUN)?;
    for run in left_out::judged() {
        let chips = run.row.chips.map_or_else(String::new, |chips| chips.to_string());
        let names = [left_out::publication(run.row), run.row.model, run.row.chip, &chips, run.from.id()];
        let numbers = [run.measured, run.predicted, run.interval.0, run.interval.1].map(|one| format!("{one:.2}"));
        writer.write_record(names.map(str::to_owned).into_iter().chain(numbers))?;
    }
    Ok(())
}

fn tenths(value: f64) -> String {
    format!("{value:.1}")
}
