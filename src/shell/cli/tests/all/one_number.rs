//! Tests that a matmul has equal utilization, MFU and cost everywhere: on the panel, in `systolic count`, in `systolic
//! time`, in `systolic model` and in `systolic report`.

use crate::common::{fed, systolic, told};
use display::number::percent;
use perfmodel::Chip;
use studio::{Link, Plan};
use words::busy;
use words::figures::{array_at_a_glance, on_chip_at_a_glance, run_figures};

/// Operand formats of the page, each with its name in `systolic time`.
const FORMATS: [(&str, &str); 6] =
    [("f32", "f32"), ("bf16", "bf16"), ("f16", "f16"), ("e5m2", "fp8"), ("int8", "int8"), ("int4", "int4")];

/// Pseudorandom whole numbers below 2³¹.
fn numbers(mut state: u64) -> impl Iterator<Item = u64> {
    core::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    })
}

/// Returns the amount of dollars that a text of the panel states.
fn dollars_of(text: &str) -> Option<f64> {
    let text = text.trim_start_matches("≈ ").strip_prefix('$')?;
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let unit = match unit {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "B" => 1e9,
        "T" => 1e12,
        other => panic!("{other}"),
    };
    Some(number.replace('\u{202f}', "").parse::<f64>().expect("a number") * unit)
}

/// Checks MFU and cost of the array on the panel against the utilization that `systolic count` prints.
fn check_array(plan: &Plan, counted_pct: f64, what: &str) {
    let tally = plan.schedule().tally();
    let shown = array_at_a_glance(plan, &tally);
    assert_eq!(shown, array_at_a_glance(plan, &plan.schedule().tally_until(plan.last())), "{what}");
    let figures = run_figures(plan);
    let figure = |id: &str| figures.iter().find(|figure| figure.id == id).expect("a figure");
    let Ok(run) = plan.chip().full_rate(plan.format()).map(|rate| rate.as_run) else {
        assert_eq!((shown.mfu.as_str(), figure("array-mfu").value.as_str()), ("", "unknown"), "{what}");
        return;
    };
    // The price is of the chosen chip, or of TPU v4 if that chip has no price.
    let has_price = |chip: &Chip| chip.default_price().is_some_and(|price| price.usd_per_chip_hour.value.is_some());
    let priced = Some(plan.chip()).filter(|chip| has_price(chip) && chip.peak_flops(run.multiplied).is_some());
    let priced = priced.unwrap_or_else(|| Chip::by_id("tpu-v4").expect("listed"));
    let hourly = priced.default_price().and_then(|price| price.usd_per_chip_hour.value).expect("a price");
    let full = hourly / 3600.0 / (priced.peak_flops(run.multiplied).expect("a peak").0 / 2.0) * 1e18;
    let mfu = counted_pct / 100.0 / f64::from(run.passes);
    assert_eq!(shown.mfu, format!("{} %", percent(mfu)), "{what}");
    assert_eq!((&shown.mfu, &shown.cost), (&figure("array-mfu").value, &figure("array-usd-per-1e18").value), "{what}");
    let cost = dollars_of(&shown.cost).expect("useful");
    assert!((cost * mfu / full - 1.0).abs() < 0.0051, "{what}: {shown:?} of {full}");
    // The cost of a very cheap class has a power of ten, and is left out of the sum.
    let classes = shown.classes.iter().filter(|class| !class.is_empty() && !class.contains(['×', '<']));
    let classes: f64 = classes.filter_map(|class| dollars_of(&format!("${class}"))).sum();
    // Each class is rounded to a cent, or to three digits.
    assert!((classes - cost).abs() < 0.012 * cost + 0.03, "{what}: {shown:?}");
}

#[test]
fn five_hundred_runs_have_the_same_three_numbers_everywhere_and_fifty_of_them_in_a_report() {
    let seed = 20_261_122;
    let mut random = numbers(seed);
    let mut next = || random.next().expect("endless");
    let (mut products, mut unknown, mut reported) = (0, 0, 0);
    while products + unknown < 500 {
        let chip = &Chip::all()[usize::try_from(next() % Chip::all().len() as u64).expect("few")];
        let (ours, theirs) = FORMATS[usize::try_from(next() % 6).expect("few")];
        let passes = ["1", "3", "6"][usize::try_from(next() % 3).expect("few")];
        // Each chip and format has ten matmuls with sides from 1 to 4096. Small sides are as frequent as large ones.
        let sides: Vec<[u64; 3]> = (0..10).map(|_| [0; 3].map(|_| 1 + next() % (1 << (1 + next() % 12)))).collect();
        let what = format!("seed {seed}: {} {ours} {passes} {sides:?}", chip.id);
        // The ten matmuls have another array and dataflow, which change the utilization but not the results for the chip.
        let [rows, cols] = [0; 2].map(|_| 1 + next() % 128);
        let dataflow = ["ws", "os", "is"][usize::try_from(next() % 3).expect("few")];
        let (mut table, mut runs) = ("M,K,N\n".to_owned(), "M,K,N,R,C,dataflow\n".to_owned());
        for [m, k, n] in &sides {
            table += &format!("{m},{k},{n}\n");
            runs += &format!("{m},{k},{n},{rows},{cols},{dataflow}\n");
        }
        let counted = told(&fed(&["count"], &runs));
        let utilization_at =
            counted.lines().next().expect("a head").split(',').position(|name| name == "utilization_pct");
        let asked = ["--chip", chip.id, "--dtype", theirs, "--passes", passes];
        let times = told(&fed(&[&["time"][..], &asked].concat(), &table));
        let file = std::env::temp_dir().join(format!("systolic-one-{}-{products}-{unknown}.csv", std::process::id()));
        let answers = times.lines().zip(counted.lines()).skip(1);
        for (nth, ([m, k, n], (row, count))) in sides.iter().zip(answers).enumerate() {
            // Five hundred processes would take minutes, so a process runs only for the first row of each table.
            let is_first = nth == 0;
            let link = format!(
                "?rows={rows}&cols={cols}&df={dataflow}&m={m}&k={k}&n={n}&dt={ours}&chip={}&passes={passes}",
                chip.id
            );
            let plan = Plan::new(&Link::parse(&link[1..], "").scenario).expect("a run");
            let glance = on_chip_at_a_glance(&plan);
            let counted: f64 =
                count.split(',').nth(utilization_at.expect("a column")).expect("a field").parse().expect("percent");
            let shown = busy::share(&plan.schedule().tally());
            assert_eq!(shown, format!("{} %", percent(counted / 100.0)), "{what}");
            check_array(&plan, counted, &what);
            let page = run_figures(&plan).into_iter().find(|figure| figure.id == "mfu").expect("a figure").value;
            if is_first {
                let report = told(&systolic(&["report", &link]));
                let line = report.lines().find(|line| line.starts_with("MFU  ")).expect("a line");
                assert!(line["MFU".len()..].trim_start().starts_with(&page), "{what}: {line}, {page}");
                let line = report.lines().find(|line| line.starts_with("Utilization")).expect("a line");
                assert!(line["Utilization".len()..].trim_start().starts_with(&shown), "{what}: {line}, {shown}");
                reported += 1;
            }
            let in_table = row.split(',').nth(4).expect("a field");
            let Ok(on) = plan.on_chip() else {
                assert_eq!((page.as_str(), in_table), ("unknown", ""), "{what}");
                assert_eq!((glance.mfu.as_str(), glance.cost.as_str()), ("unknown", "unknown"), "{what}");
                unknown += 1;
                continue;
            };
            assert_eq!(page, format!("{} %", percent(on.mfu.ratio)), "{what}");
            assert_eq!(glance.mfu.trim_start_matches("≈ "), page, "{what}");
            let price = chip.default_price().and_then(|price| price.usd_per_chip_hour.value);
            let time: f64 = row.split(',').nth(3).expect("a field").parse().expect("microseconds");
            let useful = (m * k * n) as f64;
            let cost = price.map(|price| time * 1e-6 / 3600.0 * price / useful * 1e18);
            let shown = dollars_of(&glance.cost);
            assert_eq!(cost.is_some(), shown.is_some(), "{what}: {glance:?}");
            if let Some((shown, cost)) = shown.zip(cost) {
                // The panel shows three digits, and the table has six.
                assert!((shown / cost - 1.0).abs() < 0.0051, "{what}: {shown} for {cost}");
            }
            let in_table: f64 = in_table.parse().expect("percent");
            assert!((in_table / (100.0 * on.mfu.ratio) - 1.0).abs() < 6e-6, "{what}: {row}");
            if is_first {
                std::fs::write(&file, format!("M,K,N\n{m},{k},{n}\n")).expect("written");
                let alone = ["--config", &file.to_string_lossy(), "--chips", "1", "--pass", "prefill", "--json"];
                let model = told(&systolic(&[&["model"][..], &alone, &asked].concat()));
                let model: serde_json::Value = serde_json::from_str(&model).expect("JSON");
                let found = model["mfu_pct"].as_f64().expect("percent");
                assert!((found / (100.0 * on.mfu.ratio) - 1.0).abs() < 1e-12, "{what}: {found}");
            }
            // This is the button on the panel that opens the matmul among the models.
            let single = estimate::ModelQuery::parse(
                &plan.product_entries(&estimate::custom::show(&plan.scenario().custom_values())),
            )
            .answer(None)
            .expect("an answer")
            .estimate;
            let ratio = single.mfu.expect("possible").ratio;
            assert!((ratio / on.mfu.ratio - 1.0).abs() < 1e-12, "{what}: {ratio} of a single product");
            products += 1;
        }
        std::fs::remove_file(&file).ok();
    }
    assert!(products > 350 && reported >= 50, "{products} known, {unknown} unknown, {reported} reported");
}
