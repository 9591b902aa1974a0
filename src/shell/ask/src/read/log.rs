//! Reader of lines that a training program logs.

use perfmodel::{Chip, PeakDtype};

use super::Read;
use super::model::Asked;
use super::tokens::Tokens;
use crate::words::log as words;
use crate::{Answer, Index, Kind, Target};

/// Maximum number of characters of a log line that a link contains.
const LINE_MAX: usize = 300;
/// Chips whose peaks are compared with a log line that names no chip.
const COMPARED: [&str; 4] = ["tpu-v5p", "h100-sxm", "a100-80", "tpu-v5e"];

/// Reads the last line of a log.
pub(super) fn read(index: &Index, text: &str) -> Option<Read> {
    let is_log = |line: &&str| {
        let lower = line.to_lowercase();
        let has_value =
            lower.contains([':', '=', '|']) || lower.contains("s/it") || value(line, &["tflop/s/device"]).is_some();
        has_value
            && words::LABELS.iter().any(|label| lower.contains(label))
            && lower.bytes().any(|byte| byte.is_ascii_digit())
    };
    let line = text.lines().rfind(is_log)?.trim();
    let others: Vec<&str> = text.lines().filter(|other| other.trim() != line).collect();
    // The line itself can name a chip, such as `cuda:0`, only by accident.
    let mut around = Tokens::of(&others.join("\n"));
    let mut asked = Asked::of(index, &mut around);
    if asked.model.is_none() && asked.chips.is_empty() {
        // A text without line breaks can name the model and the chip.
        let all = Asked::of(index, &mut Tokens::of(text));
        (asked.model, asked.chips, asked.n_chips) = (all.model, all.chips, asked.n_chips.or(all.n_chips));
    }
    let line = line.get(..crate::floor(line, LINE_MAX)).unwrap_or_default();
    asked.measured = vec![line.to_owned()];
    let flops = value(line, &["tflop/s/device", "tflop/s/gpu", "(tflop/s/gpu)", "tflops"]).map(|tflops| tflops * 1e12);
    let rate = value(line, &["tokens/s/device", "tokens/s/gpu"]);
    let Answer { target, .. } = asked.answer();
    let Target::Link(_) = &target else { return None };
    let chip = asked.chips.first().map(|one| one.chip);
    let shares: Vec<(&Chip, f64)> = flops.map_or_else(Vec::new, |flops| {
        let all = chip.map_or_else(|| COMPARED.iter().filter_map(|id| Chip::by_id(id)).collect(), |chip| vec![chip]);
        all.into_iter().filter_map(|chip| Some((chip, flops / chip.peak_flops(PeakDtype::Bf16)?.0))).collect()
    });
    let is_nanogpt = line.to_lowercase().contains("ms, mfu");
    let nanogpt = value(line, &["mfu"])
        .filter(|_| is_nanogpt)
        .map(|mfu| words::nanogpt(mfu, chip.and_then(|chip| Some((chip.name, chip.peak_flops(PeakDtype::Bf16)?.0)))));
    let parameters = flops.zip(rate).map(|(flops, rate)| flops / rate / 6.0);
    let is_complete = asked.model.is_some() && chip.is_some();
    let says = nanogpt.unwrap_or_else(|| words::says(&shares, parameters, is_complete));
    let is_cut = text.lines().filter(|line| !line.trim().is_empty()).count() > 1;
    let note = is_cut.then(|| words::LAST_LINE.to_owned());
    Some(Read::certain(Answer { kind: Kind::Model, title: words::TITLE.to_owned(), says, target }, note))
}

/// Returns the number after the first of these labels, which are in lower case: `seconds: 3.10`.
pub(super) fn value(line: &str, labels: &[&str]) -> Option<f64> {
    let lower = line.to_lowercase();
    labels.iter().find_map(|label| {
        let rest = lower.split_once(label)?.1.trim_start_matches(['"', '\'', ' ', ')', ':', '=']);
        let end = rest.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(rest.len());
        rest.get(..end)?.trim_end_matches('.').parse().ok()
    })
}
