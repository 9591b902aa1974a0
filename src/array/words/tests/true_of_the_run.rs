//! Compares sentences with the runs that they describe. Each number in a sentence is computed again in another way, for
//! random runs on every chip.

use display::number::percent;
use display::words::ladder;
use perfmodel::gemm_time::calibration::Basis;
use perfmodel::gemm_time::{Dealing, Limit, ProductOnChip, Rung};
use perfmodel::{Chip, Compute, Conversion, GemmSizes};
use studio::{Link, Plan};
use systolic::{Cycle, Dataflow, Schedule};
use words::{figures, legend};

const RUNS: u64 = 500;

/// Returns a generator of pseudorandom numbers. Each number is at least 0 and less than the argument of the call.
fn random(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

fn plan(query: &str) -> Plan {
    Plan::new(&Link::parse(query, "").scenario).unwrap_or_else(|_| panic!("a run: {query}"))
}

/// Returns random runs. Small sizes are as frequent as large ones.
fn runs() -> impl Iterator<Item = (String, Plan)> {
    let mut next = random(20_261_128);
    (0..RUNS).map(move |_| {
        let mut one_of = |all: &[&str]| all[usize::try_from(next(all.len() as u64)).expect("few")].to_owned();
        let dataflow = one_of(&["ws", "os", "is"]);
        let dtype = one_of(&["f32", "bf16", "f16", "e5m2", "e4m3fn", "int8", "int4"]);
        let overlap = one_of(&["none", "double-buffered"]);
        let padding = one_of(&["ragged", "zero", "m"]);
        let passes = one_of(&["1", "3", "6"]);
        let mut side = |digits: u64| {
            let most = 2 << next(digits);
            1 + next(most)
        };
        let [m, k, n, rows, cols] = [13, 13, 13, 8, 8].map(&mut side);
        let query = format!(
            "rows={rows}&cols={cols}&m={m}&k={k}&n={n}&df={dataflow}&dt={dtype}&overlap={overlap}&pad={padding}&passes={passes}"
        );
        let plan = plan(&query);
        (query, plan)
    })
}

/// Returns random runs, each on every chip.
fn on_every_chip() -> impl Iterator<Item = (String, Plan, ProductOnChip)> {
    runs().flat_map(|(query, _)| {
        Chip::all().iter().filter_map(move |chip| {
            let query = format!("{query}&chip={}", chip.id);
            let plan = plan(&query);
            let on = plan.on_chip().ok()?;
            Some((query, plan, on))
        })
    })
}

/// Returns the numbers in a text, without the digits of words such as `TPU7x`.
fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', '\u{a0}', '×', '³'])
        .map(|word| word.trim_matches(['.', ',', ';', ':', '(', ')']).replace(['\u{202f}', ','], ""))
        .filter_map(|word| word.parse().ok())
        .collect()
}

/// Returns the percentage that follows `words` in a text.
fn percent_after(text: &str, words: &str) -> Option<f64> {
    numbers(text.split_once(words)?.1.split(" %").next()?).last().copied()
}

fn factor(on: &ProductOnChip, rung: Rung) -> f64 {
    on.steps.iter().find(|step| step.rung == rung).expect("each rung").factor
}

/// Returns the largest share of the peak that a square matmul reaches on the chip, without launch and memory.
fn large(plan: &Plan) -> f64 {
    let of = |side| {
        let on = ProductOnChip::new(plan.chip(), plan.format(), GemmSizes { m: side, k: side, n: side });
        let on = on.expect("a time");
        on.useful_flops * f64::from(on.time.as_run.passes) / on.time.parts.math.0 / on.time.peak.0
    };
    [8192, 16_384, 32_768, 65_536].into_iter().map(of).fold(0.0, f64::max)
}

/// True if a shown number can be this share after rounding.
fn shows(shown: f64, share: f64) -> bool {
    (shown - 100.0 * share).abs() <= 0.051 + 0.006 * (100.0 * share).abs()
}

/// Returns the mistake in the sentence about the largest loss of a run, or `None`.
fn wrong_loss(said: &str, plan: &Plan, on: &ProductOnChip) -> Option<String> {
    let expect = |holds: bool, why: &str| (!holds).then(|| format!("{why}: {said}"));
    let least = on.steps.iter().map(|step| step.factor).fold(f64::INFINITY, f64::min);
    let cause = said.strip_prefix("Largest loss: ")?;
    if let Some(shown) = percent_after(said, "Even large matmuls reach only") {
        // The sentence speaks of large matmuls, so the share of large matmuls decides whether it is true.
        let large = large(plan);
        return expect((shown / (100.0 * large) - 1.0).abs() < 0.02, "large matmuls reach another share")
            .or_else(|| expect(factor(on, Rung::Unexplained) / large > 0.95, "this matmul is not large"));
    }
    let shown = percent_after(said, "Largest loss")?;
    if let Some(rest) = cause.strip_prefix("idle multiprocessors") {
        let [blocks, units] = numbers(rest)[1..3] else { return Some(format!("no counts: {said}")) };
        let even = blocks / ((blocks / units).ceil() * units);
        let is_gpu = matches!(plan.chip().compute, Compute::TensorCores { .. });
        return expect(is_gpu, "another unit")
            .or_else(|| expect(even < 1.0, "nothing is idle"))
            .or_else(|| expect(shown <= 100.0 * even * 1.01 + 0.051, "more is left than the blocks leave"));
    }
    if cause.starts_with("uneven load") {
        let Dealing { tiles, folds, streamed, arrays, .. } = on.numbers.dealing.expect("arrays");
        let even = tiles * on.product.m as f64 * f64::from(on.time.as_run.passes) / arrays.units as f64;
        return expect(even < folds * streamed, "the load is even")
            .or_else(|| expect(shows(shown, factor(on, Rung::Arrays)), "another share"));
    }
    if cause.starts_with("load") {
        let dealing = on.numbers.dealing.expect("arrays");
        return expect(dealing.streamed < f64::from(dealing.arrays.rows), "no array waits")
            .or_else(|| expect(numbers(cause).contains(&dealing.streamed), "other rows"))
            .or_else(|| expect(shows(shown, factor(on, Rung::Load)), "another share"));
    }
    if cause.starts_with("unexplained") || cause.starts_with("time that counted cycles do not explain") {
        // Share of the compute time that the counted cycles explain. Without cycles, the time at the peak counts.
        let at_the_peak = on.product.flops() * f64::from(on.time.as_run.passes) / on.time.peak.0;
        let counted = on.numbers.dealing.map_or(at_the_peak, |dealing| dealing.cycles() * on.numbers.cycle);
        let counted = counted / on.time.parts.math.0;
        return expect(shows(shown, counted), "the cycles explain another share");
    }
    if said.contains("multiplications are useful") {
        let padded = on.numbers.padded_flops;
        return expect(shows(shown, on.useful_flops / padded), "another share is useful")
            .or_else(|| expect(padded > on.useful_flops, "nothing is padded"));
    }
    if cause.starts_with("thread blocks with little work") {
        let waves = (on.numbers.busiest_flops / on.numbers.padded_flops).max(1.0);
        let rate =
            on.numbers.padded_flops * waves * f64::from(on.time.as_run.passes) / on.time.parts.math.0 / on.time.peak.0;
        return expect(matches!(plan.chip().compute, Compute::TensorCores { .. }), "no GPU")
            .or_else(|| expect(shows(shown, rate), "another rate"));
    }
    if cause.starts_with("memory") {
        return expect(
            on.time.total.0 > on.time.parts.launch.0 + 1.001 * on.time.parts.math.0,
            "nothing waits for memory",
        )
        .or_else(|| expect(on.time.limit() != Limit::Compute || least > 0.8, "time is called mostly compute"));
    }
    if cause.starts_with("launch") {
        let rest = 1.0 - on.time.parts.launch.0 / on.time.total.0;
        return expect(shows(percent_after(said, "leaves").unwrap_or(0.0), rest), "another share after the launch");
    }
    if cause.starts_with("number format") {
        return expect(shows(shown, 1.0 / f64::from(on.time.as_run.passes)), "other passes");
    }
    if cause.starts_with("fill and drain") {
        let dealing = on.numbers.dealing.expect("arrays");
        let rest = 1.0 - dealing.fill_and_drain() / dealing.cycles();
        // A fitted time may be shorter than the cycles.
        let is_capped = on.time.parts.math.0 < dealing.cycles() * on.numbers.cycle * 0.999;
        let holds = if is_capped { shown >= 100.0 * rest } else { shows(shown, rest) };
        return expect(matches!(on.basis, Basis::Published) || holds, "another share streams");
    }
    expect(shows(shown, least), "another share")
}

#[test]
fn the_largest_loss_is_a_loss_of_this_matmul() {
    let mut said_of = std::collections::BTreeMap::<String, usize>::new();
    for (query, plan, on) in on_every_chip() {
        for said in [ladder::costliest(&on), figures::on_chip_at_a_glance(&plan).sentence.replace('\u{a0}', " ")] {
            let least = on.steps.iter().map(|step| step.factor).fold(f64::INFINITY, f64::min);
            let named = Rung::ALL.into_iter().find(|rung| (factor(&on, *rung) - least).abs() < 1e-12);
            let rung = named.unwrap_or_else(|| panic!("{query}"));
            // A sentence about the launch comes first. It then names the largest loss of the rest of the time.
            let is_small = said.starts_with("Too small: launch takes ");
            if let Some((_, rest)) = said.split_once(". Next loss: ") {
                assert_eq!(rest.trim_end_matches('.'), ladder::name(rung, on.numbers.is_gpu), "{query}");
            } else {
                assert_eq!(wrong_loss(&said, &plan, &on), None, "{query}");
                *said_of
                    .entry(said.split(['.', ',', '(']).next().unwrap_or_default().trim().to_owned())
                    .or_default() += 1;
            }
            let panel_says_it = on.time.parts.launch.0 > on.time.total.0 / 2.0 && named != Some(Rung::Launch);
            assert_eq!(is_small, panel_says_it && said != ladder::costliest(&on), "{query}: {said}");
        }
    }
    // Each sentence occurs for some run.
    for cause in [
        "idle multiprocessors",
        "tile padding",
        "sustained rate",
        "thread blocks with little work",
        "memory stalls",
        "launch overhead of",
        "number format",
        "fill and drain",
        "load",
        "time that counted cycles do not explain",
    ] {
        assert!(said_of.keys().any(|said| said.contains(cause)), "{cause}: {said_of:#?}");
    }
}

#[test]
fn the_sentences_of_known_runs_name_their_causes() {
    let said = |query: &str| {
        let plan = plan(query);
        let panel = figures::on_chip_at_a_glance(&plan).sentence.replace('\u{a0}', " ");
        (ladder::costliest(&plan.on_chip().expect("known")), panel)
    };
    let (first, panel) = said("chip=h100-sxm");
    assert!(first.starts_with("Largest loss: thread blocks with little work."), "{first}");
    assert!(panel.starts_with("Too small: launch takes 5 µs of 5.26 µs."), "{panel}");
    let (idle, _) = said("dt=f32&chip=b200-sxm&m=128&k=64&n=100");
    assert_eq!(
        idle,
        "Largest loss: idle multiprocessors. Only 2.7 % of the rate is left with 4 thread blocks on 148 multiprocessors."
    );
    let (large, _) = said("dt=bf16&chip=h100-sxm&m=8192&k=8192&n=8192");
    assert_eq!(large, "Largest loss: sustained rate. Even large matmuls reach only 80.3 % of the peak.");
    let (lent, _) = said("dt=bf16&chip=tpu-v5e&m=4096&k=4096&n=4096");
    assert_eq!(lent, "Largest loss: time that counted cycles do not explain. Only 92.9 % of the rate is left.");
    let (launch, _) = said("rows=16&cols=256&m=128&k=64&n=1000&df=os&dt=f16&chip=h100-sxm");
    assert_eq!(launch, "Largest loss: launch overhead of 5 µs, which leaves 7.6 % of the rate.");
}

#[test]
fn a_large_matmul_is_called_large_only_if_it_reaches_what_large_ones_reach() {
    for (query, plan, on) in on_every_chip() {
        for figure in figures::ladder_figures(&plan) {
            if figure.worked.contains("even large matmuls do not reach a higher share") {
                let ratio = factor(&on, Rung::Unexplained) / large(&plan);
                assert!(ratio > 0.95, "{query}: {ratio}");
            }
            // A quotient in the text equals the value after it.
            let Some((sum, rest)) = figure.worked.split_once(" = ") else { continue };
            let quotient = sum.rsplit(": ").next().and_then(|sum| sum.split_once(" ÷ "));
            let as_number = |text: &str| {
                let (digits, power) = text.split_once(" × 10").unwrap_or((text, ""));
                let power: i32 = power
                    .chars()
                    .filter_map(|one| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|digit| digit == one))
                    .fold(0, |all, digit| 10 * all + i32::try_from(digit).expect("a digit"));
                digits.replace('\u{202f}', "").parse::<f64>().ok().map(|digits| digits * 10f64.powi(power))
            };
            if let Some((above, below)) = quotient.and_then(|(a, b)| as_number(a).zip(as_number(b))) {
                let shown = numbers(rest).first().copied().expect("a percentage");
                assert!(shows(shown, above / below), "{query}: {} {}", figure.name, figure.worked);
            }
        }
    }
}

#[test]
fn the_time_names_its_longest_part_and_adds_up() {
    for (query, plan, on) in on_every_chip() {
        let time = figures::run_figures(&plan).into_iter().find(|figure| figure.id == "time").expect("a figure");
        let parts = on.time.parts;
        let longest = parts.launch.0.max(parts.math.0).max(parts.memory.0).max(parts.reload.0);
        let is = |part: f64| part >= longest;
        let holds = match time.note.as_str() {
            "mostly launch" => is(parts.launch.0),
            "mostly compute" => {
                is(parts.math.0) && on.time.total.0 - parts.launch.0 < 1.2001 * parts.math.0 + parts.reload.0
            }
            "mostly memory" => is(parts.memory.0),
            "mostly reload" => is(parts.reload.0),
            "mostly compute and memory in turn" => {
                is(parts.math.0) && on.time.total.0 - parts.launch.0 - parts.reload.0 > 1.1999 * parts.math.0
            }
            _ => false,
        };
        assert!(holds, "{query}: {} {parts:?}", time.note);
        // The verdicts must agree: memory is not the largest loss of a run that is "mostly compute".
        if time.note == "mostly compute" {
            assert!(factor(&on, Rung::Memory) > 0.8, "{query}");
        }
        if time.worked.contains("in turn") {
            let sum = parts.launch.0 + parts.math.0 + parts.memory.0;
            assert!((sum / on.time.total.0 - 1.0).abs() < 0.01, "{query}: {}", time.worked);
        }
        if time.worked.contains("which overlaps memory") {
            assert!((parts.launch.0 + parts.math.0) / on.time.total.0 > 0.999, "{query}: {}", time.worked);
        }
    }
    let in_turn = plan("rows=128&cols=128&m=512&k=1024&n=1024&dt=bf16&chip=tpu-v5e");
    let time = figures::run_figures(&in_turn).into_iter().find(|figure| figure.id == "time").expect("a figure");
    assert_eq!(time.note, "mostly compute and memory in turn");
    assert_eq!(time.worked, "1.43 µs + compute 6.05 µs + memory 5.89 µs, in turn = 13.4 µs");
}

#[test]
fn an_mfu_names_the_peak_of_which_it_is_a_share() {
    let mut converted = 0;
    for (query, plan, on) in on_every_chip() {
        let glance = figures::on_chip_at_a_glance(&plan);
        let figure = figures::run_figures(&plan).into_iter().find(|figure| figure.id == "mfu").expect("a figure");
        let run = on.time.as_run;
        let peak = format!("{} peak", run.multiplied.word());
        let is_other = run.conversion != Conversion::Native;
        converted += u32::from(is_other);
        for text in [words::busy::mfu(&plan), figure.note.clone(), glance.notes.clone()] {
            assert_eq!(text.contains(&peak), is_other, "{query}: {text}");
        }
        // Useful work ÷ (time · the peak that the text names).
        let named = plan.chip().peak_flops(run.multiplied).expect("published").0;
        let mfu = 2.0 * on.product.mkn().map(|side| side as f64).iter().product::<f64>() / on.time.total.0 / named;
        if on.useful_flops == on.product.flops() {
            assert_eq!(figure.value, format!("{} %", percent(mfu)), "{query}");
        }
    }
    assert!(converted > 1000, "{converted}");
    let fp8 = plan("dt=e4m3fn&chip=tpu-v4");
    assert_eq!(words::busy::mfu(&fp8), "MFU of the bf16 peak");
    assert_eq!(
        figures::on_chip_at_a_glance(&fp8).notes,
        "The chip runs fp8 widened to bf16: its bf16 peak is 275 TFLOPS."
    );
}

/// Counts how often each element of A and B enters an array, fold by fold and element by element.
fn entered(schedule: &Schedule) -> [Vec<u64>; 2] {
    let run = schedule.run();
    let [m, k, n] = [run.m(), run.k(), run.n()].map(|side| usize::try_from(side).expect("small"));
    let (rows, cols) = (schedule.array().rows() as usize, schedule.array().cols() as usize);
    let (mut a, mut b) = (vec![0; m * k], vec![0; k * n]);
    // Two axes are along the rows and the columns of the array. The third axis is time.
    let tiles = |side: usize, by: usize| (0..side).step_by(by).map(move |from| from..(from + by).min(side));
    let mut fold = |ms: core::ops::Range<usize>, ks: core::ops::Range<usize>, ns: core::ops::Range<usize>| {
        ms.for_each(|m| ks.clone().for_each(|of| a[m * k + of] += 1));
        ks.for_each(|of| ns.clone().for_each(|col| b[of * n + col] += 1));
    };
    match schedule.dataflow() {
        Dataflow::WeightStationary => {
            tiles(k, rows).for_each(|ks| tiles(n, cols).for_each(|ns| fold(0..m, ks.clone(), ns)));
        }
        Dataflow::InputStationary => {
            tiles(k, rows).for_each(|ks| tiles(m, cols).for_each(|ms| fold(ms, ks.clone(), 0..n)));
        }
        Dataflow::OutputStationary => {
            tiles(m, rows).for_each(|ms| tiles(n, cols).for_each(|ns| fold(ms.clone(), 0..k, ns)));
        }
    }
    [a, b]
}

#[test]
fn the_title_says_how_often_each_number_is_read() {
    let small = runs().filter(|(_, plan)| {
        let run = plan.schedule().run();
        run.m() * run.k() * run.n() < 3_000_000
    });
    let mut n_again = 0;
    for (query, plan) in small {
        let [who, reads] = legend::title(&plan);
        assert_eq!(
            who.starts_with("A TPU"),
            plan.schedule().dataflow() == Dataflow::WeightStationary,
            "{query}: {who}"
        );
        let [a, b] = entered(plan.schedule()).map(|counts| {
            let (least, most) = (counts.iter().min().copied(), counts.iter().max().copied());
            assert_eq!(least, most, "{query}");
            most.unwrap_or(0)
        });
        let times = |text: &str| if text.contains("once") { Some(1.0) } else { numbers(text).first().copied() };
        let shown = match reads.split_once(", each element of B ") {
            Some((of_a, of_b)) => [times(of_a), times(of_b)],
            None => [times(&reads), times(&reads)],
        };
        assert_eq!(shown, [a, b].map(|n| u32::try_from(n).ok().map(f64::from)), "{query}: {reads}");
        n_again += u32::from(a > 1 || b > 1);
    }
    assert!(n_again > 100, "{n_again}");
    let reads = |query: &str| legend::title(&plan(query))[1].clone();
    assert_eq!(reads(""), "each element is read once, then passed on.");
    assert_eq!(
        reads("rows=128&cols=128&m=512&k=1024&n=1024"),
        "each element of A is read 8 times, each element of B once."
    );
    assert!(legend::title(&plan("df=os"))[0].starts_with("This array"), "no TPU is output-stationary");
}

#[test]
fn the_utilization_counts_the_products_of_the_run() {
    for (query, plan) in runs() {
        let schedule = plan.schedule();
        let products = schedule.gemm().macs().get() as f64;
        let all =
            f64::from(schedule.array().rows()) * f64::from(schedule.array().cols()) * schedule.cycles().get() as f64;
        let figure = figures::run_figures(&plan).into_iter().find(|one| one.id == "utilization").expect("a figure");
        assert_eq!(figure.value, format!("{} %", percent(products / all)), "{query}");
        let so_far = figures::so_far_figure(&plan, Cycle(plan.last().get()));
        assert_eq!(so_far.value, figure.value, "{query}: the whole run at its end");
    }
}

#[test]
fn a_chip_runs_on_the_units_that_it_has() {
    for chip in Chip::all() {
        let plan = plan(&format!("dt=bf16&chip={}", chip.id));
        let Ok(on) = plan.on_chip() else { continue };
        let said = ladder::runs_on(chip, &on);
        assert_eq!(said.contains("tensor cores"), matches!(chip.compute, Compute::TensorCores { .. }), "{said}");
        if let Compute::Arrays { units_per_core, cores, .. } = &chip.compute
            && let Some((units, cores)) = units_per_core.value.zip(cores.value)
        {
            assert!(numbers(&said).contains(&f64::from(units * cores)), "{said}");
        }
    }
}
