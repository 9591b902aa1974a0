//! Drawings that the page can show in place of the array: PE-cycles, roofline, bits, traffic and im2col.

mod bits;
mod im2col;
mod pe_cycles;
mod roofline;
mod traffic;

use display::picture::Picture;
use studio::{Drawing, Field, Plan};

use crate::Frame;

/// Returns sizes with which a drawing shows something, if it shows nothing of this run.
#[must_use]
pub fn sizes_for(drawing: Drawing, plan: &Plan) -> Option<[(Field, u64); 2]> {
    (drawing == Drawing::Im2col).then(|| im2col::sizes_with_picture(plan)).flatten()
}

/// A function that draws a run in place of the array.
pub type Instead = fn(&Frame<'_>, f32, f32, &mut Picture);

/// Returns the function that draws a run in place of the array. `None` for the array itself.
#[must_use]
pub fn instead(drawing: Drawing) -> Option<Instead> {
    match drawing {
        Drawing::Array => None,
        Drawing::PeCycles => Some(pe_cycles::draw),
        Drawing::Roofline => Some(roofline::draw),
        Drawing::Bits => Some(bits::draw),
        Drawing::Traffic => Some(traffic::draw),
        Drawing::Im2col => Some(im2col::draw),
    }
}
