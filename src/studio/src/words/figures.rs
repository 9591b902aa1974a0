//! The live panel: every figure with its formula, the numbers put in, and where they come from.

mod accounts;
mod rate;

pub use accounts::{Part, cycles_formula, parts};
pub use rate::peak_dtype;

use rate::{larger_than_chip, native_dtype, no_rate};

use crate::Plan;
use display::figure::{Citation, Figure, cents, cite, defined, dollars, duration, price_words};
use display::number::{grouped, percent, readable};
use perfmodel::{ArithmeticCost, Bound, Compute, GemmSizes, GemmTraffic, Mfu, MfuRefusal, Roofline, definition};
use systolic::{Cycle, Overlap, Tally};

/// Utilization of a part of the run.
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

/// Utilization from the start up to and including a cycle.
#[must_use]
pub fn so_far_figure(plan: &Plan, cycle: Cycle) -> Figure {
    let so_far = plan.schedule().tally_until(cycle);
    let note = format!("cycles 0 to {}", grouped(cycle.get()));
    Figure { id: "utilization-so-far", name: "Utilization so far", ..utilization(plan, &so_far, cycle.get() + 1, note) }
}

/// The figures that do not change with time.
#[must_use]
pub fn run_figures(plan: &Plan) -> Vec<Figure> {
    let tally = plan.schedule().tally();
    let cycles = plan.schedule().cycles().get();
    let overlap = match plan.schedule().design().overlap {
        Overlap::None => "no overlap",
        Overlap::DoubleBuffered => "folds overlapped",
    };
    let whole = utilization(plan, &tally, cycles, format!("whole run, {overlap}, load counted"));
    let [per_hour, per_run] = money(plan);
    vec![whole, mfu(plan), time(plan), per_hour, per_run, intensity(plan)]
}

/// A value with its unit, or that it is not known.
fn amount(value: Option<f64>, digits: u32, unit: &str) -> String {
    value.map_or_else(|| "unknown".to_owned(), |value| readable(value, digits) + " " + unit)
}

fn peak_citation(plan: &Plan) -> Option<Citation> {
    let (chip, dtype) = (plan.chip(), native_dtype(plan).ok()?);
    let peak = chip.peak(dtype)?;
    let value = amount(peak.value, 6, dtype.peak_unit());
    Some(cite(format!("{} peak, {}: {value}", chip.name, dtype.word()), peak))
}

fn refusal(plan: &Plan, why: &MfuRefusal) -> (String, String) {
    match why {
        MfuRefusal::Unknown { .. } => ("unknown".to_owned(), no_rate(plan)),
        MfuRefusal::AboveOne { ratio } => {
            ("refused".to_owned(), format!("{} % of the peak is impossible. {}", percent(*ratio), why.says()))
        }
        MfuRefusal::NoRate => ("unknown".to_owned(), why.says().to_owned()),
    }
}

fn mfu(plan: &Plan) -> Figure {
    let run = plan.array_run();
    let citations = peak_citation(plan).into_iter().collect();
    match native_dtype(plan).and_then(|dtype| Mfu::of_array(plan.chip(), dtype, &run)) {
        Ok(mfu) => {
            let worked = format!(
                "2 · {} FLOP ÷ ({} FLOP/s · {} s) = {} %, the peak being that of one {}×{} array at the chip's \
                 published rate per PE",
                grouped(run.macs),
                readable(mfu.peak.0, 4),
                readable(mfu.time.0, 4),
                percent(mfu.ratio),
                run.rows,
                run.cols
            );
            let note = format!("on {}, array time only{}", plan.chip().name, larger_than_chip(plan));
            defined(&definition::MFU, format!("{} %", percent(mfu.ratio)), note, worked, citations)
        }
        Err(why) => {
            let (value, note) = refusal(plan, &why);
            defined(&definition::MFU, value, note.clone(), note, citations)
        }
    }
}

fn time(plan: &Plan) -> Figure {
    let run = plan.array_run();
    let chip = plan.chip();
    let mut citations: Vec<Citation> = peak_citation(plan).into_iter().collect();
    let clock = amount(chip.clock_mhz.value, 5, "MHz");
    citations.push(cite(format!("{} clock: {clock}", chip.name), &chip.clock_mhz));
    let (value, note, worked) = match native_dtype(plan).and_then(|dtype| run.time(chip, dtype)) {
        Ok(time) => {
            let per_sec = systolic::Cycles(run.cycles).as_f64() / time.0;
            let identity = chip.identity(peak_dtype(plan.dtype())).map_or_else(
                || "clock not published, so rate = peak ÷ (2 · PEs of the chip)".to_owned(),
                |identity| {
                    let closes = if identity.closes { "closes" } else { "does not close" };
                    format!(
                        "peak = 2 · PEs · clock · {} MAC per PE and clock: {closes}",
                        readable(identity.macs_per_pe_per_clock, 3)
                    )
                },
            );
            let worked = format!("{} ÷ {} per second; {identity}", grouped(run.cycles), readable(per_sec, 4));
            let on =
                if matches!(chip.compute, Compute::Arrays { .. }) { "on" } else { "as if made of tensor cores of" };
            (duration(time.0), format!("one {}×{} array {on} {}", run.rows, run.cols, chip.name), worked)
        }
        Err(why) => {
            let (value, note) = refusal(plan, &why);
            (value, note.clone(), note)
        }
    };
    Figure {
        id: "time",
        name: "Time of the run",
        value,
        note,
        formula: "cycles ÷ (peak ÷ (2 · PEs of the chip))",
        worked,
        says: "How long one such array takes when each of its PEs works at the chip's published rate.",
        leaves_out: "Memory, launch, all outside the array; PEs of several MACs per clock also fill and drain so fast here.",
        citations,
    }
}

fn money(plan: &Plan) -> [Figure; 2] {
    let (chip, run) = (plan.chip(), plan.array_run());
    let price = chip.default_price();
    let mfu = native_dtype(plan).and_then(|dtype| Mfu::of_array(chip, dtype, &run)).map(|mfu| mfu.ratio).ok();
    let peak = native_dtype(plan).ok().and_then(|dtype| chip.peak_flops(dtype));
    let hourly = price.and_then(|price| price.usd_per_chip_hour.value);
    let bill = ArithmeticCost::new(hourly, peak, mfu, run.model_flops());
    let mut citations: Vec<Citation> =
        price.iter().map(|price| cite(price_words(price), &price.usd_per_chip_hour)).collect();
    citations.extend(peak_citation(plan));
    let missing = if price.is_none() { "no list price found".to_owned() } else { no_rate(plan) };
    let usd = hourly.unwrap_or_default();
    let peak = peak.map(perfmodel::FlopsPerSec::pflops).unwrap_or_default();
    let mfu = mfu.unwrap_or_default();
    let [usd, peak, mfu] = [cents(usd), readable(peak, 4), percent(mfu)];
    let unknown = || ["unknown".to_owned(), missing.clone(), missing.clone()];
    let hour = match (bill.usd_per_useful_pflop_hour, bill.usd_per_ideal_pflop_hour) {
        (Some(useful), Some(ideal)) => {
            let (useful, ideal) = (dollars(useful), dollars(ideal));
            let worked = format!("{usd} ÷ ({peak} · {mfu} %) = {useful}");
            [useful, format!("at MFU 100 % it would be {ideal}"), worked]
        }
        _ => unknown(),
    };
    let this = match bill.run {
        Some(run_usd) => {
            let (value, macs) = (dollars(run_usd.0), grouped(run.macs));
            let worked = format!("2 · {macs} FLOP ÷ ({peak} PFLOP/s · {mfu} %) ÷ 3600 · {usd} = {value}");
            [value, format!("for the part of the chip it uses{}", larger_than_chip(plan)), worked]
        }
        None => unknown(),
    };
    let figure =
        |definition, [value, note, worked]: [String; 3], citations| defined(definition, value, note, worked, citations);
    [
        figure(&definition::USD_PER_USEFUL_PFLOP_HOUR, hour, citations.clone()),
        figure(&definition::USD_PER_RUN, this, citations),
    ]
}

fn intensity(plan: &Plan) -> Figure {
    let (chip, gemm) = (plan.chip(), plan.schedule().gemm());
    let bytes = systolic::Elements(plan.dtype().bits()).as_f64() / 8.0;
    // Sums of integers do not fit the operands' format; those of floats are rounded back to it.
    let (out_bytes, written) =
        if plan.dtype().is_integer() { (4.0, "as int32") } else { (bytes, "in the operand format") };
    let traffic =
        GemmTraffic { sizes: GemmSizes { m: gemm.m(), k: gemm.k(), n: gemm.n() }, in_bytes: bytes, out_bytes };
    let roofline = match native_dtype(plan) {
        Ok(dtype) => Roofline::new(chip, dtype, &traffic),
        Err(_) => Roofline { intensity: traffic.intensity(), ridge: None, bound: Bound::Unknown, attainable: None },
    };
    let value = amount(roofline.intensity, 3, "FLOP/B");
    let note = match (roofline.bound, roofline.ridge) {
        (Bound::Unknown, _) | (_, None) => format!("{}: ridge point unknown", chip.name),
        (bound, Some(ridge)) => format!("{}: {} has its ridge at {}", bound.word(), chip.name, readable(ridge, 4)),
    };
    let worked = format!(
        "{} ÷ {} = {value}, C written {written}",
        readable(traffic.sizes.flops(), 4),
        readable(traffic.bytes(), 4)
    );
    let bandwidth = &chip.memory.gb_per_sec;
    let speed = amount(bandwidth.value, 5, "GB/s");
    let mut citations: Vec<Citation> = peak_citation(plan).into_iter().collect();
    citations.push(cite(format!("{} memory: {speed}", chip.name), bandwidth));
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
        Plan::new(&crate::Link::parse(query, "").scenario).expect("a run")
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
    fn bert_large_qkv_shows_a_quarter_and_what_it_costs() {
        let plan = plan("rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4");
        assert_eq!(value(&plan, "utilization"), "25.1 %");
        assert_eq!(value(&plan, "mfu"), "25.1 %");
        // 32 640 cycles at 275 TFLOPS ÷ (2 · 131 072 PEs) = 1.049e9 per second.
        assert_eq!(value(&plan, "time"), "31.11 µs");
        // $3.22 ÷ 0.275 ÷ 25.098 %.
        assert_eq!(value(&plan, "usd-per-useful-pflop-hour"), "$46.65");
    }

    #[test]
    fn what_is_not_published_is_unknown() {
        let plan = plan("dt=f32&chip=tpu-v4");
        for id in ["mfu", "time", "usd-per-run", "usd-per-useful-pflop-hour"] {
            assert_eq!(value(&plan, id), "unknown", "{id}");
        }
    }

    #[test]
    fn an_fp8_rate_counts_only_for_the_formats_that_the_chip_multiplies() {
        assert_eq!(value(&plan("dt=e4m3fn&chip=tpu-v6e"), "mfu"), "unknown");
        assert_ne!(value(&plan("dt=e4m3b11fnuz&chip=tpu-v6e"), "mfu"), "unknown");
        assert_ne!(value(&plan("dt=e4m3fn&chip=tpu-7x"), "mfu"), "unknown");
        assert_eq!(value(&plan("dt=e4m3b11fnuz&chip=h100-sxm"), "mfu"), "unknown");
        assert_ne!(value(&plan("dt=e4m3fn&chip=trainium2"), "mfu"), "unknown");
        assert_ne!(value(&plan("dt=e5m2&chip=tpu-v5p"), "mfu"), "unknown");
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
