//! Every word of the estimate that a person reads, in English.

pub mod answer;
pub mod bill;
pub mod plot;
pub mod report;
