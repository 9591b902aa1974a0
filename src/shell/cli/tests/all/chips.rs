//! Tests of times of matmuls and of whole models on chips, as a user asks for them.

use crate::common::{fed, systolic, text, told};
use estimate::{Answered, ModelQuery, Query};
use std::sync::Arc;

#[test]
fn time_adds_what_a_product_takes_and_carries_other_columns_through() {
    let out =
        told(&fed(&["time", "--chip", "tpu-v4", "--dtype", "f16"], "note,k,N,m\nfirst,128,128,128\n,4096,4000,4096\n"));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "note,k,N,m,time_us,mfu_pct,bound,eta_tile,runs_as");
    let row: Vec<&str> = lines[1].split(',').collect();
    // For a matmul of one tile, launch takes most of the time. The measured times are 1.2 to 1.5 µs.
    assert_eq!((row[0], row[6], row[7]), ("first", "launch", "1"));
    let us: f64 = row[4].parse().expect("microseconds");
    let pct: f64 = row[5].parse().expect("percent");
    assert!((us - 1.35).abs() < 0.1, "{us}");
    // 2 · 128³ FLOP at 275 TFLOP/s take 15.25 ns.
    let least = told(&fed(&["time", "--chip", "tpu-v4", "--dtype", "f16"], "M,N,K\n1,1,1\n"));
    let least: f64 =
        least.lines().nth(1).and_then(|row| row.split(',').nth(4)).expect("a field").parse().expect("percent");
    assert!(least > 1e-10 && least < 1e-6, "small, and not nothing: {least}");
    assert!((pct - 100.0 * 0.015_252 / us).abs() < 0.001, "{pct}");
    let eta: f64 = lines[2].split(',').nth(7).expect("a field").parse().expect("a share");
    assert!((eta - 4000.0 / 4096.0).abs() < 1e-12, "{eta}");
}

#[test]
fn the_matmuls_of_a_batch_take_as_long_as_so_many_rows() {
    let lines = |table: &str, options: &[&str]| {
        let out = told(&fed(&[&["time", "--chip", "tpu-v4", "--dtype", "f16"], options].concat(), table));
        out.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let found = lines("M,N,K,batch\n4096,4096,4096,\n4096,4096,4096,32\n", &["--bounds"]);
    let number = |row: usize, column: usize| found[row][column].parse::<f64>().expect("a number");
    // The time and both of its bounds are 32 times those of one matmul. MFU, limit and tile efficiency are equal to
    // those of one matmul.
    for column in [4, 9, 10] {
        assert!((number(2, column) / number(1, column) - 32.0).abs() < 1e-3, "{found:?}");
    }
    assert_eq!(found[1][5..9], found[2][5..9]);
    let us = &found[2][4];
    let errors = lines(&format!("M,N,K,batch_size,us\n4096,4096,4096,32,{us}\n"), &["--against", "us"]);
    assert_eq!(errors[1][2], "0.00", "measured as predicted");
    let refused = |table: &str| text(&fed(&["time", "--chip", "tpu-v4", "--dtype", "f16"], table).stderr);
    assert_eq!(
        refused("M,N,K,batch\n1,2,3,many\n"),
        "row 1: batch = many: use a whole number from 1 to 1\u{202f}073\u{202f}741\u{202f}824.\n"
    );
    assert_eq!(
        refused("M,N,K,batch,batch_count\n1,2,3,4,5\n"),
        "The table has two columns batch: rename or remove one of them.\n"
    );
}

#[test]
fn time_leaves_empty_what_nobody_published_and_names_what_cannot_be_used() {
    let out = told(&fed(&["time", "--chip", "tpu-v1", "--dtype", "bf16"], "M,N,K\n8,8,8\n"));
    assert!(out.ends_with("8,8,8,,,unknown,,\n"), "{out}");
    let bad = fed(&["time", "--chip", "tpu-v4", "--dtype", "bf16"], "M,N,K\n8,0,8\n8,8,8\n8,x,8\n");
    assert_eq!(bad.status.code(), Some(2));
    assert_eq!(
        text(&bad.stderr),
        "row 1: N = 0: use a whole number from 1 to 2\u{202f}147\u{202f}483\u{202f}648.\n\
         row 3: N = x: use a whole number from 1 to 2\u{202f}147\u{202f}483\u{202f}648.\n"
    );
    assert!(text(&bad.stdout).contains("8,8,8,1.03"), "the good row has its time");
    for (arguments, names) in [
        (&["time", "--dtype", "bf16"][..], "systolic time needs --chip <ID>: see systolic help time."),
        (&["time", "--chip", "tpu-v9", "--dtype", "bf16"], "--chip = tpu-v9: use one of tpu-v1, "),
        (
            &["time", "--chip", "own", "--dtype", "bf16", "--own", "hbm.fast"],
            "--own hbm = fast: use a number from 0.001",
        ),
        (&["time", "--chip", "tpu-v4"], "systolic time needs --dtype <T>: see "),
        (&["time", "--chip", "tpu-v4", "--dtype", "bf16", "--by", "M"], "--by works only with --against"),
        (
            &["time", "--chip", "tpu-v4", "--dtype", "bf16", "--against", "us"],
            "--against = us: use the name of a column of the table",
        ),
    ] {
        let out = fed(arguments, "M,N,K\n8,8,8\n");
        assert_eq!(out.status.code(), Some(2));
        assert!(text(&out.stderr).starts_with(names), "{}", text(&out.stderr));
    }
}

#[test]
fn time_takes_a_chip_of_ones_own() {
    let time = |arguments: &[&str]| {
        let out = told(&fed(&[&["time", "--dtype", "bf16"][..], arguments].concat(), "M,N,K\n16384,16384,16384\n"));
        let row: Vec<String> = out.lines().nth(1).expect("a row").split(',').map(str::to_owned).collect();
        (row[3].parse::<f64>().expect("microseconds"), row[6].clone())
    };
    let (listed, _) = time(&["--chip", "tpu-v5p"]);
    let (faster, _) = time(&["--chip", "tpu-v5p", "--own", "peak-bf16.918_hbm.5530"]);
    // With twice the peak and bandwidth, the time is half, except for the launch.
    assert!((listed / faster - 2.0).abs() < 0.001, "{listed} {faster}");
    // A fully custom chip has no sides of an array, so there is no padding and no tile efficiency.
    let (alone, eta) = time(&["--chip", "own", "--own", "peak-bf16.918,hbm.5530"]);
    assert!((alone / faster - 1.0).abs() < 0.01 && eta.is_empty(), "{alone} {eta}");
}

#[test]
fn time_tells_its_errors_against_measured_times() {
    let out = told(&fed(
        &["time", "--chip", "tpu-v4", "--dtype", "f16", "--against", "us", "--by", "size"],
        "M,N,K,us,size\n64,64,64,1.0,small\n64,64,64,2.0,small\n2048,2048,2048,100,large\n",
    ));
    let lines: Vec<Vec<&str>> = out.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0], ["group", "rows", "mape_pct", "median_pct", "p90_pct", "bias_pct", "worst_pct"]);
    assert_eq!((lines[1][0], lines[1][1], lines[2][0], lines[2][1]), ("small", "2", "large", "1"));
    let number = |line: usize, field: usize| lines[line][field].parse::<f64>().expect("a number");
    // One time t is compared with 1 and 2. The absolute errors t − 1 and 1 − t/2 have the mean t/4, and the bias is
    // 3t/4 − 1.
    let t = (number(1, 5) / 100.0 + 1.0) / 0.75;
    assert!((number(1, 2) - 100.0 * (t / 4.0)).abs() < 0.02, "{out}");
}

/// Writes a temporary file for a test.
fn file(name: &str, text: &str) -> String {
    let path = std::env::temp_dir().join(format!("systolic-{}-{name}", std::process::id()));
    std::fs::write(&path, text).expect("written");
    path.to_string_lossy().into_owned()
}

#[test]
fn decode_begins_with_tensor_parallelism_on_the_fewest_chips_that_fit() {
    let decode = |rest: &[&str]| {
        let out = told(&systolic(
            &[&["model", "--model", "llama3-70b", "--chip", "tpu-v5p", "--pass", "decode"], rest].concat(),
        ));
        out.lines().filter(|line| line.contains("per million tokens:")).collect::<String>()
    };
    // In bf16, 70 G weights with the keys and values need two chips of 95 GB.
    assert_eq!(decode(&[]), decode(&["--split", "tensor", "--chips", "2"]));
    assert_eq!(decode(&["--chips", "8"]), decode(&["--split", "tensor", "--chips", "8"]));
    assert_ne!(decode(&["--split", "fsdp", "--chips", "8"]), decode(&["--chips", "8"]), "a given parallelism stays");
}

#[test]
fn model_tells_what_a_configuration_takes_with_every_assumption() {
    let config = r#"{"model_type":"llama","hidden_size":8192,"num_hidden_layers":80,"num_attention_heads":64,
        "num_key_value_heads":8,"intermediate_size":28672,"vocab_size":32000}"#;
    let path = file("config.json", config);
    let asked = ["--chip", "tpu-v5p", "--chips", "512", "--seq", "4096", "--batch", "4"];
    let out = told(&systolic(&[&["model", "--config", &path, "--json"][..], &asked].concat()));
    let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let number = |name: &str| report[name].as_f64().unwrap_or_else(|| panic!("{name} in {out}"));
    // Llama 2 70B has 68.98 G weights. The embedding has 262 M of them, and the norms have 1.3 M.
    assert!((number("weights") / 68.713e9 - 1.0).abs() < 0.001, "{}", number("weights"));
    // Each of 4 · 4096 tokens has 6·N + 12·L·H·Q·T FLOP.
    let flops = 16384.0 * (6.0 * number("weights") + 12.0 * 80.0 * 64.0 * 128.0 * 4096.0);
    assert!((number("model_flops_per_chip_and_step") / flops - 1.0).abs() < 1e-9);
    let mfu = flops / (459e12 * number("step_time_s")) * 100.0;
    assert!((number("mfu_pct") - mfu).abs() < 1e-6 && mfu > 40.0 && mfu < 100.0, "{mfu}");
    assert!((number("tokens_per_s") * number("step_time_s") / (512.0 * 16384.0) - 1.0).abs() < 1e-9);
    let usd = number("usd_per_chip_hour") * 512.0 / 3600.0 / number("tokens_per_s") * 1e6;
    assert!((number("usd_per_million_tokens") / usd - 1.0).abs() < 1e-9);
    for (what, value) in
        [("chip", "tpu-v5p"), ("chips", "512"), ("tokens per sequence", "4096"), ("parallelism", "fsdp")]
    {
        let named = report["assumptions"].as_array().expect("a list");
        assert!(named.iter().any(|one| one["what"] == what && one["value"] == value), "{what} in {out}");
    }
    let text = told(&systolic(&[&["model", "--config", &path][..], &asked].concat()));
    assert!(text.contains("MFU: ") && text.contains("Leaves out: ") && text.contains("Source: "), "{text}");
    std::fs::remove_file(path).expect("removed");
}

fn report(arguments: &[&str]) -> serde_json::Value {
    let out = told(&systolic(&[&["model", "--json"][..], arguments].concat()));
    serde_json::from_str(&out).expect("JSON")
}

#[test]
fn model_takes_a_chip_of_ones_own_and_says_whose_its_values_are() {
    // The values replace those of a listed chip. Twice the peak and bandwidth halve the time of the matmuls.
    let base = &["--chip", "tpu-v5p", "--chips", "1", "--pass", "prefill"][..];
    let with = |own: &str| report(&[base, &["--own", own]].concat());
    let (once, twice) = (with("peak-bf16.459_hbm.2765"), with("peak-bf16.918_hbm.5530_price.0.8"));
    let seconds = |report: &serde_json::Value| report["step_time_s"].as_f64().expect("a number");
    assert!((seconds(&once) / seconds(&twice) - 2.0).abs() < 0.001, "{} {}", seconds(&once), seconds(&twice));
    assert_eq!(twice["usd_per_chip_hour"].as_f64(), Some(0.8));
    let sources: Vec<&str> = twice["figures"]
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|figure| figure["citations"].as_array().expect("a list"))
        .filter(|one| one["confidence"] == "yours: you set it")
        .map(|one| one["what"].as_str().expect("text"))
        .collect();
    for what in ["peak, bf16: 918 TFLOPS", "5530 GB/s", "$0.80 per chip-hour"] {
        assert!(sources.iter().any(|source| source.contains(what)), "{what}: {sources:?}");
    }
    // A fully custom chip needs only these values. Everything else stays unknown.
    let alone = report(&["--chip", "own", "--own", "peak-bf16.200,hbm.1200", "--chips", "1"]);
    assert!(alone["mfu_pct"].as_f64().is_some_and(|mfu| mfu > 0.0 && mfu < 100.0));
    assert!(alone["usd_per_chip_hour"].is_null() && alone["usd_per_million_tokens"].is_null());
}

#[test]
fn model_takes_one_of_the_listed_prices() {
    // The data file has these prices of v5e: 1.20 on demand in us-central1, 1.56 in europe-west4, 0.24493 spot.
    for (price, usd) in [("on-demand", 1.2), ("on-demand.europe-west4", 1.56), ("spot.us-central1.2025-26", 0.24493)] {
        let report = report(&["--chip", "tpu-v5e", "--price", price]);
        assert_eq!(report["usd_per_chip_hour"].as_f64(), Some(usd), "{price}");
        let said = report["figures"].to_string();
        assert!(said.contains(if price.starts_with("spot") { "spot, us-central1, 2025-26" } else { "on demand, " }));
    }
}

#[test]
fn model_writes_the_json_that_the_page_saves_for_the_same_question() {
    let config = file("estimate.json", "M,K,N,count,name\n512,1024,4096,2,up\n");
    let cases: [&[(&str, &str)]; 4] = [
        &[],
        &[("model", "llama3-70b"), ("chip", "tpu-v5p"), ("chips", "512"), ("tokens", "15e12"), ("versus", "h100-sxm")],
        &[("pass", "decode"), ("chip", "tpu-7x"), ("egress", "10000"), ("weeks", "2"), ("grid", "0.4")],
        &[("chip", "tpu-v4"), ("kwh-usd", "0.1"), ("pue", "1.1"), ("shapes", "7"), ("interval", "15")],
    ];
    for pairs in cases {
        for own in [None, Some(config.as_str())] {
            if own.is_some() && pairs.iter().any(|(name, _)| *name == "model") {
                continue;
            }
            let options = pairs.iter().flat_map(|(name, value)| [format!("--{name}"), (*value).to_owned()]);
            let given = own.into_iter().flat_map(|path| ["--config".to_owned(), path.to_owned()]);
            let all: Vec<String> =
                ["model", "--json"].map(str::to_owned).into_iter().chain(options).chain(given).collect();
            let out = told(&systolic(&all.iter().map(String::as_str).collect::<Vec<_>>()));
            let text = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs.iter()).finish();
            let file =
                own.map(|path| estimate::named_after(path, estimate::imported(&std::fs::read(path).expect("read"))));
            // The page saves the entries that its form had at the start.
            let asked = Query::Model(Box::new(ModelQuery::parse(&text).begun(file.as_ref())));
            let asked = Answered::new(asked, file.map(Arc::new));
            let page = report::json(asked.model().expect("an answer"));
            assert_eq!(out.trim_end(), page, "{pairs:?}");
            let report: serde_json::Value = serde_json::from_str(&page).expect("JSON");
            // Each number that is read equals the number that was written.
            let lines = report["bill"]["lines_usd"].as_object().expect("lines");
            let known: f64 = lines.values().filter_map(serde_json::Value::as_f64).sum();
            let total = report["bill"]["known_usd"].as_f64().expect("a sum");
            assert!((known - total).abs() <= 1e-9 * total && lines.len() == 6, "{out}");
            assert_eq!(report["bill"]["total_usd"].is_null(), lines.values().any(serde_json::Value::is_null));
        }
    }
    std::fs::remove_file(config).expect("removed");
}

#[test]
fn model_writes_a_bill_that_adds_up_and_what_porting_pays_back() {
    let asked = ["model", "--chip", "tpu-v6e", "--versus", "h100-sxm", "--tokens", "1e12", "--egress", "10000"];
    let porting = ["--weeks", "3", "--week-usd", "8000"];
    let out = told(&systolic(&[&asked[..], &porting].concat()));
    assert!(out.contains("\nCost of 1 × 10¹² tokens\n"), "{out}");
    let row = |name: &str| {
        let line =
            out.lines().find(|line| line.trim().starts_with(&format!("{name}, $"))).unwrap_or_else(|| panic!("{name}"));
        let cell = line.split(", ").nth(1).expect("an amount");
        cell.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u64>().expect("dollars")
    };
    let lines = ["Compute", "Failures", "Recompilation", "Egress", "Porting", "Energy"];
    assert_eq!(lines.map(row).iter().sum::<u64>(), row("Total"));
    assert_eq!([row("Egress"), row("Porting")], [891, 24_000]);
    assert!(out.contains("Porting pays back after: ") && out.contains("chip-hours on TPU v6e"), "{out}");
    let unsaid = told(&systolic(&["model", "--weeks", "3"]));
    assert!(unsaid.contains("Porting, unknown") && unsaid.contains("Total, at least, $"), "{unsaid}");
}

#[test]
fn model_refuses_in_sentences() {
    let zebra = file("zebra.json", r#"{"model_type":"zebra"}"#);
    for (arguments, says) in [
        (&["--chip", "tpu-v9"][..], "--chip = tpu-v9: use one of tpu-v1, "),
        (&["--model", "gpt9"], "--model = gpt9: use one of bert-large, "),
        (&["--chips", "0"], "--chips = 0: use a whole number from 1"),
        (&["--config", "/no/such/file"], "--config = /no/such/file: cannot read the file ("),
        (&["--config", &zebra], &zebra),
        (&["--config", &zebra, "--model", "llama3-8b"], "Use either --config or --model, not both."),
        (&["--model", "resnet50", "--pass", "decode"], "An image model has no decode pass"),
        (&["--chip", "gaudi3", "--dtype", "f32"], "The chip's f32 peak is not published"),
        (
            &["--own", "hbm.fast"],
            "--own hbm = fast: use a number from 0.001 to 100\u{202f}000\u{202f}000 (GB/s), or “unknown”.",
        ),
        (&["--chip", "own", "--own", "peak-bf16.200"], "The chip's memory bandwidth is not published. "),
        (&["--chip", "tpu-v5e", "--price", "2y"], "--price = 2y: use one of on-demand.us-central1.2026-09-18, spot."),
        (&["--pue", "0.5"], "--pue = 0.5: use a number from 1 to 10."),
        (&["--versus", "tpu-v9"], "--versus = tpu-v9: use one of tpu-v1, "),
        (&["--gemm", "4x4x4"], "--gemm is not an option of systolic model"),
    ] {
        let out = systolic(&[&["model"][..], arguments].concat());
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        assert!(text(&out.stderr).starts_with(says), "{arguments:?}: {}", text(&out.stderr));
        assert!(text(&out.stdout).is_empty(), "{arguments:?}");
    }
    let command = "run python systolic_matmuls.py config.json > model.csv, and open model.csv.";
    assert!(text(&systolic(&["model", "--config", &zebra]).stderr).contains(command));
    std::fs::remove_file(zebra).expect("removed");
}

#[test]
fn time_takes_the_rate_apart_into_factors_that_multiply_to_it() {
    let ask = ["time", "--chip", "tpu-v5e", "--dtype", "f32", "--passes", "6", "--ladder"];
    let out = told(&fed(&ask, "M,N,K\n1000,1000,1000\n1,4096,4096\n"));
    let mut lines = out.lines();
    assert_eq!(
        lines.next().expect("a header"),
        "M,N,K,time_us,mfu_pct,bound,eta_tile,runs_as,format,arrays,tiles,load,fill-drain,unexplained,reload,memory,launch"
    );
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[7], "f32 as 6 bf16 passes");
        let factors: Vec<f64> = cells[8..].iter().map(|cell| cell.parse().expect("a factor")).collect();
        let pct: f64 = cells[4].parse().expect("percent");
        // Each number has six digits.
        assert!((100.0 * factors.iter().product::<f64>() / pct - 1.0).abs() < 1e-4, "{line}");
        assert!((factors[0] - 1.0 / 6.0).abs() < 1e-6, "{line}");
    }
    let unknown = told(&fed(&["time", "--chip", "tpu-v1", "--dtype", "bf16", "--ladder"], "M,N,K\n8,8,8\n"));
    assert!(unknown.ends_with("8,8,8,,,unknown,,,,,,,,,,,\n"), "{unknown}");
    for more in [&["--per", "core"][..], &["--against", "M"]] {
        let out = fed(&[&ask[..], more].concat(), "M,N,K\n8,8,8\n");
        assert_eq!(text(&out.stderr), "--ladder works only with --per chip, and not with --against.\n");
    }
}
