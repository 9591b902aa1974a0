//! Table of decode latency against the number of sequences, with the minimum time that the memory bandwidth allows.

use super::model as words;
use super::table::{Cell, Row, Table, TableId};
use display::amount::Amount;
use estimate::{Estimate, Question};

/// Numbers of sequences per chip in the table.
const BATCHES: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// Returns the table, with a row for each number of sequences per chip. The row of the question's batch is marked.
pub(super) fn table(estimate: &Estimate) -> Table {
    let mut batches = BATCHES.to_vec();
    batches.push(estimate.question.batch);
    batches.sort_unstable();
    batches.dedup();
    Table::new(TableId::Batches, &words::BATCH_HEADS, batches.into_iter().filter_map(|batch| row(estimate, batch)))
}

fn row(estimate: &Estimate, batch: u64) -> Option<Row> {
    let other = Estimate::new(&Question { batch, is_batch_set: true, ..estimate.question.clone() }).ok()?;
    // A run that cannot run has no speed and no cost.
    let cells = if other.misfit().is_some() {
        [words::NO_ROOM, words::NO_NUMBER, words::NO_NUMBER, words::NO_NUMBER, words::NO_NUMBER].map(Cell::from)
    } else {
        [
            Cell::from(words::POSSIBLE),
            Amount::Time(other.step.0).into(),
            Amount::or_unknown(least(&other), Amount::Time).into(),
            Amount::or_unknown(other.tokens_per_sec(), |rate| Amount::Number(rate, 4, "")).into(),
            Amount::or_unknown(other.usd_per_million(), Amount::Usd).into(),
        ]
    };
    Some(Row::new(Amount::Count(batch), cells).marked(batch == estimate.question.batch))
}

/// Returns the time, in seconds, in which a chip can read its weights, keys and values from memory once.
fn least(estimate: &Estimate) -> Option<f64> {
    let bytes = estimate.held().read()?;
    Some(bytes / (estimate.question.chip.memory.gb_per_sec.value? * 1e9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ModelQuery;
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
                    let other = Estimate::new(&Question { batch, is_batch_set: true, ..estimate.question.clone() })
                        .expect("an answer");
                    let least = least(&other).expect("known");
                    assert!(other.step.0 >= least, "{text} {split} {batch}: {} {least}", other.step.0);
                    assert!(other.step.0 >= before, "{text} {split} {batch}: a larger batch takes longer");
                    before = other.step.0;
                }
                let table = table(&estimate);
                assert_eq!(table.rows.iter().filter(|row| row.is_marked).count(), 1);
                assert!(table.rows.iter().all(|row| row.cells.len() == table.heads.len()));
            }
        }
    }
}
