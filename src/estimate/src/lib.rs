//! What a model takes on chips: the time of a step, MFU, tokens and money, each with how it comes about.
//!
//! [`Query`] is the one door: it reads what a link says about a [`Topic`], never fails, and lists what cannot be used.
//! Products come from `workload`, their times and the exchange between chips from `perfmodel`; nothing here knows a
//! constant of its own. Sentences are made in [`words`], of typed values.
//!
//! ```
//! use estimate::ModelQuery;
//!
//! // MaxText, configurations for TPU v6e: Llama 3.1 8B, 8192 tokens, 256 chips: 45.46 %.
//! let query = ModelQuery::parse("model=llama3-8b&chip=tpu-v6e&chips=256&seq=8192&batch=2");
//! let answer = query.answer(None).expect("an answer");
//! assert!((answer.estimate.mfu.expect("possible").ratio - 0.4546).abs() < 0.002);
//! ```

mod accuracy;
pub mod answer;
mod claim;
mod cost;
mod cost_inputs;
pub mod custom;
pub mod entries;
mod entry;
mod entry_reader;
mod estimate;
mod exchange;
mod failures;
mod form;
mod import;
mod interval;
mod invalid;
mod layers;
pub mod lengths;
mod measured;
mod mfu_plot;
pub mod price;
mod query;
mod question;
mod report;
mod roofline;
mod splits;
mod taken_apart;
mod than;
mod timed;
mod usd_plot;
pub mod words;

pub use accuracy::{Accuracy, accuracy};
pub use answer::{Answer, Depth};
pub use claim::{Better, Claim, Claimed, Uncheckable, Verdict};
pub use cost::Cost;
pub use cost_inputs::{CostInput, CostInputs};
pub use entry::{Entry, NumberRange, Topic};
pub use estimate::{Estimate, Inputs, Refusal, work_of};
pub use failures::{FailuresAnswer, FailuresQuery};
pub use form::{FormEntry, Group, form, form_with};
pub use import::{ImportProgress, Imported, imported};
pub use interval::Interval;
pub use invalid::{Allowed, EntryName, InvalidEntry};
pub use layers::Layers;
pub use lengths::LengthsQuery;
pub use measured::{Factor, Measured, OwnRun, Part, Unusable};
pub use mfu_plot::{Against, Convention, against_chips};
pub use query::{ModelAnswer, ModelQuery, Query};
pub use question::{ATTENTIONS, F32_PASSES, PASSES, PRODUCT, Question, REMATS, SPLITS, models};
pub use report::{Report, report};
pub use roofline::{Placed, placed, roofline};
pub use taken_apart::Change;
pub use than::Than;
pub use words::bill_lines::bill;
pub use words::figures::{Row, assumptions, figures, rows};
pub use words::memory::misfit;
