//! The scale of a channel: the numbers that its shades represent.

use studio::{Channel, Plan};
use systolic::PeId;

use super::{SHADES, text};
use display::Tone;

/// The scale of a channel: the number at which each shade begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Number at which each shade begins, ascending; the first number is 0.
    pub from: [f64; SHADES.len()],
    /// Number at which the last shade ends; infinite if the last shade has no end.
    pub to: f64,
}

impl Scale {
    /// Returns the scale of a channel. `most` is the largest magnitude of a sum.
    #[must_use]
    pub fn new(channel: Channel, plan: &Plan, most: f64) -> Self {
        let steps = |part: fn(f64) -> f64| {
            let mut from = [0.0; SHADES.len()];
            for (value, step) in from.iter_mut().zip(0u32..) {
                *value = part(f64::from(step));
            }
            Self { from, to: part(SHADES.len() as f64) }
        };
        match channel {
            Channel::Activity | Channel::Wasted => steps(|step| step / 8.0),
            // The first shade is for an exact sum, and the second is for a correctly rounded sum. Each further shade
            // has twice the error of the shade before.
            Channel::Error => {
                Self { from: [0.0, f64::MIN_POSITIVE, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0], to: f64::INFINITY }.nudged()
            }
            Channel::Useful => {
                let most = plan.schedule().useful_of(plan.last(), PeId::default()).as_f64();
                let mut scale = steps(|step| step / 8.0);
                scale.from.iter_mut().for_each(|from| *from *= most);
                scale.to = most;
                scale
            }
            Channel::Sum => {
                // The top is a power of two, so that the scale does not change in every cycle.
                let mut top = 1.0;
                while top < most {
                    top *= 2.0;
                }
                let mut scale = steps(|step| step);
                for from in &mut scale.from[1..] {
                    *from = top * 2f64.powf(*from - 8.0);
                }
                scale.to = top;
                scale
            }
        }
    }

    /// Raises the start of every shade at 0.5 and above to the next larger double. An error of exactly half a unit then
    /// counts as correctly rounded.
    fn nudged(mut self) -> Self {
        for from in &mut self.from[2..] {
            *from = from.next_up();
        }
        self
    }

    /// Returns the shade of a number.
    #[must_use]
    pub fn shade(&self, value: f64) -> usize {
        if value.is_nan() {
            return SHADES.len() - 1;
        }
        self.from.iter().rposition(|&from| value >= from).unwrap_or(0)
    }

    /// Returns the shade of a number, like [`shade`](Self::shade), but tries the shade `near` first. Neighboring PEs
    /// mostly have equal shades.
    pub(super) fn shade_near(&self, value: f64, near: usize) -> usize {
        let is_above = value >= self.from[near];
        let is_below = self.from.get(near + 1).is_none_or(|&next| value < next);
        if is_above && is_below { near } else { self.shade(value) }
    }

    /// Returns each shade with the text of its range.
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
                    (_, None) => format!("{} – {}", text(self.from[step]), text(self.to)),
                };
                (SHADES[step], words)
            })
            .collect()
    }
}

/// Returns a code from 1 to 137 for the binary exponent of a magnitude. Magnitudes below 2⁻⁷ have the first shade of
/// every scale, and magnitudes that are not finite have the last shade.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 2047, then 1 to 137")]
pub(super) fn doublings(size: f64) -> u8 {
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    (exponent.clamp(-8, 128) + 9) as u8
}

/// Returns the power of two for which [`doublings`] returns this code.
pub(super) fn at_doublings(code: u8) -> f64 {
    2f64.powi(i32::from(code) - 9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_exponent_of_a_sum_says_its_shade() {
        let link = Link::parse("rows=4&cols=4&m=6&k=6&n=3&df=ws&dt=int8", "");
        let plan = Plan::new(&link.scenario).expect("a run");
        let sizes = (-160..=128).flat_map(|exponent| {
            let size = 2f64.powi(exponent);
            [size.next_down(), size, size.next_up(), size * 1.5]
        });
        let sizes: Vec<f64> = sizes.chain([0.0, f64::from(f32::MAX), f64::INFINITY, f64::NAN]).collect();
        for most in [0.0, 0.3, 1.0, 1.5, 255.0, 256.0, 257.0, 1e9, f64::from(f32::MAX)] {
            let scale = Scale::new(Channel::Sum, &plan, most);
            for &size in &sizes {
                assert_eq!(
                    scale.shade(at_doublings(doublings(size))),
                    scale.shade(size),
                    "{size:e} where {most:e} is most"
                );
            }
        }
    }
}
