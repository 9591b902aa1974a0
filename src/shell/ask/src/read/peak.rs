//! Reader of a number format on a chip: "fp8 on v5e", "peak of H100 in bf16".

use perfmodel::{F32Passes, PeakDtype};

use super::tokens::Tokens;
use super::{Read, chips, formats, shapes};
use crate::words::run as words;
use crate::{Answer, Index, Kind, Target};

/// Side of the matmul of the run.
const SIDE: u64 = 4096;

/// Reads a chip and a format, or the rate of a chip.
pub(super) fn read(index: &Index, text: &str) -> Option<Read> {
    let mut tokens = Tokens::of(text);
    if shapes::is_profile(&tokens) {
        let answer = shapes::profile(index)?;
        return Some(Read::certain(answer, None));
    }
    let chips = chips::take(&mut tokens);
    let [chip] = &*chips else { return None };
    let chip = chip.chip;
    let named = formats::take(&mut tokens);
    let rate = tokens.has("peak tflops tops flops rate throughput speed");
    let format = match *named {
        [format] => format,
        [] if rate => formats::BF16,
        _ => return None,
    };
    let dtype = PeakDtype::ALL.into_iter().find(|dtype| dtype.word() == format.in_estimate)?;
    let target = match format.in_run {
        Some(name) => {
            let array = match &chip.compute {
                perfmodel::Compute::Arrays { rows, cols, .. } => rows.value.zip(cols.value),
                _ => None,
            };
            let (rows, cols) = array.unwrap_or((128, 128));
            Target::Link(format!("?rows={rows}&cols={cols}&m={SIDE}&k={SIDE}&n={SIDE}&dt={name}&chip={}", chip.id))
        }
        None => super::estimate(&format!("chip={}&dtype={}", chip.id, format.in_estimate)),
    };
    let says = if named.is_empty() { words::peaks(chip) } else { words::rate(chip, dtype, F32Passes::One) };
    let title = words::rate_title(chip, if named.is_empty() { "Peak" } else { format.in_estimate });
    let unknown = tokens.unused(|word| words::is_expected(word) || crate::stem::is_filler(word));
    let is_other = tokens.has("sparsity sparse inf nan overflow accurate accumulation");
    let answer = Answer { kind: Kind::Chip, title, says, target };
    Some(Read { answers: vec![answer], is_certain: unknown.len() <= 2 && !is_other, note: None })
}
