//! Checkpoint interval of a run on hardware that fails, and the cost of failures.

use crate::Seconds;

/// A run that saves checkpoints, on hardware that sometimes fails.
///
/// The model is first order in `interval ÷ MTBF`. The model is valid if saving and restarting take much less time than
/// the time between failures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checkpointing {
    /// `M`: mean time between failures of the whole slice.
    pub mtbf: Seconds,
    /// `δ`: time that the run pauses to save; near zero if saving is asynchronous.
    pub save: Seconds,
    /// `R`: time from a failure to the first new step, including the time to get new chips, load the state and compile.
    pub restart: Seconds,
}

impl Checkpointing {
    /// Young's interval between saves, `√(2·δ·M)` (Communications of the ACM, 1974); `None` unless `δ` and `M` are
    /// known and above zero.
    pub fn young(&self) -> Option<Seconds> {
        self.is_sound().then(|| Seconds((2.0 * self.save.0 * self.mtbf.0).sqrt()))
    }

    /// Daly's interval between saves (Future Generation Computer Systems, 2006):
    /// `√(2·δ·M) · (1 + ⅓·√(δ/2M) + δ/18M) − δ` for `δ < 2M`, else `M`.
    pub fn daly(&self) -> Option<Seconds> {
        let young = self.young()?;
        let half = self.save.0 / (2.0 * self.mtbf.0);
        if half >= 1.0 {
            return Some(self.mtbf);
        }
        Some(Seconds(young.0 * (1.0 + half.sqrt() / 3.0 + half / 9.0) - self.save.0))
    }

    /// Lost time ÷ time of useful work, if the run saves once per `interval`: `δ/T + (T/2 + R)/M`, in which `T` is
    /// `interval`.
    ///
    /// The first term is the time to save. The second term is the time lost to failures: each failure costs half an
    /// interval of work, and the restart.
    pub fn overhead(&self, interval: Seconds) -> Option<f64> {
        let possible = interval.0 > 0.0 && self.mtbf.0 > 0.0;
        possible.then(|| self.save.0 / interval.0 + (interval.0 / 2.0 + self.restart.0) / self.mtbf.0)
    }

    /// Price of an hour of useful work if chips fail or are preempted: `price · (1 + overhead)`.
    ///
    /// For spare capacity, which a provider can take back, use the time between preemptions instead of the time between
    /// failures. No provider publishes this time, so the user must state it.
    pub fn effective_price(&self, usd_per_hour: f64, interval: Seconds) -> Option<f64> {
        Some(usd_per_hour * (1.0 + self.overhead(interval)?))
    }

    fn is_sound(&self) -> bool {
        self.save.0 > 0.0 && self.mtbf.0 > 0.0
    }
}

/// Failure rate of chips, from a count of failures. The model assumes that each failure hits a single chip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailureRate {
    /// Mean time between failures of one chip.
    pub chip_mtbf: Seconds,
}

impl FailureRate {
    /// Failure rate observed in a run, as the mean time between failures of one chip: `time · chips ÷ failures`. `None`
    /// without failures, because such a run gives only an upper bound of the rate.
    /// [`crate::run_inputs::CHIP_MTBF_HOURS`] is computed in this way from the failures that a paper lists.
    pub fn observed(failures: u64, time: Seconds, chips: u64) -> Option<Self> {
        let chip_mtbf = Seconds(time.0 * chips as f64 / failures as f64);
        (failures > 0 && chip_mtbf.0 > 0.0).then_some(Self { chip_mtbf })
    }

    /// Mean time between failures of a slice: the mean time of one chip ÷ number of chips. `None` for an empty slice.
    pub fn slice_mtbf(self, chips: u64) -> Option<Seconds> {
        (chips > 0).then(|| Seconds(self.chip_mtbf.0 / chips as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::{Checkpointing, FailureRate};
    use crate::Seconds;

    const HOUR: f64 = 3600.0;

    /// Each row has the MTBF in hours, the seconds to save and to restart, and Young's interval in minutes. Then come
    /// the overheads in percent at Daly's interval, at 15 minutes and at 30 minutes. Another program computed these
    /// values. Only in the last row does the overhead at Daly's interval differ from the overhead at Young's, which is
    /// 34.9%.
    const TABLE: [(f64, f64, f64, f64, [f64; 3]); 5] = [
        (3.09, 60.0, 600.0, 19.3, [15.8, 16.1, 16.8]),
        (3.09, 10.0, 300.0, 7.9, [6.9, 7.9, 11.3]),
        (24.0, 60.0, 600.0, 53.7, [4.4, 7.9, 5.1]),
        (24.0, 10.0, 300.0, 21.9, [1.9, 2.0, 1.9]),
        (1.0, 60.0, 600.0, 11.0, [35.0, 35.8, 45.0]),
    ];

    fn run(mtbf_hours: f64, save: f64, restart: f64) -> Checkpointing {
        Checkpointing { mtbf: Seconds(mtbf_hours * HOUR), save: Seconds(save), restart: Seconds(restart) }
    }

    #[test]
    fn intervals_and_overheads_agree_with_a_second_working() {
        for (mtbf, save, restart, young, overheads) in TABLE {
            let run = run(mtbf, save, restart);
            let best = run.young().expect("sound");
            assert!((best.0 / 60.0 - young).abs() <= 0.05, "{mtbf} {save}: {}", best.0 / 60.0);
            let daly = run.daly().expect("sound");
            for (interval, percent) in [daly, Seconds(900.0), Seconds(1800.0)].into_iter().zip(overheads) {
                let found = 100.0 * run.overhead(interval).expect("sound");
                assert!((found - percent).abs() <= 0.05 + 1e-9, "{mtbf} {save} {}: {found}", interval.0);
            }
            let least = (2.0 * save / run.mtbf.0).sqrt() + restart / run.mtbf.0;
            let young = run.young().expect("sound");
            assert!((run.overhead(young).expect("sound") - least).abs() < 1e-12);
        }
    }

    #[test]
    fn no_interval_costs_less_than_youngs() {
        let run = run(3.09, 60.0, 600.0);
        let least = run.young().and_then(|young| run.overhead(young)).expect("sound");
        for seconds in [60.0, 600.0, 1100.0, 1200.0, 3600.0] {
            assert!(run.overhead(Seconds(seconds)).expect("sound") > least, "{seconds}");
        }
    }

    #[test]
    fn dalys_interval_is_youngs_for_reliable_machines_and_the_mtbf_for_hopeless_ones() {
        let reliable = run(24.0 * 365.0, 1.0, 60.0);
        let (young, daly) = (reliable.young().expect("sound").0, reliable.daly().expect("sound").0);
        assert!((daly / young - 1.0).abs() < 1e-3);
        // The formula for δ = M/2 is √M² · (1 + ⅓ · ½ + 1/36) − M/2 = (1 + 1/6 + 1/36 − 1/2) · M.
        let poor = run(1.0, 1800.0, 60.0).daly().expect("sound").0;
        assert!((poor / HOUR - (1.0 + 1.0 / 6.0 + 1.0 / 36.0 - 0.5)).abs() < 1e-12);
        assert_eq!(run(1.0, 7200.0, 60.0).daly(), Some(Seconds(HOUR)));
    }

    #[test]
    fn the_failures_of_llama_3_give_its_mtbf() {
        // Llama 3 405B (2024) had 419 unexpected interruptions in 54 days on 16,384 H100. That is one in 3.09 h, or 5.8
        // years for one GPU.
        let rate = FailureRate::observed(419, Seconds(54.0 * 24.0 * HOUR), 16_384).expect("failed");
        assert!((rate.slice_mtbf(16_384).expect("chips").hours() - 3.09).abs() < 0.005);
        assert!((rate.chip_mtbf.hours() / 8766.0 - 5.8).abs() < 0.05);
        assert!((rate.slice_mtbf(256).expect("chips").hours() - 198.0).abs() < 0.5);
        assert_eq!(rate.slice_mtbf(0), None);
        assert_eq!(FailureRate::observed(0, Seconds(1.0), 1), None);
    }

    #[test]
    fn spot_is_dearer_than_its_price() {
        // A spot v5e costs $0.24493 per hour, and the provider reclaims it hourly. Saving every 11 minutes raises this
        // cost by 35%, which is still far below $1.20.
        let hourly = run(1.0, 60.0, 600.0);
        let price = hourly.effective_price(0.24493, hourly.young().expect("sound")).expect("sound");
        assert!((price - 0.3306).abs() < 0.0005, "{price}");
    }

    #[test]
    fn without_a_rate_there_is_no_interval() {
        assert_eq!(run(0.0, 60.0, 600.0).young(), None);
        assert_eq!(run(1.0, 0.0, 600.0).daly(), None);
        assert_eq!(run(1.0, 60.0, 600.0).overhead(Seconds(0.0)), None);
        assert_eq!(run(1.0, f64::NAN, 600.0).young(), None);
    }
}
