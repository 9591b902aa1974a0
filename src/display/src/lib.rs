//! What both subjects show with: numbers as text, figures that open, pictures and plots as data.
//!
//! Nothing here knows an array or a model. A [`Picture`] is marks with semantic tones, and [`svg`] is one of its
//! painters; a [`plot::Plot`] is laid out for a width before it becomes text; a [`figure::Figure`] carries its formula,
//! the numbers put in, and its sources.

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
