//! Operations of the domain `com.microsoft`, which ONNX Runtime's optimizer and quantizer write
//! (docs/ContribOperators.md of onnxruntime).

use super::graph::{Dim, Node, Shape, Tensors, known};
use super::products::{AttentionSizes, NodeProduct, convolution, divided, gemm, kind, matmul, recurrent};
use super::shapes::{arrange, broadcast, image, matmul as matmul_shape, recurrent as recurrent_shapes};
use crate::product::Kind;

/// True if an operation multiplies matrices.
pub(super) fn multiplies(op: &str) -> bool {
    matches!(
        op,
        "Attention"
            | "QAttention"
            | "MultiHeadAttention"
            | "GroupQueryAttention"
            | "MatMulNBits"
            | "MatMulBnb4"
            | "FusedMatMul"
            | "TransposeMatMul"
            | "FusedMatMulActivation"
            | "MatMulInteger16"
            | "MatMulIntegerToFloat"
            | "DynamicQuantizeMatMul"
            | "QGemm"
            | "FusedGemm"
            | "GemmFastGelu"
            | "FusedConv"
            | "QLinearConv"
            | "DynamicQuantizeLSTM"
            | "MoE"
            | "QMoE"
            | "DecoderMaskedMultiHeadAttention"
            | "DecoderMaskedSelfAttention"
            | "LongformerAttention"
            | "PackedAttention"
            | "PackedMultiHeadAttention"
            | "PagedAttention"
            | "SparseAttention"
            | "NhwcConv"
            | "NhwcFusedConv"
            | "DecoderAttention"
            | "CrossAttention"
    )
}

/// Returns the matmuls of an operation. `None` if the shapes of the operands are unknown or the operation is not
/// supported.
pub(super) fn products(node: &Node<'_>, tensors: &Tensors) -> Option<Vec<NodeProduct>> {
    let shape = |at: usize| tensors.shape(node.inputs.get(at));
    let one = |kind, sizes| Some(vec![NodeProduct { kind, sizes }]);
    match node.op {
        "MatMulNBits" | "MatMulBnb4" => {
            let (k, n) = (node.count("K")?, node.count("N")?);
            let (_, rows) = shape(0)?.split_last()?;
            one(Kind::Weights, [rows.to_vec(), vec![Some(k)], vec![Some(n)], vec![]])
        }
        "FusedMatMul" | "TransposeMatMul" | "FusedMatMulActivation" => {
            let (a, b) = turned(node, tensors)?;
            one(kind(node, tensors, 1), matmul(&a, &b)?)
        }
        "MatMulInteger16" | "MatMulIntegerToFloat" | "DynamicQuantizeMatMul" => {
            one(kind(node, tensors, 1), matmul(shape(0)?, shape(1)?)?)
        }
        "GemmFastGelu" => one(kind(node, tensors, 1), matmul(shape(0)?, shape(1)?)?),
        "FusedGemm" => gemm(node, shape(0)?, shape(1)?, kind(node, tensors, 1)),
        "QGemm" => gemm(node, shape(0)?, shape(3)?, kind(node, tensors, 3)),
        "FusedConv" => convolution(node, tensors, 1),
        "QLinearConv" if node.number("channels_last", 0) == 0 => convolution(node, tensors, 3),
        // The quantized weights are stored with the last two dimensions turned.
        "DynamicQuantizeLSTM" => {
            let turn = |shape: &Shape| match shape[..] {
                [ways, a, b] => Some(vec![ways, b, a]),
                _ => None,
            };
            recurrent(shape(0)?, &turn(shape(1)?)?, &turn(shape(2)?)?, false)
        }
        "Attention" | "QAttention" => {
            let ([batch, length, width], w) = (&shape(0)?[..], shape(1)?) else { return None };
            let sizes = attention(node, tensors)?;
            let mut all = vec![NodeProduct {
                kind: Kind::Weights,
                sizes: [vec![*batch, *length], vec![*width], vec![*w.get(1)?], vec![]],
            }];
            all.extend(sizes.products());
            Some(all)
        }
        "MultiHeadAttention" | "GroupQueryAttention" => attention(node, tensors).map(|sizes| sizes.products().into()),
        _ => None,
    }
}

/// Returns the sizes of an attention.
fn attention(node: &Node<'_>, tensors: &Tensors) -> Option<AttentionSizes> {
    let shape = |at: usize| if node.has(at) { tensors.shape(node.inputs.get(at)) } else { None };
    let heads = node.count("num_heads")?;
    let plus = |a: Dim, b: Dim| a.zip(b).and_then(|(a, b)| a.checked_add(b));
    match node.op {
        "Attention" | "QAttention" => {
            let [batch, length, _] = shape(0)?[..] else { return None };
            let all = *shape(1)?.get(1)?;
            let [q, v] = match node.numbers("qkv_hidden_sizes") {
                Some([q, _, v]) => [u64::try_from(*q).ok(), u64::try_from(*v).ok()],
                _ => [divided(all, 3)?; 2],
            };
            // A cache has the dimensions [2, batch, heads, length, width].
            let past = if node.op == "Attention" { 4 } else { 8 };
            let keys = if node.has(past) { plus(length, *shape(past)?.get(3)?) } else { length };
            let (key_dim, value_dim) = (divided(q, heads)?, divided(v, heads)?);
            Some(AttentionSizes { batch, heads: Some(heads), queries: length, keys, key_dim, value_dim })
        }
        "MultiHeadAttention" => {
            let q = shape(0)?;
            // Queries, keys and values may be packed into one operand.
            if let [batch, length, heads, Some(3), width] = q[..] {
                let sizes =
                    AttentionSizes { batch, heads, queries: length, keys: length, key_dim: width, value_dim: width };
                return Some(sizes);
            }
            let [batch, queries, width] = q[..] else { return None };
            let key_dim = divided(width, heads)?;
            let (keys, value_dim) = match (&shape(1)?[..], shape(2).map(|v| &v[..])) {
                ([_, keys, _], Some([_, _, values])) => (*keys, divided(*values, heads)?),
                // Keys and values of an encoder have their heads apart.
                ([_, _, keys, _], Some([_, _, _, values])) => (*keys, *values),
                ([_, keys, _, Some(2), width], None) => (*keys, *width),
                _ => return None,
            };
            let keys = if node.has(6) { plus(keys, *shape(6)?.get(2)?) } else { keys };
            Some(AttentionSizes { batch, heads: Some(heads), queries, keys, key_dim, value_dim })
        }
        _ => {
            let [batch, queries, width] = shape(0)?[..] else { return None };
            let kv_heads = node.count("kv_num_heads")?;
            let key_dim = match shape(1) {
                Some(_) => divided(width, heads)?,
                // Queries, keys and values are packed.
                None => divided(width, heads.checked_add(kv_heads.checked_mul(2)?)?)?,
            };
            let keys = if node.has(3) { plus(queries, *shape(3)?.get(2)?) } else { queries };
            Some(AttentionSizes { batch, heads: Some(heads), queries, keys, key_dim, value_dim: key_dim })
        }
    }
}

/// Returns the shapes of the operands of a `FusedMatMul` after it turns them.
fn turned(node: &Node<'_>, tensors: &Tensors) -> Option<(Shape, Shape)> {
    let turn = |at: usize, inner, batch| {
        let mut shape = tensors.shape(node.inputs.get(at))?.clone();
        let rank = shape.len();
        if node.number(batch, 0) != 0 && rank > 2 {
            // The first dimension moves before the last.
            shape.get_mut(..rank - 1)?.rotate_left(1);
        }
        if node.number(inner, 0) != 0 && rank > 1 {
            shape.swap(rank - 1, rank - 2);
        }
        Some(shape)
    };
    Some((turn(0, "transA", "transBatchA")?, turn(1, "transB", "transBatchB")?))
}

/// Infers the shapes of the results.
pub(super) fn shapes(node: &Node<'_>, tensors: &Tensors) -> Vec<Option<Shape>> {
    let input = |at: usize| tensors.shape(node.inputs.get(at));
    let found = match node.op {
        "MatMulNBits" | "MatMulBnb4" => input(0).and_then(|shape| with_last(shape, node.count("N"))),
        "FusedMatMul" | "TransposeMatMul" | "FusedMatMulActivation" => {
            turned(node, tensors).and_then(|(a, b)| matmul_shape(&a, &b))
        }
        "MatMulInteger16" | "MatMulIntegerToFloat" | "DynamicQuantizeMatMul" | "GemmFastGelu" => {
            input(0).zip(input(1)).and_then(|(a, b)| matmul_shape(a, b))
        }
        "Attention" | "QAttention" | "MultiHeadAttention" | "GroupQueryAttention" => {
            return attention(node, tensors).map_or_else(Vec::new, |sizes| attended(node, &sizes));
        }
        "FusedConv" => input(0)
            .zip(input(1))
            .and_then(|(image, kernel)| image::slide(node, image, kernel.get(2..)?, *kernel.first()?)),
        "QLinearConv" => input(0)
            .zip(input(3))
            .and_then(|(image, kernel)| image::slide(node, image, kernel.get(2..)?, *kernel.first()?)),
        "QLinearAveragePool" => {
            input(0).and_then(|image| image::slide(node, image, &known(node.numbers("kernel_shape")?), *image.get(1)?))
        }
        // After the scale and the zero point of the result, each operand has its scale and its zero point.
        "QLinearConcat" => {
            let operands: Vec<&str> = node.inputs.iter().skip(2).step_by(3).copied().collect();
            arrange::concat(node, tensors, &operands)
        }
        "FusedGemm" => input(0).zip(input(1)).and_then(|(a, b)| gemm_shape(node, a, b)),
        "QGemm" => input(0).zip(input(3)).and_then(|(a, b)| gemm_shape(node, a, b)),
        "DynamicQuantizeLSTM" => return recurrent_shapes(node, tensors).unwrap_or_default(),
        "EmbedLayerNormalization" => {
            input(0).zip(input(2)).and_then(|(ids, table)| Some([&ids[..], &[*table.last()?]].concat()))
        }
        "QLinearAdd" | "QLinearMul" => input(0).zip(input(3)).and_then(|(a, b)| broadcast([a, b])),
        "BiasSplitGelu" => input(0).and_then(|shape| with_last(shape, shape.last()?.map(|width| width / 2))),
        "QLinearGlobalAveragePool" => input(0)
            .map(|shape| shape.iter().enumerate().map(|(at, dim)| if at < 2 { *dim } else { Some(1) }).collect()),
        "BiasGelu"
        | "FastGelu"
        | "QuickGelu"
        | "Gelu"
        | "BiasAdd"
        | "RotaryEmbedding"
        | "SkipLayerNormalization"
        | "SkipSimplifiedLayerNormalization"
        | "SimplifiedLayerNormalization"
        | "GroupNorm"
        | "SkipGroupNorm"
        | "BiasSoftmax"
        | "BiasDropout"
        | "QLinearSigmoid"
        | "QLinearLeakyRelu"
        | "QLinearSoftmax"
        | "QuantizeLinear"
        | "DequantizeLinear"
        | "BitmaskDropout"
        | "Inverse" => input(0).cloned(),
        _ => None,
    };
    // Some of these operations also pass on their sum with the skipped input.
    let sum = (node.op.starts_with("Skip")).then(|| found.clone()).flatten();
    vec![found, None, None, sum]
}

fn gemm_shape(node: &Node<'_>, a: &Shape, b: &Shape) -> Option<Shape> {
    let (row, column) = (usize::from(node.number("transA", 0) != 0), usize::from(node.number("transB", 0) == 0));
    Some(vec![*a.get(row)?, *b.get(column)?])
}

fn with_last(shape: &Shape, last: Dim) -> Option<Shape> {
    let (_, outer) = shape.split_last()?;
    Some([outer, &[last]].concat())
}

/// Shapes of the results of an attention: the output, and the cache with the new keys and values.
fn attended(node: &Node<'_>, sizes: &AttentionSizes) -> Vec<Option<Shape>> {
    let AttentionSizes { batch, heads, queries, keys, key_dim, value_dim } = *sizes;
    let all = heads.zip(value_dim).and_then(|(heads, width)| heads.checked_mul(width));
    let out = Some(vec![batch, queries, all]);
    let cached = |heads, width| Some(vec![batch, heads, keys, width]);
    match node.op {
        "Attention" | "QAttention" => vec![out, Some(vec![Some(2), batch, heads, keys, key_dim])],
        "MultiHeadAttention" => vec![out, cached(heads, key_dim), cached(heads, value_dim)],
        _ => {
            let kv_heads = node.count("kv_num_heads");
            vec![out, cached(kv_heads, key_dim), cached(kv_heads, value_dim)]
        }
    }
}
