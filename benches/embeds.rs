//! Cost of twenty arrays on a page: share of a processor core and memory of the whole browser.
//!
//! Four cases: no array on the page, all arrays far below, the first arrays visible, and no array visible again.
//!
//! Run after `cargo xtask build` with `cargo bench -p benches --features browser --bench embeds`, on Linux.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::collections::BTreeMap;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use whole::browser::{Page, ServerOptions, Setting, serve};

/// Duration of one measurement.
const COUNTED: Duration = Duration::from_secs(10);
/// Waiting time before each measurement, until all frames are loaded or idle.
const SETTLED: Duration = Duration::from_secs(6);

/// Returns processor time, in ticks of 10 ms, and memory in KiB of all processes that this process has started. Memory
/// is the proportional set size (PSS), which divides shared pages among their processes.
fn of_the_browser() -> (u64, u64) {
    let mut parents: BTreeMap<u32, (u32, u64)> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Ok(id) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name of a program may have spaces. The fields behind its bracket start with state and parent. Fields 11
        // and 12, counted from 0, are the times.
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<u64> = rest.split_whitespace().map(|field| field.parse().unwrap_or(0)).collect();
        let (Some(parent), Some(user), Some(system)) = (fields.get(1), fields.get(11), fields.get(12)) else {
            continue;
        };
        parents.insert(id, (u32::try_from(*parent).unwrap_or(0), user + system));
    }
    let is_ours = |mut id: u32| {
        while let Some((parent, _)) = parents.get(&id) {
            if *parent == std::process::id() {
                return true;
            }
            id = *parent;
        }
        false
    };
    let memory = |id: u32| -> u64 {
        let rollup = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).unwrap_or_default();
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
    };
    let ours = parents.iter().filter(|(id, _)| is_ours(**id));
    ours.fold((0, 0), |(time, kib), (id, (_, spent))| (time + spent, kib + memory(*id)))
}

fn main() {
    let playground = serve(ServerOptions::default());
    let one = |nth: u32| {
        format!(
            "<systolic-playground id=a{nth} rows=8 cols=8 m=32 k=8 n=8 df=ws dt=int8 t=7 style='width:800px'></systolic-playground>"
        )
    };
    let twenty: String = (0..20).map(one).collect();
    let html = |arrays: &str| {
        format!(
            "<!doctype html><html lang=en><title>A course</title><link rel=icon href='data:,'>\
             <script type=module src='{}systolic-playground.mjs'></script><div style='height:4000px'></div>{arrays}\
             <div style='height:4000px'></div></html>",
            playground.url()
        )
    };
    let pages = BTreeMap::from([("/none.html".to_owned(), html("")), ("/twenty.html".to_owned(), html(&twenty))]);
    let server = ServerOptions { pages, ..ServerOptions::default() };
    let page = Page::new(Setting { window: (1200, 900), server, ..Setting::default() });
    let count = |name: &str| {
        sleep(SETTLED);
        let alive = page.js(
            "return [...document.querySelectorAll('systolic-playground')].filter((one) => one.shadowRoot.querySelector('iframe')).length",
        );
        let (begun, (before, _)) = (Instant::now(), of_the_browser());
        sleep(COUNTED);
        let (after, kib) = of_the_browser();
        let share = (after - before) as f64 / 100.0 / begun.elapsed().as_secs_f64();
        println!("{name:<40} {alive:>2} alive  {:>6.2} % of a core  {:>5} MiB", 100.0 * share, kib / 1024);
    };
    let open = |path: &str| page.visit(&format!("{}{path}", page.server().origin()));
    open("/none.html");
    count("a page without an array");
    open("/twenty.html");
    count("twenty, all far below");
    page.js("document.querySelector('#a0').scrollIntoView()");
    count("twenty, the first in sight, none plays");
    page.js("scrollTo(0, 0)");
    count("twenty, none in sight again");
}
