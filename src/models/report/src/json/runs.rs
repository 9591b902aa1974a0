//! JSON of a measured run, of a claim, and of the differences between two runs.

use super::super::runs::{self as words, setting};
use estimate::conventions::{Counted, FigureConvention, Reading};
use estimate::{Better, Measured, ModelAnswer, OwnRun, Part, Verdict};
use perfmodel::{Mfu, MfuRefusal};
use serde::Serialize;

/// Section of a report: a measured run, a claim, and the differences between two runs. A field is left out if its input
/// is missing.
#[derive(Debug, Serialize)]
pub(super) struct Runs {
    #[serde(skip_serializing_if = "Option::is_none")]
    own_run: Option<Own>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<Claimed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Change>,
}

#[derive(Debug, Serialize)]
struct Own {
    measured: &'static str,
    step_time_s: Option<f64>,
    tokens_per_s: Option<f64>,
    mfu_pct: Option<f64>,
    hfu_pct: Option<f64>,
    of_the_peak_pct: Option<f64>,
    chips_at_the_whole_peak: Option<f64>,
    times_predicted_step: Option<f64>,
    is_inside_interval: Option<bool>,
    ladder: Vec<Rung>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    conventions: Vec<InConvention>,
    refused: Option<String>,
}

#[derive(Debug, Serialize)]
struct InConvention {
    counted: &'static str,
    is_recomputed: bool,
    is_peak_sparse: bool,
    step_time_s: f64,
    mfu_pct: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
}

#[derive(Debug, Serialize)]
struct Rung {
    part: &'static str,
    factor: f64,
    left_pct: f64,
}

#[derive(Debug, Serialize)]
struct Claimed {
    better: Option<&'static str>,
    times: Option<f64>,
    predicted_times: Option<f64>,
    needs_mfu_pct: Option<f64>,
    or_other_at_mfu_pct: Option<f64>,
    or_chips: Option<f64>,
    or_usd_per_chip_hour: Option<f64>,
    highest_published_mfu_pct: Option<f64>,
    lowest_published_other_mfu_pct: Option<f64>,
    verdict: Option<&'static str>,
    says: String,
}

#[derive(Debug, Serialize)]
struct Change {
    setting: &'static str,
    from: String,
    to: String,
    times_as_fast: f64,
    times_as_cheap: Option<f64>,
    of_it_peak: Option<f64>,
    of_it_mfu: Option<f64>,
}

/// Returns the section of a report with a measured run, a claim, and the differences between two runs.
pub(super) fn runs(answer: &ModelAnswer) -> Runs {
    let changes = answer.changes.iter().map(|one| Change {
        setting: one.entry.id(),
        from: setting(one.entry, &one.from),
        to: setting(one.entry, &one.to),
        times_as_fast: one.faster,
        times_as_cheap: one.cheaper,
        of_it_peak: one.peak_and_mfu.map(|(peak, _)| peak),
        of_it_mfu: one.peak_and_mfu.map(|(_, mfu)| mfu),
    });
    Runs { own_run: own(answer), claim: claim(answer), changes: changes.collect() }
}

fn own(answer: &ModelAnswer) -> Option<Own> {
    let percent = |mfu: Result<Mfu, MfuRefusal>| mfu.ok().map(|mfu| mfu.ratio * 100.0);
    let found = answer.own_run.as_ref()?;
    let run = found.as_ref().ok();
    let refused = match found {
        Ok(run) => words::impossible(run, &answer.estimate),
        Err(why) => Some(words::unusable(*why).to_owned()),
    };
    let ladder = run.map_or(&[][..], |run| run.factors.as_slice());
    let rung = |one: &estimate::Factor| Rung { part: part(one.part), factor: one.factor, left_pct: one.left * 100.0 };
    Some(Own {
        measured: run.map_or("nothing", |run| measured(run)),
        step_time_s: run.map(|run| run.step.0),
        tokens_per_s: run.and_then(|run| run.tokens_per_sec),
        mfu_pct: run.and_then(|run| percent(run.mfu)),
        hfu_pct: run.and_then(|run| percent(run.hfu)),
        of_the_peak_pct: run.map(|run| 100.0 * run.least.0 / run.step.0),
        chips_at_the_whole_peak: run.map(|run| run.chips_at_peak),
        times_predicted_step: run.map(|run| run.times_predicted),
        is_inside_interval: run.and_then(|run| run.is_within),
        ladder: ladder.iter().map(rung).collect(),
        conventions: answer.readings.iter().map(reading).collect(),
        refused,
    })
}

const fn measured(run: &OwnRun) -> &'static str {
    match run.measured {
        Measured::Step(_) => "step_time",
        Measured::TokensPerSec(_) | Measured::TokensPerSecPerChip(_) => "tokens_per_s",
        Measured::SequencesPerSec(_) => "sequences_per_s",
        Measured::FlopsPerSecPerChip(_) => "flops_per_s",
        Measured::Share(_) => "mfu",
        Measured::Run(_) => "run_time",
    }
}

fn reading(one: &Reading) -> InConvention {
    let FigureConvention { counted, is_recomputed, is_sparse } = one.convention;
    InConvention {
        counted: match counted {
            Counted::Weights => "weights",
            Counted::CausalAttention => "causal_attention",
            Counted::FullAttention => "full_attention",
        },
        is_recomputed,
        is_peak_sparse: is_sparse,
        step_time_s: one.step.0,
        mfu_pct: one.mfu.ok().map(|mfu| mfu.ratio * 100.0),
        agrees: one.agrees,
    }
}

const fn part(part: Part) -> &'static str {
    match part {
        Part::Products => "products",
        Part::Memory => "memory",
        Part::Exchange => "exchange",
        Part::Pipeline => "pipeline",
        Part::Rest => "rest_of_step",
        Part::NotCounted => "not_counted",
        Part::Run => "own_run",
    }
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Impossible => "impossible",
        Verdict::NeverPublished => "never_published",
        Verdict::Published => "published",
        Verdict::NothingPublished => "nothing_published",
    }
}

fn claim(answer: &ModelAnswer) -> Option<Claimed> {
    let found = answer.claim.as_ref()?;
    let says = match (found, answer.comparison()) {
        (Ok(claimed), Some((there, _))) => words::verdict(claimed, &answer.estimate, there),
        (Err(why), _) => words::uncheckable(*why).to_owned(),
        (Ok(_), None) => String::new(),
    };
    let claimed = found.as_ref().ok();
    let percent = |row: Option<&'static perfmodel::PublishedMfu>| row.and_then(|row| row.mfu_percent.value);
    Some(Claimed {
        better: claimed.map(|one| match one.claim.better {
            Better::Faster => "faster",
            Better::Cheaper => "cheaper",
        }),
        times: claimed.map(|one| one.claim.times),
        predicted_times: claimed.map(|one| one.predicted),
        needs_mfu_pct: claimed.map(|one| one.mfu_here * 100.0),
        or_other_at_mfu_pct: claimed.map(|one| one.mfu_there * 100.0),
        or_chips: claimed.and_then(|one| one.chips),
        or_usd_per_chip_hour: claimed.and_then(|one| one.usd_per_chip_hour),
        highest_published_mfu_pct: claimed.and_then(|one| percent(one.highest_here)),
        lowest_published_other_mfu_pct: claimed.and_then(|one| percent(one.lowest_there)),
        verdict: claimed.map(|one| verdict(one.verdict())),
        says,
    })
}
