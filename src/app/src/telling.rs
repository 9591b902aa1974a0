//! The words of a moment: the caption and the PE of which it speaks.

use leptos::prelude::*;
use studio::{Plan, PointedValue};
use systolic::PeId;
use words::caption::{self, Caption as Words};

use crate::ctx::Ctx;

/// The caption of this moment: of the machine with a defect, where there is one; else of a value that is pointed at,
/// with as many of its terms as this number of letters has room for.
pub(crate) fn words(ctx: Ctx, plan: &Plan, pe: Option<PeId>, spot: Option<PointedValue>, letters: usize) -> Words {
    let broken = || Some(ctx.workbench()?.caption(plan, &*ctx.broken.get()?, pe));
    let why = || ctx.parts.sides.get()?.why(plan, ctx.cycle.get(), spot?, letters);
    broken().or_else(why).unwrap_or_else(|| caption::caption(plan, ctx.cycle.get(), pe))
}

/// The sentence about one PE at this moment.
pub(crate) fn of_pe(ctx: Ctx, pe: PeId) -> String {
    ctx.plan.with(|plan| words(ctx, plan, Some(pe), None, SPOKEN).sentence)
}

/// The PE of which the caption speaks where none is chosen.
pub(crate) fn default_caption_pe(ctx: Ctx) -> Option<PeId> {
    let broken = || Some(ctx.workbench()?.telling(&*ctx.broken.get()?));
    broken().unwrap_or_else(|| ctx.plan.with(|plan| caption::telling_pe(plan, ctx.cycle.get())))
}

/// The caption as it stands below the stage.
pub(crate) fn shown(ctx: Ctx) -> Words {
    ctx.plan.with(|plan| words(ctx, plan, ctx.focused_pe.get(), ctx.spot(), room(ctx.width.get())))
}

/// Letters of the caption's two lines of sentences, by its width.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred")]
fn room(width: f32) -> usize {
    ((width - 40.0).max(0.0) * 2.0 / 7.4) as usize
}

/// Letters of a list that is read aloud.
pub(crate) const SPOKEN: usize = 1000;
