//! The table of a measured figure in each convention.

use super::table::{Cell, Row, Table, TableId};
use display::amount::Amount;
use display::figure::duration;
use estimate::conventions::{Counted, FigureConvention, Reading, own};
use perfmodel::Attention;

/// Returns a sentence if two measured figures disagree in every convention.
pub(super) fn disagreement(readings: &[Reading]) -> Option<String> {
    let disagrees = !readings.is_empty() && readings.iter().all(|one| one.agrees == Some(false));
    disagrees.then(|| {
        "The two figures of this run disagree in every convention. Set the model, tokens per sequence, sequences per chip and chips of the run."
            .to_owned()
    })
}

/// Returns the table of the conventions that a figure can have. Marks the conventions that agree with the second figure,
/// or the convention of the answer if there is no second figure.
pub(super) fn table(readings: &[Reading], attention: Attention) -> Table {
    let counted = |counted: Counted| match counted {
        Counted::Weights => "weights (6N)",
        Counted::CausalAttention => "causal attention",
        Counted::FullAttention => "full attention",
    };
    let has_two = readings.iter().any(|one| one.agrees.is_some());
    let row = |one: &Reading| {
        let FigureConvention { counted: flops, is_recomputed, is_sparse } = one.convention;
        let name = format!("{}{}", counted(flops), if is_recomputed { ", recomputed too" } else { "" });
        let mfu = one.mfu.map_or_else(|_| Cell::from("above 100 %"), |mfu| Amount::Share(mfu.ratio).into());
        let agrees = one.agrees.map(|agrees| Cell::from(if agrees { "yes" } else { "no" }));
        let cells = [Cell::from(if is_sparse { "sparse" } else { "dense" }), duration(one.step.0).into(), mfu];
        Row::new(name, cells.into_iter().chain(agrees)).marked(one.agrees.unwrap_or(one.convention == own(attention)))
    };
    let heads = ["FLOPs counted", "peak", "step", "MFU here", "agrees with the second figure"];
    Table::new(TableId::Conventions, &heads[..if has_two { 5 } else { 4 }], readings.iter().map(row))
}
