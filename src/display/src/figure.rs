//! Figures that open: a number with its formula, the numbers put in, and where they come from.

use crate::number::{fixed, readable};
use perfmodel::{Confidence, Definition, Price, Sourced};
use serde::Serialize;

/// A figure that opens.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Stable name.
    pub id: &'static str,
    /// Name on screen.
    pub name: &'static str,
    /// The number with its unit, or that it is unknown.
    pub value: String,
    /// Its 80 % interval, where there is one.
    #[serde(flatten)]
    pub range: Option<Range>,
    /// A few words under the number.
    pub note: String,
    /// The formula in symbols.
    pub formula: &'static str,
    /// The formula with the numbers put in.
    pub worked: String,
    /// What it tells.
    pub says: &'static str,
    /// What it does not see.
    pub leaves_out: &'static str,
    /// Where definition and inputs come from.
    pub citations: Vec<Citation>,
}

/// The interval of a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Range {
    /// Its lower end, in the unit that the value is written in.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
    /// Both in words: "48 to 75 %".
    #[serde(rename = "range")]
    pub words: String,
}

impl Figure {
    /// The value with its interval: "59.7 % (48 to 75 %)".
    #[must_use]
    pub fn shown(&self) -> String {
        format!("{}{}", self.value, self.range_in_brackets())
    }

    /// What stands behind the value: " (48 to 75 %)"; nothing where no interval is known.
    #[must_use]
    pub fn range_in_brackets(&self) -> String {
        self.range.as_ref().map_or_else(String::new, |range| format!(" ({})", range.words))
    }
}

/// An input with its source.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Citation {
    /// What it is, with its value.
    pub what: String,
    /// The document.
    pub source: &'static str,
    /// How far it can be trusted, in a word and what the word means; empty for definitions.
    pub confidence: String,
    /// A conflict, a condition or a derivation worth knowing.
    pub note: &'static str,
}

/// An input of the data tables with its source and how far it can be trusted.
#[must_use]
pub fn cite<T>(what: String, sourced: &Sourced<T>) -> Citation {
    Citation {
        what,
        source: sourced.source.text,
        confidence: format!("{}: {}", sourced.confidence.word(), sourced.confidence.says()),
        note: sourced.note.unwrap_or(""),
    }
}

/// A figure whose meaning is one of the definitions, with the value, note, worked formula and inputs of this case.
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
        Citation { what: "definition".to_owned(), source: definition.source.text, confidence: String::new(), note: "" },
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

/// A time with a unit that suits it.
#[must_use]
pub fn duration(seconds: f64) -> String {
    let (scale, unit) = duration_unit(seconds);
    readable(seconds * scale, 4) + " " + unit
}

/// How many of the unit that suits a time are in a second, and the unit.
#[must_use]
pub fn duration_unit(seconds: f64) -> (f64, &'static str) {
    match seconds {
        s if s < 1e-6 => (1e9, "ns"),
        s if s < 1e-3 => (1e6, "µs"),
        s if s < 1.0 => (1e3, "ms"),
        _ => (1.0, "s"),
    }
}

/// An amount of money with two decimals, or with three digits when it is tiny.
#[must_use]
pub fn dollars(usd: f64) -> String {
    if usd >= 0.01 { format!("${}", fixed(usd, 2)) } else { format!("${}", readable(usd, 3)) }
}

/// A price: cents, and further digits where it has any.
#[must_use]
pub fn cents(usd: f64) -> String {
    let cents = usd * 100.0;
    format!("${}", if (cents - cents.round()).abs() < 1e-6 { fixed(usd, 2) } else { readable(usd, 7) })
}

/// The price in words: "$3.22 per chip-hour, on demand, us-central2, 2025-26 catalog".
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
