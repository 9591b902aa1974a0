//! What stands in files of a run.

/// What a LaTeX picture needs around it.
pub(crate) const NEEDS_TIKZ: &str = "Needs \\usepackage{tikz} and a document in UTF-8.";
/// The tracks of folds.
pub(crate) const FOLDS: &str = "folds";
/// The tracks of what a fold does.
pub(crate) const PHASES: &str = "phases";
/// The weights or inputs come in.
pub(crate) const LOAD: &str = "load";
/// The rest of a fold.
pub(crate) const STREAM: &str = "stream and drain";
/// How many PEs multiply.
pub(crate) const AT_WORK: &str = "PEs at work";
/// Of those, on elements of the matrices.
pub(crate) const USEFUL: &str = "useful";
/// Of those, on zeros of padding.
pub(crate) const ON_PADDING: &str = "on padding";
/// What a unit of such a file's time is.
pub(crate) const UNIT: &str = "1 cycle = 1 us";

/// A fold by its number.
pub(crate) fn fold(index: u64) -> String {
    format!("fold {index}")
}
