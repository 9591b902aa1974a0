//! The doors of files: what somebody drops or pastes, whatever it is, and each format by its own reader.

use estimate::{Imported, Query, Topic};
use peak_alloc::PeakAlloc;
use workload::import::Refusal;
use workload::{Content, Import, huggingface, onnx, paste, stablehlo, topology};

use super::{desk, is_sentence, text};

#[global_allocator]
static ALLOC: PeakAlloc = PeakAlloc;

/// The longest piece that a reader requests.
const PIECE: u64 = 512 << 10;
/// Memory that a reader may hold for a file as short as these.
const HELD_MAX: usize = 16 << 20;

/// A file of any format, a piece at a time: calls, bytes and memory are bounded.
pub(super) fn any(bytes: &[u8]) {
    let size = bytes.len() as u64;
    let before = ALLOC.current_usage();
    ALLOC.reset_peak_usage();
    let (mut import, mut calls, mut requested, mut refusal) = (Import::new(size), 0, 0, None);
    while let Some(wanted) = import.wants() {
        assert!(wanted.start <= wanted.end && wanted.end <= size && wanted.end - wanted.start <= PIECE, "{wanted:?}");
        assert!((0.0..=1.0).contains(&import.progress()));
        calls += 1;
        requested += wanted.end - wanted.start;
        assert!(calls <= 100 + size / 2_000 && requested <= 12 * size + 4 * PIECE, "{calls} calls, {requested} bytes");
        let place = |at: u64| usize::try_from(at).expect("it is in memory");
        refusal = import.feed(&bytes[place(wanted.start)..place(wanted.end)]).err().or(refusal);
    }
    let held = ALLOC.peak_usage().saturating_sub(before);
    assert!(held <= HELD_MAX, "{held} bytes are held");
    let content = import.content();
    assert!(content.is_some() != refusal.is_some(), "it is either of use or refused");
    used(&refusal.map_or_else(|| Ok(content.expect("it is of use")), Err));
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
