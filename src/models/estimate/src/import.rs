//! A custom model from a file or pasted text, read in pieces.

use std::ffi::OsStr;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;

use crate::{Estimate, Inputs, Question, Refusal};
use perfmodel::{Attention, Remat};
use workload::{Content, Import, Note, PassKind, Role, TracedStep, Workload, import};

/// The content of a file, or the reason why the file cannot be used.
pub type Imported = Result<Content, import::Refusal>;

/// A file that is being read, piece by piece.
#[derive(Debug)]
pub struct ImportProgress(Import);

impl ImportProgress {
    /// Starts to read a file of `bytes` bytes. The file can be a `config.json`, a table of a tracer or of
    /// SCALE-Sim, lines of M, K, N, or StableHLO text.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        Self(Import::new(bytes))
    }

    /// Returns the import with the decimal separator that its tables use.
    #[must_use]
    pub fn with_decimal(self, decimal: Option<plain::Decimal>) -> Self {
        Self(self.0.with_decimal(decimal))
    }

    /// Returns the range of bytes to pass to [`Self::feed`] next: at most 512 KiB. The range is empty if only
    /// computation remains.
    #[must_use]
    pub fn wants(&self) -> Range<u64> {
        self.0.wants().unwrap_or_default()
    }

    /// Returns the fraction of the file that has been read, from 0 to 1.
    #[must_use]
    pub fn progress(&self) -> f64 {
        self.0.progress()
    }

    /// Processes the bytes that [`Self::wants`] requested, for a few milliseconds. Returns `Break` at the end of the
    /// file, or if the file cannot be used.
    pub fn feed(mut self, piece: &[u8]) -> ControlFlow<Imported, Self> {
        match self.0.feed(piece) {
            Err(refusal) => ControlFlow::Break(Err(refusal)),
            Ok(()) if self.0.wants().is_some() => ControlFlow::Continue(self),
            Ok(()) => ControlFlow::Break(self.0.content().ok_or(import::Refusal::NoFormat)),
        }
    }

    /// Reads a whole file from `source`, in the pieces that [`Self::wants`] requests.
    ///
    /// # Errors
    /// Fails if the source cannot be read.
    pub fn read(mut self, mut source: impl Read + Seek) -> io::Result<Imported> {
        loop {
            let wanted = self.wants();
            source.seek(SeekFrom::Start(wanted.start))?;
            let mut piece = Vec::new();
            Read::take(&mut source, wanted.end - wanted.start).read_to_end(&mut piece)?;
            match self.feed(&piece) {
                ControlFlow::Continue(more) => self = more,
                ControlFlow::Break(imported) => return Ok(imported),
            }
        }
    }
}

/// Reads a complete file from bytes in memory.
///
/// # Errors
/// The refusal explains why the bytes cannot be used.
pub fn imported(bytes: &[u8]) -> Imported {
    Content::of(bytes)
}

/// If a list of matmuls has no name, names it after its file, such as `net` for `net.csv`. In a refusal, the suggested
/// command names the file.
pub fn named_after(path: &str, imported: Imported) -> Imported {
    let path = Path::new(path);
    let readable = |name: Option<&OsStr>| {
        name.map_or_else(String::new, |name| {
            name.to_string_lossy().chars().filter(|sign| !plain::is_control_or_bidi(*sign)).collect()
        })
    };
    match imported {
        Ok(Content::Products(work)) if work.name.is_empty() => {
            Ok(Content::Products(Workload { name: readable(path.file_stem()), ..work }))
        }
        Err(import::Refusal::Foreign { kind, .. }) => {
            Err(import::Refusal::Foreign { kind, file: readable(Some(path.as_os_str())) })
        }
        other => other,
    }
}

/// Adds the note that a list of matmuls describes one step of one chip.
fn as_it_stands(mut work: Workload) -> Workload {
    work.notes.push(Note::AsItStands);
    work
}

impl Estimate {
    /// Computes the estimate for the content of a file.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn of_content(question: &Question, content: &Content) -> Result<Self, Refusal> {
        let question = Question { model: None, is_product: false, ..question.clone() };
        match content {
            Content::Transformer(model) => Self::of_transformer(&question, model),
            Content::Products(work) if work.products.is_empty() => Err(Refusal::NothingIn(work.left_out.clone())),
            Content::Products(work) if work.traced.is_some() => Self::of_traced(question, work.clone()),
            Content::Products(work) => {
                Self::of_shared(&question, Arc::new(as_it_stands(work.clone())), Inputs::Unknown)
            }
        }
    }

    /// Computes the estimate of a traced step. The table states pass, recomputation, batch and sequence, so these
    /// settings of the question do not count.
    fn of_traced(mut question: Question, mut work: Workload) -> Result<Self, Refusal> {
        let TracedStep { batch, sequence, is_decode } = work.traced.unwrap_or_default();
        let has = |role| work.products.iter().any(|product| product.role == role);
        let is_training = has(Role::InputGradient) || has(Role::WeightGradient);
        if !is_training && question.pass == PassKind::Training {
            work.notes.push(Note::ForwardOnly);
        }
        question.remat = Some(if has(Role::Recompute) { Remat::Full } else { Remat::None });
        question.pass = match sequence {
            _ if is_training => PassKind::Training,
            Some(1) => PassKind::Decode,
            _ if is_decode => PassKind::Decode,
            _ => PassKind::Prefill,
        };
        if work.products.iter().any(|product| product.counted < 1.0) {
            if question.attention == Attention::Full {
                work.products.iter_mut().for_each(|product| product.counted = 1.0);
                work.notes.push(Note::FullAttention);
            } else {
                work.notes.push(Note::Masked);
            }
        }
        let work = Arc::new(as_it_stands(work));
        let (Some(batch), Some(sequence)) = (batch, sequence) else {
            return Self::of_shared(&question, work, Inputs::Unknown);
        };
        question.set_batch(batch);
        question.seq = sequence;
        Self::of_shared(&question, work, Inputs::Sequences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    // `systolic_matmuls.py llama.json --size batch=2 --size sequence=512 --train` wrote the table.
    const TABLE: &str = include_str!("../../../../tests/golden/traced/llama.csv");
    const CONFIG: &[u8] = include_bytes!("../../../../tests/golden/traced/llama.json");

    fn answer(file: &[u8], text: &str) -> Estimate {
        let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
        assert_eq!(invalid, [], "{text}");
        Estimate::of_content(&question, &imported(file).expect("a model")).expect("an answer")
    }

    #[test]
    fn a_traced_model_has_the_estimate_of_its_configuration() {
        for rest in ["", "&attention=causal", "&chip=h100-sxm&chips=8", "&split=data&chips=16&overlap=0", "&dtype=fp8"]
        {
            let config = answer(CONFIG, &format!("batch=2&seq=512&remat=none{rest}"));
            // The table states the step, so other settings do not count.
            let traced = answer(TABLE.as_bytes(), &format!("batch=9&seq=128&pass=decode{rest}"));
            assert_eq!(traced.model_flops.to_bits(), config.model_flops.to_bits(), "{rest}");
            assert_eq!((traced.parameters, traced.tokens), (config.parameters, config.tokens), "{rest}");
            let [ours, theirs] = [&traced, &config].map(|one| one.mfu.expect("possible").ratio);
            assert!((ours / theirs - 1.0).abs() < 1e-12, "{rest}: {ours} {theirs}");
            // Memory also contains the norms: two in each of four layers, and the last norm.
            let [ours, theirs] = [&traced, &config].map(|one| one.held().in_all().expect("known"));
            let norms = 9.0 * 256.0 * traced.held().bytes / traced.held().over;
            assert!((ours - theirs - norms).abs() < 1.0, "{rest}: {ours} {theirs}");
        }
    }

    #[test]
    fn recomputed_rows_are_the_recomputation_of_the_configuration() {
        let rows = TABLE.lines().filter(|line| !line.starts_with("# totals"));
        let again = rows.clone().filter(|line| line.contains(",forward,"));
        let again: Vec<String> = again.map(|line| line.replace(",forward,", ",recomputed,")).collect();
        let table: Vec<&str> = rows.chain(again.iter().map(String::as_str)).collect();
        let traced = answer(table.join("\n").as_bytes(), "chip=tpu-v5p&chips=4");
        let config = answer(CONFIG, "chip=tpu-v5p&chips=4&batch=2&seq=512&remat=full");
        for ratio in [|one: &Estimate| one.mfu, |one: &Estimate| one.hfu] {
            let [ours, theirs] = [&traced, &config].map(|one| ratio(one).expect("possible").ratio);
            assert!((ours / theirs - 1.0).abs() < 1e-12, "{ours} {theirs}");
        }
    }

    #[test]
    fn a_table_without_gradients_is_a_forward_pass() {
        let is_row = |line: &&str| line.contains(",forward,");
        let header = TABLE.lines().filter(|line| line.starts_with("name,") || line.starts_with("# traced"));
        let forward: Vec<&str> = header.chain(TABLE.lines().filter(is_row)).collect();
        let traced = answer(forward.join("\n").as_bytes(), "chips=1");
        assert_eq!(traced.question.pass, PassKind::Prefill);
        assert!(traced.work.notes.contains(&Note::ForwardOnly));
        // A step of decoding adds one token to each sequence.
        let decode = forward.join("\n").replace("training step", "decode step");
        let decode = answer(decode.as_bytes(), "chips=1");
        assert_eq!((decode.question.pass, decode.question.seq, decode.tokens), (PassKind::Decode, 512, Some(2.0)));
        // A step with gradients has three times these FLOPs.
        let step = answer(TABLE.as_bytes(), "chips=1");
        assert!((step.model_flops / traced.model_flops - 3.0).abs() < 1e-12);
    }
}
