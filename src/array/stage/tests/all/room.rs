//! Tests that every text fits: it is inside the picture, no other text overlaps it, nothing is drawn over it, and it
//! fits into its shape. The tests use many runs and views, and all cycles of each run.

use display::picture::{Anchor, Mark, Rect};
use display::{Picture, Tone};
use stage::{self, Frame, layers};
use studio::Channel;
use studio::compare::Other;
use studio::defect::{BrokenMachine, Defect};
use studio::{Link, Plan, PointedValue};
use systolic::{Cycle, Operand, PeId};

const RUNS: [&str; 25] = [
    "rows=1&cols=1&m=2&k=2&n=2&df=ws&dt=int8",
    "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8",
    "rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=bf16&fill=uniform",
    "rows=4&cols=4&m=6&k=4&n=4&df=os&dt=f32&fill=uniform",
    "rows=4&cols=3&m=5&k=7&n=6&df=is&dt=f16&fill=uniform",
    "rows=3&cols=4&m=4&k=8&n=7&df=ws&dt=bf16&fill=uniform&overlap=double-buffered",
    "rows=3&cols=4&m=5&k=3&n=7&df=os&dt=bf16&fill=uniform&overlap=double-buffered&drain=south",
    "rows=4&cols=4&m=5&k=6&n=3&df=ws&dt=int8&pad=zero",
    "rows=8&cols=8&m=9&k=8&n=6&df=ws&dt=bf16&fill=uniform",
    "rows=8&cols=8&m=9&k=6&n=8&df=os&dt=int8",
    "rows=2&cols=7&m=3&k=2&n=900&df=ws&dt=int8",
    "rows=12&cols=3&m=9&k=700&n=8&df=ws&dt=f32&fill=uniform",
    "rows=3&cols=12&m=9&k=7&n=12&df=os&dt=int8",
    "rows=16&cols=16&m=20&k=13&n=16&df=os&dt=bf16&fill=uniform",
    "rows=32&cols=32&m=40&k=32&n=20&df=ws&dt=bf16&fill=uniform",
    "rows=64&cols=4&m=8&k=64&n=3&df=ws&dt=int8",
    "rows=4&cols=64&m=8&k=3&n=64&df=ws&dt=int8",
    "rows=64&cols=64&m=9&k=60&n=50&df=is&dt=int8",
    "rows=128&cols=128&m=1&k=4096&n=4096&df=ws&dt=bf16",
    "rows=256&cols=256&m=300&k=65536&n=65536&df=ws&dt=int8",
    "rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=bf16",
    "rows=4&cols=4&m=64&k=4&n=31&df=ws&dt=int8",
    "rows=8&cols=8&m=12&k=20&n=20&df=ws&dt=int8",
    "rows=12&cols=12&m=24&k=25&n=36&df=is&dt=int8",
    "rows=1024&cols=1&m=9&k=900&n=5&df=ws&dt=int8",
];

/// Sizes of the array view in the five layouts, in a small embed and in a poster.
const SIZES: [(f32, f32); 14] = [
    (1180.0, 760.0),
    (860.0, 620.0),
    (860.0, 577.0),
    (786.0, 445.0),
    (780.0, 420.0),
    (620.0, 330.0),
    (480.0, 300.0),
    (595.0, 303.0),
    (478.0, 236.0),
    (400.0, 715.0),
    (344.0, 344.0),
    (344.0, 300.0),
    (310.0, 190.0),
    (180.0, 320.0),
];

pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) rect: Rect,
    index: usize,
}

/// Returns the texts of a picture with their rectangles. A glyph of the monospaced font is 0.6 font sizes wide.
/// Capitals and digits are about 0.7 font sizes tall.
pub(crate) fn texts(picture: &Picture) -> Vec<Text> {
    let room = |(index, mark): (usize, &Mark)| {
        let Mark::Text { at: (x, y), text, size, anchor, .. } = mark else { return None };
        let (w, h) = (0.6 * size * f32::from(u16::try_from(text.chars().count()).ok()?), 0.7 * size);
        let left = match anchor {
            Anchor::Start => *x,
            Anchor::Middle => x - w / 2.0,
            Anchor::End => x - w,
        };
        Some(Text { text: text.clone(), rect: Rect::new(left, y - h / 2.0, w, h), index })
    };
    picture.marks.iter().enumerate().filter_map(room).collect()
}

/// Returns the depth by which two rectangles overlap.
fn depth(a: Rect, b: Rect) -> f32 {
    let across = (a.x + a.w).min(b.x + b.w) - a.x.max(b.x);
    let down = (a.y + a.h).min(b.y + b.h) - a.y.max(b.y);
    across.min(down)
}

/// Returns the texts that do not fit.
pub(crate) fn crowded(picture: &Picture) -> Vec<String> {
    const SLACK: f32 = 1.0;
    let mut found = Vec::new();
    let texts = texts(picture);
    let (width, height) = (picture.width, picture.height);
    for Text { text, rect, .. } in &texts {
        let (right, below) = (rect.x + rect.w, rect.y + rect.h);
        if rect.x < -SLACK || rect.y < -SLACK || right > width + SLACK || below > height + SLACK {
            found.push(format!("`{text}` leaves the stage: {rect:?}"));
        }
    }
    for (nth, one) in texts.iter().enumerate() {
        let (mut under, mut across, mut over) = (None, None, None);
        for (index, mark) in picture.marks.iter().enumerate() {
            let Mark::Shape { rect, fill, stroke, .. } = mark else { continue };
            let (x, y) = one.rect.center();
            let holds = x > rect.x && x < rect.x + rect.w && y > rect.y && y < rect.y + rect.h;
            let reaches = depth(*rect, one.rect) > SLACK;
            if index > one.index {
                over = over.or((*fill != Tone::Clear && reaches).then_some(*rect));
            } else if holds {
                // Marks below the background of the text are hidden.
                under = Some(*rect);
                across = across.filter(|_| *fill == Tone::Clear);
            } else if stroke.tone != Tone::Clear && reaches {
                across = Some(*rect);
            }
        }
        if over.is_some() {
            continue;
        }
        if let Some(rect) = under.filter(|rect| one.rect.w > rect.w + SLACK) {
            found.push(format!("`{}` of {} px stands on {} px", one.text, one.rect.w, rect.w));
        }
        if let Some(rect) = across {
            found.push(format!("`{}` lies across a border: {:?} and {rect:?}", one.text, one.rect));
        }
        for other in &texts[nth + 1..] {
            if depth(one.rect, other.rect) > SLACK {
                found.push(format!("`{}` and `{}` at {:?}, {:?}", one.text, other.text, one.rect, other.rect));
            }
        }
    }
    found
}

fn cycles(plan: &Plan) -> Vec<u64> {
    let last = plan.schedule().last_cycle().get();
    let mut cycles: Vec<u64> = (0..12).map(|nth| last * nth / 11).chain(0..3.min(last)).collect();
    cycles.dedup();
    cycles
}

/// Returns the texts that do not fit in the frames of a run: plain, with the lens and the path of a PE, with another
/// number per PE, and with a fault.
fn crowds(query: &str, looked_at: &mut usize) -> Vec<String> {
    let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
    let mut found = Vec::new();
    for cycle in cycles(&plan) {
        let is_small = plan.schedule().array().pes() <= 256;
        let defects = [Defect::NoSkew, Defect::LateLane(1), Defect::StuckSum(PeId::new(0, 0))];
        let defect = defects[usize::try_from(cycle / 2 % 3).expect("small")];
        let broken = is_small.then(|| BrokenMachine::at(&plan, defect, Cycle(cycle)));
        let plain = Frame::new(&plan, Cycle(cycle));
        let far = PeId::new(plan.schedule().array().rows() - 1, 0);
        let layers: &[stage::Layer] = &[stage::trace::draw_path, layers::lens];
        let chosen = Frame { selected: Some(far), spot: Some(PointedValue::Sum(far)), layers, ..plain };
        let mut frames = vec![("", plain), ("a PE", chosen)];
        // Each cycle tests one of the three operands, because all three would take too long.
        let nth = usize::try_from(cycle % 3).expect("small");
        let operand = [Operand::A, Operand::B, Operand::C][nth];
        frames.push(("an element", Frame { spot: Some(PointedValue::Element(operand, 0, 0)), layers, ..plain }));
        frames.extend(broken.iter().map(|broken| {
            (
                "a defect",
                Frame { broken: Some(broken), layers: &[stage::broken::draw_queues, stage::marks::marks], ..plain },
            )
        }));
        for channel in [Channel::Sum, Channel::Wasted] {
            frames.push((channel.id(), Frame { channel: stage::channel::layer(channel), ..plain }));
        }
        for (width, height) in SIZES {
            for (what, frame) in &frames {
                let mut picture = Picture::default();
                stage::draw(frame, width, height, &mut picture);
                *looked_at += picture.texts().count();
                let crowd = crowded(&picture);
                if let Some(first) = crowd.first() {
                    found.push(format!("{width}×{height} t={cycle} {query} {what}: {} as {first}", crowd.len()));
                }
            }
        }
    }
    found
}

fn every_text_has_its_room(runs: impl Iterator<Item = &'static str>) {
    let mut looked_at = 0;
    let found: Vec<String> = runs.flat_map(|query| crowds(query, &mut looked_at)).collect();
    assert!(looked_at > 50_000, "{looked_at} texts");
    assert!(found.is_empty(), "{} frames, {}", found.len(), found.join("\n"));
}

// The runs are in two tests, so that two processors share the work.
#[test]
fn every_text_has_its_room_in_the_odd_runs() {
    every_text_has_its_room(RUNS.into_iter().step_by(2));
}

#[test]
fn every_text_has_its_room_in_the_even_runs() {
    every_text_has_its_room(RUNS.into_iter().skip(1).step_by(2));
}

#[test]
fn a_b_and_c_stand_beside_every_array_in_the_stages_of_the_page() {
    for (width, height) in [(1424.0, 808.0), (944.0, 628.0), (870.0, 496.0)] {
        for side in [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256_u64] {
            let shapes = [(6, 4, 3), (side, side, side), (2 * side, 2 * side + 1, 3 * side), (512, 512, 512)];
            for ((m, k, n), dataflow) in shapes.into_iter().flat_map(|shape| ["ws", "os", "is"].map(|df| (shape, df))) {
                let query = format!("rows={side}&cols={side}&m={m}&k={k}&n={n}&df={dataflow}&dt=int8");
                let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
                let scene = stage::Scene::new(&plan, width, height);
                let n_there =
                    [Operand::A, Operand::B, Operand::C].into_iter().filter(|&one| scene.place(one).is_some());
                assert_eq!(n_there.count(), 3, "{width}×{height} {query}");
            }
        }
    }
}

/// Sizes of the array view on projectors of 1280×720, 1366×768 and 1920×1080 pixels. The style sheet
/// `style/projector.css` enlarges the pictures until their smallest letters have 24 pixels.
#[test]
fn a_projector_shows_all_that_a_pe_has_and_a_b_and_c() {
    for (width, height) in [(478.0, 236.0), (517.0, 258.0), (595.0, 303.0)] {
        for dataflow in ["ws", "os", "is"] {
            let query = format!("rows=4&cols=4&m=6&k=4&n=3&df={dataflow}&dt=int8");
            let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
            let mut picture = Picture::default();
            let cycle = Cycle(plan.schedule().last_cycle().get() / 2);
            stage::draw(&Frame::new(&plan, cycle), width, height, &mut picture);
            let layout = stage::Layout::new(&plan, width, height);
            let texts = texts(&picture);
            let numbers_in = |rect: Rect| {
                let holds = |text: &&Text| depth(rect, text.rect) > 4.0 && text.text.parse::<i32>().is_ok();
                // The minus sign differs from the hyphen.
                texts
                    .iter()
                    .filter(|text| {
                        !text.text.is_empty()
                            && (holds(text) || text.text.starts_with('−') && depth(rect, text.rect) > 4.0)
                    })
                    .count()
            };
            for pe in layout.pes().filter(|&pe| plan.schedule().mac(cycle, pe).is_some()) {
                assert_eq!(numbers_in(layout.cell_of(pe)), 3, "{width}×{height} {query} {pe:?}");
            }
            let scene = stage::Scene::new(&plan, width, height);
            for operand in [Operand::A, Operand::B, Operand::C] {
                let rect = scene.place(operand).expect("a place").rect;
                assert!(rect.w <= width / 5.0, "{width}×{height} {query} {operand:?}");
            }
            let least = picture.marks.iter().filter_map(|mark| match mark {
                Mark::Text { size, text, .. } if text != "·" => Some(*size),
                _ => None,
            });
            assert!(least.fold(f32::MAX, f32::min) >= 11.0, "{width}×{height} {query}");
        }
    }
}

#[test]
fn two_runs_side_by_side_show_as_much_as_each_other() {
    const SECOND: [&str; 5] = ["df=os", "rows=8&cols=8", "rows=256&cols=256", "m=64&n=31", "rows=1&cols=1"];
    let mut found = Vec::new();
    for query in RUNS.iter().take(14) {
        let first = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        for second in SECOND {
            let Ok(second) = Other::parse(second).plan(first.scenario()) else { continue };
            for (width, height) in SIZES {
                let scene = |one: &Plan, other: &Plan| stage::Scene::view(one, Some(other), (width, height), false);
                let (left, right) = (scene(&first, &second), scene(&second, &first));
                assert_eq!(left.layout.detail, right.layout.detail, "{query} {width}×{height}");
                assert_eq!(left.is_strip, right.is_strip, "{query} {width}×{height}");
                for (one, other) in [(&first, &second), (&second, &first)] {
                    // If the second run does not change the layout, the test above has already checked it.
                    if scene(one, other) == stage::Scene::new(one, width, height) {
                        continue;
                    }
                    for cycle in cycles(one).into_iter().step_by(4) {
                        let mut picture = Picture::default();
                        let frame = Frame { beside: Some(other), ..Frame::new(one, Cycle(cycle)) };
                        stage::draw(&frame, width, height, &mut picture);
                        let crowd = crowded(&picture);
                        found.extend(crowd.first().map(|first| format!("{width}×{height} t={cycle} {query}: {first}")));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{} frames, {}", found.len(), found.join("\n"));
}

#[test]
fn on_a_phone_operands_wait_before_the_array_and_cells_write_what_stays() {
    let plan = Plan::new(&Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&fill=small&seed=7", "").scenario);
    let plan = plan.expect("a run");
    for height in [426.0, 452.0] {
        let mut picture = Picture::default();
        stage::draw(&Frame::new(&plan, Cycle(7)), 360.0, height, &mut picture);
        let array = stage::Scene::new(&plan, 360.0, height).layout.array();
        let all = texts(&picture);
        let is_number = |one: &&Text| one.text.trim_start_matches('\u{2212}').bytes().all(|byte| byte.is_ascii_digit());
        let numbers = all.iter().filter(is_number).map(|one| one.rect.center());
        let inside = |&(x, y): &(f32, f32)| x > array.x && y > array.y && y < array.y + array.h;
        let waits = numbers.clone().filter(|&(x, y)| x < array.x && y > array.y && y < array.y + array.h).count();
        // Nine PEs multiply and show three numbers each, three contain only a weight, and an operand passes an unused
        // PE.
        assert_eq!(numbers.filter(inside).count(), 9 * 3 + 3 + 1, "{height}");
        assert!(waits >= 4, "{height}: {waits}");
    }
}
