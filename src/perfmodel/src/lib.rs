//! What a chip and a bill make of a systolic array: peaks, MFU, roofline and price, each number with its source.
//!
//! The crate takes plain counts (rows, columns, cycles, MACs) and returns plain numbers. A value nobody published is
//! `None` from the table to the bill: unknown is never replaced by a guess. Nothing here formats, allocates or fails.

mod bill;
mod chip;
mod chips_generated;
pub mod definition;
mod identity;
mod links;
mod links_generated;
mod mfu;
mod peak;
mod per;
mod price;
mod roofline;
mod sourced;
mod training;
mod units;

pub use bill::Bill;
pub use chip::{AS_OF, CapacityUnit, Chip, Compute, Memory, PowerKind};
pub use definition::Definition;
pub use identity::Identity;
pub use links::{LinkRate, Links, axis_wraps};
pub use mfu::{ArrayRun, Mfu, MfuRefusal};
pub use peak::PeakDtype;
pub use per::{HourlyPrice, Per};
pub use price::{Price, PriceKind};
pub use roofline::{Bound, GemmTraffic, Roofline};
pub use sourced::{Confidence, Source, Sourced};
pub use training::{Attention, Remat, Transformer, Work};
pub use units::{FlopsPerSec, Seconds, Usd};
