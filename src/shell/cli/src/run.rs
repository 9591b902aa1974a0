//! `systolic run`: multiplies two matrices exactly in the order of the array.

use std::io::Write;

use clap::Args;
use serde_json::{Map, Value as Json, json};
use systolic::{
    Accumulator, Dtype, ExactSum, Level, MacUnit, Operand, Passes, ResultFormat, Run, Schedule, Slot, Value,
};

use crate::design::{DesignOptions, Placement};
use crate::matrix::{Matrices, Start};
use crate::options::{Arithmetic, Decimals, Numbers, with_adder};
use crate::problem::{Problem, Problems};
use crate::progress::Progress;
use crate::schema;
use crate::words;
use export::exact;

/// Maximum number of results in memory. As text in one JSON object, this many results need several gigabytes.
const RESULTS_MAX: u64 = 1 << 24;

/// Computes a matmul bit for bit as the array does.
///
/// Writes C = A × B, bit for bit as the array computes C, in the array's order of accumulation. With --c, the sums start
/// from a matrix c. C can have at most 16777216 elements. With --ulp, writes the error of each element in units in the last place. With --json, writes the
/// figures of the run: the cycles, the PE-cycles by class, and the elements that are moved. Elements are counted at the
/// edge of the array, on the chip and off the chip.
#[derive(Args, Debug)]
#[command(override_usage = "systolic run --a A.csv --b B.csv --array RxC --dataflow D --dtype T [OPTIONS]")]
pub(crate) struct Options {
    #[command(flatten)]
    matrices: Matrices,
    #[command(flatten)]
    start: Start,
    #[command(flatten)]
    placement: Placement,
    #[command(flatten)]
    arithmetic: Arithmetic,
    #[command(flatten)]
    numbers: Numbers,
    #[command(flatten)]
    decimals: Decimals,
    /// The number of bf16 passes in which f32 is computed: 1, 3 or 6. Counts cycles and elements for all passes. Without
    /// this option, the PEs multiply f32 directly.
    #[arg(long, value_name = "N")]
    passes: Option<Passes>,
    /// The format of the results: sum (the format of the sums), bf16 or f16. Complete sums are rounded to nearest even.
    /// Integer results stay as they are. Default: sum.
    #[arg(long, value_name = "F")]
    results: Option<ResultFormat>,
    /// Writes the errors of the results in units in the last place, instead of the results. With --json, writes both.
    #[arg(long)]
    ulp: bool,
    /// Writes the whole report as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    design: DesignOptions,
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let (unit, passes) = (options.arithmetic.unit()?, options.passes);
    if passes.is_some() && unit != MacUnit::new(Dtype::F32) {
        return Err(Problem::WorksOnly("passes", words::F32_SUMS).into());
    }
    let (dtype, decimal) = (unit.dtype(), options.decimals.decimal);
    let (gemm, operands) = options.matrices.operands(dtype, decimal)?;
    let operands = options.start.add_to(operands, gemm, dtype, decimal)?;
    let (m, n) = (gemm.m(), gemm.n());
    if m.saturating_mul(n) > RESULTS_MAX {
        return Err(Problem::TooManyResults { m, n, most: RESULTS_MAX }.into());
    }
    let schedule = with_adder(options.placement.schedule(gemm, &options.design)?, unit)?;
    let run = Run::new(schedule, operands, unit)?;
    let notation = options.numbers.notation;
    let sums = match passes {
        None => {
            let mut progress = Progress::new("rows", Some(m));
            run.result_with(|done| progress.at(done))
        }
        Some(passes) => passes.product(run.schedule(), run.operands()),
    };
    let results = options.results.unwrap_or_default();
    let result: Vec<Value> = sums.into_iter().map(|sum| results.rounded(sum)).collect();
    let cols = usize::try_from(gemm.n()).unwrap_or(usize::MAX);
    let errors = options.ulp.then(|| errors(&run, &result, results));
    let ulps = |off: Option<f64>| off.map_or_else(|| "nan".to_owned(), |off| off.to_string());
    if options.json {
        let mut report = report(run.schedule(), unit, passes);
        report.insert("results".to_owned(), json!(results.id()));
        report.insert("results".to_owned(), json!(results.id()));
        report.insert("c".to_owned(), rows(&result, cols, |&value| exact(value, notation)));
        if let Some(errors) = errors {
            // Infinity and NaN have no error in ulp. If one result has no such error, the largest error is unknown.
            let worst = errors.iter().try_fold(0.0, |worst: f64, off| Some(worst.max((*off)?)));
            report.insert("largest_error_ulp".to_owned(), json!(worst));
            report.insert("errors_ulp".to_owned(), rows(&errors, cols, |&off| ulps(off)));
        }
        writeln!(out, "{:#}", schema::stamped("run", report))?;
        return Ok(());
    }
    match errors {
        Some(errors) => write_rows(out, &errors, cols, |&off| ulps(off)),
        None => write_rows(out, &result, cols, |&value| exact(value, notation)),
    }
}

/// Returns the values as a JSON array of rows. Each row is an array of texts.
fn rows<T>(all: &[T], cols: usize, text: impl Fn(&T) -> String) -> Json {
    Json::Array(all.chunks(cols).map(|row| row.iter().map(|one| Json::String(text(one))).collect()).collect())
}

/// Writes one row per line. Only one row at a time is in memory as text.
fn write_rows<T>(out: &mut impl Write, all: &[T], cols: usize, text: impl Fn(&T) -> String) -> Result<(), Problems> {
    for row in all.chunks(cols) {
        writeln!(out, "{}", row.iter().map(&text).collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

/// Returns the error of each result in ulp of the format of the results. The exact result is the sum of c and the exact
/// products of the stored operands. `None` for a result that has no error in ulp.
fn errors(run: &Run, result: &[Value], results: ResultFormat) -> Vec<Option<f64>> {
    let (gemm, operands, unit) = (run.schedule().gemm(), run.operands(), run.unit());
    let rounded = match results {
        ResultFormat::Sum => None,
        ResultFormat::Bf16 => Some(Accumulator::Bf16),
        ResultFormat::F16 => Some(Accumulator::F16),
    };
    // Integer results are not rounded, and integers have no such accumulator.
    let unit_of_result = rounded.and_then(|format| MacUnit::new(unit.dtype()).with_accumulator(format)).unwrap_or(unit);
    let start = |row: u64, col: u64| {
        let c = operands.at(Operand::C, (row, col));
        if unit.dtype().is_integer() { c } else { MacUnit::new(Dtype::F32).operand(c).as_f64() }
    };
    let stored = |operand: Operand, row: u64, col: u64| unit.operand(operands.at(operand, (row, col)));
    let places = (0..gemm.m()).flat_map(|m| (0..gemm.n()).map(move |n| (m, n)));
    let mut progress = Progress::new("errors", Some(gemm.m() * gemm.n()));
    (0..)
        .zip(places)
        .zip(result)
        .map(|((done, (m, n)), &value)| {
            progress.at(done);
            let mut sum = ExactSum::default();
            sum.add(start(m, n));
            (0..gemm.k()).for_each(|k| sum.add_product(stored(Operand::A, m, k), stored(Operand::B, k, n)));
            sum.ulps_off(value, unit_of_result)
        })
        .collect()
}

/// Returns the counts and settings of a run as JSON.
fn report(schedule: &Schedule, unit: MacUnit, passes: Option<Passes>) -> Map<String, Json> {
    let (gemm, tally, design) = (schedule.gemm(), schedule.tally(), schedule.design());
    let times = passes.map_or(1, Passes::count);
    let slots: Map<String, Json> =
        Slot::ALL.into_iter().map(|slot| (slot.id().to_owned(), json!(tally.get(slot).get() * times))).collect();
    let levels: Map<String, Json> = Level::ALL
        .into_iter()
        .map(|level| {
            let moved = schedule.memory_traffic(level);
            let elements = json!({
                "a_reads": moved.a_reads.get() * times, "b_reads": moved.b_reads.get() * times,
                "psum_reads": moved.psum_reads.get() * times, "psum_writes": moved.psum_writes.get() * times,
                "c_writes": moved.c_writes.get() * times,
            });
            (level.id().to_owned(), elements)
        })
        .collect();
    let report = json!({
        "m": gemm.m(), "k": gemm.k(), "n": gemm.n(),
        "rows": schedule.array().rows(), "cols": schedule.array().cols(),
        "dataflow": schedule.dataflow().id(), "overlap": design.overlap.id(),
        "dtype": unit.dtype().id(), "accumulator": unit.accumulator().id(), "adder": unit.adder().id(),
        "passes": passes.map(Passes::count),
        "cycles": schedule.cycles().get() * times, "folds": schedule.folds(),
        "utilization": tally.utilization(), "mapping_efficiency": schedule.mapping_efficiency(),
        "pe_cycles": slots, "elements": levels,
    });
    match report {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}
