//! Chips by their usual names, with their number.

use core::ops::Range;

use perfmodel::Chip;

use super::tokens::{Part, Token, Tokens};
use crate::words::is_one_of;
use crate::words::rates::Card;

/// Maximum number of tokens of a chip's name: `TPU v5 lite pod`.
const NAME_TOKENS_MAX: usize = 5;

/// A chip of a text, with the number of chips.
#[derive(Clone, Debug)]
pub(super) struct NamedChip {
    pub(super) chip: &'static Chip,
    /// Number of chips. A slice such as `v4-64` has 32 chips.
    pub(super) number: Option<u64>,
}

/// Finds all chips, and marks their names and numbers as used.
pub(super) fn take(tokens: &mut Tokens) -> Vec<NamedChip> {
    let mut found: Vec<NamedChip> = Vec::new();
    let mut at = 0;
    while at < tokens.0.len() {
        let Some((chip, end)) = name_at(tokens, at) else {
            at += 1;
            continue;
        };
        let (number, range) = number_of(tokens, chip, at, end);
        tokens.mark(range.clone());
        at = range.end.max(end);
        if !found.iter().any(|one| one.chip.id == chip.id) {
            found.push(NamedChip { chip, number });
        }
    }
    found
}

/// Words before the version of a CPU: `Xeon E5-2680 v2` does not name a TPU v2.
const CPU: &str = "xeon e3 e5 e7";

/// Returns the chip whose name begins at a token, and the position after the name. Of several names, the longest is
/// used.
fn name_at(tokens: &Tokens, at: usize) -> Option<(&'static Chip, usize)> {
    let is_of_cpu = (at.saturating_sub(3)..at).any(|at| is_one_of(CPU, tokens.word(at)));
    if is_of_cpu || tokens.get(at).is_some_and(|token| token.is_used) {
        return None;
    }
    let ends = (at + 1..=(at + NAME_TOKENS_MAX).min(tokens.0.len())).rev();
    ends.into_iter().find_map(|end| {
        let part = &tokens.0[at..end];
        let is_of_name = |token: &Token| !matches!(token.part, Part::Sign(sign) if sign != '-' && sign != 'x');
        let name: String = part.iter().map(|token| &*token.text).collect();
        // People also call a card by its number: 4090, 5090.
        let is_card = part.len() == 1 && name.len() == 4 && name.ends_with("90");
        let is_whole = part.last().is_some_and(|last| last.part != Part::Sign('-'));
        // `a 100b model` is not an A100.
        let is_article = part.len() > 1 && part[0].text == "a" && !part[1].is_glued;
        let is_name =
            is_whole && !is_article && part.iter().all(is_of_name) && (part.first()?.part == Part::Word || is_card);
        // `1024 H100s`
        let chip = Chip::named(&name).or_else(|| Chip::named(name.strip_suffix('s')?));
        Some((chip.filter(|_| is_name)?, end))
    })
}

/// Finds cards that are not in the chip table, and marks their names as used.
pub(super) fn cards(tokens: &mut Tokens) -> Vec<Card> {
    let all: Vec<(&str, Card)> = Card::unlisted().collect();
    let mut found = Vec::new();
    for at in 0..tokens.0.len() {
        for end in (at + 1..=(at + 3).min(tokens.0.len())).rev() {
            let name: String = tokens.0[at..end].iter().map(|token| &*token.text).filter(|text| *text != "-").collect();
            let is_named = |(key, _): &&(&str, Card)| *key == name || name.strip_prefix("rtx") == Some(*key);
            if let Some((_, card)) = all.iter().find(is_named).filter(|_| !tokens.0[at].is_used) {
                found.push(*card);
                tokens.mark(at..end);
            }
        }
    }
    found
}

/// Words that can stand between the number of chips and the name of a chip.
const OF_NAME: &str = "tpu nvidia google amd cloud rtx geforce instinct aws x gpus of chips dgx hgx";

/// Returns the number of chips next to a name, and the tokens of the number and the name. Examples: `64 H100`, `8 ×
/// v5e`, `v4-64`, `512 chips of v5p`.
fn number_of(tokens: &Tokens, chip: &Chip, from: usize, end: usize) -> (Option<u64>, Range<usize>) {
    if let Some(size) = tokens.is_sign(end, '-').then(|| tokens.count(end + 1)).flatten() {
        let name: String = tokens.0[from..end].iter().map(|token| &*token.text).collect();
        let chips = chip.chips_of_slice(&format!("{}-{size}", name.trim_start_matches("tpu")));
        // Slices of TPU v2 and v3, which have no list of names here, also count cores.
        let chips = chips.unwrap_or_else(|| of_cores(chip, size));
        return (Some(chips), from..end + 2);
    }
    let is_of_name =
        |at: usize| is_one_of(OF_NAME, tokens.word(at)) || tokens.is_sign(at, 'x') || tokens.is_sign(at, '-');
    let start = (0..from).rev().take_while(|at| is_of_name(*at)).last().unwrap_or(from);
    let before = start.checked_sub(1);
    // A DGX or HGX has 8 chips.
    let factor = if (start..from).any(|at| matches!(tokens.word(at), "dgx" | "hgx")) { 8 } else { 1 };
    let number = before.filter(|at| !is_in_sizes(tokens, *at)).and_then(|at| Some(tokens.count(at)? * factor));
    let counts_cores = matches!(tokens.word(end), "cores" | "core" | "tensorcores");
    let of_chip = |number: u64| if counts_cores { of_cores(chip, number) } else { number };
    match (number.filter(|number| *number > 0), before) {
        (Some(number), Some(before)) => (Some(of_chip(number)), before..end),
        (None, Some(before)) if matches!(tokens.word(before), "single" | "one") => (Some(1), before..end),
        _ => (None, start..end),
    }
}

/// Number of chips with this number of cores. A GPU has no cores in this sense.
fn of_cores(chip: &Chip, cores: u64) -> u64 {
    (cores / chip.cores().map_or(1, u64::from)).max(1)
}

/// True if a number is one of several sizes with `x` or commas between them, or if it has a name: `K = 100`.
fn is_in_sizes(tokens: &Tokens, at: usize) -> bool {
    let before = at.checked_sub(1);
    before.is_some_and(|at| ['x', '=', '^', ':', ','].iter().any(|sign| tokens.is_sign(at, *sign)))
        || tokens.is_sign(at + 1, '^')
}

/// Number of chips without the name of a chip: `on 512 chips`, `64 GPUs`.
pub(super) fn number_alone(tokens: &mut Tokens) -> Option<u64> {
    let at = (1..tokens.0.len()).find(|at| {
        let is_unit = matches!(
            tokens.word(*at),
            "chips" | "chip" | "gpus" | "gpu" | "tpus" | "devices" | "accelerators" | "cards"
        );
        is_unit && tokens.get(at - 1).is_some_and(|token| !token.is_used) && tokens.count(at - 1).is_some()
    })?;
    tokens.mark(at - 1..at + 1);
    tokens.count(at - 1)
}
