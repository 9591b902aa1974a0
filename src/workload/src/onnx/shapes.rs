//! Shape inference: shapes of an operation's results, from the shapes of its operands.

use super::graph::{DIMS_MAX, Dim, Node, Shape, Tensors, known};
use super::values::{place, values};
use super::{products, slice};

/// Infers the shapes and small values of an operation's results. Shapes that cannot be inferred stay unknown.
pub(super) fn infer(node: &Node<'_>, tensors: &mut Tensors) {
    if let (Some(values), Some(name)) =
        (values(node, tensors).filter(|all| all.len() <= DIMS_MAX), node.outputs.first())
    {
        let tensor = tensors.entry(name);
        let length = Dim::Known(values.len() as u64);
        tensor.shape.get_or_insert_with(|| vec![length]);
        tensor.values = Some(values);
    }
    let shapes = match node.op {
        "Split" => split(node, tensors).unwrap_or_default(),
        // Results: the quantized values, their scale and their zero point.
        "DynamicQuantizeLinear" => {
            tensors.shape(node.inputs.first()).map_or_else(Vec::new, |shape| vec![shape.clone(), vec![], vec![]])
        }
        // For every other operation, only the shape of the first result is inferred.
        _ => shape(node, tensors).into_iter().collect(),
    };
    for (name, shape) in node.outputs.iter().zip(shapes) {
        let full = |shape: &Shape| shape.iter().all(|dim| matches!(dim, Dim::Known(_)));
        // Dimensions add up from one operation to the next, so a hostile graph could have any number of them.
        if shape.len() <= DIMS_MAX {
            let tensor = tensors.entry(name);
            if full(&shape) || tensor.shape.is_none() {
                tensor.shape = Some(shape);
            }
        }
    }
}

/// Infers the shape of the first result.
fn shape(node: &Node<'_>, tensors: &Tensors) -> Option<Shape> {
    let input = |at: usize| tensors.shape(node.inputs.get(at));
    let value = |at: usize| tensors.value(node.inputs.get(at));
    match node.op {
        "Constant" => node.tensor("value").map(|(dims, _)| known(&dims)),
        "ConstantOfShape" => value(0).map(known),
        "Expand" => broadcast([input(0)?, &known(value(1)?)]),
        "Add" | "Sub" | "Mul" | "Div" | "Pow" | "Sum" | "Max" | "Min" | "Mean" | "Where" | "And" | "Or" | "Xor"
        | "Equal" | "Greater" | "Less" | "GreaterOrEqual" | "LessOrEqual" | "Mod" => {
            let shapes: Option<Vec<_>> = (0..node.inputs.len()).map(input).collect();
            broadcast(shapes?)
        }
        "Conv" | "QLinearConv" | "ConvInteger" => {
            let kernel = input(if node.op == "QLinearConv" { 3 } else { 1 })?;
            slide(node, input(0)?, kernel.get(2..)?, *kernel.first()?)
        }
        "MaxPool" | "AveragePool" | "LpPool" => {
            let kernel = known(node.numbers("kernel_shape")?);
            let image = input(0)?;
            slide(node, image, &kernel, *image.get(1)?)
        }
        "GlobalAveragePool" | "GlobalMaxPool" | "GlobalLpPool" => {
            Some(input(0)?.iter().enumerate().map(|(at, dim)| if at < 2 { *dim } else { Dim::Known(1) }).collect())
        }
        "Concat" => concat(node, tensors),
        "Reshape" => {
            let wanted = value(1).or_else(|| node.numbers("shape"))?;
            reshape(input(0)?, wanted, node.number("allowzero", 0) != 0)
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
            let axes = node.numbers("axes").or_else(|| value(1));
            if node.op == "Squeeze" { squeeze(input(0)?, axes) } else { unsqueeze(input(0)?, axes?) }
        }
        "Gather" => {
            let (shape, picked) = (input(0)?, input(1)?);
            let axis = place(node.number("axis", 0), shape.len())?;
            Some([shape.get(..axis)?, picked, shape.get(axis + 1..)?].concat())
        }
        "ReduceMean" | "ReduceSum" | "ReduceMax" | "ReduceMin" | "ReduceL2" | "ReduceProd" | "ArgMax" => {
            let shape = input(0)?;
            let axis = [node.number("axis", 0)];
            let axes = if node.op == "ArgMax" { Some(&axis[..]) } else { node.numbers("axes").or_else(|| value(1)) };
            let keeps = node.number("keepdims", 1) != 0;
            let gone =
                |at: usize| axes.is_none_or(|axes| axes.iter().any(|&axis| place(axis, shape.len()) == Some(at)));
            let dims = shape.iter().enumerate().filter(|(at, _)| keeps || !gone(*at));
            Some(dims.map(|(at, dim)| if gone(at) { Dim::Known(1) } else { *dim }).collect())
        }
        "Pad" => {
            let (shape, pads) = (input(0)?, node.numbers("pads").or_else(|| value(1))?);
            let after = |at: usize| pads.get(at + shape.len()).copied();
            shape.iter().enumerate().map(|(at, dim)| grow(*dim, pads.get(at)?.checked_add(after(at)?)?)).collect()
        }
        "Slice" => slice::shape(node, tensors),
        "Tile" => {
            let (shape, times) = (input(0)?, value(1)?);
            let longer = |(dim, times): (&Dim, &i64)| match dim {
                Dim::Known(size) => u64::try_from(*times)
                    .ok()
                    .and_then(|times| size.checked_mul(times))
                    .map_or(Dim::Unknown, Dim::Known),
                other if *times == 1 => *other,
                _ => Dim::Unknown,
            };
            (shape.len() == times.len()).then(|| shape.iter().zip(times).map(longer).collect())
        }
        "Attention" => products::attention(node, tensors).map(|attention| attention.result),
        "Einsum" => products::einsum_result(node.text("equation")?, input(0)?, input(1)?),
        "MatMul" | "MatMulInteger" => matmul(input(0)?, input(1)?),
        "QLinearMatMul" => matmul(input(0)?, input(3)?),
        "Gemm" => {
            let (a, b) = (input(0)?, input(1)?);
            let (row, column) =
                (usize::from(node.number("transA", 0) != 0), usize::from(node.number("transB", 0) == 0));
            Some(vec![*a.get(row)?, *b.get(column)?])
        }
        op if SAME.contains(&op) => input(0).cloned(),
        _ => None,
    }
}

/// Operations whose first result has the shape of the first operand.
const SAME: [&str; 51] = [
    "Abs",
    "BatchNormalization",
    "Cast",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "CumSum",
    "DequantizeLinear",
    "Dropout",
    "Elu",
    "Erf",
    "Exp",
    "Floor",
    "Gelu",
    "GroupNormalization",
    "HardSigmoid",
    "HardSwish",
    "Hardmax",
    "Identity",
    "InstanceNormalization",
    "IsNaN",
    "LRN",
    "LayerNormalization",
    "LeakyRelu",
    "Log",
    "LogSoftmax",
    "LpNormalization",
    "MeanVarianceNormalization",
    "Mish",
    "Neg",
    "Not",
    "PRelu",
    "QuantizeLinear",
    "Reciprocal",
    "Relu",
    "RMSNormalization",
    "RotaryEmbedding",
    "Round",
    "Selu",
    "Shrink",
    "Sigmoid",
    "Sign",
    "Sin",
    "Softmax",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Tanh",
    "ThresholdedRelu",
    "Trilu",
];

/// Broadcasts shapes by the rules of NumPy. `None` if the shapes do not match.
fn broadcast<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> Option<Shape> {
    let mut all: Shape = Vec::new();
    for shape in shapes {
        for _ in all.len()..shape.len() {
            all.insert(0, Dim::Known(1));
        }
        let offset = all.len() - shape.len();
        for (own, dim) in all.iter_mut().skip(offset).zip(shape) {
            match (*own, *dim) {
                (Dim::Known(1), other) => *own = other,
                (_, Dim::Known(1)) => {}
                (Dim::Known(_), Dim::Known(_)) if own != dim => return None,
                (Dim::Known(_), _) => {}
                (_, other) => *own = other,
            }
        }
    }
    Some(all)
}

fn matmul(a: &Shape, b: &Shape) -> Option<Shape> {
    let (row, column) = (a.len().checked_sub(2)?, b.len().checked_sub(2)?);
    let mut shape = broadcast([&a.get(..row)?.to_vec(), &b.get(..column)?.to_vec()])?;
    shape.push(*a.get(row)?);
    shape.push(*b.last()?);
    Some(shape)
}

fn product(dims: &[Dim]) -> Dim {
    let rest: Vec<Dim> = dims.iter().copied().filter(|dim| *dim != Dim::Known(1)).collect();
    match rest[..] {
        [] => Dim::Known(1),
        [one] => one,
        _ => {
            let known = rest.iter().map(|dim| if let Dim::Known(size) = dim { Some(*size) } else { None });
            let product = known.into_iter().try_fold(1u64, |product, size| product.checked_mul(size?));
            product.map_or(Dim::Unknown, Dim::Known)
        }
    }
}

fn concat(node: &Node<'_>, tensors: &Tensors) -> Option<Shape> {
    let mut whole = tensors.shape(node.inputs.first())?.clone();
    let axis = place(node.number("axis", 1), whole.len())?;
    for name in node.inputs.iter().skip(1) {
        let added = tensors.shape(Some(name)).and_then(|shape| shape.get(axis).copied());
        let sum = match (whole.get(axis), added) {
            (Some(Dim::Known(a)), Some(Dim::Known(b))) => a.checked_add(b).map_or(Dim::Unknown, Dim::Known),
            _ => Dim::Unknown,
        };
        *whole.get_mut(axis)? = sum;
    }
    Some(whole)
}

/// Infers the shape of the result of a `Reshape`. A 0 in `wanted` means the input's size in that dimension, or 0 if
/// `zero_is_zero` is true.
fn reshape(shape: &Shape, wanted: &[i64], zero_is_zero: bool) -> Option<Shape> {
    let mut new: Shape = Vec::new();
    for (at, &size) in wanted.iter().enumerate() {
        new.push(match size {
            0 if !zero_is_zero => *shape.get(at)?,
            -1 => Dim::Unknown,
            size => Dim::Known(u64::try_from(size).ok()?),
        });
    }
    if let Some(open) = wanted.iter().position(|&size| size == -1) {
        let rest: Vec<_> = new.iter().enumerate().filter(|(at, _)| *at != open).map(|(_, dim)| *dim).collect();
        *new.get_mut(open)? = match (product(shape), product(&rest)) {
            (Dim::Known(all), Dim::Known(rest)) => all.checked_div(rest).map_or(Dim::Unknown, Dim::Known),
            (all, Dim::Known(1)) => all,
            _ => Dim::Unknown,
        };
    }
    Some(new)
}

fn squeeze(shape: &Shape, axes: Option<&[i64]>) -> Option<Shape> {
    let gone = |at: usize, dim: Dim| match axes {
        Some(axes) => axes.iter().any(|&axis| place(axis, shape.len()) == Some(at)),
        None => dim == Dim::Known(1),
    };
    Some(shape.iter().enumerate().filter(|(at, dim)| !gone(*at, **dim)).map(|(_, dim)| *dim).collect())
}

fn unsqueeze(shape: &Shape, axes: &[i64]) -> Option<Shape> {
    let length = shape.len().checked_add(axes.len())?;
    let mut places: Vec<usize> = axes.iter().map(|&axis| place(axis, length)).collect::<Option<_>>()?;
    places.sort_unstable();
    let mut new = shape.clone();
    for at in places {
        if at > new.len() {
            return None;
        }
        new.insert(at, Dim::Known(1));
    }
    Some(new)
}

fn split(node: &Node<'_>, tensors: &Tensors) -> Option<Vec<Shape>> {
    let shape = tensors.shape(node.inputs.first())?;
    let axis = place(node.number("axis", 0), shape.len())?;
    let parts = node.numbers("split").or_else(|| tensors.value(node.inputs.get(1)));
    let outputs = u64::try_from(node.outputs.len()).ok()?;
    let part = |at: usize| match (parts, shape.get(axis)) {
        (Some(parts), _) => parts.get(at).and_then(|&size| u64::try_from(size).ok()).map_or(Dim::Unknown, Dim::Known),
        (None, Some(Dim::Known(size))) if size.is_multiple_of(outputs) => Dim::Known(size / outputs),
        _ => Dim::Unknown,
    };
    let with =
        |at: usize| shape.iter().enumerate().map(|(own, dim)| if own == axis { part(at) } else { *dim }).collect();
    Some((0..node.outputs.len().min(64)).map(with).collect())
}

fn grow(dim: Dim, by: i64) -> Option<Dim> {
    match dim {
        Dim::Known(size) => size.checked_add_signed(by).map(Dim::Known),
        other if by == 0 => Some(other),
        _ => Some(Dim::Unknown),
    }
}

/// Infers the shape of the result of a convolution or pooling with `channels` output channels.
fn slide(node: &Node<'_>, image: &Shape, kernel: &[Dim], channels: Dim) -> Option<Shape> {
    let mut shape = vec![*image.first()?, channels];
    let dims = image.get(2..)?;
    let list = |name: &str, at: usize, missing: i64| match node.numbers(name) {
        Some(list) => list.get(at).copied().unwrap_or(missing),
        None => missing,
    };
    for (at, (dim, window)) in dims.iter().zip(kernel).enumerate() {
        let (Dim::Known(size), Dim::Known(window)) = (*dim, *window) else {
            shape.push(Dim::Unknown);
            continue;
        };
        let (size, window) = (i64::try_from(size).ok()?, i64::try_from(window).ok()?);
        let stride = list("strides", at, 1);
        let reach = window.checked_sub(1)?.checked_mul(list("dilations", at, 1))?.checked_add(1)?;
        let out = match node.text("auto_pad") {
            Some("SAME_UPPER" | "SAME_LOWER") => size.checked_add(stride)?.checked_sub(1)?.checked_div(stride)?,
            _ => {
                let pads = match node.text("auto_pad") {
                    Some("VALID") => 0,
                    _ => list("pads", at, 0).checked_add(list("pads", at.checked_add(dims.len())?, 0))?,
                };
                let room = size.checked_add(pads)?.checked_sub(reach)?;
                let up = if node.number("ceil_mode", 0) == 0 { 0 } else { stride.checked_sub(1)? };
                room.checked_add(up)?.checked_div(stride)?.checked_add(1)?
            }
        };
        shape.push(u64::try_from(out).map_or(Dim::Unknown, Dim::Known));
    }
    Some(shape)
}
