//! The question that a published training run answers, with the dimensions of its model.

use std::io;
use std::sync::Arc;

use estimate::{Estimate, Imported, ModelQuery, Question, Software, imported};
use perfmodel::left_out::{Class, Predicted};
use perfmodel::{Framework, MfuModel, PeakDtype, PublishedMfu, Remat};
use serde_json::Value;

use crate::problem::Problems;

/// Configurations of the models with experts, each with its source. The keys are the names of the models in the table
/// of published runs.
const WITH_EXPERTS: &str = include_str!("training_models.json");
/// Width of a head of attention in most models.
const HEAD: f64 = 128.0;
/// Entries of the vocabulary of a model whose vocabulary is not in the table.
const VOCAB: f64 = 32_000.0;
/// Number of chips of a run that does not state the number. The regression uses this number as its reference.
const CHIPS: u32 = 64;

/// A published run, and the question with all of its settings.
pub(super) struct Asked {
    /// The run.
    pub(super) row: &'static PublishedMfu,
    question: Question,
    model: Imported,
}

impl Asked {
    /// Returns the questions of all verified runs whose model is known.
    pub(super) fn all() -> Result<Vec<Self>, Problems> {
        let models: Value = serde_json::from_str(WITH_EXPERTS).map_err(io::Error::other)?;
        let of = |row: &'static PublishedMfu| {
            let config = models.get(row.model).map(Value::to_string).or_else(|| dense(row))?;
            let query = ModelQuery::parse(&settings(row));
            query.invalid.is_empty().then(|| Self { row, question: query.question, model: imported(config.as_bytes()) })
        };
        Ok(perfmodel::left_out::verified().into_iter().filter_map(of).collect())
    }

    /// Answers the question with a regression, which may have been fitted without the run.
    pub(super) fn answer(&self, model: &Arc<MfuModel>, framework: Option<Framework>) -> Option<Estimate> {
        let (is_unfused, is_model_report) = (self.row.is_unfused, self.row.is_model_report);
        // These factors are placeholders, because the interval is computed from other factors.
        let software = Software { model: Arc::clone(model), factors: [1.0; 4], is_unfused, is_model_report };
        let framework = framework.or(self.question.framework);
        let question = Question { software: Some(software), framework, ..self.question.clone() };
        Estimate::of_content(&question, self.model.as_ref().ok()?).ok()
    }
}

/// Returns the prediction for a run from its complete answer.
pub(super) fn predicted(answer: &Estimate, row: &PublishedMfu) -> Option<Predicted> {
    let share = answer.share.as_ref()?;
    let setting = row.setting()?;
    Some(Predicted {
        class: Class::of(&setting),
        mfu: answer.mfu.ok()?.ratio * share.speedup,
        executed: share.executed_per_model_flop / share.speedup,
        forecast: share.forecast.clone(),
    })
}

/// The settings of a run, as entries of a question.
fn settings(row: &PublishedMfu) -> String {
    let mut text = format!("chip={}&chips={}", row.chip, row.chips.unwrap_or(CHIPS));
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text.push_str(&format!("&{name}={value}"));
        }
    };
    add("seq", row.sequence.map(|sequence| sequence.to_string()));
    // In a question, a chip has at least one sequence, so the number is rounded up.
    add("batch", row.batch_per_chip.map(|batch| batch.ceil().to_string()));
    add("dtype", Some(if row.format == PeakDtype::F16 { PeakDtype::Bf16 } else { row.format }.word().to_owned()));
    add("remat", row.remat.map(|remat| if remat == Remat::Full { "full" } else { "none" }.to_owned()));
    add("framework", Some(Framework::named(row.framework).id().to_owned()));
    text
}

/// A dense model with the dimensions of a run. A dimension that the run does not state has the value of a usual model.
/// Each head has a width of 128, the number of layers equals the number of heads, and the feed-forward part has the
/// remaining parameters.
fn dense(row: &PublishedMfu) -> Option<String> {
    let parameters = row.parameters.filter(|_| row.experts == 0)?;
    let width = row.width.map_or_else(|| ((parameters * HEAD / 12.0).cbrt() / HEAD).round().max(1.0) * HEAD, f64::from);
    let layers = row.layers.map_or(width / HEAD, f64::from);
    let inner = |hidden: f64| ((parameters - VOCAB * hidden) / layers - 4.0 * hidden * width) / (3.0 * hidden);
    // In some models, all heads together are wider than the residual stream.
    let hiddens = (1..=16).rev().map(|part| (width * f64::from(part) / 16.0).round());
    let hidden = hiddens.into_iter().find(|hidden| inner(*hidden) >= *hidden).unwrap_or(width);
    let (heads, inner) = ((width / HEAD).max(1.0), inner(hidden).max(1.0));
    Some(format!(
        "{{\"model_type\": \"llama\", \"hidden_size\": {hidden:.0}, \"num_hidden_layers\": {layers:.0}, \
         \"num_attention_heads\": {heads:.0}, \"num_key_value_heads\": {heads:.0}, \"head_dim\": {HEAD:.0}, \
         \"intermediate_size\": {inner:.0}, \"vocab_size\": {VOCAB:.0}, \"tie_word_embeddings\": false}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use perfmodel::left_out::{self, FACTORS, FACTORS_AFTER_ONE};

    #[test]
    fn the_shipped_factors_are_those_of_the_answers_about_the_table() {
        let asked = Asked::all().unwrap_or_else(|_| panic!("configurations"));
        let predict = |model: &Arc<MfuModel>, row: &'static PublishedMfu| {
            let one = asked.iter().find(|one| core::ptr::eq(one.row, row))?;
            predicted(&one.answer(model, None)?, row)
        };
        let all = left_out::verified();
        for (shipped, found) in [
            (FACTORS, left_out::factors(&all, &predict)),
            (FACTORS_AFTER_ONE, left_out::factors_after_one(&all, &predict)),
        ] {
            for (one, other) in shipped.iter().zip(found) {
                assert!((one - other).abs() < 0.0006, "{shipped:?} {found:?}");
            }
        }
    }

    #[test]
    fn a_configuration_with_experts_has_a_source_and_the_published_weights() {
        let models: Value = serde_json::from_str(WITH_EXPERTS).expect("JSON");
        // The weights are in billions, as the authors publish them. Those of Llama 3 8x70B are not published.
        for (name, billions) in [
            ("DeepSeek V3", 671.0),
            ("DeepSeek V3 671B", 671.0),
            ("DeepSeek V2 236B", 236.0),
            ("Mixtral 8x22B", 141.0),
            ("Mixtral 8x22B G8T8", 141.0),
            ("Qwen2 57B A14B", 57.4),
            ("Skywork MoE 146B", 146.0),
            ("internal 352B MoE", 352.0),
            ("GPT OSS 120B", 117.0),
            ("Qwen3 235B A22B", 235.0),
            ("Gemma 4 26B", 26.0),
        ] {
            let config = &models[name];
            let model = workload::huggingface::transformer(&config.to_string()).expect(name);
            let spec = workload::PassSpec {
                pass: workload::Pass::Prefill { sequence: 1, logits: workload::Logits::Every },
                batch: 1,
                attention: perfmodel::Attention::Full,
            };
            let work = model.workload(&spec).expect(name);
            let embedding = if model.is_tied { 0 } else { model.vocab * model.hidden };
            let found = (work.weights().expect(name) + embedding as f64) / 1e9;
            assert!((found / billions - 1.0).abs() < 0.04, "{name}: {found}");
            // The weights that a token meets agree with those in the table of runs.
            let active = work.executed_macs() as f64;
            for row in PublishedMfu::all().iter().filter(|row| row.model == name) {
                let published = row.parameters.unwrap_or(active);
                assert!((active / published - 1.0).abs() < 0.04, "{name}: {active} {published}");
            }
        }
        let entries = models.as_object().expect("an object").values();
        assert!(entries.into_iter().all(|config| config["source"].as_str().is_some_and(|source| source.len() > 40)));
    }

    #[test]
    fn a_question_about_a_dense_run_has_the_parameters_of_the_run() {
        for one in Asked::all().unwrap_or_else(|_| panic!("configurations")) {
            let Some(published) = one.row.parameters.filter(|_| one.row.experts == 0) else { continue };
            let answer = one.answer(&Arc::new(MfuModel::shipped().clone()), None).expect("an answer");
            let asked = answer.parameters.expect("counted");
            assert!((asked / published - 1.0).abs() < 0.02, "{}: {asked} {published}", one.row.model);
        }
    }
}
