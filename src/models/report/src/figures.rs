//! Figures and assumptions of an answer about a model.

use super::memory::{memory, misfit};
use super::{entry, forecast, interval, limits, model as words};
use display::amount::Amount;
use display::figure::{Citation, Figure, Range, cents, cite, dollars, duration, price_words};
use display::number::{grouped, percent, readable};
use estimate::{Bound, Entry, Estimate, Inputs, Interval, LayoutFrom, Measure, Question, StepPart};
use perfmodel::definition::{self, Definition, scale};
use perfmodel::gemm_time::{accuracy, calibration, tpu_v4};
use perfmodel::{Attention, Compute, Confidence, Joules, Mfu, MfuRefusal, Sourced, usd_per_pflop_hour};
use workload::{Kind, PassKind, Workload};

fn defined(definition: &'static Definition, value: String, note: String, worked: String) -> Figure {
    display::figure::defined(definition, value, note, worked, Vec::new())
}

fn with(mut figure: Figure, citations: impl IntoIterator<Item = Citation>) -> Figure {
    figure.citations.extend(citations);
    figure
}

/// Adds the interval to a figure, if the estimate has an interval.
fn ranged(figure: Figure, estimate: &Estimate, range: impl FnOnce(Interval) -> Option<Range>) -> Figure {
    let Some(found) = estimate.interval() else { return figure };
    match range(found) {
        // One number in the middle of a wide interval would mislead.
        Some(range) if found.is_wide() => {
            let Range { low, high, words } = range;
            Figure {
                value: words,
                range: Some(Range { low, high, words: "80 % interval, too wide for one number".to_owned() }),
                ..figure
            }
        }
        range => Figure { range, ..figure },
    }
}

/// Returns the figures of an estimate, most important first.
#[must_use]
pub fn figures(estimate: &Estimate) -> Vec<Figure> {
    let of = |measures: &[Measure]| -> Vec<Figure> {
        measures.iter().filter(|measure| measure.is_of(estimate)).map(|measure| figure(*measure, estimate)).collect()
    };
    let [speeds @ .., memory] = &Measure::ALL;
    let hfu = (estimate.question.pass == PassKind::Training).then(|| ratio(estimate, true));
    let rest = money(estimate).into_iter().chain(hfu).chain(energy(estimate));
    let rest = rest.map(|figure| possible(figure, estimate));
    let limits = limits::per_mac(estimate).into_iter().chain(limits::critical_tokens(estimate));
    let all = of(speeds).into_iter().chain(rest).chain(limits).chain([padding(estimate)]);
    all.chain(of(&[*memory])).chain(identity(&estimate.question)).collect()
}

/// Returns the figure of a measure.
pub(super) fn figure(measure: Measure, estimate: &Estimate) -> Figure {
    let figure = match measure {
        Measure::Mfu => ratio(estimate, false),
        Measure::MemoryBandwidth => bandwidth(estimate),
        Measure::StepTime => step(estimate),
        Measure::TokensPerSec => throughput(estimate),
        Measure::TokensPerSecPerUser => per_user(estimate),
        Measure::UsdPerStep => usd_per_step(estimate),
        Measure::UsersAtOnce => users(&estimate.question),
        Measure::UsdPerMillionTokens => usd_per_million(estimate),
        Measure::Memory => return memory(&estimate.question, &estimate.work),
    };
    possible(figure, estimate)
}

/// Returns a figure without its value if the run does not fit in memory, because such a run has no speed and no cost.
fn possible(figure: Figure, estimate: &Estimate) -> Figure {
    match misfit(estimate) {
        Some(worked) => Figure { value: "does not fit".to_owned(), range: None, note: String::new(), worked, ..figure },
        None => figure,
    }
}

/// Returns the figures of an answer whose times cannot be computed, because values of the chip are unknown.
///
/// Figures that depend on times are unknown, with the reason. All other figures have their values.
pub(super) fn figures_without_times(question: &Question, work: Option<&Workload>, refusal: &MfuRefusal) -> Vec<Figure> {
    let why = words::why_not(refusal);
    let unknown = |definition| defined(definition, "unknown".to_owned(), String::new(), why.clone());
    let mut all: Vec<Figure> =
        [&definition::MFU, &scale::STEP_TIME, &scale::USD_PER_MILLION_TOKENS].into_iter().map(unknown).collect();
    all.extend(work.map(|work| memory(question, work)));
    all.extend(identity(question));
    all
}

/// Returns the figure that checks the peak of a custom chip against its geometry and clock.
///
/// `None` for a listed chip, because its data sheet contains this check.
fn identity(question: &Question) -> Option<Figure> {
    let chip = &question.chip;
    if !chip.is_custom {
        return None;
    }
    let dtype = question.multiplied();
    let found = chip.identity(dtype);
    let value = match &found {
        Some(identity) if identity.closes => "consistent with the published clock".to_owned(),
        Some(_) => "not consistent with the published clock".to_owned(),
        None => "unknown".to_owned(),
    };
    let lanes = chip.lanes();
    let (note, worked) = match (&found, lanes, chip.clock_mhz.value) {
        (Some(identity), Some(lanes), Some(clock)) => {
            let per = readable(identity.macs_per_pe_per_clock, 4);
            let [peak, computed] = [identity.published_tflops, identity.computed_tflops].map(|one| readable(one, 6));
            let sides = format!("2 · {} PEs · {} MHz", grouped(lanes), readable(clock, 6));
            (
                format!("{per} MACs per PE and clock cycle"),
                format!("{peak} ÷ ({sides} = {computed} {}) = {per}", dtype.peak_unit()),
            )
        }
        _ => {
            let parts = [
                (chip.peak_flops(dtype).is_none(), "the peak"),
                (lanes.is_none(), "the size or number of the arrays"),
                (chip.clock_mhz.value.is_none(), "the clock"),
            ];
            let missing: Vec<&str> = parts.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect();
            (String::new(), format!("Unknown: {}.", missing.join(", ")))
        }
    };
    let clock = cite("clock".to_owned(), &chip.clock_mhz);
    let peak = chip.peak(dtype).map(|peak| cite(format!("peak, {}", dtype.word()), peak));
    Some(Figure {
        id: "peak-identity",
        name: "Peak from geometry",
        value,
        range: None,
        note,
        formula: "peak ÷ (2 · rows · columns · arrays · clock)",
        worked,
        says: "Number of MACs per PE and clock cycle that follows from the peak and the clock. This number must agree with the expected number within 1 %. The expected number is 1 for 16 bits, 1 or 2 for 8 bits, 4 for 4 bits, ¼ for f32 or int16, and ½ or 1 for tf32.",
        leaves_out: "Clock reductions under load.",
        citations: peak.into_iter().chain([clock]).collect(),
    })
}

fn peak(estimate: &Estimate) -> Option<Citation> {
    let chip = &estimate.question.chip;
    let dtype = estimate.question.multiplied();
    let peak = chip.peak(dtype)?;
    let value = peak.value.map_or_else(|| "unknown".to_owned(), |tflops| readable(tflops, 6));
    Some(cite(format!("{} peak, {}: {value} {}", chip.name, dtype.word(), dtype.peak_unit()), peak))
}

fn ratio(estimate: &Estimate, executed: bool) -> Figure {
    let (mfu, definition, flops, name) = if executed {
        (&estimate.hfu, &definition::HFU, estimate.work.executed_flops(), "executed")
    } else {
        (&estimate.mfu, &definition::MFU, estimate.model_flops, "model")
    };
    let (value, worked) = match mfu {
        Ok(Mfu { ratio, peak, time }) => (
            format!("{} %", percent(*ratio)),
            format!(
                "{} {name} FLOP ÷ ({} FLOP/s · {} s) = {} %, per chip",
                readable(flops, 5),
                readable(peak.0, 5),
                readable(time.0, 4),
                percent(*ratio)
            ),
        ),
        Err(MfuRefusal::AboveOne { ratio }) => {
            ("refused".to_owned(), format!("{} % of the peak is impossible.", percent(*ratio)))
        }
        Err(why) => ("unknown".to_owned(), why.says().to_owned()),
    };
    let lent = estimate.share.as_ref().map_or_else(String::new, |share| forecast::lent(share, &estimate.question.chip));
    let has_brackets = estimate.interval().is_some_and(|found| !found.is_wide());
    let range = if executed || !has_brackets { "" } else { "; in parentheses: the 80 % interval" };
    let nearest = if executed { String::new() } else { forecast::nearest(estimate) };
    let note = format!(
        "{}, {}{range}{nearest}{lent}",
        attention(estimate, executed),
        words::runs_as_of_peak(&estimate.question)
    );
    let own = estimate
        .share
        .as_ref()
        .into_iter()
        .flat_map(|share| [forecast::forecast(share), forecast::share(share)].map(regression));
    let point = mfu.ok().map(|mfu| mfu.ratio);
    let figure = with(
        defined(definition, value, note, worked),
        peak(estimate).into_iter().chain(own).chain([interval::citation(estimate)]),
    );
    ranged(figure, estimate, |found| Some(interval::percents(found.rate(point?))))
}

/// Cites the regression of published runs.
fn regression(what: String) -> Citation {
    let sure = Confidence::Medium;
    Citation {
        what,
        source: perfmodel::MODEL_SOURCE.text,
        confidence: format!("{}: {}", sure.word(), sure.says()),
        note: "",
    }
}

/// Returns the convention for counting attention FLOPs: that of the HFU if `executed` is true, else that of the MFU.
///
/// Executed FLOPs count attention in full. Model FLOPs count attention as causal if a matmul counts only its causal
/// half.
fn attention(estimate: &Estimate, executed: bool) -> &'static str {
    let products = || estimate.work.products.iter();
    if estimate.inputs != Inputs::Sequences
        || !products().any(|product| matches!(product.kind, Kind::Scores | Kind::Values))
    {
        "only matmuls"
    } else if !executed && products().any(|product| product.counted < 1.0) {
        Attention::Causal.word()
    } else {
        Attention::Full.word()
    }
}

fn step(estimate: &Estimate) -> Figure {
    let exchanged = match estimate.exchange_time() {
        Some(time) => {
            format!("communication {} at {} % overlap", duration(time.0), estimate.question.overlap_percent())
        }
        None => "no communication counted".to_owned(),
    };
    let bubble = estimate.groups.bubble();
    let waits = if bubble > 0.0 {
        format!(", times {} for stages that wait", readable(1.0 + bubble, 3))
    } else {
        String::new()
    };
    let rest = estimate.share.as_ref().map_or_else(String::new, |share| {
        let own = duration(estimate.own.0);
        format!(" ÷ {} (fitted, for non-matmul overhead) = {own} for the chip's own work", readable(share.share, 3))
    });
    let serves = estimate.serving.map_or_else(String::new, |serving| {
        format!(
            ", combined time × {} for non-matmul overhead, fitted to measured serving runs,",
            readable(serving.slower, 3)
        )
    });
    let worked = format!(
        "matmuls {}{rest}, {exchanged}{waits}{serves} = {}",
        duration(estimate.products.total.0),
        duration(estimate.step.0)
    );
    let bound = match estimate.bound() {
        Bound::Communication => "communication",
        Bound::Arithmetic | Bound::Memory => estimate.products.limit().word(),
    };
    let note = format!("mostly {bound}{}", if bound.contains(' ') { "" } else { "-bound" });
    let (from, confidence) = if accuracy::by_size(&estimate.question.chip, estimate.question.dtype).is_some() {
        (&tpu_v4::SOURCE, Confidence::Medium)
    } else {
        let (constants, _) = calibration::calibration_of_chip(&estimate.question.chip);
        (constants.source, constants.confidence)
    };
    let source = Citation {
        what: words::basis(estimate),
        source: from.text,
        confidence: format!("{}: {}", confidence.word(), confidence.says()),
        note: "",
    };
    let bandwidth = &estimate.question.chip.memory.gb_per_sec;
    let own = (bandwidth.confidence == Confidence::Yours).then(|| {
        let value = bandwidth.value.map_or_else(|| "unknown".to_owned(), |rate| readable(rate, 6));
        cite(format!("bandwidth of the memory: {value} GB/s"), bandwidth)
    });
    let mut figure = defined(&scale::STEP_TIME, duration(estimate.step.0), note, worked);
    if estimate.question.pass == PassKind::Decode {
        // A step of decoding makes one token of every sequence.
        figure.name = "Time per token";
    }
    if estimate.question.is_product {
        figure.name = "Time";
    }
    let point = estimate.step.0;
    let figure = ranged(figure, estimate, |found| Some(interval::durations(point, found.time(point))));
    let serving = estimate.serving.map(forecast::serving);
    with(figure, core::iter::once(source).chain(own).chain(serving))
}

/// Returns the figure of the memory bandwidth that a step of decode uses, with the bytes of weights and cache.
fn bandwidth(estimate: &Estimate) -> Figure {
    let memory = &estimate.question.chip.memory.gb_per_sec;
    let parts = estimate.step_parts();
    let share = parts.and_then(|parts| parts.step.bandwidth_share);
    let gb = |of: StepPart| {
        let bytes = parts.iter().flat_map(|parts| parts.parts).find(|(part, _)| *part == of).map(|(_, one)| one.bytes);
        bytes.map_or_else(|| words::UNKNOWN.to_owned(), |bytes| readable(bytes / 1e9, 3))
    };
    let rate = memory.value.map_or_else(|| words::UNKNOWN.to_owned(), |rate| readable(rate, 5));
    let (weights, cache) = (gb(StepPart::Weights), gb(StepPart::Cache));
    let figure = Figure {
        id: Measure::MemoryBandwidth.id(),
        name: "Memory bandwidth used",
        value: Amount::or_unknown(share, Amount::Share).to_string(),
        range: None,
        note: format!("{weights} GB of weights and {cache} GB of cache on each chip"),
        formula: "(weights + keys and values that a chip reads) ÷ (time per token · memory bandwidth)",
        worked: format!("({weights} GB + {cache} GB) ÷ ({} · {rate} GB/s)", duration(estimate.step.0)),
        says: "Share of the memory bandwidth that a step of decode uses. A step reads each weight of a chip once, for all users together, and the keys and values of each user. Decode is limited by this bandwidth until a step has hundreds of users.",
        leaves_out: "Activations, weights of normalization layers, and copies of heads of keys and values if the chips outnumber the heads.",
        citations: vec![cite(format!("bandwidth of the memory: {rate} GB/s"), memory)],
    };
    ranged(figure, estimate, |found| Some(interval::percents(found.rate(share?))))
}

/// Formats the tokens per second of each user, with the precision that all figures and sentences share.
pub(crate) fn user_rate(tokens_per_sec: f64) -> String {
    readable(tokens_per_sec, 4)
}

/// Returns the figure of tokens per second for each user, with the number of users.
fn per_user(estimate: &Estimate) -> Figure {
    let question = &estimate.question;
    let step = duration(estimate.step.0);
    let rate = 1.0 / estimate.step.0;
    let figure = Figure {
        id: Measure::TokensPerSecPerUser.id(),
        name: "Tokens per second per user",
        value: user_rate(rate),
        note: words::at_once(question.batch.saturating_mul(question.chips)),
        formula: "1 ÷ time per token",
        worked: format!("1 ÷ {step}"),
        says: "Tokens per second for each sequence when the chips generate all sequences at the same time.",
        leaves_out: "The time to the first token, waiting for a place in the batch, and token sampling.",
        citations: Vec::new(),
        range: None,
    };
    ranged(figure, estimate, |found| Some(interval::amounts(found.rate(rate), "")))
}

/// Returns the figure of the number of users whose sequences all chips together decode at the same time.
fn users(question: &Question) -> Figure {
    Figure {
        id: Measure::UsersAtOnce.id(),
        name: "Users at once",
        value: grouped(question.users()),
        note: String::new(),
        formula: "sequences per chip · chips",
        worked: format!("{} · {}", grouped(question.batch), grouped(question.chips)),
        says: "Number of sequences that all chips decode at the same time, one for each user.",
        leaves_out: "Users who wait for a place in the batch.",
        citations: Vec::new(),
        range: None,
    }
}

fn throughput(estimate: &Estimate) -> Figure {
    let all = estimate.tokens_per_sec();
    let each = all.map(|all| all / estimate.question.chips as f64);
    let note = match (each, estimate.inputs) {
        (Some(each), Inputs::Sequences) => format!("{} per chip", readable(each, 4)),
        (Some(each), _) => format!("{} per chip{}", readable(each, 4), words::INPUTS),
        (None, _) => words::NO_TOKENS.to_owned(),
    };
    let figure = Figure {
        id: Measure::TokensPerSec.id(),
        name: "Tokens per second",
        value: all.map_or_else(|| words::UNKNOWN.to_owned(), |all| readable(all, 4)),
        range: None,
        note,
        formula: if estimate.inputs == Inputs::Sequences {
            "sequences per chip · tokens per sequence · chips ÷ step time"
        } else {
            "inputs per chip · chips ÷ step time"
        },
        worked: format!("{} tokens ÷ {}", counted(estimate.tokens, 9), duration(estimate.step.0)),
        says: "Tokens that the model processes per second, on all chips together.",
        leaves_out: "Padding between sequences, waiting for input, checkpoints and failures.",
        citations: Vec::new(),
    };
    ranged(figure, estimate, |found| Some(interval::amounts(found.rate(all?), "")))
}

/// Formats a count, or returns `unknown`.
fn counted(count: Option<f64>, digits: u32) -> String {
    count.map_or_else(|| words::UNKNOWN.to_owned(), |count| readable(count, digits))
}

/// Returns the price of a chip-hour as text, its note and its source.
fn price(estimate: &Estimate) -> (String, String, Option<Citation>) {
    let question = &estimate.question;
    let cited = match (question.usd, question.price()) {
        (None, price) => price.map(|price| cite(price_words(price), &price.usd_per_chip_hour)),
        (Some(usd), _) => Some(cite(format!("{} per chip-hour", cents(usd)), &Sourced::yours(Some(usd)))),
    };
    let text = question.usd_per_chip_hour().map_or_else(|| words::UNKNOWN.to_owned(), cents);
    (text, words::at_price(question), cited)
}

fn usd_per_step(estimate: &Estimate) -> Figure {
    let (price, note, cited) = price(estimate);
    let step = estimate.usd_per_step();
    let worked =
        format!("{price} ÷ 3600 · {} chips · {} s", grouped(estimate.question.chips), readable(estimate.step.0, 4));
    let value = Amount::or_unknown(step, Amount::Usd).to_string();
    let figure = with(defined(&scale::USD_PER_STEP, value, note, worked), cited);
    ranged(figure, estimate, |found| Some(interval::dollars(found.time(step?))))
}

fn usd_per_million(estimate: &Estimate) -> Figure {
    let (price, at_price, cited) = price(estimate);
    let note = if estimate.tokens.is_some() { at_price } else { words::NO_TOKENS.to_owned() };
    let million = estimate.usd_per_million_tokens();
    let worked =
        format!("{price} ÷ (3600 · {} tokens/s per chip) · 10⁶", counted(estimate.tokens_per_sec_per_chip(), 4));
    let value = Amount::or_unknown(million, Amount::Usd).to_string();
    let figure = with(defined(&scale::USD_PER_MILLION_TOKENS, value, note, worked), cited);
    ranged(figure, estimate, |found| Some(interval::dollars(found.time(million?))))
}

/// Returns the figures of the dollars per useful PFLOP-hour, and of the time of the whole run.
fn money(estimate: &Estimate) -> Vec<Figure> {
    let (price, note, cited) = price(estimate);
    let usd = estimate.question.usd_per_chip_hour();
    let unknown = || words::UNKNOWN.to_owned();
    let useful = usd.zip(estimate.mfu.ok()).and_then(|(usd, mfu)| usd_per_pflop_hour(usd, mfu.peak, mfu.ratio));
    let peak = estimate.mfu.ok().map(|mfu| (mfu.peak.pflops(), mfu.ratio));
    let worked = peak
        .map_or_else(unknown, |(peak, mfu)| format!("{price} ÷ ({} PFLOPS · {} %)", readable(peak, 4), percent(mfu)));
    let value = useful.map_or_else(unknown, dollars);
    let figure = with(defined(&definition::USD_PER_USEFUL_PFLOP_HOUR, value, note, worked), cited);
    let mut all = vec![ranged(figure, estimate, |found| Some(interval::dollars(found.time(useful?))))];
    if let (Some(tokens), Some(per_sec)) = (estimate.question.tokens, estimate.tokens_per_sec()) {
        let seconds = tokens / per_sec;
        let days = duration(seconds);
        let note = format!("{} tokens", readable(tokens, 4));
        let worked = format!("{} tokens ÷ {} tokens/s", readable(tokens, 6), readable(per_sec, 5));
        let figure = defined(&scale::RUN_TIME, days, note, worked);
        all.push(ranged(figure, estimate, |found| Some(interval::durations(seconds, found.time(seconds)))));
    }
    all
}

/// Returns the figure of the energy per million tokens. `None` if no power of the chip is published, or if the number
/// of tokens is unknown.
fn energy(estimate: &Estimate) -> Option<Figure> {
    let chip = &estimate.question.chip;
    let (kind, watts) = chip.usual_power()?;
    let value = watts.value?;
    let each = estimate.tokens_per_sec()? / estimate.question.chips as f64;
    let kwh = Joules(value / each * 1e6).kwh();
    Some(Figure {
        id: "kwh-per-million-tokens",
        name: "kWh per million tokens",
        value: format!("{} kWh", readable(kwh, 3)),
        range: estimate.interval().map(|found| interval::amounts(found.time(kwh), "kWh")),
        note: format!("at {} W, {}", readable(value, 4), kind.word()),
        formula: "power of a chip ÷ tokens/s per chip · 10⁶ ÷ (3.6 · 10⁶ J per kWh)",
        worked: format!("{} W ÷ {} tokens/s", readable(value, 5), readable(each, 4)),
        says: "Energy of the chips per million tokens, at the published power of the chips.",
        leaves_out: "Hosts, network and cooling. Published power figures are not comparable: some are design limits, others are averages.",
        citations: vec![cite(format!("{} power, {}", chip.name, kind.word()), watts)],
    })
}

fn padding(estimate: &Estimate) -> Figure {
    let eta = estimate.products.eta_tile;
    let sides = match &estimate.question.chip.compute {
        Compute::Arrays { rows, cols, .. } => [("rows of an array", rows), ("columns of an array", cols)]
            .into_iter()
            .filter(|(_, side)| side.confidence == Confidence::Yours)
            .map(|(what, side)| cite(format!("{what}: {}", side.value.map_or(0, u64::from)), side))
            .collect(),
        Compute::TensorCores { .. } | Compute::Unknown(_) => Vec::new(),
    };
    Figure {
        id: "eta-tile",
        name: "Tile efficiency",
        value: eta.map_or_else(|| "unknown".to_owned(), |eta| format!("{} %", percent(eta))),
        range: None,
        note: "for K and N, weighted by FLOP".to_owned(),
        formula: "K ÷ (⌈K/R⌉ · R) · N ÷ (⌈N/C⌉ · C), each matmul weighted by its FLOP",
        worked: words::sides(&estimate.question.chip),
        says: "Average share of the array's PEs that the matmuls of the model use. The other PEs multiply zeros.",
        leaves_out: "Padding of the rows (M), and the time to fill and drain the array. M is padded only to a multiple of the sublanes.",
        citations: sides,
    }
}

/// Returns all inputs and assumptions of an estimate, as pairs of name and value.
#[must_use]
pub fn assumptions(estimate: &Estimate) -> Vec<(String, String)> {
    let question = &estimate.question;
    let label = |entry| if entry == Entry::Own { words::OWN_CHIP } else { entry::name(entry) };
    let of_question = |entry: &Entry| !matches!(entry, Entry::Price | Entry::Versus | Entry::Cost(_));
    let text = |one| match one {
        Entry::Remat | Entry::Framework if question.pass != PassKind::Training => entry::ONLY_IN_TRAINING.to_owned(),
        Entry::Remat if question.remat.is_none() => words::recomputes(question),
        Entry::Framework => entry::framework(Some(question.framework())).to_owned(),
        Entry::Batch if question.is_batch_of_log => {
            format!("{}, from the time and the tokens per second of your log line", question.batch)
        }
        _ => question.text(one),
    };
    let named = Entry::options().filter(of_question).map(|entry| (label(entry).to_owned(), text(entry)));
    let mut all: Vec<(String, String)> = named.filter(|(_, text)| !text.is_empty()).collect();
    if question.usd.is_none() {
        all.push(("price".to_owned(), question.price().map_or_else(|| "unknown".to_owned(), price_words)));
    }
    if question.layout == LayoutFrom::Chosen {
        let groups = words::groups(&estimate.groups, question.chips);
        let split = entry::split(question.split);
        let because =
            "chosen because with fully sharded weights, communication would take longer than the work of a chip";
        all.push(("parallelism in use".to_owned(), format!("{groups}, {split} replicas: {because}")));
    } else if estimate.groups.replica() > 1 && !question.groups.text().is_empty() {
        all.push(("groups in use".to_owned(), words::groups(&estimate.groups, question.chips)));
    }
    if let (Some(network), Some((_, rate))) = (words::network(estimate), question.network()) {
        let note = rate.note().map_or_else(String::new, |note| format!(", {note}"));
        all.push(("network between nodes".to_owned(), network + &note));
    }
    all.push(("times of matmuls".to_owned(), words::basis(estimate)));
    if let Some(share) = &estimate.share {
        all.push(("MFU of published runs".to_owned(), forecast::forecast(share)));
        all.push(("non-matmul overhead, fitted".to_owned(), forecast::share(share)));
    }
    if estimate.exchange.is_none() && question.chips > 1 {
        all.push(("communication".to_owned(), "not counted; possible reasons: no communication is needed, the link rate is not published, the run exceeds one pod, or the model's weights or layers are not known".to_owned()));
    } else if estimate.exchange.is_some() && question.has_unknown_rings() {
        all.push(("communication".to_owned(), "computed without wraparound links, because the axes with wraparound links are not published; the time is at most 2× too high".to_owned()));
    }
    all.extend(estimate.work.notes.iter().map(|note| ("counting".to_owned(), note.to_string())));
    all.extend(estimate.work.left_out.iter().map(|left| ("left out".to_owned(), left.what.to_string())));
    all
}
