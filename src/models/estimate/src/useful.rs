//! The cost of a useful PFLOP-hour on the chip of a run: at its price, at other listed prices, and at the highest
//! published MFU.

use crate::{Estimate, price};
use perfmodel::{Price, PublishedMfu, usd_per_pflop_hour};
use workload::PassKind;

/// Dollars per useful PFLOP-hour of a run.
#[derive(Clone, Debug)]
pub struct UsefulHour<'a> {
    /// Dollars per chip-hour.
    pub hour: f64,
    /// Dollars per useful PFLOP-hour.
    pub usd: f64,
    /// Ends of the 80 % interval of [`Self::usd`].
    pub ends: Option<(f64, f64)>,
    /// Other listed prices of the chip, each with its dollars per chip-hour and per useful PFLOP-hour.
    pub listed: Vec<(&'a Price, f64, f64)>,
    /// Verified published run with the highest MFU on the chip, its MFU in percent, and the dollars per useful
    /// PFLOP-hour at this MFU. `None` except in training.
    pub highest: Option<(&'static PublishedMfu, f64, f64)>,
}

/// Reasons why a run has no cost of a useful PFLOP-hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoUsefulHour {
    /// The MFU is not known.
    Mfu,
    /// The run does not fit in memory.
    Room,
    /// The 80% interval is too wide for one number.
    Number,
    /// The price is not published.
    Price,
}

impl Estimate {
    /// Returns the cost of a useful PFLOP-hour.
    ///
    /// # Errors
    /// [`NoUsefulHour`] names the reason why the run has no such cost.
    pub fn useful_hour(&self) -> Result<UsefulHour<'_>, NoUsefulHour> {
        let (chip, mfu) = (&self.question.chip, self.mfu.map_err(|_| NoUsefulHour::Mfu)?);
        if !self.has_room() {
            return Err(NoUsefulHour::Room);
        }
        if self.is_wide() {
            return Err(NoUsefulHour::Number);
        }
        let at = |hour: f64, ratio: f64| usd_per_pflop_hour(hour, mfu.peak, ratio);
        let hour = self.question.usd_per_chip_hour().ok_or(NoUsefulHour::Price)?;
        let usd = at(hour, mfu.ratio).ok_or(NoUsefulHour::Price)?;
        let listed = price::listed(chip).filter_map(|price| {
            // A listed price that equals the selected price has no dot, because the two dots would coincide.
            let listed = price.usd_per_chip_hour.value.filter(|other| (other - hour).abs() > 1e-9)?;
            Some((price, listed, at(listed, mfu.ratio)?))
        });
        let is_published = !chip.is_custom && self.question.pass == PassKind::Training;
        let highest = PublishedMfu::highest_on(chip.id).filter(|_| is_published).and_then(|row| {
            let percent = row.mfu_percent.value?;
            Some((row, percent, at(hour, percent / 100.0)?))
        });
        let ends = self.interval().map(|interval| interval.time(usd));
        Ok(UsefulHour { hour, usd, ends, listed: listed.collect(), highest })
    }
}
