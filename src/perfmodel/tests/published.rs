//! The published runs as shipped, and what may share an axis.

use perfmodel::{Attention, MixRefusal, PublishedMfu, Standing, TransformerFlops, shared_convention};

const LLAMA3_8B: TransformerFlops =
    TransformerFlops { matmul_parameters: 7_504_658_432.0, layers: 32, heads: 32, head_size: 128 };

fn row(model: &str) -> &'static PublishedMfu {
    PublishedMfu::all().iter().find(|row| row.model == model).expect("published")
}

#[test]
fn every_row_names_a_chip_of_the_table_and_is_possible() {
    for row in PublishedMfu::all() {
        assert!(row.chip().is_some(), "{}", row.chip);
        let percent = row.mfu_percent.value.expect("published");
        assert!(percent > 0.0 && percent < 100.0, "{}", row.model);
        assert!(row.hfu_percent.is_none_or(|hfu| hfu >= percent), "{}: recomputation only adds", row.model);
        assert!(row.mfu_percent.source.text.len() > 20);
    }
}

#[test]
fn more_pods_never_raise_the_mfu_of_a_model() {
    let v5e: Vec<_> = PublishedMfu::all().iter().filter(|row| row.chip == "tpu-v5e").collect();
    assert_eq!(v5e.len(), 12);
    for pair in v5e.windows(2).filter(|pair| pair[0].model == pair[1].model) {
        assert!(pair[0].chips < pair[1].chips && pair[0].mfu_percent.value > pair[1].mfu_percent.value);
    }
}

#[test]
fn rows_that_contradict_themselves_are_not_in_the_table() {
    for model in ["52B", "1024B", "480B", "Llama 3.1 405B", "Llama 2 70B"] {
        assert!(PublishedMfu::all().iter().all(|row| row.model != model), "{model}");
    }
}

#[test]
fn a_row_is_recounted_only_with_what_that_needs() {
    let row = row("Llama 3.1 8B");
    assert_eq!(row.counted(Attention::Full, &LLAMA3_8B), Ok(Some(45.46)));
    // 12.5 % of the causal count: 45.46 / 1.125.
    let causal = row.counted(Attention::Causal, &LLAMA3_8B).expect("stated").expect("known");
    assert!((causal - 40.4).abs() < 0.05, "{causal}");
    let bert = self::row("BERT-Large");
    assert_eq!(bert.counted(Attention::Causal, &LLAMA3_8B), Err(MixRefusal::Unstated));
    assert_eq!(self::row("Gopher").counted(Attention::Causal, &LLAMA3_8B), Err(MixRefusal::NoSequence));
}

#[test]
fn conventions_are_not_mixed_on_one_axis() {
    let stated = || PublishedMfu::all().iter().filter(|row| row.attention.is_some());
    assert_eq!(shared_convention(stated()), Ok(Attention::Full));
    assert_eq!(shared_convention(PublishedMfu::all()), Err(MixRefusal::Unstated));
    let causal = PublishedMfu { attention: Some(Attention::Causal), ..*row("Llama 3.1 8B") };
    assert_eq!(shared_convention(stated().chain([&causal])), Err(MixRefusal::Conventions));
    assert!(MixRefusal::Conventions.says().contains("convert"));
}

#[test]
fn what_is_from_memory_is_only_context() {
    let context: Vec<_> = PublishedMfu::all().iter().filter(|row| row.standing == Standing::Context).collect();
    assert_eq!(context.iter().map(|row| row.model).collect::<Vec<_>>(), ["GPT-3", "Gopher", "MT-NLG"]);
}
