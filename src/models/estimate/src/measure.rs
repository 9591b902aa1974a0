//! The measures of a comparison: the value, interval, unit and direction of each.

use crate::{Estimate, Inputs, OwnRun};
use perfmodel::definition::{self, scale};
use perfmodel::usd_per_million_tokens;
use workload::PassKind;

/// A measure by which runs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// MFU.
    Mfu,
    /// Part of the memory bandwidth that a step of decode uses.
    MemoryBandwidth,
    /// Time of a step.
    StepTime,
    /// Tokens per second on all chips.
    TokensPerSec,
    /// Tokens per second of each sequence in decode.
    TokensPerSecPerUser,
    /// Dollars per step on all chips.
    UsdPerStep,
    /// Sequences of all chips in decode.
    UsersAtOnce,
    /// Dollars per million tokens.
    UsdPerMillionTokens,
    /// Memory that a chip needs for its weights, keys and values.
    Memory,
}

/// Direction in which a measure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A higher value is better.
    Higher,
    /// A lower value is better.
    Lower,
}

/// The value of a measure, in the unit of the measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    /// The value; `None` if its interval is too wide for one number.
    pub value: Option<f64>,
    /// Ends of the 80% interval.
    pub ends: Option<(f64, f64)>,
}

impl Measure {
    /// All measures, in the order of the rows of a comparison.
    pub const ALL: [Self; 9] = [
        Self::Mfu,
        Self::MemoryBandwidth,
        Self::StepTime,
        Self::TokensPerSec,
        Self::TokensPerSecPerUser,
        Self::UsdPerStep,
        Self::UsersAtOnce,
        Self::UsdPerMillionTokens,
        Self::Memory,
    ];

    /// Returns the name of the measure in files and on the page.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Mfu => definition::MFU.id,
            Self::MemoryBandwidth => "memory-bandwidth",
            Self::StepTime => scale::STEP_TIME.id,
            Self::TokensPerSec => "tokens-per-second",
            Self::TokensPerSecPerUser => "tokens-per-second-per-user",
            Self::UsdPerStep => scale::USD_PER_STEP.id,
            Self::UsersAtOnce => "users-at-once",
            Self::UsdPerMillionTokens => scale::USD_PER_MILLION_TOKENS.id,
            Self::Memory => "weights-per-chip",
        }
    }

    /// Returns the unit of the measure's numbers.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Mfu | Self::MemoryBandwidth => "%",
            Self::StepTime => "s",
            Self::TokensPerSec | Self::TokensPerSecPerUser => "tokens/s",
            Self::UsersAtOnce => "users",
            Self::UsdPerStep | Self::UsdPerMillionTokens => "USD",
            Self::Memory => "GB",
        }
    }

    /// Returns the direction in which the measure is better; `None` if no run is best by this measure.
    #[must_use]
    pub const fn better(self) -> Option<Direction> {
        match self {
            Self::Mfu | Self::TokensPerSec => Some(Direction::Higher),
            Self::StepTime | Self::UsdPerMillionTokens => Some(Direction::Lower),
            Self::MemoryBandwidth | Self::TokensPerSecPerUser | Self::UsersAtOnce | Self::UsdPerStep | Self::Memory => {
                None
            }
        }
    }

    /// True if runs such as `estimate` have this measure. A single matmul has no tokens, and only decode has users.
    /// A step has a price if it is a step of training, or if its tokens are not known.
    #[must_use]
    pub fn is_of(self, estimate: &Estimate) -> bool {
        match self {
            Self::Mfu | Self::StepTime => true,
            Self::TokensPerSec | Self::UsdPerMillionTokens | Self::Memory => !estimate.question.is_product,
            Self::UsdPerStep => estimate.question.pass == PassKind::Training || estimate.inputs != Inputs::Sequences,
            Self::MemoryBandwidth | Self::TokensPerSecPerUser | Self::UsersAtOnce => {
                estimate.question.pass == PassKind::Decode && estimate.inputs == Inputs::Sequences
            }
        }
    }

    /// Returns the value for a predicted run, and the ends of its interval. `None` if the value is unknown, or if the
    /// run does not fit in memory.
    #[must_use]
    pub fn number(self, estimate: &Estimate) -> Option<Number> {
        if self == Self::Memory {
            return Some(Number { value: Some(estimate.held().in_all()? / 1e9), ends: None });
        }
        if estimate.misfit().is_some() {
            return None;
        }
        if self == Self::UsersAtOnce {
            return Some(Number { value: Some(estimate.question.users() as f64), ends: None });
        }
        let value = self.value(estimate)?;
        let ends = estimate.interval().map(|interval| match self {
            Self::StepTime | Self::UsdPerStep | Self::UsdPerMillionTokens => interval.time(value),
            _ => interval.rate(value),
        });
        // One number in the middle of a wide interval would mislead.
        Some(Number { value: Some(value).filter(|_| !estimate.is_wide()), ends })
    }

    fn value(self, estimate: &Estimate) -> Option<f64> {
        match self {
            Self::Mfu => Some(estimate.mfu.ok()?.ratio * 100.0),
            Self::MemoryBandwidth => Some(estimate.step_parts()?.step.bandwidth_share? * 100.0),
            Self::StepTime => Some(estimate.step.0),
            Self::TokensPerSec => estimate.tokens_per_sec(),
            Self::TokensPerSecPerUser => Some(1.0 / estimate.step.0),
            Self::UsdPerStep => estimate.usd_per_step(),
            Self::UsdPerMillionTokens => estimate.usd_per_million_tokens(),
            Self::UsersAtOnce | Self::Memory => None,
        }
    }

    /// Returns the value for a measured run; `None` if it is unknown, or if the run is impossible.
    #[must_use]
    pub fn measured(self, run: &OwnRun, estimate: &Estimate) -> Option<f64> {
        let (mfu, question) = (run.mfu.ok()?, &estimate.question);
        match self {
            Self::Mfu => Some(mfu.ratio * 100.0),
            Self::StepTime => Some(run.step.0),
            Self::TokensPerSec => run.tokens_per_sec,
            Self::UsdPerStep => question.usd_per_step(run.step),
            Self::UsdPerMillionTokens => {
                usd_per_million_tokens(question.usd_per_chip_hour()?, run.tokens_per_sec? / question.chips as f64)
            }
            Self::MemoryBandwidth | Self::TokensPerSecPerUser | Self::UsersAtOnce | Self::Memory => None,
        }
    }
}
