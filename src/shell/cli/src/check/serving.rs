//! Measured serving runs, compared with the time of their matmuls and their communication.

use std::io::{self, Write};

use estimate::{ModelQuery, SERVING_MODELS, SERVING_RUNS, Serving, imported};
use perfmodel::left_out::{LEVEL, pooled_quantile};
use serde::Deserialize;
use serde_json::Value;

use crate::problem::Problems;

const HEAD: [&str; 10] = [
    "pass",
    "publications",
    "runs",
    "measured_over_shortest",
    "mean_error_factor",
    "shortest_error_factor",
    "inside_interval",
    "coverage_pct",
    "interval_log",
    "interval_factor",
];

/// A measured run.
#[derive(Debug, Deserialize)]
struct Run {
    publication: String,
    chip: String,
    bandwidth_gb_per_s: Option<f64>,
    chips: u64,
    model: String,
    pass: String,
    /// Sequences on all chips.
    batch: u64,
    context: u64,
    format: String,
    milliseconds: f64,
}

/// Logarithms of measured time ÷ time of matmuls and communication, by publication.
type Groups = Vec<(String, Vec<f64>)>;

impl Run {
    /// Logarithm of the measured time ÷ the time of matmuls and communication.
    fn log(&self, models: &Value) -> Option<f64> {
        let Self { chip, chips, pass, batch, context, format, .. } = self;
        let own = self.bandwidth_gb_per_s.map_or_else(String::new, |rate| format!("&own=hbm.{rate}"));
        let per_chip = batch / chips;
        let text = format!(
            "chip={chip}{own}&chips={chips}&pass={pass}&split=tensor&batch={per_chip}&seq={context}&dtype={format}"
        );
        let config = models.get(&self.model).map(|config| imported(config.to_string().as_bytes()));
        let text = if config.is_none() { format!("{text}&model={}", self.model) } else { text };
        let answer = ModelQuery::parse(&text).answer(config.as_ref()).ok()?;
        Some(
            (self.milliseconds / 1e3 / (answer.estimate.step.0 / Serving::of(answer.estimate.question.pass)?.slower))
                .ln(),
        )
    }
}

/// Reads the runs of a pass. A run without an estimate is an error, because no run may be dropped.
fn groups(pass: &str) -> Result<Groups, Problems> {
    let wrong = |what: String| Problems::from(io::Error::other(what));
    let models: Value = serde_json::from_str(SERVING_MODELS).map_err(|error| wrong(error.to_string()))?;
    let mut groups: Groups = Vec::new();
    for run in csv::Reader::from_reader(SERVING_RUNS.as_bytes()).deserialize() {
        let run: Run = run?;
        if run.pass != pass {
            continue;
        }
        let log = run.log(&models).ok_or_else(|| wrong(format!("{run:?}")))?;
        match groups.iter_mut().find(|(publication, _)| *publication == run.publication) {
            Some((_, logs)) => logs.push(log),
            None => groups.push((run.publication, vec![log])),
        }
    }
    Ok(groups)
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| (sum + number, count + 1.0));
    sum / count
}

/// Mean of the publications' mean logarithms, so that each publication counts once.
fn level<'a>(groups: impl Iterator<Item = &'a (String, Vec<f64>)>) -> f64 {
    mean(groups.map(|(_, logs)| mean(logs.iter().copied())))
}

/// Absolute differences between the logarithms of each publication and the level of the other publications.
fn scores(groups: &[(String, Vec<f64>)]) -> Vec<Vec<f64>> {
    let of = |(name, logs): &(String, Vec<f64>)| {
        let others = level(groups.iter().filter(|(other, _)| other != name));
        logs.iter().map(|log| (log - others).abs()).collect()
    };
    groups.iter().map(of).collect()
}

/// Half width of the interval of the logarithm.
fn width(groups: &[(String, Vec<f64>)]) -> f64 {
    let n = groups.len() as f64;
    pooled_quantile(&scores(groups), (LEVEL * (n + 1.0) / n).min(1.0)).unwrap_or(f64::INFINITY)
}

/// The factor and the interval that the runs of a pass give.
pub(super) fn fitted(pass: &str) -> Result<Serving, Problems> {
    let groups = groups(pass)?;
    Ok(Serving {
        slower: level(groups.iter()).exp(),
        log: width(&groups),
        publications: groups.len(),
        runs: groups.iter().map(|(_, logs)| logs.len()).sum(),
    })
}

pub(super) fn by_pass<W: Write>(writer: &mut csv::Writer<W>) -> Result<(), Problems> {
    writer.write_record(HEAD)?;
    for pass in ["prefill", "decode"] {
        let (groups, fitted) = (groups(pass)?, fitted(pass)?);
        let inside = |(name, logs): &(String, Vec<f64>)| {
            let rest: Groups = groups.iter().filter(|(other, _)| other != name).cloned().collect();
            let (others, width) = (level(rest.iter()), width(&rest));
            logs.iter().filter(|log| (*log - others).abs() <= width).count()
        };
        let counts: Vec<(usize, usize)> = groups.iter().map(|group| (inside(group), group.1.len())).collect();
        let error = mean(scores(&groups).into_iter().map(|scores| mean(scores.into_iter())));
        let shortest = mean(groups.iter().map(|(_, logs)| mean(logs.iter().map(|log| log.abs()))));
        let coverage = mean(counts.iter().map(|(inside, of)| *inside as f64 / *of as f64));
        writer.write_record([
            pass.to_owned(),
            fitted.publications.to_string(),
            fitted.runs.to_string(),
            format!("{:.2}", fitted.slower),
            format!("{:.2}", error.exp()),
            format!("{:.2}", shortest.exp()),
            counts.iter().map(|(inside, _)| inside).sum::<usize>().to_string(),
            format!("{:.1}", coverage * 100.0),
            format!("{:.3}", fitted.log),
            format!("{:.2}", fitted.log.exp()),
        ])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use workload::PassKind;

    #[test]
    fn the_shipped_factors_are_those_of_the_table() {
        for (pass, shipped) in [("prefill", PassKind::Prefill), ("decode", PassKind::Decode)] {
            let (found, shipped) =
                (fitted(pass).unwrap_or_else(|_| panic!("{pass}")), Serving::of(shipped).expect("serving"));
            assert!((found.slower - shipped.slower).abs() < 0.006, "{pass}: {found:?}");
            assert!((found.log - shipped.log).abs() < 0.0006, "{pass}: {found:?}");
            assert_eq!((found.publications, found.runs), (shipped.publications, shipped.runs), "{pass}: {found:?}");
        }
    }
}
