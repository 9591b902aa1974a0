//! Sizes of matmuls, from the attributes and types of an operation.

use super::text::{list, lists, number};

fn times(sizes: impl IntoIterator<Item = u64>) -> u64 {
    sizes.into_iter().fold(1, u64::saturating_mul)
}

/// Returns M, K, N and the number of batches of a `dot_general` or a `ragged_dot`. In a `ragged_dot`, each row or each
/// value of K belongs to one group. So the work of all groups together equals the work of one group with all rows and
/// values.
pub(super) fn dot_general(text: &str, types: &[Option<Vec<u64>>]) -> Option<[u64; 4]> {
    let [Some(left), Some(right), ..] = types else { return None };
    let (left_batch, right_batch, left_k, right_k) = if text.contains("_contracting_dimensions") {
        let side = |key| list(text, key).unwrap_or_default();
        let (batches, contracted) = ("lhs_batching_dimensions", "lhs_contracting_dimensions");
        let (others, with) = ("rhs_batching_dimensions", "rhs_contracting_dimensions");
        (side(batches), side(others), side(contracted), side(with))
    } else {
        let (left_k, right_k) = lists(text, "contracting_dims").unwrap_or((vec![], vec![]));
        let (left_batch, right_batch) = lists(text, "batching_dims").unwrap_or((vec![], vec![]));
        (left_batch, right_batch, left_k, right_k)
    };
    let size = |shape: &[u64], dims: &[usize]| -> Option<u64> {
        let sizes: Option<Vec<u64>> = dims.iter().map(|&at| shape.get(at).copied()).collect();
        sizes.map(times)
    };
    let rest = |shape: &[u64], batch: &[usize], k: &[usize]| {
        let own = shape.iter().enumerate().filter(|(at, _)| !batch.contains(at) && !k.contains(at));
        times(own.map(|(_, size)| *size))
    };
    let groups = list(text, "rhs_group_dimensions").unwrap_or_default();
    let (k, batches) = (size(left, &left_k)?, size(left, &left_batch)?);
    let same = size(right, &right_k)? == k && size(right, &right_batch)? == batches;
    let right_batch = [right_batch, groups].concat();
    same.then(|| [rest(left, &left_batch, &left_k), k, rest(right, &right_batch, &right_k), batches])
}

/// Returns M, K, N and the number of batches (1) of a `dot`, which multiplies vectors or matrices.
pub(super) fn dot(types: &[Option<Vec<u64>>]) -> Option<[u64; 4]> {
    let [Some(left), Some(right), ..] = types else { return None };
    let (&k, rows) = left.split_last()?;
    let (&same, columns) = right.split_first()?;
    (k == same).then(|| [times(rows.iter().copied()), k, times(columns.iter().copied()), 1])
}

/// Returns M, K, N and the number of groups of a convolution, by im2col.
pub(super) fn convolution(text: &str, types: &[Option<Vec<u64>>]) -> Option<[u64; 4]> {
    let [Some(_), Some(kernel), Some(out)] = types else { return None };
    let attribute = || text.split("#stablehlo.conv").nth(1).or_else(|| text.split("#mhlo.conv").nth(1));
    let rest = text.split("dim_numbers").nth(1).or_else(attribute)?;
    let parts: Vec<&str> = rest.splitn(4, '[').skip(1).filter_map(|part| part.split(']').next()).collect();
    let [_, kernel_dims, out_dims] = parts[..] else { return None };
    let place = |dims: &str, wanted: &str| dims.split(',').position(|dim| dim.trim() == wanted);
    let filters = *kernel.get(place(kernel_dims, "o")?)?;
    let features = *out.get(place(out_dims, "f")?)?;
    let groups = |key| number(text, key).unwrap_or(1);
    let groups = groups("feature_group_count").checked_mul(groups("batch_group_count"))?;
    let whole = filters == features && groups > 0 && filters.is_multiple_of(groups) && filters > 0;
    let per = |shape: &[u64], by: u64| times(shape.iter().copied()).checked_div(by);
    if whole { Some([per(out, features)?, per(kernel, filters)?, filters / groups, groups]) } else { None }
}

/// True if the input is not dilated: `lhs_dilate = [1, 1]`, or `lhs_dilation = array<i64: 1, 1>`.
pub(super) fn unit_dilation(text: &str) -> bool {
    let Some(rest) = text.split("lhs_dilat").nth(1) else { return true };
    let inner = plain::first_part(rest, &[']', '>']);
    let inner = inner.rsplit_once(['[', ':']).map_or(inner, |(_, last)| last);
    inner.split(',').all(|size| size.trim() == "1")
}
