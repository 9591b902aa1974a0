//! A query with its answer. Figures, tables, plots and files of a query read the same answer.

use std::sync::{Arc, OnceLock};

use crate::{Estimate, FailuresAnswer, Imported, ModelAnswer, ModelQuery, Query, Question, Refusal, Topic, work_of};
use perfmodel::MfuRefusal;
use workload::Workload;

/// A query with its answer. Each part of the answer is computed when it is first read.
#[derive(Debug)]
pub struct Answered {
    query: Arc<Query>,
    file: Option<Arc<Imported>>,
    model: OnceLock<Result<ModelAnswer, Refusal>>,
}

impl PartialEq for Answered {
    /// Compares only the query and the file, because they determine the answer.
    fn eq(&self, other: &Self) -> bool {
        let file = |one: &Self| one.file.as_ref().map(Arc::as_ptr);
        self.query == other.query && file(self) == file(other)
    }
}

impl Answered {
    /// Takes a query. A model in `file` replaces the query's model.
    #[must_use]
    pub fn new(query: impl Into<Arc<Query>>, file: Option<Arc<Imported>>) -> Self {
        Self { query: query.into(), file, model: OnceLock::new() }
    }

    /// Reads the query of a topic from a link parameter.
    #[must_use]
    pub fn parse(topic: Topic, text: &str) -> Self {
        Self::new(Query::parse(topic, text), None)
    }

    /// Reads the query of a topic from a link. `text` returns the text of a link parameter. A query of a topic other
    /// than the model has defaults from the run of the model.
    #[must_use]
    pub fn of_link<'a>(topic: Topic, text: impl Fn(&str) -> &'a str) -> Self {
        let query = Query::parse(topic, text(topic.parameter()));
        let run = || Self::parse(Topic::Model, text(Topic::Model.parameter()));
        Self::new(if topic == Topic::Model { query } else { query.of_run(&run()) }, None)
    }

    /// Returns the query.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Returns the query about a model; `None` for another topic.
    #[must_use]
    pub fn model_query(&self) -> Option<&ModelQuery> {
        match &*self.query {
            Query::Model(query) => Some(query),
            Query::Lengths(_) | Query::Failures(_) => None,
        }
    }

    /// Returns the file that replaces the query's model.
    #[must_use]
    pub fn file(&self) -> Option<&Imported> {
        self.file.as_deref()
    }

    /// Returns the answer about a model.
    ///
    /// # Errors
    /// Fails if the query is not about a model, or if no estimate is possible. [`Refusal`] names the reason.
    pub fn model(&self) -> Result<&ModelAnswer, &Refusal> {
        let answer = || self.model_query().map_or(Err(Refusal::NoModel), |query| query.answer(self.file()));
        self.model.get_or_init(answer).as_ref()
    }

    /// Returns the answer about failures; `None` for another topic, or if nothing can fail.
    #[must_use]
    pub fn failures(&self) -> Option<FailuresAnswer> {
        let Query::Failures(query) = self.query() else { return None };
        query.answer()
    }

    /// Returns the question, its matmuls and the missing value of the chip. `None` unless this missing value is the
    /// only reason why a listed model has no estimate.
    #[must_use]
    pub fn without_times(&self) -> Option<(Question, Workload, &MfuRefusal)> {
        let (Err(Refusal::Chip(refusal)), None) = (self.model(), self.file()) else { return None };
        let (question, work) = work_of(&self.model_query()?.question).ok()?;
        Some((question, work, refusal))
    }

    /// Computes the estimate of another question about the same model; `None` if no estimate is possible.
    #[must_use]
    pub fn again(&self, question: &Question) -> Option<Estimate> {
        self.model_query()?.estimate(question, self.file()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::imported;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn an_answer_is_that_of_its_query_and_its_file() {
        let file = Arc::new(imported(b"M,K,N\n128,256,512\n"));
        let of = |text: &str, file: Option<&Arc<Imported>>| {
            Answered::new(Query::parse(Topic::Model, text), file.map(Arc::clone))
        };
        assert!(of("chips=8", None) == of("chips=8", None) && of("", Some(&file)) == of("", Some(&file)));
        assert!(of("chips=8", None) != of("chips=4", None) && of("", None) != of("", Some(&file)));
        let list = of("", Some(&file));
        let flops = list.model().expect("an answer").estimate.model_flops;
        assert!((flops - 2.0 * 128.0 * 256.0 * 512.0).abs() < 1.0, "{flops}");
        assert_eq!(Answered::parse(Topic::Lengths, "").model().err(), Some(&Refusal::NoModel));
    }

    #[test]
    fn only_an_unknown_value_of_a_listed_models_chip_leaves_an_answer_without_times() {
        let is_partial = |text: &str| Answered::parse(Topic::Model, text).without_times().is_some();
        assert!(is_partial("chip=own&own=peak-bf16.200"));
        assert!(!is_partial("chip=tpu-v5e") && !is_partial("chip=tpu-v5e&groups=tensor=7"));
    }
}
