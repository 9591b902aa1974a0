//! The highlight of one class of PE-cycles on the timeline. The highlight shows the number of these PE-cycles in each
//! cycle.

use super::{BARS_MAX, chart, profile, to_f32};
use display::Tone;
use display::picture::{Mark, Outline, Picture, Rect, Stroke};
use studio::Plan;
use systolic::{Cycle, PeCycles, Slot};

/// Draws a class over a timeline that is already drawn, and dims everything else.
pub fn light(plan: &Plan, slot: Slot, width: f32, height: f32, picture: &mut Picture) {
    let chart = chart(width, height);
    picture.marks.iter_mut().for_each(recede);
    let tone = crate::class::tone_of(slot);
    let edge = Stroke::solid(Tone::Chosen, 1.5);
    let schedule = plan.schedule();
    if schedule.cycles().get() > BARS_MAX {
        let points = profile(plan, slot, &chart);
        picture.marks.push(Mark::Area { points: points.clone(), fill: tone });
        for pair in points.windows(2) {
            if let [from, to] = pair {
                // Zero has no outline.
                let bottom = chart.y + chart.h - 0.5;
                if from.1 < bottom || to.1 < bottom {
                    picture.line(*from, *to, edge);
                }
            }
        }
        return;
    }
    let step = chart.w / to_f32(schedule.cycles().as_f64());
    let pes = PeCycles(schedule.array().pes()).as_f64();
    let mut before = 0;
    for cycle in 0..schedule.cycles().get() {
        let until = schedule.tally_until(Cycle(cycle)).get(slot).get();
        let h = to_f32(PeCycles(until - before).as_f64() / pes) * (chart.h - super::headroom(&chart));
        before = until;
        if h > 0.0 {
            let x = chart.x + to_f32(Cycle(cycle).as_f64()) * step;
            let rect = Rect::new(x + 0.5, chart.y + chart.h - h, (step - 1.0).max(1.0), h);
            picture.shape(rect, Outline::Box(0), tone, edge);
        }
    }
}

fn recede(mark: &mut Mark) {
    match mark {
        Mark::Shape { fill: fill @ (Tone::Useful | Tone::Load), stroke, .. } => {
            *fill = Tone::Ground;
            stroke.tone = Tone::Ghost;
            stroke.width = 1.0;
        }
        Mark::Shape { stroke, .. } if stroke.tone == Tone::Useful => stroke.tone = Tone::Ghost,
        Mark::Area { fill, .. } => *fill = Tone::Ghost,
        Mark::Shape { .. } | Mark::Hatch { .. } | Mark::Line { .. } | Mark::Text { .. } | Mark::Bitmap { .. } => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn lit(query: &str, slot: Slot) -> (Plan, Vec<Mark>) {
        let plan = Plan::new(&studio::Link::parse(query, "").scenario).expect("a run");
        let mut picture = Picture::default();
        timeline::draw(&plan, Cycle(0), 800.0, 60.0, &mut picture);
        let before = picture.marks.len();
        light(&plan, slot, 800.0, 60.0, &mut picture);
        (plan, picture.marks.split_off(before))
    }

    #[test]
    fn a_class_has_a_bar_in_each_cycle_in_which_a_pe_is_in_it() {
        for slot in Slot::ALL {
            let (plan, marks) = lit("rows=4&cols=4&m=6&k=9&n=3&df=ws&dt=int8", slot);
            let schedule = plan.schedule();
            let is_in = |cycle: &u64| schedule.array().iter().any(|pe| schedule.slot(Cycle(*cycle), pe) == slot);
            assert_eq!(marks.len(), (0..schedule.cycles().get()).filter(is_in).count(), "{slot:?}");
        }
    }

    #[test]
    fn the_area_of_a_class_is_its_share_of_the_strip() {
        for slot in [Slot::Useful, Slot::Padding, Slot::Load, Slot::Fill, Slot::Drain] {
            let (plan, marks) = lit("rows=32&cols=32&m=100&k=70&n=40&df=ws&dt=int8", slot);
            let Some(Mark::Area { points, .. }) = marks.first() else { panic!("an area") };
            // The trapezoids under the line have this area. The first and the last point are the corners below.
            let area: f32 = points.windows(2).map(|p| (p[1].0 - p[0].0) * (p[0].1 + p[1].1) / 2.0).sum();
            let whole = chart(800.0, 60.0);
            let share = (whole.w * (whole.y + whole.h) - area) / (whole.w * (whole.h - 4.0));
            let tally = plan.schedule().tally();
            let counted = tally.get(slot).as_f64() / tally.total().as_f64();
            assert!((f64::from(share) - counted).abs() < 0.01, "{slot:?}: {share} against {counted}");
        }
    }
}
