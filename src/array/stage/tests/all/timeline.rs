//! Tests that names on the timeline do not overlap, and that each name is above its cycle.

use display::Picture;
use display::picture::{Anchor, Mark};
use stage::timeline;
use studio::{Link, Plan};
use systolic::Cycle;

const RUNS: [&str; 11] = [
    "",
    "rows=1&cols=1&m=1&k=1&n=1&df=os&dt=int8",
    "rows=1&cols=1&m=2&k=3&n=2&df=ws&dt=int8",
    "rows=4&cols=4&m=4&k=6&n=4&df=os&dt=int8",
    "rows=3&cols=7&m=5&k=3&n=7&df=is&dt=int8",
    "rows=8&cols=8&m=10&k=13&n=11&df=ws&dt=int8",
    "rows=4&cols=4&m=8&k=16&n=16&df=ws&dt=int8&overlap=double-buffered",
    "rows=16&cols=16&m=20&k=13&n=16&df=os&dt=bf16",
    "rows=128&cols=128&m=129&k=129&n=129&df=ws&dt=bf16",
    "rows=128&cols=128&m=1&k=4096&n=4096&df=ws&dt=bf16",
    "rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=bf16",
];

struct Name {
    text: String,
    left: f32,
    right: f32,
    y: f32,
    bold: bool,
}

fn names(plan: &Plan, cycle: Cycle, width: f32, height: f32) -> Vec<Name> {
    let mut picture = Picture::default();
    timeline::draw(plan, cycle, width, height, &mut picture);
    let name = |mark: &Mark| {
        let Mark::Text { at: (x, y), text, size, anchor, bold, .. } = mark else { return None };
        assert!(*size >= 11.0, "{text} has {size} px");
        let w = 0.6 * size * f32::from(u16::try_from(text.chars().count()).ok()?);
        let left = match anchor {
            Anchor::Start => *x,
            Anchor::Middle => x - w / 2.0,
            Anchor::End => x - w,
        };
        Some(Name { text: text.clone(), left, right: left + w, y: *y, bold: *bold })
    };
    picture.marks.iter().filter_map(name).collect()
}

#[test]
fn no_name_leaves_the_timeline_or_meets_another() {
    let mut n_names = 0;
    for query in RUNS {
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        let last = plan.last().get();
        let cycles: Vec<u64> =
            if last < 40 { (0..=last).collect() } else { (0..=40).map(|nth| last * nth / 40).collect() };
        for width in (300_u16..=1200).step_by(20).map(f32::from) {
            for (height, &cycle) in
                [48.0, 72.0].into_iter().flat_map(|height| cycles.iter().map(move |at| (height, at)))
            {
                let names = names(&plan, Cycle(cycle), width, height);
                n_names += names.len();
                for (nth, name) in names.iter().enumerate() {
                    assert!(name.left >= 0.0 && name.right <= width + 0.5, "{query} {width} {cycle}: {}", name.text);
                    for other in names[nth + 1..].iter().filter(|other| (other.y - name.y).abs() < 11.0) {
                        let apart = name.right <= other.left || other.right <= name.left;
                        assert!(apart, "{query} {width} {cycle}: {} and {}", name.text, other.text);
                    }
                }
            }
        }
    }
    assert!(n_names > 50_000, "{n_names}");
}

#[test]
fn the_first_screen_names_its_events_and_phases_and_the_present_one_is_heavy() {
    let plan = Plan::default();
    let texts =
        |width: f32| -> Vec<String> { names(&plan, Cycle(7), width, 72.0).into_iter().map(|name| name.text).collect() };
    let all = texts(800.0);
    for name in ["first multiply", "first result", "all 12 used PEs active", "last multiply", "done"] {
        assert!(all.iter().any(|text| text == name), "{name} is not in {all:?}");
    }
    for phase in ["loading weights", "filling", "draining"] {
        assert!(all.iter().any(|text| text == phase), "{phase} is not in {all:?}");
    }
    assert!(texts(320.0).len() >= 4, "{:?}", texts(320.0));
    let heavy: Vec<String> =
        names(&plan, Cycle(7), 320.0, 72.0).into_iter().filter(|name| name.bold).map(|name| name.text).collect();
    assert_eq!(heavy, ["first result"]);
}

#[test]
fn a_name_stands_over_its_cycle() {
    let plan = Plan::default();
    let width = 800.0;
    // The counts of the run give these cycles: the first product in 4, the first result in 7, the last product in 14.
    for (text, cycle) in [("first multiply", 4_u8), ("first result", 7), ("last multiply", 14), ("done", 15)] {
        for name in names(&plan, Cycle(0), width, 72.0).iter().filter(|name| name.text == text) {
            let middle = (f32::from(cycle) + 0.5) / 16.0 * width;
            assert!(
                name.left <= middle + 12.0 && name.right >= middle - 12.0,
                "{text}: {} to {}",
                name.left,
                name.right
            );
        }
    }
}

#[test]
fn folds_are_named_with_their_tiles_where_they_fit() {
    let plan = Plan::new(&Link::parse("rows=8&cols=8&m=10&k=13&n=11&df=ws&dt=int8", "").scenario).expect("a run");
    let texts = |width: f32| -> Vec<String> {
        names(&plan, Cycle(47), width, 72.0).into_iter().map(|name| name.text).collect()
    };
    assert!(texts(900.0).contains(&"fold 2 · k 8–12, n 0–7".to_owned()), "{:?}", texts(900.0));
    assert!(texts(300.0).contains(&"fold 2".to_owned()), "{:?}", texts(300.0));
}

#[test]
fn a_strip_that_is_not_painted_anew_would_look_the_same() {
    let mut n_same = 0;
    for query in RUNS {
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        let drawn = |cycle: u64| {
            let mut picture = Picture::default();
            timeline::draw(&plan, Cycle(cycle), 900.0, 70.0, &mut picture);
            picture
        };
        let last = plan.last().get();
        for nth in 0..last.min(150) {
            let cycle = if last <= 150 { nth } else { last * nth / 150 };
            if timeline::looks_same(&plan, (Cycle(cycle), Cycle(cycle + 1)), 900.0, 70.0) {
                assert_eq!(drawn(cycle), drawn(cycle + 1), "{query} at {cycle}");
                n_same += 1;
            }
        }
    }
    assert!(n_same > 100, "{n_same} cycles need no paint");
}
