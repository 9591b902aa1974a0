//! Latency against batch: the same decoding with other numbers of sequences, and what no batch is faster than.

use super::answer as words;
use super::memory::{held_bytes, misfit};
use crate::answer::Table;
use crate::{Estimate, Question, claim};
use display::figure::duration;
use display::number::{grouped, readable};

/// Numbers of sequences that are tried.
const BATCHES: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// One row for each number of sequences on a chip; the question's own stands out.
pub(super) fn table(estimate: &Estimate) -> Table {
    let mut batches = BATCHES.to_vec();
    batches.push(estimate.question.batch);
    batches.sort_unstable();
    batches.dedup();
    let rows = batches.into_iter().filter_map(|batch| row(estimate, batch)).collect();
    Table { title: words::BATCHES, heads: words::BATCH_HEADS.to_vec(), rows }
}

fn row(estimate: &Estimate, batch: u64) -> Option<(bool, Vec<String>)> {
    let other = Estimate::new(&Question { batch, ..estimate.question.clone() }).ok()?;
    let usd = claim::usd(&other).map_or_else(|| words::UNKNOWN.to_owned(), words::small_dollars);
    let cells = [
        grouped(batch),
        if misfit(&other).is_some() { words::NO_ROOM } else { words::POSSIBLE }.to_owned(),
        duration(other.step.0),
        least(&other).map_or_else(|| words::UNKNOWN.to_owned(), duration),
        other.tokens_per_sec().map_or_else(|| words::UNKNOWN.to_owned(), |rate| readable(rate, 4)),
        usd,
    ];
    Some((batch == estimate.question.batch, cells.into()))
}

/// Seconds in which a chip's memory gives its part of the weights and all keys and values once.
fn least(estimate: &Estimate) -> Option<f64> {
    let bytes = held_bytes(&estimate.question, &estimate.work)?;
    Some(bytes / (estimate.question.chip.memory.gb_per_sec.value? * 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn no_batch_is_faster_than_the_memory() {
        for text in ["chip=tpu-v5e&chips=8&model=llama2-7b", "chip=h100-sxm&chips=4", "chip=tpu-v5p&chips=1"] {
            for split in ["tensor", "data"] {
                let query = ModelQuery::parse(&format!("{text}&pass=decode&split={split}"));
                let estimate = query.answer(None).expect("an answer").estimate;
                let mut before = 0.0;
                for batch in BATCHES {
                    let other = Estimate::new(&Question { batch, ..estimate.question.clone() }).expect("an answer");
                    let least = least(&other).expect("known");
                    assert!(other.step.0 >= least, "{text} {split} {batch}: {} {least}", other.step.0);
                    assert!(other.step.0 >= before, "{text} {split} {batch}: a larger batch takes longer");
                    before = other.step.0;
                }
                let table = table(&estimate);
                assert_eq!(table.rows.iter().filter(|(is_own, _)| *is_own).count(), 1);
                assert!(table.rows.iter().all(|(_, cells)| cells.len() == table.heads.len()));
            }
        }
    }
}
