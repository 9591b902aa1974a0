//! Reader of an out-of-memory message, and of shapes with a layout: `bf16[8192,32768]{1,0:T(8,128)}`.

use super::shapes::{Shape, all};
use super::tokens::Tokens;
use super::{Read, model};
use crate::words::memory as words;
use crate::{Answer, Index, Kind};

/// Reads the largest padded shape and the sizes of a message.
pub(super) fn read(index: &Index, text: &str) -> Option<Read> {
    let lower = text.to_lowercase();
    let needs = needs(&lower);
    let is_message = words::MARKS.iter().any(|mark| lower.contains(mark)) || needs.is_some() && lower.contains("hbm");
    let shapes = all(text);
    let is_matmul = shapes.len() > 2 && ["dot", "convolution", "matmul"].iter().any(|word| lower.contains(word));
    // Older messages name no tile, so the usual tile is assumed.
    let is_padded = lower.contains("x expansion") || lower.contains("due to padding");
    let tiled = |mut shape: Shape| {
        shape.tile = shape.tile.or(is_padded.then(|| shape.usual_tile()));
        shape
    };
    let untiled = shapes.first().cloned().filter(|_| !is_padded);
    let shapes: Vec<Shape> = shapes.into_iter().map(tiled).filter(|shape| shape.tile.is_some()).collect();
    if !is_message && (shapes.is_empty() || is_matmul) {
        return None;
    }
    let worst = shapes.iter().max_by(|one, other| one.padded_bytes().total_cmp(&other.padded_bytes()));
    let says = match (worst, needs) {
        (Some(shape), _) => {
            words::padded(&shape.text, shape.bytes(), shape.padded_bytes(), shape.tile.unwrap_or_default())
                + &words::last(shape.dim(0), shape.tile.map_or(1, |(_, cols)| cols))
                + &shape
                    .tile
                    .filter(|(rows, _)| shape.dim(1) < *rows)
                    .map_or_else(String::new, |(rows, _)| words::row(shape.dim(1), rows))
        }
        (None, Some((needed, available))) => {
            let array = untiled.map_or_else(String::new, |shape| words::array(&shape.text, shape.bytes()));
            words::needs(needed, available) + &cores(text, Some(available)) + &array
        }
        (None, None) => words::NO_SIZES.to_owned(),
    };
    let mut tokens = Tokens::of(text);
    let asked = model::Asked::of(index, &mut tokens);
    let says =
        if worst.is_none() && needs.is_none() { asked.computed().unwrap_or(says) + &cores(text, None) } else { says };
    let page = index.best(words::LAYOUT, |entry| matches!(entry.answer.kind, Kind::Page | Kind::Question));
    let mut answers = Vec::new();
    if let Some(page) = page.filter(|_| worst.is_some()) {
        answers.push(Answer { says: says.clone(), title: words::LAYOUT_TITLE.to_owned(), ..page.answer.clone() });
    }
    // The estimate of the model states the memory of a chip.
    let query = asked.model.as_ref().map_or_else(String::new, |(id, _)| format!("model={id}"));
    let chip = asked.chips.first().map_or_else(String::new, |one| format!("&chip={}", one.chip.id));
    let target = super::estimate(format!("{query}{chip}").trim_start_matches('&'));
    let says = if answers.is_empty() { says } else { words::OF_MODEL.to_owned() };
    answers.push(Answer { kind: Kind::Model, title: words::MODEL_TITLE.to_owned(), says, target });
    Some(Read { answers, is_certain: true, note: None })
}

/// Returns a sentence on a chip whose cores have their own memory. The sentence is empty if the available memory
/// differs from that of a core.
fn cores(text: &str, available: Option<f64>) -> String {
    let chips = super::chips::take(&mut Tokens::of(text));
    // Google: a TPU v2 or v3 chip has two cores, each with half of the memory.
    let of_core = |chip: &perfmodel::Chip| {
        let half = chip.memory.capacity.value? / 2.0;
        let is_of_core = available.is_none_or(|available| (available / 1_073_741_824.0 / half - 1.0).abs() < 0.1);
        (matches!(chip.id, "tpu-v2" | "tpu-v3") && is_of_core).then_some(half)
    };
    let found = chips.iter().find_map(|one| Some((one.chip, of_core(one.chip)?)));
    found.map_or_else(String::new, |(chip, half)| words::cores(chip.name, half))
}

/// Returns the needed and the available bytes: `allocate 17.18G of 15.75G hbm`.
fn needs(lower: &str) -> Option<(f64, f64)> {
    let tokens = Tokens::of(lower);
    let bytes = |at: usize| {
        let scale = match tokens.word(at + 1) {
            "k" | "kib" | "kb" => 1024.0,
            "m" | "mib" | "mb" => 1_048_576.0,
            "g" | "gib" | "gb" => 1_073_741_824.0,
            "t" | "tib" | "tb" => 1_099_511_627_776.0,
            _ => return None,
        };
        Some(tokens.number(at)? * scale)
    };
    let of = (1..tokens.0.len()).find(|at| {
        tokens.word(*at) == "of" && bytes(at + 1).is_some() && bytes(at.checked_sub(2).unwrap_or(*at)).is_some()
    });
    if let Some(of) = of {
        return Some((bytes(of.checked_sub(2)?)?, bytes(of + 1)?));
    }
    // `Tried to allocate 2.00 GiB (…; 23.69 GiB total capacity; 21.30 GiB already allocated; 1.2 GiB free)`
    let is_at = |at: usize, word: &str| tokens.word(at) == word || tokens.word(at + 1) == word;
    let before = |word: &str| (0..tokens.0.len()).find_map(|at| bytes(at).filter(|_| is_at(at + 2, word)));
    let asked = (1..tokens.0.len()).find_map(|at| bytes(at).filter(|_| tokens.word(at - 1) == "allocate"))?;
    let used = || Some((before("allocated")?, before("capacity")?));
    match used() {
        Some((used, capacity)) => Some((used + asked, capacity)),
        None => Some((asked, before("free")?)),
    }
}
