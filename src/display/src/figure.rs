//! Figures: a number with its formula, the formula with numbers, and the sources of the inputs.

use crate::number::{fixed, readable};
use perfmodel::{Confidence, Definition, Price, Sourced};
use serde::Serialize;

/// A figure that the reader can open to see its formula and sources.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Stable name.
    pub id: &'static str,
    /// Name on screen.
    pub name: &'static str,
    /// Number with its unit, or `unknown`.
    pub value: String,
    /// 80% interval of the value, if known.
    #[serde(flatten)]
    pub range: Option<Range>,
    /// Short note under the number.
    pub note: String,
    /// Formula in symbols.
    pub formula: &'static str,
    /// Formula with numbers instead of symbols.
    pub worked: String,
    /// Meaning of the figure.
    pub says: &'static str,
    /// Effects that the figure leaves out.
    pub leaves_out: &'static str,
    /// Sources of the definition and of the inputs.
    pub citations: Vec<Citation>,
}

/// Interval of a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Range {
    /// Lower end, in the unit of the value; money in dollars.
    pub low: f64,
    /// Upper end, in the unit of the value; money in dollars.
    pub high: f64,
    /// Interval in words: "47.8 to 74.6 %".
    #[serde(rename = "range")]
    pub words: String,
}

impl Figure {
    /// Returns the value with its interval: "59.7 % (47.8 to 74.6 %)".
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{}{}", self.value, self.range_in_brackets())
    }

    /// Returns the interval in brackets: " (47.8 to 74.6 %)". Empty if no interval is known.
    #[must_use]
    pub fn range_in_brackets(&self) -> String {
        self.range.as_ref().map_or_else(String::new, |range| format!(" ({})", range.words))
    }
}

/// An input with its source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Citation {
    /// Name and value of the input.
    pub what: String,
    /// Document from which the input was taken.
    pub source: &'static str,
    /// Confidence in the input, as a word and its meaning. Empty for definitions.
    pub confidence: String,
    /// Note on a conflict between sources, on a condition or on a derivation. Empty if the input has no note.
    pub note: &'static str,
}

/// Returns the citation of an input from the data tables, with its source and confidence.
#[must_use]
pub fn cite<T>(what: String, sourced: &Sourced<T>) -> Citation {
    Citation {
        what,
        source: sourced.source.citation(),
        confidence: format!("{}: {}", sourced.confidence.word(), sourced.confidence.says()),
        note: sourced.note().unwrap_or(""),
    }
}

/// Returns a figure from its definition, with the value, the note, the formula with numbers, and the inputs of one
/// case.
#[must_use]
pub fn defined(
    definition: &'static Definition,
    value: String,
    note: String,
    worked: String,
    mut citations: Vec<Citation>,
) -> Figure {
    citations.insert(
        0,
        Citation {
            what: "definition".to_owned(),
            source: definition.source.citation(),
            confidence: String::new(),
            note: "",
        },
    );
    Figure {
        id: definition.id,
        name: definition.name,
        value,
        range: None,
        note,
        formula: definition.formula,
        worked,
        says: definition.says,
        leaves_out: definition.leaves_out,
        citations,
    }
}

/// Number of significant digits of times and of amounts of money.
const DIGITS: u32 = 3;
/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// Seconds of a year.
const YEAR: f64 = 365.25 * DAY;

/// Formats a time with three digits in a suitable unit: `1.59 µs`, `9.92 years`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    let (scale, unit) = duration_unit(seconds);
    readable(seconds * scale, DIGITS) + " " + unit
}

/// Returns a suitable unit for a time: the number of units per second, and the name of the unit.
#[must_use]
pub fn duration_unit(seconds: f64) -> (f64, &'static str) {
    match seconds {
        // A value that three digits would round to 1000 gets the next unit.
        s if s < 0.9995e-6 => (1e9, "ns"),
        s if s < 0.9995e-3 => (1e6, "µs"),
        s if s < 0.9995 => (1e3, "ms"),
        s if s < 2.0 * 60.0 => (1.0, "s"),
        s if s < 2.0 * 3600.0 => (1.0 / 60.0, "min"),
        s if s < 2.0 * DAY => (1.0 / 3600.0, "h"),
        s if s < 2.0 * YEAR => (1.0 / DAY, "days"),
        _ => (1.0 / YEAR, "years"),
    }
}

/// Formats dollars: with cents from $1 to $100, and with three digits in other cases: `$0.00142`, `$3.20`, `$35 600`,
/// `$35.6 million`.
#[must_use]
pub fn dollars(usd: f64) -> String {
    let (scale, unit) = match usd {
        usd if usd < 999_500.0 || !usd.is_finite() => (1.0, ""),
        usd if usd < 999_500_000.0 => (1e6, " million"),
        _ => (1e9, " billion"),
    };
    let digits = match usd / scale {
        cents if unit.is_empty() && (0.9995..99.995).contains(&cents) => fixed(cents, 2),
        other => readable(other, DIGITS),
    };
    format!("${digits}{unit}")
}

/// Formats dollars with three digits, in units that keep the text short.
///
/// ```
/// use display::figure::short_dollars;
///
/// let texts = [0.848, 6.505_1, 9.996, 43.82, 99.96, 999.6, 573_800.0, 12.58e6].map(short_dollars);
/// assert_eq!(texts, ["$0.848", "$6.51", "$10.0", "$43.8", "$100", "$1.00 k", "$574 k", "$12.6 M"]);
/// ```
#[must_use]
pub fn short_dollars(usd: f64) -> String {
    let (scale, unit) = match usd {
        usd if usd < 999.5 || !usd.is_finite() => (1.0, ""),
        usd if usd < 999_500.0 => (1e3, " k"),
        usd if usd < 999_500_000.0 => (1e6, " M"),
        usd if usd < 999_500_000_000.0 => (1e9, " B"),
        _ => (1e12, " T"),
    };
    let digits = match usd / scale {
        digits if (0.9995..9.995).contains(&digits) => fixed(digits, 2),
        digits if (9.995..99.95).contains(&digits) => fixed(digits, 1),
        digits => readable(digits, DIGITS),
    };
    format!("${digits}{unit}")
}

/// Formats a price in dollars with two decimals, or with more decimals if the price has fractions of a cent.
#[must_use]
pub fn cents(usd: f64) -> String {
    let cents = usd * 100.0;
    format!("${}", if (cents - cents.round()).abs() < 1e-6 { fixed(usd, 2) } else { readable(usd, 7) })
}

/// Describes a price: "$3.22 per chip-hour, on demand, us-central2, 2025-26 catalog".
#[must_use]
pub fn price_words(price: &Price) -> String {
    let usd = price.usd_per_chip_hour.value.map_or_else(|| "unknown".to_owned(), cents);
    let mut text = format!("{usd} per chip-hour, {}", price.kind.word());
    for part in [price.region, price.date].into_iter().flatten() {
        text.push_str(", ");
        text.push_str(part);
    }
    if price.usd_per_chip_hour.confidence == Confidence::Low {
        text.push_str(", not verified");
    }
    text
}
