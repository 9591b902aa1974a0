//! Shape inference for convolutions, pooling and scaling.

use super::super::graph::{Dim, Node, Shape, Tensors, known};
use super::super::values::{dimensions, place};
use crate::limits::floor;

/// Infers the shape of the first result of an operation on images and signals.
pub(super) fn shape(node: &Node<'_>, tensors: &Tensors) -> Option<Shape> {
    let input = |at: usize| tensors.shape(node.inputs.get(at));
    let value = |at: usize| tensors.value(node.inputs.get(at));
    let wanted = |at: usize| value(at).and_then(dimensions);
    match node.op {
        "Conv" | "QLinearConv" | "ConvInteger" | "DeformConv" => {
            let kernel = input(if node.op == "QLinearConv" { 3 } else { 1 })?;
            slide(node, input(0)?, kernel.get(2..)?, *kernel.first()?)
        }
        "ConvTranspose" => spread(node, input(0)?, input(1)?),
        "MaxPool" | "AveragePool" | "LpPool" => {
            let kernel = known(node.numbers("kernel_shape")?);
            let image = input(0)?;
            slide(node, image, &kernel, *image.get(1)?)
        }
        "GlobalAveragePool" | "GlobalMaxPool" | "GlobalLpPool" => {
            Some(input(0)?.iter().enumerate().map(|(at, dim)| if at < 2 { *dim } else { Some(1) }).collect())
        }
        "Resize" | "Upsample" => resize(node, tensors),
        "DepthToSpace" | "SpaceToDepth" => shuffle(node, input(0)?),
        "GridSample" => {
            let (image, grid) = (input(0)?, input(1)?);
            Some([image.get(..2)?, grid.get(1..grid.len().checked_sub(1)?)?].concat())
        }
        "RoiAlign" | "MaxRoiPool" => {
            let side = |name| u64::try_from(node.number(name, 1)).ok();
            Some(vec![*input(1)?.first()?, *input(0)?.get(1)?, side("output_height"), side("output_width")])
        }
        "Col2Im" => {
            let (columns, image, block) = (input(0)?, wanted(1)?, wanted(2)?);
            let area = u64::try_from(block.iter().product::<i64>()).ok()?;
            let channels = (*columns.get(1)?).and_then(|all| all.checked_div(area));
            Some([&[*columns.first()?, channels], &known(&image)[..]].concat())
        }
        "STFT" => {
            let (signal, step) = (input(0)?, u64::try_from(*value(1)?.first()?).ok()?);
            let frame = match value(3).filter(|_| node.has(3)) {
                Some(length) => u64::try_from(*length.first()?).ok()?,
                None => (*input(2)?.first()?)?,
            };
            let frames =
                (*signal.get(1)?).and_then(|length| length.checked_sub(frame)?.checked_div(step)?.checked_add(1));
            let bins = if node.number("onesided", 1) == 0 { frame } else { frame / 2 + 1 };
            Some(vec![*signal.first()?, frames, Some(bins), Some(2)])
        }
        "AffineGrid" => {
            let size = wanted(1)?;
            let (batch, image) = (known(size.get(..1)?), known(size.get(2..)?));
            let ends = u64::try_from(image.len()).ok();
            Some([&batch[..], &image, &[ends]].concat())
        }
        _ => None,
    }
}

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
                (Some(scale), Some(own)) => Some(floor((own as f64 * scale).round())),
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
        #[expect(clippy::cast_possible_truncation, reason = "the scale was a 32-bit number")]
        let scale = scale as f32;
        *own = own.map(|size| floor(f64::from(size as f32 * scale)));
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
