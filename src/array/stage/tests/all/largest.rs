//! Tests that the array is as large as the view allows, and that a larger view never shrinks it.

use display::Picture;
use display::picture::{Mark, Outline};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use stage::{Detail, Frame, Scene};
use studio::{Link, Plan};
use systolic::{Cycle, Hold};

fn plan(query: &str) -> Plan {
    Plan::new(&Link::parse(query, "").scenario).expect("a run")
}

/// Runs, each with the smallest cell size in pixels that the design requires in four array views: 784×448, 870×496,
/// 944×628 and 1424×808 pixels. Windows of 1280×720, 1366×768, 1440×900 and 1920×1080 pixels have these views.
const RUNS: [(&str, [f32; 4]); 11] = [
    ("rows=1&cols=1&m=6&k=4&n=3&df=ws&dt=int8", [118.0; 4]),
    ("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8", [76.0, 90.0, 106.0, 118.0]),
    ("rows=4&cols=4&m=6&k=4&n=3&df=os&dt=int8", [68.0, 77.0, 104.0, 118.0]),
    ("rows=4&cols=4&m=6&k=4&n=3&df=is&dt=int8", [78.0, 90.0, 108.0, 118.0]),
    ("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=bf16", [75.0, 80.0, 95.0, 102.0]),
    ("rows=3&cols=7&m=6&k=4&n=7&df=is&dt=int8", [66.0, 75.0, 83.0, 102.0]),
    ("rows=8&cols=8&m=16&k=8&n=8&df=ws&dt=int8", [42.0, 48.0, 59.0, 83.0]),
    ("rows=8&cols=8&m=10&k=13&n=11&df=ws&dt=int8", [42.0, 48.0, 55.0, 83.0]),
    ("rows=16&cols=16&m=16&k=16&n=16&df=os&dt=int8", [18.0, 21.0, 21.0, 24.0]),
    ("rows=8&cols=8&m=65536&k=8&n=8&df=ws&dt=int8", [42.0, 48.0, 59.0, 83.0]),
    ("rows=256&cols=256&m=192&k=256&n=200&df=ws&dt=int8", [1.5, 1.5, 2.0, 2.0]),
];

#[test]
fn cells_are_as_large_as_the_design_demands() {
    let stages = [(784.0, 448.0), (870.0, 496.0), (944.0, 628.0), (1424.0, 808.0)];
    let mut found = Vec::new();
    for (query, least) in RUNS {
        let plan = plan(query);
        for ((width, height), least) in stages.into_iter().zip(least) {
            let scene = Scene::new(&plan, width, height);
            let is = scene.layout.cell;
            if is < least {
                found.push(format!("{query} {width}×{height}: {is}, not {least}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_view_that_grows_never_shrinks_the_array() {
    let config = Config { cases: 3000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[38; 32]);
    let plans: Vec<Plan> = RUNS
        .map(|(query, _)| query)
        .into_iter()
        .chain([
            "rows=32&cols=128&m=64&k=32&n=128&df=ws&dt=bf16&fill=uniform",
            "rows=1024&cols=1024&m=4096&k=1024&n=1024&df=os&dt=int8",
            "rows=5&cols=9&m=7&k=12&n=9&df=os&dt=bf16&drain=south",
            "rows=12&cols=3&m=9&k=700&n=8&df=ws&dt=f32&fill=uniform",
        ])
        .map(plan)
        .collect();
    let views = (0..plans.len(), 60f32..2400.0, 60f32..1400.0, 0f32..200.0, 0f32..200.0);
    TestRunner::new_with_rng(config, rng)
        .run(&views, |(nth, width, height, wider, taller)| {
            let cell = |width: f32, height: f32| Scene::new(&plans[nth], width, height).layout.cell;
            let (small, large) = (cell(width, height), cell(width + wider, height + taller));
            prop_assert!(large >= small, "{small} in {width}×{height}, {large} in {wider} and {taller} more");
            Ok(())
        })
        .expect("no view shrinks the array");
}

#[test]
fn all_skew_registers_of_eight_rows_and_columns_are_drawn() {
    for (query, width, height) in [
        ("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8", 360.0, 452.0),
        ("rows=8&cols=8&m=16&k=8&n=8&df=ws&dt=int8", 784.0, 448.0),
        ("rows=8&cols=8&m=16&k=8&n=8&df=os&dt=int8", 1424.0, 808.0),
        ("rows=8&cols=8&m=16&k=8&n=8&df=is&dt=int8", 360.0, 452.0),
    ] {
        let plan = plan(query);
        let scene = Scene::new(&plan, width, height);
        let (layout, array) = (scene.layout, scene.layout.array());
        let mut picture = Picture::default();
        stage::draw(&Frame::new(&plan, Cycle(12)), width, height, &mut picture);
        // Registers have a border with this radius. The matrices and the names next to the array have another radius,
        // or no border.
        let radius = if layout.detail >= Detail::Compact { 3 } else { 1 };
        let count = |is_there: &dyn Fn((f32, f32)) -> bool| {
            let registers = picture.marks.iter().filter(|mark| match mark {
                Mark::Shape { rect, outline, .. } => *outline == Outline::Box(radius) && is_there(rect.center()),
                _ => false,
            });
            registers.count()
        };
        let west = count(&|(x, y)| x < array.x && y > array.y && y < array.y + array.h);
        let north = count(&|(x, y)| y < array.y && x > array.x && x < array.x + array.w);
        let all = |lanes: u32| usize::try_from(lanes * (lanes - 1) / 2).expect("small");
        let is_skewed_north = plan.schedule().dataflow().hold() == Hold::Result;
        let expected = (all(layout.rows), if is_skewed_north { all(layout.cols) } else { 0 });
        assert_eq!((west, north), expected, "{query} {width}×{height} {:?}", layout.detail);
    }
}
