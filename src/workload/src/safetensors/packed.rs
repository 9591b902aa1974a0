//! True shapes of quantized weights, from the shapes of their scales.

use super::Kinds;

/// Returns K and N of packed weights: columns and rows of the matrix that they stand for. `None` if the header does not
/// say how many weights a stored number contains.
///
/// - GPTQ stores `qweight` as K ÷ pack × N, `qzeros` as groups × N ÷ pack, and `g_idx` with K numbers.
/// - AWQ stores `qweight` as K × N ÷ pack, and `scales` as groups × N.
/// - NVFP4 (compressed-tensors) stores `weight_packed` as N × K ÷ 2 in bytes, with a scale for 16 weights.
pub(super) fn shape(name: &str, stored: [u64; 2], kinds: &Kinds) -> Option<[u64; 2]> {
    let (prefix, last) = name.rsplit_once('.')?;
    let shapes = |part: &str| {
        let name = format!("{prefix}.{part}");
        let all: Vec<&Vec<u64>> =
            kinds.keys().filter(|(other, ..)| *other == name).map(|(_, shape, _)| shape).collect();
        // Several shapes under one name do not say which belongs to which.
        if let [only] = all[..] { Some(only.clone()) } else { None }
    };
    let pair = |part: &str| <[u64; 2]>::try_from(shapes(part)?).ok();
    let [rows, columns] = stored;
    match last {
        "qweight" => {
            let [_, n] = pair("scales")?;
            if n == columns {
                if let Some([k]) = shapes("g_idx").as_deref() {
                    return Some([*k, n]);
                }
                let [_, packed] = pair("qzeros")?;
                let pack = n.checked_div(packed)?;
                return Some([rows.checked_mul(pack)?, n]);
            }
            (n > columns && n.is_multiple_of(columns)).then_some([rows, n])
        }
        "weight_packed" => {
            let [n, groups] = pair("weight_scale")?;
            let k = columns.checked_mul(2)?;
            (n == rows && groups.checked_mul(16)? == k).then_some([k, n])
        }
        _ => None,
    }
}
