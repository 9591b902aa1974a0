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
