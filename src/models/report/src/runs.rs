//! Text about a measured run, about a claim, and about the differences between two runs.

use super::table::{Cell, Row, Table, TableId};
use super::{conventions, entry, model};
use display::amount::Amount;
use display::figure::{Citation, Figure, cite, duration};
use display::number::{grouped, percent, readable};
use estimate::{
    Better, Change, Claim, Claimed, Entry, Estimate, Factor, Measured, ModelAnswer, OwnRun, Part, Question,
    Uncheckable, Unusable, Verdict,
};
use perfmodel::{Mfu, MfuRefusal, PublishedMfu};

/// Heading of the section of entries for a measured run and a claim.
pub const TITLE: &str = "Your own run or a claim";
/// Explanation of the entries for a measured run and a claim.
pub const SAYS: &str = "Enter a measured time to see the MFU and the losses of your run. Or enter a claimed speed-up to see the MFU that the claim requires.";

/// Column heading of a run on the same chip with other settings.
pub const OTHER_SETTINGS: &str = "with other settings";

/// Formats the measurement of a run, with its unit.
fn measured(run: &OwnRun, estimate: &Estimate) -> String {
    match run.measured {
        Measured::Step(step) if estimate.question.is_product => duration(step.0),
        Measured::Run(time) => {
            let tokens = estimate.question.tokens.map_or_else(String::new, |tokens| readable(tokens, 4));
            format!("{} for {tokens} tokens", duration(time.0))
        }
        _ => run_at_speed(run, 1.0, 6),
    }
}

/// Formats the measurement of the run at `times` its speed.
fn run_at_speed(run: &OwnRun, times: f64, digits: u32) -> String {
    let rate = |rate: f64, unit: &str| format!("{} {unit}", readable(rate * times, digits));
    match run.measured {
        Measured::Step(step) => format!("{} per step", duration(step.0 / times)),
        Measured::TokensPerSec(tokens) => rate(tokens, "tokens/s"),
        Measured::TokensPerSecPerChip(tokens) => rate(tokens, "tokens/s per chip"),
        Measured::SequencesPerSec(sequences) => rate(sequences, "sequences/s"),
        Measured::FlopsPerSecPerChip(flops) => rate(flops / 1e12, "TFLOP/s per chip"),
        Measured::Share(share) => format!("an MFU of {}", Amount::Share(share * times)),
        Measured::Run(time) => duration(time.0 / times),
    }
}

fn chips(estimate: &Estimate) -> String {
    format!("{} × {}", grouped(estimate.question.chips), estimate.question.chip.name)
}

fn published(row: &PublishedMfu) -> String {
    let percent = row.mfu_percent.value.map_or_else(|| model::UNKNOWN.to_owned(), |percent| readable(percent, 4));
    let chips = row.chips.map_or_else(String::new, |chips| format!(" on {} chips", grouped(chips.into())));
    format!("{percent} % ({}{chips})", row.model)
}

/// Returns a sentence if a measured run is impossible: its MFU, the limits at the peak, and the highest published MFU.
#[must_use]
pub fn impossible(run: &OwnRun, estimate: &Estimate) -> Option<String> {
    let ratio = run.impossible()?;
    let format = estimate.question.multiplied().word();
    let mut said = format!(
        "{} on {} would be {} % of the {format} peak. Even at 100 % of the peak, these chips would reach only {}; the speed that you entered would need {} chips. At least one entry is wrong: time, tokens, number of chips, format or model.",
        measured(run, estimate),
        chips(estimate),
        percent(ratio),
        run_at_speed(run, 1.0 / ratio, 4),
        readable(run.chips_at_peak, 6)
    );
    if let Some((row, most)) = run.published.and_then(|row| Some((row, row.mfu_percent.value? / 100.0))) {
        let real = format!(
            " The highest MFU published on this chip, {}, would give {}.",
            published(row),
            run_at_speed(run, most / ratio, 4)
        );
        said.push_str(&real);
    }
    Some(said)
}

/// Returns the reason why a measurement gives no figures.
#[must_use]
pub const fn unusable(why: Unusable) -> &'static str {
    match why {
        Unusable::NoTokensOfRun => "The time of a whole run is not enough: also enter the total tokens of the run.",
        Unusable::NoTokensOfStep => "Tokens per step are unknown: enter the step time instead, such as 350 ms.",
        Unusable::OtherTokens => {
            "The time and the tokens per second of this line are a step with other tokens: set sequences per chip or tokens per sequence."
        }
        Unusable::NoPeak => "The chip's peak is not known, so there is no MFU.",
        Unusable::AbovePeak => {
            "A run would exceed the peak of the chip. Check the measurement and the settings of the run."
        }
        Unusable::NoEstimate => "The estimate fails for one of the runs. Check the settings of this run.",
        Unusable::NotTraining => "Own runs count only for training. Choose training, or remove the runs.",
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
        Err(why) => (model::UNKNOWN.to_owned(), why.says().to_owned()),
    };
    let refused_alone = executed && run.impossible().is_none() && matches!(found, Err(MfuRefusal::AboveOne { .. }));
    let note = if refused_alone {
        "the run cannot have recomputed every activation: change “activation recomputation”".to_owned()
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
        says: "Share of the chips' peak that the measured run reached, computed from the FLOPs of this model.",
        leaves_out: "Errors in your entries: model, format and tokens are used as you entered them.",
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

fn against(run: &OwnRun, estimate: &Estimate) -> Figure {
    let times = run.times_predicted;
    let value = if times >= 1.0 {
        format!("{} × as long", readable(times, 3))
    } else {
        format!("{} × as fast", readable(1.0 / times, 3))
    };
    let note = match run.is_within {
        Some(true) => "inside the 80 % interval of the prediction",
        Some(false) if times > 1.0 => "slower than the 80 % interval: look for losses that the prediction leaves out",
        Some(false) => "faster than the 80 % interval: check time, tokens and number of chips",
        None => "the prediction has no interval: the table of published runs has no run of this pass",
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
        says: "Ratio of your step time to the predicted step time, for the same inputs.",
        leaves_out: "The causes of the difference. The table next to this figure lists the losses that the prediction contains.",
        citations: Vec::new(),
    }
}

/// Returns the figures of a measured run: MFU, HFU and the ratio to the prediction.
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

/// Returns the name of a cause of the gap between peak and MFU.
#[must_use]
pub const fn part(part: Part) -> &'static str {
    match part {
        Part::Products => "matmuls: padding, memory, operand re-reads",
        Part::Memory => "memory bandwidth",
        Part::Exchange => "communication between chips",
        Part::Pipeline => "waiting of pipeline stages",
        Part::Rest => "non-matmul overhead, fitted",
        Part::NotCounted => "work that MFU does not count: recomputation, masked attention",
        Part::Run => "your run relative to the prediction",
    }
}

/// Returns the efficiency breakdown of a measured run. The largest loss is marked.
fn ladder(run: &OwnRun) -> Table {
    let least = run.factors.iter().map(|one| one.factor).fold(f64::INFINITY, f64::min);
    let row = |one: &Factor| {
        let cells = [Cell::from(format!("× {}", Amount::Share(one.factor))), Amount::Share(one.left).into()];
        Row::new(part(one.part), cells).marked(one.factor <= least)
    };
    Table::new(TableId::Ladder, &["loss", "factor", "of the peak"], run.factors.iter().map(row))
}

fn better(claim: Claim) -> String {
    let times = readable(claim.times, 4);
    match claim.better {
        Better::Faster => format!("{times} times as fast"),
        Better::Cheaper => format!("{times} times as cheap"),
    }
}

/// Returns the number and name of a run's chips, or [`OTHER_RUN`] if both runs have the same chips.
fn run_of(estimate: &Estimate, other: &Estimate) -> String {
    if estimate.question.chip.id == other.question.chip.id && estimate.question.chips == other.question.chips {
        return OTHER_RUN.to_owned();
    }
    chips(estimate)
}

/// Name of the second run if both runs have the same chips.
const OTHER_RUN: &str = "the second run";

/// Returns a sentence with the verdict on a claim.
#[must_use]
pub fn verdict(claimed: &Claimed, here: &Estimate, there: &Estimate) -> String {
    let (first, other) = (chips(here), run_of(there, here));
    let takes = percent(claimed.mfu_here);
    let said = format!("To be {} as {other}, {first} would need an MFU of {takes} %", better(claimed.claim));
    match (claimed.verdict(), claimed.highest_here) {
        (Verdict::Impossible, _) => format!(
            "{said}, which is impossible. The claim would be true if {other} reached an MFU of only {} %; the prediction is {}.",
            percent(claimed.mfu_there),
            there.mfu.map_or_else(|_| model::UNKNOWN.to_owned(), |mfu| format!("{} %", percent(mfu.ratio)))
        ),
        (Verdict::NeverPublished, Some(row)) => {
            format!(
                "{said}. No published run on this chip reaches this MFU; the highest published MFU is {}.",
                published(row)
            )
        }
        (Verdict::Published, Some(row)) => {
            format!(
                "{said}. Published runs on this chip reach this MFU; the highest published MFU is {}.",
                published(row)
            )
        }
        _ => format!("{said}. The table of published runs has no verified run on this chip."),
    }
}

/// Returns the reason why a claim cannot be checked.
#[must_use]
pub const fn uncheckable(why: Uncheckable) -> &'static str {
    match why {
        Uncheckable::NothingBeside => {
            "Choose a second run: a run on another chip, or a run with other settings, such as another batch size."
        }
        Uncheckable::NoMfu => "One of the two runs has no MFU, so the claim cannot be checked.",
        Uncheckable::NoPrice => {
            "One of the two prices is not known. Enter your own price for the first run; for the second run, add a price to `versus`, such as usd.1.2 for $1.20 per chip-hour."
        }
    }
}

fn claim_table(claimed: &Claimed, here: &Estimate, there: &Estimate) -> Table {
    let other = run_of(there, here);
    let name = here.question.chip.name;
    let predicted =
        |estimate: &Estimate| Cell::from(Amount::or_unknown(estimate.mfu.ok(), |mfu| Amount::Share(mfu.ratio)));
    let impossible = if claimed.mfu_here > 1.0 { ": impossible" } else { "" };
    let needed = format!("{}{impossible}", Amount::Share(claimed.mfu_here));
    let predicted_claim = Claim { times: claimed.predicted, ..claimed.claim };
    let mut rows: Vec<(String, Cell)> = vec![
        (format!("claimed against {other}"), better(claimed.claim).into()),
        ("predicted by this estimate".to_owned(), better(predicted_claim).into()),
        (format!("MFU that {} would need", chips(here)), needed.into()),
        ("predicted MFU of the first run".to_owned(), predicted(here)),
        (format!("or MFU of {other} that would make the claim true"), Amount::Share(claimed.mfu_there).into()),
        ("predicted MFU of the second run".to_owned(), predicted(there)),
    ];
    rows.extend(claimed.chips.map(|chips| {
        (format!("or number of chips ({name}) at the predicted speed"), Amount::Number(chips, 6, "").into())
    }));
    rows.extend(claimed.usd_per_chip_hour.map(|usd| {
        let now = Amount::or_unknown(here.question.usd_per_chip_hour(), Amount::UsdPrice);
        (format!("or price per hour of {name}, now {now}"), Amount::Usd(usd).into())
    }));
    let none = || "no verified run in the table".to_owned();
    rows.push((format!("highest MFU published on {name}"), claimed.highest_here.map_or_else(none, published).into()));
    let there = there.question.chip.name;
    rows.push((format!("lowest MFU published on {there}"), claimed.lowest_there.map_or_else(none, published).into()));
    Table::new(TableId::Claim, &["what", "value"], rows.into_iter().map(|(what, value)| Row::new(what, [value])))
}

/// Returns the name of a changed setting.
fn change(one: &Change) -> String {
    if one.is_price() {
        return entry::name(Entry::Price).to_owned();
    }
    entry::name(one.entry).to_owned()
}

/// Returns the value of a setting in a question, as text.
pub(super) fn setting(entry: Entry, question: &Question) -> String {
    match entry {
        Entry::Chip => question.chip.name.to_owned(),
        Entry::Remat => entry::remat(Some(question.recomputes())).to_owned(),
        Entry::Framework => entry::framework(Some(question.framework())).to_owned(),
        Entry::Split => entry::split(question.split).to_owned(),
        Entry::Dtype => model::runs_as(question),
        _ => question.text(entry),
    }
}

fn apart(changes: &[Change]) -> Table {
    let factor = |times| Cell::from(Amount::Times(times, 3));
    let money = |times: Option<f64>| Cell::from(Amount::or_unknown(times, |times| Amount::Times(times, 3)));
    let nothing = || Cell::from("");
    let mut rows: Vec<Row> = Vec::new();
    for one in changes {
        let [from, to] = [&one.from, &one.to].map(|question| Cell::from(setting(one.entry, question)));
        rows.push(Row::new(change(one), [from, to, factor(one.faster), money(one.cheaper)]));
        if let Some((peak, mfu)) = one.peak_and_mfu.filter(|_| !one.is_price()) {
            for (what, times) in [("due to the peak", peak), ("due to the MFU", mfu)] {
                rows.push(Row::new(what, [nothing(), nothing(), factor(times), nothing()]));
            }
        }
    }
    let faster: f64 = changes.iter().map(|one| one.faster).product();
    let cheaper: Option<f64> = changes.iter().map(|one| one.cheaper).product();
    rows.push(Row::new("all together", [nothing(), nothing(), factor(faster), money(cheaper)]).marked(true));
    Table::new(TableId::Apart, &["change", "from", "to", "times as fast", "times as cheap"], rows)
}

/// Returns the tables of a measured run, of a claim, and of the differences between two runs.
#[must_use]
pub fn tables(answer: &ModelAnswer) -> Vec<Table> {
    let mut all = Vec::new();
    if let Some(Ok(run)) = &answer.own_run
        && !run.factors.is_empty()
    {
        all.push(ladder(run));
    }
    if !answer.readings.is_empty() {
        all.push(conventions::table(&answer.readings, answer.estimate.question.attention));
    }
    if let (Some(Ok(claimed)), Some((there, _))) = (&answer.claim, answer.comparison()) {
        all.push(claim_table(claimed, &answer.estimate, there));
    }
    if !answer.changes.is_empty() {
        all.push(apart(&answer.changes));
    }
    all
}

/// Returns the messages next to the entries for a measured run and a claim: impossible values, and missing inputs.
#[must_use]
pub fn beside_entries(answer: &ModelAnswer) -> Vec<(Entry, String)> {
    let run = answer.own_run.as_ref().and_then(|run| match run {
        Ok(run) => impossible(run, &answer.estimate),
        Err(why) => Some(unusable(*why).to_owned()),
    });
    let claim = answer.claim.as_ref().and_then(|claim| match (claim, answer.comparison()) {
        (Ok(claimed), Some((there, _))) if claimed.verdict() == Verdict::Impossible => {
            Some(verdict(claimed, &answer.estimate, there))
        }
        (Err(why), _) => Some(uncheckable(*why).to_owned()),
        _ => None,
    });
    let runs = answer.software.as_ref().err().map(|why| unusable(*why).to_owned());
    let all = [(Entry::Measured, run), (Entry::Runs, runs), (Entry::Claim, claim)];
    all.into_iter().filter_map(|(entry, sentence)| Some((entry, sentence?))).collect()
}

/// Returns the note next to the entry for a measured run, if the two figures of the run disagree in every convention.
#[must_use]
pub fn disagreement(answer: &ModelAnswer) -> Option<String> {
    conventions::disagreement(&answer.readings)
}

/// Returns the note next to the entry for a claim: the verdict, if the claim is possible.
#[must_use]
pub fn claim_note(answer: &ModelAnswer) -> Option<(Entry, String)> {
    let (Ok(claimed), Some((there, _))) = (answer.claim.as_ref()?, answer.comparison()) else { return None };
    (claimed.verdict() != Verdict::Impossible).then(|| (Entry::Claim, verdict(claimed, &answer.estimate, there)))
}

#[cfg(test)]
mod tests;
