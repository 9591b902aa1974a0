//! Readers of short texts whose numbers follow from one formula: a report of SCALE-Sim, sizes on tiles, and numbers in a
//! format.

use systolic::{Dtype, MacUnit};

use super::tokens::Tokens;
use super::{Read, chips, formats};
use crate::words::is_one_of;
use crate::words::report as words;
use crate::{Answer, Index, Kind, Target};

/// Reads a report of SCALE-Sim: cycles, stall cycles, utilization and mapping efficiency.
pub(super) fn scale_sim(index: &Index, text: &str) -> Option<Read> {
    let value = |label: &str| super::log::value(text, &[label]);
    let (cycles, used) = (value("compute cycles")?, value("overall utilization")?);
    let stalls = value("stall cycles").unwrap_or(0.0);
    if !(cycles > stalls && used > 0.0) {
        return None;
    }
    let entry = index.best(words::TOPIC, |entry| entry.answer.kind == Kind::Question)?;
    let says = words::scale_sim(cycles, stalls, used, value("mapping efficiency"));
    Some(Read::certain(Answer { title: words::TITLE.to_owned(), says, ..entry.answer.clone() }, None))
}

/// Reads the overview of a TPU profile: utilization of the matrix units, idle time, step time and batch of a core.
pub(super) fn profile(index: &Index, text: &str) -> Option<Read> {
    let value = |label: &str| super::log::value(text, &[label]);
    let used = value("matrix units (higher is better)").or_else(|| value("utilization of tpu matrix units"))?;
    let chip = chips::take(&mut Tokens::of(text)).first().map(|one| one.chip);
    let rate = value("batch size").zip(value("step time")).map(|(batch, ms)| batch / ms * 1e3);
    let says = words::profile(used, chip, value("idle time (lower is better)"), rate);
    let entry = index.best(words::PROFILE, |entry| entry.answer.kind == Kind::Question)?;
    Some(Read::certain(Answer { title: words::PROFILE.to_owned(), says, ..entry.answer.clone() }, None))
}

/// Words for an axis that the array maps to its columns.
pub(super) const AXES: &str = "head_dim headdim head dim dims dimension dimensions vocab vocabulary vocab_size hidden channels width \
     features intermediate feature";
/// Words of a question about the cost of a size.
const COMPARES: &str = "vs versus or multiple multiples power pad padding padded slow slower speed divisible align aligned \
     alignment waste wasted faster odd unconventional instead";

/// Reads sizes of an axis: "vocab 30000 or 32768", "head_dim 96 slower".
pub(super) fn sizes_on_tiles(_index: &Index, text: &str) -> Option<Read> {
    let mut tokens = Tokens::of(text);
    let chip = chips::take(&mut tokens).first().map(|one| one.chip);
    formats::take(&mut tokens);
    if !tokens.has(AXES) || !tokens.has(COMPARES) {
        return None;
    }
    let is_joined = |at: usize| tokens.is_sign(at, 'x') || tokens.is_sign(at, '.') || tokens.is_sign(at, '%');
    // `pad to 128` names a tile.
    let is_tile = |size: u64| size.is_power_of_two() && size <= 256;
    let is_size = |at: &usize| !tokens.0[*at].is_used && !is_joined(at + 1) && !is_joined(at.wrapping_sub(1));
    let found = (0..tokens.0.len()).filter(is_size).filter_map(|at| tokens.count(at));
    let mut sizes: Vec<u64> = found.filter(|size| (33..=1 << 18).contains(size)).collect();
    if sizes.iter().any(|size| !is_tile(*size)) && sizes.len() > 1 && !tokens.has("head_dim headdim head") {
        sizes.retain(|size| !is_tile(*size));
    }
    sizes.dedup();
    sizes.truncate(3);
    let n = *sizes.iter().max_by_key(|size| size.next_multiple_of(words::side(chip)) - **size)?;
    let side = words::side(chip);
    let query = format!("?rows={side}&cols={side}&m=128&k={side}&n={}&dt=bf16&class=padding", n.min(1 << 16));
    let answer = Answer {
        kind: Kind::Run,
        title: words::tiles_title(&sizes, side),
        says: words::tiles(&sizes, side),
        target: Target::Link(query),
    };
    Some(Read {
        answers: vec![answer],
        is_certain: sizes.iter().any(|size| size % 8 != 0 || sizes.len() > 1),
        note: None,
    })
}

/// Words of a question about numbers in a format.
const CASTS: &str = "cast casting casts round rounds rounded rounding represent representable represented spacing nearest \
     convert converted saturate nan change changes store stored exact exactly astype";

/// Reads numbers in a format of floats: "465 cast to e4m3fn", "bfloat16(1e6) + bfloat16(100) does not change".
pub(super) fn numbers(_index: &Index, text: &str) -> Option<Read> {
    let mut tokens = Tokens::of(text);
    let named = formats::take(&mut tokens);
    let [format] = *named else { return None };
    let dtype = Dtype::from_id(format.in_run?)?;
    let float = dtype.float()?;
    let is_added = (0..tokens.0.len()).any(|at| tokens.is_sign(at, '+'));
    if !(tokens.has(CASTS) || is_added) || tokens.has("matmul gemm loss mfu tflops") {
        return None;
    }
    // A number of bits, of products or of elements is not cast.
    const COUNTED: &str = "bit bits byte bytes product products element elements term terms times";
    let is_counted = |at: usize| {
        let next = at + 1 + usize::from(tokens.is_sign(at + 1, '-'));
        is_one_of(COUNTED, tokens.word(next)) || tokens.get(next).is_some_and(|token| token.is_used)
    };
    let is_alone = |at: &usize| (tokens.word(at + 1).is_empty() || !tokens.0[at + 1].is_glued) && !is_counted(*at);
    let found = (0..tokens.0.len()).filter(is_alone).filter_map(|at| tokens.number(at));
    let numbers: Vec<f64> = found.filter(|number| number.is_finite() && *number != 0.0).take(3).collect();
    let first = *numbers.first()?;
    let unit = MacUnit::new(dtype);
    let stored = |value: f64| unit.operand(value).as_f64();
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "exponents of f64")]
    let exponent = (stored(first).abs().log2().floor() as i32).max(float.exponent_min()) - float.fraction_bits as i32;
    let spacing = stored(first).is_finite().then(|| 2_f64.powi(exponent));
    let sum = match *numbers {
        [a, b, ..] if is_added => Some(stored(stored(a) + stored(b))),
        _ => None,
    };
    let is_new = |at: usize| !numbers[..at].contains(&numbers[at]);
    let pairs: Vec<(f64, f64)> =
        (0..numbers.len()).filter(|at| is_new(*at)).map(|at| (numbers[at], stored(numbers[at]))).collect();
    let title = words::numbers_title(dtype);
    let says = words::numbers(dtype, &pairs, sum, spacing, float.max());
    let target = Target::Book("docs/cli.html#systolic-cast".to_owned());
    Some(Read::certain(Answer { kind: Kind::Question, title, says, target }, None))
}
