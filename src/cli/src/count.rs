//! `systolic count`: a table of runs in, the same table with its counts out.

use std::io::{self, Write};

use csv::StringRecord;
use systolic::{ArrayShape, Dataflow, Design, Gemm, Padding, RangeError, Schedule, Slot};

use crate::arguments::Arguments;
use crate::design;
use crate::problem::{self, Problems};
use crate::progress::Progress;

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

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let design = design::design(arguments)?;
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
    let mut progress = Progress::new("rows", None);
    for (row, record) in (1u64..).zip(reader.records()) {
        let record = match problem::record(record)? {
            Ok(record) => record,
            Err(problems) => {
                sentences.extend(problems.in_row(row));
                continue;
            }
        };
        match counted(&record, columns, overlap, design) {
            Ok(added) => {
                // Columns this command does not know pass through; a short row is filled up.
                let padded = record.iter().chain(std::iter::repeat("")).take(header.len()).map(str::to_owned);
                writer.write_record(padded.chain(added))?;
            }
            Err(problems) => sentences.extend(problems.in_row(row)),
        }
        progress.at(row);
    }
    writer.flush()?;
    Problems::all(sentences)
}

fn counted(
    record: &StringRecord,
    columns: [usize; 6],
    overlap: Option<usize>,
    design: Design,
) -> Result<Vec<String>, Problems> {
    let text = |index: usize| record.get(index).unwrap_or("");
    let number = |index: usize, max: u64| {
        let given = text(columns[index]);
        let named = || {
            let (name, given, max) = (NEEDED[index], plain::cut(given), plain::grouped(max));
            Problems::one(format!("{name} = {given}: allowed are whole numbers from 1 to {max}."))
        };
        given.parse::<u64>().ok().filter(|value| (1..=max).contains(value)).ok_or_else(named)
    };
    let dim = |index: usize| number(index, Gemm::DIM_MAX);
    let side = |index: usize| number(index, ArrayShape::SIDE_MAX);
    let gemm = Gemm::new(dim(0)?, dim(2)?, dim(1)?)?;
    let array = ArrayShape::new(side(3)?, side(4)?)?;
    let name = text(columns[5]);
    let dataflow = Dataflow::from_id(name)
        .ok_or_else(|| Problems::one(format!("dataflow = {}: allowed is ws, os or is.", plain::cut(name))))?;
    // The column has the last word; an empty field leaves it to the option.
    let design = match overlap.map(text).filter(|text| !text.is_empty()) {
        Some(text) => Design { overlap: design::overlap("overlap", text)?, ..design },
        None => design,
    };
    let schedule = Schedule::new(gemm, array, dataflow, Padding::Ragged).and_then(|schedule| schedule.with(design));
    let schedule = schedule.map_err(|error: RangeError| {
        Problems::one(format!("the run has too many PE-cycles to count: allowed are {}.", plain::grouped(error.max)))
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
