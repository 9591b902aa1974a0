//! Texts that explain chips and errors to readers. Each text belongs to a value of an enum.
//!
//! The meaning of a measure is in `definition`, and the source of a value is next to the value.

use crate::gemm_time::Limit;
use crate::gemm_time::accuracy::Sides;
use crate::gemm_time::calibration::Basis;
use crate::{Confidence, LinkRate, MfuRefusal, Missing, PowerKind, PriceKind, ShapeRefusal, Sharding};

impl Confidence {
    /// Explanation of [`Self::word`], shown after the word: "low: not verified, or one weak source".
    pub const fn says(self) -> &'static str {
        match self {
            Self::Low => "not verified, or one weak source",
            Self::Medium => "one good secondary source, or derived",
            Self::High => "stated by the maker, or two sources agree",
            Self::Yours => "you set it",
        }
    }
}

impl Limit {
    /// Words that a table shows for this limit.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Launch => "launch",
            Self::Compute => "compute",
            Self::Reload => "reload",
            Self::Memory => "memory",
            Self::InTurn => "compute and memory in turn",
        }
    }
}

impl PriceKind {
    /// The words shown next to the price.
    pub const fn word(self) -> &'static str {
        match self {
            Self::OnDemand => "on demand",
            Self::Spot => "spot",
            Self::Preemptible => "preemptible",
            Self::ReservedOneYear => "reserved for 1 year",
            Self::ReservedThreeYears => "reserved for 3 years",
            Self::CapacityBlock => "capacity block",
            Self::Own => "yours",
        }
    }
}

impl LinkRate {
    /// The words shown next to the rate.
    pub const fn word(self) -> &'static str {
        match self {
            Self::PerLinkOneWay => "per link, one way",
            Self::ChipOneWay => "per chip, one way",
            Self::ChipBothWays => "per chip, both ways",
            Self::NvlinkOneWay => "NVLink per GPU, one way",
            Self::NvlinkBothWays => "NVLink per GPU, both ways",
            Self::NodeOut => "out of a node, one way",
        }
    }
}

impl Sharding {
    /// The words on screen.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Data => "data parallel",
            Self::FullySharded => "fully sharded data parallel",
            Self::Tensor => "tensor parallel",
        }
    }
}

impl Sides {
    /// Words that a table shows for this range of sizes.
    pub const fn words(self) -> &'static str {
        match self {
            Self::To128 => "up to 128",
            Self::To1024 => "multiples of 128 from 128 to 1024",
            Self::To4096 => "multiples of 128 from 1024 to 4096",
            Self::Ragged => "others from 1024 to 4096",
            Self::Other => "other sizes",
        }
    }
}

impl Basis {
    /// A sentence about the measurements, for the page and the manual.
    pub const fn says(self) -> &'static str {
        match self {
            Self::Fitted => {
                "The constants were fitted to matmuls measured on this chip in this format. A table next to the matmuls gives the errors by size."
            }
            Self::Measured(_) => "The constants were derived from matmuls measured on this chip.",
            Self::Borrowed(_) => {
                "No individual matmul was measured on this chip in this format. Constants come from other chips, so trust the shape of a curve, not its height."
            }
            Self::Published => {
                "No matmul was measured. The time follows from the published array, peak and bandwidth. Only weights come from memory."
            }
        }
    }
}

impl MfuRefusal {
    /// The reason as a sentence; the caller adds the numbers and names.
    pub const fn says(self) -> &'static str {
        match self {
            Self::AboveOne { .. } => {
                "The work needs more arithmetic than the peak allows in this time: \
                 check the FLOP count, the time, the number of chips and the peak."
            }
            Self::Unknown { missing } => missing.says(),
            Self::NoRate => "Nothing ran, so there is no rate to compare with the peak.",
        }
    }
}

impl Missing {
    /// The reason as a sentence.
    pub const fn says(self) -> &'static str {
        match self {
            Self::Peak(_) => "The chip's peak for this dtype is not published.",
            Self::Geometry => "The size of the chip's arrays is not published.",
            Self::Bandwidth => "The chip's memory bandwidth is not published.",
            Self::Cores => "The chip's number of cores is not published.",
            Self::Split => "The time of a matmul that is split over several chips is not modeled.",
            Self::Format => "The chip cannot multiply in any format that can represent these numbers.",
        }
    }
}

impl ShapeRefusal {
    /// The reason as a sentence; the caller adds the numbers.
    pub const fn says(self) -> &'static str {
        match self {
            Self::Empty => "Use at least one sequence, and at least one row per batch.",
            Self::TooMany { .. } => "Too many sequences to simulate at once: use at most 262\u{202f}144.",
            Self::Length { .. } => {
                "Use lengths from 1 to 16\u{202f}777\u{202f}216 tokens; the shortest must not exceed the longest."
            }
            Self::Parameter => "Use a median above 0 and a sigma of 0 or more.",
            Self::TooLong { .. } => "A sequence is longer than the longest shape.",
        }
    }
}

impl PowerKind {
    /// The word shown next to the watts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tdp => "TDP",
            Self::Mean => "mean",
            Self::Min => "min",
            Self::Max => "max",
            Self::Busy => "busy",
            Self::SystemPerChip => "system per chip",
        }
    }
}
