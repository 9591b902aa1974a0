//! The losses between peak and MFU, in one sentence.

use super::{comparison, runs};
use display::number::{grouped, percent, readable};
use estimate::{Estimate, Part, StepParts};
use perfmodel::gemm_time::Limit;
use workload::PassKind;

/// The sentence leaves out factors of at least this value, because their loss is negligible.
pub(super) const WHOLE: f64 = 0.9995;

/// Returns the name of a cause of the gap between peak and MFU, as in "The largest loss is memory bandwidth."
fn lost(part: Part, estimate: &Estimate) -> &'static str {
    match part {
        Part::Memory => name(Part::Memory),
        Part::Products if estimate.products.limit() == Limit::Memory && estimate.serving.is_none() => {
            name(Part::Memory)
        }
        Part::Products => "matmuls below the peak",
        Part::Exchange => "communication between chips",
        Part::Pipeline => "the waiting of pipeline stages",
        Part::Rest => name(Part::Rest),
        Part::NotCounted => "recomputation and other work that MFU does not count",
        Part::Run => runs::part(Part::Run),
    }
}

/// Returns the largest loss of a run as the end of a sentence, such as "non-matmul overhead, fitted: 41.7 % of the
/// step." In prefill and decode, the text says what a chip reads from memory, or the share of the step. `None` where
/// [`sentence`] is `None`.
pub(super) fn largest_loss(estimate: &Estimate) -> Option<String> {
    sentence(estimate)?;
    Some(loss(estimate.largest_loss()?, estimate))
}

fn loss(largest: Part, estimate: &Estimate) -> String {
    let lost = lost(largest, estimate);
    let Some(StepParts { parts, step, .. }) = estimate.step_parts() else { return format!("{lost}.") };
    let [(_, weights), (_, cache), _, (_, exchange), (_, rest)] = parts;
    match largest {
        Part::Memory => {
            let [weights, cache] = [weights, cache].map(|part| readable(part.bytes / 1e9, 3));
            let sequences = match (estimate.question.pass, estimate.question.users()) {
                (PassKind::Decode, 1) => "1 user".to_owned(),
                (PassKind::Decode, users) => format!("{} users", grouped(users)),
                (_, sequences) => comparison::sequences(sequences),
            };
            format!(
                "{lost}. In each step, a chip reads {weights} GB of weights once for {sequences}, and {cache} GB of cache."
            )
        }
        // The overhead is the same share of each step. So communication is given as a share of the step without its
        // overhead.
        Part::Exchange => format!(
            "{lost}: {} % of the step without its fitted overhead.",
            percent(exchange.time.0 / (step.time.0 - rest.time.0))
        ),
        Part::Rest => format!("{lost}: {} % of the step.", percent(rest.time.0 / step.time.0)),
        _ => format!("{lost}."),
    }
}

/// Returns the short name of a factor of the MFU.
pub(super) const fn name(part: Part) -> &'static str {
    match part {
        Part::Products => "matmuls",
        Part::Memory => "memory bandwidth",
        Part::Exchange => "communication",
        Part::Pipeline => "pipeline bubble",
        Part::Rest => "non-matmul overhead, fitted",
        Part::NotCounted => "work that MFU counts",
        Part::Run => runs::part(Part::Run),
    }
}

/// Returns a sentence with the largest loss and the factors of the MFU. `None` without an MFU, for a model that does not
/// fit in memory, and if the interval of the MFU is too wide for one number.
pub(crate) fn sentence(estimate: &Estimate) -> Option<String> {
    if estimate.misfit().is_some() || estimate.is_wide() {
        return None;
    }
    let factors: Vec<_> = estimate.factors().into_iter().filter(|one| one.factor < WHOLE).collect();
    let largest = estimate.largest_loss().filter(|_| !factors.is_empty())?;
    let mfu = percent(estimate.mfu.ok()?.ratio);
    let named = |one: &estimate::Factor| format!("{} % ({})", percent(one.factor), name(one.part));
    let product = factors.iter().map(named).collect::<Vec<_>>().join(" · ");
    Some(format!("The largest loss is {} The factors of the MFU are {product} = {mfu} %.", loss(largest, estimate)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn said(text: &str) -> String {
        sentence(&Estimate::new(&ModelQuery::parse(text).question).expect("an answer")).unwrap_or_default()
    }

    #[test]
    fn the_factors_of_the_sentence_multiply_to_the_mfu() {
        for text in
            ["", "chip=h100-sxm&remat=full", "pass=decode&split=tensor&chips=8", "model=llama3-70b&overlap=0&chips=128"]
        {
            let said = said(text);
            let (_, sum) = said.split_once(" are ").expect("a product");
            let (factors, mfu) = sum.split_once(" = ").expect("an MFU");
            let number = |text: &str| text.split(' ').next().and_then(|one| one.parse::<f64>().ok()).expect("a number");
            let product: f64 = factors.split(" · ").map(|one| number(one) / 100.0).product();
            // Each factor was rounded to a tenth of a percent.
            assert!((product * 100.0 - number(mfu)).abs() < 0.6, "{said}");
        }
    }

    #[test]
    fn what_costs_most_is_named() {
        assert!(
            said("chip=tpu-v5e&remat=full")
                .starts_with("The largest loss is recomputation and other work that MFU does not count")
        );
        // Communication takes 11.0 of 26.8 ms. A step takes 1.716 times as long as its matmuls and communication, so
        // the share is 11.0 · 1.716 ÷ 26.8.
        let nodes = said("model=llama3-70b&chip=h100-sxm&pass=decode&split=tensor&chips=16&batch=4");
        let words = "The largest loss is communication between chips: 70.4 % of the step without its fitted overhead.";
        assert!(nodes.starts_with(words), "{nodes}");
        let decode = said("pass=decode&split=tensor&chips=1&chip=h100-sxm");
        // The model has 7.505 G weights of 2 bytes. The cache has 4 sequences of 2049 tokens · 32 layers · 2 · 1024 · 2
        // bytes.
        let [weights, cache] = [7.505 * 2.0, 4.0 * 2049.0 * 32.0 * 2.0 * 1024.0 * 2.0 / 1e9];
        let words = format!(
            " In each step, a chip reads {} GB of weights once for 4 users, and {} GB of cache.",
            readable(weights, 3),
            readable(cache, 3)
        );
        assert!(
            decode.starts_with("The largest loss is memory bandwidth.") && decode.contains(&words),
            "{decode} {words}"
        );
    }
}
