//! Numbers with several dimensions: parts, transposition and rows of a small grid.

use super::super::graph::{Node, Numbers, Tensors};
use super::place;

/// A tensor of few numbers, with its dimensions.
struct Grid<'a> {
    numbers: &'a Numbers,
    sides: Vec<usize>,
}

impl<'a> Grid<'a> {
    fn of(node: &Node<'_>, tensors: &'a Tensors) -> Option<Self> {
        let numbers = tensors.numbers(node.inputs.first())?;
        let sides = match tensors.shape(node.inputs.first()) {
            Some(shape) => shape.iter().map(|dim| usize::try_from((*dim)?).ok()).collect::<Option<Vec<_>>>()?,
            None => vec![numbers.all.len()],
        };
        let count = sides.iter().try_fold(1usize, |product, &by| product.checked_mul(by));
        (count == Some(numbers.all.len())).then_some(Self { numbers, sides })
    }

    /// Returns the number at a place.
    fn at(&self, place: &[usize]) -> Option<f64> {
        let at = place
            .iter()
            .zip(&self.sides)
            .try_fold(0usize, |at, (index, side)| at.checked_mul(*side)?.checked_add(*index));
        self.numbers.all.get(at?).copied()
    }

    /// Collects the numbers at all combinations of these indices.
    fn pick(&self, indices: &[Vec<usize>], of: impl Fn(&[usize]) -> Vec<usize>) -> Option<Numbers> {
        let count = indices.iter().try_fold(1usize, |product, list| product.checked_mul(list.len()))?;
        let mut all = Vec::new();
        for nth in 0..count {
            let mut rest = nth;
            let mut place = vec![0; indices.len()];
            for (index, list) in place.iter_mut().zip(indices).rev() {
                *index = *list.get(rest.checked_rem(list.len())?)?;
                rest /= list.len();
            }
            all.push(self.at(&of(&place))?);
        }
        Some(Numbers { all, is_float: self.numbers.is_float })
    }
}

/// Takes the rows of a `Gather` along the first dimension.
pub(super) fn rows(node: &Node<'_>, tensors: &Tensors) -> Option<Numbers> {
    let grid = Grid::of(node, tensors)?;
    let axis = place(node.number("axis", 0), grid.sides.len())?;
    let picked = tensors.value(node.inputs.get(1))?;
    let chosen: Vec<usize> = picked.iter().map(|&at| place(at, *grid.sides.get(axis)?)).collect::<Option<_>>()?;
    // Only one index, or the first dimension, keeps the order of the numbers.
    if axis != 0 && chosen.len() != 1 {
        return None;
    }
    let mut indices: Vec<Vec<usize>> = grid.sides.iter().map(|side| (0..*side).collect()).collect();
    *indices.get_mut(axis)? = chosen;
    grid.pick(&indices, <[usize]>::to_vec)
}

pub(super) fn transpose(node: &Node<'_>, tensors: &Tensors) -> Option<Numbers> {
    let grid = Grid::of(node, tensors)?;
    let rank = grid.sides.len();
    let order: Vec<usize> = match node.numbers("perm") {
        Some(order) => order.iter().map(|&at| place(at, rank)).collect::<Option<_>>()?,
        None => (0..rank).rev().collect(),
    };
    let indices: Vec<Vec<usize>> =
        order.iter().map(|&axis| Some((0..*grid.sides.get(axis)?).collect())).collect::<Option<_>>()?;
    let turned = |place: &[usize]| {
        let mut own = vec![0; rank];
        for (axis, index) in order.iter().zip(place) {
            if let Some(slot) = own.get_mut(*axis) {
                *slot = *index;
            }
        }
        own
    };
    grid.pick(&indices, turned)
}

pub(super) fn slice(node: &Node<'_>, tensors: &Tensors) -> Option<Numbers> {
    let grid = Grid::of(node, tensors)?;
    // Before version 10 of ONNX the ends were attributes.
    let list =
        |at: usize, name: &str| tensors.value(node.inputs.get(at)).or_else(|| node.numbers(name).map(<[i64]>::to_vec));
    let (starts, ends) = (list(1, "starts")?, list(2, "ends")?);
    let axes = match list(3, "axes") {
        Some(axes) => axes,
        None if node.has(3) => return None,
        None => (0..i64::try_from(starts.len()).ok()?).collect(),
    };
    let steps = if node.has(4) { list(4, "steps")? } else { vec![1; axes.len()] };
    let mut indices: Vec<Vec<usize>> = grid.sides.iter().map(|side| (0..*side).collect()).collect();
    for (nth, axis) in axes.iter().enumerate() {
        let axis = place(*axis, grid.sides.len())?;
        let length = i64::try_from(*grid.sides.get(axis)?).ok()?;
        let step = *steps.get(nth)?;
        let (least, most) = if step > 0 { (0, length) } else { (-1, length - 1) };
        let end = |at: i64| if at < 0 { at.saturating_add(length) } else { at }.clamp(least, most.max(least));
        let (mut at, to) = (end(*starts.get(nth)?), end(*ends.get(nth)?));
        let chosen = indices.get_mut(axis)?;
        chosen.clear();
        while step != 0 && (to - at) * step.signum() > 0 {
            chosen.push(usize::try_from(at).ok()?);
            at = at.saturating_add(step);
        }
    }
    grid.pick(&indices, <[usize]>::to_vec)
}
