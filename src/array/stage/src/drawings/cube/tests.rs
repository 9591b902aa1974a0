//! Compares the cube with the register machine, whose operands show which cell each PE multiplies.

use super::body::{Cube, Grain, Progress, State, Turn, is_inside, line_progress};
use super::*;
use std::collections::{BTreeMap, BTreeSet};
use studio::{Drawing, Link};
use systolic::{Dtype, MacUnit, Mkn, Operand, Registers, Run, Value};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn plan(query: &str) -> Plan {
    Plan::new(&Link::parse(query, "").scenario).expect("a run")
}

/// Returns runs of up to 600 cells in all dataflows, with folds, padding, overlap and slow rows.
fn runs(n: u64) -> Vec<Plan> {
    let mut state = 11_u64;
    let mut below = move |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let query = |_| {
        let (rows, cols, m, k, n) = (1 + below(5), 1 + below(5), 1 + below(8), 1 + below(8), 1 + below(8));
        let df = ["ws", "os", "is"].into_iter().nth(usize::try_from(below(3)).expect("small")).expect("one of three");
        let overlap = if below(2) == 0 { "none" } else { "double-buffered" };
        let pad = if below(3) == 0 { "&pad=zero" } else { "" };
        format!("rows={rows}&cols={cols}&m={m}&k={k}&n={n}&df={df}&overlap={overlap}&dt=f32{pad}")
    };
    (0..n).map(query).map(|query| plan(&query)).collect()
}

/// Fills A with 1, 2, 3 … and B with 1001, 1002, 1003 …, so that a value identifies its element.
fn named(schedule: &Schedule) -> Run {
    let gemm = schedule.gemm();
    let list = |from: u64, n: u64| (from..from + n).map(|value| f64::from(px(value))).collect::<Vec<_>>();
    let (a, b) = (list(1, gemm.m() * gemm.k()), list(1001, gemm.k() * gemm.n()));
    Run::listed(*schedule, &a, &b, MacUnit::new(Dtype::F32)).expect("the sizes of the run")
}

/// Returns the cell that a PE multiplies, from the two numbers in its registers.
fn cell_of(registers: &Registers, schedule: &Schedule) -> Option<Mkn> {
    let number = |value: Option<Value>| match value {
        Some(Value::Float(float)) if float > 0.0 => Some(format!("{float}").parse::<u64>().expect("whole")),
        _ => None,
    };
    let (one, other) = match schedule.dataflow() {
        Dataflow::OutputStationary => (registers.east, registers.south),
        _ => (registers.held, registers.east),
    };
    let (one, other) = (number(one)?, number(other)?);
    let (a, b) = (one.min(other) - 1, one.max(other) - 1001);
    let gemm = schedule.gemm();
    let (m, k, row, n) = (a / gemm.k(), a % gemm.k(), b / gemm.n(), b % gemm.n());
    assert_eq!(k, row, "an a meets a b with its own k");
    Some(Mkn { m, k, n })
}

/// Compares a picture of the cells at each cycle with the machine. `late` is the number of cycles by which the picture
/// is late.
fn disagreement(plan: &Plan, late: u64, is_swapped: bool) -> Option<String> {
    let schedule = plan.schedule();
    let run = named(schedule);
    let mut machine = run.machine();
    let mut done: BTreeMap<(u64, u64, u64), Cycle> = BTreeMap::new();
    for cycle in (0..schedule.cycles().get()).map(Cycle) {
        machine.tick();
        let mut stepped = BTreeSet::new();
        for pe in schedule.array().iter() {
            if let Some(mkn) = cell_of(&machine.registers(pe), schedule) {
                stepped.insert(((pe.row, pe.col), (mkn.m, mkn.k, mkn.n)));
            }
        }
        let cube = Cube::new(schedule, Cycle(cycle.get().saturating_sub(late)), Turn::default());
        let mut drawn = BTreeSet::new();
        for face in cube.faces(true) {
            let (fold, pe, nth) = face.cell.expect("a cell");
            if face.state == State::Now && face.is_real {
                let mkn = schedule.mkn(&fold, pe, nth).expect("a cell of the fold");
                let place = if is_swapped { (mkn.n, mkn.k, mkn.m) } else { (mkn.m, mkn.k, mkn.n) };
                drawn.insert(((pe.row, pe.col), place));
            }
        }
        if drawn != stepped {
            return Some(format!("cycle {cycle:?}: drawn {drawn:?}, multiplied {stepped:?}"));
        }
        let now = stepped.len() as u64;
        let counted = words::counts(schedule, Cycle(cycle.get().saturating_sub(late)));
        let all = schedule.gemm().macs().get();
        if counted != [done.len() as u64, now, all - now - done.len() as u64] {
            return Some(format!(
                "cycle {cycle:?}: counts {counted:?}, multiplied before {} and now {now}",
                done.len()
            ));
        }
        done.extend(stepped.into_iter().map(|(_, cell)| (cell, cycle)));
    }
    (done.len() as u64 != schedule.gemm().macs().get()).then(|| "cells are missing".to_owned())
}

#[test]
fn every_cell_is_drawn_in_the_pe_and_the_cycle_of_the_register_machine() {
    for plan in runs(300) {
        let what = || Link { scenario: plan.scenario().clone(), ..Link::default() }.to_parts().0;
        assert_eq!(disagreement(&plan, 0, false), None, "{}", what());
    }
}

#[test]
fn a_cell_one_cycle_late_and_swapped_axes_are_noticed() {
    let first = plan("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=f32");
    assert!(disagreement(&first, 1, false).is_some());
    assert!(disagreement(&first, 0, true).is_some());
    assert_eq!(disagreement(&first, 0, false), None);
}

#[test]
fn the_plane_of_the_words_holds_the_cells_of_the_cycle_and_no_others() {
    for plan in runs(120) {
        let schedule = plan.schedule();
        for cycle in (0..schedule.cycles().get()).map(Cycle) {
            let said = words::wave(schedule, cycle).expect("no slow edge");
            let cells = schedule.array().iter().filter_map(|pe| schedule.mac(cycle, pe));
            let cells: Vec<Mkn> = cells.filter(|mkn| schedule.is_real(*mkn)).collect();
            assert_eq!(cells.is_empty(), said.starts_with("No product"), "{said}");
            // The index sum of each cell, counted within its fold, is a number that the sentence names.
            for mkn in cells {
                let fold = schedule.place_of(mkn).0;
                let sum = mkn.m + mkn.k + mkn.n - fold.row_origin - fold.col_origin;
                assert!(
                    said.contains(&format!("= {sum}.")) || said.contains(&format!("= {sum} and")),
                    "{said} {mkn:?}"
                );
            }
        }
    }
}

#[test]
fn without_turning_no_cell_of_a_cycle_hides_another() {
    for plan in runs(100) {
        let schedule = plan.schedule();
        for cycle in (0..schedule.cycles().get()).map(Cycle) {
            let cube = Cube::new(schedule, cycle, Turn::default()).placed(30.0, (0.0, 0.0));
            let faces = cube.faces(true);
            let now = |at: usize| faces[at].state == State::Now;
            for at in (0..faces.len()).filter(|&at| now(at)) {
                let n = px(faces[at].points.len() as u64);
                let middle = faces[at].points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / n, sum.1 + p.1 / n));
                let over = (at + 1..faces.len()).filter(|&over| is_inside(&faces[over].points, middle));
                // A fold can hide another fold behind it, because folds are apart and each has its own wave.
                let fold = |at: usize| faces[at].cell.map(|(fold, ..)| fold.index);
                assert_eq!(over.filter(|&over| fold(over) == fold(at)).count(), 0, "{cycle:?}");
            }
        }
    }
}

#[test]
fn a_press_on_a_cell_finds_its_pe_and_its_cycle() {
    let plan = plan("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8");
    let schedule = plan.schedule();
    let frame = Frame::new(&plan, Cycle(7));
    let rooms = Rooms::new(870.0, 496.0, false);
    let placed = Placed::new(schedule, frame.cycle, frame.zoom.turn, &rooms.cube, labels(rooms.cube.w));
    let mut found = BTreeSet::new();
    for face in placed.cube.faces(true) {
        let (fold, pe, nth) = face.cell.expect("a cell");
        let n = px(face.points.len() as u64);
        let middle = face.points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / n, sum.1 + p.1 / n));
        let cycle = schedule.term(schedule.mkn(&fold, pe, nth).expect("a cell")).cycle;
        if hit(&frame, (870.0, 496.0), middle) == Some((pe, Some(cycle))) {
            found.insert((pe.row, pe.col, cycle.get()));
        }
    }
    // The found cells include the nine cells of the plane m + k + n = 3.
    assert_eq!(found.iter().filter(|(.., cycle)| *cycle == 7).count(), 9, "{found:?}");
    // A press on the array next to the cube finds the PE only.
    let at = rooms.array.map(|room| {
        let cell = frame.scene(room.w, room.h).layout.cell_of(PeId::new(2, 1)).center();
        (room.x + cell.0, room.y + cell.1)
    });
    assert_eq!(hit(&frame, (870.0, 496.0), at.expect("next to the cube")), Some((PeId::new(2, 1), None)));
}

/// Returns the area of a polygon.
fn area_of(points: &[Point]) -> f32 {
    let next = points.iter().cycle().skip(1);
    (points.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f32>() / 2.0).abs()
}

#[test]
fn lines_and_blocks_show_as_much_as_cells() {
    // This run with 1,000 cells is drawn as lines. In each tested cycle, the drawn cells of the wave are those of the
    // schedule.
    let lines = plan("rows=4&cols=4&m=10&k=10&n=10&df=os&dt=int8");
    let schedule = lines.schedule();
    for cycle in (0..schedule.cycles().get()).step_by(7).map(Cycle) {
        let cube = Cube::new(schedule, cycle, Turn::default());
        assert_eq!(cube.grain, Grain::Lines);
        let now = |each_cell: bool| -> BTreeSet<_> {
            let faces = cube.faces(each_cell).into_iter().filter(|face| face.state == State::Now);
            faces.filter_map(|face| face.cell.map(|(fold, pe, nth)| (fold.index, pe.row, pe.col, nth))).collect()
        };
        let macs = schedule.array().iter().filter(|pe| schedule.mac(cycle, *pe).is_some()).count();
        assert_eq!((now(true).len(), now(false)), (macs, now(true)), "{cycle:?}");
        // Folds that have not begun are blocks. A face of a block is as large as the faces of its cells together.
        let area = |each_cell: bool| cube.faces(each_cell).iter().map(|face| area_of(&face.points)).sum::<f32>();
        assert!((area(true) - area(false)).abs() < 0.01 * area(true).max(1.0), "{cycle:?}");
    }
    // One block is cut along the wave. Before the wave begins, the whole block is left, with three visible faces. After
    // the wave, nothing is left.
    let block = plan("rows=64&cols=64&m=64&k=64&n=64&df=ws&dt=int8");
    let faces = |cycle: u64| Cube::new(block.schedule(), Cycle(cycle), Turn::default()).faces(true);
    assert_eq!(faces(0).len(), 3);
    assert!(faces(120).iter().any(|face| face.side == Side::Cut && face.points.len() >= 3));
    assert_eq!(faces(block.last().get()).iter().filter(|face| face.state == State::ToCome).count(), 0);
}

#[test]
fn a_line_with_a_slow_edge_has_the_cells_that_its_terms_have() {
    let slow = plan("rows=2&cols=2&m=9&k=2&n=2&df=ws&dt=f32");
    let schedule = slow.schedule();
    let ports =
        systolic::Ports { west: Some(systolic::Rate::new(2, 3).expect("a rate")), ..systolic::Ports::default() };
    let schedule = schedule.with(systolic::Design { ports, ..schedule.design() }).expect("a run");
    assert!(schedule.slow_edge().is_some());
    let fold = schedule.fold(0);
    for cycle in (0..schedule.cycles().get()).map(Cycle) {
        for pe in schedule.array().iter() {
            let cycles = (0..9).map(|nth| schedule.term(schedule.mkn(&fold, pe, nth).expect("a cell")).cycle);
            let cycles: Vec<Cycle> = cycles.collect();
            let expected = Progress {
                done: cycles.iter().filter(|at| **at < cycle).count() as u64,
                now: cycles.iter().zip(0..).find(|(at, _)| **at == cycle).map(|(_, nth)| nth),
            };
            assert_eq!(line_progress(&schedule, &fold, pe, cycle), expected, "{cycle:?} {pe:?}");
        }
    }
}

#[test]
fn drawings_of_all_sizes_stay_inside_the_view_with_few_marks() {
    for query in [
        "rows=4&cols=4&m=6&k=4&n=3&df=ws",
        "rows=4&cols=4&m=6&k=4&n=3&df=is&overlap=double-buffered",
        "rows=8&cols=8&m=16&k=8&n=4&df=os",
        "rows=1&cols=1&m=1&k=1&n=1",
        "rows=8&cols=8&m=40&k=40&n=40&df=is",
        "rows=1&cols=1&m=40&k=40&n=40",
        "rows=128&cols=128&m=1024&k=1024&n=1024",
        "rows=4&cols=4&m=1024&k=1024&n=1024&df=os",
        "rows=4&cols=4&m=65536&k=1&n=3",
        "rows=256&cols=256&m=6&k=4&n=3",
    ] {
        let plan = plan(query);
        for share in [0, 1, 2, 3, 4] {
            let cycle = Cycle(plan.last().get() / 4 * share);
            for (width, height) in [(870.0, 496.0), (390.0, 346.0), (390.0, 700.0), (1280.0, 640.0), (200.0, 120.0)] {
                for (left, up) in [(0.0, 0.0), (40.0, -40.0)] {
                    for drawing in [Drawing::Cube, Drawing::Cubes] {
                        let draw = crate::drawings::instead(drawing).expect("a drawing");
                        let mut picture = Picture::default();
                        picture.clear(width, height);
                        let zoom = Zoom { turn: Turn::default().by(left, up), ..Zoom::default() };
                        let frame = Frame { zoom, ..Frame::new(&plan, cycle) };
                        draw(&frame, width, height, &mut picture);
                        assert!(picture.marks.len() < 40_000, "{query}: {}", picture.marks.len());
                        for mark in &picture.marks {
                            if let Mark::Area { points, .. } = mark {
                                for (x, y) in points {
                                    let is_in = (-2.0..=width + 2.0).contains(x) && (-2.0..=height + 2.0).contains(y);
                                    assert!(is_in, "{query} {drawing:?} {width}×{height}: {x} {y}");
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn no_text_of_three_cubes_overlaps_another() {
    let runs =
        ["rows=4&cols=4&m=4&k=4&n=4&df=os", "rows=4&cols=4&m=4&k=4&n=24&df=is", "rows=3&cols=6&m=3&k=6&n=3&df=is"];
    for (query, (width, height)) in runs
        .into_iter()
        .flat_map(|query| [(903.0, 520.0), (903.0, 440.0), (700.0, 480.0), (1280.0, 700.0)].map(|size| (query, size)))
    {
        let plan = plan(query);
        for cycle in (0..=plan.last().get()).map(Cycle) {
            let mut picture = Picture::default();
            draw_three(&Frame::new(&plan, cycle), width, height, &mut picture);
            let texts = picture.marks.iter().filter_map(|mark| match mark {
                Mark::Text { at: (x, y), text, size, anchor, .. } => {
                    let (wide, high) = (text_width(text, *size), 0.7 * size);
                    let left = match anchor {
                        Anchor::Start => *x,
                        Anchor::Middle => x - wide / 2.0,
                        Anchor::End => x - wide,
                    };
                    Some((text.as_str(), Rect::new(left, y - high / 2.0, wide, high)))
                }
                _ => None,
            });
            let texts: Vec<_> = texts.collect();
            assert!(texts.len() > 20, "{}", texts.len());
            for (nth, (text, one)) in texts.iter().enumerate() {
                for (other, two) in &texts[nth + 1..] {
                    let across = (one.x + one.w).min(two.x + two.w) - one.x.max(two.x);
                    let down = (one.y + one.h).min(two.y + two.h) - one.y.max(two.y);
                    assert!(across.min(down) <= 1.0, "{query} {width}×{height} {cycle:?}: `{text}` and `{other}`");
                }
            }
        }
    }
}

#[test]
fn a_card_that_asks_sees_no_count() {
    let plan = plan("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8");
    let frame = Frame::new(&plan, Cycle(7));
    let texts = |asks: bool| {
        let frame = Frame { filter: frame.filter.with_verdicts(!asks), ..frame };
        let mut picture = Picture::default();
        picture.clear(870.0, 496.0);
        draw(&frame, 870.0, 496.0, &mut picture);
        picture.texts().filter(|text| text.contains("each") || text.contains("done") || text.contains("plane")).count()
    };
    assert_eq!((texts(true), texts(false)), (0, 5));
}

#[test]
fn the_matrix_that_stays_has_no_index_along_the_axis_that_collapses() {
    for dataflow in Dataflow::ALL {
        let (stays, collapsed) = (dataflow.stationary(), dataflow.mapping().time);
        assert_eq!(words::without(collapsed), stays);
        let letter = if stays == Operand::C { "sum" } else { ink_letter(stays) };
        assert!(words::stays(dataflow).contains(&format!("no index {}", words::axis(collapsed))), "{dataflow:?}");
        assert!(words::stays(dataflow).contains(letter), "{dataflow:?}");
    }
}

const fn ink_letter(operand: Operand) -> &'static str {
    if matches!(operand, Operand::A) { "A has" } else { "B has" }
}

#[test]
fn two_runs_have_prices_only_if_their_chips_differ() {
    let (before, now) = (plan("m=24&k=4&n=4&df=is"), plan("m=24&k=4&n=4&df=ws"));
    let other_chip = plan("m=24&k=4&n=4&df=ws&chip=tpu-v6e");
    assert_ne!(other_chip.chip().id, now.chip().id);
    let texts = |before: Option<&Plan>| {
        let mut picture = Picture::default();
        draw_three(&Frame { before, ..Frame::new(&now, Cycle(0)) }, 900.0, 560.0, &mut picture);
        picture.texts().map(str::to_owned).collect::<Vec<_>>()
    };
    // The first run loads for 4 cycles; then 24 rows take 6 steps to the far corner. The other runs have 6 folds of 4 +
    // 6 cycles and 6 folds of 4 + 4 + 6 cycles.
    for (texts, has_price) in [(texts(Some(&before)), false), (texts(Some(&other_chip)), true), (texts(None), true)] {
        assert!(["34", "60", "84"].iter().all(|cycles| texts.iter().any(|text| text == cycles)), "{texts:?}");
        assert_eq!(texts.iter().any(|text| text == "MFU"), has_price, "{texts:?}");
    }
}

#[test]
fn the_timelines_of_three_dataflows_show_the_cycles_that_load() {
    let mut picture = Picture::default();
    draw_three(&Frame::new(&plan("m=24&k=4&n=4&df=is"), Cycle(0)), 900.0, 560.0, &mut picture);
    let place = Three::new(900.0, 560.0, true).timelines.expect("large enough");
    let is_load = |mark: &&Mark| matches!(mark, Mark::Shape { fill: Tone::Load, .. });
    let mut per_row = BTreeMap::new();
    for mark in picture.marks.iter().filter(is_load) {
        let Mark::Shape { rect, .. } = mark else { unreachable!("a shape") };
        *per_row.entry(rect.y.to_bits()).or_insert(0) += 1;
        // Loading takes 4 of the 84 cycles of the longest run.
        assert!((rect.w / track_in(&place).w - 4.0 / 84.0).abs() < 1e-4, "{rect:?}");
    }
    // B loads once, and A before each of its 6 folds. Sums do not load.
    assert_eq!(per_row.into_values().collect::<Vec<_>>(), [1, 6]);
}
