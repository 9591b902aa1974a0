//! Short lists of whole numbers, which a graph uses to compute its shapes.

use super::graph::{DIMS_MAX, Dim, Node, Tensors};

/// Maximum length of a computed `Range`, one more than the number of values that are kept.
const COUNTED_MAX: i64 = 17;

/// Computes the values of the first result if they are a short list of whole numbers, as in shape computations.
pub(super) fn values(node: &Node<'_>, tensors: &Tensors) -> Option<Vec<i64>> {
    let value = |at: usize| tensors.value(node.inputs.get(at));
    match node.op {
        "Constant" => match node.tensor("value") {
            Some((_, values)) => values,
            None => node.numbers("value_ints").map(<[i64]>::to_vec),
        },
        "Shape" => {
            let shape = tensors.shape(node.inputs.first())?;
            let sizes: Option<Vec<i64>> = shape
                .iter()
                .map(|dim| if let Dim::Known(size) = dim { i64::try_from(*size).ok() } else { None })
                .collect();
            let rank = i64::try_from(shape.len()).ok()?;
            let from = |name, missing| {
                let at = node.number(name, missing);
                usize::try_from(if at < 0 { at.saturating_add(rank) } else { at }.clamp(0, rank)).ok()
            };
            sizes?.get(from("start", 0)?..from("end", rank)?).map(<[i64]>::to_vec)
        }
        "Concat" => {
            let parts: Option<Vec<&[i64]>> = (0..node.inputs.len()).map(value).collect();
            parts.map(|parts| parts.concat())
        }
        "Gather" => {
            let list = value(0)?;
            value(1)?.iter().map(|&at| list.get(place(at, list.len())?).copied()).collect()
        }
        "ConstantOfShape" => match (node.tensor("value")?.1?.as_slice(), value(0)?) {
            ([same], &[length]) => {
                let length = usize::try_from(length).ok().filter(|length| *length <= DIMS_MAX)?;
                Some(vec![*same; length])
            }
            _ => None,
        },
        "Add" => both(value(0)?, value(1)?, i64::checked_add),
        "Sub" => both(value(0)?, value(1)?, i64::checked_sub),
        "Mul" => both(value(0)?, value(1)?, i64::checked_mul),
        "Div" => both(value(0)?, value(1)?, i64::checked_div),
        "Equal" => both(value(0)?, value(1)?, |a, b| Some(i64::from(a == b))),
        "Where" => {
            let chosen = |at: usize| {
                let from = if value(0)?.get(at)? == &0 { value(2)? } else { value(1)? };
                from.get(if from.len() == 1 { 0 } else { at }).copied()
            };
            (0..value(0)?.len()).map(chosen).collect()
        }
        "Range" => {
            let &[from] = value(0)? else { return None };
            let (&[to], &[step]) = (value(1)?, value(2)?) else { return None };
            let length = to.checked_sub(from)?.checked_div(step)?.checked_add(1)?.clamp(0, COUNTED_MAX);
            let all = (0..length).map(|nth| nth.checked_mul(step).and_then(|way| from.checked_add(way)));
            let inside = |at: &Option<i64>| at.is_none_or(|at| if step > 0 { at < to } else { at > to });
            all.take_while(inside).collect()
        }
        "Unsqueeze" | "Squeeze" | "Cast" | "Identity" => value(0).map(<[i64]>::to_vec),
        "Slice" => {
            let list = value(0)?;
            let end = |at: i64| {
                if at < 0 { i64::try_from(list.len()).unwrap_or(i64::MAX).saturating_add(at).max(0) } else { at }
            };
            let (from, to) = (end(*value(1)?.first()?), end(*value(2)?.first()?));
            let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).unwrap_or(usize::MAX).min(list.len()));
            if value(4).is_some_and(|steps| steps != [1]) { None } else { list.get(from..to).map(<[i64]>::to_vec) }
        }
        _ => None,
    }
}

pub(super) fn place(at: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    let at = if at < 0 { at.checked_add(length)? } else { at };
    if at < length { usize::try_from(at).ok() } else { None }
}

/// Applies an operation to two lists of numbers, element by element. A list of length 1 is broadcast.
fn both(a: &[i64], b: &[i64], of: impl Fn(i64, i64) -> Option<i64>) -> Option<Vec<i64>> {
    let length = if a.len() == 1 { b.len() } else { a.len() };
    let at = |list: &[i64], nth: usize| list.get(if list.len() == 1 { 0 } else { nth }).copied();
    let fits = [a, b].iter().all(|list| [1, length].contains(&list.len()));
    if fits { (0..length).map(|nth| of(at(a, nth)?, at(b, nth)?)).collect() } else { None }
}
