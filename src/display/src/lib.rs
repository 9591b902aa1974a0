//! Numbers as text, figures with formulas, pictures and plots as data: output for the array and for the model
//! estimates.
//!
//! This crate contains neither the array nor the models. It contains these types:
//!
//! - A [`Picture`] is a list of marks with semantic tones. [`svg`] paints the picture as text, and the canvas of the
//!   page is another painter.
//! - A [`plot::Plot`] is data, too. First, the layout places the labels for a given width. Then the plot becomes SVG
//!   text without colors.
//! - An [`amount::Amount`] is a number with its unit, or unknown. The page formats an amount as text only when it shows
//!   the amount.
//! - A [`figure::Figure`] has its formula, the formula with numbers, and its sources.

pub mod amount;
pub mod figure;
pub mod number;
pub mod picture;
pub mod plot;
pub mod rounded_parts;
pub mod svg;
mod tone;
pub mod words;

pub use picture::Picture;
pub use tone::Tone;
