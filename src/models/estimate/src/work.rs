//! The matmuls of a question, and the number of sequences whose activations fit in memory.

use crate::memory::fewer_sequences;
use crate::question::BATCH;
use crate::{Question, Refusal};
use display::number::grouped;
use workload::{Kind, Logits, Pass, PassKind, PassSpec, Product, Transformer, Workload};

/// Returns the pass of a question as a [`PassSpec`] of the crate `workload`.
pub fn pass_spec(question: &Question) -> PassSpec {
    let sequence = question.seq;
    PassSpec {
        pass: match question.pass {
            PassKind::Training => Pass::Training { sequence, remat: question.recomputes() },
            PassKind::Prefill => Pass::Prefill { sequence, logits: Logits::Last },
            PassKind::Decode => Pass::Decode { context: sequence },
        },
        batch: question.batch,
        attention: question.attention,
    }
}

/// Returns a copy of the question with its number of sequences, and the matmuls of that copy, from `matmuls`. Unless
/// the question sets the number, it is reduced until the activations fit in memory.
pub(crate) fn settled(
    question: &Question,
    matmuls: impl Fn(&Question) -> Result<Workload, Refusal>,
) -> Result<(Question, Workload), Refusal> {
    let mut question = question.clone();
    if !question.is_batch_set {
        question.batch = BATCH;
    }
    loop {
        let work = matmuls(&question)?;
        let fewer = fewer_sequences(&question, &work).filter(|_| !question.is_batch_set);
        match fewer.filter(|fewer| *fewer < question.batch) {
            Some(fewer) => question.batch = fewer,
            None => return Ok((question, work)),
        }
    }
}

/// Returns a copy of the question with its number of sequences, and the matmuls of the question's model. If the model
/// was published with a batch, the published batch replaces the batch in the copy.
///
/// # Errors
/// [`Refusal`] names the reason.
pub fn work_of(question: &Question) -> Result<(Question, Workload), Refusal> {
    if question.is_product {
        return Ok((question.clone(), product(question.sizes)?));
    }
    let model = question.model.ok_or(Refusal::NoModel)?;
    let mut question = question.clone();
    if let Some(batch) = model.batch() {
        question.set_batch(batch);
    }
    settled(&question, |question| {
        let spec = pass_spec(question);
        model.variant_workload(&spec, |transformer| variant(question, transformer)).map_err(Refusal::Model)
    })
}

/// Returns the variant of the model that the question asks for: packed sequences, expanded latent attention, or no
/// change.
pub(crate) fn variant(question: &Question, model: Transformer) -> Transformer {
    match question.packed_mean() {
        Some(mean) => model.packed(mean),
        None if question.expands_latent => model.expanded(),
        None => model,
    }
}

/// Returns the name of a single matmul: the sizes M, K and N.
#[must_use]
pub fn product_name([m, k, n]: [u64; 3]) -> String {
    format!("{} × {} × {}", grouped(m), grouped(k), grouped(n))
}

/// Makes a workload of a single matmul.
fn product(sizes: [u64; 3]) -> Result<Workload, Refusal> {
    let name = product_name(sizes);
    let product = Product::new("product", Kind::Weights, sizes, 1).map_err(Refusal::TooLarge)?;
    Ok(Workload { name, products: vec![product], ..Workload::default() })
}
