//! Reads exported numbers with other programs' readers, and compares them with the numbers of the run.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use export::registers::Table;
use export::{File, Job, Limits, View};
use studio::value_text::full;
use studio::{Link, Plan};
use systolic::Cycle;

/// Returns runs of every dataflow, with folds, padding, floats and double buffering.
const LINKS: [&str; 6] = [
    "",
    "df=os&rows=4&cols=4&m=6&k=5&n=7",
    "df=is&rows=3&cols=7&m=5&k=4&n=6",
    "rows=4&cols=4&m=3&k=9&n=7&overlap=double-buffered",
    "rows=2&cols=2&m=3&k=3&n=3&dt=bf16&fill=uniform&pad=zero",
    "rows=12&cols=12&m=8&k=8&n=8",
];

fn open(query: &str) -> (Plan, Link) {
    let link = Link::parse(query, "");
    (Plan::new(&link.scenario).expect("a run"), link)
}

fn at(link: &Link, cycle: u64) -> Link {
    Link { cycle: Cycle(cycle), ..link.clone() }
}

/// Returns the texts of a drawing with their positions.
fn texts(svg: &str) -> Vec<(f32, f32, String)> {
    let document = roxmltree::Document::parse(svg).expect("an XML document");
    let number = |node: &roxmltree::Node<'_, '_>, name| node.attribute(name).and_then(|text| text.parse().ok());
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts
        .map(|node| {
            let (x, y) = (number(&node, "x").expect("x"), number(&node, "y").expect("y"));
            (x, y, node.text().unwrap_or_default().to_owned())
        })
        .collect()
}

#[test]
fn every_sum_that_a_pe_has_stands_in_its_cell_of_the_drawing() {
    let (plan, link) = open("");
    let size = (900.0, 700.0);
    let mut n_sums = 0;
    for cycle in 0..plan.schedule().cycles().get() {
        let link = at(&link, cycle);
        let drawn = texts(&export::svg::document(&View { plan: &plan, link: &link, size }));
        let scene = stage::Frame::new(&plan, Cycle(cycle)).scene(size.0, size.1);
        for pe in plan.schedule().array().iter() {
            let Some(sum) = plan.prober().at(Cycle(cycle), pe).sum else { continue };
            let cell = scene.layout.cell_of(pe);
            let is_in =
                |x: f32, y: f32| (cell.x..cell.x + cell.w).contains(&x) && (cell.y..cell.y + cell.h).contains(&y);
            let stands = drawn.iter().any(|(x, y, text)| is_in(*x, *y) && *text == full(sum.value));
            assert!(stands, "cycle {cycle}, {pe:?}: {}", full(sum.value));
            n_sums += 1;
        }
    }
    assert_eq!(n_sums, 6 * 4 * 3, "one for each product of the matrices");
}

#[test]
fn the_latex_picture_has_the_texts_of_the_drawing_in_their_order() {
    for query in LINKS {
        let (plan, link) = open(query);
        let link = at(&link, 7);
        let view = View { plan: &plan, link: &link, size: (900.0, 700.0) };
        let tikz = export::tikz::picture(&view);
        let drawn: Vec<String> = texts(&export::svg::document(&view)).into_iter().map(|(_, _, text)| text).collect();
        let plain = |text: &str| {
            let signs =
                [("$-$", "−"), ("$\\times$", "×"), ("$\\cdot$", "·"), ("\\_", "_"), ("\\%", "%"), ("\\ldots{}", "…")];
            signs.iter().fold(text.to_owned(), |text, (latex, sign)| text.replace(latex, sign))
        };
        let nodes: Vec<String> = tikz
            .lines()
            .filter_map(|line| line.strip_prefix("\\node")?.split_once("\\selectfont")?.1.strip_suffix("};"))
            .map(|text| plain(text.strip_prefix("\\bfseries").unwrap_or(text).trim_start()))
            .collect();
        let is_plain =
            |text: &&String| !text.contains(['~', '$', '→', '↓', '←', '↑', '⇥', 'Σ', '≠', '∞', '\u{202f}', '\u{a0}']);
        assert_eq!(nodes.len(), drawn.len(), "{query}");
        for (node, text) in nodes.iter().zip(&drawn).filter(|(_, text)| is_plain(text)) {
            assert_eq!(node, text, "{query}");
        }
        let depth = tikz.chars().filter(|sign| *sign == '{').count() - tikz.matches("\\{").count();
        assert_eq!(depth, tikz.chars().filter(|sign| *sign == '}').count() - tikz.matches("\\}").count(), "{query}");
    }
}

#[test]
fn the_table_has_a_line_for_each_pe_and_cycle_and_its_json_says_the_same() {
    for query in LINKS {
        let (plan, _) = open(query);
        let table = Table::new(plan.schedule(), plan.prober());
        let (mut csv, mut json) = (Vec::new(), Vec::new());
        table.write_head(&mut csv).expect("memory");
        for cycle in (0..plan.schedule().cycles().get()).map(Cycle) {
            table.write_csv(cycle, &mut csv).expect("memory");
            table.write_json(cycle, &mut json).expect("memory");
        }
        let mut reader = csv::Reader::from_reader(&csv[..]);
        let heads = reader.headers().expect("heads").clone();
        let lines = core::str::from_utf8(&json).expect("text").lines();
        let mut n_lines = 0;
        for (record, line) in reader.records().zip(lines) {
            let (record, line) =
                (record.expect("a line"), serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
            for (head, text) in heads.iter().zip(&record) {
                let value = &line[head];
                let is_equal = match value {
                    serde_json::Value::Null => text.is_empty(),
                    // A register has at most the digits of an f32, and this reader may miss the last digit of an f64.
                    serde_json::Value::Number(_) => value.to_string().parse::<f32>().ok() == text.parse().ok(),
                    other => other.as_str().is_some_and(|other| other.eq_ignore_ascii_case(text)),
                };
                assert!(is_equal, "{query}: {head} is {text} and {value}");
                // A float is a float in both files, so that a program finds one type for a column.
                assert_eq!(value.is_f64(), text.contains('.'), "{query}: {head} is {text} and {value}");
                assert_eq!(value.is_string(), head == "phase", "{query}: {head} = {value}");
            }
            n_lines += 1;
        }
        assert_eq!(n_lines, plan.schedule().pe_cycles().get(), "{query}");
    }
}

#[test]
fn a_trace_of_many_pieces_counts_every_cycle_once() {
    let (plan, _) = open("rows=4&cols=4&m=2500&k=4&n=4");
    let trace: serde_json::Value = serde_json::from_str(&export::perfetto::trace(&plan)).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let counted: Vec<u64> =
        events.iter().filter(|event| event["ph"] == "C").filter_map(|event| event["ts"].as_u64()).collect();
    assert_eq!(counted, (0..plan.schedule().cycles().get()).collect::<Vec<_>>());
}

#[test]
fn the_trace_counts_each_product_of_the_matrices_once() {
    for query in LINKS {
        let (plan, _) = open(query);
        let trace: serde_json::Value = serde_json::from_str(&export::perfetto::trace(&plan)).expect("JSON");
        let events = trace["traceEvents"].as_array().expect("events");
        let useful: u64 = events.iter().filter_map(|event| event["args"]["useful"].as_u64()).sum();
        let scenario = plan.scenario();
        assert_eq!(useful, scenario.m * scenario.k * scenario.n, "{query}");
        let named = |start: &str| {
            let is_named =
                |event: &&serde_json::Value| event["name"].as_str().is_some_and(|name| name.starts_with(start));
            events.iter().filter(is_named).count() as u64
        };
        assert_eq!(named("fold "), plan.schedule().folds(), "{query}");
        // If two slices of a track overlapped, a viewer would draw one inside the other.
        let mut ends: BTreeMap<u64, u64> = BTreeMap::new();
        for event in events.iter().filter(|event| event["ph"] == "X") {
            let [track, from, length] = ["tid", "ts", "dur"].map(|name| event[name].as_u64().expect("a number"));
            let end = ends.entry(track).or_default();
            assert!(*end <= from, "{query}: {event}");
            *end = from + length;
        }
        assert!(ends.values().all(|end| *end <= plan.schedule().cycles().get()), "{query}");
    }
}

#[test]
fn the_zip_has_a_drawing_for_each_cycle_by_its_number() {
    let (plan, link) = open("");
    let shared = std::sync::Arc::new(plan.clone());
    let mut frames = Job::new(File::Frames, shared, link, (400.0, 300.0), Limits::TAB).expect("a job");
    let mut bytes = Vec::new();
    while !frames.step(&mut bytes).expect("memory takes it").is_done() {}
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("a ZIP");
    assert_eq!(archive.len() as u64, plan.schedule().cycles().get());
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).expect("a file");
        assert_eq!(file.name().expect("a name"), format!("cycle-{index:02}.svg"));
        let mut svg = String::new();
        file.read_to_string(&mut svg).expect("text");
        let document = roxmltree::Document::parse(&svg).expect("XML");
        let title = document.descendants().find(|node| node.has_tag_name("title")).and_then(|node| node.text());
        assert!(title.is_some_and(|title| title.starts_with(&format!("Cycle {index} "))), "{title:?}");
    }
}

#[test]
fn a_reader_of_codes_reads_the_link() {
    for text in ["https://example.org/?rows=8&cols=8&df=os&t=12", &"x".repeat(200), "é × −"] {
        let code = export::qr::code(text).expect("it fits");
        let mut dark = std::collections::HashSet::new();
        for run in code.path.split('M').skip(1) {
            let (place, rest) = run.split_once('h').expect("a run");
            let (x, y) = place.split_once(' ').expect("a place");
            let length: i32 = rest.split_once('v').expect("a length").0.parse().expect("a number");
            let (x, y): (i32, i32) = (x.parse().expect("x"), y.parse().expect("y"));
            dark.extend((x..x + length).map(|x| (x, y)));
        }
        let scale = 6;
        let side = usize::try_from(code.side).expect("small") * scale;
        let module = |pixel: usize| i32::try_from(pixel / scale).expect("small");
        let is_dark = |x: usize, y: usize| dark.contains(&(module(x), module(y)));
        let mut image =
            rqrr::PreparedImage::prepare_from_greyscale(side, side, |x, y| if is_dark(x, y) { 0 } else { 255 });
        let grids = image.detect_grids();
        let (_, read) = grids.first().expect("a code").decode().expect("readable");
        assert_eq!(read, text);
    }
}
