//! The published runs as shipped.

use perfmodel::{Confidence, PublishedMfu};

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
    let v5e: Vec<_> =
        PublishedMfu::all().iter().filter(|row| row.chip == "tpu-v5e" && row.sequence == Some(2048)).collect();
    assert_eq!(v5e.len(), 12);
    for pair in v5e.windows(2).filter(|pair| pair[0].model == pair[1].model) {
        assert!(pair[0].chips < pair[1].chips && pair[0].mfu_percent.value > pair[1].mfu_percent.value);
    }
}

#[test]
fn rows_that_contradict_themselves_are_not_in_the_table() {
    for model in ["52B", "1024B", "480B", "Llama 3.1 405B"] {
        assert!(PublishedMfu::all().iter().all(|row| row.model != model), "{model}");
    }
    // That of 512 chips contradicts its tokens per second; a table of whole percents has none, and fits nothing.
    for row in PublishedMfu::all().iter().filter(|row| row.model == "Llama 2 70B") {
        assert!(row.chips != Some(512) && row.mfu_percent.confidence == Confidence::Medium);
    }
}

#[test]
fn what_is_not_verified_has_low_confidence() {
    let low: Vec<_> = PublishedMfu::all()
        .iter()
        .filter(|row| row.mfu_percent.confidence == Confidence::Low)
        .map(|row| row.model)
        .collect();
    assert_eq!(low, ["GPT-3", "Gopher", "MT-NLG"]);
}
