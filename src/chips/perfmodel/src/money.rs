//! Cost breakdown of a run into lines whose sum is the total cost, and the comparison of two breakdowns.

use crate::{Seconds, Usd};

/// A line of the cost breakdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostLine {
    /// Price of the chips during useful work.
    Compute,
    /// Price of the chips while the run saves its state, repeats lost work, or restarts.
    Failures,
    /// Price of the chips while they wait for the compiler.
    Recompilation,
    /// Fee for bytes that leave a provider.
    Egress,
    /// Cost of engineers who port the program, paid once for any number of runs.
    Porting,
    /// Cost of electricity for machines that the user owns. The price of a rented chip includes electricity.
    Energy,
}

impl CostLine {
    /// All lines, in the order of the cost breakdown.
    pub const ALL: [Self; 6] =
        [Self::Compute, Self::Failures, Self::Recompilation, Self::Egress, Self::Porting, Self::Energy];

    /// The word for the line in the cost breakdown.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Failures => "failures",
            Self::Recompilation => "recompilation",
            Self::Egress => "egress",
            Self::Porting => "porting",
            Self::Energy => "energy",
        }
    }
}

/// Offer of chips for a run, with prices and overheads. Zero means that a cost does not apply. `None` means that the
/// amount of the cost is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// US dollars for one chip and one hour.
    pub usd_per_chip_hour: Option<f64>,
    /// Number of chips.
    pub chips: u64,
    /// Time of the useful work on these chips.
    pub time: Option<Seconds>,
    /// Time lost to failures ÷ time of useful work, from `Checkpointing::overhead`.
    pub failure_overhead: Option<f64>,
    /// Time spent compiling ÷ time of useful work, from `Compilation::overhead`.
    pub recompilation_overhead: Option<f64>,
    /// Cost of bytes that leave a provider.
    pub egress: Option<Usd>,
    /// Cost of porting the program to these chips.
    pub porting: Option<Usd>,
    /// Cost of electricity, if paid separately.
    pub energy: Option<Usd>,
}

impl Offer {
    /// The cost breakdown of the run. The line `compute` is `price · chips · hours`, and each overhead is a share of
    /// this line.
    pub fn bill(&self) -> RunBill {
        let compute = self.usd_per_chip_hour.zip(self.time).map(|(usd, time)| usd * self.chips as f64 * time.hours());
        let share = |overhead: Option<f64>| compute.zip(overhead).map(|(usd, overhead)| Usd(usd * overhead));
        RunBill {
            compute: compute.map(Usd),
            failures: share(self.failure_overhead),
            recompilation: share(self.recompilation_overhead),
            egress: self.egress,
            porting: self.porting,
            energy: self.energy,
        }
    }
}

/// Cost breakdown of a run into separate lines. A line whose amount is not known is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunBill {
    /// Amount of [`CostLine::Compute`].
    pub compute: Option<Usd>,
    /// Amount of [`CostLine::Failures`].
    pub failures: Option<Usd>,
    /// Amount of [`CostLine::Recompilation`].
    pub recompilation: Option<Usd>,
    /// Amount of [`CostLine::Egress`].
    pub egress: Option<Usd>,
    /// Amount of [`CostLine::Porting`].
    pub porting: Option<Usd>,
    /// Amount of [`CostLine::Energy`].
    pub energy: Option<Usd>,
}

impl RunBill {
    /// The amount of a line.
    pub fn line(&self, line: CostLine) -> Option<Usd> {
        match line {
            CostLine::Compute => self.compute,
            CostLine::Failures => self.failures,
            CostLine::Recompilation => self.recompilation,
            CostLine::Egress => self.egress,
            CostLine::Porting => self.porting,
            CostLine::Energy => self.energy,
        }
    }

    /// The sum of all lines; `None` if a line is unknown.
    pub fn total(&self) -> Option<Usd> {
        CostLine::ALL.into_iter().try_fold(Usd(0.0), |sum, line| Some(Usd(sum.0 + self.line(line)?.0)))
    }

    /// The sum of the lines that are known: a lower bound.
    pub fn known(&self) -> Usd {
        Usd(CostLine::ALL.into_iter().filter_map(|line| self.line(line)).map(|usd| usd.0).sum())
    }

    /// Cost of every further run: all lines except porting, which is paid once.
    pub fn per_run(&self) -> Option<Usd> {
        Self { porting: Some(Usd(0.0)), ..*self }.total()
    }

    /// Cost of a number of runs, with porting paid once.
    pub fn runs(&self, count: u64) -> Option<Usd> {
        Some(Usd(self.porting?.0 + count as f64 * self.per_run()?.0))
    }

    /// Saving per run compared with another offer; negative if this offer costs more.
    pub fn saving_per_run(&self, other: &Self) -> Option<Usd> {
        Some(Usd(other.per_run()?.0 - self.per_run()?.0))
    }

    /// Number of runs after which this offer has saved its extra porting cost, compared with `other`; `None` if a run
    /// saves nothing.
    pub fn break_even_runs(&self, other: &Self) -> Option<f64> {
        break_even_runs(Usd(self.porting?.0 - other.porting?.0), self.saving_per_run(other)?)
    }
}

/// Number of runs to break even: porting ÷ saving per run, not below 0. `None` if a run saves nothing.
pub fn break_even_runs(porting: Usd, saving_per_run: Usd) -> Option<f64> {
    (saving_per_run.0 > 0.0).then(|| (porting.0 / saving_per_run.0).max(0.0))
}

/// Hours of a working week.
pub const WEEK_HOURS: f64 = 40.0;

/// Cost of engineers for porting: `weeks · 40 h · rate`.
pub fn porting(engineer_weeks: f64, usd_per_hour: f64) -> Usd {
    Usd(engineer_weeks * WEEK_HOURS * usd_per_hour)
}

/// Price of bytes that leave a provider. Bytes that enter Google Cloud Storage are free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EgressTariff {
    /// US dollars for 10⁹ bytes.
    pub usd_per_gb: f64,
    /// GB per month that are free.
    pub free_gb: f64,
}

impl EgressTariff {
    /// Tariff of Amazon Web Services for bytes to the internet, first tier: $0.09 per GB after 100 GB in a month.
    pub const AWS: Self = Self { usd_per_gb: 0.09, free_gb: 100.0 };

    /// The cost of this many GB in one month.
    pub fn cost(self, gb: f64) -> Usd {
        Usd(self.usd_per_gb * (gb - self.free_gb).max(0.0))
    }
}

/// US dollars for 10⁶ tokens: `price ÷ (3600 · tokens/s per chip) · 10⁶`. `None` if the throughput is not above zero.
pub fn usd_per_million_tokens(usd_per_chip_hour: f64, tokens_per_sec_per_chip: f64) -> Option<f64> {
    (tokens_per_sec_per_chip > 0.0).then(|| usd_per_chip_hour / (3600.0 * tokens_per_sec_per_chip) * 1e6)
}
