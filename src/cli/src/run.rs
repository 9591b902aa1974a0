//! `systolic run`: multiplies two matrices exactly in the order of the array.

use std::io::Write;

use serde_json::{Map, Value as Json, json};
use systolic::{Dtype, ExactSum, Level, MacUnit, Operand, Passes, Run, Schedule, Slot, Value};

use crate::arguments::Arguments;
use crate::design;
use crate::matrix;
use crate::problem::{Problem, Problems, Usable};
use crate::progress::Progress;
use crate::schema;
use export::{Notation, exact};

/// Maximum number of results in memory. As texts in one JSON object, these results need some gigabytes.
const RESULTS_MAX: u64 = 1 << 24;

pub(crate) fn command(arguments: &Arguments, out: &mut impl Write) -> Result<(), Problems> {
    let unit = arguments.unit()?;
    let passes = passes(arguments, unit)?;
    let (gemm, operands) = matrix::operands(arguments, unit.dtype())?;
    let (m, n) = (gemm.m(), gemm.n());
    if m.saturating_mul(n) > RESULTS_MAX {
        return Err(Problem::TooManyResults { m, n, most: RESULTS_MAX }.into());
    }
    let run = Run::new(design::schedule(arguments, gemm)?, operands, unit)?;
    let notation = match arguments.choice("format", &["decimal", "hex"])? {
        "hex" => Notation::Hex,
        _ => Notation::Decimal,
    };
    let result = match passes {
        None => {
            let mut progress = Progress::new("rows", Some(m));
            run.result_with(|done| progress.at(done))
        }
        Some(passes) => passes.product(run.schedule(), run.operands()),
    };
    let cols = usize::try_from(gemm.n()).unwrap_or(usize::MAX);
    let errors = arguments.flag("ulp").then(|| errors(&run, &result));
    let ulps = |off: Option<f64>| off.map_or_else(|| "nan".to_owned(), |off| off.to_string());
    if arguments.flag("json") {
        let mut report = report(run.schedule(), unit, passes);
        report.insert("c".to_owned(), rows(&result, cols, |&value| exact(value, notation)));
        if let Some(errors) = errors {
            // Infinity and NaN have no error in ulp. If one result has no error, no error is the largest.
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

/// Reads `--passes 1|3|6`, which computes f32 matmuls on a bf16 array.
fn passes(arguments: &Arguments, unit: MacUnit) -> Result<Option<Passes>, Problem> {
    let Some(text) = arguments.value("passes") else { return Ok(None) };
    if unit != MacUnit::new(Dtype::F32) {
        return Err(Problem::PassesNeedF32);
    }
    let refused = || Problem::option("passes", text, Usable::OneOf(Passes::NAMES.to_vec()));
    Passes::from_id(text).map(Some).ok_or_else(refused)
}

/// Returns the error of each result in ulp. The exact result is the sum of the exact products of the stored operands.
/// `None` for a result that has no error in ulp.
fn errors(run: &Run, result: &[Value]) -> Vec<Option<f64>> {
    let (gemm, operands, unit) = (run.schedule().gemm(), run.operands(), run.unit());
    let stored = |operand: Operand, row: u64, col: u64| unit.operand(operands.at(operand, (row, col)));
    let places = (0..gemm.m()).flat_map(|m| (0..gemm.n()).map(move |n| (m, n)));
    let mut progress = Progress::new("errors", Some(gemm.m() * gemm.n()));
    (0..)
        .zip(places)
        .zip(result)
        .map(|((done, (m, n)), &value)| {
            progress.at(done);
            let mut sum = ExactSum::default();
            (0..gemm.k()).for_each(|k| sum.add_product(stored(Operand::A, m, k), stored(Operand::B, k, n)));
            sum.ulps_off(value, unit)
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
        "dtype": unit.dtype().id(), "accumulator": unit.accumulator().id(), "passes": passes.map(Passes::count),
        "cycles": schedule.cycles().get() * times, "folds": schedule.folds(),
        "utilization": tally.utilization(), "mapping_efficiency": schedule.mapping_efficiency(),
        "pe_cycles": slots, "elements": levels,
    });
    match report {
        Json::Object(map) => map,
        _ => Map::new(),
    }
}
