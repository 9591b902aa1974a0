//! Tests of the chip table as shipped: complete, with sources, and without guesses.

use std::collections::BTreeMap;

use perfmodel::PeakDtype::{Bf16, Fp8, Int8};
use perfmodel::definition::{DEFINITIONS, scale};
use perfmodel::{AS_OF, Chip, Compute, Confidence, Links, Price, PublishedMfu, Source, Sourced};

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("the chip exists")
}

/// Returns the source of a value, the confidence, and true if the value is known.
fn origin<T>(value: &Sourced<T>) -> (&'static Source, Confidence, bool) {
    (value.source, value.confidence, value.value.is_some())
}

/// Returns the [`origin`] of every value of a chip.
fn origins(chip: &'static Chip) -> Vec<(&'static Source, Confidence, bool)> {
    let mut all = vec![origin(&chip.year), origin(&chip.clock_mhz), origin(&chip.pod_chips)];
    all.extend([origin(&chip.memory.capacity), origin(&chip.memory.gb_per_sec)]);
    all.extend(chip.peaks.iter().map(|(_, value)| origin(value)));
    all.extend(chip.power_watts.iter().map(|(_, value)| origin(value)));
    all.extend(chip.prices.iter().map(|price| origin(&price.usd_per_chip_hour)));
    match &chip.compute {
        Compute::Arrays { rows, cols, units_per_core, cores, dataflow } => {
            all.extend([rows, cols, units_per_core, cores].map(origin));
            all.push(origin(dataflow));
        }
        Compute::TensorCores { count, fma_per_clock } => all.extend([count, fma_per_clock].map(origin)),
        Compute::Unknown(nothing) => all.push(origin(nothing)),
    }
    all
}

#[test]
fn the_ids_are_those_that_links_use() {
    let ids: Vec<_> = Chip::all().iter().map(|chip| chip.id).collect();
    let expected = "tpu-v1 tpu-v2 tpu-v3 tpu-v4i tpu-v4 tpu-v5e tpu-v5p tpu-v6e tpu-7x tpu-8t tpu-8i \
                    v100 a100-40 a100-80 h100-sxm h800-sxm h200-sxm b200-sxm b300-sxm gb200 gb300 l40s rtx-4090 \
                    rtx-5090 rtx-a6000 l4 t4 trainium1 trainium2 trainium3 gaudi2 gaudi3 mi250x mi300x mi325x mi355x";
    assert_eq!(ids.join(" "), expected);
    for id in ids {
        assert_eq!(chip(id).id, id);
    }
    assert!(Chip::by_id("TPU-v4").is_none());
}

#[test]
fn every_value_has_a_source_with_a_text_and_no_two_sources_share_a_key() {
    let mut texts = BTreeMap::new();
    let sources = Chip::all().iter().flat_map(origins).map(|(source, ..)| source);
    let links = Links::all().iter().flat_map(|links| links.rates).map(|(_, rate)| rate.source);
    let published = PublishedMfu::all().iter().map(|row| row.mfu_percent.source);
    let defined = DEFINITIONS.iter().chain(&scale::DEFINITIONS).map(|definition| definition.source);
    for source in sources.chain(links).chain(published).chain(defined) {
        assert!(!source.key.is_empty() && source.citation().len() > 20, "{source:?}");
        assert_eq!(texts.entry(source.key).or_insert(source.citation()), &source.citation(), "{}", source.key);
    }
    assert!(texts.len() > 20);
}

#[test]
fn every_price_and_every_source_has_a_date() {
    let is_dated = |text: &str| text.split(|c: char| !c.is_ascii_digit()).any(|year| ("2015".."2030").contains(&year));
    for chip in Chip::all() {
        for price in chip.prices.iter() {
            assert!(price.date.is_some_and(is_dated), "{}: {price:?}", chip.id);
        }
        for (source, ..) in origins(chip) {
            let is_of_this_table = ["infer", "not-found"].contains(&source.key);
            assert!(is_of_this_table || is_dated(source.citation()), "{}: {source:?}", chip.id);
        }
    }
}

#[test]
fn the_default_price_of_each_chip_is_the_one_that_docs_promise() {
    // These prices were read by hand from the price lists. A chip that is not in this list has no price.
    let expected = "tpu-v2 $1.125 us-central1, tpu-v3 $2 us-central1, tpu-v4 $3.22 us-central2, \
                    tpu-v5e $1.2 us-central1, tpu-v5p $4.2 us-east1, tpu-v6e $2.7 us-east1/us-east5, \
                    tpu-7x $12 us-central1, v100 $3.06 us-east-1, a100-40 $2.7447 us-east-1, \
                    a100-80 $3.43088 us-east-1, h100-sxm $6.88 us-east-1, h200-sxm $7.912 us-east-1, \
                    b200-sxm $14.2416 us-east-1, b300-sxm $17.802 us-east-1/us-west-2, gb200 $10.5 coreweave, \
                    gb300 $18 oracle, l40s $3.7664 us-east-1, rtx-4090 $0.74 runpod, rtx-5090 $0.99 runpod, \
                    rtx-a6000 $1.28 coreweave, l4 $0.8048 us-east-1, t4 $0.526 us-east-1, \
                    trainium1 $1.34375 us-east-1, trainium2 $2.235 us-east-2/ap-south-2, \
                    mi300x $6 azure eastus2/westus3, mi325x $3.8 digitalocean, mi355x $8.6 oracle";
    let defaults = Chip::all().iter().filter_map(|chip| {
        let price = chip.default_price()?;
        let (usd, region) = (price.usd_per_chip_hour.value.expect("known"), price.region.expect("named"));
        // Google and AWS name a region of the United States like `us-east1`.
        let is_of_google_or_aws = |price: &&Price| price.region.is_some_and(|region| region.starts_with("us-"));
        let on_demand = chip.prices.iter().filter(|price| price.is_on_demand());
        let is_first_choice =
            on_demand.filter(|price| price.usd_per_chip_hour.value.is_some()).any(|price| is_of_google_or_aws(&price));
        assert!(!is_first_choice || is_of_google_or_aws(&price), "{}", chip.id);
        Some(format!("{} ${usd} {region}", chip.id))
    });
    assert_eq!(defaults.collect::<Vec<_>>().join(", "), expected);
}

#[test]
fn confidence_agrees_with_the_source() {
    for chip in Chip::all() {
        for (source, confidence, known) in origins(chip) {
            if source.key == "not-found" {
                assert!(!known && confidence == Confidence::Low, "{}: a value cannot come from nowhere", chip.id);
            }
            if source.key == "infer" {
                assert!(confidence < Confidence::High, "{}: what is derived here is not first-hand", chip.id);
            }
        }
    }
}

#[test]
fn known_numbers_are_above_zero_and_each_dtype_is_listed_once() {
    for chip in Chip::all() {
        let numbers = chip.peaks.iter().map(|(_, value)| value.value);
        let numbers = numbers.chain(chip.power_watts.iter().map(|(_, value)| value.value));
        let numbers = numbers.chain(chip.prices.iter().map(|price| price.usd_per_chip_hour.value));
        let mut numbers = numbers.chain([chip.clock_mhz.value, chip.memory.bytes(), chip.memory.bytes_per_sec()]);
        assert!(numbers.all(|number| number.is_none_or(|number| number > 0.0)), "{}", chip.id);
        assert!(chip.peaks.windows(2).all(|pair| pair[0].0 < pair[1].0), "{}", chip.id);
    }
}

#[test]
fn what_was_never_published_is_none() {
    // TPU7x lists no int8 rate. v6e and later chips have no published clock. The price cells of Trainium2 are empty.
    assert_eq!(chip("tpu-7x").peak(Int8).map(|peak| peak.value), Some(None));
    for id in ["tpu-v6e", "tpu-7x", "tpu-8t", "tpu-8i"] {
        assert_eq!(chip(id).clock_mhz.value, None, "{id}");
    }
    assert_eq!(chip("trainium2").prices[0].usd_per_chip_hour.value, None);
    for id in ["tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-7x", "tpu-8t", "tpu-8i", "trainium1", "trainium2"] {
        let tdp = chip(id).power_watts.iter().find(|(kind, _)| kind.word() == "TDP");
        assert_eq!(tdp.map(|(_, watts)| watts.value), Some(None), "{id}");
    }
    // No maker of a TPU publishes an f32 peak, so the table has no entry at all.
    let tpus = Chip::all().iter().filter(|chip| chip.vendor == "Google");
    assert!(tpus.flat_map(|chip| chip.peaks.iter()).all(|(dtype, _)| dtype.word() != "f32"));
}

#[test]
fn narrow_dtypes_are_not_always_faster() {
    // int8 gains nothing on v4, and doubles the rate on v5e. fp8 gains nothing on v5p and v6e, and doubles the rate on
    // TPU7x and H100.
    for (id, dtype, rate) in [
        ("tpu-v4", Int8, 1.0),
        ("tpu-v5e", Int8, 2.0),
        ("tpu-v5p", Fp8, 1.0),
        ("tpu-v6e", Fp8, 1.0),
        ("tpu-7x", Fp8, 2.0),
        ("h100-sxm", Fp8, 2.0),
        ("gaudi3", Fp8, 1.0),
    ] {
        let narrow = chip(id).peak_flops(dtype).expect(id).0 / chip(id).peak_flops(Bf16).expect(id).0;
        assert!((narrow - rate).abs() < 0.01, "{id}: {narrow}");
    }
}

#[test]
fn memory_keeps_the_unit_of_its_document() {
    assert_eq!(chip("tpu-v4").memory.bytes(), Some(32.0 * 1024.0 * 1024.0 * 1024.0));
    assert_eq!(chip("tpu-v5e").memory.bytes(), Some(16.0 * 1024.0 * 1024.0 * 1024.0));
    assert_eq!(chip("gaudi2").memory.bytes(), Some(96e9));
    assert_eq!([chip("tpu-v5e"), chip("gaudi2")].map(|chip| chip.memory.unit.word()), ["GiB", "GB"]);
}

#[test]
fn the_table_says_when_it_was_checked() {
    assert_eq!(AS_OF, "2026-11-27");
}
