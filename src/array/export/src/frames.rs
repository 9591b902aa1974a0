//! ZIP with one drawing for each cycle of a run, for slides, films and figures.

use studio::Plan;
use systolic::Cycle;

use crate::zip_file::ZipFile;
use crate::{View, svg};

/// Maximum number of cycles in a ZIP.
pub const CYCLES_MAX: u64 = 1_000;

/// Number of drawings in the ZIP of a run.
pub(crate) fn count(plan: &Plan) -> u64 {
    plan.schedule().cycles().get().min(CYCLES_MAX)
}

/// Adds the drawing of a cycle to the ZIP.
///
/// # Errors
/// Fails if the ZIP cannot store the drawing.
pub(crate) fn add(view: &View<'_>, cycle: u64, zip: &mut ZipFile) -> std::io::Result<()> {
    let digits = count(view.plan).saturating_sub(1).to_string().len();
    zip.begin(&format!("cycle-{cycle:0digits$}.svg"))?;
    zip.write(&svg::document_at(view, Cycle(cycle)))
}
