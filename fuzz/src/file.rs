//! The entry points of files: what somebody drops or pastes, whatever it is, and each format by its own reader.

#[path = "../../src/workload/tests/reading/mod.rs"]
mod reading;

use estimate::{Imported, Query, Topic};
use workload::import::Refusal;
use workload::{Content, huggingface, onnx, paste, stablehlo, topology};

use super::{desk, is_sentence, text};
use reading::{Reading, reading_of};

/// Memory that a reader may hold for a file as short as these.
const HELD_MAX: usize = 16 << 20;

/// A file of any format, a piece at a time: calls, bytes and memory are bounded.
pub(super) fn any(bytes: &[u8]) {
    let Reading { content, calls, peak } = reading_of(bytes);
    assert!(peak <= HELD_MAX, "{peak} bytes are held, after {calls} calls");
    used(&content);
}

/// Whatever comes of a file has numbers, or a sentence on why it has none.
fn used(imported: &Imported) {
    match imported {
        Ok(Content::Products(work)) => assert!(work.flops().is_finite()),
        // The estimate below works out what follows from these.
        Ok(Content::Weights(_) | Content::Transformer(_)) => {}
        Err(refusal) => is_sentence(&refusal.to_string()),
    }
    desk::answered(&Query::parse(Topic::Model, ""), Some(imported));
}

/// `config.json` of the transformers library.
pub(super) fn config(bytes: &[u8]) {
    used(&huggingface::transformer(&text(bytes)).map(Content::Transformer).map_err(Refusal::HuggingFace));
}

/// SCALE-Sim's topology.
pub(super) fn topology(bytes: &[u8]) {
    used(&topology::workload(&text(bytes), None).map(Content::Products).map_err(Refusal::Lines));
}

/// Lines of M, K and N.
pub(super) fn list(bytes: &[u8]) {
    used(&paste::workload(&text(bytes)).map(Content::Products).map_err(Refusal::Lines));
}

/// A program as text.
pub(super) fn stablehlo(bytes: &[u8]) {
    used(&stablehlo::workload(&text(bytes)).map(Content::Products).map_err(Refusal::StableHlo));
}

/// The head of a file of weights.
pub(super) fn safetensors(bytes: &[u8]) {
    used(&workload::safetensors::weights(bytes).map(Content::Weights).map_err(Refusal::Safetensors));
}

/// A graph.
pub(super) fn onnx(bytes: &[u8]) {
    used(&onnx::workload(bytes, &[]).map(Content::Products).map_err(Refusal::Onnx));
}
