//! The sentence above a comparison: the answer in words.

use super::columns::{CLOSE, has_room, is_wide, usd};
use super::comparison::{IS_WIDE, NONE_FITS, RANGES, TOO_WIDE, not_ranked, predicted};
use super::{entry, model, why};
use display::amount::Amount;
use display::number::{grouped, percent, readable};
use estimate::{Entry, Estimate, Inputs, ModelAnswer, OwnRun};

/// Returns the answer in words: the measured run, the ranking of the runs, and the runs that are not ranked.
pub(super) fn sentence(answer: &ModelAnswer, all: &[(Entry, &Estimate)]) -> String {
    let own = answer.own_run.iter().flatten().map(|run| own_run(run, &answer.estimate)).collect::<String>();
    let ranked = match all {
        [_] if !own.is_empty() => predicted(&ranked(all)),
        _ => ranked(all),
    };
    let all = [own, ranked, without_room(all)].into_iter().filter(|one| !one.is_empty());
    all.collect::<Vec<_>>().join(" ")
}

/// Returns the settings that all runs share, and the meaning of their ranges: "bf16 training, 2048 tokens per sequence,
/// fully sharded. Ranges in parentheses are 80 % intervals."
pub(super) fn setting(all: &[(Entry, &Estimate)]) -> String {
    let pass = |one: &Estimate| {
        let (format, pass) = (one.question.dtype.word(), entry::pass(one.question.pass));
        Some(if one.inputs == Inputs::Unknown { format.to_owned() } else { format!("{format} {pass}") })
    };
    let length = |one: &Estimate| {
        (one.inputs == Inputs::Sequences).then(|| format!("{} {}", grouped(one.question.seq), entry::name(Entry::Seq)))
    };
    let split = |one: &Estimate| match &one.question {
        question if question.chips < 2 => None,
        question if question.groups.text().is_empty() => Some(entry::split(question.split).to_owned()),
        question => Some(model::groups(&one.groups, question.chips)),
    };
    let runs: Vec<[Option<String>; 3]> = all.iter().map(|(_, one)| [pass(one), length(one), split(one)]).collect();
    let first = runs.first().cloned().unwrap_or_default().into_iter().enumerate();
    let shared = first.filter(|(nth, text)| runs.iter().all(|run| run.get(*nth) == Some(text)));
    let shared = shared.filter_map(|(_, text)| text).collect::<Vec<_>>().join(", ");
    let has_ranges =
        all.iter().any(|(_, one)| one.misfit().is_none() && one.interval().is_some_and(|found| !found.is_wide()));
    let ranges = if has_ranges { RANGES } else { "" };
    let start = if shared.is_empty() { ranges.trim_start().to_owned() } else { format!("{shared}.{ranges}") };
    (start + &converted(all)).trim_start().to_owned()
}

/// Names each chip that runs the format in another format, and the peak of its MFU; empty if no chip does.
fn converted(all: &[(Entry, &Estimate)]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for (_, one) in all {
        let peak = model::peak_of_mfu(&one.question).filter(|text| !texts.contains(text));
        texts.extend(peak);
    }
    texts.concat()
}

/// Names the runs that are not ranked because they do not fit in memory; empty if all fit, or if none fits.
fn without_room(all: &[(Entry, &Estimate)]) -> String {
    let names: Vec<&str> =
        all.iter().filter(|(_, one)| !has_room(one)).map(|(_, one)| one.question.chip.name).collect();
    if names.is_empty() || names.len() == all.len() { String::new() } else { not_ranked(&names) }
}

/// Returns the sentence about the only run: its MFU, its cost and its largest loss.
fn single(estimate: &Estimate) -> String {
    let Some(lost) = why::largest_loss(estimate) else { return String::new() };
    let cost = usd(estimate).map_or_else(String::new, |usd| format!(" and {} per million tokens", Amount::Usd(usd)));
    let mfu = estimate.mfu.map_or(0.0, |mfu| mfu.ratio);
    format!("{} % MFU{cost}. The largest loss is {lost}.", percent(mfu))
}

/// Returns the sentence about a measured run: its MFU, and its time in units of the prediction.
fn own_run(run: &OwnRun, estimate: &Estimate) -> String {
    let Ok(mfu) = run.mfu else { return String::new() };
    let times = readable(run.step.0 / estimate.step.0, 3);
    let interval = match estimate.interval() {
        None => String::new(),
        Some(found) => {
            let (shortest, longest) = found.time(estimate.step.0);
            let is = if (shortest..=longest).contains(&run.step.0) { "inside" } else { "outside" };
            format!(", {is} the 80 % interval")
        }
    };
    format!("Your run: {} % MFU, {times} × the predicted time{interval}.", percent(mfu.ratio))
}

/// Returns the answer in one sentence: the cheapest run, or the figures of the only run.
fn ranked(all: &[(Entry, &Estimate)]) -> String {
    if all.len() > 1 && all.iter().any(|(_, one)| has_room(one) && is_wide(one)) {
        return TOO_WIDE.to_owned();
    }
    let name = |one: &Estimate| format!("{} × {}", grouped(one.question.chips), one.question.chip.name);
    let mut priced: Vec<(&Estimate, f64)> = all.iter().filter_map(|(_, one)| Some((*one, usd(one)?))).collect();
    priced.sort_by(|one, other| one.1.total_cmp(&other.1));
    match (priced.as_slice(), all) {
        ([(cheapest, low), (next, high), rest @ ..], _) => {
            let less = 1.0 - low / high;
            let high_end = cheapest.interval().map(|interval| interval.time(*low).1);
            let low_end = next.interval().map(|interval| interval.time(*high).0);
            let overlap = high_end.zip(low_end).is_some_and(|(high, low)| high > low);
            let (first, second) = (name(cheapest), name(next));
            if overlap && less < CLOSE {
                return format!(
                    "{first} and {second} cost about the same: {} and {} per million tokens.",
                    Amount::Usd(*low),
                    Amount::Usd(*high)
                );
            }
            let is = if rest.is_empty() { "is cheaper" } else { "is cheapest" };
            let but = if overlap { ", but the 80 % intervals overlap" } else { "" };
            format!(
                "{first} {is}: {} per million tokens, {} % less than {second}{but}.",
                Amount::Usd(*low),
                percent(less)
            )
        }
        ([(only, usd)], [_, _, ..]) => {
            format!("Only {} has a price and fits in memory: {} per million tokens.", name(only), Amount::Usd(*usd))
        }
        ([], [_, _, ..]) if !all.iter().any(|(_, one)| has_room(one)) => NONE_FITS.to_owned(),
        (_, [(_, only)]) if is_wide(only) && only.misfit().is_none() => IS_WIDE.to_owned(),
        (_, [(_, only)]) if only.misfit().is_none() => single(only),
        _ => String::new(),
    }
}
