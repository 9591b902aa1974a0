//! Matmuls of one operation of a graph.

use super::graph::{DIMS_MAX, Dim, Node, Shape, Tensors};
use super::microsoft;
use crate::product::Kind;

/// A matmul whose dimensions may be unknown.
#[derive(Debug)]
pub(super) struct NodeProduct {
    pub(super) kind: Kind,
    /// Factors whose products are M, K, N and the count.
    pub(super) sizes: [Vec<Dim>; 4],
}

/// True if an operation of the standard domain multiplies matrices.
pub(super) fn multiplies(node: &Node<'_>) -> bool {
    if !matches!(node.domain, "" | "ai.onnx") {
        return microsoft::multiplies(node.op);
    }
    matches!(
        node.op,
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
        (Some(Some(a)), Some(Some(b))) => a == b,
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
    let wide = |(a, b): (&Dim, &Dim)| [a, b].contains(&&Some(1)) || same(Some(a), Some(b));
    same(a.last(), b.iter().rev().nth(1).or(b.first())) && batches(a).iter().zip(&batches(b)).all(wide)
}

/// Returns the matmuls of an operation. `None` if the shapes of the operands are unknown or the operation is not
/// supported.
pub(super) fn products(node: &Node<'_>, tensors: &Tensors) -> Option<Vec<NodeProduct>> {
    if !matches!(node.domain, "" | "ai.onnx") {
        return microsoft::products(node, tensors);
    }
    let shape = |at: usize| tensors.shape(node.inputs.get(at));
    let kind = |at: usize| kind(node, tensors, at);
    let one = |kind, sizes| Some(vec![NodeProduct { kind, sizes }]);
    match node.op {
        "MatMul" | "MatMulInteger" => one(kind(1), matmul(shape(0)?, shape(1)?)?),
        "QLinearMatMul" => one(kind(3), matmul(shape(0)?, shape(3)?)?),
        "Gemm" => gemm(node, shape(0)?, shape(1)?, kind(1)),
        "Conv" | "ConvInteger" | "QLinearConv" | "DeformConv" => {
            convolution(node, tensors, if node.op == "QLinearConv" { 3 } else { 1 })
        }
        "ConvTranspose" => {
            let (image, kernel) = (shape(0)?, shape(1)?);
            let group = group(node)?;
            let pixels = [image.get(..1)?, image.get(2..)?].concat();
            let channels = divided(*kernel.first()?, group)?;
            one(Kind::Convolution, [pixels, vec![channels], kernel.get(1..)?.to_vec(), vec![Some(group)]])
        }
        "Einsum" => {
            let sizes = einsum(node.text("equation")?, shape(0)?, shape(1)?);
            one(kind(1), sizes.filter(|_| node.inputs.len() == 2)?)
        }
        "Attention" => attention(node, tensors).map(|attention| attention.products.into()),
        "LSTM" | "GRU" | "RNN" => recurrent(shape(0)?, shape(1)?, shape(2)?, node.number("layout", 0) != 0),
        _ => None,
    }
}

/// Kind of a matmul whose second operand is this operand of the node.
pub(super) fn kind(node: &Node<'_>, tensors: &Tensors, second: usize) -> Kind {
    if tensors.is_stored(node.inputs.get(second)) { Kind::Weights } else { Kind::Activations }
}

/// Returns the matmul of a `Gemm`.
pub(super) fn gemm(node: &Node<'_>, a: &Shape, b: &Shape, kind: Kind) -> Option<Vec<NodeProduct>> {
    let turned = |name| usize::from(node.number(name, 0) != 0);
    let (left, right) = (turned("transA"), turned("transB"));
    let sizes = [vec![*a.get(left)?], vec![*a.get(1 - left)?], vec![*b.get(1 - right)?], vec![]];
    Some(vec![NodeProduct { kind, sizes }])
}

/// Returns the matmul of a convolution whose filters are the operand at `filters`.
pub(super) fn convolution(node: &Node<'_>, tensors: &Tensors, filters: usize) -> Option<Vec<NodeProduct>> {
    let kernel = tensors.shape(node.inputs.get(filters))?;
    let out = tensors.shape(node.outputs.first())?;
    let group = group(node)?;
    let pixels = [out.get(..1)?, out.get(2..)?].concat();
    let filters = divided(*kernel.first()?, group)?;
    let sizes = [pixels, kernel.get(1..)?.to_vec(), vec![filters], vec![Some(group)]];
    Some(vec![NodeProduct { kind: Kind::Convolution, sizes }])
}

/// Returns the matmuls of a recurrent layer: all inputs at once, then the state step by step.
pub(super) fn recurrent(x: &Shape, w: &Shape, r: &Shape, batch_first: bool) -> Option<Vec<NodeProduct>> {
    let ([length, batch, width], [ways, gates, _], [_, _, hidden]) = (&x[..], &w[..], &r[..]) else {
        return None;
    };
    let (length, batch) = if batch_first { (batch, length) } else { (length, batch) };
    let of = |sizes| NodeProduct { kind: Kind::Weights, sizes };
    Some(vec![
        of([vec![*length, *batch], vec![*width], vec![*gates], vec![*ways]]),
        of([vec![*batch], vec![*hidden], vec![*gates], vec![*ways, *length]]),
    ])
}

fn group(node: &Node<'_>) -> Option<u64> {
    u64::try_from(node.number("group", 1)).ok().filter(|group| *group > 0)
}

pub(super) fn divided(dim: Dim, by: u64) -> Option<Dim> {
    match dim {
        Some(size) => size.is_multiple_of(by).then_some(Some(size / by)),
        None => (by == 1).then_some(None),
    }
}

/// Returns the factors of M, K, N and the count for a `MatMul`. If B has no batch dimensions, the batch dimensions of A
/// are rows. Otherwise all batch dimensions belong to the count.
pub(super) fn matmul(a: &Shape, b: &Shape) -> Option<[Vec<Dim>; 4]> {
    let (&k, rows) = a.split_last()?;
    match &b[..] {
        [_] => Some([rows.to_vec(), vec![k], vec![], vec![]]),
        [_, n] => Some([rows.to_vec(), vec![k], vec![*n], vec![]]),
        [batch @ .., _, n] => {
            let (m, own) = rows.split_last().map_or((vec![], &[][..]), |(m, own)| (vec![*m], own));
            let longer = own.len().max(batch.len());
            let at = |dims: &[Dim], place: usize| {
                let missing = longer - dims.len();
                place.checked_sub(missing).and_then(|place| dims.get(place).copied()).unwrap_or(Some(1))
            };
            let wider = |place| if at(own, place) == Some(1) { at(batch, place) } else { at(own, place) };
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

/// Sizes of an attention: batch, heads, queries, keys, width of a key and width of a value.
pub(super) struct AttentionSizes {
    pub(super) batch: Dim,
    pub(super) heads: Dim,
    pub(super) queries: Dim,
    pub(super) keys: Dim,
    pub(super) key_dim: Dim,
    pub(super) value_dim: Dim,
}

impl AttentionSizes {
    pub(super) fn products(&self) -> [NodeProduct; 2] {
        let Self { batch, heads, queries, keys, key_dim, value_dim } = *self;
        let count = || vec![batch, heads];
        [
            NodeProduct { kind: Kind::Scores, sizes: [vec![queries], vec![key_dim], vec![keys], count()] },
            NodeProduct { kind: Kind::Values, sizes: [vec![queries], vec![keys], vec![value_dim], count()] },
        ]
    }
}

/// Returns the matmuls of an `Attention` operation, and the shape of the result. If queries, keys and values have 3
/// dimensions, one dimension combines all heads. If they have 4 dimensions, the heads are a separate dimension. A cache
/// has 4 dimensions.
pub(super) fn attention(node: &Node<'_>, tensors: &Tensors) -> Option<AttentionNode> {
    let shape = |at: usize| tensors.shape(node.inputs.get(at));
    // Batch, heads, length and width of a head.
    let apart = |shape: &Shape, name| match shape[..] {
        [batch, heads, length, width] => Some([batch, heads, length, width]),
        [batch, length, all] => Some([batch, Some(node.count(name)?), length, divided(all, node.count(name)?)?]),
        _ => None,
    };
    let (q, v) = (shape(0)?, shape(2)?);
    let [batch, heads, queries, key_dim] = apart(q, "q_num_heads")?;
    let [_, _, new, value_dim] = apart(v, "kv_num_heads")?;
    let keys = if node.has(5) {
        let past = *shape(5)?.get(2)?;
        past.zip(new).and_then(|(past, new)| past.checked_add(new))
    } else {
        new
    };
    let sizes = AttentionSizes { batch, heads, queries, keys, key_dim, value_dim };
    let all = heads.zip(value_dim).and_then(|(heads, width)| heads.checked_mul(width));
    let result = if q.len() == 4 { vec![batch, heads, queries, value_dim] } else { vec![batch, queries, all] };
    Some(AttentionNode { products: sizes.products(), result })
}

/// Indices of the operands and of the result of an einsum. Each dimension of an ellipsis gets its own index, a
/// digit. Without an arrow, the result has the indices that occur once, in alphabetical order.
fn indices(equation: &str, ranks: &[usize]) -> Option<(Vec<String>, String)> {
    // An index is a letter, and tensors here have at most 16 dimensions.
    let equation: String = equation.chars().take(100).filter(|c| !c.is_whitespace()).collect();
    let (operands, result) = match equation.split_once("->") {
        Some((operands, result)) => (operands, Some(result)),
        None => (&equation[..], None),
    };
    let operands: Vec<&str> = operands.split(',').collect();
    if operands.len() != ranks.len() {
        return None;
    }
    let extra =
        |(text, rank): (&&str, &usize)| text.contains("...").then(|| (rank + 3).checked_sub(text.len())).flatten();
    let longest = operands.iter().zip(ranks).filter_map(extra).max().unwrap_or(0).min(9);
    let digits =
        |count: usize| (longest.saturating_sub(count)..longest).map(|digit| digit.to_string()).collect::<String>();
    let written: Vec<String> = operands
        .iter()
        .zip(ranks)
        .map(|(text, rank)| text.replace("...", &digits(extra((text, rank)).unwrap_or(0))))
        .collect();
    let result = match result {
        Some(result) => result.replace("...", &digits(longest)),
        None => {
            let all: String = written.concat();
            let mut once: Vec<char> = all.chars().filter(|letter| all.matches(*letter).count() == 1).collect();
            once.retain(char::is_ascii_alphabetic);
            once.sort_unstable();
            digits(longest) + &once.into_iter().collect::<String>()
        }
    };
    Some((written, result))
}

/// Returns the shape of an einsum's result, from the shapes of its operands.
pub(super) fn einsum_result(equation: &str, shapes: &[&Shape]) -> Option<Shape> {
    let ranks: Vec<usize> = shapes.iter().map(|shape| shape.len()).collect();
    let (operands, result) = indices(equation, &ranks)?;
    if result.len() > DIMS_MAX {
        return None;
    }
    let size = |letter: char| {
        let sizes = operands.iter().zip(shapes).filter_map(|(letters, shape)| {
            let at = letters.chars().position(|other| other == letter)?;
            shape.get(at).copied().filter(|_| letters.len() == shape.len())
        });
        // A side of 1 is broadcast.
        sizes.max_by_key(|size| size.is_none_or(|size| size != 1))
    };
    result.chars().map(size).collect()
}

/// Returns the factors of M, K, N and the count for an einsum with two operands. An index of both operands belongs to
/// the count if the result also has this index, otherwise to K. An index of only one operand belongs to M or N.
fn einsum(equation: &str, a: &Shape, b: &Shape) -> Option<[Vec<Dim>; 4]> {
    let (operands, result) = indices(equation, &[a.len(), b.len()])?;
    let [left, right] = &operands[..] else { return None };
    let letters = |text: &str, shape: &Shape| -> Option<Vec<(char, Dim)>> {
        let unlike = text.chars().enumerate().all(|(at, letter)| !text.chars().take(at).any(|other| other == letter));
        let simple = unlike && text.chars().all(|c| c.is_ascii_alphanumeric()) && text.len() == shape.len();
        simple.then(|| text.chars().zip(shape.iter().copied()).collect())
    };
    let (left, right) = (letters(left, a)?, letters(right, b)?);
    let mut sizes = [vec![], vec![], vec![], vec![]];
    for (letter, dim) in &left {
        let other = right.iter().find(|(other, _)| other == letter).map(|(_, dim)| *dim);
        // A side of 1 is broadcast.
        let dim = if *dim == Some(1) { other.as_ref().unwrap_or(dim) } else { dim };
        let place = match (other.is_some(), result.contains(*letter)) {
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
