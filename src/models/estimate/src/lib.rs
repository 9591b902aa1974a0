//! Estimates for models on chips: step time, MFU, tokens per second and cost, each with its derivation.
//!
//! [`Query`] is the only entry point from text to an estimate. A query reads the entries of one [`Topic`] from a link.
//! Reading never fails: for every unusable entry, the query contains an `InvalidEntry {name, given, allowed}`. The
//! page, the command line and the JSON reports all use [`Query`].
//!
//! The crate `workload` lists the matmuls of a model. The crate `perfmodel` computes the times of the matmuls and of
//! the communication between chips. This crate adds no constants and no sentences: answers are numbers and ids, and
//! `report` presents them.
//!
//! ```
//! use estimate::ModelQuery;
//!
//! let query = ModelQuery::parse("model=llama2-70b&chip=tpu-v4&chips=64&seq=4096");
//! let answer = query.answer(None).expect("an answer");
//! let mfu = answer.estimate.mfu.expect("possible").ratio;
//! // MaxText, with these settings: 57%.
//! let (low, high) = answer.estimate.interval().expect("training").rate(mfu);
//! assert!((low..=high).contains(&0.57));
//! ```
//!
//! Custom values of a chip (`perfmodel::CustomValues`) replace the values of a listed chip or of `Chip::blank`. Every
//! answer names these values as custom.

mod accuracy;
mod advice;
mod answered;
mod claim;
mod columns;
mod comparison;
mod convention;
pub mod conventions;
mod cost;
mod cost_inputs;
mod curve;
pub mod custom;
pub mod entries;
mod entry;
mod entry_reader;
mod estimate;
mod exchange;
mod failures;
mod groups;
mod import;
mod interval;
mod invalid;
mod layers;
mod layout;
pub mod lengths;
mod measure;
mod measured;
mod memory;
mod mfu_by_chips;
mod other_sizes;
mod own_runs;
mod page_settings;
pub mod price;
mod query;
mod question;
mod rate;
mod roofline;
mod rows;
mod run_values;
mod serving;
mod software;
mod splits;
mod step_parts;
mod step_share;
mod taken_apart;
mod than;
mod timed;
mod useful;
mod view;
mod work;

pub use accuracy::{Accuracy, RangeAccuracy, accuracy};
pub use advice::{Raise, Remedy, Setting, Warning};
pub use answered::Answered;
pub use claim::{Better, Claim, Claimed, Uncheckable, Verdict};
pub use columns::Column;
pub use comparison::{Ranking, Run};
pub use convention::Convention;
pub use cost::Cost;
pub use cost_inputs::{CostInput, CostInputs};
pub use curve::{Curve, CurvePoint};
pub use entry::{Entry, NumberRange, Topic};
pub use estimate::{Bound, Estimate, Inputs, Refusal};
pub use failures::{FailuresAnswer, FailuresQuery, MINUTE_SECONDS};
pub use groups::{GroupSizes, GroupsRefusal};
pub use import::{ImportProgress, Imported, imported, named_after};
pub use interval::Interval;
pub use invalid::{Allowed, EntryName, InvalidEntry};
pub use layers::{Layer, Layers};
pub use lengths::LengthsQuery;
pub use measure::{Direction, Measure, Number};
pub use measured::{Factor, Measured, OwnRun, Part, Unusable};
pub use memory::Held;
pub use mfu_by_chips::{ConvertedMfu, MfuByChips, PredictedMfu};
pub use own_runs::OwnRuns;
pub use page_settings::PageSettings;
pub use query::{ModelAnswer, ModelQuery, Query};
pub use question::{
    ATTENTIONS, ChosenForRate, F32_PASSES, FRAMEWORKS, LATENTS, LayoutFrom, PASSES, PRODUCT, Question, REMATS, SPLITS,
    models,
};
pub use roofline::{Placed, Roof, Roofline, placed};
pub use rows::{Row, rows};
pub use serving::{SERVING_MODELS, SERVING_RUNS, SERVING_SOURCE, Serving};
pub use software::Software;
pub use splits::{Dear, TooFew};
pub use step_parts::{PartTime, StepPart, StepParts};
pub use step_share::StepShare;
pub use taken_apart::Change;
pub use than::{SettingOverrides, THAN};
pub use useful::{NoUsefulHour, UsefulHour};
pub use view::View;
pub use work::{pass_spec, product_name, work_of};
