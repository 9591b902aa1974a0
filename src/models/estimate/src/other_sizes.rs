//! A run with other numbers of chips or of sequences.

use crate::{Estimate, Question};

/// Numbers of chips at which a run is computed again.
const CHIPS: [u64; 7] = [1, 4, 16, 64, 256, 1024, 4096];
/// Numbers of sequences per chip at which a run is computed again.
const BATCHES: [u64; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

impl Estimate {
    /// Returns the run on other numbers of chips, in ascending order. The run itself is one of them.
    #[must_use]
    pub fn on_other_chips(&self) -> Vec<Self> {
        around(&CHIPS, self.question.chips).filter_map(|chips| self.on_chips(chips).ok()).collect()
    }

    /// Returns the run of a listed model with other numbers of sequences per chip, in ascending order. The run itself is
    /// one of them.
    #[must_use]
    pub fn with_other_batches(&self) -> Vec<Self> {
        let question = |batch| Question { batch, is_batch_set: true, ..self.question.clone() };
        around(&BATCHES, self.question.batch).filter_map(|batch| Self::new(&question(batch)).ok()).collect()
    }

    /// Returns the time, in seconds, in which a chip can read the weights, keys and values of a step from memory once.
    /// `None` in training, or if the bandwidth is unknown.
    #[must_use]
    pub fn memory_seconds(&self) -> Option<f64> {
        Some(self.step_parts()?.step.bytes / self.question.chip.memory.bytes_per_sec()?)
    }

    /// True if the run needs more chips than a pod has.
    #[must_use]
    pub fn is_beyond_pod(&self) -> bool {
        self.question.chip.pod_chips.value.is_some_and(|most| self.question.chips > most.into())
    }
}

/// Numbers with `set` among them, in ascending order.
fn around(all: &[u64], set: u64) -> impl Iterator<Item = u64> {
    let mut all: Vec<u64> = all.iter().copied().chain([set]).collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter()
}

#[cfg(test)]
mod tests {
    use crate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn no_batch_is_faster_than_the_memory() {
        for text in ["chip=tpu-v5e&chips=8&model=llama2-7b", "chip=h100-sxm&chips=4", "chip=tpu-v5p&chips=1"] {
            for split in ["tensor", "data"] {
                let query = ModelQuery::parse(&format!("{text}&pass=decode&split={split}"));
                let all = query.answer(None).expect("an answer").estimate.with_other_batches();
                assert!(all.len() >= super::BATCHES.len());
                let mut before = 0.0;
                for other in all {
                    let (least, batch) = (other.memory_seconds().expect("known"), other.question.batch);
                    assert!(other.step.0 >= least, "{text} {split} {batch}: {} {least}", other.step.0);
                    assert!(other.step.0 >= before, "{text} {split} {batch}: a larger batch takes longer");
                    before = other.step.0;
                }
            }
        }
    }
}
