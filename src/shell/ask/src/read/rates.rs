//! Reader of a rate and its limit: TFLOP/s with the peak, or tokens per second of one user with the bandwidth. Also
//! reads cards that are not listed.

use perfmodel::PeakDtype;

use super::model::{Asked, OTHER_PARTS, TRAIN};
use super::report::AXES;
use super::tokens::Tokens;
use super::{Read, chips};
use crate::words::rates::{self as words, Card};
use crate::words::{as_f64, log, model};
use crate::{Answer, Index, Kind, Target};

/// Words of a question about the generation of tokens for one user.
const ANSWERS: &str = "autoregressive inference generation generating generate decode decoding gguf llama slow slower ollama \
     vllm user speculative eval";
/// Words of a question about chip-hours and their cost.
const HOURS: &str = "hours hour cost costs price dollar dollars budget expensive";
/// Words of a question about a card that is not listed.
const CARD: &str = "tflops flops peak bandwidth datasheet memory mfu";

/// Reads rates and limits.
pub(super) fn read(index: &Index, text: &str) -> Option<Read> {
    let mut tokens = Tokens::of(text);
    let unlisted = chips::cards(&mut tokens);
    let asked = Asked::of(index, &mut tokens);
    let dtype = PeakDtype::ALL.into_iter().find(|dtype| Some(dtype.word()) == asked.dtype).unwrap_or(PeakDtype::Bf16);
    let listed = asked.chips.iter().filter_map(|one| Card::of(one.chip, dtype));
    let cards: Vec<Card> = listed.chain(unlisted.iter().copied()).collect();
    let first = cards.first().filter(|_| !tokens.has(OTHER_PARTS))?;
    let is_training = tokens.has(TRAIN) || asked.pass == Some("train") || tokens.has("mfu") || asked.tokens.is_some();
    let says = hours(&asked, &tokens)
        .or_else(|| nanogpt(&asked, &tokens, first))
        .or_else(|| if is_training { None } else { ceilings(&asked, &tokens, &cards) })
        .or_else(|| if tokens.has(AXES) { None } else { achieved(&asked, first, is_training) })
        .or_else(|| unlisted.first().filter(|_| tokens.has(CARD)).map(Card::says))?;
    let kind = if asked.model.is_some() { Kind::Model } else { Kind::Chip };
    let names: Vec<&str> = cards.iter().map(|card| card.name).collect();
    let title = words::title(asked.name(), &names, asked.n_chips);
    let is_empty = asked.model.is_none() && asked.chips.is_empty();
    let target = if is_empty { Target::Link("?ui=desk".to_owned()) } else { asked.answer().target };
    Some(Read::certain(Answer { kind, title, says, target }, None))
}

/// Returns a sentence with the hours of all chips, and their cost.
fn hours(asked: &Asked, tokens: &Tokens) -> Option<String> {
    let (number, seconds) = asked.n_chips.zip(asked.run_seconds).filter(|_| tokens.has(HOURS))?;
    let is_run = asked.tokens.is_some() || asked.rate.is_some();
    let price = asked.chips.first().and_then(|one| one.chip.default_price()?.usd_per_chip_hour.value);
    (!is_run).then(|| words::hours(number, seconds / 3600.0, asked.usd_per_hour.or(price)))
}

/// Returns a sentence on the MFU that nanoGPT prints on a chip other than an A100.
fn nanogpt(asked: &Asked, tokens: &Tokens, card: &Card) -> Option<String> {
    let share = asked.share().filter(|_| tokens.has("nanogpt") && !card.name.starts_with("A100"))?;
    Some(log::nanogpt(100.0 * share, Some((card.name, card.tflops? * 1e12))))
}

/// Returns a sentence with the most tokens per second of one user on each card.
fn ceilings(asked: &Asked, tokens: &Tokens, cards: &[Card]) -> Option<String> {
    let is_one_user = asked.batch.unwrap_or(1) == 1 && asked.usd_per_hour.is_none() && asked.output.is_none();
    let is_answer = asked.parameters.is_some() || tokens.has(ANSWERS);
    let rate = asked.rate.map(|(rate, _)| rate);
    // Without a rate, a listed chip alone has the estimate of its step.
    let is_asked = asked.rate.map_or(asked.pass == Some("decode") && asked.chips.len() != 1, |(_, of_chip)| !of_chip);
    let parameters = asked.parameters.unwrap_or(words::USUAL_PARAMETERS);
    let bytes = asked.weights.unwrap_or(parameters * asked.weight_bytes.unwrap_or(2.0));
    let limit = |card: &Card| card.gb_per_sec * 1e9 * as_f64(asked.n_chips.unwrap_or(1).max(1)) / bytes;
    let all: Vec<(&str, f64)> = cards.iter().map(|card| (card.name, limit(card))).collect();
    // A rate above the limit of one user is that of training or of a batch.
    let is_one = all.first().is_some_and(|(_, limit)| rate.is_none_or(|rate| rate <= *limit));
    let is_asked = is_one_user && is_answer && is_asked && is_one;
    is_asked.then(|| words::ceilings(bytes, &all, rate, asked.parameters.is_none()))
}

/// Returns a sentence with shares of the peak.
fn achieved(asked: &Asked, card: &Card, is_training: bool) -> Option<String> {
    let peak = card.tflops?;
    let is_of_dtype = |(_, sparse): &(Option<f64>, f64)| (sparse / peak - 2.0).abs() < 0.01;
    let sparse =
        asked.sparse.filter(is_of_dtype).map_or_else(String::new, |(share, peak)| model::sparse(share, peak) + " ");
    let of = |one: &String| one.strip_suffix(" TFLOP/s/chip")?.parse::<f64>().ok();
    let is_peak = |rate: f64| (rate / peak - 1.0).abs() < 5e-3 || rate > 1.02 * peak;
    let rates: Vec<f64> = asked.measured.iter().filter_map(of).filter(|rate| !is_peak(*rate)).collect();
    let says = words::achieved(&rates, card.name, peak, is_training);
    (!rates.is_empty()).then(|| sparse + &asked.shortage().unwrap_or_default() + &says)
}
