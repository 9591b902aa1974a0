//! `systolic time`: reads a table of matmuls, and writes their predicted times on a chip, or the errors of the
//! predictions.

use std::collections::HashMap;
use std::io::{self, Write};

use clap::Args;
use csv::StringRecord;
use display::words::format;
use estimate::{Entry, Question};
use perfmodel::gemm_time::accuracy::interval;
use perfmodel::gemm_time::left_out::{self, LeftOut, Measured};
use perfmodel::gemm_time::{GemmTime, ProductOnChip, Rung, tpu_v4};
use perfmodel::{Chip, Format, GemmSizes, MfuRefusal, Per};
use plain::Decimal;
use systolic::Gemm;

use crate::entries::help;
use crate::header::{self, Header, Table, whole};
use crate::options::{Decimals, one_of};
use crate::problem::{self, Problem, Problems, Usable, each};
use crate::progress::Progress;
use crate::words;

const NEEDED: [&str; 3] = ["M", "N", "K"];
/// Columns with the prediction. The MFU is a share of the peak of the format in `runs_as`.
const ADDED: [&str; 5] = ["time_us", "mfu_pct", "bound", "eta_tile", "runs_as"];
/// Columns with the lower and upper end of the 80% interval of `time_us`.
const BOUNDS: [&str; 2] = ["low_us", "high_us"];
/// Columns of a table of errors.
const ERRORS: [&str; 7] = ["group", "rows", "mape_pct", "median_pct", "p90_pct", "bias_pct", "worst_pct"];
/// Columns that `--left-out` adds to a table of errors.
const INTERVAL: [&str; 4] = ["interval_log", "interval_factor", "inside_interval", "coverage_pct"];

/// Predicts the times of a table of matmuls on a chip.
///
/// Reads a table with the columns `M`, `N` and `K`. The column `batch` is optional; the matmuls of a batch run one
/// after the other. Appends five columns. The column `time_us` is the predicted time of each row in microseconds. The
/// column `mfu_pct` is the MFU in percent: model FLOPs divided by the time and by the peak of the chip. The column
/// `bound` is the longest part of the time: compute, memory, reload (operands are loaded into the arrays again and
/// converted) or launch. If compute is the longest part and the chip also waits for memory for at least a fifth of the
/// compute time, the column is “compute and memory in turn”. The column `eta_tile` is N · K divided by the same product
/// after N and K are padded to the columns and rows of the array. If a field needs a value that is not published, the
/// field is empty or unknown. A TPU computes f32 in bf16 passes; see --passes. If a chip has no rate for another
/// format, the chip uses a wider format. The column `runs_as` is the format in which the chip multiplies. The MFU is a
/// share of the peak of this format. With --ladder, also writes the factors from the chip's peak to the achieved rate:
/// `format`, `arrays`, `tiles`, `load`, `fill-drain`, `unexplained`, `reload`, `memory` and `launch`. The product of
/// these factors is the MFU. With --against, writes the errors of the predicted times in percent, instead of the times.
/// The errors are relative to a column of measured microseconds, which --against names. Writes the number of rows, the
/// mean, median and 90th percentile of the absolute errors, the bias, and the worst error. With --by, writes these
/// errors for each value of another column. The constants and their sources are in the Rust module
/// `perfmodel::gemm_time`. With --bounds, also writes `low_us` and `high_us`, the ends of the 80 % interval of the
/// time. The ends are empty if no matmuls of this kind were measured. With --left-out, leaves out one group of matmuls
/// at a time, and fits the constants to the other groups. All matmuls of a group have the same largest dimension. Then
/// predicts the times of the group that was left out. Writes the errors of these predictions, and the interval that is
/// computed from the errors.
#[derive(Args, Debug)]
#[command(override_usage = "systolic time --chip ID --dtype T [OPTIONS] < gemms.csv")]
pub(crate) struct Options {
    #[arg(long, value_name = "ID", help = help(Entry::Chip))]
    chip: String,
    #[arg(long, value_name = "VALUES", help = help(Entry::Own))]
    own: Option<String>,
    #[arg(long, value_name = "T", help = help(Entry::Dtype))]
    dtype: String,
    #[arg(long, value_name = "N", help = help(Entry::Passes))]
    passes: Option<String>,
    /// The unit that computes each matmul: chip, or core if the number of cores of the chip is known. Default: chip.
    #[arg(long, value_name = "P", default_value = "chip", hide_default_value = true)]
    #[arg(value_parser = |text: &str| one_of(text, [("chip", Per::Chip), ("core", Per::Core)]))]
    per: Per,
    /// The name of the column with the measured microseconds. Writes the errors of the predicted times, not the times.
    #[arg(long, value_name = "COLUMN")]
    against: Option<String>,
    /// The name of a column: rows with the same value form a group. Writes the errors of each group.
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// Leaves out one group of shapes at a time, fits the constants to the other groups, and measures the error on the
    /// group that was left out. Works only with --against, --chip tpu-v4 and --dtype f16.
    #[arg(long)]
    left_out: bool,
    /// Adds the factors that lead from the peak of the chip to the achieved rate of each matmul.
    #[arg(long)]
    ladder: bool,
    /// Adds the 80 % interval of each time, in the columns `low_us` and `high_us`.
    #[arg(long, conflicts_with = "against")]
    bounds: bool,
    #[command(flatten)]
    decimals: Decimals,
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let question = options.question()?;
    let (chip, format) = (question.chip.as_ref(), question.format());
    let Options { per, ladder: with_ladder, bounds: with_bounds, left_out: leaves_out, .. } = *options;
    let Table { mut reader, delimiter, decimal } = header::table(io::stdin().lock(), options.decimals.decimal)?;
    let header = Header::new(reader.headers()?.clone());
    let named = |option: &'static str, given: &Option<String>| {
        let missing = |name: &str| Problem::option(option, name, Usable::ColumnName);
        let column = |name: &str| header.index(name)?.ok_or_else(|| missing(name));
        given.as_deref().map(column).transpose()
    };
    let (columns, batch) = (header.needed(&NEEDED)?, header.batch()?);
    let (against, by) = (named("against", &options.against)?, named("by", &options.by)?);
    options.check(&question, per)?;
    let mut errors = Groups::new();
    let mut of_groups: Vec<(String, Measured)> = Vec::new();
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
    if against.is_none() {
        let ladder = Rung::ALL.map(Rung::id).into_iter().filter(|_| with_ladder);
        let bounds = BOUNDS.into_iter().filter(|_| with_bounds);
        writer.write_record(header.names().chain(ADDED).chain(bounds).chain(ladder))?;
    }
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
        // The matmuls of a batch run one after the other.
        let batch = header::batch(&record, decimal, batch);
        let product = batch.and_then(|batch| Ok((product(&record, decimal, columns)?, batch as f64)));
        let ladder = match &product {
            Ok((product, _)) if with_ladder => rungs(chip, format, *product),
            _ => Vec::new(),
        };
        let sizes = product.as_ref().ok().copied();
        let time = product.and_then(|(product, _)| Ok(predicted(chip, format, product, per)?));
        let added = match (time, against) {
            (Ok(time), Some(column)) => measured(&record, decimal, column, options.against.as_deref()).map(|us| {
                let group = by.and_then(|by| record.get(by)).unwrap_or("all");
                match (sizes, time) {
                    (Some((product, batch)), _) if leaves_out => {
                        of_groups.push((group.to_owned(), Measured { product, us: us / batch }));
                    }
                    (Some((_, batch)), Some(time)) => errors.add(group, time.total.0 * batch * 1e6 / us - 1.0),
                    _ => {}
                }
                None
            }),
            (Ok(time), None) => Ok(Some(time)),
            (Err(problems), _) => Err(problems),
        };
        match added {
            Ok(Some(time)) => {
                let padded = record.iter().chain(std::iter::repeat("")).take(header.len()).map(str::to_owned);
                let us = sizes.zip(time).map(|((product, batch), time)| (product, time.total.0 * batch * 1e6));
                let ends = us.and_then(|(product, us)| interval(chip, format.dtype, per, product, us));
                let bounds = ends.map_or_else(Default::default, |(low, high)| [low, high].map(significant));
                let bounds = bounds.into_iter().filter(|_| with_bounds);
                writer.write_record(padded.chain(fields(time, us.map(|(_, us)| us))).chain(bounds).chain(ladder))?;
            }
            Ok(None) => {}
            Err(problems) => wrong.extend(problems.0.into_iter().map(|problem| problem.in_row(row))),
        }
        progress.at(row);
    }
    if leaves_out {
        write_left_out(&of_groups, &mut writer)?;
    } else if against.is_some() {
        write_errors(errors, &mut writer)?;
    }
    writer.flush()?;
    Problems::all(wrong)
}

impl Options {
    /// Fails if an option cannot be used with the other options.
    fn check(&self, question: &Question, per: Per) -> Result<(), Problem> {
        let is_against = self.against.is_some();
        let is_fitted = tpu_v4::applies_to(&question.chip, question.format().dtype, per);
        let (option, with) = match () {
            () if self.by.is_some() && !is_against => ("by", words::MEASURED_COLUMN),
            () if self.ladder && (is_against || per != Per::Chip) => ("ladder", words::PER_CHIP),
            () if self.left_out && !(is_against && is_fitted) => ("left-out", words::FITTED_CHIP),
            () => return Ok(()),
        };
        Err(Problem::WorksOnly(option, with))
    }

    /// Reads the chip and the format, with the user's own values for the chip.
    fn question(&self) -> Result<Question, Problems> {
        let needed = [(Entry::Chip, self.chip.as_str()), (Entry::Dtype, &self.dtype)];
        let own = self.own.as_deref().map(|own| (Entry::Own, own));
        let passes = self.passes.as_deref().map(|passes| (Entry::Passes, passes));
        let (question, invalid) = Question::from_entries(needed.into_iter().chain(own).chain(passes));
        Problems::of_options(invalid)?;
        Ok(question)
    }
}

fn product(record: &StringRecord, decimal: Option<Decimal>, columns: [usize; 3]) -> Result<GemmSizes, Problems> {
    let side = |index: usize| {
        let given = record.get(columns[index]).unwrap_or("");
        whole(given, decimal, Gemm::DIM_MAX).map_err(|usable| Problem::column(NEEDED[index], given, usable))
    };
    let [m, n, k] = each([side(0), side(1), side(2)])?;
    Ok(GemmSizes { m, n, k })
}

fn measured(
    record: &StringRecord,
    decimal: Option<Decimal>,
    column: usize,
    name: Option<&str>,
) -> Result<f64, Problems> {
    let given = record.get(column).unwrap_or("");
    let one_reading = || Problem::column(name.unwrap_or(""), given, Usable::OneReading);
    let number = plain::with_point(given, decimal).ok_or_else(one_reading)?;
    let found = number.parse().ok().filter(|us: &f64| us.is_finite() && *us > 0.0);
    Ok(found.ok_or_else(|| Problem::column(name.unwrap_or(""), given, Usable::Microseconds))?)
}

/// Predicts the time of a matmul. `None` if the maker of the chip has not published an input.
fn predicted(chip: &Chip, format: Format, product: GemmSizes, per: Per) -> Result<Option<GemmTime>, Problem> {
    match GemmTime::new(chip, format, product, per) {
        Ok(time) => Ok(Some(time)),
        Err(MfuRefusal::Unknown { .. }) => Ok(None),
        Err(refusal) => Err(Problem::Time(refusal)),
    }
}

/// Returns the efficiency factors from the chip's peak to the rate of the matmul. The cells are empty if an input is not
/// published.
fn rungs(chip: &Chip, format: Format, product: GemmSizes) -> Vec<String> {
    match ProductOnChip::new(chip, format, product) {
        Ok(on) => on.steps.map(|step| significant(step.factor)).into(),
        Err(_) => vec![String::new(); Rung::ALL.len()],
    }
}

fn fields(time: Option<GemmTime>, us: Option<f64>) -> [String; 5] {
    let (Some(time), Some(us)) = (time, us) else { return ["", "", "unknown", "", ""].map(str::to_owned) };
    [
        significant(us),
        time.mfu.map_or_else(|_| String::new(), |mfu| significant(mfu.ratio * 100.0)),
        time.limit().word().to_owned(),
        time.eta_tile.map_or_else(String::new, |eta| eta.to_string()),
        format::runs_as(&time.as_run),
    ]
}

/// Formats a number with six digits. These are more digits than the accuracy of a predicted time justifies, but fewer
/// than an `f64` prints.
fn significant(value: f64) -> String {
    let magnitude = value.abs().log10().floor();
    let digits = if value == 0.0 { 0.0 } else { (5.0 - magnitude).clamp(0.0, 40.0) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 40")]
    let digits = digits as usize;
    format!("{value:.digits$}")
}

/// Values in named groups. The groups keep the order of their first rows.
#[derive(Debug)]
struct Groups<T> {
    groups: Vec<(String, Vec<T>)>,
    places: HashMap<String, usize>,
}

impl<T> Groups<T> {
    fn new() -> Self {
        Self { groups: Vec::new(), places: HashMap::new() }
    }

    fn add(&mut self, group: &str, one: T) {
        let place = match self.places.get(group) {
            Some(&place) => place,
            None => {
                self.places.insert(group.to_owned(), self.groups.len());
                self.groups.push((group.to_owned(), Vec::new()));
                self.groups.len() - 1
            }
        };
        if let Some((_, all)) = self.groups.get_mut(place) {
            all.push(one);
        }
    }
}

fn write_errors<W: Write>(errors: Groups<f64>, writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    writer.write_record(ERRORS)?;
    for (group, errors) in errors.groups {
        writer.write_record(summary(group, &errors))?;
    }
    Ok(())
}

/// Writes the errors of predictions. Each prediction uses constants that were fitted without the predicted group of
/// shapes.
fn write_left_out<W: Write>(rows: &[(String, Measured)], writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    writer.write_record(ERRORS.into_iter().chain(INTERVAL))?;
    let all: Vec<Measured> = rows.iter().map(|(_, measured)| *measured).collect();
    let mut groups = Groups::new();
    for ((name, _), one) in rows.iter().zip(left_out::left_out(&all)) {
        groups.add(name, one);
    }
    for (name, of) in groups.groups {
        let errors: Vec<f64> = of.iter().map(LeftOut::error).collect();
        let interval = left_out::interval(&of).map_or_else(Default::default, |found| {
            let coverage = 100.0 * found.held as f64 / of.len() as f64;
            let (log, factor) = (format!("{:.3}", found.log), format!("{:.2}", found.log.exp()));
            [log, factor, found.held.to_string(), format!("{coverage:.1}")]
        });
        writer.write_record(summary(name, &errors).into_iter().chain(interval))?;
    }
    Ok(())
}

/// Returns a row of the table of errors.
fn summary(group: String, errors: &[f64]) -> [String; 7] {
    let n = errors.len() as f64;
    let bias = errors.iter().sum::<f64>() / n;
    let mut sizes: Vec<f64> = errors.iter().map(|error| error.abs()).collect();
    sizes.sort_by(f64::total_cmp);
    let mean = sizes.iter().sum::<f64>() / n;
    // Smallest error such that at least this percentage of the rows have no larger error.
    let at = |percent: usize| sizes[(sizes.len() * percent).div_ceil(100).max(1) - 1];
    let [mean, median, p90, bias, worst] =
        [mean, at(50), at(90), bias, at(100)].map(|one| format!("{:.2}", one * 100.0));
    [group, errors.len().to_string(), mean, median, p90, bias, worst]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_for_each_of_many_rows_is_found_by_its_name_and_stays_in_order() {
        // With a search through all groups for each row, this test would run for minutes.
        const N: u32 = 200_000;
        let mut groups = Groups::new();
        for round in 0..2 {
            for row in 0..N {
                groups.add(&row.to_string(), round);
            }
        }
        assert_eq!(groups.groups.len(), N as usize);
        let in_order = (0..N).zip(&groups.groups).all(|(row, (name, all))| *name == row.to_string() && *all == [0, 1]);
        assert!(in_order);
    }
}
