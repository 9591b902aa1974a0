//! Texts for the current cycle: the caption, and the PE that the caption describes.

use leptos::prelude::*;
use studio::{Plan, PointedValue};
use systolic::PeId;
use words::caption::{self, Caption as Words};

use crate::ctx::Ctx;

/// Returns the caption of the current cycle. An array with a fault has its own caption. Otherwise the caption explains
/// `spot` with its terms, in at most `letters` letters. Without `spot`, the caption describes `pe` or the whole array.
pub(crate) fn caption_for(
    ctx: Ctx,
    plan: &Plan,
    pe: Option<PeId>,
    spot: Option<PointedValue>,
    letters: usize,
) -> Words {
    let broken = || Some(ctx.workbench()?.caption(plan, &*ctx.tools.broken.get()?, pe));
    let why = || ctx.parts.sides.get()?.why(plan, ctx.cycle.get(), spot?, letters);
    broken().or_else(why).unwrap_or_else(|| {
        let cycle = ctx.cycle.get();
        let words = caption::caption(plan, cycle, pe);
        // The headline of a chosen PE is the PE's own multiplication. The PE under the pointer changes only the sentence.
        let chosen = pe.filter(|_| ctx.session().with(|session| session.view.selected) == pe);
        // Without a multiplication, the headline does not name the event of another PE.
        let other = |pe: &PeId| caption::event_pe(plan, cycle).is_some_and(|of| of != *pe);
        let state = || chosen.filter(other).map(|pe| caption::state_headline(plan, cycle, pe));
        match (chosen.and_then(|pe| caption::product_headline(plan, cycle, pe)), state()) {
            (Some(headline), _) => Words { headline, ..words },
            (None, Some(headline)) => words.below(headline),
            (None, None) => words,
        }
    })
}

/// Returns the sentence about one PE at the current cycle.
pub(crate) fn pe_sentence(ctx: Ctx, pe: PeId) -> String {
    ctx.plan.with(|plan| caption_for(ctx, plan, Some(pe), None, SPOKEN).sentence)
}

/// Returns the PE that the caption describes if no PE is chosen.
pub(crate) fn default_caption_pe(ctx: Ctx) -> Option<PeId> {
    let broken = || Some(ctx.workbench()?.telling(&*ctx.tools.broken.get()?));
    broken().unwrap_or_else(|| ctx.plan.with(|plan| caption::telling_pe(plan, ctx.cycle.get())))
}

/// Returns the caption that the page shows below the array view.
pub(crate) fn current_caption(ctx: Ctx) -> Words {
    let focused = ctx.focused_pe.get();
    // A lesson card can highlight a PE. The caption then describes this PE.
    let pe = focused.or_else(|| ctx.view.filter.with(|filter| filter.highlighted_pe()));
    let letters = room(ctx.frame.size.get().width);
    ctx.plan.with(|plan| {
        let mut caption = caption_for(ctx, plan, pe, ctx.spot(), letters);
        // A chosen PE also says why it multiplies in this cycle, if the sentence has space for the reason. For a PE that
        // only a card highlights, the caption has no reason, because the card may come before the words in it.
        let when = focused
            .filter(|_| ctx.tools.broken.with(Option::is_none))
            .and_then(|pe| ctx.parts.sides.get()?.when(plan, ctx.cycle.get(), pe));
        if let Some(when) = when.filter(|when| caption.sentence.chars().count() + when.chars().count() < letters) {
            caption.sentence = format!("{} {when}", caption.sentence);
        }
        caption
    })
}

/// Smallest width of a view whose legend is next to the caption.
const LEGEND_BESIDE: f32 = 660.0;

/// Number of lines of the caption below its headline.
const N_LINES: f32 = 3.0;

/// Returns the number of letters that fit into the lines of the caption, for a width in pixels.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred")]
fn room(width: f32) -> usize {
    // In a wide view, the legend is next to the caption. A phone has a smaller font.
    let (beside, letter) = if width >= LEGEND_BESIDE { (320.0, 7.4) } else { (24.0, 6.6) };
    ((width - beside).max(0.0) * N_LINES / letter) as usize
}

/// Maximum number of letters in a caption that is read aloud.
pub(crate) const SPOKEN: usize = 1000;
