//! The sentence above a comparison: the answer in words.

use super::comparison::{self, TOO_WIDE};
use super::{entry, figures, model, why};
use display::amount::Amount;
use display::number::{grouped, percent, readable};
use estimate::{ChosenForRate, Entry, Estimate, Inputs, Measure, ModelAnswer, OwnRun, Ranking, Run};
use workload::PassKind;

/// Returns the answer in words: the measured run, then the ranking, then the unranked runs. For decode, the rate of
/// each user and the largest losses come before the unranked runs.
pub(super) fn sentence(answer: &ModelAnswer, all: &[Run<'_>]) -> String {
    let own = answer.own_run.iter().flatten().map(own_run).collect::<String>();
    let is_alone = all.len() == 1;
    let ranked = ranked(answer, is_alone);
    let ranked =
        if is_alone && !own.is_empty() && !ranked.is_empty() { format!("Prediction: {ranked}") } else { ranked };
    let rates = all.iter().filter(|run| run.estimate.has_room()).map(|run| at_rate(run.estimate));
    let losses = if is_alone || ranked.is_empty() { String::new() } else { largest_losses(all) };
    let all = [own, ranked].into_iter().chain(rates).chain([losses, without_room(all)]);
    all.filter(|one| !one.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns the settings that all runs share, and the meaning of their ranges: "bf16 training, 2048 tokens per sequence,
/// fully sharded. Ranges in parentheses are 80 % intervals."
pub(super) fn setting(all: &[Run<'_>]) -> String {
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
    let runs: Vec<[Option<String>; 3]> =
        all.iter().map(|run| run.estimate).map(|one| [pass(one), length(one), split(one)]).collect();
    let first = runs.first().cloned().unwrap_or_default().into_iter().enumerate();
    let shared = first.filter(|(nth, text)| runs.iter().all(|run| run.get(*nth) == Some(text)));
    let shared = shared.filter_map(|(_, text)| text).collect::<Vec<_>>().join(", ");
    let has_range = |one: &Estimate| one.misfit().is_none() && one.interval().is_some_and(|found| !found.is_wide());
    let has_ranges = all.iter().any(|run| has_range(run.estimate));
    let ranges = if has_ranges { " Ranges in parentheses are 80 % intervals." } else { "" };
    let start = if shared.is_empty() { ranges.trim_start().to_owned() } else { format!("{shared}.{ranges}") };
    (start + &converted(all)).trim_start().to_owned()
}

/// Names each chip that multiplies in a format other than the question's, with the peak that its MFU refers to; empty
/// if no chip does.
fn converted(all: &[Run<'_>]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for run in all {
        let peak = model::peak_of_mfu(&run.estimate.question).filter(|text| !texts.contains(text));
        texts.extend(peak);
    }
    texts.concat()
}

/// Names the runs that are not ranked because they do not fit in memory; empty if all fit, or if none fits.
fn without_room(all: &[Run<'_>]) -> String {
    let without = all.iter().filter(|run| !run.estimate.has_room());
    let names: Vec<&str> = without.map(|run| run.estimate.question.chip.name).collect();
    if names.is_empty() || names.len() == all.len() {
        return String::new();
    }
    format!("Not ranked, because of too little memory: {}.", names.join(", "))
}

/// Returns the sentence about the only run: its MFU, its cost and its largest loss. If the work is a list of the
/// matmuls of a step, the cost of the step is included.
fn single(estimate: &Estimate) -> String {
    let Some(lost) = why::largest_loss(estimate) else { return String::new() };
    let is_listed = estimate.work.traced.is_some() || estimate.tokens.is_none();
    let is_known = estimate.has_room() && !estimate.is_wide();
    let step = estimate.usd_per_step().filter(|_| is_listed && is_known).map(|usd| (usd, "step"));
    let million = estimate.ranked_usd().map(|usd| (usd, "million tokens"));
    let costs = [step, million].into_iter().flatten();
    let costs: Vec<String> = costs.map(|(usd, per)| format!(" and {} per {per}", Amount::Usd(usd))).collect();
    let cost = costs.concat();
    let mfu = estimate.mfu.map_or(0.0, |mfu| mfu.ratio);
    format!("{} % MFU{cost}. The largest loss is {lost}", percent(mfu))
}

/// Returns the sentence about a measured run: its MFU, and its time as a multiple of the predicted time.
fn own_run(run: &OwnRun) -> String {
    let Ok(mfu) = run.mfu else { return String::new() };
    let interval = match run.is_within {
        None => "",
        Some(true) => ", inside the 80 % interval",
        Some(false) => ", outside the 80 % interval",
    };
    let times = readable(run.times_predicted, 3);
    format!("Your run: {} % MFU, {times} × the predicted time{interval}.", percent(mfu.ratio))
}

/// Names the chips of a run: "8 × H100 80GB SXM5".
fn name(one: &Estimate) -> String {
    format!("{} × {}", grouped(one.question.chips), one.question.chip.name)
}

/// Formats the tokens per second of each user of a run of decode; `None` for another pass.
fn user_rate(one: &Estimate) -> Option<String> {
    let is_of = Measure::TokensPerSecPerUser.is_of(one);
    Some(figures::user_rate(Measure::TokensPerSecPerUser.number(one)?.value.filter(|_| is_of)?))
}

/// Returns the tokens per second of each user of two runs that decode for equally many users; empty for another pass.
fn for_each_user(runs: [&Estimate; 2]) -> String {
    let [Some(first), Some(second)] = runs.map(user_rate) else { return String::new() };
    let users = match runs[0].question.users() {
        1 => "The user".to_owned(),
        users => format!("Each of {} users", grouped(users)),
    };
    let [here, there] = runs.map(name);
    format!(
        " {users} gets {first} tokens/s on {here} and {second} on {there}. Set “{}” to compare both at one rate.",
        entry::name(Entry::Rate)
    )
}

/// Names the chips of a run, its sequences per chip, and the tokens per second of each user; empty if the question sets
/// no rate.
fn at_rate(one: &Estimate) -> String {
    let Some((needed, rate)) = one.question.rate_of_user().zip(user_rate(one)) else { return String::new() };
    if one.has_no_choice() {
        return format!(
            "No number of {} chips fits in memory with a communication that is counted: set the number.",
            one.question.chip.name
        );
    }
    let with = format!("{}, {} per chip", name(one), comparison::sequences(one.question.batch));
    if !one.misses_rate() {
        return format!("{with}: {rate} tokens/s per user.");
    }
    let most = if one.question.chosen == ChosenForRate::default() { "only" } else { "at most" };
    let needed = readable(needed, 4);
    format!("{} reaches {most} {rate} tokens/s per user instead of {needed} ({with}).", one.question.chip.name)
}

/// Returns the MFU and the largest loss of each run of decode that fits in memory; empty for another pass.
fn largest_losses(all: &[Run<'_>]) -> String {
    let is_of = |one: &&Estimate| one.question.pass == PassKind::Decode && !one.has_no_choice();
    let runs = all.iter().map(|run| run.estimate).filter(is_of);
    let loss = |one: &Estimate| {
        let (lost, mfu) = (why::largest_loss(one)?, percent(one.mfu.ok()?.ratio));
        Some(format!("{} has {mfu} % MFU because of {lost}", name(one)))
    };
    runs.filter_map(loss).collect::<Vec<_>>().join(" ")
}

/// Names the number of users that a run serves at once: " for 64 users at once".
fn for_users(users: u64) -> String {
    if users == 1 { " for 1 user".to_owned() } else { format!(" for {} users at once", grouped(users)) }
}

/// Returns the answer in one sentence: the cheapest run, or the figures of the only run.
fn ranked(answer: &ModelAnswer, is_alone: bool) -> String {
    let ranking = answer.ranking();
    match ranking {
        Ranking::TooWide if is_alone => "Measured runs differ so much that only the 80 % interval is known.".to_owned(),
        Ranking::TooWide => TOO_WIDE.to_owned(),
        Ranking::Cheapest { runs: [(cheapest, low), (next, high)], saved, are_all, do_overlap } => {
            let (first, second, low, high) = (name(cheapest), name(next), Amount::Usd(low), Amount::Usd(high));
            let rate = cheapest.question.rate_of_user();
            let users = if rate.is_none() { for_each_user([cheapest, next]) } else { String::new() };
            let at = match rate {
                Some(rate) => format!(" at {} tokens/s per user or more", readable(rate, 4)),
                None if cheapest.question.pass == PassKind::Decode => for_users(cheapest.question.users()),
                None => String::new(),
            };
            if ranking.is_close() {
                return format!(
                    "{first} and {second} cost about the same{at}: {low} and {high} per million tokens.{users}"
                );
            }
            let is = if are_all { "is cheaper" } else { "is cheapest" };
            let but = if do_overlap { ", but the 80 % intervals overlap" } else { "" };
            format!("{first} {is}{at}: {low} per million tokens, {} % less than {second}{but}.{users}", percent(saved))
        }
        Ranking::Only(only, usd) => {
            let has = if only.question.rate_of_user().is_some() {
                "has a price, fits in memory and reaches the rate"
            } else {
                "has a price and fits in memory"
            };
            format!("Only {} {has}: {} per million tokens.", name(only), Amount::Usd(usd))
        }
        Ranking::OtherUsers { users: [here, there] } => {
            let (here, there) = (grouped(here), grouped(there));
            format!(
                "The runs are not ranked, because one decodes for {here} users at once and one for {there}. Set “{}” to compare them at one rate.",
                entry::name(Entry::Rate)
            )
        }
        Ranking::NoneFits => "No run fits in memory with its activations.".to_owned(),
        Ranking::Alone(only) => single(only),
        Ranking::NoneReaches | Ranking::Unknown => String::new(),
    }
}
