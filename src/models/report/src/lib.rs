//! Text about models on chips: forms, reports as JSON, and answers with their figures, tables, costs and plots.
//!
//! The `estimate` crate answers in numbers and ids. This crate only turns these answers into text.

mod accuracy;
mod advice;
mod answer;
pub mod bill;
mod bill_lines;
mod chip;
mod columns;
pub mod comparison;
mod conventions;
pub mod entry;
pub mod failures;
mod figures;
mod forecast;
mod form;
mod interval;
pub mod invalid;
mod json;
pub mod layers;
pub mod lengths;
mod limits;
mod memory;
pub mod model;
pub mod own;
mod picture;
pub mod plots;
mod query;
pub mod report_page;
pub mod runs;
mod sentence;
pub mod table;
mod tables;
#[cfg(test)]
mod tests;
mod why;

pub use advice::{Raise, raises};
pub use answer::{Answer, Bars, Bill, ColumnBar, ColumnCell, ColumnView, Columns, Drag, Drawing, Factor, Remedy};
pub use bill_lines::bill;
pub use figures::{assumptions, figures};
pub use form::{FormEntry, Group, form, form_with};
pub use json::json;
pub use picture::svg;
pub use plots::{curves, drawings};
pub use query::{answer, csv};
pub use table::{Cell, Row, Table, TableId};
pub use tables::{errors, step_parts, tables};
