//! Matmuls of one operation of a graph.

use super::graph::{DIMS_MAX, Dim, Node, Shape, Tensors};
use crate::product::Kind;

/// A matmul whose dimensions may be unknown.
#[derive(Debug)]
pub(super) struct NodeProduct {
    pub(super) kind: Kind,
    /// Factors whose products are M, K, N and the count.
    pub(super) sizes: [Vec<Dim>; 4],
}

/// True if an operation multiplies matrices.
pub(super) fn multiplies(op: &str) -> bool {
    matches!(
        op,
        "MatMul"
            | "MatMulInteger"
            | "QLinearMatMul"
            | "Gemm"
            | "Conv"
            | "ConvInteger"
            | "QLinearConv"
            | "ConvTranspose"
            | "Einsum"
            | "LSTM"
            | "GRU"
            | "RNN"
            | "Attention"
            | "DeformConv"
    )
}

/// True if the known sizes of the operands of a matmul match.
pub(super) fn fits(node: &Node<'_>, tensors: &Tensors) -> bool {
    let shape = |at: usize| tensors.shape(node.inputs.get(at));
    let same = |a: Option<&Dim>, b: Option<&Dim>| match (a, b) {
        (Some(Dim::Known(a)), Some(Dim::Known(b))) => a == b,
        _ => true,
    };
    let second = match node.op {
        "MatMul" | "MatMulInteger" | "Gemm" => 1,
        "QLinearMatMul" => 3,
        _ => return true,
    };
    let (Some(a), Some(b)) = (shape(0), shape(second)) else { return true };
    if node.op == "Gemm" {
        let turned = |name| usize::from(node.number(name, 0) != 0);
        return same(a.get(1 - turned("transA")), b.get(turned("transB")));
    }
    let batches = |shape: &Shape| shape.iter().rev().skip(2).copied().collect::<Vec<_>>();
    let wide = |(a, b): (&Dim, &Dim)| [a, b].contains(&&Dim::Known(1)) || same(Some(a), Some(b));
    same(a.last(), b.iter().rev().nth(1).or(b.first())) && batches(a).iter().zip(&batches(b)).all(wide)
}

/// Returns the matmuls of an operation. `None` if the shapes of the operands are unknown or the operation is not
/// supported.
pub(super) fn products(node: &Node<'_>, tensors: &Tensors) -> Option<Vec<NodeProduct>> {
    let shape = |at: usize| tensors.shape(node.inputs.get(at));
    let stored = |at: usize| tensors.is_stored(node.inputs.get(at));
    let kind = |at: usize| if stored(at) { Kind::Weights } else { Kind::Activations };
    let one = |kind, sizes| Some(vec![NodeProduct { kind, sizes }]);
    match node.op {
        "MatMul" | "MatMulInteger" => one(kind(1), matmul(shape(0)?, shape(1)?)?),
        "QLinearMatMul" => one(kind(3), matmul(shape(0)?, shape(3)?)?),
        "Gemm" => {
            let (a, b) = (shape(0)?, shape(1)?);
            let turned = |name| usize::from(node.number(name, 0) != 0);
            let (left, right) = (turned("transA"), turned("transB"));
            one(kind(1), [vec![*a.get(left)?], vec![*a.get(1 - left)?], vec![*b.get(1 - right)?], vec![]])
        }
        "Conv" | "ConvInteger" | "QLinearConv" => {
            let kernel = shape(if node.op == "QLinearConv" { 3 } else { 1 })?;
            let out = tensors.shape(node.outputs.first())?;
            let group = group(node)?;
            let pixels = [out.get(..1)?, out.get(2..)?].concat();
            let filters = divided(*kernel.first()?, group)?;
            one(Kind::Convolution, [pixels, kernel.get(1..)?.to_vec(), vec![filters], vec![Dim::Known(group)]])
        }
        "ConvTranspose" => {
            let (image, kernel) = (shape(0)?, shape(1)?);
            let group = group(node)?;
            let pixels = [image.get(..1)?, image.get(2..)?].concat();
            let channels = divided(*kernel.first()?, group)?;
            one(Kind::Convolution, [pixels, vec![channels], kernel.get(1..)?.to_vec(), vec![Dim::Known(group)]])
        }
        "Einsum" => {
            one(kind(1), einsum(node.text("equation")?, shape(0)?, shape(1)?).filter(|_| node.inputs.len() == 2)?)
        }
        "Attention" => attention(node, tensors).map(|attention| attention.products.into()),
        "LSTM" | "GRU" | "RNN" => {
            let (x, w, r) = (shape(0)?, shape(1)?, shape(2)?);
            let ([length, batch, width], [ways, gates, _], [_, _, hidden]) = (&x[..], &w[..], &r[..]) else {
                return None;
            };
            Some(vec![
                NodeProduct {
                    kind: Kind::Weights,
                    sizes: [vec![*length, *batch], vec![*width], vec![*gates], vec![*ways]],
                },
                NodeProduct {
                    kind: Kind::Weights,
                    sizes: [vec![*batch], vec![*hidden], vec![*gates], vec![*ways, *length]],
                },
            ])
        }
        _ => None,
    }
}

fn group(node: &Node<'_>) -> Option<u64> {
    u64::try_from(node.number("group", 1)).ok().filter(|group| *group > 0)
}

fn divided(dim: Dim, by: u64) -> Option<Dim> {
    match dim {
        Dim::Known(size) => size.is_multiple_of(by).then(|| Dim::Known(size / by)),
        other => (by == 1).then_some(other),
    }
}

/// Returns the factors of M, K, N and the count for a `MatMul`. If B has no batch dimensions, the batch dimensions of A
/// are rows. Otherwise all batch dimensions belong to the count.
fn matmul(a: &Shape, b: &Shape) -> Option<[Vec<Dim>; 4]> {
    let (&k, rows) = a.split_last()?;
    match &b[..] {
        [_] => Some([rows.to_vec(), vec![k], vec![], vec![]]),
        [_, n] => Some([rows.to_vec(), vec![k], vec![*n], vec![]]),
        [batch @ .., _, n] => {
            let (m, own) = rows.split_last().map_or((vec![], &[][..]), |(m, own)| (vec![*m], own));
            let longer = own.len().max(batch.len());
            let at = |dims: &[Dim], place: usize| {
                let missing = longer - dims.len();
                place.checked_sub(missing).and_then(|place| dims.get(place).copied()).unwrap_or(Dim::Known(1))
            };
            let wider = |place| if at(own, place) == Dim::Known(1) { at(batch, place) } else { at(own, place) };
            Some([m, vec![k], vec![*n], (0..longer).map(wider).collect()])
        }
        [] => None,
    }
}

/// Matmuls of ONNX's `Attention` operation, and the shape of the operation's result.
pub(super) struct AttentionNode {
    pub(super) products: [NodeProduct; 2],
    pub(super) result: Shape,
}

/// Returns the matmuls of an `Attention` operation, and the shape of the result. If queries, keys and values have 3
/// dimensions, one dimension combines all heads. If they have 4 dimensions, the heads are a separate dimension. A cache
/// has 4 dimensions.
pub(super) fn attention(node: &Node<'_>, tensors: &Tensors) -> Option<AttentionNode> {
    let shape = |at: usize| tensors.shape(node.inputs.get(at));
    let heads = |name| u64::try_from(node.number(name, 0)).ok().filter(|heads| *heads > 0);
    // Batch, heads, length and width of a head.
    let apart = |shape: &Shape, name| match shape[..] {
        [batch, heads, length, width] => Some([batch, heads, length, width]),
        [batch, length, all] => Some([batch, Dim::Known(heads(name)?), length, divided(all, heads(name)?)?]),
        _ => None,
    };
    let (q, v) = (shape(0)?, shape(2)?);
    let [batch, n_heads, length, width] = apart(q, "q_num_heads")?;
    let [_, _, new, out] = apart(v, "kv_num_heads")?;
    let all = match node.inputs.get(5) {
        Some(past) if !past.is_empty() => match (shape(5)?.get(2)?, new) {
            (Dim::Known(past), Dim::Known(new)) => Dim::Known(past.checked_add(new)?),
            _ => Dim::Unknown,
        },
        _ => new,
    };
    let count = || vec![batch, n_heads];
    let scores = NodeProduct { kind: Kind::Scores, sizes: [vec![length], vec![width], vec![all], count()] };
    let values = NodeProduct { kind: Kind::Values, sizes: [vec![length], vec![all], vec![out], count()] };
    let result = match (q.len(), n_heads, out) {
        (4, ..) => vec![batch, n_heads, length, out],
        (_, Dim::Known(heads), Dim::Known(out)) => vec![batch, length, Dim::Known(heads.checked_mul(out)?)],
        _ => vec![batch, length, Dim::Unknown],
    };
    Some(AttentionNode { products: [scores, values], result })
}

/// Returns the shape of an einsum's result, from the shapes of its two operands.
pub(super) fn einsum_result(equation: &str, a: &Shape, b: &Shape) -> Option<Shape> {
    einsum(equation, a, b)?;
    let (operands, result) = equation.split_once("->")?;
    let (left, right) = operands.split_once(',')?;
    let letters = |text: &'_ str| text.chars().filter(|c| !c.is_whitespace()).take(DIMS_MAX + 1).collect::<Vec<_>>();
    let (left, right) = (letters(left), letters(right));
    let size = |letter: &char| {
        let of = |letters: &[char], shape: &Shape| {
            letters.iter().position(|other| other == letter).and_then(|at| shape.get(at).copied())
        };
        of(&left, a).or_else(|| of(&right, b))
    };
    letters(result).iter().map(size).collect()
}

/// Returns the factors of M, K, N and the count for an einsum with two operands. An index of both operands belongs to
/// the count if the result also has this index, otherwise to K. An index of only one operand belongs to M or N.
fn einsum(equation: &str, a: &Shape, b: &Shape) -> Option<[Vec<Dim>; 4]> {
    // An index is a letter, and tensors here have at most 16 dimensions.
    let equation: String = equation.chars().take(100).filter(|c| !c.is_whitespace()).collect();
    let (operands, result) = equation.split_once("->")?;
    let (left, right) = operands.split_once(',')?;
    let letters = |text: &str, shape: &Shape| -> Option<Vec<(char, Dim)>> {
        let unlike = text.chars().enumerate().all(|(at, letter)| !text.chars().take(at).any(|other| other == letter));
        let simple = unlike && text.chars().all(|c| c.is_ascii_alphabetic()) && text.len() == shape.len();
        simple.then(|| text.chars().zip(shape.iter().copied()).collect())
    };
    let (left, right) = (letters(left, a)?, letters(right, b)?);
    let mut sizes = [vec![], vec![], vec![], vec![]];
    for (letter, dim) in &left {
        let shared = right.iter().any(|(other, _)| other == letter);
        let place = match (shared, result.contains(*letter)) {
            (true, true) => 3,
            (true, false) => 1,
            (false, true) => 0,
            (false, false) => return None,
        };
        sizes.get_mut(place)?.push(*dim);
    }
    for (letter, dim) in &right {
        match (left.iter().any(|(other, _)| other == letter), result.contains(*letter)) {
            (true, _) => {}
            (false, true) => sizes.get_mut(2)?.push(*dim),
            (false, false) => return None,
        }
    }
    Some(sizes)
}
