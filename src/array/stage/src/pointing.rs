//! The value at a point of the array view.

use super::cells::{PARTIAL, PRODUCT_MIN, RESULT, SUM};
use super::geometry::Place;
use super::{Detail, Scene};
use display::picture::{Rect, Token};
use studio::{Plan, PointedValue};
use systolic::{Cycle, Operand, SumOf};

/// Parts of a picture that are needed to find the value at a point.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The run.
    pub plan: &'a Plan,
    /// The clock edge.
    pub cycle: Cycle,
    /// Division of the view into the array and the matrices.
    pub scene: Scene,
    /// The tokens of the picture.
    pub tokens: &'a [Token],
}

/// Returns the value at a point: an element of A, B or C, a product, or the sum of the PE at the point.
#[must_use]
pub fn spot_at(shown: &Shown<'_>, (x, y): (f32, f32)) -> Option<PointedValue> {
    let Shown { plan, scene, .. } = shown;
    let (schedule, layout) = (plan.schedule(), &scene.layout);
    let pe = layout.hit(x, y);
    let is_in = |rect: &Rect| x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h;
    // The token that was drawn last is on top.
    if let Some(token) = shown.tokens.iter().rev().find(|token| is_in(&token.rect)) {
        let (row, col) = (token.id.row, token.id.col);
        let operand = [Operand::A, Operand::B].into_iter().find(|operand| *operand as u8 == token.id.kind);
        return match (operand, token.id.kind) {
            (Some(operand), _) => Some(PointedValue::Element(operand, row, col)),
            (None, SUM) => {
                let in_register = |pe: &_| schedule.sum_place(SumOf::Register, shown.cycle, *pe) == Some((row, col));
                Some(pe.filter(in_register).map_or(PointedValue::Element(Operand::C, row, col), PointedValue::Sum))
            }
            (None, RESULT | PARTIAL) => Some(PointedValue::Element(Operand::C, row, col)),
            _ => None,
        };
    }
    if let Some(pe) = pe {
        let rect = layout.cell_of(pe);
        let (across, down) = ((x - rect.x) / rect.w, (y - rect.y) / rect.h);
        let is_product = layout.cell >= PRODUCT_MIN && across > 0.5 && (0.36..0.66).contains(&down);
        let is_made = || plan.prober().without_sum(shown.cycle, pe).mac.is_some();
        let has_sum = || schedule.sum_place(SumOf::Register, shown.cycle, pe).is_some();
        if is_product && is_made() {
            return Some(PointedValue::Product(pe));
        }
        // A small cell shows only its sum.
        return (layout.detail < Detail::Compact && has_sum()).then_some(PointedValue::Sum(pe));
    }
    let hit = |place: &Place| place.hit(x, y).map(|(row, col)| PointedValue::Element(place.operand, row, col));
    scene.places.iter().flatten().find_map(hit)
}
