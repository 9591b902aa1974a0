//! What a chip and a bill make of a systolic array: peaks, MFU, roofline and price, each number with its source.
//!
//! The crate takes plain counts (rows, columns, cycles, MACs) and returns plain numbers. A value nobody published is
//! `None` from the table to the bill: unknown is never replaced by a guess. Nothing here formats or panics, and only
//! streams of sequences allocate.
//!
//! ```
//! use perfmodel::{ArrayRun, Chip, Mfu, MfuRefusal, PeakDtype};
//!
//! let v4 = Chip::by_id("tpu-v4").expect("it is in the table");
//! // 128×1024×1024 on one of its arrays, weight-stationary: cycles and useful MACs, as `systolic` counts them.
//! let run = ArrayRun { rows: 128, cols: 128, cycles: 32_640, macs: 128 * 1024 * 1024 };
//! let mfu = Mfu::of_array(v4, PeakDtype::Bf16, &run)?;
//! assert_eq!((1000.0 * mfu.ratio).round(), 251.0);
//! // Nobody published an f32 peak for this chip, so there is no MFU, and none is guessed.
//! let refused = Mfu::of_array(v4, PeakDtype::F32, &run);
//! assert!(matches!(refused, Err(MfuRefusal::Unknown { .. })));
//! # Ok::<(), MfuRefusal>(())
//! ```

mod bill;
mod checkpoint;
mod chip;
mod chips_generated;
mod collective;
mod compile;
mod custom;
pub mod definition;
mod energy;
pub mod gemm_time;
mod identity;
mod lengths;
mod links;
mod links_generated;
mod mfu;
mod money;
mod parallel;
mod pass_time;
mod peak;
mod per;
mod pods;
mod price;
mod product_share;
mod published;
mod roofline;
pub mod run_inputs;
mod shapes;
mod sizes;
mod sourced;
mod training;
mod units;
mod words;

pub use bill::ArithmeticCost;
pub use checkpoint::{Checkpointing, FailureRate};
pub use chip::{AS_OF, CapacityUnit, Chip, Compute, Memory, PowerKind};
pub use collective::{Collective, CollectiveTime, HOP, Nodes, Torus};
pub use compile::{Compilation, StepRun};
pub use custom::{CustomValue, CustomValues, ValueLimits};
pub use definition::Definition;
pub use energy::{Energy, EnergyCosts, Joules, Operation, PicoJoules, Process, operation_energy};
pub use identity::Identity;
pub use lengths::{LengthMix, SEQUENCE_TOKENS_MAX, SEQUENCES_MAX, ShapeRefusal};
pub use links::{LinkRate, Links, RingAxes, SliceNames};
pub use mfu::{ArrayRun, Mfu, MfuRefusal, Missing};
pub use money::{CostLine, EgressTariff, Offer, RunBill, WEEK_HOURS, break_even_runs, porting, usd_per_million_tokens};
pub use parallel::{
    Concurrent, Fabric, Sharding, Step, StepTime, critical_mixed_tokens_per_chip, critical_tensor_chips,
    critical_tokens_per_chip, critical_tokens_per_pod,
};
pub use pass_time::PassTime;
pub use peak::{Fp8, PeakDtype};
pub use per::{HourlyPrice, Per};
pub use pods::{PODS, PodScaling, V5E_POD_BYTES_PER_SEC};
pub use price::{Price, PriceKind};
pub use product_share::{PRODUCT_SHARES, ProductShare, product_share};
pub use published::PublishedMfu;
pub use roofline::{Bound, GemmTraffic, Roofline};
pub use shapes::{BatchLayout, Batching, Buckets};
pub use sizes::GemmSizes;
pub use sourced::{Confidence, Source, Sourced};
pub use training::{Attention, Remat, TransformerFlops, Work};
pub use units::{FlopsPerSec, Seconds, Usd};
