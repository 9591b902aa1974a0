//! Reader of an out-of-memory message, and of shapes with a layout: `bf16[8192,32768]{1,0:T(8,128)}`.

use super::shapes::{Shape, all};
use super::tokens::Tokens;
use super::{Read, model};
use crate::words::memory as words;
use crate::{Answer, Index, Kind, Target};

/// Reads the largest padded shape and the sizes of a message.
pub(super) fn read(index: &Index, text: &str) -> Option<Read> {
    let lower = text.to_lowercase();
    let is_message = words::MARKS.iter().any(|mark| lower.contains(mark));
    let shapes = all(text);
    let is_matmul = shapes.len() > 2 && ["dot", "convolution", "matmul"].iter().any(|word| lower.contains(word));
    let shapes: Vec<Shape> = shapes.into_iter().filter(|shape| shape.tile.is_some()).collect();
    if !is_message && (shapes.is_empty() || is_matmul) {
        return None;
    }
    let worst = shapes.iter().max_by(|one, other| one.padded_bytes().total_cmp(&other.padded_bytes()));
    let needs = needs(&lower);
    let says = match (worst, needs) {
        (Some(shape), _) => {
            words::padded(&shape.text, shape.bytes(), shape.padded_bytes(), shape.tile.unwrap_or_default())
        }
        (None, Some((needed, available))) => words::needs(needed, available),
        (None, None) => words::NO_SIZES.to_owned(),
    };
    let page = index.best(words::LAYOUT, |entry| matches!(entry.answer.kind, Kind::Page | Kind::Question));
    let mut answers = Vec::new();
    if let Some(page) = page.filter(|_| worst.is_some()) {
        answers.push(Answer { says: says.clone(), title: words::LAYOUT_TITLE.to_owned(), ..page.answer.clone() });
    }
    // The estimate of the model states the memory of a chip.
    let mut tokens = Tokens::of(text);
    let asked = model::Asked::of(index, &mut tokens);
    let query = asked.model.as_ref().map_or_else(String::new, |(id, _)| format!("model={id}"));
    let chip = asked.chips.first().map_or_else(String::new, |one| format!("&chip={}", one.chip.id));
    let target = Target::Link(model::desk(format!("{query}{chip}").trim_start_matches('&')));
    let says = if answers.is_empty() { says } else { words::OF_MODEL.to_owned() };
    answers.push(Answer { kind: Kind::Model, title: words::MODEL_TITLE.to_owned(), says, target });
    Some(Read { answers, is_certain: true, note: None })
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
    let of = of?;
    Some((bytes(of.checked_sub(2)?)?, bytes(of + 1)?))
}
