//! Prints the matmuls of a model, and the number of weights in these matmuls.
//!
//! Usage: `cargo run -p workload --example products`
#![expect(clippy::print_stdout, reason = "an example prints what it finds")]

use perfmodel::Attention;
use workload::models::{Model, Refusal};
use workload::{Kind, Logits, Pass, PassSpec, Workload};

/// Returns the matmuls of a pass over a single token.
fn one_token(model: &Model) -> Result<Workload, Refusal> {
    let pass = Pass::Prefill { sequence: 1, logits: Logits::Every };
    model.workload(&PassSpec { pass, batch: 1, attention: Attention::Full })
}

/// Returns the number of weights in a pass over one token, which multiplies each weight once.
fn weights(work: &Workload) -> u128 {
    let products = work.products.iter().filter(|product| matches!(product.kind, Kind::Weights | Kind::Head));
    products.map(workload::Product::executed_macs).sum()
}

fn main() -> Result<(), Refusal> {
    let Some(model) = Model::by_id("llama3-70b") else { return Ok(()) };
    let work = one_token(model)?;
    for product in &work.products {
        println!(
            "{:>9}: {}×{}×{}, {} times",
            product.name, product.sizes.m, product.sizes.k, product.sizes.n, product.count
        );
    }
    println!("{} weights in products", weights(&work));
    Ok(())
}

#[test]
fn the_weights_are_those_of_the_model_card() {
    let work = one_token(Model::by_id("llama3-70b").expect("it is listed")).expect("it is sound");
    // A token's embedding is looked up, not multiplied. Meta's model card has 70.6 billion parameters in all.
    let embedding = 128_256 * 8_192;
    assert_eq!(((weights(&work) + embedding) as f64 / 1e8).round(), 706.0);
}
