//! Tests of pictures of custom dataflows: no text overlaps another, and the numbers are those of the run.

use display::picture::{Dash, Mark, Outline, Rect, Token};
use display::{Picture, Tone};
use stage::Frame;
use stage::drawings::of_tools;
use stage::flow::{draw, draw_timeline};
use studio::{Built, Link, Plan, Tools};
use systolic::Cycle;
use systolic::flow::{Flow, FlowRun, Meeting, Move};
use systolic::{Dtype, Fill, Gemm, Operand, Operands};
use words::flow::number;

use crate::room::crowded;

const SIZES: [(f32, f32); 6] =
    [(360.0, 420.0), (420.0, 360.0), (480.0, 480.0), (640.0, 480.0), (814.0, 496.0), (1100.0, 600.0)];

fn run(flow: Flow, [m, k, n]: [u64; 3]) -> FlowRun {
    let gemm = Gemm::new(m, k, n).expect("small");
    let operands = Operands::filled(gemm, Fill::Small { seed: 7 }, Dtype::Int8);
    FlowRun::new(flow, gemm, &operands).expect("small")
}

/// Returns every combination of moves, each with right and wrong delays.
fn flows() -> impl Iterator<Item = Flow> {
    let moves = Move::ALL.into_iter().flat_map(|a| Move::ALL.into_iter().map(move |b| (a, b)));
    let moves = moves.flat_map(|(a, b)| Move::ALL.into_iter().map(move |sums| (a, b, sums)));
    moves.flat_map(|(a, b, sums)| {
        [(1, 1), (0, 0), (2, 1)].map(|(row_delay, col_delay)| Flow { a, b, sums, row_delay, col_delay })
    })
}

fn drawn(run: &FlowRun, cycle: u64, (width, height): (f32, f32)) -> Picture {
    let mut picture = Picture::default();
    draw(run, cycle, width, height, &mut picture);
    picture
}

fn sizes_of_texts(picture: &Picture) -> impl Iterator<Item = f32> {
    picture.marks.iter().filter_map(|mark| if let Mark::Text { size, .. } = mark { Some(*size) } else { None })
}

#[test]
fn every_text_has_its_room_in_arrays_up_to_4_by_7() {
    let mut found = Vec::new();
    let mut n_texts = 0;
    for flow in flows() {
        let run = run(flow, [4, 4, 4]);
        let (rows, cols) = (run.array().rows(), run.array().cols());
        if rows * cols > 28 {
            continue;
        }
        for cycle in [0, 1, run.n_cycles() / 2, run.n_cycles() - 1] {
            for size in SIZES {
                let picture = drawn(&run, cycle.min(run.n_cycles() - 1), size);
                n_texts += picture.texts().count();
                found.extend(crowded(&picture).first().map(|first| format!("{flow} {size:?} t={cycle}: {first}")));
                assert!(sizes_of_texts(&picture).all(|size| size >= 11.0), "{flow} {size:?}");
            }
        }
    }
    assert!(n_texts > 50_000, "{n_texts}");
    assert!(found.is_empty(), "{} pictures, {}", found.len(), found[..found.len().min(20)].join("\n"));
}

/// Returns the cells of the PEs, row by row.
fn cells(picture: &Picture) -> Vec<(Rect, Meeting)> {
    let cell = |mark: &Mark| {
        let Mark::Shape { rect, outline: Outline::Box(_), fill, stroke } = mark else { return None };
        let meeting = match (fill, stroke.tone, stroke.dash) {
            (Tone::Active, Tone::Ink, Dash::Solid) => Meeting::Right,
            (Tone::Ground, Tone::Wrong, Dash::Solid) if stroke.width == 2.0 => Meeting::Wrong,
            (Tone::Ground, Tone::Quiet, Dash::Dashed) => Meeting::Alone,
            (Tone::Ground, Tone::Faint, Dash::Dotted) => Meeting::Idle,
            _ => return None,
        };
        Some((*rect, meeting))
    };
    picture.marks.iter().filter_map(cell).collect()
}

fn text_of(picture: &Picture, token: &Token) -> String {
    let texts = picture.marks[token.marks.clone()].iter().filter_map(|mark| match mark {
        Mark::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

const OPERANDS: [Operand; 3] = [Operand::A, Operand::B, Operand::C];

#[test]
fn each_pe_has_the_elements_and_the_frame_of_the_run() {
    let (mut n_pes, mut n_waiting) = (0, 0);
    for flow in flows() {
        let run = run(flow, [4, 3, 2]);
        for (cycle, size) in (0..run.n_cycles()).map(|cycle| (cycle, SIZES[usize::try_from(cycle % 6).expect("small")]))
        {
            let picture = drawn(&run, cycle, size);
            let cells = cells(&picture);
            assert_eq!(cells.len(), run.pes(cycle).count(), "{flow} {cycle}");
            for ((rect, meeting), (pe, state)) in cells.iter().zip(run.pes(cycle)) {
                assert_eq!(*meeting, state.meeting, "{flow} {cycle} {pe:?}");
                let here = picture.tokens.iter().filter(|token| holds(rect, token));
                let shown = here.map(|token| (token.id.kind, token.id.row, token.id.col, text_of(&picture, token)));
                let of_run = OPERANDS.into_iter().filter_map(|operand| state.token(operand));
                let of_run = of_run.map(|it| (it.label.operand as u8, it.label.row, it.label.col, number(it.value)));
                assert_eq!(shown.collect::<Vec<_>>(), of_run.collect::<Vec<_>>(), "{flow} {cycle} {pe:?}");
                n_pes += 1;
            }
            for token in picture.tokens.iter().filter(|token| !cells.iter().any(|(rect, _)| holds(rect, token))) {
                let mut waiting =
                    (0..8).flat_map(|line| run.waiting(OPERANDS[usize::from(token.id.kind)], line, cycle));
                let place = (token.id.row, token.id.col);
                assert!(waiting.any(|it| (it.token.label.row, it.token.label.col) == place), "{flow} {cycle}");
                n_waiting += 1;
            }
        }
    }
    assert!(n_pes > 20_000 && n_waiting > 5_000, "{n_pes} {n_waiting}");
}

fn holds(rect: &Rect, token: &Token) -> bool {
    let (x, y) = token.rect.center();
    x > rect.x && x < rect.x + rect.w && y > rect.y && y < rect.y + rect.h
}

#[test]
fn rows_and_columns_have_names_that_a_mirror_image_counts_from_the_other_edge() {
    let names = |text: &str, size| {
        let picture = drawn(&run(text.parse().expect("a flow"), [4, 4, 4]), 1, size);
        let all = picture.texts().filter(|text| text.starts_with("row ") || text.starts_with("col "));
        all.filter(|text| !text.contains("waits")).collect::<Vec<_>>().join(" ")
    };
    let (rows, cols) = ("row 0 row 1 row 2 row 3", "col 0 col 1 col 2 col 3");
    let (from_south, from_east) = ("row 3 row 2 row 1 row 0", "col 3 col 2 col 1 col 0");
    for size in SIZES {
        assert_eq!(names("east,stays,south,1,1", size), format!("{rows} {cols}"));
        assert_eq!(names("east,stays,north,1,1", size), format!("{from_south} {cols}"));
        assert_eq!(names("west,stays,south,0,1", size), format!("{rows} {from_east}"));
        assert_eq!(names("north,west,stays,1,1", size), format!("{from_south} {from_east}"));
        assert!(names("east,south,west,1,1", size).starts_with(rows), "{size:?}");
    }
}

#[test]
fn finished_sums_leave_at_the_edge_and_wrong_sums_differ() {
    let hexagons = |text: &str, cycle: u64| -> Vec<(bool, bool)> {
        let run = run(text.parse().expect("a flow"), [4, 4, 4]);
        let picture = drawn(&run, cycle, (814.0, 496.0));
        let hexagon = |mark: &Mark| match mark {
            Mark::Shape { outline: Outline::Hexagon, fill, stroke, .. } => {
                Some((*fill == Tone::CTint, stroke.dash == Dash::Solid))
            }
            _ => None,
        };
        picture.marks.iter().filter_map(hexagon).collect()
    };
    let (right, wrong, none) = ((true, true), (true, false), (false, false));
    assert_eq!(hexagons("east,stays,south,1,1", 5), [right, right, right, none]);
    assert_eq!(hexagons("east,stays,south,0,1", 5), [wrong, wrong, wrong, none]);
    assert_eq!(hexagons("east,south,stays,1,1", 5), []);
    assert_eq!(hexagons("east,south,west,1,1", 6), [right, none, none, none]);
}

#[test]
fn a_card_that_asks_does_not_say_how_long_rows_and_columns_wait() {
    let plan = Plan::new(&Link::parse("rows=4&cols=4&m=4&k=4&n=4", "").scenario).expect("a run");
    let delays = |text: &str, judges: bool| {
        let frame = Frame::new(&plan, Cycle(0));
        let filter = frame.filter.with_verdicts(judges);
        let tools = Tools { built: Built::parse(text), ..Tools::default() };
        let frame = Frame { filter, built: tools.built, instead: of_tools(&tools), ..frame };
        let mut picture = Picture::default();
        stage::draw(&frame, 903.0, 520.0, &mut picture);
        let texts = picture.texts().filter(|text| text.contains("waits") || text.contains("together"));
        texts.map(str::to_owned).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    assert_eq!(delays("east,stays,south,0,1@0", false), none);
    let told = ["all rows start together", "column c waits c cycles"];
    assert_eq!(delays("east,stays,south,0,1@0", true), told);
}

#[test]
fn the_matrix_marks_the_element_that_was_needed_and_the_one_that_came() {
    let run = run("east,stays,south,0,1".parse().expect("a flow"), [4, 4, 4]);
    let labels = ["needed: a[0,1]", "came: a[1,1]"];
    let has = |cycle: u64, size| drawn(&run, cycle, size).texts().filter(|text| labels.contains(text)).count();
    assert_eq!([has(1, (814.0, 496.0)), has(2, (814.0, 496.0)), has(1, (360.0, 420.0))], [2, 0, 0]);
    let elements = |size| drawn(&run, 1, size).texts().filter(|text| *text == number(7)).count();
    // Two elements 7 are in PEs, and both are also in the matrix.
    assert_eq!([elements((360.0, 420.0)), elements((814.0, 496.0))], [2, 4]);
}

#[test]
fn the_timeline_has_the_meetings_of_the_run() {
    for text in ["east,stays,south,1,1", "east,stays,south,0,1", "east,south,west,1,1", "along-row,stays,along-col,0,0"]
    {
        let run = run(text.parse().expect("a flow"), [4, 4, 4]);
        for (width, height) in [(320.0, 40.0), (774.0, 76.0), (1060.0, 80.0)] {
            for cycle in 0..run.n_cycles() {
                let mut picture = Picture::default();
                draw_timeline(&run, cycle, width, height, &mut picture);
                assert_eq!(crowded(&picture), Vec::<String>::new(), "{text} {width}×{height}");
                assert!(sizes_of_texts(&picture).all(|size| size >= 11.0));
                let height_of = |tone: Tone| -> f32 {
                    let bar = |mark: &Mark| match mark {
                        Mark::Shape { rect, outline: Outline::Box(0), stroke, .. } if stroke.tone == tone => rect.h,
                        _ => 0.0,
                    };
                    picture.marks.iter().map(bar).sum()
                };
                let count = |meeting| (0..run.n_cycles()).map(|at| run.n_meetings(at, meeting)).sum::<u64>();
                let [right, wrong] = [count(Meeting::Right), count(Meeting::Wrong)];
                let unit = height_of(Tone::Useful) / display::picture::px(right);
                assert!((height_of(Tone::Wrong) - unit * display::picture::px(wrong)).abs() < 0.01, "{text}");
                assert!(unit > 0.5, "{text}: {unit}");
            }
        }
    }
}
