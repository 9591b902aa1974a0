//! `systolic check`: predicts every published run with a model that was fitted without the data of the run's
//! publication.

mod asked;
mod serving;

use std::io::Write;
use std::sync::Arc;

use asked::Asked;
use clap::{Args, ValueEnum};
use estimate::{Bound, Estimate, LayoutFrom};
use perfmodel::left_out::{self, Class, Judged, Verdict};
use perfmodel::{Chip, Effect, Framework, MfuModel, PublishedMfu};

use crate::problem::Problems;

const OF_A_GROUP: [&str; 14] = [
    "group",
    "publications",
    "runs",
    "mean_error_points",
    "always_50_points",
    "mean_of_chip_points",
    "mean_of_nearest_points",
    "run_error_points",
    "run_always_50_points",
    "run_mean_of_chip_points",
    "run_mean_of_nearest_points",
    "inside_interval",
    "coverage_pct",
    "mean_width_points",
];
const OF_A_RUN: [&str; 12] = [
    "publication",
    "model",
    "chip",
    "chips",
    "class",
    "bound_by",
    "measured_mfu_pct",
    "mfu_pct",
    "low",
    "high",
    "mean_of_chip_pct",
    "mean_of_nearest_pct",
];
const OF_AN_EFFECT: [&str; 4] = ["effect", "of", "times", "standard_deviation_log"];
/// Name of the row that summarizes all runs.
const ALL: &str = "all";
/// The publication with the most runs.
const LARGEST: &str = "mosaic";

/// Compares the predicted MFU with published runs.
///
/// Measures the error of the MFU that the command `model` predicts. Leaves out all training runs of one publication at
/// a time, and fits the regression to the other publications. Then answers the question about each run that was left
/// out, with all of its settings, and an 80 % interval computed without those runs. Writes a row for each class of
/// runs: dense models, reports on models, software without fused attention, experts and fp8. The row has the number of
/// publications and of runs, and the mean absolute error in percentage points of MFU. The row also has the error of
/// three simple methods: always 50 %, the mean of the other publications on the same chip, and the mean of the five
/// nearest runs of other publications. Then the same errors follow with each run counted once. The row ends with the
/// number of runs inside the interval, the coverage, and the mean width of the interval. All other means count each
/// publication once. More rows cover all verified runs; dense runs with the default framework; dense runs without the
/// largest publication; runs by what bounds their step; runs with a layout that the estimate chose; and dense runs of
/// the regression without matmuls and communication. With --by publication or --by run, writes a row for every
/// publication or run. With --by effect, writes the effects of the regression of all runs. With --by serving, compares
/// measured steps of prefill and decode with the time of their matmuls and their communication.
#[derive(Args, Debug)]
#[command(override_usage = "systolic check [OPTIONS]")]
pub(crate) struct Options {
    /// The rows of the table: class, publication, run, effect or serving. Default: class.
    #[arg(long, value_name = "ROWS", value_enum, default_value_t)]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    by: By,
}

/// Rows of the table.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum By {
    #[default]
    Class,
    Publication,
    Run,
    Effect,
    Serving,
}

pub(crate) fn command(options: &Options, out: &mut impl Write) -> Result<(), Problems> {
    let mut writer = csv::Writer::from_writer(out);
    match options.by {
        By::Class => by_class(&mut writer)?,
        By::Publication => by_publication(&mut writer)?,
        By::Run => by_run(&mut writer)?,
        By::Effect => by_effect(&mut writer)?,
        By::Serving => serving::by_pass(&mut writer)?,
    }
    Ok(writer.flush()?)
}

/// Verified runs, each with its predicted answer, and the name of the limit that bounds its step.
struct Checked {
    runs: Vec<Judged>,
    bounds: Vec<&'static str>,
    /// True for each run with a layout that the estimate chose.
    has_chosen_layout: Vec<bool>,
}

impl Checked {
    /// Predicts every run as the command `model` does. If `framework` is given, it replaces the framework of each run.
    fn new(framework: Option<fn(&Chip) -> Framework>) -> Result<Self, Problems> {
        let asked = Asked::all()?;
        let of = |row: &PublishedMfu| asked.iter().find(|one| core::ptr::eq(one.row, row));
        let answer = |model: &Arc<MfuModel>, row: &'static PublishedMfu| {
            of(row)?.answer(model, framework.zip(row.chip()).map(|(of, chip)| of(chip)))
        };
        let runs = left_out::judged(&|model, row| asked::predicted(&answer(model, row)?, row));
        let shipped = Arc::new(MfuModel::shipped().clone());
        let answers: Vec<_> = runs.iter().map(|run| answer(&shipped, run.row)).collect();
        let bound = |answer: &Option<Estimate>| answer.as_ref().map_or("", |answer| answer.bound().id());
        let is_chosen = |answer: &Option<Estimate>| {
            answer.as_ref().is_some_and(|answer| answer.question.layout == LayoutFrom::Chosen)
        };
        Ok(Self {
            bounds: answers.iter().map(bound).collect(),
            has_chosen_layout: answers.iter().map(is_chosen).collect(),
            runs,
        })
    }

    fn of(&self, is: impl Fn(&Judged) -> bool) -> Vec<Judged> {
        self.runs.iter().filter(|run| is(run)).copied().collect()
    }
}

fn by_class<W: Write>(writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    let checked = Checked::new(None)?;
    let is_dense = |run: &Judged| run.class == Class::Dense;
    writer.write_record(OF_A_GROUP)?;
    for class in Class::ALL {
        writer.write_record(verdict(class.id(), &checked.of(|run| run.class == class)))?;
    }
    writer.write_record(verdict(ALL, &checked.runs))?;
    let usual = Checked::new(Some(Framework::usual))?;
    writer.write_record(verdict("dense-usual-framework", &usual.of(is_dense)))?;
    let is_smaller = |run: &Judged| run.row.publication() != LARGEST;
    writer.write_record(verdict("dense-without-largest", &checked.of(|run| is_dense(run) && is_smaller(run))))?;
    for bound in Bound::ALL {
        let named = checked.runs.iter().zip(&checked.bounds).filter(|(_, one)| **one == bound.id());
        let runs: Vec<Judged> = named.map(|(run, _)| *run).collect();
        if !runs.is_empty() {
            writer.write_record(verdict(&format!("bound-by-{}", bound.id()), &runs))?;
        }
    }
    let chosen = checked.runs.iter().zip(&checked.has_chosen_layout).filter(|(_, is_chosen)| **is_chosen);
    writer.write_record(verdict("layout-chosen", &chosen.map(|(run, _)| *run).collect::<Vec<_>>()))?;
    let alone = left_out::judged(&left_out::by_regression);
    let dense: Vec<Judged> = alone.into_iter().filter(is_dense).collect();
    Ok(writer.write_record(verdict("dense-regression-alone", &dense))?)
}

fn by_publication<W: Write>(writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    let checked = Checked::new(None)?;
    writer.write_record(OF_A_GROUP)?;
    for name in left_out::publications(&left_out::verified()) {
        writer.write_record(verdict(name, &checked.of(|run| run.row.publication() == name)))?;
    }
    Ok(())
}

fn verdict(name: &str, runs: &[Judged]) -> [String; 14] {
    let of = Verdict::of(runs);
    let [always, _, chip, nearest] = of.baselines.map(tenths);
    let [run_always, _, run_chip, run_nearest] = of.run_baselines.map(tenths);
    [
        name.to_owned(),
        of.publications.to_string(),
        of.runs.to_string(),
        tenths(of.mean_error),
        always,
        chip,
        nearest,
        tenths(of.run_error),
        run_always,
        run_chip,
        run_nearest,
        of.inside.to_string(),
        tenths(of.coverage_percent),
        tenths(of.mean_width),
    ]
}

fn by_run<W: Write>(writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    writer.write_record(OF_A_RUN)?;
    let checked = Checked::new(None)?;
    for (run, bound) in checked.runs.iter().zip(&checked.bounds) {
        let chips = run.row.chips.map_or_else(String::new, |chips| chips.to_string());
        let names = [run.row.publication(), run.row.model, run.row.chip, &chips, run.class.id(), bound];
        let [_, _, chip, nearest] = run.baselines;
        let numbers = [run.measured, run.predicted, run.interval.0, run.interval.1, chip, nearest];
        let numbers = numbers.map(|one| format!("{one:.2}"));
        writer.write_record(names.map(str::to_owned).into_iter().chain(numbers))?;
    }
    Ok(())
}

fn by_effect<W: Write>(writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    writer.write_record(OF_AN_EFFECT)?;
    for (effect, mean, deviation) in MfuModel::shipped().effects() {
        let (name, of) = match effect {
            Effect::All => ("all", String::new()),
            Effect::Recomputation => ("recomputation", String::new()),
            Effect::Parameters => ("parameters", "a doubling".to_owned()),
            Effect::Sequence => ("sequence", "a doubling".to_owned()),
            Effect::Chips => ("chips", "a doubling".to_owned()),
            Effect::Pods => ("pods", "a doubling".to_owned()),
            Effect::Experts => ("experts", "a doubling".to_owned()),
            Effect::Ridge => ("flops-per-byte", "a doubling".to_owned()),
            Effect::Unfused => ("unfused-attention", String::new()),
            Effect::ModelReport => ("model-report", String::new()),
            Effect::Maker(name) => ("maker", name.to_owned()),
            Effect::Chip(name) => ("chip", name.to_owned()),
            Effect::Framework(name) => ("framework", name.to_owned()),
            Effect::Publication(name, chip) => ("publication", format!("{name} on {chip}")),
            Effect::OwnFramework => ("own-framework", String::new()),
            Effect::OwnSoftware => ("own-software", String::new()),
        };
        writer.write_record([name.to_owned(), of, format!("{:.3}", mean.exp()), format!("{deviation:.3}")])?;
    }
    Ok(())
}

fn tenths(value: f64) -> String {
    format!("{value:.1}")
}
