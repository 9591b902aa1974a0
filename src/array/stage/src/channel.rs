//! Channels: numbers that the array view shows instead of the activities of the PEs. The view shows each number as a
//! shade and, if there is space, as text.
//!
//! The eight shades differ in lightness, so that they are readable without color. A [`Scale`] gives the range of
//! numbers for each shade.

mod scale;

use std::rc::Rc;

use crate::{Detail, Frame, GLYPH, Layer, PeBlock, Scene, SumSet, TEXT_MIN, all_sums};
use display::Tone;
use display::number::{fixed, significant};
use display::picture::{Anchor, Outline, Picture, Rect, Stroke, between};
pub use scale::Scale;
use scale::{at_doublings, doublings};
use studio::value_text::fitting;
use studio::{Channel, Plan};
use systolic::{CarriedSums, Cycle, Macs, PeId, SumStatus, Value};

/// Maximum number of PEs for which each frame computes rounding errors. Each error needs an exact sum with as many
/// terms as the rounded sum, so more PEs would take too long.
pub const ERROR_PES_MAX: usize = 4096;

/// Shades, from the lowest numbers to the highest.
pub const SHADES: [Tone; 8] =
    [Tone::Shade0, Tone::Shade1, Tone::Shade2, Tone::Shade3, Tone::Shade4, Tone::Shade5, Tone::Shade6, Tone::Shade7];

/// Index of the first dark shade. On a dark shade, text has the color [`Tone::Ground`] instead of [`Tone::Ink`].
const DEEP: usize = 5;

/// Returns the set of sums that a channel needs.
const fn sum_set(channel: Channel) -> Option<SumSet> {
    match channel {
        Channel::Sum => Some(SumSet::Stage),
        Channel::Error => Some(SumSet::Exact),
        Channel::Activity | Channel::Useful | Channel::Wasted => None,
    }
}

/// Returns the layer that draws a channel on the array; `None` for [`Channel::Activity`].
#[must_use]
pub fn layer(channel: Channel) -> Option<Layer> {
    match channel {
        Channel::Activity => None,
        Channel::Sum => Some(|frame, scene, picture| draw(Channel::Sum, frame, scene, picture)),
        Channel::Useful => Some(|frame, scene, picture| draw(Channel::Useful, frame, scene, picture)),
        Channel::Wasted => Some(|frame, scene, picture| draw(Channel::Wasted, frame, scene, picture)),
        Channel::Error => Some(|frame, scene, picture| draw(Channel::Error, frame, scene, picture)),
    }
}

/// Formats a number of a channel in a few glyphs.
#[must_use]
pub fn text(channel: Channel, value: f64) -> String {
    match channel {
        Channel::Wasted => format!("{}%", fixed(value * 100.0, 0)),
        Channel::Error if value > 0.0 && value < 0.01 => "<.01".to_owned(),
        _ => significant(value, 2),
    }
}

/// The numbers of a channel for a block of PEs.
pub struct Readings<'a> {
    channel: Channel,
    plan: &'a Plan,
    cycle: Cycle,
    /// The sums, if the channel needs them.
    sums: Option<Rc<CarriedSums>>,
}

impl<'a> Readings<'a> {
    /// Computes the numbers of all PEs of a run at a clock edge, without a limit on time.
    #[must_use]
    pub fn new(channel: Channel, plan: &'a Plan, cycle: Cycle) -> Self {
        let array = plan.schedule().array();
        let block = (0..array.rows(), 0..array.cols());
        let sums = sum_set(channel).map(|set| all_sums(plan, cycle, set, block));
        Self { channel, plan, cycle, sums }
    }

    /// Returns the number of a PE; `None` if the PE has no number or its sum is not complete.
    #[must_use]
    pub fn at(&self, pe: PeId) -> Option<f64> {
        match self.channel {
            Channel::Activity => None,
            Channel::Sum => size_of(self.sums.as_ref()?.sum(pe, self.plan.unit())),
            Channel::Useful | Channel::Wasted => Some(self.share(self.plan.schedule().useful_of(self.cycle, pe))),
            Channel::Error => self.sums.as_ref()?.ulps_off(pe, self.plan.unit()),
        }
    }

    /// Calls `see` with the number of each PE, row by row. For millions of PEs, this function is faster than calls of
    /// [`at`](Self::at).
    fn each(&self, mut see: impl FnMut(Option<f64>)) {
        let schedule = self.plan.schedule();
        match (self.channel, &self.sums) {
            (Channel::Sum, Some(sums)) => sums.each_size(self.plan.unit(), see),
            (Channel::Useful | Channel::Wasted, _) => {
                schedule.each_useful(self.cycle, |useful| see(Some(self.share(useful))));
            }
            _ => schedule.array().iter().for_each(|pe| see(self.at(pe))),
        }
    }

    /// Converts the useful cycles of a PE to the number that the channel shows.
    fn share(&self, useful: Macs) -> f64 {
        let cycles = self.cycle.min(self.plan.last()).as_f64() + 1.0;
        if self.channel == Channel::Wasted { 1.0 - useful.as_f64() / cycles } else { useful.as_f64() }
    }

    /// Returns the scale for the numbers of these PEs.
    #[must_use]
    pub fn scale(&self, pes: impl Iterator<Item = PeId>) -> Scale {
        // Only the scale of the sums depends on the PEs. The other scales depend only on the run.
        let pes = pes.filter(|_| self.channel == Channel::Sum);
        self.scale_up_to(pes.filter_map(|pe| self.at(pe)).fold(0.0, larger))
    }

    /// Writes the shades of all PEs into `pixels`, row by row, and returns the scale.
    fn shade_all(&self, pixels: &mut [u8]) -> Scale {
        if self.channel == Channel::Sum {
            return self.shade_all_sums(pixels);
        }
        // Here the scale depends only on the run.
        let scale = self.scale_up_to(0.0);
        let (mut pixels, mut near) = (pixels.iter_mut(), 0);
        self.each(|value| {
            let Some(pixel) = pixels.next() else { return };
            *pixel = value.map_or(Tone::Ground, |value| {
                near = scale.shade_near(value, near);
                SHADES[near]
            }) as u8;
        });
        scale
    }

    /// Writes the shades of all sums with a single pass over the sums. Each step of the scale is a doubling, so the
    /// exponent of a sum gives its shade once the largest sum is known.
    fn shade_all_sums(&self, pixels: &mut [u8]) -> Scale {
        let (mut most, mut left) = (0.0, pixels.iter_mut());
        self.each(|size| {
            most = larger(most, size.unwrap_or(0.0));
            if let Some(pixel) = left.next() {
                *pixel = size.map_or(0, doublings);
            }
        });
        let scale = self.scale_up_to(most);
        let mut tones = [Tone::Ground as u8; 256];
        for (tone, code) in tones.iter_mut().zip(0..=u8::MAX).skip(1) {
            *tone = SHADES[scale.shade(at_doublings(code))] as u8;
        }
        for pixel in pixels {
            *pixel = tones[usize::from(*pixel)];
        }
        scale
    }

    fn scale_up_to(&self, most: f64) -> Scale {
        Scale::new(self.channel, self.plan, most)
    }
}

/// Returns the magnitude of a sum; `None` if the sum is not complete.
fn size_of(sum: SumStatus) -> Option<f64> {
    match sum {
        SumStatus::Sum(sum) => Some(sum.as_f64().abs()),
        SumStatus::Nothing | SumStatus::Underway => None,
    }
}

/// Returns the larger of two magnitudes; ignores `size` if it is not finite.
fn larger(most: f64, size: f64) -> f64 {
    if size > most && size.is_finite() { size } else { most }
}

fn draw(channel: Channel, frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let layout = &scene.layout;
    let wide = matches!(layout.detail, Detail::Pixel | Detail::Block);
    let block = if wide { (0..layout.rows, 0..layout.cols) } else { layout.block_seen() };
    // The numbers of an array with a fault have no closed form, so such an array shows no channel.
    if frame.broken.is_some() || (channel == Channel::Error && block.0.len() * block.1.len() > ERROR_PES_MAX) {
        return;
    }
    let sums = match sum_set(channel) {
        None => None,
        Some(set) => match frame.sums_within(set, block.clone()) {
            Some(sums) => Some(sums),
            None => return,
        },
    };
    let readings = Readings { channel, plan: frame.plan, cycle: frame.cycle, sums };
    let scale = if wide { readings.shade_all(&mut picture.pixels) } else { readings.scale(pes_of(block)) };
    if let Some(work) = frame.work {
        work.borrow_mut().set_scale(scale);
    }
    if wide {
        return;
    }
    for pe in layout.pes() {
        let rect = layout.cell_of(pe);
        // The fill is inside the border, because the border still shows the activity of the PE.
        let inside = Rect::new(rect.x + 2.0, rect.y + 2.0, rect.w - 4.0, rect.h - 4.0);
        let Some(value) = readings.at(pe) else {
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

fn pes_of((rows, cols): PeBlock) -> impl Iterator<Item = PeId> {
    rows.flat_map(move |row| cols.clone().map(move |col| PeId::new(row, col)))
}

/// Returns a number of a channel as text that fits this width, and the text size.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few glyphs"
)]
fn fitted(channel: Channel, value: f64, wide: f32) -> (String, f32) {
    let glyphs = ((wide + 1.0) / (GLYPH * TEXT_MIN)) as usize;
    let mut text = text(channel, value);
    if text.chars().count() > glyphs {
        // The legend shows the percent sign.
        text = match channel {
            Channel::Wasted => fixed(value * 100.0, 0),
            _ => fitting(Value::Float(value as f32), glyphs),
        };
    }
    let widest = wide / (GLYPH * text.chars().count().max(1) as f32);
    let size = between((wide * 0.36).min(widest), TEXT_MIN, 18.0);
    (text, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use studio::Link;
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
                let frame = Frame { channel: layer(channel), ..Frame::new(&plan, Cycle(cycle)) };
                stage::draw(&frame, 300.0, 300.0, &mut picture);
                let readings = Readings::new(channel, &plan, Cycle(cycle));
                for value in plan.schedule().array().iter().filter_map(|pe| readings.at(pe)) {
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
            let (useful, wasted) =
                (Readings::new(Channel::Useful, &plan, cycle), Readings::new(Channel::Wasted, &plan, cycle));
            for pe in plan.schedule().array().iter() {
                let all = cycle.as_f64() + 1.0;
                let sum = useful.at(pe).expect("known") + wasted.at(pe).expect("known") * all;
                assert!((sum - all).abs() < 1e-9, "{pe:?}");
            }
        }
    }

    #[test]
    fn whole_numbers_are_exact_and_small_floats_are_not() {
        let whole = plan("rows=4&cols=4&m=4&k=4&n=4&df=os&dt=int8");
        let off = |plan: &Plan| {
            let readings = Readings::new(Channel::Error, plan, plan.last());
            plan.schedule().array().iter().filter_map(|pe| readings.at(pe)).fold(0.0, f64::max)
        };
        assert_eq!(off(&whole).to_bits(), 0f64.to_bits());
        let float = plan("rows=4&cols=4&m=4&k=512&n=4&df=os&dt=f32&fill=uniform");
        assert!(off(&float) > 0.5, "512 roundings are more than one: {}", off(&float));
    }

    #[test]
    fn a_shade_is_the_same_wherever_its_search_begins() {
        let edges =
            [0.0, f64::MIN_POSITIVE, 0.5, 0.5_f64.next_up(), 1.0, 3.9, 4.0, 16.0, 1e300, f64::INFINITY, f64::NAN];
        let plan = plan("rows=4&cols=4&m=6&k=6&n=3&df=ws&dt=bf16");
        for channel in [Channel::Sum, Channel::Useful, Channel::Wasted, Channel::Error] {
            let scale = Scale::new(channel, &plan, 7.0);
            for value in edges.into_iter().chain(scale.from).chain(scale.from.map(f64::next_down)) {
                for near in 0..SHADES.len() {
                    assert_eq!(scale.shade_near(value, near), scale.shade(value), "{channel:?}: {value} from {near}");
                }
            }
        }
    }

    #[test]
    fn shades_follow_their_scale_and_the_legend_says_so() {
        let plan = plan("rows=4&cols=4&m=6&k=6&n=3&df=ws&dt=bf16");
        for channel in &Channel::ALL[1..] {
            let scale = Readings::new(*channel, &plan, Cycle(9)).scale(plan.schedule().array().iter());
            assert!(scale.from.is_sorted() && scale.from[0] == 0.0, "{channel:?}: {scale:?}");
            for (step, from) in scale.from.iter().enumerate() {
                assert_eq!(scale.shade(*from), step, "{channel:?}");
            }
            let legend = scale.legend(*channel);
            assert_eq!(legend.len(), SHADES.len());
            let last = &legend[SHADES.len() - 1].1;
            assert!(last.starts_with("> ") || last.split(" – ").all(|end| !end.is_empty()), "{channel:?}: {last}");
            assert_eq!(Channel::from_id(channel.id()), Some(*channel));
        }
        assert_eq!(Scale::new(Channel::Wasted, &plan, 0.0).legend(Channel::Wasted)[7].1, "88% – 100%");
        assert_eq!(Scale::new(Channel::Sum, &plan, 100.0).legend(Channel::Sum)[7].1, "64 – 130", "two digits");
        assert_eq!(Scale::new(Channel::Error, &plan, 0.0).shade(0.5), 1, "half a unit is rounded correctly");
        assert_eq!(Channel::from_id("zebra"), None);
    }
}
