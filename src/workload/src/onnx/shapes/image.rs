//! Shape inference for convolutions, pooling and scaling.

use super::super::graph::{Dim, Node, Shape, Tensors, known};
use super::super::values::place;

/// Returns an element of a list attribute.
fn element(node: &Node<'_>, name: &str, at: usize, missing: i64) -> i64 {
    match node.numbers(name) {
        Some(list) => list.get(at).copied().unwrap_or(missing),
        None => missing,
    }
}

/// Infers the shape of the result of a convolution or pooling with `channels` output channels.
pub(in crate::onnx) fn slide(node: &Node<'_>, image: &Shape, kernel: &[Dim], channels: Dim) -> Option<Shape> {
    let mut shape = vec![*image.first()?, channels];
    let dims = image.get(2..)?;
    for (at, (dim, window)) in dims.iter().zip(kernel).enumerate() {
        let (Some(size), Some(window)) = (*dim, *window) else {
            shape.push(None);
            continue;
        };
        let (size, window) = (i64::try_from(size).ok()?, i64::try_from(window).ok()?);
        let stride = element(node, "strides", at, 1);
        let reach = window.checked_sub(1)?.checked_mul(element(node, "dilations", at, 1))?.checked_add(1)?;
        let out = match node.text("auto_pad") {
            Some("SAME_UPPER" | "SAME_LOWER") => size.checked_add(stride)?.checked_sub(1)?.checked_div(stride)?,
            _ => {
                let pads = match node.text("auto_pad") {
                    Some("VALID") => 0,
                    _ => {
                        let end = element(node, "pads", at.checked_add(dims.len())?, 0);
                        element(node, "pads", at, 0).checked_add(end)?
                    }
                };
                let room = size.checked_add(pads)?.checked_sub(reach)?;
                let up = if node.number("ceil_mode", 0) == 0 { 0 } else { stride.checked_sub(1)? };
                room.checked_add(up)?.checked_div(stride)?.checked_add(1)?
            }
        };
        shape.push(u64::try_from(out).ok());
    }
    Some(shape)
}

/// Infers the shape of the result of a `ConvTranspose`.
pub(super) fn spread(node: &Node<'_>, image: &Shape, kernel: &Shape) -> Option<Shape> {
    let group = u64::try_from(node.number("group", 1)).ok()?;
    let channels = kernel.get(1)?.and_then(|channels| channels.checked_mul(group));
    let mut shape = vec![*image.first()?, channels];
    let dims = image.get(2..)?;
    let wanted = node.numbers("output_shape").filter(|list| !list.is_empty());
    for (at, (dim, window)) in dims.iter().zip(kernel.get(2..)?).enumerate() {
        if let Some(wanted) = wanted {
            // The list may also contain the batch and the channels.
            let at = at.checked_add(wanted.len().saturating_sub(dims.len()))?;
            shape.push(u64::try_from(*wanted.get(at)?).ok());
            continue;
        }
        let (Some(size), Some(window)) = (*dim, *window) else {
            shape.push(None);
            continue;
        };
        let (size, window) = (i64::try_from(size).ok()?, i64::try_from(window).ok()?);
        let stride = element(node, "strides", at, 1);
        let out = if matches!(node.text("auto_pad"), Some("SAME_UPPER" | "SAME_LOWER")) {
            size.checked_mul(stride)?
        } else {
            let reach = window.checked_sub(1)?.checked_mul(element(node, "dilations", at, 1))?.checked_add(1)?;
            let end = element(node, "pads", at.checked_add(dims.len())?, 0);
            let pads = element(node, "pads", at, 0).checked_add(end)?;
            let more = element(node, "output_padding", at, 0);
            stride.checked_mul(size.checked_sub(1)?)?.checked_add(more)?.checked_add(reach)?.checked_sub(pads)?
        };
        shape.push(u64::try_from(out).ok());
    }
    Some(shape)
}

/// Infers the shape of the result of a `Resize` or `Upsample`, from sizes or scales.
pub(super) fn resize(node: &Node<'_>, tensors: &Tensors) -> Option<Shape> {
    let image = tensors.shape(node.inputs.first())?;
    let mut shape = image.clone();
    let axes: Vec<i64> = match node.numbers("axes") {
        Some(axes) => axes.to_vec(),
        None => (0..i64::try_from(image.len()).ok()?).collect(),
    };
    if let Some(sizes) = tensors.value(node.inputs.get(3)).filter(|sizes| !sizes.is_empty()) {
        let sizes = known(&sizes);
        // With this policy, one scale applies to all axes: the smallest or the largest.
        let policy = node.text("keep_aspect_ratio_policy").unwrap_or("stretch");
        let ratio = |(axis, size): (&i64, &Dim)| {
            let own = (*image.get(place(*axis, image.len())?)?)?;
            Some((*size)? as f64 / own as f64)
        };
        let ratios: Option<Vec<f64>> = axes.iter().zip(&sizes).map(ratio).collect();
        let scale = match policy {
            "not_larger" => Some(ratios?.into_iter().fold(f64::INFINITY, f64::min)),
            "not_smaller" => Some(ratios?.into_iter().fold(0.0, f64::max)),
            _ => None,
        };
        for (axis, size) in axes.iter().zip(sizes) {
            let own = shape.get_mut(place(*axis, image.len())?)?;
            *own = match (scale, *own) {
                (Some(scale), Some(own)) => Some((own as f64 * scale).round() as u64),
                _ => size,
            };
        }
        return Some(shape);
    }
    // Before version 11 of ONNX, the scales were the second operand, and before version 9 an attribute.
    let scales = [2, 1].iter().find_map(|at| tensors.numbers(node.inputs.get(*at)).filter(|list| !list.all.is_empty()));
    let scales = match scales {
        Some(list) => list.all.clone(),
        None => node.floats("scales")?.to_vec(),
    };
    for (axis, scale) in axes.iter().zip(scales) {
        let own = shape.get_mut(place(*axis, image.len())?)?;
        // Scales are stored as 32-bit numbers, and their product with a size is rounded down.
        *own = own.map(|size| f64::from(size as f32 * scale as f32).floor().max(0.0) as u64);
    }
    Some(shape)
}

/// Infers the shape of the result of `DepthToSpace` or `SpaceToDepth`.
pub(super) fn shuffle(node: &Node<'_>, image: &Shape) -> Option<Shape> {
    let block = node.count("blocksize")?;
    let area = block.checked_mul(block)?;
    let [batch, channels, height, width] = image[..] else { return None };
    let more = |dim: Dim, by: u64| dim.and_then(|size| size.checked_mul(by));
    let less = |dim: Dim, by: u64| dim.and_then(|size| size.checked_div(by));
    Some(if node.op == "DepthToSpace" {
        vec![batch, less(channels, area), more(height, block), more(width, block)]
    } else {
        vec![batch, more(channels, area), less(height, block), less(width, block)]
    })
}
