//! The values of one's own chip as text: `peak-bf16.200_hbm.1200_price.0.8`, each a name, a dot and a number or
//! `unknown`. Underscores join them, because a link keeps these as they are; commas and spaces are read too.

use super::Wrong;
use display::number::{read as number, significant};
use perfmodel::{OwnValue, OwnValues, PeakDtype};

/// Digits that are kept of a value: what is shown then reads back the same.
const DIGITS: u32 = 9;

/// The word for a value that is not known.
const UNKNOWN: &str = "unknown";

/// Names of the values that are not peaks, with their units.
const NAMED: [(&str, OwnValue, &str); 8] = [
    ("hbm", OwnValue::Bandwidth, "GB/s"),
    ("capacity", OwnValue::Capacity, "GB"),
    ("rows", OwnValue::Rows, "PEs"),
    ("cols", OwnValue::Cols, "PEs"),
    ("arrays", OwnValue::Arrays, "arrays of the chip"),
    ("clock", OwnValue::Clock, "MHz"),
    ("power", OwnValue::Power, "W"),
    ("price", OwnValue::Price, "dollars for a chip and an hour"),
];

/// The value of a name.
fn named(name: &str) -> Option<OwnValue> {
    match name.strip_prefix("peak-") {
        Some(dtype) => PeakDtype::ALL.into_iter().find(|one| one.word() == dtype).map(OwnValue::Peak),
        None => NAMED.iter().find(|(one, ..)| *one == name).map(|(_, which, _)| *which),
    }
}

/// The name of a value and its unit.
fn name(which: OwnValue) -> (String, &'static str) {
    match which {
        OwnValue::Peak(dtype) => (format!("peak-{}", dtype.word()), dtype.peak_unit()),
        _ => NAMED
            .iter()
            .find(|(_, one, _)| *one == which)
            .map_or_else(Default::default, |(name, _, unit)| ((*name).to_owned(), *unit)),
    }
}

fn pieces(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let pieces = text.split(|c: char| c == '_' || c == ',' || c.is_whitespace()).filter(|piece| !piece.is_empty());
    pieces.map(|piece| piece.split_once('.').unwrap_or((piece, "")))
}

fn allowed(which: OwnValue) -> String {
    let (limits, (_, unit)) = (which.allowed(), name(which));
    let whole = if limits.is_whole { "whole numbers" } else { "numbers" };
    let [least, most] = [limits.least, limits.most].map(|limit| significant(limit, DIGITS));
    format!("{whole} of {unit} from {least} to {most}, or {UNKNOWN}")
}

/// Reads the values. Total: what cannot be used is told, each by the name `own-…`.
pub(super) fn read(text: &str) -> (OwnValues, Vec<Wrong>) {
    let (mut own, mut wrong) = (OwnValues::default(), Vec::new());
    for (piece, given) in pieces(text) {
        let mut tell = |allowed| {
            let cut = |text: &str, most| text.chars().filter(|c| !c.is_control()).take(most).collect();
            let name = format!("own-{}", cut(piece, 20) as String);
            wrong.push(Wrong { name, given: cut(given, 40), allowed });
        };
        let Some(which) = named(piece) else {
            let dtypes = PeakDtype::ALL.map(|dtype| name(OwnValue::Peak(dtype)).0);
            let others = NAMED.map(|(name, ..)| name);
            tell(format!("one of {}, {}, with a dot and a number", dtypes.join(", "), others.join(", ")));
            continue;
        };
        if own.iter().any(|(of, _)| of == which) {
            tell("to set it once".to_owned());
            continue;
        }
        let value = if given == UNKNOWN {
            Some(None)
        } else {
            // As it will be shown, so that a link says the same for good.
            number(given)
                .filter(|value| value.is_finite())
                .and_then(|value| number(&significant(value, DIGITS)))
                .map(Some)
        };
        if value.is_none_or(|value| own.set(which, value).is_err()) {
            tell(allowed(which));
        }
    }
    (own, wrong)
}

/// The text of values, as it is read.
pub(super) fn show(own: &OwnValues) -> String {
    let all = own.iter().map(|(which, value)| {
        let value = value.map_or_else(|| UNKNOWN.to_owned(), |value| significant(value, DIGITS));
        format!("{}.{value}", name(which).0)
    });
    all.collect::<Vec<_>>().join("_")
}

/// What a text sets by a name, whether that can be used or not.
pub(crate) fn value<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    pieces(text).find(|(other, _)| *other == name).map(|(_, value)| value)
}

/// The text with one value set anew, as typed; an empty one takes it out.
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
        let (own, wrong) = read("peak-bf16.200, hbm.1200 rows.128_clock.unknown_price.0.8");
        assert_eq!(wrong, []);
        let expected = [
            (OwnValue::Peak(PeakDtype::Bf16), Some(200.0)),
            (OwnValue::Bandwidth, Some(1200.0)),
            (OwnValue::Rows, Some(128.0)),
            (OwnValue::Clock, None),
            (OwnValue::Price, Some(0.8)),
        ];
        assert_eq!(own.iter().collect::<Vec<_>>(), expected);
        assert_eq!(show(&own), "peak-bf16.200_hbm.1200_rows.128_clock.unknown_price.0.8");
    }

    #[test]
    fn what_is_shown_reads_back_the_same() {
        let which = prop::sample::select(
            NAMED.iter().map(|(_, which, _)| *which).chain(PeakDtype::ALL.map(OwnValue::Peak)).collect::<Vec<_>>(),
        );
        let value =
            prop_oneof![Just(None), (0.001..1e8_f64).prop_map(Some), (1..65_536_u32).prop_map(|n| Some(n.into()))];
        let ran = runner().run(&prop::collection::vec((which, value), 0..12), |values| {
            // What a link can say has nine digits.
            let text: Vec<String> = values
                .iter()
                .map(|(which, value): &(OwnValue, Option<f64>)| {
                    let value = value.map_or_else(|| UNKNOWN.to_owned(), |value| significant(value, DIGITS));
                    format!("{}.{value}", name(*which).0)
                })
                .collect();
            let (own, _) = read(&text.join("_"));
            let (again, wrong) = read(&show(&own));
            prop_assert_eq!(wrong, []);
            prop_assert_eq!(again, own);
            Ok(())
        });
        ran.expect("the same");
    }

    #[test]
    fn whatever_is_typed_is_used_or_told_in_one_sentence_each() {
        let piece = prop_oneof!["[ -~]{0,14}", "(peak-bf16|hbm|rows|price|zebra)\\.[0-9a-z.-]{0,9}", "[^a]{0,6}"];
        let ran = runner().run(&prop::collection::vec(piece, 0..6), |all| {
            let text = all.join("_");
            let (own, wrong) = read(&text);
            prop_assert!(own.iter().count() + wrong.len() == pieces(&text).count());
            for one in &wrong {
                let sentence = crate::words::answer::wrong(one);
                prop_assert!(sentence.starts_with("own-") && sentence.ends_with('.'), "{}", sentence);
                prop_assert!(sentence.contains("allowed "), "{}", sentence);
            }
            Ok(())
        });
        ran.expect("total");
    }

    #[test]
    fn a_sentence_names_the_value_what_was_given_and_what_is_allowed() {
        let told = |text: &str| {
            let (_, wrong) = read(text);
            wrong.iter().map(crate::words::answer::wrong).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            told("hbm.fast"),
            "own-hbm = fast: allowed are numbers of GB/s from 0.001 to 100000000, or unknown."
        );
        assert_eq!(told("rows.0"), "own-rows = 0: allowed are whole numbers of PEs from 1 to 65536, or unknown.");
        assert!(told("speed.9").starts_with("own-speed = 9: allowed is one of peak-bf16, "));
        assert_eq!(told("hbm.1_hbm.2"), "own-hbm = 2: allowed is to set it once.");
        assert!(told("price").starts_with("own-price = nothing: "));
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
