//! Places of the matrices: next to an array, or in a strip below it.

use super::{AIR, Case, LINE, Matrices, Place};
use crate::Layout;
use crate::form::{Lengths, SIGN};
use crate::margins::Margins;
use display::picture::{Rect, between};
use systolic::Operand;

impl Case<'_> {
    /// Returns the places of A, B and C next to an array.
    pub(super) fn places_around(
        &self,
        matrices: &Matrices,
        layout: &Layout,
        margins: &Margins,
        size: (f32, f32),
    ) -> [Place; 3] {
        let (block, lengths) = (layout.array(), &matrices.lengths);
        let middle = block.center().1;
        let named = |rect: Rect| Place { rect, name: (rect.x - 2.0, rect.y - 11.0) };
        let within = |y: f32, h: f32| between(y, LINE + 6.0, (size.1 - h - LINE - 6.0).max(LINE + 6.0));
        let (west, east) = self.sides;
        let (w, h) = lengths.of(west);
        let end = block.x - margins.west - AIR;
        // The matrix begins with its name, which can be wider.
        let x = end - w.max(self.names[west as usize]);
        let west_place = named(Rect::new(x, within(middle - h / 2.0, h), w, h));
        // The east has the other operand at the top of the array, and C at its bottom, where results leave.
        let start = block.x + block.w + margins.east + AIR;
        let (east_size, c_size) = (lengths.of(east), lengths.of(Operand::C));
        let between_both = 3.0 * LINE;
        let both = east_size.1 + between_both + c_size.1;
        let apart = block.y + block.h + margins.south - LINE - c_size.1;
        let (first, second) = if apart - (block.y + LINE) >= east_size.1 + between_both {
            (block.y + LINE, apart)
        } else {
            (middle - both / 2.0, middle - both / 2.0 + east_size.1 + between_both)
        };
        let first = within(first, both);
        let second = within(second.max(first + east_size.1 + between_both), c_size.1);
        let east_place = named(Rect::new(start, first, east_size.0, east_size.1));
        let c_place = named(Rect::new(start, second, c_size.0, c_size.1));
        if west == Operand::A { [west_place, east_place, c_place] } else { [east_place, west_place, c_place] }
    }
}

/// Returns the places of A, B and C in a strip at the bottom of a view.
pub(super) fn strip(lengths: &Lengths, (width, height): (f32, f32)) -> [Place; 3] {
    let tall = lengths.m.max(lengths.k_down);
    let top = height - tall - LINE - 4.0;
    let mut x = (width - lengths.in_a_row()) / 2.0;
    [Operand::A, Operand::B, Operand::C].map(|operand| {
        let (w, h) = lengths.of(operand);
        let rect = Rect::new(x, top + (tall - h) / 2.0, w, h);
        x += w + SIGN;
        // The name is below its matrix.
        Place { rect, name: (rect.x + w / 2.0, top + tall + LINE / 2.0 + 3.0) }
    })
}
