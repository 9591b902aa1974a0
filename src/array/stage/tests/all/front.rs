//! Compares the fronts of the wave with the activity of the PEs. A line is between two PEs if one multiplies and the
//! other waits or is done.

use display::Tone;
use display::picture::{Dash, Mark, Picture};
use stage::Frame;
use studio::{Link, Plan};
use systolic::{Activity, Cycle, PeId};

/// Returns the numbers of solid and of dashed lines in the picture.
fn drawn(plan: &Plan, cycle: Cycle) -> (usize, usize) {
    let mut picture = Picture::default();
    stage::draw(&Frame::new(plan, cycle), 984.0, 640.0, &mut picture);
    let of = |dash: Dash| {
        let is_front = |mark: &&Mark| {
            matches!(mark, Mark::Line { stroke, arrow: false, .. }
            if stroke.tone == Tone::Ink && stroke.width == 2.5 && stroke.dash == dash)
        };
        picture.marks.iter().filter(is_front).count()
    };
    (of(Dash::Solid), of(Dash::Dashed))
}

/// Returns two numbers of pairs of neighboring PEs. In the first number, the first PE of a pair multiplies and the
/// second PE waits. In the second number, the first PE is done and the second PE multiplies.
fn expected(plan: &Plan, cycle: Cycle) -> (usize, usize) {
    let schedule = plan.schedule();
    let is = |pe: PeId, wanted: Activity| schedule.activity(cycle, pe) == wanted;
    let before = |pe: PeId| {
        let west = pe.col.checked_sub(1).map(|col| PeId { col, ..pe });
        west.into_iter().chain(pe.row.checked_sub(1).map(|row| PeId { row, ..pe }))
    };
    let pairs: Vec<_> = schedule.array().iter().flat_map(|pe| before(pe).map(move |near| (near, pe))).collect();
    let count = |near, here| pairs.iter().filter(|(a, b)| is(*a, near) && is(*b, here)).count();
    (count(Activity::Useful, Activity::Waiting), count(Activity::Done, Activity::Useful))
}

#[test]
fn a_line_stands_where_the_wave_begins_and_where_it_ends() {
    let (mut solid, mut dashed) = (0, 0);
    for query in [
        "rows=4&cols=4&m=6&k=4&n=3&df=ws",
        "rows=4&cols=4&m=1&k=4&n=4&df=ws",
        "rows=5&cols=3&m=2&k=4&n=3&df=ws",
        "rows=4&cols=4&m=4&k=7&n=3&df=os",
        "rows=4&cols=4&m=3&k=4&n=2&df=is",
    ] {
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        for cycle in (0..=plan.last().get()).map(Cycle) {
            let expected = expected(&plan, cycle);
            assert_eq!(drawn(&plan, cycle), expected, "{query} {cycle:?}");
            solid += expected.0;
            dashed += expected.1;
        }
    }
    assert!(solid > 50 && dashed > 50, "{solid} {dashed}");
}
