//! One number per PE instead of what it does: as a shade, and as text where there is room.
//!
//! Shades grow in eight steps of lightness, so that they survive without color; a [`Scale`] says what each step means.

use crate::Plan;
use crate::stage::{Detail, Frame, GLYPH, Layer, Layout, TEXT_LEAST};
use crate::value_text::fitting;
use display::Tone;
use display::number::{fixed, significant};
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, between};
use systolic::{Cycle, ExactSum, Operand, PeId, Prober, Snapshot, Value};

/// The number that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// None: what each PE does.
    #[default]
    Activity,
    /// The size of its sum.
    Sum,
    /// Useful multiply-accumulates so far.
    Useful,
    /// Its cycles so far that were not useful, as a share.
    Wasted,
    /// How far its sum is from the exact one, in units in the last place.
    Error,
}

/// PEs up to which the error is worked out for each frame: an exact sum has as many terms as the sum itself.
pub const ERROR_PES_MAX: usize = 4096;

/// Shades from low to high.
pub const SHADES: [Tone; 8] =
    [Tone::Shade0, Tone::Shade1, Tone::Shade2, Tone::Shade3, Tone::Shade4, Tone::Shade5, Tone::Shade6, Tone::Shade7];

/// The first shade on which text is written in the color of the ground.
const DEEP: usize = 5;

impl Channel {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Activity, Self::Sum, Self::Useful, Self::Wasted, Self::Error];

    /// The name in a link.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::Sum => "sum",
            Self::Useful => "useful",
            Self::Wasted => "wasted",
            Self::Error => "error",
        }
    }

    /// The channel of that name.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.id() == id)
    }

    /// What draws it on the array.
    #[must_use]
    pub fn layer(self) -> Option<Layer> {
        match self {
            Self::Activity => None,
            Self::Sum => Some(|frame, layout, picture| draw(Self::Sum, frame, layout, picture)),
            Self::Useful => Some(|frame, layout, picture| draw(Self::Useful, frame, layout, picture)),
            Self::Wasted => Some(|frame, layout, picture| draw(Self::Wasted, frame, layout, picture)),
            Self::Error => Some(|frame, layout, picture| draw(Self::Error, frame, layout, picture)),
        }
    }
}

/// What the shades mean: the number from which each one counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Lower ends, ascending; the first is 0.
    pub from: [f64; SHADES.len()],
}

impl Scale {
    /// The scale of a channel at a clock edge.
    #[must_use]
    pub fn of(channel: Channel, plan: &Plan, cycle: Cycle) -> Self {
        let steps = |part: fn(f64) -> f64| {
            let mut from = [0.0; SHADES.len()];
            for (value, step) in from.iter_mut().zip(0u32..) {
                *value = part(f64::from(step));
            }
            Self { from }
        };
        match channel {
            Channel::Activity | Channel::Wasted => steps(|step| step / 8.0),
            // Exact, rounded correctly, and then twice as far each.
            Channel::Error => Self { from: [0.0, f64::MIN_POSITIVE, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0] }.nudged(),
            Channel::Useful => {
                let most = plan.schedule().useful_of(plan.last(), PeId::default()).as_f64();
                let mut scale = steps(|step| step / 8.0);
                scale.from.iter_mut().for_each(|from| *from *= most);
                scale
            }
            Channel::Sum => {
                let snapshot = Snapshot::at(plan.schedule(), plan.operands(), plan.unit(), cycle);
                let sizes = plan.schedule().array().iter().filter_map(|pe| snapshot.sum(pe));
                let most = sizes.map(|sum| sum.as_f64().abs()).filter(|size| size.is_finite()).fold(0.0, f64::max);
                // A power of two, so that the scale does not move with every cycle.
                let mut top = 1.0;
                while top < most {
                    top *= 2.0;
                }
                let mut scale = steps(|step| step);
                for from in &mut scale.from[1..] {
                    *from = top * 2f64.powf(*from - 8.0);
                }
                scale
            }
        }
    }

    /// A step begins above its lower end, not at it: half a unit is still rounded correctly.
    fn nudged(mut self) -> Self {
        for from in &mut self.from[2..] {
            *from = from.next_up();
        }
        self
    }

    /// The shade of a number.
    #[must_use]
    pub fn shade(&self, value: f64) -> usize {
        if value.is_nan() {
            return SHADES.len() - 1;
        }
        self.from.iter().rposition(|&from| value >= from).unwrap_or(0)
    }

    /// What each shade means, in words.
    #[must_use]
    pub fn legend(&self, channel: Channel) -> Vec<(Tone, String)> {
        let text = |value: f64| text(channel, value);
        (0..SHADES.len())
            .map(|step| {
                let words = match (channel, self.from.get(step + 1)) {
                    (Channel::Error, _) if step == 0 => text(0.0),
                    (Channel::Error, Some(&next)) => format!("≤ {}", text(next)),
                    (_, Some(&next)) => format!("{} – {}", text(self.from[step]), text(next)),
                    (Channel::Error, None) => format!("> {}", text(self.from[step])),
                    (_, None) => format!("{} –", text(self.from[step])),
                };
                (SHADES[step], words)
            })
            .collect()
    }
}

/// A number of a channel in few glyphs.
#[must_use]
pub fn text(channel: Channel, value: f64) -> String {
    match channel {
        Channel::Wasted => format!("{}%", fixed(value * 100.0, 0)),
        Channel::Error if value > 0.0 && value < 0.01 => "<.01".to_owned(),
        _ => significant(value, 2),
    }
}

/// The number of each PE; `None` where it has none.
pub fn readings<'a>(channel: Channel, plan: &'a Plan, cycle: Cycle) -> Box<dyn Fn(PeId) -> Option<f64> + 'a> {
    let schedule = plan.schedule();
    let cycles = cycle.min(plan.last()).as_f64() + 1.0;
    match channel {
        Channel::Activity => Box::new(|_| None),
        Channel::Sum => {
            let snapshot = Snapshot::at(schedule, plan.operands(), plan.unit(), cycle);
            Box::new(move |pe| snapshot.sum(pe).map(|sum| sum.as_f64().abs()))
        }
        Channel::Useful => Box::new(move |pe| Some(schedule.useful_of(cycle, pe).as_f64())),
        Channel::Wasted => Box::new(move |pe| Some(1.0 - schedule.useful_of(cycle, pe).as_f64() / cycles)),
        Channel::Error => {
            let prober = plan.prober();
            Box::new(move |pe| error(plan, prober, cycle, pe))
        }
    }
}

/// How far the sum of a PE is from the sum of its terms without any rounding, in units in the last place.
fn error(plan: &Plan, prober: Prober<'_>, cycle: Cycle, pe: PeId) -> Option<f64> {
    let sum = prober.at(cycle, pe).sum?;
    let mut exact = ExactSum::default();
    for term in plan.schedule().terms(cycle, pe) {
        let [x, w] = [Operand::A, Operand::B].map(|operand| {
            let (row, col) = term.mkn.of(operand);
            prober.element(operand, row, col).value
        });
        exact.add_product(x, w);
    }
    exact.ulps_off(sum.value, plan.unit())
}

fn draw(channel: Channel, frame: &Frame<'_>, layout: &Layout, picture: &mut Picture) {
    let wide = matches!(layout.detail, Detail::Pixel | Detail::Block);
    let seen = if wide { layout.rows as usize * layout.cols as usize } else { layout.pes().count() };
    // The numbers of a machine with a defect have no closed form.
    if frame.broken.is_some() || (channel == Channel::Error && seen > ERROR_PES_MAX) {
        return;
    }
    let scale = Scale::of(channel, frame.plan, frame.cycle);
    let reading = readings(channel, frame.plan, frame.cycle);
    if wide {
        for (pixel, pe) in picture.pixels.iter_mut().zip(frame.plan.schedule().array().iter()) {
            *pixel = reading(pe).map_or(Tone::Ground, |value| SHADES[scale.shade(value)]) as u8;
        }
        return;
    }
    for pe in layout.pes() {
        let rect = layout.cell_of(pe);
        // Inside the border, which still tells what the PE does.
        let inside = Rect::new(rect.x + 2.0, rect.y + 2.0, rect.w - 4.0, rect.h - 4.0);
        let Some(value) = reading(pe) else {
            picture.shape(inside, Outline::Box(2), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
            continue;
        };
        let shade = scale.shade(value);
        picture.shape(inside, Outline::Box(2), SHADES[shade], Stroke::solid(Tone::Clear, 0.0));
        if layout.detail >= Detail::Value {
            let ink = if shade < DEEP { Tone::Ink } else { Tone::Ground };
            let (text, size) = fitted(channel, value, inside.w);
            picture.text(rect.center(), text, size, Anchor::Middle, ink);
        }
    }
}

/// A number of a channel for a room of this width, and how high its letters are.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few glyphs"
)]
fn fitted(channel: Channel, value: f64, wide: f32) -> (String, f32) {
    let glyphs = ((wide + 1.0) / (GLYPH * TEXT_LEAST)) as usize;
    let mut text = text(channel, value);
    if text.chars().count() > glyphs {
        // The legend says what it is a share of.
        text = match channel {
            Channel::Wasted => fixed(value * 100.0, 0),
            _ => fitting(Value::Float(value as f32), glyphs),
        };
    }
    let widest = wide / (GLYPH * text.chars().count().max(1) as f32);
    let size = between((wide * 0.36).min(widest), TEXT_LEAST, 18.0);
    (text, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Link, stage};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    #[test]
    fn a_cell_shows_the_number_of_its_channel() {
        let plan = plan("rows=4&cols=4&m=6&k=6&n=3&df=ws&dt=int8");
        for cycle in 0..plan.schedule().cycles().get() {
            for channel in Channel::ALL {
                let mut picture = Picture::default();
                let frame = Frame { channel: channel.layer(), ..Frame::new(&plan, Cycle(cycle)) };
                stage::draw(&frame, 300.0, 300.0, &mut picture);
                let reading = readings(channel, &plan, Cycle(cycle));
                for value in plan.schedule().array().iter().filter_map(reading) {
                    let text = text(channel, value);
                    assert!(picture.texts().any(|one| one == text), "{channel:?} in cycle {cycle}: no {text}");
                }
            }
        }
    }

    #[test]
    fn useful_and_wasted_cycles_are_all_cycles() {
        let plan = plan("rows=4&cols=4&m=6&k=6&n=3&df=os&dt=int8");
        for cycle in [0, 5, 11] {
            let cycle = Cycle(cycle);
            let (useful, wasted) = (readings(Channel::Useful, &plan, cycle), readings(Channel::Wasted, &plan, cycle));
            for pe in plan.schedule().array().iter() {
                let all = cycle.as_f64() + 1.0;
                let sum = useful(pe).expect("known") + wasted(pe).expect("known") * all;
                assert!((sum - all).abs() < 1e-9, "{pe:?}");
            }
        }
    }

    #[test]
    fn whole_numbers_are_exact_and_small_floats_are_not() {
        let whole = plan("rows=4&cols=4&m=4&k=4&n=4&df=os&dt=int8");
        let off = |plan: &Plan| {
            let reading = readings(Channel::Error, plan, plan.last());
            plan.schedule().array().iter().filter_map(reading).fold(0.0, f64::max)
        };
        assert_eq!(off(&whole).to_bits(), 0f64.to_bits());
        let float = plan("rows=4&cols=4&m=4&k=512&n=4&df=os&dt=f32&fill=uniform");
        assert!(off(&float) > 0.5, "512 roundings are more than one: {}", off(&float));
    }

    #[test]
    fn shades_follow_their_scale_and_the_legend_says_so() {
        let plan = plan("rows=4&cols=4&m=6&k=6&n=3&df=ws&dt=bf16");
        for channel in &Channel::ALL[1..] {
            let scale = Scale::of(*channel, &plan, Cycle(9));
            assert!(scale.from.is_sorted() && scale.from[0] == 0.0, "{channel:?}: {scale:?}");
            for (step, from) in scale.from.iter().enumerate() {
                assert_eq!(scale.shade(*from), step, "{channel:?}");
            }
            assert_eq!(scale.legend(*channel).len(), SHADES.len());
            assert_eq!(Channel::from_id(channel.id()), Some(*channel));
        }
        assert_eq!(Scale::of(Channel::Error, &plan, Cycle(0)).shade(0.5), 1, "half a unit is rounded correctly");
        assert_eq!(Channel::from_id("zebra"), None);
    }
}
