//! A model of one's own, from a file or pasted text.

use super::{Asked, Estimate, Pass, Why};
use workload::{Format, Problem, Workload, huggingface, onnx, paste, safetensors, stablehlo, topology};

/// Why a file gives no answer: sentences, one for each problem.
pub type Refused = Vec<String>;

fn sentences(problems: &[Problem]) -> Refused {
    problems.iter().map(ToString::to_string).collect()
}

fn one(sentence: &dyn ToString) -> Refused {
    vec![sentence.to_string()]
}

/// A list that says nothing of passes is one chip's step as it stands.
fn as_it_stands(mut work: Workload) -> Workload {
    work.notes.push("The list is one chip's step as it stands: batch, sequence and pass do not change it.".to_owned());
    work
}

impl Estimate {
    /// Answers a question about what a file holds: a `config.json`, a SCALE-Sim table, lines of M, K, N, StableHLO text,
    /// an ONNX model or the header of a safetensors file.
    ///
    /// # Errors
    /// What cannot be used, a sentence each.
    pub fn of_file(asked: &Asked, bytes: &[u8]) -> Result<Self, Refused> {
        let why = |why: Why| one(&crate::words::estimate::why(&why));
        let asked = Asked { model: None, ..asked.clone() };
        let text = || std::str::from_utf8(bytes).map_err(|_| one(&"This is not text in UTF-8."));
        let tokens = || if asked.pass == Pass::Decode { asked.batch } else { asked.batch.saturating_mul(asked.seq) };
        let work = match Format::of(bytes) {
            Some(Format::HuggingFace) => {
                let model = huggingface::transformer(text()?).map_err(|refusal| one(&refusal))?;
                return Self::of_transformer(&asked, &model).map_err(why);
            }
            Some(Format::Topology) => topology::workload(text()?, None).map_err(|problems| sentences(&problems))?,
            Some(Format::Paste) => paste::workload(text()?).map_err(|problems| sentences(&problems))?,
            Some(Format::StableHlo) => stablehlo::workload(text()?).map_err(|refusal| one(&refusal))?,
            Some(Format::Onnx) => onnx::workload(bytes, &[]).map_err(|refusal| one(&refusal))?,
            Some(Format::Safetensors) => safetensors::weights(bytes)
                .map_err(|refusal| one(&refusal))?
                .workload(tokens())
                .map_err(|refusal| one(&refusal))?,
            None => return Err(one(&crate::words::estimate::NO_FORMAT)),
        };
        Self::of(&asked, as_it_stands(work)).map_err(why)
    }
}
