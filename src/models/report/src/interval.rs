//! Texts of intervals, such as "47.8 to 74.6 %", in the unit of the predicted value.

use display::figure::{Citation, Range, duration_unit};
use display::number::{percent, readable};
use estimate::Estimate;
use perfmodel::{Confidence, left_out};

/// Number of significant digits of each end of an interval.
const DIGITS: u32 = 3;

/// Formats an interval of shares, in percent.
pub(super) fn percents((low, high): (f64, f64)) -> Range {
    let words = format!("{} to {} %", percent(low), percent(high));
    Range { low: low * 100.0, high: high * 100.0, words }
}

/// Formats an interval of a duration, in the unit that suits the duration `point`.
pub(super) fn durations(point: f64, ends: (f64, f64)) -> Range {
    scaled(ends, duration_unit(point))
}

/// Formats an interval of a count, or of an amount in a unit.
pub(super) fn amounts(ends: (f64, f64), unit: &'static str) -> Range {
    scaled(ends, (1.0, unit))
}

fn scaled((low, high): (f64, f64), (scale, unit): (f64, &str)) -> Range {
    let (low, high) = (low * scale, high * scale);
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    Range { low, high, words: format!("{} to {}{unit}", readable(low, DIGITS), readable(high, DIGITS)) }
}

/// Formats an interval of dollars.
pub(crate) fn dollars((low, high): (f64, f64)) -> Range {
    Range { low, high, words: format!("{} to {}", display::figure::dollars(low), display::figure::dollars(high)) }
}

/// Describes the method and the data behind an interval.
fn basis(estimate: &Estimate) -> String {
    if let Some(serving) = estimate.serving {
        let by = readable(serving.log.exp(), DIGITS);
        return format!(
            "from the time of matmuls and communication to time × {by}. Such an interval should contain 80 % of the runs of a further publication. `systolic check --by serving` prints the coverage"
        );
    }
    let (factor, spread) = estimate.share.as_ref().map_or((0.0, 0.0), |share| (share.factor, share.forecast.spread));
    let by = readable((factor * spread).exp(), DIGITS);
    let [factor, spread] = [factor, spread].map(|number| readable(number, DIGITS));
    format!(
        "from MFU ÷ {by} to MFU × {by}, but at most an HFU of 100 %. {by} is e^({factor} · {spread}). {spread} is the standard deviation of the logarithm of the prediction. {factor} is the factor with which an interval should contain 80 % of the runs of a further publication. The factor comes from publications that were left out, each counted once"
    )
}

/// Returns the citation of an interval: its method and data, or the reason why the interval is missing.
pub(super) fn citation(estimate: &Estimate) -> Citation {
    let basis = estimate.interval().map_or_else(|| "none, because no published run of this workload is in the table of published runs, or because the MFU is unknown".to_owned(), |_| basis(estimate));
    Citation {
        what: format!("interval: {basis}"),
        source: left_out::SOURCE.text,
        confidence: format!("{}: {}", Confidence::Low.word(), "approximate, because only a few publications exist"),
        note: "",
    }
}
