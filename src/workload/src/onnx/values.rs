//! Short lists of numbers, which a graph uses to compute its shapes.

mod grid;

use crate::limits::floor;

use super::graph::{DIMS_MAX, Node, Numbers, Tensors, VALUES_MAX};

/// Computes the values of the first result if they are few, as in shape computations.
pub(super) fn values(node: &Node<'_>, tensors: &Tensors) -> Option<Numbers> {
    let found = computed(node, tensors)?;
    (found.all.len() <= VALUES_MAX).then_some(found)
}

fn computed(node: &Node<'_>, tensors: &Tensors) -> Option<Numbers> {
    let value = |at: usize| tensors.numbers(node.inputs.get(at));
    let whole = |at: usize| tensors.value(node.inputs.get(at));
    match node.op {
        "Constant" => constant(node),
        "Shape" => {
            let shape = tensors.shape(node.inputs.first())?;
            let sizes: Vec<i64> = shape.iter().map(|dim| i64::try_from((*dim)?).ok()).collect::<Option<_>>()?;
            let rank = i64::try_from(shape.len()).ok()?;
            let from = |name, missing| {
                let at = node.number(name, missing);
                usize::try_from(if at < 0 { at.saturating_add(rank) } else { at }.clamp(0, rank)).ok()
            };
            sizes.get(from("start", 0)?..from("end", rank)?).map(|sizes| Numbers::whole(sizes.iter().copied()))
        }
        "Size" => {
            let sizes: Option<Vec<u64>> = tensors.shape(node.inputs.first())?.iter().copied().collect();
            let count = sizes?.iter().try_fold(1u64, |product, &by| product.checked_mul(by))?;
            Some(Numbers::whole([i64::try_from(count).ok()?]))
        }
        "Concat" if node.number("axis", 0) != 0 && tensors.shape(node.inputs.first())?.len() > 1 => None,
        "Concat" => {
            let parts: Vec<&Numbers> = (0..node.inputs.len()).map(value).collect::<Option<_>>()?;
            let is_float = parts.iter().any(|part| part.is_float);
            Some(Numbers { all: parts.iter().flat_map(|part| &part.all).copied().collect(), is_float })
        }
        "Gather" if tensors.shape(node.inputs.first()).is_some_and(|shape| shape.len() > 1) => {
            grid::rows(node, tensors)
        }
        "Gather" | "GatherElements" => {
            let list = value(0)?;
            let picked = whole(1)?.into_iter().map(|at| list.all.get(place(at, list.all.len())?).copied());
            Some(Numbers { all: picked.collect::<Option<_>>()?, ..*list })
        }
        "ConstantOfShape" => {
            let length = whole(0)?.iter().try_fold(1i64, |product, &by| product.checked_mul(by))?;
            let length = usize::try_from(length).ok().filter(|length| *length <= VALUES_MAX)?;
            let same = match node.tensor("value") {
                Some((_, same)) => same?,
                None => Numbers { all: vec![0.0], is_float: true },
            };
            Some(Numbers { all: vec![*same.all.first()?; length], ..same })
        }
        "Expand" => {
            let (list, wanted) = (value(0)?, whole(1)?);
            let ([same], Ok(length)) = (&list.all[..], usize::try_from(wanted.iter().product::<i64>())) else {
                return None;
            };
            (wanted.len() <= 1 && length <= VALUES_MAX).then(|| Numbers { all: vec![*same; length], ..*list })
        }
        "Where" => {
            let (chosen, yes, no) = (value(0)?, value(1)?, value(2)?);
            let length = [chosen, yes, no].iter().map(|list| list.all.len()).max()?;
            let at = |list: &Numbers, nth: usize| list.all.get(if list.all.len() == 1 { 0 } else { nth }).copied();
            let all = (0..length).map(|nth| if at(chosen, nth)? == 0.0 { at(no, nth) } else { at(yes, nth) });
            Some(Numbers { all: all.collect::<Option<_>>()?, is_float: yes.is_float || no.is_float })
        }
        "Range" => {
            let length = usize::try_from(range_length(node, tensors)?).ok().filter(|length| *length <= VALUES_MAX)?;
            let (from, step) = (value(0)?, value(2)?);
            let (first, way) = (*from.all.first()?, *step.all.first()?);
            Some(Numbers { all: (0..length).map(|nth| first + nth as f64 * way).collect(), ..*from })
        }
        "Unsqueeze" | "Squeeze" | "Identity" | "Reshape" | "Flatten" | "Dropout" => value(0).cloned(),
        "Transpose" => grid::transpose(node, tensors),
        "Tile" => {
            let (list, times) = (value(0)?, whole(1)?);
            let [times] = times[..] else { return None };
            let times = usize::try_from(times).ok().filter(|times| times * list.all.len() <= VALUES_MAX)?;
            Some(Numbers { all: list.all.repeat(times), ..*list })
        }
        "Slice" => grid::slice(node, tensors),
        "Split" => {
            let list = value(0)?;
            let parts = node.numbers("split").map(<[i64]>::to_vec).or_else(|| whole(1));
            let length = match parts {
                Some(parts) => usize::try_from(*parts.first()?).ok()?,
                None => list.all.len().checked_div(node.outputs.len())?,
            };
            Some(Numbers { all: list.all.get(..length)?.to_vec(), ..*list })
        }
        _ => arithmetic(node, tensors),
    }
}

/// Computes the values of an operation that computes with numbers.
fn arithmetic(node: &Node<'_>, tensors: &Tensors) -> Option<Numbers> {
    let value = |at: usize| tensors.numbers(node.inputs.get(at));
    let each = |of: fn(f64) -> f64| {
        value(0).map(|list| Numbers { all: list.all.iter().map(|number| of(*number)).collect(), ..*list })
    };
    let with = |of: fn(f64, f64) -> f64| both(value(0)?, value(1)?, of);
    let truth = |of: fn(f64, f64) -> bool| {
        let all = both(value(0)?, value(1)?, move |a, b| f64::from(u8::from(of(a, b))))?.all;
        Some(Numbers { all, is_float: false })
    };
    match node.op {
        "Add" | "Sum" => with(|a, b| a + b),
        "Sub" => with(|a, b| a - b),
        "Mul" => with(|a, b| a * b),
        "Div" => match (value(0)?, value(1)?) {
            (a, b) if a.is_float || b.is_float => both(a, b, |a, b| a / b),
            (a, b) if b.all.contains(&0.0) || a.all.is_empty() => None,
            (a, b) => both(a, b, |a, b| (a / b).trunc()),
        },
        "Mod" => with(|a, b| a - b * (a / b).floor()),
        "Pow" => with(f64::powf),
        "Min" if node.inputs.len() == 2 => with(f64::min),
        "Max" if node.inputs.len() == 2 => with(f64::max),
        "Min" | "Max" if node.inputs.len() == 1 => value(0).cloned(),
        "Floor" => each(f64::floor),
        "Ceil" => each(f64::ceil),
        "Round" => each(f64::round_ties_even),
        "Sqrt" => each(f64::sqrt),
        "Neg" => each(|number| -number),
        "Abs" => each(f64::abs),
        "Reciprocal" => each(f64::recip),
        "Log" => each(f64::ln),
        "Exp" => each(f64::exp),
        "Not" => each(|number| f64::from(u8::from(number == 0.0))),
        "Equal" => truth(|a, b| a == b),
        "Less" => truth(|a, b| a < b),
        "LessOrEqual" => truth(|a, b| a <= b),
        "Greater" => truth(|a, b| a > b),
        "GreaterOrEqual" => truth(|a, b| a >= b),
        "And" => truth(|a, b| a != 0.0 && b != 0.0),
        "Or" => truth(|a, b| a != 0.0 || b != 0.0),
        "Xor" => truth(|a, b| (a != 0.0) != (b != 0.0)),
        "ReduceProd" | "ReduceSum" | "ReduceMax" | "ReduceMin" => {
            let list = value(0)?;
            // Only a list is reduced as a whole.
            if tensors.shape(node.inputs.first()).is_some_and(|shape| shape.len() > 1) {
                return None;
            }
            let reduced = match node.op {
                "ReduceProd" => list.all.iter().product(),
                "ReduceSum" => list.all.iter().sum(),
                "ReduceMax" => list.all.iter().copied().reduce(f64::max)?,
                _ => list.all.iter().copied().reduce(f64::min)?,
            };
            Some(Numbers { all: vec![reduced], ..*list })
        }
        "Cast" | "CastLike" => {
            let list = value(0)?;
            let is_float = match node.op {
                "Cast" => matches!(node.number("to", 0), 1 | 10 | 11 | 16),
                _ => value(1).map_or(list.is_float, |like| like.is_float),
            };
            let to = |number: &f64| if is_float { *number } else { number.trunc() };
            Some(Numbers { all: list.all.iter().map(to).collect(), is_float })
        }
        _ => None,
    }
}

fn constant(node: &Node<'_>) -> Option<Numbers> {
    if let Some((_, values)) = node.tensor("value") {
        return values;
    }
    if let Some(list) = node.numbers("value_ints") {
        return Some(Numbers::whole(list.iter().copied()));
    }
    if let Some(list) = node.floats("value_floats").or_else(|| node.floats("value_float")) {
        return Some(Numbers { all: list.to_vec(), is_float: true });
    }
    let number = node.number("value_int", i64::MIN);
    (number != i64::MIN).then(|| Numbers::whole([number]))
}

/// Number of elements of a `Range`.
pub(super) fn range_length(node: &Node<'_>, tensors: &Tensors) -> Option<u64> {
    let end = |at: usize| tensors.numbers(node.inputs.get(at)).and_then(|list| list.all.first().copied());
    let (from, to, step) = (end(0)?, end(1)?, end(2)?);
    let length = ((to - from) / step).ceil();
    length.is_finite().then(|| floor(length))
}

pub(super) fn place(at: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    let at = if at < 0 { at.checked_add(length)? } else { at };
    if at < length { usize::try_from(at).ok() } else { None }
}

/// Applies an operation to two lists of numbers, element by element. A list of length 1 is broadcast.
fn both(a: &Numbers, b: &Numbers, of: impl Fn(f64, f64) -> f64) -> Option<Numbers> {
    let length = if a.all.len() == 1 { b.all.len() } else { a.all.len() };
    let at = |list: &Numbers, nth: usize| list.all.get(if list.all.len() == 1 { 0 } else { nth }).copied();
    let fits = [a, b].iter().all(|list| [1, length].contains(&list.all.len()));
    if !fits {
        return None;
    }
    let all: Vec<f64> = (0..length).map(|nth| Some(of(at(a, nth)?, at(b, nth)?))).collect::<Option<_>>()?;
    all.iter().all(|number| number.is_finite()).then_some(Numbers { all, is_float: a.is_float || b.is_float })
}

/// Returns the values as the dimensions of a shape. `None` if they are too many.
pub(super) fn dimensions(list: Vec<i64>) -> Option<Vec<i64>> {
    (list.len() <= DIMS_MAX).then_some(list)
}
