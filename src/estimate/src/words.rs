//! Every word of the estimate that a person reads, in English, made from typed values.

pub mod answer;
pub(crate) mod batches;
pub mod bill;
pub(crate) mod bill_lines;
pub(crate) mod chip;
pub mod entry;
pub mod failures;
pub mod figures;
pub(crate) mod interval;
pub mod invalid;
pub mod layers;
pub(crate) mod lengths;
pub(crate) mod limits;
pub(crate) mod memory;
pub mod own;
pub mod plot;
pub mod report;
pub mod runs;
pub(crate) mod tables;
pub(crate) mod why;
