//! Amounts that add up as they are shown: rounded together, not one by one.

use core::fmt;

use crate::number::grouped;

/// Digits that the whole is shown with, at least.
const DIGITS: i32 = 5;

/// A whole and its parts in the same decimals, the parts adding up to the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundedParts {
    /// The parts; `None` where one is not known.
    pub parts: Vec<Option<Decimal>>,
    /// The sum of those that are known.
    pub whole: Decimal,
}

/// A number in units of its last decimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The number, in units of the last decimal.
    pub units: u64,
    /// The number of decimals.
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
    /// Rounds amounts by largest remainder: each is within one unit of the last place of its exact value.
    ///
    /// An amount below zero counts as none. `None` beyond 10¹³, where the last place would be lost.
    #[must_use]
    pub fn new(amounts: &[Option<f64>], least_decimals: u32) -> Option<Self> {
        let sum: f64 = amounts.iter().flatten().map(|amount| amount.max(0.0)).sum();
        let decimals = if sum > 0.0 { decimals(sum).max(least_decimals) } else { least_decimals };
        (sum < 1e13).then(|| Self::in_decimals(amounts, sum, decimals))
    }

    /// Shares of the whole in tenths of a percent, which add up to exactly 100.0; `None` where a part is not known, or
    /// there is no whole.
    #[must_use]
    pub fn percent(amounts: &[Option<f64>]) -> Option<Self> {
        let known: Vec<f64> =
            amounts.iter().map(|amount| amount.map(|amount| amount.max(0.0))).collect::<Option<_>>()?;
        let sum: f64 = known.iter().sum();
        let shares: Vec<Option<f64>> = known.iter().map(|amount| Some(amount / sum * 100.0)).collect();
        (sum > 0.0 && sum.is_finite()).then(|| Self::in_decimals(&shares, 100.0, 1))
    }

    fn in_decimals(amounts: &[Option<f64>], sum: f64, decimals: u32) -> Self {
        let scale = 10u64.pow(decimals) as f64;
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
        let of = |units: u64| Decimal { units, decimals };
        let whole = of(units.iter().flatten().sum());
        Self { parts: units.into_iter().map(|unit| unit.map(of)).collect(), whole }
    }
}

/// Decimals that leave a number [`DIGITS`] digits.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from −13 to 300, then from 0 to 12")]
fn decimals(sum: f64) -> u32 {
    (DIGITS - 1 - sum.log10().floor() as i32).clamp(0, 12) as u32
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

    /// A shown amount in units of its last place, read back as a person adds it up.
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
        let added = RoundedParts::new(&[third, third, third], 2).expect("small");
        assert_eq!(added.whole.to_string(), "1.0000");
        assert_eq!(texts(&added), ["0.3334", "0.3333", "0.3333"]);
        let shares = RoundedParts::percent(&[third, third, third]).expect("some");
        assert_eq!((shares.whole.to_string().as_str(), texts(&shares)[0].as_str()), ("100.0", "33.4"));
    }

    #[test]
    fn an_unknown_part_stays_unknown_and_the_rest_adds_up() {
        let added = RoundedParts::new(&[Some(2.5), None, Some(1_234_567.891)], 2).expect("small");
        assert_eq!(texts(&added), ["2.50", "1\u{202f}234\u{202f}567.89"]);
        assert_eq!(added.parts[1], None);
        assert_eq!(added.whole.to_string(), "1\u{202f}234\u{202f}570.39");
        assert_eq!(RoundedParts::new(&[None, None], 2).expect("nothing").whole.to_string(), "0.00");
        assert_eq!(RoundedParts::new(&[Some(1e13)], 2), None);
        assert_eq!(RoundedParts::new(&[Some(f64::NAN)], 2).map(|added| added.whole.units), Some(0));
    }

    proptest! {
        #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]
        #[test]
        fn the_parts_that_are_shown_add_up_to_the_whole_that_is_shown(
            parts in prop::collection::vec(prop::option::weighted(0.9, -10.0..12.0_f64), 1..8), least in 0u32..3,
        ) {
            let amounts: Vec<Option<f64>> = parts.iter().map(|one| one.map(|power| 10f64.powf(power))).collect();
            let Some(added) = RoundedParts::new(&amounts, least) else { return Ok(()) };
            let sum: u128 = added.parts.iter().flatten().map(|part| units(&part.to_string())).sum();
            prop_assert_eq!(sum, units(&added.whole.to_string()), "{:?}", added);
            let whole = added.whole.to_string();
            let decimals = whole.split_once('.').map_or(0, |(_, after)| after.len());
            let scale = 10f64.powi(i32::try_from(decimals).expect("few"));
            for (amount, text) in amounts.iter().zip(&added.parts) {
                if let (Some(amount), Some(text)) = (amount, text) {
                    let shown = units(&text.to_string()) as f64 / scale;
                    prop_assert!((shown - amount).abs() <= 1.001 / scale + 1e-9 * amount, "{} as {}", amount, text);
                }
            }
            if let Some(shares) = RoundedParts::percent(&amounts) {
                let sum: u128 = shares.parts.iter().flatten().map(|part| units(&part.to_string())).sum();
                prop_assert_eq!((sum, shares.whole.to_string()), (1000, "100.0".to_owned()));
            }
        }
    }
}
