//! One systolic array, its arithmetic and its clock, exactly.
//!
//! A systolic array is one-dimensional in time: processing element (r,c) does at cycle t what the corner PE did at
//! t − r − c. So there are two independent descriptions of the same machine here, and a test that they never disagree:
//!
//! - [`Machine`]: registers and a clock edge, like RTL;
//! - [`Schedule`], [`Activity`], [`Prober`] and [`Snapshot`]: closed forms, for any cycle of a run of any length.
//!
//! ```
//! use systolic::{ArrayShape, Cycle, Dataflow, Dtype, Fill, Gemm, MacUnit, Matrix, Operands, Padding, PeId, Prober,
//!     Schedule};
//!
//! let gemm = Gemm::new(128, 1024, 1024)?;
//! let array = ArrayShape::new(128, 128)?;
//! let schedule = Schedule::new(gemm, array, Dataflow::WeightStationary, Padding::Ragged)?;
//! assert_eq!(schedule.cycles().get(), 32_640);
//! assert_eq!((schedule.tally().utilization() * 1000.0).round(), 251.0);
//!
//! let fill = Fill::Small { seed: 7 };
//! let operands = Operands {
//!     a: Matrix::new(gemm.m(), gemm.k(), fill.clone(), 0, Dtype::Bf16),
//!     b: Matrix::new(gemm.k(), gemm.n(), fill, 1, Dtype::Bf16),
//! };
//! let prober = Prober::new(&schedule, &operands, MacUnit::new(Dtype::Bf16));
//! assert!(prober.at(Cycle(20_000), PeId::new(3, 5)).held.is_some());
//! # Ok::<(), systolic::RangeError>(())
//! ```
//!
//! Read in this order: [`Gemm`], [`ArrayShape`], [`Dataflow`], [`Padding`], [`Design`], [`Schedule`], [`Fold`],
//! [`Activity`], [`Tally`], [`EdgeTraffic`], [`Event`], [`PortEvent`], then [`Dtype`], [`MacUnit`], [`lane`], [`Matrix`],
//! [`Prober`], [`Replay`], [`Snapshot`], [`CarriedSums`], [`Machine`], [`PeStorage`], [`mod@reference`].

mod activity;
mod array;
mod carried;
mod census;
mod dataflow;
mod design;
mod drain;
mod dtype;
mod event;
mod exact;
mod fold;
mod fold_residency;
mod gemm;
pub mod lane;
mod lattice;
mod machine;
mod matrix;
mod minifloat;
mod pace;
mod padding;
mod partial_sum;
mod passes;
mod probe;
mod product;
mod provenance;
mod range_error;
pub mod reference;
mod registers;
mod schedule;
mod snapshot;
mod storage;
mod sums;
mod tally;
mod timing;
mod trace;
mod traffic;
mod units;
mod useful;
mod vectors;

pub use activity::{Activity, Slot, StreamPosition};
pub use array::{ArrayShape, PeId};
pub use carried::{CarriedSums, SumOf, SumStatus};
pub use census::Census;
pub use dataflow::{Axis, Dataflow, Hold, Mapping, Mkn, Operand};
pub use design::{Design, Drain, FoldOrder, Load, Overlap, Pipeline, Ports, Rate};
pub use dtype::{Accumulator, Dtype, MacUnit, Value};
pub use event::{Event, EventKind};
pub use exact::ExactSum;
pub use fold::{Block, Fold};
pub use gemm::Gemm;
pub use lane::Lane;
pub use machine::{Fault, Machine};
pub use matrix::{Fill, Matrix, Operands};
pub use minifloat::{MiniFloat, Overflow};
pub use padding::Padding;
pub use passes::{Passes, split};
pub use probe::{Element, Probe, Prober, Sum};
pub use product::product;
pub use provenance::{Next, Origin, Register, Term};
pub use range_error::RangeError;
pub use registers::Registers;
pub use schedule::{Moment, Schedule};
pub use snapshot::Snapshot;
pub use storage::{PeRegister, PeStorage};
pub use sums::{Replay, Sums};
pub use tally::Tally;
pub use trace::{Edge, PortEvent};
pub use traffic::{EdgeTraffic, Level, MemoryTraffic};
pub use units::{Cycle, Cycles, Elements, Macs, PeCycles};
pub use vectors::Vectors;
