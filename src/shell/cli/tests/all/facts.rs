//! Computes the numbers of `docs/facts.md` again: from tiles that are filled element by element, from the data file of
//! the chips, from the published energies, and from the estimate of communication.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use perfmodel::{Chip, Collective, Nodes, Operation, Process, operation_energy};

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
    fs::read_to_string(path).expect("the file").replace('\r', "")
}

/// Text of the answer to a question, up to the next question.
fn answer(question: &str) -> String {
    let page = file("docs/facts.md");
    let found = page.split("\n## ").find_map(|section| section.strip_prefix(question));
    found.unwrap_or_else(|| panic!("no question {question}")).to_owned()
}

/// Text of an answer on one line.
fn prose(question: &str) -> String {
    answer(question).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Cells of a table, without its head.
fn rows(question: &str) -> Vec<Vec<String>> {
    let answer = answer(question);
    let lines = answer.lines().filter(|line| line.starts_with('|')).skip(2);
    let rows: Vec<Vec<String>> =
        lines.map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect();
    assert!(rows.len() >= 3, "{question} has a table");
    rows
}

/// Number of a cell, without thousands separators and units.
fn number(cell: &str) -> f64 {
    let digits = cell.replace(',', "");
    digits.trim_end_matches('%').parse().unwrap_or_else(|_| panic!("no number: {cell}"))
}

/// Numbers between two signs, such as the sizes of `f32[1024,1]`.
fn sizes(text: &str, open: char, close: char) -> Vec<usize> {
    let (_, inside) = text.split_once(open).expect(text);
    let (inside, _) = inside.split_once(close).expect(text);
    inside.split(',').map(|size| size.parse().expect(text)).collect()
}

#[test]
fn every_question_has_sources_and_a_link_in_the_contents() {
    let page = file("docs/facts.md");
    let questions: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    assert!(questions.len() >= 10);
    for question in questions {
        assert!(question.ends_with('?'), "{question}");
        let answer = answer(question);
        assert!(answer.contains("\nSource") && answer.contains("2026-11"), "{question} has dated sources");
        assert!(page.contains(&format!("- [{question}](#")), "{question} is in the contents");
    }
}

#[test]
fn a_tensor_takes_the_tiles_that_its_elements_touch() {
    for row in rows("Why does a tensor need 128 times its memory on a TPU?") {
        let [tensor, tile, stored, bytes, ratio] = row.as_slice() else { panic!("{row:?}") };
        let (size, tile_size) = (sizes(tensor, '[', ']'), sizes(tile, '(', ')'));
        let ([n_rows, n_cols], [tile_rows, tile_cols]) = (size.as_slice(), tile_size.as_slice()) else {
            panic!("{row:?}")
        };
        let element_bytes = match tensor.split('[').next() {
            Some("f32") => 4,
            Some("bf16") => 2,
            Some("int8") => 1,
            _ => panic!("{tensor}"),
        };
        // The packing tile joins rows of one tile into a word of 32 bits.
        let packed = if element_bytes == 4 { String::new() } else { format!("({},1)", 4 / element_bytes) };
        assert_eq!(*tile, format!("({tile_rows},{tile_cols}){packed}"));
        let places = (0..*n_rows).flat_map(|row| (0..*n_cols).map(move |col| (row / tile_rows, col / tile_cols)));
        let tiles: BTreeSet<(usize, usize)> = places.collect();
        let n_bytes = tiles.len() * tile_rows * tile_cols * element_bytes;
        assert_eq!(number(bytes), n_bytes as f64, "{tensor}");
        let (down, across) = stored.split_once('×').expect("two sizes");
        assert_eq!(number(down) * number(across) * element_bytes as f64, n_bytes as f64, "{tensor}");
        let needed = (n_rows * n_cols * element_bytes) as f64;
        assert!((number(ratio) - n_bytes as f64 / needed).abs() < 0.005, "{tensor}: {ratio}");
    }
}

#[test]
fn three_blocks_with_two_buffers_fit_and_the_next_larger_do_not() {
    let question = "Which block sizes fit VMEM with double buffering?";
    let data: serde_json::Value =
        serde_json::from_str(&file("src/chips/perfmodel/data/chips.json")).expect("the chip table");
    let chip = |name: &str| {
        let chips = data["chips"].as_array().expect("chips");
        let is_it = |chip: &&serde_json::Value| chip["name"].as_str().is_some_and(|full| full.starts_with(name));
        chips.iter().find(is_it).unwrap_or_else(|| panic!("no chip {name}"))
    };
    for row in rows(question) {
        let vmem_mib = chip(&row[0])["on_chip"]["vmem_mib_per_core"]["value"].as_f64();
        assert_eq!(Some(number(&row[1])), vmem_mib, "{}", row[0]);
        let vmem_bytes = number(&row[1]) * 1024.0 * 1024.0;
        let side = number(&row[2]);
        let bytes = |side: f64| [side * side * 2.0; 3].iter().sum::<f64>() * 2.0;
        assert!(side % 128.0 == 0.0 && bytes(side) <= vmem_bytes && bytes(side + 128.0) > vmem_bytes, "{row:?}");
        let flop_per_byte = 2.0 * side.powi(3) / (2.0 * side * side + 2.0 * side * side);
        assert_eq!(number(&row[3]), flop_per_byte, "{row:?}");
    }
    let v5e = chip("TPU v5e");
    let tflops = v5e["peak_tflops"]["bf16"]["value"].as_f64().expect("a peak");
    let ridge = tflops * 1e3 / v5e["memory"]["gb_per_sec"]["value"].as_f64().expect("a bandwidth");
    let prose = prose(question);
    assert!(prose.contains(&format!("A TPU v5e needs {ridge:.0} FLOP per byte")), "{ridge}");
    assert!(prose.contains(&format!("at most {:.0}% of the peak", 100.0 * 64.0 / ridge)), "{ridge}");
}

#[test]
fn the_energies_are_those_of_the_published_tables() {
    use Operation::{Ddr, F16Multiply, F32Multiply, Hbm2, Int8Multiply, Int32Add, Sram1M, Sram8K};
    let question = "How many picojoules do a MAC and a memory access need?";
    let energy = |operation, process| {
        let of = |operation| Some(operation_energy(operation, process)?.value.expect("an energy"));
        if let Some(operation) = operation {
            return of(operation).map(|pj| (pj.low, pj.high));
        }
        let (multiply, add) = (of(Int8Multiply)?, of(Int32Add)?);
        Some((multiply.low + add.low, multiply.high + add.high))
    };
    let operations = [
        ("int8 multiplication", Some(Int8Multiply)),
        ("int32 addition", Some(Int32Add)),
        ("int8 MAC: both", None),
        ("f16 multiplication", Some(F16Multiply)),
        ("f32 multiplication", Some(F32Multiply)),
        ("64 bits from 8 KiB of SRAM", Some(Sram8K)),
        ("64 bits from 1 MiB of SRAM", Some(Sram1M)),
        ("64 bits from DDR memory", Some(Ddr)),
        ("64 bits from HBM2", Some(Hbm2)),
    ];
    let rows = rows(question);
    assert_eq!(rows.len(), operations.len());
    for (row, (name, operation)) in rows.iter().zip(operations) {
        assert_eq!(row[0], name);
        for (cell, process) in row[1..].iter().zip([Process::Nm45, Process::Nm7]) {
            let Some((low, high)) = energy(operation, process) else {
                assert_eq!(cell, "", "{name}");
                continue;
            };
            let (from, to) = cell.split_once(" to ").unwrap_or((cell, cell));
            assert!((number(from) - low).abs() < 1e-9, "{name}: {cell}");
            // The table of perfmodel has only the lower end for DDR at 45 nm.
            let is_open = (operation, process) == (Some(Ddr), Process::Nm45);
            assert!(if is_open { number(to) > high } else { (number(to) - high).abs() < 1e-9 }, "{name}: {cell}");
        }
    }
    let (mac, _) = energy(None, Process::Nm7).expect("a MAC");
    let (low, high) = energy(Some(Hbm2), Process::Nm7).expect("HBM2");
    let tens = |number: f64| (number / 10.0).round() * 10.0;
    let said = format!(
        "one byte from HBM2 needs {:.0} to {:.0} pJ, as much as {} to {} int8 MACs",
        low / 8.0,
        high / 8.0,
        tens(low / 8.0 / mac),
        tens(high / 8.0 / mac)
    );
    assert!(prose(question).contains(&said), "{said}");
}

#[test]
fn a_block_adds_the_bits_of_its_scale_to_the_bits_of_its_elements() {
    for row in rows("What do NVFP4, MXFP4 and MXFP8 share?") {
        let bits = |cell: &str| {
            let (_, bits) = cell.trim_end_matches(" bits").rsplit_once(' ').expect(cell);
            number(bits)
        };
        let n_elements = number(&row[2]);
        let block_bits = n_elements * bits(&row[1]) + bits(&row[3]);
        assert!((number(&row[4]) - block_bits / n_elements).abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn an_all_reduce_takes_the_time_of_the_estimate() {
    let question = "Why does an all-reduce reach a tenth of the link rate?";
    let nodes = Nodes::of(Chip::by_id("h100-sxm").expect("the chip"), 8, 1).expect("links");
    for row in rows(question) {
        let bytes = number(&row[0]);
        let sec = nodes.measured(Collective::AllReduce, bytes, 1.0).0;
        let digits = if row[1].contains('.') { 0.05 } else { 0.5 };
        assert!((number(&row[1]) - sec * 1e6).abs() <= digits, "{row:?}: {sec}");
        let rate_pct = 100.0 * (2.0 * 7.0 / 8.0 * bytes / sec) / 450e9;
        assert!((number(&row[2]) - rate_pct).abs() <= 0.5, "{row:?}: {rate_pct}");
    }
}

#[test]
fn the_digits_of_chips_are_those_of_the_list_of_prints() {
    let printed = file("course/printed.txt");
    let of = |id: &str| {
        let entry = printed.split("\n# ").find(|entry| entry.contains(&format!("id: {id}\n"))).expect(id);
        let digits = entry.lines().find_map(|line| line.strip_prefix("printed: ")).expect(id);
        digits.split_whitespace().next().expect(id).to_owned()
    };
    let one_row = prose("Why do the digits of a TPU change if M = 1?");
    assert!(one_row.contains(&of("tpu-jax-16349-two-rows")) && one_row.contains(&of("tpu-jax-16349-one-row")));
    let rounded = of("gpu-jax-17214").replace('-', "−");
    assert!(prose("What does bf16 times int8 give?").contains(&format!("printed {rounded} for a sum")), "{rounded}");
}
