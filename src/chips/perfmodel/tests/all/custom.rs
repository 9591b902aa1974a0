//! Tests of a custom chip: set values count, other values stay as published, and nothing is guessed.

use perfmodel::CustomValue::{Arrays, Bandwidth, Capacity, Clock, Cols, Peak, Power, Price, Rows};
use perfmodel::GemmSizes;
use perfmodel::PeakDtype::{Bf16, F16, Int8};
use perfmodel::gemm_time::{GemmTime, calibration};
use perfmodel::{
    Chip, Confidence, CustomValue, CustomValues, Evidence, Links, MfuModel, MfuRefusal, Missing, Per, PriceKind,
    RunSetting,
};

fn with(values: &[(CustomValue, f64)]) -> CustomValues {
    let mut own = CustomValues::default();
    for (which, value) in values {
        own.set(*which, Some(*value)).expect("allowed");
    }
    own
}

fn chip(id: &str) -> &'static Chip {
    Chip::by_id(id).expect("the chip exists")
}

const PRODUCT: GemmSizes = GemmSizes { m: 4096, k: 4096, n: 4096 };

#[test]
fn a_value_that_is_set_replaces_the_published_one_and_says_whose_it_is() {
    let v5e = chip("tpu-v5e");
    let own = with(&[(Bandwidth, 1200.0), (Price, 0.8), (Power, 170.0), (Capacity, 32.0)]).over(v5e);
    assert_eq!(own.memory.bytes_per_sec(), Some(1200e9));
    assert_eq!(own.memory.bytes(), Some(32e9));
    let price = own.default_price().expect("set");
    assert_eq!((price.kind, price.usd_per_chip_hour.value), (PriceKind::Own, Some(0.8)));
    assert_eq!(own.memory.gb_per_sec.confidence, Confidence::Yours);
    // Values that are not set stay, with their sources.
    assert_eq!(own.peak(Bf16), v5e.peak(Bf16));
    assert_eq!(own.lanes(), v5e.lanes());
    assert_eq!(Links::of(&own).map(|links| links.chip), Some("tpu-v5e"));
}

fn evidence(chip: &Chip) -> Evidence {
    let setting = RunSetting::on(chip);
    MfuModel::shipped().forecast(&setting).evidence()
}

#[test]
fn what_was_measured_on_a_chip_is_borrowed_by_one_with_other_values() {
    let same = CustomValues::default().over(chip("tpu-v6e"));
    assert!(
        matches!(calibration::calibration_of_chip(&same).1, calibration::Basis::Measured(_))
            && evidence(&same) == Evidence::ThisChip
    );
    let own = with(&[(Peak(Bf16), 500.0)]).over(chip("tpu-v6e"));
    assert!(
        matches!(calibration::calibration_of_chip(&own).1, calibration::Basis::Borrowed(one) if one.chip == "tpu-v6e")
    );
    assert_eq!(evidence(&own), Evidence::SameMaker);
    // The fit to TPU v4 applies only to that chip's peak, so it does not apply to custom values.
    let time = |chip: &Chip| GemmTime::new(chip, F16, PRODUCT, Per::Chip).expect("known").total;
    let twice = with(&[(Peak(Bf16), 550.0), (Bandwidth, 2400.0)]).over(chip("tpu-v4"));
    let once = with(&[(Peak(Bf16), 275.0), (Bandwidth, 1200.0)]).over(chip("tpu-v4"));
    assert!(time(&twice).0 < 0.6 * time(&once).0);
}

#[test]
fn the_identity_closes_or_not_on_values_of_ones_own() {
    // One MAC per PE and clock gives 2 · 256 · 256 · 2 · 1750 MHz = 458.752 TFLOPS.
    let geometry = [(Rows, 256.0), (Cols, 256.0), (Arrays, 2.0), (Clock, 1750.0)];
    let at = |tflops: f64| {
        let own = with(&[&geometry[..], &[(Peak(Int8), tflops)]].concat()).over(&Chip::blank());
        own.identity(Int8).expect("all of it is set")
    };
    assert!((at(917.5).computed_tflops - 458.752).abs() < 1e-9);
    assert!(at(917.5).closes && (at(917.5).macs_per_pe_per_clock - 2.0).abs() < 0.001);
    assert!(!at(700.0).closes);
}

#[test]
fn what_is_left_out_is_unknown_and_named() {
    let blank = Chip::blank();
    let refused = |own: &Chip| match GemmTime::new(own, Bf16, PRODUCT, Per::Chip) {
        Err(MfuRefusal::Unknown { missing }) => missing,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&blank), Missing::Peak(Bf16));
    let with_peak = with(&[(Peak(Bf16), 100.0)]).over(&blank);
    assert_eq!(refused(&with_peak), Missing::Bandwidth);
    // Peak and bandwidth suffice for a time. Without rows and columns of the arrays, the tile efficiency stays unknown.
    let both = with(&[(Peak(Bf16), 100.0), (Bandwidth, 1000.0)]).over(&blank);
    let time = GemmTime::new(&both, Bf16, PRODUCT, Per::Chip).expect("both are known");
    assert!(time.eta_tile.is_none() && time.total.0 > PRODUCT.flops() / 100e12);
    assert!(both.default_price().is_none() && both.memory.bytes().is_none() && both.identity(Bf16).is_none());
    // A person can declare a published value unknown.
    let mut none = CustomValues::default();
    none.set(Bandwidth, None).expect("allowed");
    assert_eq!(refused(&none.over(chip("tpu-v5e"))), Missing::Bandwidth);
}

#[test]
fn what_no_chip_can_have_is_refused_and_the_last_setting_counts() {
    let mut own = CustomValues::default();
    for (which, value) in [
        (Rows, 0.0),
        (Rows, 2.5),
        (Cols, 65_537.0),
        (Arrays, f64::NAN),
        (Bandwidth, -1.0),
        (Peak(Bf16), f64::INFINITY),
        (Price, 0.0),
    ] {
        assert!(own.set(which, Some(value)).is_err(), "{which:?} {value}");
    }
    assert!(own.is_empty());
    own.set(Rows, Some(64.0)).expect("allowed");
    own.set(Rows, Some(128.0)).expect("allowed");
    assert_eq!(own.iter().collect::<Vec<_>>(), [(Rows, Some(128.0))]);
}
