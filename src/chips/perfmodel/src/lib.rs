//! Peaks, MFU, roofline and price of a systolic array on a chip, each number with its source.
//!
//! The crate accepts plain counts (rows, columns, cycles, MACs) and returns plain numbers. An unpublished value stays
//! `None` in all computations, from the table to the cost. The crate never replaces `None` with a guess. No function
//! formats numbers or panics. Only the code for sequence lengths, custom chips and error analyses allocates memory.
//!
//! ```
//! use perfmodel::gemm_time::ProductOnChip;
//! use perfmodel::{Chip, GemmSizes, MfuRefusal, PeakDtype};
//!
//! let v4 = Chip::by_id("tpu-v4").expect("it is in the table");
//! let on_chip = ProductOnChip::new(v4, PeakDtype::Bf16, GemmSizes { m: 128, k: 1024, n: 1024 })?;
//! assert_eq!((1000.0 * on_chip.mfu.ratio).round(), 203.0);
//! // From the peak to that, the factors multiply.
//! let left: f64 = on_chip.steps.iter().map(|step| step.factor).product();
//! assert!((left / on_chip.mfu.ratio - 1.0).abs() < 1e-12);
//! // TPU v1 multiplies integers only, so there is no MFU of floats, and none is guessed.
//! let v1 = Chip::by_id("tpu-v1").expect("it is in the table");
//! let refused = ProductOnChip::new(v1, PeakDtype::Bf16, GemmSizes { m: 1, k: 1, n: 1 });
//! assert!(matches!(refused, Err(MfuRefusal::Unknown { .. })));
//! # Ok::<(), MfuRefusal>(())
//! ```
//!
//! # Rules
//!
//! - A matmul on a chip has one time and one MFU, from [`gemm_time`]. The page and the commands `systolic time`,
//!   `model` and `report` show this time and this MFU, and a test of the command line compares them. The utilization of
//!   the simulated array is a different number, which the crate `systolic` computes.
//! - Error intervals are never computed from data that the constants were fitted to. [`left_out`] leaves out whole
//!   publications. For cross-validation, `gemm_time::left_out` leaves whole groups of shapes out of the fit.

mod bill;
mod checkpoint;
mod chip;
mod chips_generated;
mod collective;
mod compile;
mod custom;
pub mod definition;
mod energy;
mod format;
mod framework;
mod full_rate;
pub mod gemm_time;
mod groups;
mod identity;
pub mod left_out;
mod lengths;
mod links;
mod links_generated;
mod mfu;
mod mfu_model;
mod money;
mod parallel;
mod pass_time;
mod peak;
mod per;
mod pods;
mod price;
mod published;
mod roofline;
pub mod run_inputs;
mod runs_generated;
mod shapes;
mod sizes;
mod sourced;
mod training;
mod units;
mod words;

pub use bill::{usd_per_1e18_multiplications, usd_per_pflop_hour};
pub use checkpoint::{Checkpointing, FailureRate};
pub use chip::{AS_OF, CapacityUnit, Chip, Compute, Memory, PowerKind};
pub use collective::{BETWEEN_NODES, Collective, CollectiveTime, HOP, IN_NODE, Measured, Nodes, ON_TORUS, Torus};
pub use compile::{Compilation, StepRun};
pub use custom::{CustomValue, CustomValues, ValueLimits};
pub use definition::Definition;
pub use energy::{Energy, EnergyCosts, Joules, Operation, PicoJoules, Process, operation_energy};
pub use format::{AsRun, Conversion, F32Passes, Format};
pub use framework::Framework;
pub use full_rate::FullRate;
pub use groups::{Grouped, Groups};
pub use identity::Identity;
pub use lengths::{LengthMix, SEQUENCE_TOKENS_MAX, SEQUENCES_MAX, ShapeRefusal};
pub use links::{LinkRate, Links, RingAxes, SliceNames};
pub use mfu::{Mfu, MfuRefusal, Missing};
pub use mfu_model::{Effect, Evidence, FP8_SPREAD, Forecast, MfuModel, RESIDUAL, RunSetting, SOURCE as MODEL_SOURCE};
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
pub use published::PublishedMfu;
pub use roofline::{Bound, GemmTraffic, Roofline};
pub use shapes::{BatchLayout, Batching, Buckets};
pub use sizes::GemmSizes;
pub use sourced::{Confidence, Source, Sourced};
pub use training::{Attention, Remat, TransformerFlops, Work};
pub use units::{FlopsPerSec, Seconds, Usd};
