//! The cost of failures in a long run, and the bill of the run.

use crate::entries::Entries;
use crate::entry_reader::EntryReader;
use crate::{CostInput, Entry, InvalidEntry, Topic};
use perfmodel::{Checkpointing, EgressTariff, FailureRate, Offer, RunBill, Seconds, Usd, porting};

const HOUR_SECONDS: f64 = 3600.0;
/// Number of seconds in a minute.
pub const MINUTE_SECONDS: f64 = 60.0;

/// A question about failures of a long run.
#[derive(Clone, Debug)]
pub struct FailuresQuery {
    /// Entries as typed.
    pub entries: Entries,
    /// Number of chips in the run.
    pub chips: u32,
    /// Mean time between failures of one chip, in hours.
    pub chip_mtbf_hours: f64,
    /// Time to save a checkpoint.
    pub save: Seconds,
    /// Time from a failure to the first step after the restart.
    pub restart: Seconds,
    /// Time between checkpoints; `None` for the best interval.
    pub interval: Option<Seconds>,
    /// Time of useful work.
    pub work: Seconds,
    /// Dollars per chip-hour.
    pub usd_per_chip_hour: f64,
    /// Time spent compiling, divided by the time of useful work.
    pub compiling_overhead: f64,
    /// GB transferred out of the cloud provider (egress).
    pub egress_gb: f64,
    /// Engineer-weeks of porting.
    pub porting_weeks: f64,
    /// Dollars per engineer-hour.
    pub engineer_usd_per_hour: f64,
    /// Entries that cannot be used.
    pub invalid: Vec<InvalidEntry>,
}

/// The effect of failures on a run.
#[derive(Clone, Copy, Debug)]
pub struct FailuresAnswer {
    /// Mean time between failures in the run, the time to save a checkpoint, and the time to restart.
    pub run: Checkpointing,
    /// The best interval between checkpoints by Young's formula.
    pub young: Option<Seconds>,
    /// The best interval between checkpoints by Daly's formula.
    pub daly: Option<Seconds>,
    /// Checkpoint interval of the answer: the chosen interval, or the interval by Young's formula.
    pub interval: Option<Seconds>,
    /// Time lost to failures, divided by the time of useful work.
    pub overhead: Option<f64>,
    /// The bill of the run.
    pub bill: RunBill,
}

/// Inputs of the bill that are entries of [`Topic::Failures`] too.
pub(crate) const OF_BILL: [CostInput; 6] =
    [CostInput::Mtbf, CostInput::Save, CostInput::Restart, CostInput::Interval, CostInput::Egress, CostInput::Weeks];

impl FailuresQuery {
    /// Reads the query from entries as typed.
    #[must_use]
    pub fn new(entries: Entries) -> Self {
        let mut numbers = EntryReader::of(&entries);
        let seconds = |numbers: &mut EntryReader<'_>, input| Seconds(numbers.number(Entry::Cost(input)));
        let chips = numbers.count(Entry::RunChips);
        let chip_mtbf_hours = numbers.number(Entry::Cost(CostInput::Mtbf));
        let save = seconds(&mut numbers, CostInput::Save);
        let restart = seconds(&mut numbers, CostInput::Restart);
        let interval = numbers.number(Entry::Cost(CostInput::Interval));
        let hours = numbers.number(Entry::Hours);
        let usd_per_chip_hour = numbers.number(Entry::RunUsd);
        let compiling_percent = numbers.number(Entry::Compiling);
        let egress_gb = numbers.number(Entry::Cost(CostInput::Egress));
        let porting_weeks = numbers.number(Entry::Cost(CostInput::Weeks));
        let engineer_usd_per_hour = numbers.number(Entry::EngineerUsd);
        let mut invalid = std::mem::take(&mut numbers.invalid);
        let unknown = entries.unknown.iter().map(|(name, text)| InvalidEntry::unknown(Topic::Failures, name, text));
        invalid.extend(unknown);
        Self {
            entries,
            chips,
            chip_mtbf_hours,
            save,
            restart,
            interval: (interval > 0.0).then_some(Seconds(interval * MINUTE_SECONDS)),
            work: Seconds(hours * HOUR_SECONDS),
            usd_per_chip_hour,
            compiling_overhead: compiling_percent / 100.0,
            egress_gb,
            porting_weeks,
            engineer_usd_per_hour,
            invalid,
        }
    }

    /// Returns the entries as typed, without the chips, the price and the inputs of the bill that a run gives.
    #[must_use]
    pub fn without_run(&self) -> Entries {
        let of_run = OF_BILL.map(Entry::Cost).into_iter().chain([Entry::RunChips, Entry::RunUsd]);
        of_run.fold(self.entries.clone(), |entries, entry| entries.with(entry, ""))
    }

    /// True if both queries have the same number of chips and the same price.
    #[must_use]
    pub const fn is_of_run(&self, run: &Self) -> bool {
        self.chips == run.chips && self.usd_per_chip_hour.to_bits() == run.usd_per_chip_hour.to_bits()
    }

    /// True if an entry has its default because its text is missing or cannot be used.
    #[must_use]
    pub fn is_default(&self, entry: Entry) -> bool {
        let is_invalid =
            self.invalid.iter().any(|one| one.entry() == Some(entry) && one.allowed != crate::Allowed::Once);
        (self.entries.text(entry).is_none() || is_invalid) && self.entries.of_run(entry).is_none()
    }

    /// Computes the answer; `None` if the run has no chip that can fail.
    #[must_use]
    pub fn answer(&self) -> Option<FailuresAnswer> {
        let rate = FailureRate { chip_mtbf: Seconds(self.chip_mtbf_hours * HOUR_SECONDS) };
        let run = Checkpointing { mtbf: rate.slice_mtbf(self.chips.into())?, save: self.save, restart: self.restart };
        let (young, daly) = (run.young(), run.daly());
        let interval = self.interval.or(young);
        let overhead = interval.and_then(|interval| run.overhead(interval));
        let egress = if self.egress_gb > 0.0 { EgressTariff::AWS.cost(self.egress_gb) } else { Usd(0.0) };
        let bill = Offer {
            usd_per_chip_hour: Some(self.usd_per_chip_hour),
            chips: self.chips.into(),
            time: Some(self.work),
            failure_overhead: overhead,
            recompilation_overhead: Some(self.compiling_overhead),
            egress: Some(egress),
            porting: Some(porting(self.porting_weeks, self.engineer_usd_per_hour)),
            energy: Some(Usd(0.0)),
        }
        .bill();
        Some(FailuresAnswer { run, young, daly, interval, overhead, bill })
    }
}
