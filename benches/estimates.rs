//! Benchmarks of answering a question of the estimate: a model of 70 G weights, with another sequence length each time.
//! One of the runs waits for communication in the default layout, so the estimate searches for a faster layout.

use std::hint::black_box;

use estimate::{Answered, Estimate, ModelQuery, Topic};
use report::{answer, figures, tables};

use crate::{Line, against};

/// Returns a generator of questions about a run. The sequence length differs from call to call, as it does when a slider
/// is dragged.
fn questions(run: &'static str) -> impl FnMut() -> String {
    let mut call = 0u32;
    move || {
        call = (call + 1) % 4096;
        format!("model=llama3-70b&{run}&seq={}", 1024 + call)
    }
}

fn estimated(question: &str) -> Estimate {
    Estimate::new(&ModelQuery::parse(question).question).expect("a model of the table on a chip with a peak")
}

/// Returns the bound: the least work of an answer, which is FLOPs over peak and bytes over bandwidth for each matmul.
fn bare_rooflines() -> impl FnMut() {
    let estimate = estimated("model=llama3-70b&chips=512");
    let chip = estimate.question.chip;
    let peak = chip.peak_flops(estimate.question.dtype).expect("published").0;
    let bandwidth = chip.memory.bytes_per_sec().expect("published");
    move || {
        let seconds = |product: &workload::Product| {
            let (m, k, n) = (product.sizes.m as f64, product.sizes.k as f64, product.sizes.n as f64);
            product.count as f64 * (2.0 * m * k * n / peak).max(2.0 * (m * k + k * n + m * n) / bandwidth)
        };
        black_box(black_box(&estimate.work.products).iter().map(seconds).sum::<f64>());
    }
}

/// Returns every figure of the estimate with its bound.
pub fn lines() -> Vec<Line> {
    let line = |name, run, work: &mut dyn FnMut(&str)| {
        let mut ask = questions(run);
        let outcome = against(|| work(&ask()), bare_rooflines());
        Line { name, outcome, ratio: outcome.times_bound(), unit: "× bare rooflines of its products" }
    };
    vec![
        line("a 70B model: every product, step, MFU", "chips=512", &mut |ask| _ = black_box(estimated(ask))),
        line("and a layout that the estimate searches", "chip=a100-80&chips=2048&batch=1&network=p4d", &mut |ask| {
            _ = black_box(estimated(ask));
        }),
        line("and its figures as text", "chips=512", &mut |ask| _ = black_box(figures(&estimated(ask)))),
        line("and every table as text", "chips=512", &mut |ask| {
            let answered = Answered::parse(Topic::Model, ask);
            _ = black_box((answer(&answered), tables(&answered)));
        }),
    ]
}
