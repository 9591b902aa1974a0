//! `systolic count`: a table of runs in, the same table with its counts out.

use std::io::{self, IsTerminal as _, Write};

use csv::StringRecord;
use systolic::{ArrayShape, Dataflow, Gemm, Padding, RangeError, Schedule, Slot};

use crate::arguments::Arguments;
use crate::problem::Problems;

const NEEDED: [&str; 6] = ["M", "N", "K", "R", "C", "dataflow"];
const ADDED: [&str; 13] = [
    "cycles",
    "folds",
    "mapping_efficiency_pct",
    "utilization_pct",
    "a_reads",
    "b_reads",
    "c_writes",
    "useful",
    "padding",
    "load",
    "fill",
    "drain",
    "stall",
];

/// Rows between two reports of progress.
const REPORT_EVERY: u64 = 100_000;

pub(crate) fn command(_arguments: &mut Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(io::stdin().lock());
    let header = reader.headers()?.clone();
    let place =
        |name: &str| header.iter().position(|column| column.trim_start_matches('\u{feff}').eq_ignore_ascii_case(name));
    let mut columns = [0; 6];
    let mut missing = Vec::new();
    for (column, name) in columns.iter_mut().zip(NEEDED) {
        match place(name) {
            Some(index) => *column = index,
            None => missing.push(format!("column {name} is missing: needed are {}.", NEEDED.join(", "))),
        }
    }
    Problems::all(missing)?;
    let overlap = place("overlap");
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(header.iter().chain(ADDED))?;
    let mut sentences = Vec::new();
    let progress = io::stderr().is_terminal();
    for (row, record) in (1u64..).zip(reader.records()) {
        let record = record?;
        match counted(&record, columns, overlap) {
            Ok(added) => {
                // Columns this command does not know pass through; a short row is filled up.
                let padded = record.iter().chain(std::iter::repeat("")).take(header.len()).map(str::to_owned);
                writer.write_record(padded.chain(added))?;
            }
            Err(problems) => sentences.extend(problems.in_row(row)),
        }
        if progress && row % REPORT_EVERY == 0 {
            let _ = write!(io::stderr(), "\r{row} rows");
        }
    }
    writer.flush()?;
    Problems::all(sentences)
}

fn counted(record: &StringRecord, columns: [usize; 6], overlap: Option<usize>) -> Result<Vec<String>, Problems> {
    let text = |index: usize| record.get(index).unwrap_or("");
    let number = |index: usize, max: u64| {
        let given = text(columns[index]);
        let named =
            || Problems::one(format!("{} = {given}: allowed are whole numbers from 1 to {max}.", NEEDED[index]));
        given.parse::<u64>().ok().filter(|value| (1..=max).contains(value)).ok_or_else(named)
    };
    let dim = |index: usize| number(index, Gemm::DIM_MAX);
    let side = |index: usize| number(index, ArrayShape::SIDE_MAX);
    let gemm = Gemm::new(dim(0)?, dim(2)?, dim(1)?)?;
    let array = ArrayShape::new(side(3)?, side(4)?)?;
    let name = text(columns[5]);
    let dataflow =
        Dataflow::from_id(name).ok_or_else(|| Problems::one(format!("dataflow = {name}: allowed is ws, os or is.")))?;
    let overlap = overlap.map_or("", text);
    if !matches!(overlap, "" | "none") {
        return Err(Problems::one(format!("overlap = {overlap}: allowed is none.")));
    }
    let schedule = Schedule::new(gemm, array, dataflow, Padding::Ragged).map_err(|error: RangeError| {
        Problems::one(format!("the run has too many PE-cycles to count: allowed are {}.", error.max))
    })?;
    let (tally, traffic) = (schedule.tally(), schedule.traffic());
    let percent = |share: f64| (share * 100.0).to_string();
    let mut added = vec![
        schedule.cycles().to_string(),
        schedule.folds().to_string(),
        percent(schedule.mapping_efficiency()),
        percent(tally.utilization()),
        traffic.a_reads.to_string(),
        traffic.b_reads.to_string(),
        traffic.c_writes.to_string(),
    ];
    added.extend(Slot::ALL.map(|slot| tally.get(slot).to_string()));
    Ok(added)
}
