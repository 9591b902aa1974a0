//! An answer as JSON. The page and the command line give equal reports.

mod runs;

use super::bill_lines::bill;
use super::figures::{assumptions, figures};
use super::table::Row;
use display::figure::Figure;
use estimate::{Accuracy, Cost, Estimate, ModelAnswer, PartTime, RangeAccuracy, Serving, StepParts, rows};
use perfmodel::left_out::LEVEL;
use perfmodel::{CostLine, Evidence, Joules, Mfu, MfuRefusal};
use plain::OrEmpty;
use serde::Serialize;

use self::runs::{Runs, runs};
use super::{forecast, runs as words};

/// The answer about a model, with its inputs and assumptions. The fields have the same names and units as in the JSON.
#[derive(Debug, Serialize)]
struct Report {
    schema: &'static str,
    #[serde(flatten)]
    measures: Measures,
    figures: Vec<Figure>,
    bill: Bill,
    #[serde(skip_serializing_if = "Option::is_none")]
    versus: Option<Versus>,
    #[serde(flatten)]
    runs: Runs,
    nearest_runs: Vec<NearestRun>,
    products: Vec<Product>,
    errors_of_times: Option<Errors>,
    assumptions: Vec<Assumption>,
    data_as_of: &'static str,
}

/// A published training run that resembles the run of the report.
#[derive(Debug, Serialize)]
struct NearestRun {
    model: &'static str,
    chips: Option<u32>,
    sequence: Option<u32>,
    mfu_pct: Option<f64>,
    mfu_full_attention_pct: Option<f64>,
    source: &'static str,
}

#[derive(Debug, Serialize)]
struct Measures {
    model: String,
    mfu_pct: Option<f64>,
    hfu_pct: Option<f64>,
    step_time_s: f64,
    tokens_per_s: Option<f64>,
    tokens_per_step: Option<f64>,
    model_flops_per_chip_and_step: f64,
    executed_flops_per_chip_and_step: f64,
    weights: Option<f64>,
    usd_per_chip_hour: Option<f64>,
    usd_per_step: Option<f64>,
    usd_per_million_tokens: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step_parts: Option<Parts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    intervals: Option<Intervals>,
}

/// The time of a step of prefill or decode, split into its parts.
#[derive(Debug, Serialize)]
struct Parts {
    parts: Vec<Part>,
    bytes_read_per_chip: f64,
    memory_bandwidth_pct: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Part {
    part: &'static str,
    seconds: f64,
    bytes_read_per_chip: f64,
    memory_bandwidth_pct: Option<f64>,
}

/// Measures with an 80% interval.
#[derive(Debug, Serialize)]
struct Intervals {
    level_pct: f64,
    constant_of: &'static str,
    constant_from: &'static str,
    publications: usize,
    factor: f64,
    spread_log: f64,
    is_too_wide_for_one_number: bool,
    mfu_pct: Option<Ranged>,
    hfu_pct: Option<Ranged>,
    step_time_s: Option<Ranged>,
    tokens_per_s: Option<Ranged>,
    usd_per_step: Option<Ranged>,
    usd_per_million_tokens: Option<Ranged>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_usd: Option<Ranged>,
}

/// A value and the ends of its interval, in the unit that the name of the field gives.
#[derive(Debug, Serialize)]
struct Ranged {
    value: f64,
    low: f64,
    high: f64,
}

impl Ranged {
    fn of(value: Option<f64>, interval: impl FnOnce(f64) -> Option<(f64, f64)>) -> Option<Self> {
        let value = value?;
        let (low, high) = interval(value)?;
        Some(Self { value, low, high })
    }
}

#[derive(Debug, Serialize)]
struct Versus {
    chip: &'static str,
    #[serde(flatten)]
    measures: Measures,
    bill: Bill,
}

/// A cost breakdown: exact amounts, and the rounded table.
#[derive(Debug, Serialize)]
struct Bill {
    tokens: Option<f64>,
    is_a_day: bool,
    hours_of_useful_work: f64,
    useful_pflop_hours: f64,
    lines_usd: Lines,
    known_usd: f64,
    total_usd: Option<f64>,
    kwh: Option<f64>,
    kg_co2: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Vec<Figure>>,
}

/// Dollars by line, in the order of the cost breakdown.
#[derive(Debug)]
struct Lines([(&'static str, Option<f64>); CostLine::ALL.len()]);

impl Serialize for Lines {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0)
    }
}

#[derive(Debug, Serialize)]
struct Product {
    product: String,
    m: u64,
    k: u64,
    n: u64,
    count: u64,
    seconds: f64,
    share: f64,
    bound: &'static str,
    eta_tile: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Assumption {
    what: String,
    value: String,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Errors {
    BySize(Vec<RangeErrors>),
    Single(Vec<SingleError>),
}

#[derive(Debug, Serialize)]
struct RangeErrors {
    sides: &'static str,
    products_measured: u64,
    mape_pct: f64,
    median_pct: f64,
    p90_pct: f64,
    bias_pct: f64,
    worst_pct: f64,
    held_out_mape_pct: f64,
    left_out_mape_pct: Option<f64>,
    left_out_interval_factor: Option<f64>,
    share_of_time: f64,
}

#[derive(Debug, Serialize)]
struct SingleError {
    product: String,
    measured_tflops: f64,
    predicted_tflops: f64,
    sets_a_constant: bool,
}

/// Returns an answer about a model as JSON, indented by two spaces, without a final line break. Unknown values are null.
#[must_use]
pub fn json(answer: &ModelAnswer) -> String {
    // All maps have text as keys, so serialization cannot fail.
    serde_json::to_string_pretty(&report(answer)).or_empty()
}

fn report(answer: &ModelAnswer) -> Report {
    let estimate = &answer.estimate;
    let versus = answer.comparison().map(|(other, others)| Versus {
        chip: other.question.chip.id,
        measures: measures(other, others),
        bill: cost(others, None),
    });
    let products = rows(estimate).into_iter().map(|row| {
        let [m, k, n] = row.sizes;
        Product {
            product: row.name,
            m,
            k,
            n,
            count: row.count,
            seconds: row.seconds,
            share: row.share,
            bound: row.bound,
            eta_tile: row.eta_tile,
        }
    });
    let nearest = estimate.nearest(forecast::NEAREST).into_iter().map(|row| NearestRun {
        model: row.model,
        chips: row.chips,
        sequence: row.sequence,
        mfu_pct: row.mfu_percent.value,
        mfu_full_attention_pct: row.full_percent,
        source: row.mfu_percent.source.citation(),
    });
    let own = answer.own_run.iter().flatten().flat_map(|run| words::own_figures(run, estimate));
    Report {
        schema: "systolic-model/2",
        measures: measures(estimate, &answer.cost),
        figures: own.chain(figures(estimate)).collect(),
        bill: cost(answer.billed(), bill(answer)),
        versus,
        runs: runs(answer),
        nearest_runs: nearest.collect(),
        products: products.collect(),
        errors_of_times: estimate::accuracy(estimate).map(|found| errors(&found)),
        assumptions: assumptions(estimate).into_iter().map(|(what, value)| Assumption { what, value }).collect(),
        data_as_of: perfmodel::AS_OF,
    }
}

fn measures(estimate: &Estimate, cost: &Cost) -> Measures {
    let percent = |mfu: Result<Mfu, MfuRefusal>| mfu.ok().map(|mfu| mfu.ratio * 100.0);
    let question = &estimate.question;
    let usd = question.usd_per_chip_hour();
    let known = Measures {
        model: estimate.work.name.clone(),
        mfu_pct: percent(estimate.mfu),
        hfu_pct: percent(estimate.hfu),
        step_time_s: estimate.step.0,
        tokens_per_s: estimate.tokens_per_sec(),
        tokens_per_step: estimate.tokens,
        model_flops_per_chip_and_step: estimate.model_flops,
        executed_flops_per_chip_and_step: estimate.work.executed_flops(),
        weights: estimate.parameters,
        usd_per_chip_hour: usd,
        usd_per_step: estimate.usd_per_step(),
        usd_per_million_tokens: estimate.usd_per_million_tokens(),
        step_parts: estimate.step_parts().map(parts),
        intervals: None,
    };
    Measures { intervals: intervals(&known, estimate, cost), ..known }
}

fn parts(StepParts { parts, step, .. }: StepParts) -> Parts {
    let percent = |part: PartTime| part.bandwidth_share.map(|share| share * 100.0);
    let parts = parts.into_iter().map(|(part, one)| Part {
        part: part.id(),
        seconds: one.time.0,
        bytes_read_per_chip: one.bytes,
        memory_bandwidth_pct: percent(one),
    });
    Parts { parts: parts.collect(), bytes_read_per_chip: step.bytes, memory_bandwidth_pct: percent(step) }
}

fn intervals(of: &Measures, estimate: &Estimate, cost: &Cost) -> Option<Intervals> {
    let (found, share) = (estimate.interval()?, estimate.share.as_ref());
    let serving = |of: fn(&Serving) -> f64| estimate.serving.map_or(0.0, of);
    let rate = |value| Ranged::of(value, |value| Some(found.rate(value)));
    let time = |value| Ranged::of(value, |value| Some(found.time(value)));
    Some(Intervals {
        level_pct: LEVEL * 100.0,
        constant_of: estimate.question.chip.id,
        constant_from: found.from.map_or("serving", Evidence::id),
        publications: found.publications,
        factor: share.map_or(1.0, |share| share.factor),
        spread_log: share.map_or_else(|| serving(|serving| serving.log), |share| share.forecast.spread),
        is_too_wide_for_one_number: found.is_wide(),
        mfu_pct: rate(of.mfu_pct),
        hfu_pct: rate(of.hfu_pct),
        step_time_s: time(Some(of.step_time_s)),
        tokens_per_s: rate(of.tokens_per_s),
        usd_per_step: time(of.usd_per_step),
        usd_per_million_tokens: time(of.usd_per_million_tokens),
        total_usd: Ranged::of(cost.bill.total().map(|usd| usd.0), |_| found.bill(estimate, cost)),
    })
}

fn cost(cost: &Cost, bill: Option<super::answer::Bill>) -> Bill {
    let (shown, figures) = bill.map(|bill| (bill.table.rows.iter().map(Row::texts).collect(), bill.lines)).unzip();
    Bill {
        tokens: cost.tokens,
        is_a_day: cost.is_day,
        hours_of_useful_work: cost.time.hours(),
        useful_pflop_hours: cost.pflop_hours,
        lines_usd: Lines(CostLine::ALL.map(|line| (line.word(), cost.bill.line(line).map(|usd| usd.0)))),
        known_usd: cost.bill.known().0,
        total_usd: cost.bill.total().map(|usd| usd.0),
        kwh: cost.energy.map(Joules::kwh),
        kg_co2: cost.kg_co2,
        shown,
        figures,
    }
}

fn errors(found: &Accuracy) -> Errors {
    match found {
        Accuracy::BySize(ranges) => Errors::BySize(ranges.iter().filter_map(range_errors).collect()),
        Accuracy::Single(all) => Errors::Single(
            all.iter()
                .map(|(check, predicted)| SingleError {
                    product: super::model::square(check),
                    measured_tflops: check.tflops,
                    predicted_tflops: *predicted,
                    sets_a_constant: check.is_fitted,
                })
                .collect(),
        ),
    }
}

fn range_errors(range: &RangeAccuracy) -> Option<RangeErrors> {
    let (errors, left_out) = (range.errors?, range.left_out);
    Some(RangeErrors {
        sides: range.sides.words(),
        products_measured: errors.products.into(),
        mape_pct: errors.mean,
        median_pct: errors.median,
        p90_pct: errors.within_90,
        bias_pct: errors.bias,
        worst_pct: errors.worst,
        held_out_mape_pct: errors.held_out,
        left_out_mape_pct: left_out.map(|one| one.mean),
        left_out_interval_factor: left_out.map(|one| one.log.exp()),
        share_of_time: range.share,
    })
}
