//! Axes of plots: the quantity, the range and the ticks.

use crate::number::{grouped, readable};

/// An axis of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name of the quantity, with its unit.
    pub name: String,
    /// Values at the two ends of the axis.
    pub ends: (f64, f64),
    /// True if the axis is logarithmic.
    pub is_log: bool,
    /// Names of the rows, from top to bottom; empty if the axis shows a quantity.
    pub rows: Vec<String>,
}

impl Axis {
    /// Returns a linear axis from zero to `most`.
    #[must_use]
    pub fn linear(name: impl Into<String>, most: f64) -> Self {
        Self { name: name.into(), ends: (0.0, most), is_log: false, rows: Vec::new() }
    }

    /// Returns a linear axis from zero to the first round number that is not below `most`.
    #[must_use]
    pub fn round(name: impl Into<String>, most: f64) -> Self {
        let power = 10f64.powf(most.max(f64::MIN_POSITIVE).log10().floor());
        let top = [1.0, 2.0, 2.5, 3.0, 4.0, 5.0].into_iter().map(|part| part * power).find(|top| *top >= most);
        Self::linear(name, top.unwrap_or(10.0 * power))
    }

    /// Returns an axis with named rows, the first row at the top.
    #[must_use]
    pub fn rows(rows: Vec<String>) -> Self {
        let ends = (rows.len() as f64, 0.0);
        Self { name: String::new(), ends, is_log: false, rows }
    }

    /// Returns the coordinate of the middle of a row on an axis with rows.
    #[must_use]
    pub fn row(index: usize) -> f64 {
        index as f64 + 0.5
    }

    /// Returns a logarithmic axis for the positive numbers in `values`. The axis begins and ends at whole powers of
    /// ten.
    #[must_use]
    pub fn decades(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for value in values.into_iter().filter(|value| value.is_finite() && *value > 0.0) {
            (least, most) = (least.min(value), most.max(value));
        }
        let ends = if most > 0.0 {
            let low = 10f64.powf(least.log10().floor());
            let high = 10f64.powf(most.log10().ceil());
            (low, if high > low { high } else { low * 10.0 })
        } else {
            (1.0, 10.0)
        };
        Self { name: name.into(), ends, is_log: true, rows: Vec::new() }
    }

    /// Returns a logarithmic axis between two positive ends, which need not be powers of ten.
    #[must_use]
    pub fn factors(name: impl Into<String>, least: f64, most: f64) -> Self {
        let possible = least > 0.0 && most > least && most.is_finite();
        let ends = if possible { (least, most) } else { (1.0, 10.0) };
        Self { name: name.into(), ends, is_log: true, rows: Vec::new() }
    }

    /// Position of a value along the axis: 0 is the first end, and 1 is the second end. Values outside the axis give
    /// positions below 0 or above 1.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        let (least, most) = self.ends;
        if self.is_log {
            (value.max(f64::MIN_POSITIVE) / least).ln() / (most / least).ln()
        } else {
            (value - least) / (most - least)
        }
    }

    /// Returns the ticks as values with texts, at most `n_max` on a numeric axis. An `n_max` below 2 counts as 2.
    #[must_use]
    pub fn ticks(&self, n_max: usize) -> Vec<(f64, String)> {
        let n_max = n_max.max(2);
        if !self.rows.is_empty() {
            return self.rows.iter().enumerate().map(|(index, name)| (Self::row(index), name.clone())).collect();
        }
        if !self.is_log {
            let (least, end) = self.ends;
            // The steps are equal and end at the end of the axis, so that the end has a tick.
            let steps = [10.0, 20.0, 25.0, 50.0, 5.0, 2.0, 1.0].map(|part| part * (end - least) / 100.0);
            let fits = |step: &f64| (end - least) / step < n_max as f64;
            let round = |step: &f64| (step / 10.0).fract().abs() < 1e-9;
            let step = steps.into_iter().find(|step| fits(step) && round(step));
            let step = step.or_else(|| steps.into_iter().find(fits)).unwrap_or(end - least);
            let values = (0..=10).map(|at| least + f64::from(at) * step).filter(|value| *value <= end * (1.0 + 1e-9));
            return values.map(|value| (value, readable(value, 3))).collect();
        }
        let (low, high) = (exponent(self.ends.0.log10().floor()), exponent(self.ends.1.log10().ceil()));
        let within = |value: f64| (-1e-9..=1.0 + 1e-9).contains(&self.place(value));
        let powers =
            || (low..=high).map(|power| (10f64.powi(power), decade(power))).filter(|(value, _)| within(*value));
        let all = powers().count();
        if all > 2 {
            return powers().step_by(all.div_ceil(n_max).max(1)).collect();
        }
        // An axis with few powers of ten also has ticks at 2 and 5.
        let parts = (low..=high).flat_map(|power| [1.0, 2.0, 5.0].map(|part| part * 10f64.powi(power)));
        let parts: Vec<f64> = parts.filter(|value| within(*value)).collect();
        if parts.len() < 3 {
            return self.even_ticks(n_max.min(5));
        }
        let step = parts.len().div_ceil(n_max).max(1);
        parts.into_iter().step_by(step).map(|value| (value, readable(value, 3))).collect()
    }
}

impl Axis {
    /// Returns at most `n_max` round values at equal distances, for a short logarithmic axis.
    fn even_ticks(&self, n_max: usize) -> Vec<(f64, String)> {
        let (least, most) = self.ends;
        let power = exponent((most - least).log10().floor());
        let steps = (power - 2..=power).flat_map(|power| [1.0, 2.0, 5.0].map(|part| part * 10f64.powi(power)));
        let ticks = |step: f64| {
            let first = (least / step).ceil();
            (0..=n_max).map(move |at| (first + at as f64) * step).filter(move |value| *value <= most * (1.0 + 1e-9))
        };
        let step = steps.into_iter().find(|step| ticks(*step).count() <= n_max).unwrap_or(most - least);
        ticks(step).map(|value| (value, readable(value, 3))).collect()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "an exponent of a double")]
fn exponent(value: f64) -> i32 {
    value as i32
}

/// Formats a power of ten: `0.01`, `1`, `1000`, `10⁶`.
fn decade(power: i32) -> String {
    match power {
        0..=4 => grouped(10u64.pow(power.unsigned_abs())),
        -3..=-1 => format!("0.{}1", "0".repeat(usize::try_from(-power - 1).unwrap_or(usize::MAX))),
        _ => {
            const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
            let sign = if power < 0 { "⁻" } else { "" };
            let digits = power.unsigned_abs().to_string();
            let raised = digits.bytes().filter_map(|digit| DIGITS.get(usize::from(digit - b'0')));
            format!("10{sign}{}", raised.collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_short_logarithmic_axis_has_several_ticks() {
        for (least, most) in [(0.62, 0.97), (0.11, 0.19), (1.1, 1.3), (30.0, 49.0), (5.5, 19.0)] {
            let ticks = Axis::factors("$", least, most).ticks(6);
            assert!((2..=6).contains(&ticks.len()), "{least} {most}: {ticks:?}");
            assert!(ticks.iter().all(|(at, _)| (least..=most * 1.001).contains(at)), "{least} {most}: {ticks:?}");
            let mut texts: Vec<&String> = ticks.iter().map(|(_, text)| text).collect();
            texts.dedup();
            assert_eq!(texts.len(), ticks.len(), "{least} {most}: {ticks:?}");
        }
    }

    #[test]
    fn a_logarithmic_axis_begins_and_ends_at_powers_of_ten() {
        let axis = Axis::decades("chips", [3.0, 8192.0]);
        assert_eq!(axis.ends, (1.0, 10_000.0));
        let texts: Vec<String> = axis.ticks(9).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["1", "10", "100", "1000", "10\u{202f}000"]);
        assert!((axis.place(100.0) - 0.5).abs() < 1e-12);
        assert_eq!(axis.ticks(3).len(), 3);
        let tiny = Axis::decades("rate", [0.02, 3e6]);
        let texts: Vec<String> = tiny.ticks(20).into_iter().map(|(_, text)| text).collect();
        assert_eq!((texts[0].as_str(), texts.last().map(String::as_str)), ("0.01", Some("10⁷")));
        assert_eq!(Axis::decades("one", [10.0]).ends, (10.0, 100.0));
        let short: Vec<String> =
            Axis::factors("rate", 15.0, 400.0).ticks(7).into_iter().map(|(_, text)| text).collect();
        assert_eq!(short, ["20", "50", "100", "200"]);
        assert_eq!(Axis::factors("none", 0.0, f64::NAN).ends, (1.0, 10.0));
        assert_eq!(Axis::decades("none", [f64::NAN, 0.0]).ends, (1.0, 10.0));
    }

    #[test]
    fn rows_stand_one_under_the_other_and_all_have_their_names() {
        let axis = Axis::rows(["v5e", "H100", "v6e"].map(str::to_owned).to_vec());
        let texts: Vec<String> = axis.ticks(2).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["v5e", "H100", "v6e"]);
        // 1 is the top, as on every vertical axis.
        let places = [0, 1, 2].map(|row| axis.place(Axis::row(row)));
        assert!(places.is_sorted_by(|a, b| a > b) && (places[1] - 0.5).abs() < 1e-12, "{places:?}");
    }

    #[test]
    fn a_round_axis_ends_just_above_what_is_on_it() {
        let ends = [17.4, 20.0, 24.8, 0.32, 999.0].map(|most| Axis::round("$", most).ends.1);
        assert_eq!(ends.map(|end| (end * 10.0).round() / 10.0), [20.0, 20.0, 25.0, 0.4, 1000.0]);
    }

    #[test]
    fn a_linear_axis_begins_at_zero_in_even_steps() {
        let axis = Axis::linear("MFU, %", 100.0);
        let texts: Vec<String> = axis.ticks(6).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["0", "20", "40", "60", "80", "100"]);
        assert!((axis.place(25.0) - 0.25).abs() < 1e-12);
        let texts: Vec<String> = Axis::linear("MFU, %", 80.0).ticks(7).into_iter().map(|(_, text)| text).collect();
        assert_eq!(texts, ["0", "20", "40", "60", "80"]);
    }
}
