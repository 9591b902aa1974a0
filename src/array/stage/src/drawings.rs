//! Drawings that the page can show in place of the array: PE-cycles, the cube, roofline, bits, traffic and im2col.

mod bits;
pub mod cube;
mod im2col;
mod pe_cycles;
mod roofline;
mod traffic;

use display::picture::Picture;
use studio::{Drawing, Plan, Settings, Tools};

use crate::Frame;

/// Returns changed settings with which a drawing shows more than with the settings of this run. Empty if there are
/// none.
#[must_use]
pub fn better_for(drawing: Drawing, plan: &Plan) -> Settings {
    match drawing {
        Drawing::Im2col => im2col::sizes_with_picture(plan).into_iter().flatten().collect(),
        Drawing::Cubes => cube::longest(plan).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Returns the number of arrays of `plan` that replace the array of `before`. Together, they have as many PEs as that
/// array, and their runs have as many multiplications. 1 if there is no such number.
fn n_arrays(before: &Plan, plan: &Plan) -> u64 {
    let of = |plan: &Plan| (plan.schedule().array().pes(), plan.schedule().gemm().macs().get());
    let ((pes_before, macs_before), (pes, macs)) = (of(before), of(plan));
    let n = pes_before / pes;
    if n > 1 && n * pes == pes_before && n * macs == macs_before { n } else { 1 }
}

/// A function that draws a run in place of the array.
pub type Instead = fn(&Frame<'_>, f32, f32, &mut Picture);

/// Returns the function that draws in place of the array with these tools: a dataflow that a person builds, or the chosen
/// drawing. `None` for the array itself.
#[must_use]
pub fn of_tools(tools: &Tools) -> Option<Instead> {
    if tools.built.is_some() { Some(crate::flow::instead) } else { instead(tools.picture) }
}

/// Returns the function that draws a run in place of the array. `None` for the array itself.
#[must_use]
pub fn instead(drawing: Drawing) -> Option<Instead> {
    match drawing {
        Drawing::Array => None,
        Drawing::PeCycles => Some(pe_cycles::draw),
        Drawing::Cube => Some(cube::draw),
        Drawing::Cubes => Some(cube::draw_three),
        Drawing::Roofline => Some(roofline::draw),
        Drawing::Bits => Some(bits::draw),
        Drawing::Traffic => Some(traffic::draw),
        Drawing::Im2col => Some(im2col::draw),
    }
}
