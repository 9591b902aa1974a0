//! Shape inference for operations that rearrange elements.

use super::super::graph::{Dim, Node, Shape, Tensors};
use super::super::values::{dimensions, place};
use super::product;

/// Infers the shape of the first result of an operation that arranges elements.
pub(super) fn shape(node: &Node<'_>, tensors: &Tensors) -> Option<Shape> {
    let input = |at: usize| tensors.shape(node.inputs.get(at));
    let value = |at: usize| tensors.value(node.inputs.get(at));
    let wanted = |at: usize| value(at).and_then(dimensions);
    match node.op {
        "Concat" => concat(node, tensors, &node.inputs),
        "Reshape" => {
            let wanted = wanted(1).or_else(|| node.numbers("shape").map(<[i64]>::to_vec))?;
            reshape(input(0)?, &wanted, node.number("allowzero", 0) != 0)
        }
        "Flatten" => {
            let shape = input(0)?;
            let axis = place(node.number("axis", 1), shape.len() + 1)?;
            Some(vec![product(shape.get(..axis)?), product(shape.get(axis..)?)])
        }
        "Transpose" => {
            let shape = input(0)?;
            match node.numbers("perm") {
                None => Some(shape.iter().rev().copied().collect()),
                Some(order) => order.iter().map(|&at| shape.get(place(at, shape.len())?).copied()).collect(),
            }
        }
        "Unsqueeze" | "Squeeze" => {
            let axes = node.numbers("axes").map(<[i64]>::to_vec).or_else(|| value(1));
            if node.op == "Squeeze" { squeeze(input(0)?, axes.as_deref()) } else { unsqueeze(input(0)?, &axes?) }
        }
        "Gather" => {
            let (shape, picked) = (input(0)?, input(1)?);
            let axis = place(node.number("axis", 0), shape.len())?;
            Some([shape.get(..axis)?, picked, shape.get(axis + 1..)?].concat())
        }
        "GatherElements" => input(1).cloned(),
        "GatherND" => {
            let (shape, picked) = (input(0)?, input(1)?);
            let batch = usize::try_from(node.number("batch_dims", 0)).ok()?;
            let (last, outer) = picked.split_last()?;
            let used = batch.checked_add(usize::try_from((*last)?).ok()?)?;
            Some([outer, shape.get(used..)?].concat())
        }
        op if op.starts_with("Reduce") || matches!(op, "ArgMax" | "ArgMin") => {
            let axis = [node.number("axis", 0)];
            let axes = match op {
                "ArgMax" | "ArgMin" => Some(axis.to_vec()),
                _ => node.numbers("axes").map(<[i64]>::to_vec).or_else(|| value(1)),
            };
            // Axes that are given but not known make the shape unknown.
            let open = node.has(1) && axes.is_none();
            let none = axes.as_ref().is_some_and(Vec::is_empty) && node.number("noop_with_empty_axes", 0) != 0;
            if none {
                return input(0).cloned();
            }
            (!open).then(|| reduce(input(0)?, axes.as_deref(), node.number("keepdims", 1) != 0)).flatten()
        }
        "Pad" => {
            let (shape, pads) = (input(0)?, node.numbers("pads").map(<[i64]>::to_vec).or_else(|| value(1))?);
            pad(shape, &pads, value(3).filter(|_| node.has(3)), node.has(3))
        }
        "Slice" => crate::onnx::slice::shape(node, tensors),
        "Tile" => {
            let (shape, times) = (input(0)?, value(1)?);
            let longer = |(dim, times): (&Dim, &i64)| (*dim)?.checked_mul(u64::try_from(*times).ok()?);
            (shape.len() == times.len()).then(|| shape.iter().zip(&times).map(longer).collect())
        }
        "OneHot" => {
            let shape = input(0)?;
            let depth = u64::try_from(*value(1)?.first()?).ok();
            let axis = place(node.number("axis", -1), shape.len() + 1)?;
            Some([shape.get(..axis)?, &[depth], shape.get(axis..)?].concat())
        }
        _ => None,
    }
}

/// Shape with as many unknown sizes as a list of this shape has elements.
pub(super) fn of_length(list: &Shape) -> Option<Shape> {
    let [Some(length)] = list[..] else { return None };
    Some(vec![None; usize::try_from(length.min(17)).ok()?])
}

pub(in crate::onnx) fn concat(node: &Node<'_>, tensors: &Tensors, operands: &[&str]) -> Option<Shape> {
    let mut whole = tensors.shape(operands.first())?.clone();
    let axis = place(node.number("axis", 1), whole.len())?;
    for name in operands.iter().skip(1) {
        let shape = tensors.shape(Some(name));
        let added = shape.and_then(|shape| shape.get(axis).copied().flatten());
        let own = whole.get_mut(axis)?;
        *own = own.zip(added).and_then(|(a, b)| a.checked_add(b));
        // A size that one operand leaves open is the size of another operand.
        for (at, dim) in whole.iter_mut().enumerate().filter(|(at, dim)| *at != axis && dim.is_none()) {
            *dim = shape.and_then(|shape| shape.get(at).copied().flatten());
        }
    }
    Some(whole)
}

/// Infers the shape of the result of a `Reshape`. A 0 in `wanted` means the input's size in that dimension, or 0 if
/// `zero_is_zero` is true.
pub(super) fn reshape(shape: &Shape, wanted: &[i64], zero_is_zero: bool) -> Option<Shape> {
    let mut new: Shape = Vec::new();
    for (at, &size) in wanted.iter().enumerate() {
        new.push(match size {
            0 if !zero_is_zero => *shape.get(at)?,
            -1 => None,
            size => Some(u64::try_from(size).ok()?),
        });
    }
    if let Some(open) = wanted.iter().position(|&size| size == -1) {
        let rest: Vec<_> = new.iter().enumerate().filter(|(at, _)| *at != open).map(|(_, dim)| *dim).collect();
        *new.get_mut(open)? = product(shape).zip(product(&rest)).and_then(|(all, rest)| all.checked_div(rest));
    }
    Some(new)
}

pub(super) fn squeeze(shape: &Shape, axes: Option<&[i64]>) -> Option<Shape> {
    let gone = |at: usize, dim: Dim| match axes {
        Some(axes) => axes.iter().any(|&axis| place(axis, shape.len()) == Some(at)),
        None => dim == Some(1),
    };
    Some(shape.iter().enumerate().filter(|(at, dim)| !gone(*at, **dim)).map(|(_, dim)| *dim).collect())
}

pub(super) fn unsqueeze(shape: &Shape, axes: &[i64]) -> Option<Shape> {
    let length = shape.len().checked_add(axes.len())?;
    let mut places: Vec<usize> = axes.iter().map(|&axis| place(axis, length)).collect::<Option<_>>()?;
    places.sort_unstable();
    let mut new = shape.clone();
    for at in places {
        if at > new.len() {
            return None;
        }
        new.insert(at, Some(1));
    }
    Some(new)
}

pub(super) fn split(node: &Node<'_>, tensors: &Tensors) -> Option<Vec<Option<Shape>>> {
    let shape = tensors.shape(node.inputs.first())?;
    let axis = place(node.number("axis", 0), shape.len())?;
    let parts = node.numbers("split").map(<[i64]>::to_vec).or_else(|| tensors.value(node.inputs.get(1)));
    let outputs = u64::try_from(node.outputs.len()).ok()?;
    let size = shape.get(axis).copied().flatten();
    let part = |at: u64| match (&parts, size) {
        (Some(parts), _) => parts.get(usize::try_from(at).ok()?).and_then(|&size| u64::try_from(size).ok()),
        (None, Some(size)) => {
            // The last part may be smaller.
            let each = size.div_ceil(outputs.max(1));
            Some(each.min(size.saturating_sub(each.saturating_mul(at))))
        }
        _ => None,
    };
    let with =
        |at: u64| Some(shape.iter().enumerate().map(|(own, dim)| if own == axis { part(at) } else { *dim }).collect());
    Some((0..outputs.min(256)).map(with).collect())
}

pub(super) fn top(node: &Node<'_>, tensors: &Tensors) -> Option<Shape> {
    let mut shape = tensors.shape(node.inputs.first())?.clone();
    let axis = place(node.number("axis", -1), shape.len())?;
    // Before version 10 of ONNX, k was an attribute.
    let k = node.count("k").or_else(|| u64::try_from(*tensors.value(node.inputs.get(1))?.first()?).ok());
    *shape.get_mut(axis)? = k;
    Some(shape)
}

pub(super) fn reduce(shape: &Shape, axes: Option<&[i64]>, keeps: bool) -> Option<Shape> {
    let all = axes.is_none_or(<[i64]>::is_empty);
    let gone =
        |at: usize| all || axes.is_some_and(|axes| axes.iter().any(|&axis| place(axis, shape.len()) == Some(at)));
    let dims = shape.iter().enumerate().filter(|(at, _)| keeps || !gone(*at));
    Some(dims.map(|(at, dim)| if gone(at) { Some(1) } else { *dim }).collect())
}

/// Infers the shape of the result of a `Pad`. Axes that are given but not known make the shape unknown.
pub(super) fn pad(shape: &Shape, pads: &[i64], axes: Option<Vec<i64>>, has_axes: bool) -> Option<Shape> {
    let axes = match (axes, has_axes) {
        (Some(axes), _) => axes,
        (None, true) => return None,
        (None, false) => (0..i64::try_from(shape.len()).ok()?).collect(),
    };
    let mut padded = shape.clone();
    for (nth, axis) in axes.iter().enumerate() {
        let own = padded.get_mut(place(*axis, shape.len())?)?;
        let by = pads.get(nth)?.checked_add(*pads.get(nth.checked_add(axes.len())?)?)?;
        *own = own.and_then(|size| size.checked_add_signed(by));
    }
    Some(padded)
}
