//! An exact model of one systolic array: its registers, arithmetic and clock.
//!
//! Data enters a systolic array first at the corner PE (0,0) in the north-west, and moves through the array as a
//! diagonal wavefront (the wave). Processing element (PE) (r,c) does at cycle t what the corner PE did at t − r − c.
//! The crate has two independent models of the array, and a test compares the models:
//!
//! - [`Machine`]: registers and a clock edge, like RTL;
//! - [`Schedule`], [`Activity`], [`Prober`] and [`Snapshot`]: closed forms, for any cycle of a run of any length.
//!
//! ```
//! use systolic::prelude::*;
//!
//! let schedule = Schedule::builder([128, 1024, 1024], [128, 128]).build()?;
//! assert_eq!(schedule.cycles().get(), 32_640);
//! assert_eq!((schedule.tally().utilization() * 1000.0).round(), 251.0);
//!
//! let run = Run::filled(schedule, Fill::Small { seed: 7 }, Dtype::Bf16);
//! assert!(run.at(Cycle(20_000), PeId::new(3, 5)).held.is_some());
//! # Ok::<(), RangeError>(())
//! ```
//!
//! # Timing
//!
//! The default is SCALE-Sim's stall-free convention:
//!
//! - A fold is one pass of a tile of the problem over the array. Folds run one after another without overlap, first
//!   along the axis mapped to the rows ([`FoldOrder::Rows`]).
//! - An edge fold takes as many cycles as a full fold.
//! - Partial results over K are added outside the array, in the order of the folds.
//! - Each hop has one register. A PE multiplies and adds in the cycle in which it latches the operand.
//! - An output-stationary fold ends with its last multiply-accumulate. The results are then read in place.
//! - Cycles are counted from 0. Cycle t is the state just after clock edge t.
//!
//! A [`Design`] describes how a published array differs from this convention:
//!
//! - double-buffered folds, with shadow registers or output buffers
//! - sums drained south
//! - weights loaded diagonally
//! - folds that run first along the axis mapped to the columns
//! - a registered product
//! - two registers per hop to the south
//! - edges that pass fewer elements per cycle than the array accepts
//!
//! All of these options affect only a few durations that all folds share (`timing.rs`), and the function
//! `Schedule::wave_at`. The wave reaches some PEs `delay` cycles after the corner PE. For these PEs, the function
//! returns a fold, and the cycles since the fold's stream could arrive.
//!
//! - With overlap, a PE starts the next fold when the wave of that fold arrives. Callers therefore identify the work of
//!   a PE by cycle and PE, never by fold. A `FoldResidency` describes which cycles of a PE count for which fold.
//! - A slow edge makes gaps in the stream (`pace.rs`). The gaps travel through the array with the stream. The rest of
//!   the array does not stop.
//! - [`Machine`] contains none of these formulas, because it only counts. A period that is too short would overwrite a
//!   shadow register or an output buffer, and the comparison of the models would fail.
//!
//! # Adders
//!
//! By default, each PE adds one product in one cycle, with one rounding in the format of the accumulator. An [`Adder`]
//! of a chip rounds once per block of products: the sum register then contains an open sum, which the last PE of the
//! block rounds ([`Prober::block`], [`BlockView`]). The sums of a tensor core go on from fold to fold.
//! [`Schedule::with_unit`] checks that the adder fits the run. Sums may start from a matrix c ([`Operands::c`]). Neither
//! changes cycles, moves or reads.
//!
//! # Ways to compute a sum
//!
//! All ways give equal values. Tests compare the values.
//!
//! | way | gives | costs | for |
//! |---|---|---|---|
//! | [`Run::at`], [`Prober`] | all registers of one PE at any cycle | the terms of its sum | one selected PE |
//! | [`Run::result`], [`product()`] | C | M·K·N multiplications, vectorized | results without the array |
//! | [`Snapshot`] | the sums of all PEs at any cycle | the terms of all sums | small arrays, and tests |
//! | [`CarriedSums`] | all sums, every cycle in turn | at most a budget of terms for each call | frames of an animation |
//! | [`Replay`] | all sums, every cycle in turn | one term per PE and cycle, vectorized | replays of long runs |
//! | [`Run::machine`], [`Machine`] | all registers, every cycle in turn | one step per PE and cycle | the reference |
//! | [`mod@reference`] | C by its definition | M·K·N multiplications | tests |
//!
//! # Chosen dataflows
//!
//! [`mod@flow`] runs any choice of moves and delays of the three matrices, and judges the choice. Its runs share no code
//! with the two models above.
//!
//! # Rules
//!
//! - Counts of cycles, elements and PE-cycles are `u64`, never `usize`, because `usize` has 32 bits in WebAssembly.
//! - [`CarriedSums`] compiles to little code. [`Replay`] is many times as fast and many times as large.
//!
//! # Reading order
//!
//! [`Gemm`], [`ArrayShape`], [`Dataflow`], [`Padding`], [`Design`], [`Schedule`], [`Fold`], [`Activity`], [`Tally`],
//! [`EdgeTraffic`], [`Event`], [`PortEvent`], then [`Dtype`], [`MacUnit`], [`Adder`], [`lane`], [`Matrix`], [`Run`],
//! [`Prober`], [`Replay`], [`Snapshot`], [`CarriedSums`], [`Machine`], [`PeStorage`], [`mod@reference`].

mod activity;
mod adder;
mod array;
mod block_view;
mod builder;
mod carried;
mod census;
mod dataflow;
mod design;
mod drain;
mod dtype;
mod event;
mod exact;
pub mod flow;
mod fold;
mod fold_residency;
mod gemm;
mod k_tiles;
pub mod lane;
mod lattice;
mod machine;
mod matrix;
mod minifloat;
mod named;
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
mod result_format;
mod row_order;
mod run;
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
pub use adder::{Adder, AdderError, Rule};
pub use array::{ArrayShape, PeId};
pub use block_view::{AlignedTerm, BlockView};
pub use builder::ScheduleBuilder;
pub use carried::{CarriedSums, SumOf, SumStatus};
pub use census::Census;
pub use dataflow::{Axis, Dataflow, Hold, Mapping, Mkn, Operand};
pub use design::{Design, Drain, FoldOrder, Load, Overlap, Pipeline, Ports, Rate};
pub use dtype::{Accumulator, Dtype, MacUnit, Value};
pub use event::{Event, EventKind};
pub use exact::ExactSum;
pub use fold::{Block, Fold};
pub use gemm::Gemm;
pub use k_tiles::{KTiles, TileList};
pub use lane::Lane;
pub use machine::{Fault, Machine};
pub use matrix::{Fill, Matrix, Operands};
pub use minifloat::{MiniFloat, Overflow};
pub use named::UnknownName;
pub use padding::Padding;
pub use passes::{Passes, split};
pub use probe::{Element, Probe, Prober, Sum};
pub use product::{ProductRows, product};
pub use provenance::{Next, Origin, Register, Term};
pub use range_error::RangeError;
pub use registers::Registers;
pub use result_format::ResultFormat;
pub use run::{Clocked, Run};
pub use schedule::{Moment, Schedule};
pub use snapshot::Snapshot;
pub use storage::{PeRegister, PeStorage};
pub use sums::{Replay, Sums};
pub use tally::Tally;
pub use trace::{Edge, PortEvent};
pub use traffic::{EdgeTraffic, Level, MemoryTraffic};
pub use units::{Cycle, Cycles, Elements, Macs, PeCycles};
pub use vectors::Vectors;

/// The types that most programs need.
pub mod prelude {
    pub use crate::{
        ArrayShape, Cycle, Dataflow, Design, Dtype, Edge, Fault, Fill, Gemm, Level, MacUnit, Matrix, Operands, Overlap,
        Padding, Passes, PeId, RangeError, Run, Schedule, Value,
    };
}

/// Runs the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
