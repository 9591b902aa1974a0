//! Counts the work of a frame instead of timing it. No link leads to a frame that adds more terms than the limit. Once
//! later frames have added the missing terms, the picture equals the picture of one unlimited frame.

use core::cell::RefCell;

use display::Picture;
use stage::{self, Frame, Progress, Work, Zoom, layers};
use studio::Channel;
use studio::{Link, Plan};
use systolic::{Cycle, PeId};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn plan(query: &str) -> Plan {
    Plan::new(&Link::parse(query, "").scenario).expect("a run")
}

/// Number of elements that are encoded after the budget of a frame is used up: one line of each operand, for the array
/// view and for the lens.
const SLACK: u64 = 4 * 512;

/// Returns a frame with the lens over the middle.
fn frame<'a>(plan: &'a Plan, cycle: u64, channel: Channel, work: Option<&'a RefCell<Work>>) -> Frame<'a> {
    let array = plan.schedule().array();
    let selected = Some(PeId::new(array.rows() / 2, array.cols() / 2));
    let layers: &[stage::Layer] = &[stage::trace::draw_path, layers::lens];
    Frame { selected, channel: stage::channel::layer(channel), layers, work, ..Frame::new(plan, Cycle(cycle)) }
}

/// Draws until all sums have reached the clock edge. Returns the number of frames in which some sums had not reached
/// it.
fn frames_on_the_way(plan: &Plan, work: &RefCell<Work>, mut draw: impl FnMut(&Plan)) -> usize {
    let mut n_frames = 0;
    draw(plan);
    while work.borrow().going_to(plan).is_some() {
        n_frames += 1;
        draw(plan);
    }
    n_frames
}

#[test]
fn no_frame_of_any_legal_run_does_more_work_than_a_frame_may() {
    let designs = ["", "&overlap=double-buffered", "&drain=south", "&overlap=double-buffered&drain=south"];
    for (side, stages) in [(1024, 1), (256, 1), (64, 3), (16, 1), (1, 1)] {
        for (dataflow, design) in ["ws", "os", "is"].iter().flat_map(|df| designs.iter().map(move |one| (df, one))) {
            let plan = plan(&format!("rows={side}&cols={side}&m=65536&k=65536&n=65536&df={dataflow}&dt=int8{design}"));
            let period = plan.schedule().period().get();
            // Only two channels add terms. Visiting a million PEs is slow, so large arrays test only one of these
            // channels.
            let channels =
                if side > 64 { &[Channel::Sum][..] } else { &[Channel::Activity, Channel::Sum, Channel::Error] };
            for &channel in channels {
                let work = RefCell::new(Work::default());
                let mut picture = Picture::default();
                for (width, height) in [(3840.0, 2160.0), (1366.0, 768.0), (360.0, 740.0)].into_iter().take(stages) {
                    // The cycles are late in a fold, in the next cycle, back in the fold, and in another fold.
                    let cycles = [period - 1, period, period / 2, 9 * period + period / 3];
                    for cycle in cycles.into_iter().take(if side > 256 { 2 } else { 4 }) {
                        let what = format!("{side}² {dataflow}{design} {channel:?} at {width} in {cycle}");
                        let n_frames = frames_on_the_way(&plan, &work, |plan| {
                            stage::draw(&frame(plan, cycle, channel, Some(&work)), width, height, &mut picture);
                            let n_done = work.borrow().n_done();
                            assert!(n_done <= Work::FRAME_MAX + SLACK, "{what}: {n_done}");
                        });
                        // A large array needs two frames, or three if some terms are missing.
                        assert!(
                            if side > 256 { (2..=3).contains(&n_frames) } else { n_frames == 0 },
                            "{what}: {n_frames}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_frames_that_follow_bring_the_picture_of_one_without_a_budget() {
    let cases = [
        ("rows=24&cols=24&m=24&k=40000&n=24&df=os&dt=f32&fill=uniform&t=39000", 900.0, Channel::Activity),
        ("rows=24&cols=24&m=24&k=40000&n=24&df=os&dt=f32&fill=uniform&t=39000", 900.0, Channel::Sum),
        ("rows=64&cols=64&m=64&k=4096&n=64&df=os&dt=f32&fill=uniform&t=4000", 700.0, Channel::Error),
        ("rows=256&cols=256&m=512&k=1024&n=1024&df=ws&dt=bf16&t=700", 700.0, Channel::Sum),
        (
            "rows=4&cols=4&m=4&k=65536&n=4&df=os&dt=int8&overlap=double-buffered&drain=south&t=65536",
            900.0,
            Channel::Activity,
        ),
        ("rows=256&cols=256&m=256&k=65536&n=256&df=os&dt=int8&t=65436", 700.0, Channel::Activity),
    ];
    for (query, side, channel) in cases {
        let (plan, cycle) = (plan(query), Link::parse(query, "").cycle.get());
        let (mut at_once, mut step) = (Picture::default(), Picture::default());
        stage::draw(&frame(&plan, cycle, channel, None), side, side, &mut at_once);
        let work = RefCell::new(Work::default());
        let mut n_frames = 0;
        loop {
            stage::draw(&frame(&plan, cycle, channel, Some(&work)), side, side, &mut step);
            n_frames += 1;
            if work.borrow().progress() == Progress::Done {
                break;
            }
            assert!(n_frames < 300, "{query} {channel:?} comes to no end");
        }
        assert_eq!((&step.marks, &step.pixels), (&at_once.marks, &at_once.pixels), "{query} {channel:?}");
        // The next cycle needs only one frame.
        stage::draw(&frame(&plan, cycle + 1, channel, Some(&work)), side, side, &mut step);
        assert_eq!(work.borrow().progress(), Progress::Done, "{query} {channel:?}");
    }
}

#[test]
fn a_million_sums_are_shown_when_all_have_reached_the_clock_edge() {
    let plan = plan("rows=1024&cols=1024&m=1024&k=1024&n=1024&df=os&dt=int8");
    let other = self::plan("rows=1024&cols=1024&m=1024&k=1024&n=1024&df=ws&dt=int8");
    let work = RefCell::new(Work::default());
    let mut picture = Picture::default();
    let draw = |cycle, picture: &mut Picture| {
        stage::draw(&frame(&plan, cycle, Channel::Sum, Some(&work)), 900.0, 900.0, picture);
    };
    draw(9, &mut picture);
    let going_to = |plan| work.borrow().going_to(plan);
    assert_eq!((going_to(&plan), going_to(&other)), (Some(Cycle(9)), None), "another run has an edge of its own");
    assert_eq!((work.borrow().progress(), work.borrow().scale()), (Progress::Underway, None));
    frames_on_the_way(&plan, &work, |_| draw(9, &mut picture));
    assert_eq!((going_to(&plan), work.borrow().scale().is_some()), (None, true));
    // The unfinished computation ends as soon as no channel needs it.
    draw(10, &mut picture);
    assert_eq!(going_to(&plan), Some(Cycle(10)));
    stage::draw(&frame(&plan, 10, Channel::Activity, Some(&work)), 900.0, 900.0, &mut picture);
    assert_eq!(going_to(&plan), None);
}

#[test]
fn frames_that_add_terms_of_a_million_sums_show_none_and_every_fourth_shows_all() {
    let plan = plan("rows=1024&cols=1024&m=1024&k=1024&n=1024&df=os&dt=int8");
    let work = RefCell::new(Work::default());
    let mut picture = Picture::default();
    let draw = || stage::draw(&frame(&plan, 1500, Channel::Sum, Some(&work)), 900.0, 900.0, &mut Picture::default());
    frames_on_the_way(&plan, &work, |_| draw());
    for round in 0..3 {
        // The last frame showed the terms that were added so far.
        assert!(work.borrow().scale().is_some() && work.borrow().progress() == Progress::Underway, "{round}");
        let mut done = Vec::new();
        let n_frames = frames_on_the_way(&plan, &work, |_| {
            draw();
            done.push(work.borrow().n_done());
        });
        assert_eq!(n_frames, 3, "{round}");
        // A frame either adds terms or shows the sums.
        let [adding @ .., showing] = &done[..] else { panic!("{done:?}") };
        assert!(adding.iter().all(|n_done| (1..=Work::FRAME_MAX + SLACK).contains(n_done)), "{round}: {done:?}");
        assert_eq!(*showing, 0, "{round}");
    }
    stage::draw(&frame(&plan, 1500, Channel::Sum, Some(&work)), 500.0, 700.0, &mut picture);
    assert!(work.borrow().scale().is_some(), "the last picture had another size");
}

#[test]
fn a_number_of_too_many_terms_is_left_out_with_a_word_until_one_looks_closer() {
    let plan = plan("rows=1024&cols=1024&m=65536&k=65536&n=65536&df=os&dt=int8");
    let work = RefCell::new(Work::default());
    let mut picture = Picture::default();
    let late = frame(&plan, 65_000, Channel::Sum, Some(&work));
    assert_eq!(frames_on_the_way(&plan, &work, |_| stage::draw(&late, 900.0, 900.0, &mut picture)), 2);
    assert_eq!((work.borrow().progress(), work.borrow().scale()), (Progress::TooMany, None));
    let zoom =
        Zoom::default().at((0.5, 0.5)).by(64.0, (450.0, 450.0), &stage::Layout::new(&plan, 900.0, 900.0), 900.0, 900.0);
    stage::draw(&Frame { zoom, ..late }, 900.0, 900.0, &mut picture);
    assert_ne!(work.borrow().progress(), Progress::TooMany);
}
