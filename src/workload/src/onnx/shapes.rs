//! Shape inference: shapes of an operation's results, from the shapes of its operands.

pub(super) mod arrange;
pub(super) mod image;

use super::graph::{DIMS_MAX, Dim, Node, Shape, Tensors, known};
use super::values::{dimensions, range_length, values};
use super::{microsoft, products};

/// Infers the shapes and small values of an operation's results. Shapes that cannot be inferred stay unknown.
pub(super) fn infer(node: &Node<'_>, tensors: &mut Tensors) {
    let found = values(node, tensors);
    let shapes = results(node, tensors);
    for (name, shape) in node.outputs.iter().zip(shapes).filter(|(name, _)| !name.is_empty()) {
        let Some(shape) = shape else { continue };
        let full = |shape: &Shape| shape.iter().all(Option::is_some);
        // Dimensions add up from one operation to the next, so a hostile graph could have any number of them.
        if shape.len() <= DIMS_MAX {
            let tensor = tensors.entry(name);
            if full(&shape) || tensor.shape.is_none() {
                tensor.shape = Some(shape);
            }
        }
    }
    if let (Some(values), Some(name)) = (found, node.outputs.first().filter(|name| !name.is_empty())) {
        let tensor = tensors.entry(name);
        let length = u64::try_from(values.all.len()).ok();
        let shape = tensor.shape.get_or_insert_with(|| vec![length]);
        // A list of values that does not fit the shape stays unknown.
        tensor.values = Some(values).filter(|_| product(shape) == length);
    }
}

/// Infers the shapes of all results.
fn results(node: &Node<'_>, tensors: &Tensors) -> Vec<Option<Shape>> {
    let input = |at: usize| tensors.shape(node.inputs.get(at));
    if !matches!(node.domain, "" | "ai.onnx") {
        return microsoft::shapes(node, tensors);
    }
    match node.op {
        "Split" => arrange::split(node, tensors).unwrap_or_default(),
        // Results: the quantized values, their scale and their zero point.
        "DynamicQuantizeLinear" => {
            input(0).map_or_else(Vec::new, |shape| [shape.clone(), vec![], vec![]].map(Some).into())
        }
        "TopK" => {
            let shape = arrange::top(node, tensors);
            vec![shape.clone(), shape]
        }
        "MaxPool" | "Dropout" | "BatchNormalization" => {
            let shape = shape(node, tensors);
            vec![shape.clone(), if node.op == "BatchNormalization" { None } else { shape }]
        }
        "LSTM" | "GRU" | "RNN" => recurrent(node, tensors).unwrap_or_default(),
        "Attention" => products::attention(node, tensors).map(|attention| Some(attention.result)).into_iter().collect(),
        // For every other operation, only the shape of the first result is inferred.
        _ => vec![shape(node, tensors)],
    }
}

/// Infers the shape of the first result.
fn shape(node: &Node<'_>, tensors: &Tensors) -> Option<Shape> {
    let input = |at: usize| tensors.shape(node.inputs.get(at));
    let value = |at: usize| tensors.value(node.inputs.get(at));
    let wanted = |at: usize| value(at).and_then(dimensions);
    match node.op {
        "Constant" => match node.tensor("value") {
            Some((dims, _)) => Some(known(&dims)),
            None => match node.numbers("value_ints") {
                Some(list) => Some(vec![u64::try_from(list.len()).ok()]),
                None => Some(vec![]),
            },
        },
        "Shape" => {
            let found = values(node, tensors).map(|values| values.all.len());
            Some(vec![u64::try_from(found.unwrap_or(input(0)?.len())).ok()])
        }
        "Size" | "Det" => Some(vec![]),
        "ConstantOfShape" => wanted(0).map(|dims| known(&dims)).or_else(|| arrange::of_length(input(0)?)),
        "RandomNormal" | "RandomUniform" => node.numbers("shape").map(known),
        "Range" => Some(vec![range_length(node, tensors)]),
        "Expand" => broadcast([input(0)?, &known(&wanted(1)?)]),
        op if BROADCAST.contains(&op) => {
            let shapes: Option<Vec<_>> = (0..node.inputs.len()).map(input).collect();
            broadcast(shapes?)
        }
        "NonZero" => Some(vec![u64::try_from(input(0)?.len()).ok(), None]),
        "NonMaxSuppression" => Some(vec![None, Some(3)]),
        "Compress" | "Unique" => Some(vec![None]),
        "Einsum" => {
            let shapes: Option<Vec<_>> = (0..node.inputs.len()).map(input).collect();
            products::einsum_result(node.text("equation")?, &shapes?)
        }
        "MatMul" | "MatMulInteger" => matmul(input(0)?, input(1)?),
        "QLinearMatMul" => matmul(input(0)?, input(3)?),
        "Gemm" => {
            let (a, b) = (input(0)?, input(1)?);
            let (row, column) =
                (usize::from(node.number("transA", 0) != 0), usize::from(node.number("transB", 0) == 0));
            Some(vec![*a.get(row)?, *b.get(column)?])
        }
        op if SAME.contains(&op) => input(0).cloned(),
        _ => image::shape(node, tensors).or_else(|| arrange::shape(node, tensors)),
    }
}

/// Operations whose result has the broadcast shape of all operands.
const BROADCAST: [&str; 23] = [
    "Add",
    "And",
    "BitwiseAnd",
    "BitwiseOr",
    "BitwiseXor",
    "BitShift",
    "Div",
    "Equal",
    "Greater",
    "GreaterOrEqual",
    "Less",
    "LessOrEqual",
    "Max",
    "Mean",
    "Min",
    "Mod",
    "Mul",
    "Or",
    "Pow",
    "Sub",
    "Sum",
    "Where",
    "Xor",
];

/// Operations whose first result has the shape of the first operand.
const SAME: [&str; 80] = [
    "Abs",
    "Acos",
    "Acosh",
    "Asin",
    "Asinh",
    "Atan",
    "Atanh",
    "BatchNormalization",
    "Bernoulli",
    "BitwiseNot",
    "Cast",
    "CastLike",
    "Ceil",
    "Celu",
    "Clip",
    "Cos",
    "Cosh",
    "CumSum",
    "DequantizeLinear",
    "Dropout",
    "Elu",
    "Erf",
    "Exp",
    "EyeLike",
    "Floor",
    "Gelu",
    "GroupNormalization",
    "HardSigmoid",
    "HardSwish",
    "Hardmax",
    "Identity",
    "InstanceNormalization",
    "IsInf",
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
    "RMSNormalization",
    "RandomNormalLike",
    "RandomUniformLike",
    "Reciprocal",
    "Relu",
    "ReverseSequence",
    "RotaryEmbedding",
    "Round",
    "Scatter",
    "ScatterElements",
    "ScatterND",
    "Selu",
    "Shrink",
    "Sigmoid",
    "Sign",
    "Sin",
    "Sinh",
    "Softmax",
    "Softplus",
    "Softsign",
    "Sqrt",
    "Swish",
    "Tan",
    "Tanh",
    "TensorScatter",
    "ThresholdedRelu",
    "Trilu",
    "ImageScaler",
    "SimplifiedLayerNormalization",
    "ParametricSoftplus",
    "ScaledTanh",
    "Affine",
    "Crop",
    "Scale",
];

/// Broadcasts shapes by the rules of NumPy. `None` if the shapes do not match.
pub(super) fn broadcast<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> Option<Shape> {
    let mut all: Shape = Vec::new();
    for shape in shapes {
        for _ in all.len()..shape.len() {
            all.insert(0, Some(1));
        }
        let offset = all.len() - shape.len();
        for (own, dim) in all.iter_mut().skip(offset).zip(shape) {
            match (*own, *dim) {
                (Some(1), other) => *own = other,
                (_, Some(1)) => {}
                (Some(a), Some(b)) if a != b => return None,
                (Some(_), _) => {}
                (None, other) => *own = other,
            }
        }
    }
    Some(all)
}

pub(super) fn matmul(a: &Shape, b: &Shape) -> Option<Shape> {
    match (&a[..], &b[..]) {
        ([_], [_]) => Some(vec![]),
        ([_], [batch @ .., _, n]) => Some([batch, &[*n]].concat()),
        ([rows @ .., _], [_]) => Some(rows.to_vec()),
        ([batch @ .., m, _], [other @ .., _, n]) => {
            let mut shape = broadcast([&batch.to_vec(), &other.to_vec()])?;
            shape.extend([*m, *n]);
            Some(shape)
        }
        _ => None,
    }
}

/// Number of elements of these dimensions. `None` if it is unknown.
pub(super) fn product(dims: &[Dim]) -> Dim {
    dims.iter().try_fold(1u64, |product, dim| product.checked_mul((*dim)?))
}

/// Shapes of the results of a recurrent layer: all outputs, the last output, and the last state.
pub(super) fn recurrent(node: &Node<'_>, tensors: &Tensors) -> Option<Vec<Option<Shape>>> {
    let (x, w) = (tensors.shape(node.inputs.first())?, tensors.shape(node.inputs.get(1))?);
    let ([length, batch, _], [ways, ..]) = (&x[..], &w[..]) else { return None };
    let hidden = &node.count("hidden_size");
    let (all, last) = if node.number("layout", 0) == 0 {
        (vec![*length, *ways, *batch, *hidden], vec![*ways, *batch, *hidden])
    } else {
        // With the layout 1, the first dimension of x is the batch.
        (vec![*length, *batch, *ways, *hidden], vec![*length, *ways, *hidden])
    };
    Some(vec![Some(all), Some(last.clone()), Some(last)])
}
