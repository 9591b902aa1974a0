//! The height that this page wishes for its frame.

use leptos::prelude::*;
use stage::Layout;

use crate::browser::port::{Sizes, sizes};
use crate::ctx::Ctx;

/// Smallest and largest height, in CSS pixels.
const LIMITS: (f64, f64) = (320.0, 720.0);

/// Returns the height in CSS pixels: 5/8 of the width of the frame, or more if the values in the PEs would otherwise be
/// unreadable.
pub(crate) fn wished(ctx: Ctx) -> f64 {
    let Sizes { frame: (width, height), stage } = sizes();
    #[expect(clippy::cast_possible_truncation, reason = "sizes of a screen")]
    let readable = stage.and_then(|(wide, tall)| {
        let least = ctx.plan.with_untracked(|plan| Layout::least_height(plan, wide as f32))?;
        Some(height - tall + f64::from(least))
    });
    let (least, most) = LIMITS;
    (width * 5.0 / 8.0).max(readable.unwrap_or(0.0)).round().clamp(least, most)
}
