//! Numbers as text, figures that open, pictures and plots as data: output of both the array and the estimate.
//!
//! Nothing here contains an array or a model:
//!
//! - A [`Picture`] is a list of marks with semantic tones. [`svg`] is one of its painters, and the canvas of the page
//!   is another one.
//! - A [`plot::Plot`] is data, too. It is laid out for a width, its labels are placed, and only then does it become SVG
//!   text without colors.
//! - An [`amount::Amount`] is a number with its unit, or unknown. Text is made of it last.
//! - A [`figure::Figure`] has its formula, the numbers put in, and its sources.

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
