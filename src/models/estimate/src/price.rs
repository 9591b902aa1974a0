//! The listed prices of a chip, and their names in a link: `spot.us-central1.2025-26`.

use crate::Allowed;
use perfmodel::{Chip, Price, PriceKind};

const fn kind(kind: PriceKind) -> &'static str {
    match kind {
        PriceKind::OnDemand => "on-demand",
        PriceKind::Spot => "spot",
        PriceKind::Preemptible => "preemptible",
        PriceKind::ReservedOneYear => "1y",
        PriceKind::ReservedThreeYears => "3y",
        PriceKind::CapacityBlock => "block",
        PriceKind::Own => "yours",
    }
}

/// Returns the words of a text in lower case, joined by dashes. A word consists of letters and digits.
fn plain(text: &str) -> String {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("-").to_ascii_lowercase()
}

/// Returns the name of a price in a link: kind, region and date.
#[must_use]
pub fn id(price: &Price) -> String {
    let parts = [price.region, price.date].into_iter().flatten().map(plain);
    core::iter::once(kind(price.kind).to_owned()).chain(parts).collect::<Vec<_>>().join(".")
}

/// Iterates over the known prices of a chip.
pub fn listed(chip: &Chip) -> impl Iterator<Item = &Price> {
    chip.prices.iter().filter(|price| price.usd_per_chip_hour.value.is_some())
}

/// Returns the price with the name `name`, or the first price whose name begins with `name`: `spot` selects the first
/// spot price.
///
/// # Errors
/// Returns the [`Allowed`] names if no price matches.
pub(super) fn named(chip: &Chip, name: &str) -> Result<Price, Allowed> {
    let begins =
        |price: &&Price| id(price).strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let usual = chip.default_price().into_iter();
    let found = if name.is_empty() { None } else { usual.chain(listed(chip)).find(begins) };
    found.cloned().ok_or_else(|| {
        let all: Vec<String> = listed(chip).map(id).collect();
        if all.is_empty() { Allowed::NoPrice { chip: chip.name } } else { Allowed::OneOf(all) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_listed_price_has_a_name_of_its_own_that_a_link_keeps() {
        let mut prices = 0;
        for chip in Chip::all() {
            for price in listed(chip) {
                let id = id(price);
                assert_eq!(named(chip, &id).as_ref(), Ok(price), "{} {id}", chip.id);
                assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte)), "{id}");
                prices += 1;
            }
        }
        assert!(prices > 40, "{prices}");
    }

    #[test]
    fn the_beginning_of_a_name_is_the_first_that_begins_so() {
        let v5e = Chip::by_id("tpu-v5e").expect("known");
        assert_eq!(named(v5e, "spot").map(|price| price.usd_per_chip_hour.value), Ok(Some(0.24493)));
        assert_eq!(named(v5e, "on-demand.europe-west4").map(|price| price.usd_per_chip_hour.value), Ok(Some(1.56)));
        assert_eq!(named(v5e, "on-demand").as_ref(), Ok(v5e.default_price().expect("listed")));
        let Err(Allowed::OneOf(all)) = named(v5e, "2y") else { panic!("v5e has none listed") };
        assert_eq!(all[..2], ["on-demand.us-central1.2026-09-18", "spot.us-central1.2025-26"]);
        let none = named(Chip::by_id("gaudi3").expect("known"), "spot");
        assert_eq!(none, Err(Allowed::NoPrice { chip: "Intel Gaudi 3" }));
    }
}
