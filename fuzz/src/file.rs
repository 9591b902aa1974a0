//! Entry points of files: any dropped or pasted file, and each format with its own reader.

#[path = "../../src/models/workload/tests/reading/mod.rs"]
mod reading;

use std::sync::Arc;

use estimate::{Answered, Imported, Query, Topic};
use workload::import::Refusal;
use workload::{Content, huggingface, paste, stablehlo, topology};

use super::{desk, is_sentence, text};
use reading::{Reading, reading_of};

/// Largest memory, in bytes, that a reader may use for a file as short as these.
const HELD_MAX: usize = 16 << 20;

/// Reads a file of any format in pieces, and checks that calls, bytes and memory are bounded.
pub(super) fn any(bytes: &[u8]) {
    let Reading { content, calls, peak } = reading_of(bytes);
    assert!(peak <= HELD_MAX, "{peak} bytes are held, after {calls} calls");
    used(&content);
}

/// Checks that a file has finite numbers, or is refused with a sentence.
fn used(imported: &Imported) {
    match imported {
        Ok(Content::Products(work)) => assert!(work.flops().is_finite()),
        // The estimate below checks the numbers of a transformer.
        Ok(Content::Transformer(_)) => {}
        Err(refusal) => is_sentence(&refusal.to_string()),
    }
    desk::answered(&Answered::new(Query::parse(Topic::Model, ""), Some(Arc::new(imported.clone()))));
}

/// Reads `config.json` of the transformers library.
pub(super) fn config(bytes: &[u8]) {
    used(&huggingface::transformer(&text(bytes)).map(Content::Transformer).map_err(Refusal::HuggingFace));
}

/// Reads a topology of SCALE-Sim.
pub(super) fn topology(bytes: &[u8]) {
    used(&topology::workload(&text(bytes), None).map(Content::Products).map_err(Refusal::Lines));
}

/// Reads lines of M, K and N.
pub(super) fn list(bytes: &[u8]) {
    used(&paste::workload(&text(bytes)).map(Content::Products).map_err(Refusal::Lines));
}

/// Reads a StableHLO program as text.
pub(super) fn stablehlo(bytes: &[u8]) {
    used(&stablehlo::workload(&text(bytes)).map(Content::Products).map_err(Refusal::StableHlo));
}
