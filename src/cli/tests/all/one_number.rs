//! The same product has the same MFU on the page, in `systolic time`, in `systolic model` and in `systolic report`.

use crate::common::{fed, systolic, told};
use display::number::percent;
use perfmodel::Chip;
use studio::{Link, Plan};
use words::figures::run_figures;

/// Operand formats of the page with their names for a chip.
const FORMATS: [(&str, &str); 6] =
    [("f32", "f32"), ("bf16", "bf16"), ("f16", "f16"), ("e5m2", "fp8"), ("int8", "int8"), ("int4", "int4")];

/// Numbers that look random, from one.
fn numbers(mut state: u64) -> impl Iterator<Item = u64> {
    core::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    })
}

#[test]
fn five_hundred_products_have_one_mfu_each_and_fifty_of_them_on_the_command_line() {
    let seed = 20_261_122;
    let mut random = numbers(seed);
    let mut next = || random.next().expect("endless");
    let (mut products, mut unknown, mut reported) = (0, 0, 0);
    while products + unknown < 500 {
        let chip = &Chip::all()[usize::try_from(next() % Chip::all().len() as u64).expect("few")];
        let (ours, theirs) = FORMATS[usize::try_from(next() % 6).expect("few")];
        let passes = ["1", "3", "6"][usize::try_from(next() % 3).expect("few")];
        // Ten products of a chip and a format, from 1 to 4096, small ones as often as large ones.
        let sides: Vec<[u64; 3]> = (0..10).map(|_| [0; 3].map(|_| 1 + next() % (1 << (1 + next() % 12)))).collect();
        let what = format!("seed {seed}: {} {ours} {passes} {sides:?}", chip.id);
        let mut table = "M,K,N\n".to_owned();
        for [m, k, n] in &sides {
            table += &format!("{m},{k},{n}\n");
        }
        let asked = ["--chip", chip.id, "--dtype", theirs, "--passes", passes];
        let times = told(&fed(&[&["time"][..], &asked].concat(), &table));
        let file = std::env::temp_dir().join(format!("systolic-one-{}-{products}-{unknown}.csv", std::process::id()));
        for (nth, ([m, k, n], row)) in sides.iter().zip(times.lines().skip(1)).enumerate() {
            // A process for each of five hundred takes minutes; the first of a table stands for its command.
            let is_first = nth == 0;
            let link = format!("?rows=128&cols=128&m={m}&k={k}&n={n}&dt={ours}&chip={}&passes={passes}", chip.id);
            let plan = Plan::new(&Link::parse(&link[1..], "").scenario).expect("a run");
            let page = run_figures(&plan).into_iter().find(|figure| figure.id == "mfu").expect("a figure").value;
            if is_first {
                let report = told(&systolic(&["report", &link]));
                let line = report.lines().find(|line| line.starts_with("MFU")).expect("a line");
                assert!(line["MFU".len()..].trim_start().starts_with(&page), "{what}: {line}, {page}");
                reported += 1;
            }
            let in_table = row.split(',').nth(4).expect("a field");
            let Ok(on) = plan.on_chip() else {
                assert_eq!((page.as_str(), in_table), ("unknown", ""), "{what}");
                unknown += 1;
                continue;
            };
            assert_eq!(page, format!("{} %", percent(on.mfu.ratio)), "{what}");
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
            // The way from the panel of the array to the product among the models.
            let single = estimate::ModelQuery::parse(&plan.product_entries()).answer(None).expect("an answer").estimate;
            let ratio = single.mfu.expect("possible").ratio;
            assert!((ratio / on.mfu.ratio - 1.0).abs() < 1e-12, "{what}: {ratio} of a single product");
            products += 1;
        }
        std::fs::remove_file(&file).ok();
    }
    assert!(products > 350 && reported >= 50, "{products} known, {unknown} unknown, {reported} reported");
}
