//! Controls, with props as inputs and callbacks as outputs. No control depends on the state of the page.

mod book_link;
mod choice;
pub(crate) mod diagram;
mod field;
mod figure;
mod icon;
mod linked;
mod picture_choice;
mod problem;
mod slider;
mod slot;
mod table;
mod table_html;

pub(crate) use book_link::book_link;
pub(crate) use choice::{Choice, Note};
pub(crate) use field::NumberField;
pub(crate) use figure::{FigureView, figure_body, fill_figure};
pub(crate) use icon::{IconButton, icons};
pub(crate) use linked::linked;
pub(crate) use picture_choice::PictureChoice;
pub(crate) use problem::{FieldProblem, message_id};
pub(crate) use slider::Slider;
pub(crate) use slot::PartSlot;
pub(crate) use table::{TextTable, fixed_table};
pub(crate) use table_html::table_html;
