//! Amounts that are rounded together, so that the shown parts add up to the shown whole.

use core::fmt;

use crate::number::grouped;

/// Number of digits of the whole.
const DIGITS: i32 = 4;
/// Number of decimals of amounts of money below 1000.
const CENTS: i32 = 2;

/// A whole and its parts, all rounded to the same number of decimals. The rounded parts add up to the rounded whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundedParts {
    /// Rounded parts; `None` for an unknown part.
    pub parts: Vec<Option<Decimal>>,
    /// Sum of the known parts.
    pub whole: Decimal,
}

/// A decimal number, stored as a count of units of its last decimal place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// Number in units of the last decimal place.
    pub units: u64,
    /// Number of decimals.
    pub decimals: u32,
}

impl fmt::Display for Decimal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = 10u64.pow(self.decimals);
        to.write_str(&grouped(self.units / scale))?;
        if self.decimals == 0 {
            return Ok(());
        }
        write!(to, ".{:0width$}", self.units % scale, width = self.decimals as usize)
    }
}

impl RoundedParts {
    /// Rounds amounts by the method of largest remainders. A rounded amount differs from the exact amount by at most
    /// one unit of the last place.
    ///
    /// Negative amounts count as zero. Returns `None` if the sum is 10¹³ or more, because the last place would be lost.
    #[must_use]
    pub fn new(amounts: &[Option<f64>]) -> Option<Self> {
        let sum: f64 = amounts.iter().flatten().map(|amount| amount.max(0.0)).sum();
        (sum < 1e13).then(|| Self::in_places(amounts, sum, places(amounts, sum)))
    }

    /// Rounds shares of the whole to tenths of a percent that add up to exactly 100.0. Returns `None` if a part is
    /// unknown, or if the whole is zero or infinite.
    #[must_use]
    pub fn percent(amounts: &[Option<f64>]) -> Option<Self> {
        let known: Vec<f64> =
            amounts.iter().map(|amount| amount.map(|amount| amount.max(0.0))).collect::<Option<_>>()?;
        let sum: f64 = known.iter().sum();
        let shares: Vec<Option<f64>> = known.iter().map(|amount| Some(amount / sum * 100.0)).collect();
        (sum > 0.0 && sum.is_finite()).then(|| Self::in_places(&shares, 100.0, 1))
    }

    /// Rounds amounts to `places` decimal places. For example, `-3` rounds to thousands.
    fn in_places(amounts: &[Option<f64>], sum: f64, places: i32) -> Self {
        let scale = 10f64.powi(places);
        let (decimals, step) = (places.max(0).unsigned_abs(), 10u64.pow(places.min(0).unsigned_abs()));
        let scaled: Vec<Option<f64>> = amounts.iter().map(|amount| Some((*amount)?.max(0.0) * scale)).collect();
        let mut units: Vec<Option<u64>> = scaled.iter().map(|one| one.map(to_u64)).collect();
        let mut rest: Vec<f64> = scaled.iter().map(|one| one.map_or(-1.0, f64::fract)).collect();
        let floors: u64 = units.iter().flatten().sum();
        for _ in floors..to_u64((sum * scale).round()) {
            let most = (0..rest.len()).fold(0, |most, at| if rest[at] > rest[most] { at } else { most });
            if let Some((Some(unit), rest)) =
                units.get_mut(most).zip(rest.get_mut(most)).map(|(unit, rest)| (unit.as_mut(), rest))
            {
                *unit += 1;
                *rest = -1.0;
            }
        }
        let of = |units: u64| Decimal { units: units * step, decimals };
        let whole = of(units.iter().flatten().sum());
        Self { parts: units.into_iter().map(|unit| unit.map(of)).collect(), whole }
    }
}

/// Returns the number of decimal places. `sum` gets at least [`DIGITS`] digits, and each part of at least one cent gets
/// at least one digit. A sum below 1000 has from 2 to 12 decimals.
#[expect(clippy::cast_possible_truncation, reason = "from −324 to 13")]
fn places(amounts: &[Option<f64>], sum: f64) -> i32 {
    let last = |amount: f64, digits: i32| digits - 1 - amount.log10().floor() as i32;
    if sum <= 0.0 {
        return CENTS;
    }
    let least = amounts.iter().flatten().copied().filter(|&amount| amount > 0.0).fold(sum, f64::min);
    match last(sum, DIGITS) {
        places if places > 0 => places.clamp(CENTS, 12),
        places => match places.max(last(least, 1)) {
            places if places > 0 => CENTS,
            places => places,
        },
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 2^53, rounded towards zero")]
fn to_u64(value: f64) -> u64 {
    value as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Reads a shown amount in units of its last place, as a person reads it to add up a column.
    fn units(text: &str) -> u128 {
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        digits.parse().expect("digits")
    }

    fn texts(added: &RoundedParts) -> Vec<String> {
        added.parts.iter().flatten().map(Decimal::to_string).collect()
    }

    #[test]
    fn three_thirds_are_one_and_not_ninety_nine_hundredths() {
        let third = Some(1.0 / 3.0);
        let added = RoundedParts::new(&[third, third, third]).expect("small");
        assert_eq!(added.whole.to_string(), "1.000");
        assert_eq!(texts(&added), ["0.334", "0.333", "0.333"]);
        let shares = RoundedParts::percent(&[third, third, third]).expect("some");
        assert_eq!((shares.whole.to_string().as_str(), texts(&shares)[0].as_str()), ("100.0", "33.4"));
    }

    #[test]
    fn an_unknown_part_stays_unknown_and_the_rest_adds_up() {
        let added = RoundedParts::new(&[Some(2.5), None, Some(1_234_567.891)]).expect("small");
        assert_eq!(texts(&added), ["2", "1\u{202f}234\u{202f}568"]);
        assert_eq!(added.parts[1], None);
        assert_eq!(added.whole.to_string(), "1\u{202f}234\u{202f}570");
        let cents = RoundedParts::new(&[Some(2.5), Some(123.456)]).expect("small");
        assert_eq!((texts(&cents)[1].as_str(), cents.whole.to_string().as_str()), ("123.46", "125.96"));
        assert_eq!(RoundedParts::new(&[None, None]).expect("nothing").whole.to_string(), "0.00");
        assert_eq!(RoundedParts::new(&[Some(1e13)]), None);
        assert_eq!(RoundedParts::new(&[Some(f64::NAN)]).map(|added| added.whole.units), Some(0));
    }

    proptest! {
        #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]
        #[test]
        fn the_parts_that_are_shown_add_up_to_the_whole_that_is_shown(
            parts in prop::collection::vec(prop::option::weighted(0.9, -10.0..12.0_f64), 1..8),
        ) {
            let amounts: Vec<Option<f64>> = parts.iter().map(|one| one.map(|power| 10f64.powf(power))).collect();
            let Some(added) = RoundedParts::new(&amounts) else { return Ok(()) };
            let sum: u128 = added.parts.iter().flatten().map(|part| units(&part.to_string())).sum();
            prop_assert_eq!(sum, units(&added.whole.to_string()), "{:?}", added);
            let whole = added.whole.to_string();
            let decimals = whole.split_once('.').map_or(0, |(_, after)| after.len());
            let scale = 10f64.powi(i32::try_from(decimals).expect("few"));
            // This is the unit of the last digit that is not always zero. For sums from 1000 on, it is the fourth
            // digit, and otherwise the last decimal.
            let all: f64 = amounts.iter().flatten().sum();
            let unit = if all >= 1000.0 { 10f64.powf(all.log10().floor() - 3.0) } else { 1.0 / scale };
            prop_assert!(added.parts.iter().flatten().zip(amounts.iter().flatten())
                .all(|(part, amount)| part.units > 0 || *amount <= 0.01), "{:?}", added);
            for (amount, text) in amounts.iter().zip(&added.parts) {
                if let (Some(amount), Some(text)) = (amount, text) {
                    let shown = units(&text.to_string()) as f64 / scale;
                    prop_assert!((shown - amount).abs() <= 1.001 * unit + 1e-9 * amount, "{} as {}", amount, text);
                }
            }
            if let Some(shares) = RoundedParts::percent(&amounts) {
                let sum: u128 = shares.parts.iter().flatten().map(|part| units(&part.to_string())).sum();
                prop_assert_eq!((sum, shares.whole.to_string()), (1000, "100.0".to_owned()));
            }
        }
    }
}
