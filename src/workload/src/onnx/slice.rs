//! Shape inference for `Slice`.

use super::graph::{Dim, Node, Shape, Tensors};
use super::values::place;

/// Infers the shape of the result of `Slice`. An axis with unknown bounds gets an unknown size.
pub(super) fn shape(node: &Node<'_>, tensors: &Tensors) -> Option<Shape> {
    let mut shape = tensors.shape(node.inputs.first())?.clone();
    // Before version 10 of ONNX the ends were attributes.
    let list =
        |at: usize, name: &str| tensors.value(node.inputs.get(at)).or_else(|| node.numbers(name).map(<[i64]>::to_vec));
    let (starts, ends, steps) = (list(1, "starts"), list(2, "ends"), list(4, "steps"));
    let is_named = node.has(3);
    let axes = match list(3, "axes") {
        Some(axes) => axes,
        None if is_named => return None,
        None => (0..i64::try_from(starts.as_ref()?.len()).ok()?).collect(),
    };
    let rank = shape.len();
    let has_steps = node.has(4);
    for (nth, axis) in axes.into_iter().enumerate() {
        let own = shape.get_mut(place(axis, rank)?)?;
        let end = |list: &Option<Vec<i64>>| list.as_ref().and_then(|list| list.get(nth).copied());
        let step = if has_steps || steps.is_some() { end(&steps) } else { Some(1) };
        *own = match (end(&starts), end(&ends), step) {
            (Some(from), Some(to), Some(step)) => part(*own, from, to, step),
            _ => None,
        };
    }
    Some(shape)
}

/// Returns the size of a dimension after slicing. Negative bounds count from the end of the dimension.
fn part(dim: Dim, from: i64, to: i64, step: i64) -> Dim {
    let size = i64::try_from(dim?).ok()?;
    let (least, most) = if step > 0 { (0, size) } else { (-1, size - 1) };
    let place = |at: i64| if at < 0 { at.saturating_add(size) } else { at }.clamp(least, most.max(least));
    let way = if step > 0 { place(to).saturating_sub(place(from)) } else { place(from).saturating_sub(place(to)) };
    let way = way.max(0).unsigned_abs();
    (step != 0).then(|| way.div_ceil(step.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_as_long_as_numpy_says() {
        // (size, from, to, step, numpy.arange(size)[from:to:step].size)
        for (size, from, to, step, expected) in [
            (10, 0, 10, 1, 10),
            (10, 2, i64::MAX, 3, 3),
            (10, -3, i64::MAX, 1, 3),
            (10, 0, -1, 1, 9),
            (10, 8, 3, 1, 0),
            (10, -1, i64::MIN, -1, 10),
            (10, 7, 2, -2, 3),
            (0, 0, 5, 1, 0),
            (0, -1, i64::MIN, -1, 0),
            (5, -9, 3, 1, 3),
        ] {
            assert_eq!(part(Some(size), from, to, step), Some(expected), "{size} {from} {to} {step}");
        }
        assert_eq!(part(Some(5), 0, 5, 0), None);
        assert_eq!(part(None, 0, i64::MAX, 1), None);
    }
}
