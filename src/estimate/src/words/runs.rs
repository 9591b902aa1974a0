//! What is said of a measured run, of a claim, and of what makes one run faster than another.

use super::{answer, entry};
use crate::answer::Table;
use crate::{
    Better, Change, Claim, Claimed, Entry, Estimate, Measured, ModelAnswer, OwnRun, Part, Uncheckable, Unusable,
    Verdict,
};
use display::figure::{Citation, Figure, cents, cite, duration};
use display::number::{grouped, percent, readable};
use perfmodel::{Mfu, MfuRefusal, PublishedMfu};

/// Over the entries.
pub const TITLE: &str = "Your own run, a claim";
/// What they are for.
pub const SAYS: &str = "Enter what a run took to see its MFU and what is missing. Or enter what somebody claims to see what it \
                        would take: against another chip, against other settings, or both.";
/// How a measurement may be written.
pub const MEASURED_HINT: &str = "5.67 s, 250000 tokens/s, 76 min/run";
/// How settings may be written.
pub const THAN_HINT: &str = "chips.8_batch.1";
/// How a claim may be written.
pub const CLAIM_HINT: &str = "2.7 faster, 3x cheaper";

/// From the peak to a measured run.
pub const LADDER: &str = "From the peak to your run";
/// Columns of that.
const LADDER_HEADS: [&str; 3] = ["what", "leaves", "of the peak"];
/// What a claim takes.
pub const CLAIM: &str = "What the claim takes";
/// Columns of that.
const CLAIM_HEADS: [&str; 2] = ["what", "value"];
/// A speed-up taken apart.
pub const APART: &str = "The difference, one change at a time";
/// Columns of that.
const APART_HEADS: [&str; 5] = ["change", "from", "to", "times as fast", "times as cheap"];
/// Last row of that.
const IN_ALL: &str = "all together";
/// Heading of a run on the same chip with other settings.
pub const OTHER_SETTINGS: &str = "with other settings";

/// Whether a table is part of the answer, and not of what it rests on.
#[must_use]
pub fn is_answer(title: &str) -> bool {
    [LADDER, CLAIM, APART].contains(&title)
}

/// What was measured.
fn measured(run: &OwnRun, estimate: &Estimate) -> String {
    match run.measured {
        Measured::Step(step) if estimate.question.is_product => duration(step.0),
        Measured::Step(step) => format!("{} a step", duration(step.0)),
        Measured::TokensPerSec(rate) => format!("{} tokens/s", readable(rate, 6)),
        Measured::TokensPerSecPerChip(rate) => format!("{} tokens/s per chip", readable(rate, 6)),
        Measured::Run(time) => {
            let tokens = estimate.question.tokens.map_or_else(String::new, |tokens| readable(tokens, 4));
            format!("{} for {tokens} tokens", answer::long(time.0))
        }
    }
}

/// The same at a rate that is so many times as high.
fn at(run: &OwnRun, times: f64) -> String {
    match run.measured {
        Measured::Step(step) => format!("{} a step", duration(step.0 / times)),
        Measured::TokensPerSec(rate) => format!("{} tokens/s", readable(rate * times, 4)),
        Measured::TokensPerSecPerChip(rate) => format!("{} tokens/s per chip", readable(rate * times, 4)),
        Measured::Run(time) => answer::long(time.0 / times),
    }
}

fn chips(estimate: &Estimate) -> String {
    format!("{} × {}", grouped(estimate.question.chips), estimate.question.chip.name)
}

fn published(row: &PublishedMfu) -> String {
    let percent = row.mfu_percent.value.map_or_else(|| answer::UNKNOWN.to_owned(), |percent| readable(percent, 4));
    let chips = row.chips.map_or_else(String::new, |chips| format!(" on {} chips", grouped(chips.into())));
    format!("{percent} % ({}{chips})", row.model)
}

/// A sentence where a measured run cannot be: what it would take, and what was published.
#[must_use]
pub fn impossible(run: &OwnRun, estimate: &Estimate) -> Option<String> {
    let ratio = run.impossible()?;
    let format = estimate.question.multiplied().word();
    let mut said = format!(
        "{} on {} would be {} % of the {format} peak. At the whole peak it is {}, or takes {} chips. So the time, the tokens, the number \
         of chips, the format and the model cannot all be right.",
        measured(run, estimate),
        chips(estimate),
        percent(ratio),
        at(run, 1.0 / ratio),
        readable(run.chips_at_peak, 6)
    );
    if let Some((row, most)) = run.published.and_then(|row| Some((row, row.mfu_percent.value? / 100.0))) {
        let real = format!(
            " The highest MFU published on this chip is {}: that gives {}.",
            published(row),
            at(run, most / ratio)
        );
        said.push_str(&real);
    }
    Some(said)
}

/// Why nothing follows from a measurement.
#[must_use]
pub const fn unusable(why: Unusable) -> &'static str {
    match why {
        Unusable::NoTokensOfRun => "The time of a whole run needs the tokens of that run: enter total tokens.",
        Unusable::NoTokensOfStep => "Nobody says how many tokens a step has: enter the time of a step, such as 350 ms.",
        Unusable::NoPeak => "The chip's peak is not known, so there is no MFU.",
    }
}

fn ratio(run: &OwnRun, estimate: &Estimate, executed: bool) -> Figure {
    let (found, flops, id, name, what) = if executed {
        (&run.hfu, estimate.work.executed_flops(), "own-hfu", "HFU of your run", "executed")
    } else {
        (&run.mfu, estimate.model_flops, "own-mfu", "MFU of your run", "model")
    };
    let chips = estimate.question.chips as f64;
    let divided = |peak: f64| {
        format!(
            "{} {what} FLOP ÷ ({} FLOP/s · {} s)",
            readable(flops * chips, 5),
            readable(peak, 5),
            readable(run.step.0, 5)
        )
    };
    let peak = estimate.question.chip.peak(estimate.question.multiplied());
    let all = peak.and_then(|peak| peak.value).unwrap_or(0.0) * 1e12 * chips;
    let (value, worked) = match found {
        Ok(Mfu { ratio, .. }) => {
            (format!("{} %", percent(*ratio)), format!("{} = {} %", divided(all), percent(*ratio)))
        }
        Err(MfuRefusal::AboveOne { ratio }) => {
            ("refused".to_owned(), format!("{} = {} %: impossible", divided(all), percent(*ratio)))
        }
        Err(why) => (answer::UNKNOWN.to_owned(), why.says().to_owned()),
    };
    let refused_alone = executed && run.impossible().is_none() && matches!(found, Err(MfuRefusal::AboveOne { .. }));
    let note = if refused_alone {
        NOT_ALL_AGAIN.to_owned()
    } else {
        format!("{} on {}", measured(run, estimate), self::chips(estimate))
    };
    Figure {
        id,
        name,
        value,
        range: None,
        note,
        formula: if executed {
            "executed FLOPs ÷ (peak FLOP/s · time)"
        } else {
            "model FLOPs ÷ (peak FLOP/s · time)"
        },
        worked,
        says: "The share of the chips' peak that the measured run used, by the FLOPs of this model.",
        leaves_out: "Whether the run was of this model, in this format, with these tokens: that is what you entered.",
        citations: peak
            .map(|peak| cite(format!("peak of {}", estimate.question.chip.name), peak))
            .into_iter()
            .chain([Citation {
                what: "time".to_owned(),
                source: "you measured it",
                confidence: String::new(),
                note: "",
            }])
            .collect(),
    }
}

/// Where a run is possible, but not with everything computed again.
const NOT_ALL_AGAIN: &str = "not everything can have been computed again: set activation recomputation";

fn against(run: &OwnRun, estimate: &Estimate) -> Figure {
    let times = run.times_predicted;
    let value = if times >= 1.0 {
        format!("{} × as long", readable(times, 3))
    } else {
        format!("{} × as fast", readable(1.0 / times, 3))
    };
    let note = match run.is_within {
        Some(true) => "inside the 80 % interval of the prediction",
        Some(false) if times > 1.0 => "slower than the 80 % interval: look for what the prediction leaves out",
        Some(false) => "faster than the 80 % interval: check time, tokens and number of chips",
        None => "the prediction has no interval: no published run of this pass is in the table",
    };
    let [own, predicted] = [run.step, estimate.step].map(|step| duration(step.0));
    Figure {
        id: "own-against-prediction",
        name: "Your run against the prediction",
        value,
        range: None,
        note: note.to_owned(),
        formula: "measured step ÷ predicted step",
        worked: format!("{own} ÷ {predicted} = {}", readable(times, 4)),
        says: "How much longer or shorter your run takes than the prediction for the same question.",
        leaves_out: "Why: the table beside it says where the prediction sees the peak go.",
        citations: Vec::new(),
    }
}

/// A measured run in figures that open.
#[must_use]
pub fn own_figures(run: &OwnRun, estimate: &Estimate) -> Vec<Figure> {
    let mut all = vec![ratio(run, estimate, false)];
    if estimate.work.executed_flops() > estimate.model_flops {
        all.push(ratio(run, estimate, true));
    }
    if run.impossible().is_none() {
        all.push(against(run, estimate));
    }
    all
}

/// The name of what takes a part of the peak.
#[must_use]
pub const fn part(part: Part) -> &'static str {
    match part {
        Part::Products => "matrix products: padding, memory, reload",
        Part::Exchange => "exchange between chips",
        Part::Rest => "rest of a step, as in published runs",
        Part::NotCounted => "work that MFU does not count: recomputation, masked attention",
        Part::Run => "your run, beyond the prediction",
    }
}

/// From the peak to a measured run; the step that costs most stands out.
fn ladder(run: &OwnRun) -> Table {
    let least = run.factors.iter().map(|one| one.factor).fold(f64::INFINITY, f64::min);
    let row = |one: &crate::Factor| {
        let cells =
            [part(one.part).to_owned(), format!("× {} %", percent(one.factor)), format!("{} %", percent(one.left))];
        (one.factor <= least, cells.into())
    };
    Table { title: LADDER, heads: LADDER_HEADS.to_vec(), rows: run.factors.iter().map(row).collect() }
}

fn better(claim: Claim) -> String {
    let times = readable(claim.times, 4);
    match claim.better {
        Better::Faster => format!("{times} times as fast"),
        Better::Cheaper => format!("{times} times as cheap"),
    }
}

/// What is compared with what.
fn run_of(estimate: &Estimate, other: &Estimate) -> String {
    if estimate.question.chip.id == other.question.chip.id && estimate.question.chips == other.question.chips {
        return OTHER_RUN.to_owned();
    }
    chips(estimate)
}

/// The other run, where its chips do not tell it from the first.
const OTHER_RUN: &str = "the compared run";

/// A sentence: what the claim amounts to.
#[must_use]
pub fn verdict(claimed: &Claimed, here: &Estimate, there: &Estimate) -> String {
    let (first, other) = (chips(here), run_of(there, here));
    let takes = percent(claimed.mfu_here);
    let said = format!("{first} {} as {other} takes an MFU of {takes} %", better(claimed.claim));
    match (claimed.verdict(), claimed.highest_here) {
        (Verdict::Impossible, _) => format!(
            "{said}: impossible. It would be true if {other} reached only {} %, where {} are predicted.",
            percent(claimed.mfu_there),
            there.mfu.map_or_else(|_| answer::UNKNOWN.to_owned(), |mfu| format!("{} %", percent(mfu.ratio)))
        ),
        (Verdict::NeverPublished, Some(row)) => {
            format!("{said}. Nobody published that on this chip: the highest is {}.", published(row))
        }
        (Verdict::Published, Some(row)) => {
            format!("{said}. That is within what was published on this chip: {}.", published(row))
        }
        _ => format!("{said}. No verified run on this chip is in the table."),
    }
}

/// Why nothing follows from a claim.
#[must_use]
pub const fn uncheckable(why: Uncheckable) -> &'static str {
    match why {
        Uncheckable::NothingBeside => {
            "Choose what this run is compared with: another chip, or settings such as batch.1."
        }
        Uncheckable::NoMfu => "One of the two runs has no MFU, so the claim cannot be checked.",
        Uncheckable::NoPrice => {
            "One of the two prices is not known: enter your own price for the first run, usd.1.2 for the other."
        }
    }
}

fn claim_table(claimed: &Claimed, here: &Estimate, there: &Estimate) -> Table {
    let other = run_of(there, here);
    let name = here.question.chip.name;
    let predicted = |estimate: &Estimate| {
        estimate.mfu.map_or_else(|_| answer::UNKNOWN.to_owned(), |mfu| format!("{} %", percent(mfu.ratio)))
    };
    let impossible = if claimed.mfu_here > 1.0 { ": impossible" } else { "" };
    let mut rows = vec![
        (format!("claimed against {other}"), better(claimed.claim)),
        (PREDICTED.to_owned(), better(Claim { times: claimed.predicted, ..claimed.claim })),
        (format!("MFU that {} would need", chips(here)), format!("{} %{impossible}", percent(claimed.mfu_here))),
        (PREDICTED_HERE.to_owned(), predicted(here)),
        (format!("or MFU at which {other} would have run"), format!("{} %", percent(claimed.mfu_there))),
        (PREDICTED_THERE.to_owned(), predicted(there)),
    ];
    rows.extend(claimed.chips.map(|chips| (format!("or chips of {name}, each as predicted"), readable(chips, 6))));
    rows.extend(claimed.usd_per_chip_hour.map(|usd| {
        let now = here.question.usd_per_chip_hour().map_or_else(|| answer::UNKNOWN.to_owned(), cents);
        (format!("or price of {name} for an hour, now {now}"), answer::small_dollars(usd))
    }));
    let none = || NONE_PUBLISHED.to_owned();
    rows.push((format!("highest MFU published on {name}"), claimed.highest_here.map_or_else(none, published)));
    let there = there.question.chip.name;
    rows.push((format!("lowest MFU published on {there}"), claimed.lowest_there.map_or_else(none, published)));
    let rows = rows.into_iter().map(|(what, value)| (false, vec![what, value])).collect();
    Table { title: CLAIM, heads: CLAIM_HEADS.to_vec(), rows }
}

const PREDICTED: &str = "predicted by this model";
const PREDICTED_HERE: &str = "MFU that is predicted for it";
const PREDICTED_THERE: &str = "MFU that is predicted for that";
const NONE_PUBLISHED: &str = "no verified run in the table";

/// What changes.
fn change(one: &Change) -> String {
    if one.entry == Entry::Chip && one.from == one.to {
        return entry::name(Entry::Price).to_owned();
    }
    entry::name(one.entry).to_owned()
}

fn apart(changes: &[Change]) -> Table {
    let money = |times: Option<f64>| times.map_or_else(|| answer::UNKNOWN.to_owned(), factor);
    let mut rows: Vec<(bool, Vec<String>)> = Vec::new();
    for one in changes {
        let cells = vec![change(one), one.from.clone(), one.to.clone(), factor(one.faster), money(one.cheaper)];
        rows.push((false, cells));
        if let Some((peak, mfu)) = one.peak_and_mfu.filter(|_| one.from != one.to) {
            for (what, times) in [(OF_PEAK, peak), (OF_MFU, mfu)] {
                let nothing = String::new;
                rows.push((false, vec![what.to_owned(), nothing(), nothing(), factor(times), nothing()]));
            }
        }
    }
    let faster: f64 = changes.iter().map(|one| one.faster).product();
    let cheaper: Option<f64> = changes.iter().map(|one| one.cheaper).product();
    rows.push((true, vec![IN_ALL.to_owned(), String::new(), String::new(), factor(faster), money(cheaper)]));
    Table { title: APART, heads: APART_HEADS.to_vec(), rows }
}

fn factor(factor: f64) -> String {
    format!("× {}", readable(factor, 3))
}

const OF_PEAK: &str = "of it the peak";
const OF_MFU: &str = "of it the MFU";

/// The tables of a measured run, a claim and two runs that differ.
#[must_use]
pub fn tables(answer: &ModelAnswer) -> Vec<Table> {
    let mut all = Vec::new();
    if let Some(Ok(run)) = &answer.own_run
        && !run.factors.is_empty()
    {
        all.push(ladder(run));
    }
    if let (Some(Ok(claimed)), Some((there, _))) = (&answer.claim, answer.beside()) {
        all.push(claim_table(claimed, &answer.estimate, there));
    }
    if !answer.changes.is_empty() {
        all.push(apart(&answer.changes));
    }
    all
}

/// What is to be read beside the entries of a run and a claim: what cannot be, and what is missing.
#[must_use]
pub fn beside_entries(answer: &ModelAnswer) -> Vec<(Entry, String)> {
    let run = answer.own_run.as_ref().and_then(|run| match run {
        Ok(run) => impossible(run, &answer.estimate),
        Err(why) => Some(unusable(*why).to_owned()),
    });
    let claim = answer.claim.as_ref().and_then(|claim| match (claim, answer.beside()) {
        (Ok(claimed), Some((there, _))) if claimed.verdict() == Verdict::Impossible => {
            Some(verdict(claimed, &answer.estimate, there))
        }
        (Err(why), _) => Some(uncheckable(*why).to_owned()),
        _ => None,
    });
    let of = |entry| move |sentence| (entry, sentence);
    run.map(of(Entry::Measured)).into_iter().chain(claim.map(of(Entry::Claim))).collect()
}

/// What a claim that can be true amounts to, a sentence.
#[must_use]
pub fn claim_note(answer: &ModelAnswer) -> Option<(Entry, String)> {
    let (Ok(claimed), Some((there, _))) = (answer.claim.as_ref()?, answer.beside()) else { return None };
    (claimed.verdict() != Verdict::Impossible).then(|| (Entry::Claim, verdict(claimed, &answer.estimate, there)))
}

#[cfg(test)]
mod tests;
