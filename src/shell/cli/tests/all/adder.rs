//! Tests of sums as chips add them: the adder of a chip, a matrix c from which sums start, and the format of results.

use std::fs;

use crate::command::Files;
use crate::common::{systolic, text, told};

/// Folder of the tables of the words (bit patterns) that chips returned.
const PRINTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/golden/printed/");

/// Row of a table: the elements of A, B and c, and the sum that the chip returned.
fn printed(table: &str) -> Vec<[Vec<f32>; 4]> {
    let table = fs::read_to_string(format!("{PRINTED}{table}.csv")).expect("a table");
    let word = |word: &str| f32::from_bits(u32::from_str_radix(word, 16).expect("a word"));
    let numbers = |words: &str| words.split(' ').map(word).collect::<Vec<f32>>();
    let row = |line: &str| line.split(',').map(numbers).collect::<Vec<_>>().try_into().expect("four columns");
    table.lines().skip(1).map(row).collect()
}

fn listed(numbers: &[f32], between: &str) -> String {
    numbers.iter().map(f32::to_string).collect::<Vec<_>>().join(between)
}

#[test]
fn the_adder_of_a_chip_gives_the_words_that_the_chip_returned() {
    for (table, dtype, adder) in [("H100_bf16", "bf16", "h100"), ("A100_tf32", "tf32", "a100")] {
        let mut n_plain = 0;
        for [a, b, c, d] in printed(table).into_iter().take(8) {
            let files = Files::new(table, &listed(&a, ","), &listed(&b, "\n"));
            let start = files.0.join("c.csv");
            fs::write(&start, listed(&c, ",")).expect("written");
            let (a, b, start) = (files.a(), files.b(), start.to_string_lossy().into_owned());
            let words = ["run", "--a", &a, "--b", &b, "--c", &start, "--array", "16x1", "--dataflow", "ws"];
            let run = |more: &[&str]| -> f32 {
                let said = told(&systolic(&[&words[..], &["--dtype", dtype], more].concat()));
                said.trim().parse().expect("a number")
            };
            assert_eq!(run(&["--adder", adder]).to_bits(), d[0].to_bits(), "{table}");
            n_plain += usize::from(run(&[]).to_bits() == d[0].to_bits());
        }
        assert!(n_plain < 8, "{table}: f32 sums of single products differ");
    }
}

#[test]
fn results_are_rounded_to_the_format_of_results_and_errors_are_in_its_ulps() {
    // An A100 printed -208: https://github.com/jax-ml/jax/issues/17214
    let files = Files::new("results", "-1.6171875,0.5703125\n", "127\n-4\n");
    let (a, b) = (files.a(), files.b());
    let words = ["run", "--a", &a, "--b", &b, "--array", "2x1", "--dataflow", "ws", "--dtype", "bf16"];
    let run = |more: &[&str]| told(&systolic(&[&words[..], more].concat()));
    assert_eq!(run(&[]), "-207.6640625\n");
    assert_eq!(run(&["--results", "bf16"]), "-208\n");
    assert_eq!(run(&["--results", "f16"]), "-207.625\n");
    // From 128 on, numbers of bf16 are 1 apart.
    assert_eq!(run(&["--results", "bf16", "--ulp"]), "0.3359375\n");
    let json = run(&["--results", "bf16", "--adder", "a100", "--json"]);
    assert!(json.contains("\"results\": \"bf16\"") && json.contains("\"adder\": \"a100\""), "{json}");
}

#[test]
fn sums_start_from_c_in_the_registers_too() {
    let files = Files::new("start", "1,2\n3,4\n", "5,6\n7,8\n");
    let (a, b, start) = (files.a(), files.b(), files.0.join("c.csv"));
    fs::write(&start, "1000,0\n0,-70000\n").expect("written");
    let c = start.to_string_lossy().into_owned();
    let words = ["--a", &a, "--b", &b, "--c", &c, "--array", "2x2", "--dataflow", "os", "--dtype", "int8"];
    let run = |command: &str, more: &[&str]| told(&systolic(&[&[command][..], &words[..], more].concat()));
    assert_eq!(run("run", &[]), "1019,22\n43,-69950\n");
    assert_eq!(run("run", &["--ulp"]), "0,0\n0,0\n");
    assert!(run("state", &[]).lines().any(|line| line.split(',').nth(5) == Some("-69950")));
    for (numbers, said) in [
        ("1,2\n", "--c has 1×2 numbers, but M×N is 2×2: change the sizes or the matrix.\n"),
        ("0.5,0\n0,0\n", "--c, row 0, column 0 = 0.5: with int8, use a whole number from "),
    ] {
        fs::write(&start, numbers).expect("written");
        let out = systolic(&[&["run"][..], &words[..]].concat());
        assert_eq!(out.status.code(), Some(2));
        assert!(text(&out.stderr).starts_with(said), "{}", text(&out.stderr));
    }
}

#[test]
fn a_link_has_the_numbers_of_the_options() {
    let files = Files::new("link", "1,1\n", "1\n8.940696716308594e-8\n");
    let (a, b, start) = (files.a(), files.b(), files.0.join("c.csv"));
    fs::write(&start, "0.25\n").expect("written");
    let c = start.to_string_lossy().into_owned();
    let words = ["state", "--a", &a, "--b", &b, "--c", &c, "--array", "4x4", "--dataflow", "ws", "--dtype", "bf16"];
    let link = "?dt=bf16&adder=h100#a=1,1&b=1;8.940696716308594e-8&c=0.25";
    let exported = told(&systolic(&["export", link, "--as", "csv"]));
    assert_eq!(exported, told(&systolic(&[&words[..], &["--adder", "h100"]].concat())));
    // The second product is 1.5 · 2⁻²⁴. The chip cuts this product, and f32 rounds the sum up.
    assert!(exported != told(&systolic(&words)), "the adder of the link counts");
}

#[test]
fn the_adder_of_a_tpu_has_two_halves_of_k_in_turn() {
    let words = ["trace", "--gemm", "1x32x1", "--array", "32x1", "--dataflow", "is", "--dtype", "bf16"];
    let rows = |more: &[&str]| -> Vec<usize> {
        let out = told(&systolic(&[&words[..], more].concat()));
        let west = out.lines().filter(|line| line.contains(",west,"));
        let mut ports: Vec<(usize, usize)> = west
            .map(|line| {
                let fields: Vec<&str> = line.split(',').collect();
                (fields[3].parse().expect("a port"), fields[4].parse().expect("a row of B"))
            })
            .collect();
        ports.sort_unstable();
        ports.into_iter().map(|(_, k)| k).collect()
    };
    assert_eq!(rows(&[]), (0..32).collect::<Vec<_>>());
    let in_turn: Vec<usize> = [0..8, 16..24, 8..16, 24..32].into_iter().flatten().collect();
    assert_eq!(rows(&["--adder", "tpu"]), in_turn);
}

#[test]
fn an_adder_that_does_not_fit_is_one_sentence_with_what_fits() {
    let files = Files::new("unfit", "1,2\n", "3\n4\n");
    let (a, b) = (files.a(), files.b());
    let run = ["run", "--a", &a, "--b", &b, "--array", "2x2", "--dataflow", "ws"];
    for (words, said) in [
        ([&run[..], &["--dtype", "int8", "--adder", "v100"]].concat(), "--adder = v100: use it with f16.\n"),
        (
            [&run[..], &["--dtype", "bf16", "--adder", "gpu"]].concat(),
            "--adder = gpu: use one of f32, tpu, v100, a100,",
        ),
        (
            [&run[..], &["--dtype", "bf16", "--adder", "tpu"]].concat(),
            "--adder = tpu: rows = 2 is not a multiple of 16. Use rows = 16.\n",
        ),
        (
            [&run[..], &["--dtype", "bf16", "--results", "f64"]].concat(),
            "--results = f64: use one of sum, bf16, f16.\n",
        ),
        (
            "trace --gemm 2x2x2 --array 2x2 --dataflow ws --adder tpu".split(' ').collect(),
            "systolic trace needs --dtype <T>",
        ),
        (
            "rtl --gemm 2x2x2 --array 2x2 --dataflow ws --dtype int8 --adder h100 --out nowhere".split(' ').collect(),
            "adder = h100: a PE with this adder has 16 multipliers, but a PE of the hardware has one. Use adder = f32.\n",
        ),
        (vec!["export", "?dt=bf16&adder=a100", "--as", "vcd"], "adder = a100: a PE with this adder has 8 multipliers,"),
        (
            vec!["report", "?dt=int8&adder=h100"],
            "In the link, adder = h100: use it with bf16, f16, e4m3fn, e5m2 or tf32.\n",
        ),
    ] {
        let out = systolic(&words);
        assert_eq!(out.status.code(), Some(2), "{words:?}");
        let told = text(&out.stderr);
        assert!(told.starts_with(said) && told.lines().count() == 1, "{words:?}: {told}");
    }
}
