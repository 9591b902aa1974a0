//! Tests of `systolic check`, and of `docs/accuracy.md`, which contains its output.

use crate::common::{fed, systolic, text, told};

const ACCURACY: &str = include_str!("../../../../../docs/accuracy.md");

/// Returns the rows of a table without its header, cell by cell.
fn rows(arguments: &[&str]) -> Vec<Vec<String>> {
    let output = told(&systolic(arguments));
    output.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Returns the cells of the document's row that begins with this cell.
fn in_document(first: &str) -> Vec<&'static str> {
    let starts = format!("| {first} |");
    let row = ACCURACY.lines().find(|line| line.starts_with(&starts));
    row.unwrap_or_else(|| panic!("no row {first}")).split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

/// Groups, each with the first cell of its row in the document.
const GROUPS: [(&str, &str); 11] = [
    ("dense", "dense, with fused attention"),
    ("model-reports", "reports on models"),
    ("before-2023", "dense, without fused attention"),
    ("experts", "experts"),
    ("fp8", "fp8"),
    ("all", "all"),
    ("dense-usual-framework", "dense, with the default framework"),
    ("dense-without-largest", "dense, without the largest publication"),
    ("bound-by-arithmetic", "bound by arithmetic"),
    ("layout-chosen", "layout chosen by the estimate"),
    ("dense-regression-alone", "dense, regression without the answer"),
];

#[test]
fn the_document_states_what_the_check_prints() {
    let all = rows(&["check"]);
    assert_eq!(all.len(), GROUPS.len());
    for (row, (id, name)) in all.into_iter().zip(GROUPS) {
        assert_eq!(row[0], id);
        let cells: Vec<&str> = in_document(name).into_iter().skip(1).map(|cell| cell.trim_end_matches('%')).collect();
        assert_eq!(cells, row[1..], "{name}");
    }
}

#[test]
fn every_document_that_states_an_error_or_a_share_states_the_computed_one() {
    let error = in_document("dense, with fused attention")[3];
    let models = include_str!("../../../../../docs/models.md");
    let readme = include_str!("../../../../../README.md");
    for (text, words) in [
        (ACCURACY, format!("| regression of published runs, and communication | {error} points")),
        (models, format!("mean error of the answer is {error} percentage points")),
        (readme, format!("error for dense models is {error} percentage points (always 50%")),
    ] {
        assert!(text.contains(&words), "no {words}");
    }
    // The run is the link of docs/tpu-v1.md to a small array.
    let paper = include_str!("../../../../../docs/tpu-v1.md");
    let address = paper.lines().find(|line| line.starts_with("[small]: ")).expect("a link");
    let report = told(&systolic(&["report", address.split_once('?').expect("a query").1]));
    let stalled = report.lines().find(|line| line.starts_with("stalled")).expect("a class");
    let share = stalled.split_whitespace().nth(2).expect("percent");
    assert!(paper.contains(&format!("{share}% of the PE-cycles are stalls")), "{share}");
}

#[test]
fn the_prediction_of_dense_runs_beats_simple_methods_and_its_intervals_hold() {
    let all = rows(&["check"]);
    let number = |row: &[String], at: usize| row[at].parse::<f64>().expect("a number");
    for name in ["dense", "all", "dense-usual-framework", "dense-without-largest"] {
        let row = all.iter().find(|row| row[0] == name).expect("a row");
        // The first comparison counts each publication once. The second counts each run once.
        assert!((4..=6).all(|baseline| number(row, 3) < number(row, baseline)), "{row:?}");
        assert!((8..=10).all(|baseline| number(row, 7) < number(row, baseline)), "{row:?}");
        assert!((75.0..=85.0).contains(&number(row, 12)), "{row:?}");
    }
    let dense = &all[0];
    assert!(number(dense, 3) <= 5.65 && number(dense, 13) <= 22.5, "{dense:?}");
}

#[test]
fn every_run_is_listed_with_what_it_was_predicted_to_be() {
    let output = told(&systolic(&["check", "--by", "run"]));
    let mut reader = output.lines();
    assert_eq!(
        reader.next(),
        Some(
            "publication,model,chip,chips,class,bound_by,measured_mfu_pct,mfu_pct,low,high,mean_of_chip_pct,mean_of_nearest_pct"
        )
    );
    let mut n_inside = 0;
    for line in reader.clone() {
        let cells: Vec<f64> = line.rsplit(',').skip(2).take(4).map(|cell| cell.parse().expect("a number")).collect();
        let [high, low, predicted, measured] = cells[..] else { panic!("{line}") };
        assert!(0.0 < low && low < predicted && predicted <= high && high < 200.1, "{line}");
        n_inside += usize::from((low..=high).contains(&measured));
    }
    let all = rows(&["check"]).into_iter().find(|row| row[0] == "all").expect("a row");
    assert_eq!((reader.count().to_string(), n_inside.to_string()), (all[2].clone(), all[11].clone()));
    let publications = rows(&["check", "--by", "publication"]);
    assert_eq!(publications.len().to_string(), all[1]);
}

#[test]
fn serving_runs_are_predicted_better_than_by_the_shortest_time() {
    for (row, name) in rows(&["check", "--by", "serving"]).into_iter().zip(["prefill", "decode"]) {
        assert_eq!(row[0], name);
        let cells: Vec<&str> = in_document(name).into_iter().skip(1).map(|cell| cell.trim_end_matches('%')).collect();
        assert_eq!(cells[..7], row[1..8], "{name}");
        let number = |at: usize| row[at].parse::<f64>().expect("a number");
        assert!(number(4) < number(5) && number(7) >= 80.0, "{row:?}");
    }
}

#[test]
fn every_effect_is_listed_once() {
    let effects = rows(&["check", "--by", "effect"]);
    let of = |name: &str, of: &str| {
        let row = effects.iter().find(|row| row[0] == name && row[1] == of).unwrap_or_else(|| panic!("{name} {of}"));
        row[2].parse::<f64>().expect("a factor")
    };
    assert!((0.85..0.95).contains(&of("recomputation", "")), "measured runs lose 0 to 15 %");
    assert!(of("experts", "a doubling") < 1.0 && of("chips", "a doubling") < 1.0);
    assert!(of("chip", "a100-80") > of("chip", "h100-sxm"));
}

#[test]
fn an_unknown_grouping_is_refused() {
    let output = systolic(&["check", "--by", "moon"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("--by = moon: use one of class, publication, run, effect, serving"),
        "{}",
        text(&output.stderr)
    );
}

/// Returns the number in a value, such as `$110 183.46`, `59.7 %` or `1.2 × 10⁹`.
fn number(value: &str) -> f64 {
    let plain: String = value.trim_start_matches('$').replace('\u{202f}', "");
    let first = plain.split(' ').next().expect("a number");
    let first: f64 = first.parse().unwrap_or_else(|_| panic!("{value}"));
    let Some((_, raised)) = plain.split_once(" × 10") else { return first };
    let digits: String = raised
        .chars()
        .map_while(|c| match c {
            '\u{207b}' => Some('-'),
            c => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().zip('0'..='9').find(|(one, _)| *one == c).map(|(_, digit)| digit),
        })
        .collect();
    first * 10f64.powi(digits.parse().expect("a power"))
}

#[test]
fn in_json_a_figure_stands_between_its_low_and_its_high_in_its_own_unit() {
    for chip in ["tpu-v5e", "tpu-v4", "h100-sxm", "trainium2", "tpu-v3"] {
        for rest in [&["--chips", "64"][..], &["--tokens", "1e12"], &["--tokens", "3e6", "--dtype", "int8"]] {
            let output = told(&systolic(&[&["model", "--chip", chip, "--json"], rest].concat()));
            let answer: serde_json::Value = serde_json::from_str(&output).expect("JSON");
            let figures = [&answer["figures"], &answer["bill"]["figures"]];
            let figures = figures.into_iter().flat_map(|list| list.as_array().expect("a list"));
            let mut ids = Vec::new();
            for figure in figures.filter(|figure| figure.get("low").is_some()) {
                let id = figure["id"].as_str().expect("a name");
                let [low, high] = ["low", "high"].map(|end| figure[end].as_f64().expect("a number"));
                let value = number(figure["value"].as_str().expect("a text"));
                assert!(0.0 < low && low <= value * 1.01 && value <= high * 1.01 && low < high, "{chip}: {figure}");
                assert!(!id.ends_with("fu") || high <= 100.0 + 1e-9, "{chip}: {figure}");
                ids.push(id);
            }
            assert!(
                ["mfu", "hfu", "step-time", "tokens-per-second"].iter().all(|id| ids.contains(id)),
                "{chip} {ids:?}"
            );
            let mfu = &answer["intervals"]["mfu_pct"];
            assert_eq!(mfu["value"], answer["mfu_pct"]);
            for end in ["low", "high"] {
                let [one, other] = [&mfu[end], &answer["figures"][0][end]].map(|end| end.as_f64().expect("a number"));
                assert!((one / other - 1.0).abs() < 1e-12, "{chip}: {one} {other}");
            }
        }
    }
    let images = told(&systolic(&["model", "--model", "resnet50", "--pass", "prefill", "--json"]));
    assert!(!images.contains("\"low\":") && !images.contains("\"intervals\":"), "nothing measured, so no interval");
}

#[test]
fn a_time_has_its_bounds_where_products_of_its_kind_were_measured() {
    let arguments = ["time", "--chip", "tpu-v4", "--dtype", "f16", "--bounds"];
    let output = told(&fed(&arguments, "M,N,K\n512,512,512\n9000,2,2\n"));
    let rows: Vec<Vec<&str>> = output.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][3..], ["time_us", "mfu_pct", "bound", "eta_tile", "runs_as", "low_us", "high_us"]);
    let number = |cell: &str| cell.parse::<f64>().expect("a number");
    let [time, low, high] = [3, 8, 9].map(|at| number(rows[1][at]));
    assert!(low < time && time < high && (low * high / (time * time) - 1.0).abs() < 1e-4, "{output}");
    assert_eq!(rows[2][8..], ["", ""], "nobody measured a product like that");
}

#[test]
fn groups_of_shapes_are_left_out_where_a_fit_can_be_made_anew() {
    // The matmuls are in three groups by their largest side. Their times follow a rule of thumb.
    let table: String = [64u64, 96, 128]
        .iter()
        .flat_map(|side| {
            (1..=8).map(move |k| format!("{side},{},{},{}\n", 8 * k, 4 * k, 1.0 + 0.001 * (*side * k) as f64))
        })
        .collect();
    let table = format!("M,N,K,us\n{table}");
    let arguments = ["time", "--chip", "tpu-v4", "--dtype", "f16", "--against", "us", "--left-out"];
    let output = told(&fed(&arguments, &table));
    let rows: Vec<Vec<&str>> = output.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][7..], ["interval_log", "interval_factor", "inside_interval", "coverage_pct"]);
    assert_eq!((rows.len(), rows[1][0], rows[1][1]), (2, "all", "24"));
    for arguments in [
        &["time", "--chip", "tpu-v5e", "--dtype", "f16", "--against", "us", "--left-out"][..],
        &["time", "--chip", "tpu-v4", "--dtype", "f16", "--left-out"],
    ] {
        let output = fed(arguments, &table);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("--left-out works only with"), "{}", text(&output.stderr));
    }
}
