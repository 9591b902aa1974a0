//! Reader of a number format on a chip, "fp8 on v5e", and of facts about chips: "HBM bandwidth of v5p and H100".

use perfmodel::{Chip, F32Passes, PeakDtype};

use super::tokens::Tokens;
use super::{Read, chips, formats};
use crate::words::fact::{self, Fact};
use crate::words::run as words;
use crate::words::{is_expected, is_one_of};
use crate::{Answer, Index, Kind, Target};

/// Side of the matmul of the run.
const SIDE: u64 = 4096;

/// Reads a chip and a format, or the rate of a chip.
pub(super) fn read(_index: &Index, text: &str) -> Option<Read> {
    let mut tokens = Tokens::of(text);
    let chips: Vec<&Chip> = chips::take(&mut tokens).iter().map(|one| one.chip).collect();
    let named = formats::take(&mut tokens);
    if let Some(read) = facts(&tokens, &chips) {
        return Some(read);
    }
    let [chip] = *chips else { return None };
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
    let unknown = tokens.unused(|word| is_expected(word) || crate::stem::is_filler(word));
    let is_other = tokens.has("sparsity sparse inf nan overflow accurate accumulation");
    let answer = Answer { kind: Kind::Chip, title, says, target };
    Some(Read { answers: vec![answer], is_certain: unknown.len() <= 2 && !is_other, note: None })
}

/// Maximum number of unknown words of a question about facts of a chip.
const UNKNOWN_MAX: usize = 3;

/// Reads a question about facts of chips. If the question names several chips and no fact, compares the chips.
fn facts(tokens: &Tokens, chips: &[&'static Chip]) -> Option<Read> {
    let first = chips.first()?;
    const COMPARES: &str = "vs versus or than and compare compared";
    let is_of_links = tokens.has("ici nvlink interconnect");
    let is_asked = |fact: &Fact| tokens.has(fact.words) && !(is_of_links && fact.words.contains("hbm"));
    let asked: Vec<Fact> = fact::ALL.into_iter().filter(is_asked).collect();
    let is_expected = |word: &str| {
        is_expected(word) || is_one_of(COMPARES, word) || asked.iter().any(|fact| is_one_of(fact.words, word))
    };
    let unknown = tokens.unused(|word| is_expected(word) || crate::stem::is_filler(word));
    let compares = || chips.len() > 1 && unknown.is_empty() && tokens.has(COMPARES);
    let asked = match *asked {
        [] if compares() => fact::ALL.into_iter().filter(|fact| fact.is_compared).collect(),
        [] => return None,
        _ => asked,
    };
    let of_chip = |chip: &&Chip| {
        let facts: Vec<String> = asked.iter().map(|fact| fact.says(chip)).collect();
        format!("{}: {}.", chip.name, facts.join(", "))
    };
    let says: Vec<String> = chips.iter().map(of_chip).collect();
    let others = ["versus", "third", "fourth"].into_iter().zip(chips.iter().skip(1));
    let query = others.fold(format!("chip={}", first.id), |query, (name, chip)| format!("{query}&{name}={}", chip.id));
    let title = fact::title(&asked, chips);
    let answer = Answer { kind: Kind::Chip, title, says: says.join(" "), target: super::estimate(&query) };
    Some(Read { answers: vec![answer], is_certain: unknown.len() <= UNKNOWN_MAX, note: None })
}
