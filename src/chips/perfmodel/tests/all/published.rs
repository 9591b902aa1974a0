//! Tests the published runs as shipped.

use perfmodel::{Attention, Chip, Confidence, PublishedMfu, TransformerFlops};

#[test]
fn every_row_names_a_chip_of_the_table_and_is_possible() {
    for row in PublishedMfu::all() {
        assert!(row.chip().is_some(), "{}", row.chip);
        let percent = row.mfu_percent.value.expect("published");
        assert!(percent > 0.0 && percent < 100.0, "{}", row.model);
        assert!(row.full_percent.is_none_or(|percent| percent > 0.0 && percent < 100.0), "{}", row.model);
        assert!(row.hfu_percent.is_none_or(|hfu| hfu >= percent), "{}: recomputation only adds", row.model);
        assert!(row.mfu_percent.source.citation().len() > 20);
        assert!((2017..=2026).contains(&row.year), "{}", row.model);
    }
}

#[test]
fn the_full_count_is_the_published_count_with_full_attention() {
    let mut recounted = 0;
    for row in PublishedMfu::all() {
        let Some((attention, full)) = row.attention.zip(row.full_percent) else { continue };
        let printed = row.mfu_percent.value.expect("published");
        if attention == Attention::Full {
            // In some sources, the printed number is rounded, or counts all parameters instead of the parameters of
            // matmuls.
            assert!((full / printed - 1.0).abs() < 0.08, "{} {printed} {full}", row.model);
            continue;
        }
        let dimensions = row.parameters.zip(row.layers).zip(row.width).zip(row.sequence);
        let Some((((matmul_parameters, layers), heads), sequence)) = dimensions else { continue };
        let model = TransformerFlops { matmul_parameters, layers, heads, head_size: 1 };
        let expected = model.recount(printed, sequence.into(), Attention::Causal, Attention::Full);
        // Layers with a window have fewer scores than the formula counts.
        let has_windows = ["Gemma 4", "GPT OSS"].iter().any(|name| row.model.starts_with(name));
        assert!(full < expected * 1.01, "{} {printed}: {full} {expected}", row.model);
        assert!(has_windows || full > expected * 0.99, "{} {printed}: {full} {expected}", row.model);
        recounted += 1;
    }
    assert!(recounted > 20, "{recounted}");
}

#[test]
fn more_pods_never_raise_the_mfu_of_a_model() {
    let v5e: Vec<_> = PublishedMfu::all().iter().filter(|row| row.publication() == "maxtext-v5e").collect();
    assert_eq!(v5e.len(), 24);
    for pair in v5e.windows(2).filter(|pair| pair[0].model == pair[1].model) {
        assert!(pair[0].chips < pair[1].chips && pair[0].mfu_percent.value > pair[1].mfu_percent.value);
    }
}

#[test]
fn the_highest_and_the_lowest_run_of_a_chip_are_in_16_bits() {
    for (chip, lowest, highest) in [("tpu-7x", 16.18, 54.68), ("h100-sxm", 26.34, 54.7)] {
        let found = [PublishedMfu::lowest_on(chip), PublishedMfu::highest_on(chip)];
        assert_eq!(found.map(|row| row.and_then(|row| row.mfu_percent.value)), [Some(lowest), Some(highest)], "{chip}");
    }
    assert!(PublishedMfu::highest_on("gaudi2").is_none(), "all runs are in fp8");
}

#[test]
fn what_is_not_verified_has_low_confidence() {
    let low = PublishedMfu::all().iter().filter(|row| row.mfu_percent.confidence == Confidence::Low);
    assert_eq!(low.map(|row| row.model).collect::<Vec<_>>(), ["GPT-3", "Gopher", "MT-NLG"]);
}

#[test]
fn the_nearest_runs_are_on_the_chip_and_of_different_models() {
    let run = PublishedMfu::verified_on("h100-sxm").find(|row| row.model == "Llama 3 405B").expect("listed");
    let setting = run.setting().expect("listed");
    let nearest = PublishedMfu::nearest(&setting, 5);
    assert_eq!((nearest.len(), nearest[0].model), (5, "Llama 3 405B"));
    for (at, row) in nearest.iter().enumerate() {
        assert_eq!(row.chip, "h100-sxm");
        assert!(nearest[..at].iter().all(|other| (other.model, other.publication()) != (row.model, row.publication())));
    }
    let own = Chip::blank();
    assert!(PublishedMfu::nearest(&perfmodel::RunSetting { chip: &own, ..setting }, 5).is_empty());
}
