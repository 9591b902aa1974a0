//! Compares the output of `--json` with the schemas and examples in `docs/json`.

use std::fs;
use std::path::Path;

use crate::common::{systolic, text, told};
use serde_json::Value as Json;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/json/");

/// Commands with a schema.
const FORMS: [&str; 3] = ["model", "run", "ask"];

fn file(name: &str) -> Json {
    let text = fs::read_to_string(Path::new(FOLDER).join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns each violation of a schema with its place and reason. Supports only the parts of JSON Schema that these
/// schemas use.
fn breaches(value: &Json, form: &Json, all: &Json, at: &str) -> Vec<String> {
    let broken = |how: String| vec![format!("{at}: {how}")];
    if let Some(to) = form["$ref"].as_str() {
        let name = to.strip_prefix("#/$defs/").expect("a definition of the form");
        return breaches(value, &all["$defs"][name], all, at);
    }
    if let Some(any) = form["anyOf"].as_array() {
        let fits = any.iter().any(|one| breaches(value, one, all, at).is_empty());
        return if fits { Vec::new() } else { broken("fits none".to_owned()) };
    }
    if let Some(constant) = form.get("const") {
        return if value == constant { Vec::new() } else { broken(format!("is {value}")) };
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let kinds: Vec<&str> = match &form["type"] {
        Json::String(one) => vec![one],
        Json::Array(several) => several.iter().filter_map(Json::as_str).collect(),
        _ => return broken("the form has no type for it".to_owned()),
    };
    if !kinds.contains(&kind) {
        return broken(format!("is {kind}, and may be {}", kinds.join(" or ")));
    }
    match value {
        Json::Array(items) => {
            let each = items.iter().enumerate().filter(|_| form.get("items").is_some());
            each.flat_map(|(nth, item)| breaches(item, &form["items"], all, &format!("{at}[{nth}]"))).collect()
        }
        Json::Object(map) => {
            let required = form["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
            let missing =
                required.filter(|name| !map.contains_key(*name)).map(|name| format!("{at}.{name} is missing"));
            let inside = map.iter().flat_map(|(name, value)| match form["properties"].get(name) {
                Some(form) => breaches(value, form, all, &format!("{at}.{name}")),
                None => vec![format!("{at}.{name} is in no form")],
            });
            missing.chain(inside).collect()
        }
        _ => Vec::new(),
    }
}

fn written(arguments: &[&str]) -> Json {
    let written = told(&systolic(arguments));
    serde_json::from_str(&written).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// Returns the path of a matrix file among the examples.
fn in_folder(word: &str) -> String {
    if Path::new(word).extension().is_some_and(|ending| ending == "csv") {
        format!("{FOLDER}{word}")
    } else {
        word.to_owned()
    }
}

/// Returns the commands of the list, in its order.
fn listed() -> Vec<Vec<String>> {
    let list = fs::read_to_string(Path::new(FOLDER).join("README.md")).expect("the list");
    let lines = list.lines().filter_map(|line| line.strip_prefix("    systolic "));
    let words = |line: &str| {
        let parts = line.split('\'').enumerate();
        parts
            .flat_map(|(nth, part)| match nth % 2 {
                1 => vec![part.to_owned()],
                _ => part.split_whitespace().map(in_folder).collect(),
            })
            .collect()
    };
    lines.map(words).collect()
}

fn is_near(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => {
            let [a, b] = [a, b].map(|one| one.as_f64().unwrap_or(f64::NAN));
            (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| is_near(a, b)))
        }
        (a, b) => a == b,
    }
}

#[test]
fn each_command_writes_its_example_in_its_form() {
    let commands = listed();
    assert_eq!(commands.iter().map(|words| words[0].as_str()).collect::<Vec<_>>(), FORMS);
    for words in commands {
        let (name, words) = (words[0].clone(), words.iter().map(String::as_str).collect::<Vec<_>>());
        let (form, now) = (file(&format!("{name}.schema.json")), written(&words));
        if std::env::var_os("UPDATE").is_some() {
            let path = Path::new(FOLDER).join(format!("{name}.example.json"));
            fs::write(path, format!("{now:#}\n")).expect("written");
        }
        let example = file(&format!("{name}.example.json"));
        assert_eq!(breaches(&example, &form, &form, "example"), Vec::<String>::new(), "{name}");
        assert_eq!(breaches(&now, &form, &form, "written"), Vec::<String>::new(), "{name}");
        assert!(is_near(&now, &example), "{name}: UPDATE=1 writes the examples anew");
        assert_eq!(now["schema"], form["properties"]["schema"]["const"], "{name}");
    }
}

#[test]
fn whatever_is_asked_comes_in_the_form() {
    for (name, options) in [
        ("model", &["--chip", "tpu-7x"][..]),
        ("model", &["--chip", "tpu-v4", "--dtype", "f16", "--weeks", "2", "--versus", "tpu-v5p", "--grid", "0.4"]),
        ("model", &["--pass", "decode", "--split", "tensor", "--than", "batch.1", "--claim", "2 cheaper"]),
        ("model", &["--measured", "1 min/run"]),
        ("model", &["--chip", "h100-sxm", "--measured", "57 %; 3.58 s"]),
        ("model", &["--chip", "tpu-v5e", "--measured", "110 TFLOP/s/chip"]),
        ("model", &["--measured", "1 ms", "--versus", "tpu-7x", "--claim", "3 cheaper"]),
        ("model", &["--own", "peak-bf16.1", "--mtbf", "0.01"]),
        ("model", &["--model", "resnet-50", "--chip", "h100-sxm"]),
        ("ask", &["?lengths=way%3Dpacked"]),
        ("ask", &["?ask=chip%3Dtpu-v5e%26versus%3Dtpu-7x%26chips%3D0&lengths=own%3Dx%26mix%3Down&failures=chips%3D1"]),
    ] {
        let form = file(&format!("{name}.schema.json"));
        let words: Vec<&str> = [name].into_iter().chain(options.iter().copied()).chain(["--json"]).collect();
        let output = systolic(&words);
        // For a model that is not listed, the command writes nothing.
        let Ok(now) = serde_json::from_str::<Json>(&text(&output.stdout)) else {
            assert!(!output.stderr.is_empty(), "{words:?}");
            continue;
        };
        assert_eq!(breaches(&now, &form, &form, "written"), Vec::<String>::new(), "{words:?}");
    }
}

/// Returns the figures whose interval does not contain the value. The ends must be numbers in the unit of the value.
fn without_ends(json: &Json, found: &mut usize) -> Vec<String> {
    let inside = match json {
        Json::Array(items) => items.iter().flat_map(|one| without_ends(one, found)).collect::<Vec<_>>(),
        Json::Object(map) => map.values().flat_map(|one| without_ends(one, found)).collect(),
        _ => Vec::new(),
    };
    let Some(range) = json.get("range") else { return inside };
    *found += 1;
    let text = json["value"].as_str().unwrap_or_default().replace(['$', '\u{202f}', ' '], "");
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let value: f64 = text[..end].parse().unwrap_or(f64::NAN);
    let is_around = match (json["low"].as_f64(), json["high"].as_f64()) {
        // A value is rounded to at least three digits, so it may be slightly outside the range. A value with a power of
        // ten is not compared.
        (Some(low), Some(high)) => low < high && (text.contains('×') || (low * 0.995..=high * 1.005).contains(&value)),
        _ => false,
    };
    let wrong =
        (!is_around).then(|| format!("{}: {value} in {range}, {} to {}", json["id"], json["low"], json["high"]));
    inside.into_iter().chain(wrong).collect()
}

#[test]
fn every_figure_with_an_interval_has_its_ends_as_numbers_in_the_unit_of_its_value() {
    let commands = listed().into_iter().chain(
        [
            "model --chip tpu-v3 --chips 1024 --tokens 1e9 --json",
            "model --model llama3-70b --chip h100-sxm --chips 512 --versus tpu-v5p --tokens 1e15 --json",
            "model --chip tpu-7x --measured 1 --json",
            "model --pass decode --split tensor --json",
            "ask ?ask=chip%3Dtpu-v5e%26versus%3Dh100-sxm%26tokens%3D1e12&lengths=way%3Dmax&failures=chips%3D4 --json",
        ]
        .map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>()),
    );
    let mut of_training = 0;
    for words in commands {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Ok(now) = serde_json::from_str::<Json>(&text(&systolic(&words).stdout)) else { continue };
        let mut found = 0;
        assert_eq!(without_ends(&now, &mut found), Vec::<String>::new(), "{words:?}");
        of_training += found;
        for (measure, ends) in now["intervals"].as_object().into_iter().flatten().filter(|(_, ends)| ends.is_object()) {
            let (low, high) = (ends["low"].as_f64(), ends["high"].as_f64());
            assert!(low.zip(high).is_some_and(|(low, high)| low < high), "{words:?}: {measure} {ends}");
        }
    }
    assert!(of_training >= 20, "MFU, HFU, step, tokens and prices of four trainings: {of_training}");
    let mut broken = file("model.example.json");
    let mut figures = broken["figures"].as_array_mut().into_iter().flatten();
    figures.find(|figure| figure.get("range").is_some()).expect("an interval")["low"] = Json::Null;
    assert_eq!(without_ends(&broken, &mut 0).len(), 1);
}

#[test]
fn every_command_that_writes_json_has_a_form() {
    let whole = told(&systolic(&["help"]));
    let commands = whole.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = commands.filter_map(|line| line.split_whitespace().next());
    let has_json = |name: &&str| told(&systolic(&["help", name])).contains("--json\n");
    let mut named: Vec<&str> = names.filter(has_json).collect();
    named.sort_unstable();
    let mut forms = FORMS;
    forms.sort_unstable();
    assert_eq!(named, forms);
}

#[test]
fn a_name_that_is_gone_or_changed_is_noticed() {
    let (form, example) = (file("model.schema.json"), file("model.example.json"));
    let broken = |change: fn(&mut Json)| {
        let mut other = example.clone();
        change(&mut other);
        breaches(&other, &form, &form, "").len()
    };
    assert_eq!(broken(|_| ()), 0);
    assert_eq!(broken(|json| drop(json.as_object_mut().map(|map| map.remove("step_time_s")))), 1);
    assert_eq!(broken(|json| json["mfu_pct"] = "59.7 %".into()), 1);
    assert_eq!(broken(|json| json["figures"][0]["value"] = 59.7.into()), 1);
    assert_eq!(broken(|json| json["zebra"] = true.into()), 1);
    assert_eq!(broken(|json| json["schema"] = "systolic-model/9".into()), 1);
}
