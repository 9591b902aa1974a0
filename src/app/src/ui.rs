//! Controls: props in, callbacks out; none knows the state of the page.

mod choice;
mod field;
mod figure;
mod icon;

pub(crate) use choice::Choice;
pub(crate) use field::NumberField;
pub(crate) use figure::FigureView;
pub(crate) use icon::IconButton;
