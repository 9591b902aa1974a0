//! Computes every number of `docs/story.md`, and runs its pictures. The text must have each computed number in its
//! phrase. Apart from these numbers and [`GIVEN`], the text may have no digits.

use std::fs;

use crate::common::{systolic, told};
use crate::questions::Shown;

/// The file.
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/story.md");
/// A and B of the first screen.
const A: [[i32; 4]; 6] =
    [[3, 7, 7, -2], [1, -4, -2, -9], [4, 6, -1, -7], [9, 8, -5, -9], [1, 7, 6, 2], [-9, -1, -8, -5]];
const B: [[i32; 3]; 4] = [[3, -8, 5], [-8, -7, 2], [1, -7, -9], [-7, -3, 6]];
/// Phrases whose digits are part of a name, or an input of a run. The test `the_pictures_are_the_runs_of_the_text`
/// checks these inputs.
const GIVEN: &[&str] = &[
    "the 3 come in",
    "the 3 that stays",
    "its 3 and receives",
    "multiplies 3 by its weight 3",
    "4×4",
    "8×8",
    "128×128",
    "M = 6",
    "K = 4",
    "N = 3",
    "M = 64",
    "M = 512",
    "with 512 rows",
    "N = 4",
    "K = 8",
    "N = 8",
    "M = K = N = 4096",
    "C has 6 rows",
    "the array has only 4",
    "16 PEs in 16 cycles",
    "all 16 cycles",
    "Its 16 cycles",
    "whole numbers of 8 bits",
    "*int8*",
    "int8",
    "bf16",
    "TPU v4",
    "TPU v5e",
    "Llama 3 8B",
    "64 chips",
    "to 100%",
    "the 100%",
];

/// Cycles and PE-cycles of a run.
struct Run(Shown);

impl Run {
    /// Counts a run: M, N and K, rows and columns of the array, dataflow and overlap.
    fn count(row: &str) -> Self {
        Self(Shown::of_command(&format!("systolic count <<< $'M,N,K,R,C,dataflow,overlap\\n{row}'")))
    }

    fn of(&self, column: &str) -> f64 {
        self.0.number(column).unwrap_or_else(|| panic!("no column {column}")).0
    }

    fn cycles(&self) -> f64 {
        self.of("cycles")
    }

    /// Utilization in percent, with this number of decimals.
    fn share(&self, decimals: usize) -> String {
        format!("{:.decimals$}%", self.of("utilization_pct"))
    }
}

/// Text without links of pictures and targets of links, with one space between words.
fn plain(markdown: &str) -> String {
    let lines = markdown.lines().filter(|line| !line.starts_with('[')).map(|line| match picture(line) {
        Some((_, words)) => words.to_owned(),
        None => line.to_owned(),
    });
    let text = lines.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    // The digits of the address are not numbers of the story.
    text.replace("https://YOUR.HOST/playground/", "")
}

fn picture(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("<!-- picture: ")?.strip_suffix(" -->")?.split_once(" | ")
}

/// A number with a minus sign as in print.
fn minus(number: i32) -> String {
    number.to_string().replace('-', "−")
}

fn grouped(number: u64) -> String {
    plain::grouped(number).replace('\u{202f}', ",")
}

/// Phrases of the first half of the story: the array.
fn of_the_array() -> Vec<String> {
    let one = Run::count("1,1,1,1,1,ws,none");
    let six = Run::count("6,1,1,1,1,ws,none");
    let column = Run::count("1,1,4,4,1,ws,none");
    let rows = Run::count("6,1,4,4,1,ws,none");
    let first = Run::count("6,3,4,4,4,ws,none");
    let outputs = Run::count("6,3,4,4,4,os,none");
    let [long, longer] = ["64,3,4,4,4,ws,none", "512,3,4,4,4,ws,none"].map(Run::count);
    let full = Run::count("512,4,4,4,4,ws,none");
    let [larger, largest] = ["6,3,4,8,8,ws,none", "6,3,4,128,128,ws,none"].map(Run::count);
    let [folds, buffered, both] =
        ["6,8,8,4,4,ws,none", "6,8,8,4,4,ws,double-buffered", "64,8,8,4,4,ws,double-buffered"].map(Run::count);
    let products: Vec<i32> = (0..4).map(|k| A[0][k] * B[k][0]).collect();
    let sums: Vec<String> = (1..=4).map(|n| minus(products[..n].iter().sum())).collect();
    let results: Vec<String> = A.iter().map(|row| minus(row[0] * B[0][0])).collect();
    let weights: Vec<String> = B.iter().map(|row| minus(row[0])).collect();
    let pes = |run: &Run, pes: f64| run.cycles() * pes;
    let lost = pes(&first, 16.0) - first.of("useful");
    vec![
        format!("The run takes {} cycles. A *cycle*", one.cycles()),
        format!("so {} of the cycles are useful", one.share(0)),
        format!("{}, then {}, then {}", results[0], results[1], results[2]),
        format!("result {} leaves", results[0]),
        format!("Six results take {} cycles, and {}", six.cycles(), six.share(1)),
        "3 × 3 + 7 × (−8) + 7 × 1 + (−2) × (−7)".to_owned(),
        format!("This sum is {},", sums[3]),
        format!("{}, {}, {} and {}", weights[0], weights[1], weights[2], weights[3]),
        format!("way: {}.", sums.join(", ")),
        format!("the partial sum is {}", sums[2]),
        format!("4 PEs in {} cycles are {} PE-cycles", column.cycles(), pes(&column, 4.0)),
        format!("Only {} of the {} are useful, which is {}", column.of("useful"), pes(&column, 4.0), column.share(1)),
        format!("The six sums together take {} cycles. A single sum took {} cycles", rows.cycles(), column.cycles()),
        format!("Utilization is {}", rows.share(1)),
        format!("table of {} × {} sums", A.len(), B[0].len()),
        format!("6 × 4 × 3 = {} multiplications", first.of("useful")),
        format!("{} is complete in cycle 7", sums[3]),
        format!("The 4×4 array at cycle 7: the first result, {}, is", sums[3]),
        format!("The matmul takes {} cycles.", first.cycles()),
        format!(
            "are {} PE-cycles, and {} of them are useful: {}",
            pes(&first, 16.0),
            first.of("useful"),
            first.share(1)
        ),
        format!("all {} multiplications as small cubes", first.of("useful")),
        format!("{} cubes: 10 are done, 9 are multiplied now, and 53 are", first.of("useful")),
        "In cycle 7, 10 cubes are done, 9 are blue and 53 are".to_owned(),
        format!("two passes, and {} cycles in place of {}", outputs.cycles(), first.cycles()),
        format!("Where {lost} PE-cycles go"),
        format!("Of {} PE-cycles, {} are useful and {lost} are not", pes(&first, 16.0), first.of("useful")),
        format!("All {} PE-cycles of the run: {} are useful", pes(&first, 16.0), first.of("useful")),
        format!("**Padding: {}.**", first.of("padding")),
        format!(
            "**Loading: {}.** Twelve PEs get a weight, and all of them wait for {} cycles",
            first.of("load"),
            first.of("load") / 12.0
        ),
        format!("**Filling: {}.**", first.of("fill")),
        format!("**Draining: {}.**", first.of("drain")),
        format!("takes {} cycles, and utilization rises from {} to {}", long.cycles(), first.share(1), long.share(1)),
        "for most of the run, all 12 used PEs".to_owned(),
        format!("takes {} cycles and reaches {}", longer.cycles(), longer.share(1)),
        format!("never exceed {}%", longer.of("mapping_efficiency_pct")),
        format!("still takes {} cycles, but it reaches {}", full.cycles(), full.share(1)),
        format!("The run takes {} cycles in place of {}. Only 12 of 64 PEs", larger.cycles(), first.cycles()),
        "only 12 of 64 PEs have a weight".to_owned(),
        format!("Utilization falls to {}", larger.share(1)),
        format!(
            "Our {} multiplications now take {} cycles on {} PEs, and utilization is {}",
            largest.of("useful"),
            largest.cycles(),
            grouped(128 * 128),
            largest.share(4)
        ),
        format!("B then has {} weights, and the array has room for {}", 8 * 8, 4 * 4),
        format!("Four folds take {} cycles, at {}", folds.cycles(), folds.share(1)),
        "All 16 PEs multiply while the next".to_owned(),
        format!(
            "The four folds take {} cycles in place of {}, and utilization is {}",
            buffered.cycles(),
            folds.cycles(),
            buffered.share(1)
        ),
        format!("takes {} cycles and reaches {}", both.cycles(), both.share(1)),
    ]
}

/// Phrases of the second half of the story: the chip, the model and the dollar.
fn of_the_chip() -> Vec<String> {
    let bits = |of: &str| of.split("bf16: ").count() - 1;
    let picture = told(&systolic(&["svg", "?dt=bf16&t=7&picture=bits"]));
    assert_eq!(bits(&picture), 2, "two factors");
    let chips = include_str!("../../../../chips/perfmodel/data/chips.json");
    let chips: serde_json::Value = serde_json::from_str(chips).expect("chips");
    let chip = |id: &str| {
        chips["chips"].as_array().expect("a list").iter().find(|chip| chip["id"] == id).expect("a chip").clone()
    };
    let (v4, v5e) = (chip("tpu-v4"), chip("tpu-v5e"));
    let peak = |chip: &serde_json::Value, format: &str| chip["peak_tflops"][format]["value"].as_f64().expect("a peak");
    assert_eq!(peak(&v4, "bf16"), peak(&v4, "int8"));
    let units = |name: &str| v4["compute"][name]["value"].as_u64().expect("a number");
    let arrays = units("units_per_core") * units("cores");
    let pes = arrays * units("rows") * units("cols");
    let ghz = v4["clock_mhz"]["value"].as_f64().expect("a clock") / 1000.0;
    let n_pes = pes as f64;
    let tflops = (2.0 * n_pes * ghz / 1000.0).round();
    assert_eq!(tflops, peak(&v4, "bf16"));

    let time = |format: &str, sizes: &str| {
        Shown::of_command(&format!("systolic time --chip tpu-v4 --dtype {format} --ladder <<< $'M,N,K\\n{sizes}'"))
    };
    let of = |shown: &Shown, name: &str| shown.number(name).unwrap_or_else(|| panic!("no {name}")).0;
    let (small, large) = (time("int8", "6,3,4"), time("bf16", "4096,4096,4096"));
    let first = Run::count("6,3,4,4,4,ws,none");
    let array = Run::count("4096,4096,4096,128,128,ws,double-buffered");

    let model = Shown::of_command("systolic model --model llama3-8b --chip tpu-v4 --chips 64 --json");
    assert_eq!(of(&model, "tokens_per_step"), 64.0 * 4.0 * 2048.0);
    let link = "?ui=desk&ask=model%3Dllama3-8b%26chip%3Dtpu-v4%26chips%3D64";
    let shown = Shown::of_link(link);
    let mfu = of(&model, "mfu_pct");
    assert!((of(&shown, "mfu") - mfu).abs() < 0.05, "the link asks what the command asks");
    let price = of(&model, "usd_per_chip_hour");
    // One multiplication and one addition are two operations.
    let paid = price / 3600.0 / (peak(&v4, "bf16") * 1e12 / 2.0) * 1e18;
    let at = |pct: f64| format!("| {:.1}% | ${:.2} |", pct, paid / pct * 100.0);
    let per_million = of(&model, "usd_per_million_tokens");
    vec![
        "A number in bf16 has 16 bits: one for the sign, 8 for the range and 7 for the digits".to_owned(),
        "two factors of 16 bits, and a sum of 32 bits".to_owned(),
        "The two factors have 16 bits each, and the sum has 32".to_owned(),
        format!(
            "a peak of {} trillion operations a second in bf16, and of {} trillion in int8",
            peak(&v5e, "bf16"),
            peak(&v5e, "int8")
        ),
        format!("the same peak for both: {} trillion", peak(&v4, "int8")),
        format!("It has {arrays} arrays of 128×128 PEs, which are {} PEs", grouped(pes)),
        format!("with {ghz} billion cycles a second. 2 × {} × {ghz} billion is {tflops} trillion", grouped(pes)),
        format!("would take {:.1} ns", first.cycles() * 2.0 * n_pes / (peak(&v4, "int8") * 1e3)),
        format!("The chip needs {:.0} ns", of(&small, "time_us") * 1000.0),
        format!("The MFU is {:.6}%", of(&small, "mfu_pct")),
        format!("a run of {} folds", array.of("folds")),
        format!("utilization of the array is {}", array.share(2)),
        format!("about {:.0} µs, and its MFU is {:.1}%", of(&large, "time_us"), of(&large, "mfu_pct")),
        format!("Memory leaves {:.1}%", of(&large, "memory") * 100.0),
        format!("measured at {:.1}% of the speed", of(&large, "unexplained") * 100.0),
        // Each matrix has 2 bytes per number and moves once.
        format!("it does {:.0} operations with each byte", 2.0 * 4096_f64.powi(3) / (3.0 * 4096_f64.powi(2) * 2.0)),
        "Each chip has 4 texts of 2048 *tokens*".to_owned(),
        format!("takes about {:.1} s, and its MFU is {mfu:.1}%", of(&model, "step_time_s")),
        format!("it would be {:.1}%", of(&model, "hfu_pct")),
        format!(
            "In {:.0}% of cases, the MFU should be between {:.1}% and {:.1}%",
            of(&model, "intervals.level_pct"),
            of(&model, "intervals.mfu_pct.low"),
            of(&model, "intervals.mfu_pct.high")
        ),
        format!("A TPU v4 costs ${price} an hour"),
        format!("would cost ${paid:.2}."),
        format!("| all PEs, always | 100% | ${paid:.2} |"),
        format!("the large matmul on the chip {}", at(of(&large, "mfu_pct"))),
        format!("training the model {}", at(mfu)),
        format!("our first matmul, if a chip had only 4×4 arrays {}", at(first.of("utilization_pct"))),
        format!("Training on a million tokens costs ${per_million:.3}"),
        format!("buys {:.2} million tokens. With an MFU of 100%", 1.0 / per_million),
        format!("it would buy {:.2} million", 100.0 / per_million / mfu),
    ]
}

#[test]
fn every_number_of_the_story_is_computed_here() {
    let mut text = plain(&fs::read_to_string(PATH).expect("the story"));
    let mut phrases = [of_the_array(), of_the_chip()].concat();
    let missing: Vec<&String> = phrases.iter().filter(|phrase| !text.contains(phrase.as_str())).collect();
    assert!(missing.is_empty(), "the story does not say:\n{missing:#?}");
    phrases.extend(GIVEN.iter().map(|&given| given.to_owned()));
    phrases.sort_by_key(|phrase| usize::MAX - phrase.len());
    for phrase in phrases {
        text = text.replace(&phrase, "…");
    }
    let others: Vec<&str> = text.split(". ").filter(|said| said.contains(|sign: char| sign.is_ascii_digit())).collect();
    assert!(others.is_empty(), "nothing computes the numbers in\n{others:#?}");
}

/// Checks the cycles of each picture's run, which the command counts, and a part of the caption that the picture shows.
#[test]
fn the_pictures_are_the_runs_of_the_text() {
    let story = fs::read_to_string(PATH).expect("the story");
    let links: Vec<&str> = story.lines().filter_map(|line| Some(picture(line)?.0)).collect();
    let runs = [
        ("1,1,1,1,1,ws,none", "3 × 3 = 9|1 of 1 element complete"),
        ("6,1,1,1,1,ws,none", "a[2,0] × b[0,0], the only product of c[2,0]: 4 × 3 = 12"),
        ("1,1,4,4,1,ws,none", "product 3 of 4 of c[0,0]: −47 + 7 × 1 = −40"),
        ("6,1,4,4,1,ws,none", "All 4 PEs are multiplying"),
        ("6,3,4,4,4,ws,none", "Cycle 7 of 15. First result complete: c[0,0] = −26"),
        ("6,3,4,4,4,ws,none", "Cycle 7 of 15"),
        ("6,3,4,4,4,os,none", "9 of 16 PEs are multiplying"),
        ("6,3,4,4,4,ws,none", "72 useful multiplications"),
        ("64,3,4,4,4,ws,none", "All 12 used PEs are multiplying"),
        ("6,3,4,8,8,ws,none", "9 of 64 PEs"),
        ("6,3,4,128,128,ws,none", "9 of 16 384 PEs"),
        ("6,8,8,4,4,ws,none", "Fold 2 of 4: loading weights"),
        ("6,8,8,4,4,ws,double-buffered", "Fold 2 of 4: all 16 PEs are multiplying"),
        ("6,3,4,4,4,ws,none", "Cycle 7 of 15"),
        ("4096,4096,4096,128,128,ws,double-buffered", "of 1024: all 16 384 PEs are multiplying"),
    ];
    assert_eq!(links.len(), runs.len());
    for (link, (row, caption)) in links.into_iter().zip(runs) {
        let shown = Shown::of_link(link);
        assert_eq!(shown.number("cycles").map(|(cycles, _)| cycles), Some(Run::count(row).cycles()), "{link}");
        let drawing = told(&systolic(&["svg", link])).replace('\u{202f}', " ");
        assert!(caption.split('|').any(|part| drawing.contains(part)), "{link}: no {caption}");
    }
    let cube = told(&systolic(&["svg", "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&picture=cube"]));
    for tally in ["10 done", "9 now", "53 to come"] {
        assert!(cube.contains(tally), "{tally}");
    }
}

#[test]
fn the_matrices_of_this_test_are_those_of_the_first_screen() {
    let plan = studio::Session::open(&studio::Link::parse("", "")).0.plan;
    let at = |operand, row, col| plan.operands().at(operand, (row, col));
    for (row, numbers) in (0..).zip(A) {
        let found = [0, 1, 2, 3].map(|col| at(systolic::Operand::A, row, col));
        assert_eq!(found, numbers.map(f64::from));
    }
    for (row, numbers) in (0..).zip(B) {
        let found = [0, 1, 2].map(|col| at(systolic::Operand::B, row, col));
        assert_eq!(found, numbers.map(f64::from));
    }
}
