//! Figures of the live panel, each with its formula, the formula with numbers, and the sources.

mod accounts;
mod array;
mod filling;
mod tolerance;

pub use accounts::{Part, cycles_formula, parts};
pub use array::{
    ArrayAtAGlance, array_at_a_glance, array_so_far, array_time, format_says, full_array, of_chip, price_at_a_glance,
    priced_as,
};
pub use filling::{FillingRun, filling_run, listed};

use display::figure::{Citation, Figure, Range, cents, cite, defined, dollars, duration, price_words, short_dollars};
use display::number::{grouped, joined, percent, readable};
use display::words::{format, ladder};
use perfmodel::gemm_time::ProductOnChip;
use perfmodel::gemm_time::calibration::Basis;
use perfmodel::{
    Bound, GemmSizes, GemmTraffic, MfuRefusal, Missing, definition, usd_per_1e18_multiplications, usd_per_pflop_hour,
};
use studio::Plan;
use systolic::{Cycle, Overlap, Tally};

/// Returns the utilization figure of a part of the run, from the tally of PE-cycles and the number of cycles in this
/// part.
fn utilization(plan: &Plan, tally: &Tally, cycles: u64, note: String) -> Figure {
    let array = plan.schedule().array();
    let worked = format!(
        "{} ÷ ({} · {} · {}) = {} %",
        grouped(tally.useful.get()),
        array.rows(),
        array.cols(),
        grouped(cycles),
        percent(tally.utilization())
    );
    defined(&definition::UTILIZATION, format!("{} %", percent(tally.utilization())), note, worked, Vec::new())
}

/// Returns the utilization from the start of the run up to and including a cycle.
#[must_use]
pub fn so_far_figure(plan: &Plan, cycle: Cycle) -> Figure {
    let so_far = plan.schedule().tally_until(cycle);
    let note = format!("cycles 0 to {}", grouped(cycle.get()));
    Figure { id: "utilization-so-far", name: "Utilization so far", ..utilization(plan, &so_far, cycle.get() + 1, note) }
}

/// Returns the figures of the whole run, which do not change from cycle to cycle.
#[must_use]
pub fn run_figures(plan: &Plan) -> Vec<Figure> {
    let tally = plan.schedule().tally();
    let cycles = plan.schedule().cycles().get();
    let overlap = match plan.schedule().design().overlap {
        Overlap::None => "no overlap",
        Overlap::DoubleBuffered => "folds overlapped",
    };
    let whole = utilization(plan, &tally, cycles, format!("whole run, {overlap}, with loading"));
    let on = plan.on_chip();
    let [per_hour, per_1e18, per_run] = money(plan, &on);
    let rounding = tolerance::figure(plan, &on);
    let [array_mfu, array_usd] = array::figures(plan, &tally, "whole run");
    vec![
        whole,
        array_mfu,
        array_usd,
        array::time(plan),
        mfu(plan, &on),
        time(plan, &on),
        per_hour,
        per_1e18,
        per_run,
        intensity(plan),
        rounding,
    ]
}

/// Time and MFU of the matmul on the chip, or the reason why they are unknown.
type OnChip = Result<ProductOnChip, MfuRefusal>;

/// Returns the efficiency breakdown from the chip's peak to the MFU, one figure for each factor.
#[must_use]
pub fn ladder_figures(plan: &Plan) -> Vec<Figure> {
    match plan.on_chip() {
        Ok(on) => ladder::figures(plan.chip(), &on),
        Err(why) => {
            let [_, note, _] = refusal(plan, &why);
            ladder::unknown(&note)
        }
    }
}

/// True if a factor of the efficiency breakdown takes nothing from the peak.
#[must_use]
pub fn takes_nothing(factor: &Figure) -> bool {
    factor.value == "× 100.0 %"
}

/// Returns one line with the names of the factors that take nothing from the peak: `100 %: format, load`.
#[must_use]
pub fn whole_factors(all: &[Figure]) -> String {
    let names: Vec<String> = all.iter().filter(|one| takes_nothing(one)).map(|one| one.name.to_owned()).collect();
    if names.is_empty() { String::new() } else { format!("100 %: {}", joined(&names, ", ")) }
}

/// Describes the run on the chip: the units that run the matmul, the costliest loss, and the conversion of the format.
/// If the MFU is unknown, returns the reason.
#[must_use]
pub fn on_chip_sentence(plan: &Plan) -> String {
    match plan.on_chip() {
        Ok(on) => format!(
            "{} {} {}",
            ladder::runs_on(plan.chip(), &on),
            ladder::costliest(&on),
            format::says(&on.time.as_run)
        ),
        Err(why) => {
            let [_, note, _] = refusal(plan, &why);
            note
        }
    }
}

/// Numbers about the run on the chip, with their labels. The page always shows these numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnChipAtAGlance {
    /// MFU, such as `20.9 %`; with `≈` if a constant of another chip is used.
    pub mfu: String,
    /// Dollars for 10¹⁸ useful multiplications, with `≈` if the MFU has `≈`.
    pub cost: String,
    /// Sentence with the largest loss. If the MFU is unknown, the sentence gives the reason.
    pub sentence: String,
    /// Sentences with the format of the peak, if the chip multiplies in another format, and with the chip from which
    /// constants are borrowed. Often empty.
    pub notes: String,
}

/// Returns the MFU and the price of the run for the panel, with one sentence about them.
#[must_use]
pub fn on_chip_at_a_glance(plan: &Plan) -> OnChipAtAGlance {
    let unknown = || "unknown".to_owned();
    let on = match plan.on_chip() {
        Ok(on) => on,
        Err(why) => {
            let [_, note, _] = refusal(plan, &why);
            return OnChipAtAGlance { mfu: unknown(), cost: unknown(), sentence: note, ..OnChipAtAGlance::default() };
        }
    };
    let (about, borrowed) = match &on.basis {
        Basis::Borrowed(from) if on.mfu_range.is_none() => {
            let from = perfmodel::Chip::by_id(from.chip).map_or(from.chip, |chip| chip.name);
            ("≈ ", format!("≈: constants are measured on {from}."))
        }
        Basis::Borrowed(_) => {
            let so = range(&on).map_or_else(String::new, |range| format!(", so the MFU can be {}", range.words));
            ("≈ ", format!("≈: no matmul was measured on {}{so}.", plan.chip().name))
        }
        Basis::Fitted | Basis::Measured(_) | Basis::Published => ("", String::new()),
    };
    let notes = joined(&[format::mfu_of_peak(&on.time.as_run, on.mfu.peak), borrowed], " ").trim().to_owned();
    let hourly = plan.chip().default_price().and_then(|price| price.usd_per_chip_hour.value);
    let cost = hourly
        .and_then(|usd| usd_per_1e18_multiplications(usd, on.mfu.peak, on.mfu.ratio))
        .map_or_else(unknown, |usd| format!("{about}{}", short_dollars(usd)));
    let mfu = format!("{about}{} %", percent(on.mfu.ratio));
    OnChipAtAGlance { mfu, cost, sentence: ladder::at_a_glance(&on), notes }
}

/// Returns the range of the MFU if the chip's share of the peak was not measured. `None` if both ends are equal after
/// rounding.
fn range(on: &ProductOnChip) -> Option<Range> {
    let (low, high) = on.mfu_range?;
    let [from, to] = [low, high].map(percent);
    (from != to).then(|| Range { low: 100.0 * low, high: 100.0 * high, words: format!("{from} to {to} %") })
}

/// Returns a value with its unit, or "unknown".
fn amount(value: Option<f64>, digits: u32, unit: &str) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| readable(value, digits) + " " + unit)
}

fn peak_citation(plan: &Plan) -> Option<Citation> {
    let (chip, dtype) = (plan.chip(), plan.chip().as_run(plan.format()).ok()?.multiplied);
    let peak = chip.peak(dtype)?;
    let value = amount(peak.value, 6, dtype.peak_unit());
    Some(cite(format!("{} peak, {}: {value}", chip.name, dtype.word()), peak))
}

fn memory_citation(plan: &Plan) -> Citation {
    let bandwidth = &plan.chip().memory.gb_per_sec;
    let speed = amount(bandwidth.value, 5, "GB/s");
    cite(format!("{} memory: {speed}", plan.chip().name), bandwidth)
}

fn basis_citation(on: &ProductOnChip) -> Citation {
    let (source, confidence) = on.basis.source();
    Citation {
        what: "time of the matmul".to_owned(),
        source: source.citation(),
        confidence: format!("{}: {}", confidence.word(), confidence.says()),
        note: on.basis.says(),
    }
}

/// Returns the texts of a figure that cannot be computed: value, note, and formula with numbers.
fn refusal(plan: &Plan, why: &MfuRefusal) -> [String; 3] {
    let (value, note) = match why {
        MfuRefusal::Unknown { missing: Missing::Peak(dtype) } => {
            ("unknown".to_owned(), format!("{}: no rate for {} is published", plan.chip().name, dtype.word()))
        }
        MfuRefusal::Unknown { missing } => ("unknown".to_owned(), format!("{}: {}", plan.chip().name, missing.says())),
        MfuRefusal::AboveOne { ratio } => {
            ("refused".to_owned(), format!("{} % of the peak is impossible. {}", percent(*ratio), why.says()))
        }
        MfuRefusal::NoRate => ("unknown".to_owned(), why.says().to_owned()),
    };
    [value, note.clone(), note]
}

/// Returns the number of useful operations as a product: `2 · 72 operations`.
fn useful(plan: &Plan, on: &ProductOnChip) -> String {
    let macs = grouped(plan.schedule().gemm().macs().get());
    format!("2 · {macs} {}", format::operations(&on.time.as_run))
}

fn mfu(plan: &Plan, on: &OnChip) -> Figure {
    let mut citations: Vec<Citation> = peak_citation(plan).into_iter().collect();
    let [value, note, worked] = match on {
        Ok(on) => {
            citations.extend(array::converted(&on.time.as_run).into_iter().chain([basis_citation(on)]));
            let percent = percent(on.mfu.ratio);
            let worked = format!(
                "{} ÷ ({} per second · {}) = {percent} %, for the whole chip in {}",
                useful(plan, on),
                readable(on.mfu.peak.0, 4),
                duration(on.mfu.time.0),
                format::runs_as(&on.time.as_run)
            );
            let run = &on.time.as_run;
            let peak = format::of_peak(run);
            let on_chip = if peak.is_empty() { "on".to_owned() } else { peak + " of" };
            let note = format!("{on_chip} the whole {}, {}", plan.chip().name, format::runs_as(run));
            [format!("{percent} %"), note, worked]
        }
        Err(why) => refusal(plan, why),
    };
    let range = on.as_ref().ok().and_then(range);
    Figure { range, ..defined(&definition::MFU, value, note, worked, citations) }
}

fn time(plan: &Plan, on: &OnChip) -> Figure {
    let [value, note, worked] = match on {
        Ok(on) => {
            let parts = &on.time.parts;
            let [launch, math, reload, memory, total] =
                [parts.launch, parts.math, parts.reload, parts.memory, on.time.total].map(|part| duration(part.0));
            let worked = match on.basis {
                // The parts of a fit add up, also if the fit only limits the time in another format.
                basis if parts.reload.0 > 0.0 || matches!(basis, Basis::Fitted) => {
                    format!("{launch} + {math} + {reload} + {memory} = {total}")
                }
                Basis::Fitted | Basis::Measured(_) | Basis::Borrowed(_) => {
                    let waits = on.time.total.0 - parts.launch.0 - parts.math.0;
                    let [waits_for, rest] = [waits, parts.memory.0 - waits].map(|part| duration(part.max(0.0)));
                    match waits {
                        waits if waits < 1e-3 * parts.math.0 => {
                            format!("{launch} + compute {math}, which overlaps memory {memory} = {total}")
                        }
                        waits if waits > 0.999 * parts.memory.0 => {
                            format!("{launch} + compute {math} + memory {memory}, in turn = {total}")
                        }
                        _ => format!(
                            "{launch} + compute {math} + memory {waits_for}; {rest} more of memory overlaps = {total}"
                        ),
                    }
                }
                Basis::Published => {
                    format!("weights arrive in {memory}, compute {math} overlaps until the last tile = {total}")
                }
            };
            [total, format!("mostly {}", on.time.limit().word()), worked]
        }
        Err(why) => refusal(plan, why),
    };
    Figure {
        id: "time",
        name: "Time on the chip",
        value,
        range: None,
        note,
        formula: "launch + max(compute, memory) + the part that cannot overlap",
        worked,
        says: "Time that the whole chip needs for this matmul, from launch to result. The page, the command “systolic time”, and the estimates of models compute this time in the same way.",
        leaves_out: "Other work in the program, and time saved by operands that are already on the chip.",
        citations: on.iter().map(basis_citation).chain(peak_citation(plan)).chain([memory_citation(plan)]).collect(),
    }
}

/// Returns the suffix of a price at an MFU below 0.1%. The suffix says that no one rents a chip for one matmul this
/// small.
const fn alone(mfu: f64) -> &'static str {
    if mfu < filling::RENTED_MFU_MIN { "; no one rents a chip for one matmul this small" } else { "" }
}

fn money(plan: &Plan, on: &OnChip) -> [Figure; 3] {
    let price = plan.chip().default_price();
    let hourly = price.and_then(|price| price.usd_per_chip_hour.value);
    let mut citations: Vec<Citation> =
        price.iter().map(|price| cite(price_words(price), &price.usd_per_chip_hour)).collect();
    citations.extend(peak_citation(plan));
    let [hour, multiplications, run] = match (on, hourly) {
        (Ok(on), Some(hourly_usd)) => {
            let usd = hourly_usd;
            let (peak, ratio) = (on.mfu.peak.pflops(), on.mfu.ratio);
            let per_hour = |mfu| usd_per_pflop_hour(usd, on.mfu.peak, mfu).unwrap_or(f64::INFINITY);
            let [useful, ideal, run] = [per_hour(ratio), per_hour(1.0), on.usd(usd)].map(dollars);
            let [usd, peak, mfu] = [cents(usd), readable(peak, 4), percent(ratio)];
            let per_hour = [
                useful.clone(),
                format!("{ideal} at 100 % MFU{}", alone(ratio)),
                format!("{usd} ÷ ({peak} · {mfu} %) = {useful}"),
            ];
            let each = |mfu| {
                short_dollars(usd_per_1e18_multiplications(hourly_usd, on.mfu.peak, mfu).unwrap_or(f64::INFINITY))
            };
            let (full, each) = (each(1.0), each(ratio));
            let worked = format!("{usd} ÷ ({peak} · 10¹⁵ ÷ 2 · 3600 s) · 10¹⁸ = {full}; ÷ {mfu} % = {each}");
            let per_1e18 = [each, format!("{full} at 100 % MFU{}", alone(ratio)), worked];
            let time = duration(on.time.total.0);
            let worked = format!("{time} ÷ 3600 s · {usd} = {run}");
            [per_hour, per_1e18, [run, "the whole chip for the time of this run".to_owned(), worked]]
        }
        (Ok(_), None) => {
            let missing = "no list price found".to_owned();
            core::array::from_fn(|_| ["unknown".to_owned(), missing.clone(), missing.clone()])
        }
        (Err(why), _) => core::array::from_fn(|_| refusal(plan, why)),
    };
    let figure =
        |definition, [value, note, worked]: [String; 3], citations| defined(definition, value, note, worked, citations);
    // Integer operations are not FLOP.
    let is_integer = on.as_ref().is_ok_and(|on| on.time.as_run.multiplied.peak_unit() == "TOPS");
    let mut per_hour = figure(&definition::USD_PER_USEFUL_PFLOP_HOUR, hour, citations.clone());
    per_hour.name = if is_integer { "$ per hour at 10¹⁵ useful operations/s" } else { per_hour.name };
    let per_1e18 = figure(&definition::USD_PER_1E18, multiplications, citations.clone());
    [per_hour, per_1e18, figure(&definition::USD_PER_RUN, run, citations)]
}

fn intensity(plan: &Plan) -> Figure {
    let (chip, gemm) = (plan.chip(), plan.schedule().gemm());
    let bytes = systolic::Elements(plan.dtype().bits()).as_f64() / 8.0;
    // Sums of integers do not fit the operands' format. Sums of floats are rounded back to this format.
    let (out_bytes, written) =
        if plan.dtype().is_integer() { (4.0, "as int32") } else { (bytes, "in the operand format") };
    let traffic =
        GemmTraffic { sizes: GemmSizes { m: gemm.m(), k: gemm.k(), n: gemm.n() }, in_bytes: bytes, out_bytes };
    let roofline = plan.roofline(&traffic);
    let unit = if plan.dtype().is_integer() { "operations/B" } else { "FLOP/B" };
    let value = amount(roofline.intensity, 3, unit);
    let note = match (roofline.bound, roofline.ridge) {
        (Bound::Unknown, _) | (_, None) => format!("{}: ridge unknown", chip.name),
        // The time decides whether memory or arithmetic limits the run; the ridge is only a comparison.
        (Bound::Memory, Some(ridge)) => format!("below the ridge of {}, {}", chip.name, amount(Some(ridge), 3, unit)),
        (Bound::Compute, Some(ridge)) => format!("above the ridge of {}, {}", chip.name, amount(Some(ridge), 3, unit)),
    };
    let worked = format!(
        "{} ÷ {} = {value}, C written {written}",
        readable(traffic.sizes.flops(), 4),
        readable(traffic.bytes(), 4)
    );
    let citations = peak_citation(plan).into_iter().chain([memory_citation(plan)]).collect();
    defined(&definition::ARITHMETIC_INTENSITY, value, note, worked, citations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfmodel::Chip;
    use systolic::Dtype;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&studio::Link::parse(query, "").scenario).expect("a run")
    }

    fn value(plan: &Plan, id: &str) -> String {
        run_figures(plan).into_iter().find(|figure| figure.id == id).expect("the figure").value
    }

    #[test]
    fn the_first_screen_shows_the_accounts_of_six_by_four_by_three() {
        let parts = parts(&Plan::default().schedule().tally());
        let rows: Vec<_> = parts.iter().map(|part| (part.pe_cycles, part.percent.as_str())).collect();
        assert_eq!(rows, [(72, "28.1"), (64, "25.0"), (48, "18.8"), (30, "11.7"), (42, "16.4"), (0, "0.0")]);
    }

    #[test]
    fn bert_large_qkv_shows_a_quarter_of_the_array_and_its_own_share_of_the_chip() {
        let plan = plan("rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4");
        assert_eq!(value(&plan, "utilization"), "25.1 %");
        // 2 · 128 · 1024² FLOP ÷ 275e12 is 0.98 µs, and the whole time is 4.8 µs.
        assert_eq!(value(&plan, "mfu"), "20.3 %");
        assert_eq!(value(&plan, "time"), "4.8 µs");
        // The cost is $3.22 ÷ 0.275 ÷ 20.3%.
        assert_eq!(value(&plan, "usd-per-useful-pflop-hour"), "$57.55");
    }

    #[test]
    fn the_first_screen_uses_next_to_nothing_of_a_chip() {
        let plan = Plan::default();
        assert_eq!((value(&plan, "utilization"), value(&plan, "mfu")), ("28.1 %".to_owned(), "0.000057 %".to_owned()));
        let glance = on_chip_at_a_glance(&plan);
        assert_eq!((glance.mfu.as_str(), glance.cost.as_str()), ("0.000057 %", "$11.5 M"));
        assert!(glance.sentence.contains("tile padding") && glance.notes.is_empty(), "{}", glance.sentence);
        let all = ladder_figures(&plan);
        assert_eq!((all.len(), all.iter().filter(|one| takes_nothing(one)).count()), (9, 4));
        assert_eq!(whole_factors(&all), "100 %: format, load, unexplained, operand re-reads");
    }

    #[test]
    fn what_is_not_published_is_unknown_and_says_why() {
        let plan = plan("dt=f32&chip=tpu-v1");
        for id in ["mfu", "time", "usd-per-run", "usd-per-1e18", "usd-per-useful-pflop-hour"] {
            assert_eq!(value(&plan, id), "unknown", "{id}");
        }
        assert_eq!(
            on_chip_sentence(&plan),
            "TPU v1: The chip cannot multiply in any format that can represent these numbers."
        );
        assert!(ladder_figures(&plan).iter().all(|figure| figure.value == "unknown"));
    }

    #[test]
    fn every_format_runs_somehow_on_the_default_chip() {
        // No TPU multiplies tf32.
        for dtype in Dtype::ALL.into_iter().filter(|dtype| *dtype != Dtype::Tf32) {
            let plan = plan(&format!("dt={}", dtype.id()));
            assert_ne!(value(&plan, "mfu"), "unknown", "{}", dtype.id());
        }
        // The first case has passes of f32. The second case has an 8-bit float that the chip does not multiply.
        let note = |query: &str| {
            run_figures(&plan(query)).into_iter().find(|figure| figure.id == "mfu").expect("the figure").note
        };
        assert!(note("dt=f32").ends_with("f32 as 1 bf16 pass"));
        assert!(note("dt=f32&passes=6").ends_with("f32 as 6 bf16 passes"));
        assert!(note("dt=e4m3fn&chip=tpu-v6e").ends_with("fp8 widened to bf16"));
        assert!(note("dt=e4m3b11fnuz&chip=tpu-v6e").ends_with(", fp8"));
        assert!(note("dt=e5m2&chip=tpu-v5p").ends_with(", fp8"));
    }

    #[test]
    fn every_figure_of_every_chip_opens() {
        for chip in Chip::all() {
            for dtype in Dtype::ALL {
                let plan = plan(&format!("dt={}&chip={}", dtype.id(), chip.id));
                for figure in run_figures(&plan).into_iter().chain([so_far_figure(&plan, Cycle(3))]) {
                    let texts = [&figure.value, &figure.worked];
                    assert!(texts.iter().all(|text| !text.is_empty()), "{} {}", chip.id, figure.id);
                    assert!(!figure.citations.is_empty(), "{} {}", chip.id, figure.id);
                    assert!(figure.citations.iter().all(|one| !one.source.is_empty()), "{} {}", chip.id, figure.id);
                }
            }
        }
    }
}
