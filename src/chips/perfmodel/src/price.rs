//! Price of a chip per hour.

use crate::Sourced;

/// A list price, without negotiated discounts.
#[derive(Clone, Debug, PartialEq)]
pub struct Price {
    /// Pricing model of the rented chip.
    pub kind: PriceKind,
    /// US dollars for one chip (or GPU) and one hour.
    pub usd_per_chip_hour: Sourced<f64>,
    /// Region in the provider's words, or name of the provider if the price is the same in all regions.
    pub region: Option<&'static str>,
    /// Date of the price, as exactly as the source states it.
    pub date: Option<&'static str>,
}

impl Price {
    /// True if the price is by the hour, without a commitment by the customer or the provider.
    pub fn is_on_demand(&self) -> bool {
        self.kind == PriceKind::OnDemand
    }

    /// True if the price is for a region in the United States.
    pub fn is_in_us(&self) -> bool {
        self.region.is_some_and(|region| region.starts_with("us"))
    }
}

/// Pricing model of a rented chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceKind {
    /// On-demand price by the hour, without a commitment.
    OnDemand,
    /// Spare capacity that the provider may take back, at a variable price.
    Spot,
    /// Spare capacity that the provider may take back, at a fixed price.
    Preemptible,
    /// Commitment for one year.
    ReservedOneYear,
    /// Commitment for three years.
    ReservedThreeYears,
    /// A block of days booked ahead.
    CapacityBlock,
    /// Price that the user set, under any pricing model.
    Own,
}

#[cfg(test)]
mod tests {
    use super::PriceKind;
    use crate::Chip;

    fn default_of(id: &str) -> Option<(PriceKind, Option<f64>, Option<&'static str>)> {
        let price = Chip::by_id(id).expect("the chip exists").default_price()?;
        Some((price.kind, price.usd_per_chip_hour.value, price.region))
    }

    #[test]
    fn the_default_is_on_demand_in_the_us() {
        assert_eq!(default_of("tpu-v4"), Some((PriceKind::OnDemand, Some(3.22), Some("us-central2"))));
        assert_eq!(default_of("a100-40"), Some((PriceKind::OnDemand, Some(2.7447), Some("us-east-1"))));
        // The first price listed for the B200 is Lambda's, which names no region.
        assert_eq!(default_of("b200-sxm"), Some((PriceKind::OnDemand, Some(14.2416), Some("us-east-1"))));
    }

    #[test]
    fn a_chip_without_a_known_price_has_no_default() {
        for id in ["tpu-v1", "tpu-8t", "gaudi3"] {
            assert_eq!(default_of(id), None, "{id}");
        }
    }
}
