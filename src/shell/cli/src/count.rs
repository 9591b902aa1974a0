//! `systolic count`: reads a table of runs, and adds columns with counts of cycles, reads, writes and PE-cycles.

use std::io::{self, Write};

use clap::Args;
use csv::StringRecord;
use plain::Decimal;
use systolic::{ArrayShape, Dataflow, Design, Gemm, Overlap, Padding, RangeError, Schedule, Slot};

use crate::design::DesignOptions;
use crate::header::{self, Header, Table, whole};
use crate::options::Decimals;
use crate::problem::{self, Problem, Problems, Usable, each};
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

/// Counts the cycles of a table of runs.
///
/// Reads a table with a run in each row. Required columns are `M`, `N`, `K`, `R`, `C` (rows and columns of the array)
/// and `dataflow`. The columns `overlap` and `batch` are optional; the matmuls of a batch run one after the other. The
/// order of the columns and the case of their names do not matter. Appends the columns `cycles`, `folds`,
/// `mapping_efficiency_pct`, `utilization_pct`, `a_reads`, `b_reads` and `c_writes`. Also appends the PE-cycles of each
/// class: `useful`, `padding`, `load`, `fill`, `drain` and `stall`. These classes add up to R·C·cycles. All other
/// columns of the table are kept.
#[derive(Args, Debug)]
#[command(override_usage = "systolic count [OPTIONS] < cases.csv")]
pub(crate) struct Options {
    #[command(flatten)]
    decimals: Decimals,
    #[command(flatten)]
    design: DesignOptions,
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let design = options.design.design();
    let Table { mut reader, delimiter, decimal } = header::table(io::stdin().lock(), options.decimals.decimal)?;
    let header = Header::new(reader.headers()?.clone());
    let columns = header.needed(&NEEDED)?;
    let (overlap, batch) = (header.index("overlap")?, header.batch()?);
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
    writer.write_record(header.names().chain(ADDED))?;
    let mut wrong = Vec::new();
    let mut progress = Progress::new("rows", None);
    for (row, record) in (1u64..).zip(reader.records()) {
        let record = match problem::record(record)? {
            Ok(record) => record,
            Err(problem) => {
                wrong.push(problem.in_row(row));
                continue;
            }
        };
        let batch = header::batch(&record, decimal, batch);
        match batch.and_then(|batch| counted(&record, decimal, columns, overlap, design, batch)) {
            Ok(added) => {
                // Unknown columns pass through unchanged. Short rows are padded with empty fields.
                let padded = record.iter().chain(std::iter::repeat("")).take(header.len()).map(str::to_owned);
                writer.write_record(padded.chain(added))?;
            }
            Err(problems) => wrong.extend(problems.0.into_iter().map(|problem| problem.in_row(row))),
        }
        progress.at(row);
    }
    writer.flush()?;
    Problems::all(wrong)
}

fn counted(
    record: &StringRecord,
    decimal: Option<Decimal>,
    columns: [usize; 6],
    overlap: Option<usize>,
    design: Design,
    batch: u64,
) -> Result<Vec<String>, Problems> {
    let text = |index: usize| record.get(index).unwrap_or("");
    let number = |index: usize, most: u64| {
        let given = text(columns[index]);
        whole(given, decimal, most).map_err(|usable| Problem::column(NEEDED[index], given, usable))
    };
    let dim = |index: usize| number(index, Gemm::DIM_MAX);
    let side = |index: usize| number(index, ArrayShape::SIDE_MAX);
    let name = text(columns[5]);
    let dataflow =
        Dataflow::from_id(name).ok_or_else(|| Problem::column(NEEDED[5], name, Usable::one_of(Dataflow::NAMES)));
    // The column overrides the option. An empty field means the option's value.
    let overlap = match overlap.map(text).filter(|text| !text.is_empty()) {
        Some(text) => {
            Overlap::from_id(text).ok_or_else(|| Problem::column("overlap", text, Usable::one_of(Overlap::NAMES)))
        }
        None => Ok(design.overlap),
    };
    let numbers = each([dim(0), dim(1), dim(2), side(3), side(4)]);
    let ([m, n, k, rows, cols], dataflow, overlap) = match (numbers, dataflow, overlap) {
        (Ok(numbers), Ok(dataflow), Ok(overlap)) => (numbers, dataflow, overlap),
        // A row reports all of its problems.
        (numbers, dataflow, overlap) => {
            let numbers = numbers.err().into_iter().flat_map(|problems| problems.0);
            return Err(Problems(numbers.chain(dataflow.err()).chain(overlap.err()).collect()));
        }
    };
    let design = Design { overlap, ..design };
    let (gemm, array) = (Gemm::new(m, k, n)?, ArrayShape::new(rows, cols)?);
    let schedule = Schedule::new(gemm, array, dataflow, Padding::Ragged).and_then(|schedule| schedule.with(design));
    let schedule = schedule.map_err(|error: RangeError| Problem::TooManyPeCycles { most: error.max })?;
    // The matmuls of a batch run one after the other. No other count is as large as the number of PE-cycles, so only
    // this number is checked.
    let most = Schedule::PE_CYCLES_MAX;
    if schedule.pe_cycles().get().checked_mul(batch).is_none_or(|pe_cycles| pe_cycles > most) {
        return Err(Problem::TooManyPeCycles { most }.into());
    }
    let (tally, traffic) = (schedule.tally(), schedule.edge_traffic());
    let percent = |share: f64| plain::percent(share).to_string();
    let all = |count: u64| (count * batch).to_string();
    let mut added = vec![
        all(schedule.cycles().get()),
        all(schedule.folds()),
        percent(schedule.mapping_efficiency()),
        percent(tally.utilization()),
        all(traffic.a_reads.get()),
        all(traffic.b_reads.get()),
        all(traffic.c_writes.get()),
    ];
    added.extend(Slot::ALL.map(|slot| all(tally.get(slot).get())));
    Ok(added)
}
