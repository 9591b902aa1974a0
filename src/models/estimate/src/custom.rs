//! Custom values of a chip, as text: `peak-bf16.200_hbm.1200_price.0.8`.
//!
//! Each value is a name, a dot, and a number or `unknown`. Underscores join the values because links do not escape
//! underscores. Commas and spaces may also separate the values.

use crate::{Allowed, InvalidEntry};
use display::number::{read as number, significant};
use perfmodel::{Chip, Compute, CustomValue, CustomValues, PeakDtype};

/// Number of significant digits to which values are rounded, so that the displayed text reads back as the same value.
const DIGITS: u32 = 9;

/// The word for an unknown value.
const UNKNOWN: &str = "unknown";

/// All custom values except peaks, each with its name in a link and the id of its form entry.
const NAMED: [(&str, &str, CustomValue); 8] = [
    ("hbm", "own-hbm", CustomValue::Bandwidth),
    ("capacity", "own-capacity", CustomValue::Capacity),
    ("rows", "own-rows", CustomValue::Rows),
    ("cols", "own-cols", CustomValue::Cols),
    ("arrays", "own-arrays", CustomValue::Arrays),
    ("clock", "own-clock", CustomValue::Clock),
    ("power", "own-power", CustomValue::Power),
    ("price", "own-price", CustomValue::Price),
];

/// A form entry that sets one custom value of the chip. The peaks of all formats share one entry, which sets the peak
/// of the chosen format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CustomEntry(CustomValue);

impl CustomEntry {
    /// All entries of custom values, in the order of the form. The price is not in this list, because the form has a
    /// separate entry for the price.
    pub const ALL: [Self; 8] = [
        Self::of(CustomValue::Peak(PeakDtype::Bf16)),
        Self::of(CustomValue::Bandwidth),
        Self::of(CustomValue::Capacity),
        Self::of(CustomValue::Rows),
        Self::of(CustomValue::Cols),
        Self::of(CustomValue::Arrays),
        Self::of(CustomValue::Clock),
        Self::of(CustomValue::Power),
    ];

    /// Returns the entry that sets a value.
    #[must_use]
    pub const fn of(value: CustomValue) -> Self {
        match value {
            // All peaks share one entry, so they must be equal here.
            CustomValue::Peak(_) => Self(CustomValue::Peak(PeakDtype::Bf16)),
            other => Self(other),
        }
    }

    /// Returns the entry's id on the page.
    #[must_use]
    pub fn id(self) -> &'static str {
        NAMED.iter().find(|(.., value)| *value == self.0).map_or("own-peak", |(_, id, _)| id)
    }

    /// Returns the custom value that the entry sets if the operands have the format `dtype`.
    #[must_use]
    pub const fn value(self, dtype: PeakDtype) -> CustomValue {
        match self.0 {
            CustomValue::Peak(_) => CustomValue::Peak(dtype),
            other => other,
        }
    }

    /// Returns the published value of a chip, in the entry's unit.
    #[must_use]
    pub fn published(self, chip: &Chip, dtype: PeakDtype) -> Option<f64> {
        let side = |which: fn([Option<u32>; 3]) -> Option<u32>| which(arrays(&chip.compute)).map(f64::from);
        match self.0 {
            CustomValue::Peak(_) => chip.peak(dtype).and_then(|peak| peak.value),
            CustomValue::Bandwidth => chip.memory.gb_per_sec.value,
            CustomValue::Capacity => chip.memory.bytes().map(|bytes| bytes / 1e9),
            CustomValue::Rows => side(|[rows, ..]| rows),
            CustomValue::Cols => side(|[_, cols, _]| cols),
            CustomValue::Arrays => side(|[.., arrays]| arrays),
            CustomValue::Clock => chip.clock_mhz.value,
            CustomValue::Power => chip.usual_power().and_then(|(_, watts)| watts.value),
            CustomValue::Price => chip.default_price().and_then(|price| price.usd_per_chip_hour.value),
        }
    }
}

/// Returns the rows and columns of a chip's arrays, and the number of arrays.
fn arrays(compute: &Compute) -> [Option<u32>; 3] {
    match compute {
        Compute::Arrays { rows, cols, units_per_core, cores, .. } => {
            let all = units_per_core.value.zip(cores.value).map(|(units, cores)| units.saturating_mul(cores));
            [rows.value, cols.value, all]
        }
        Compute::TensorCores { .. } | Compute::Unknown(_) => [None; 3],
    }
}

/// Returns the custom value with this name in a link.
fn named(name: &str) -> Option<CustomValue> {
    match name.strip_prefix("peak-") {
        Some(dtype) => PeakDtype::ALL.into_iter().find(|one| one.word() == dtype).map(CustomValue::Peak),
        None => NAMED.iter().find(|(one, ..)| *one == name).map(|(.., which)| *which),
    }
}

/// Returns the name of a custom value in a link.
#[must_use]
pub fn name(which: CustomValue) -> String {
    match which {
        CustomValue::Peak(dtype) => format!("peak-{}", dtype.word()),
        _ => NAMED.iter().find(|(.., one)| *one == which).map_or_else(String::new, |(name, ..)| (*name).to_owned()),
    }
}

fn pieces(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let pieces = text.split(|c: char| c == '_' || c == ',' || c.is_whitespace()).filter(|piece| !piece.is_empty());
    pieces.map(|piece| piece.split_once('.').unwrap_or((piece, "")))
}

/// Reads custom values from text. Never fails: each unusable piece becomes an [`InvalidEntry`] and sets nothing.
pub(super) fn read(text: &str) -> (CustomValues, Vec<InvalidEntry>) {
    let (mut own, mut invalid) = (CustomValues::default(), Vec::new());
    for (piece, given) in pieces(text) {
        let mut refuse = |allowed| invalid.push(InvalidEntry::piece(piece, given, allowed));
        let Some(which) = named(piece) else {
            let peaks = PeakDtype::ALL.map(|dtype| name(CustomValue::Peak(dtype)));
            refuse(Allowed::Piece(peaks.into_iter().chain(NAMED.map(|(name, ..)| name.to_owned())).collect()));
            continue;
        };
        if own.iter().any(|(of, _)| of == which) {
            refuse(Allowed::Once);
            continue;
        }
        let value = if given == UNKNOWN {
            Some(None)
        } else {
            // The value is rounded as it will be shown, so that a link always gives the same value.
            number(given)
                .filter(|value| value.is_finite())
                .and_then(|value| number(&significant(value, DIGITS)))
                .map(Some)
        };
        if value.is_none_or(|value| own.set(which, value).is_err()) {
            refuse(Allowed::CustomValue(which));
        }
    }
    (own, invalid)
}

/// Returns custom values as the text of the entry `own`.
#[must_use]
pub fn show(own: &CustomValues) -> String {
    let all = own.iter().map(|(which, value)| {
        let value = value.map_or_else(|| UNKNOWN.to_owned(), |value| significant(value, DIGITS));
        format!("{}.{value}", name(which))
    });
    all.collect::<Vec<_>>().join("_")
}

/// Returns the value that `text` gives to a name, as typed, even if the value is unusable.
pub(crate) fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    pieces(text).find(|(other, _)| *other == name).map(|(_, value)| value)
}

/// Returns `text` with the value of one name replaced; an empty `value` removes the name.
pub(crate) fn with(text: &str, name: &str, value: &str) -> String {
    let value: String = value.chars().filter(|c| !(c.is_whitespace() || matches!(c, '_' | ','))).collect();
    let others = pieces(text).filter(|(other, _)| *other != name).map(|(name, value)| format!("{name}.{value}"));
    let own = (!value.is_empty()).then(|| format!("{name}.{value}"));
    others.chain(own).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn runner() -> proptest::test_runner::TestRunner {
        let config = proptest::test_runner::Config { cases: 400, failure_persistence: None, ..Default::default() };
        let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[7; 32]);
        proptest::test_runner::TestRunner::new_with_rng(config, rng)
    }

    #[test]
    fn a_chip_reads_as_it_is_written() {
        let (own, invalid) = read("peak-bf16.200, hbm.1200 rows.128_clock.unknown_price.0.8");
        assert_eq!(invalid, []);
        let expected = [
            (CustomValue::Peak(PeakDtype::Bf16), Some(200.0)),
            (CustomValue::Bandwidth, Some(1200.0)),
            (CustomValue::Rows, Some(128.0)),
            (CustomValue::Clock, None),
            (CustomValue::Price, Some(0.8)),
        ];
        assert_eq!(own.iter().collect::<Vec<_>>(), expected);
        assert_eq!(show(&own), "peak-bf16.200_hbm.1200_rows.128_clock.unknown_price.0.8");
    }

    #[test]
    fn what_is_shown_reads_back_the_same() {
        let which = prop::sample::select(
            NAMED.iter().map(|(.., which)| *which).chain(PeakDtype::ALL.map(CustomValue::Peak)).collect::<Vec<_>>(),
        );
        let value =
            prop_oneof![Just(None), (0.001..1e8_f64).prop_map(Some), (1..65_536_u32).prop_map(|n| Some(n.into()))];
        let ran = runner().run(&prop::collection::vec((which, value), 0..12), |values| {
            // A value in a link has nine digits.
            let text: Vec<String> = values
                .iter()
                .map(|(which, value): &(CustomValue, Option<f64>)| {
                    let value = value.map_or_else(|| UNKNOWN.to_owned(), |value| significant(value, DIGITS));
                    format!("{}.{value}", name(*which))
                })
                .collect();
            let (own, _) = read(&text.join("_"));
            let (again, invalid) = read(&show(&own));
            prop_assert_eq!(invalid, []);
            prop_assert_eq!(again, own);
            Ok(())
        });
        ran.expect("the same");
    }

    #[test]
    fn every_piece_is_used_or_refused() {
        let piece = prop_oneof!["[ -~]{0,14}", "(peak-bf16|hbm|rows|price|zebra)\\.[0-9a-z.-]{0,9}", "[^a]{0,6}"];
        let ran = runner().run(&prop::collection::vec(piece, 0..6), |all| {
            let text = all.join("_");
            let (own, invalid) = read(&text);
            prop_assert!(own.iter().count() + invalid.len() == pieces(&text).count());
            Ok(())
        });
        ran.expect("total");
    }

    #[test]
    fn a_piece_is_refused_for_its_name_its_value_or_its_repetition() {
        let refused = |text: &str| read(text).1.into_iter().map(|one| one.allowed).collect::<Vec<_>>();
        assert_eq!(refused("hbm.fast"), [Allowed::CustomValue(CustomValue::Bandwidth)]);
        assert_eq!(refused("rows.0"), [Allowed::CustomValue(CustomValue::Rows)]);
        assert!(matches!(&refused("speed.9")[..], [Allowed::Piece(all)] if all[0] == "peak-bf16"));
        assert_eq!(refused("hbm.1_hbm.2"), [Allowed::Once]);
        assert_eq!(refused("price"), [Allowed::CustomValue(CustomValue::Price)]);
    }

    #[test]
    fn a_value_is_set_and_taken_out_as_typed() {
        let text = with("hbm.1200", "rows", "1 28");
        assert_eq!(text, "hbm.1200_rows.128");
        assert_eq!(with(&text, "hbm", "fast"), "rows.128_hbm.fast");
        assert_eq!(with(&with(&text, "hbm", ""), "rows", " "), "");
        assert_eq!(value("hbm.fast_rows.128", "hbm"), Some("fast"));
    }
}
