//! Structure of the chip data file. Serde rejects any other structure and reports the line.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Defines enums whose values are names: the variant for the generated code, and the name in the data files. The tables
/// list values in the order of the variants.
macro_rules! names {
    ($($(#[$about:meta])* $kind:ident { $($variant:ident = $name:literal),* $(,)? })*) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
        pub(super) enum $kind { $(#[serde(rename = $name)] $variant),* }
    )*};
}
pub(super) use names;

names! {
    /// Confidence in a value.
    Confidence { High = "high", Medium = "medium", Low = "low" }

    /// Format of a peak rate.
    Peak {
        Bf16 = "bf16", F16 = "fp16", F32 = "fp32", Tf32 = "tf32", Fp8 = "fp8", Fp4 = "fp4", Int16 = "int16",
        Int8 = "int8", Int4 = "int4",
    }

    Fp8 { E4m3 = "e4m3", E4m3fn = "e4m3fn", E4m3b11fnuz = "e4m3b11fnuz" }

    /// Kind of a power figure.
    Power {
        Tdp = "tdp", Mean = "mean", Min = "min", Max = "max", Busy = "busy",
        SystemPerChip = "system_per_chip",
    }

    Unit { Gb = "GB", Gib = "GiB" }

    PriceKind {
        OnDemand = "on-demand", Spot = "spot", Preemptible = "preemptible", ReservedOneYear = "1y-reserved",
        ReservedThreeYears = "3y-reserved", CapacityBlock = "capacity-block",
    }

    /// Unit that the number in a slice's name counts.
    SliceNumber { Core = "cores", Chip = "chips" }
}

/// Chip data file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    /// Description of the file for its readers.
    #[serde(rename = "about")]
    _about: String,
    /// Date on which prices and links were looked up, for example `2026-11-21`.
    pub(super) as_of: String,
    /// Descriptions of the sources, by key.
    pub(super) sources: BTreeMap<String, String>,
    pub(super) chips: Vec<Chip>,
}

/// A value with its source. The value is `null` if a search found no published value.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cited<T> {
    #[serde(deserialize_with = "present", bound(deserialize = "T: Deserialize<'de>"))]
    pub(super) value: Option<T>,
    /// Key of the source in [`Data::sources`].
    pub(super) source: String,
    pub(super) confidence: Confidence,
    pub(super) note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chip {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) vendor: String,
    pub(super) year: Cited<u64>,
    pub(super) compute: Compute,
    pub(super) clock_mhz: Cited<f64>,
    pub(super) peak_tflops: BTreeMap<Peak, Cited<f64>>,
    /// Format of the chip's fp8 peak: an 8-bit float with 4 exponent bits.
    pub(super) fp8_format: Option<Cited<Fp8>>,
    /// Format that the chip uses for multiplication instead of fp16.
    pub(super) fp16_as: Option<Cited<Peak>>,
    pub(super) memory: Memory,
    pub(super) power_watts: BTreeMap<Power, Cited<f64>>,
    pub(super) pod_chips: Cited<u64>,
    pub(super) prices: Vec<Price>,
    pub(super) network: Option<Network>,
    // No part of the page reads these yet.
    #[serde(default)]
    pub(super) on_chip: BTreeMap<String, Cited<Value>>,
    #[serde(default)]
    pub(super) best_measured_tflops: BTreeMap<String, Cited<Value>>,
    pub(super) published_cycle_model: Option<Cited<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Compute {
    TensorCores(TensorCores),
    Arrays(Box<Arrays>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TensorCores {
    pub(super) tensor_cores: Cited<u64>,
    pub(super) fma_per_clock: Cited<u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arrays {
    pub(super) rows: Cited<u64>,
    pub(super) cols: Cited<u64>,
    pub(super) units_per_core: Cited<u64>,
    pub(super) cores: Cited<u64>,
    pub(super) dataflow: Cited<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Memory {
    pub(super) kind: String,
    #[serde(default)]
    pub(super) holds_only_weights: bool,
    pub(super) unit: Unit,
    pub(super) capacity: Cited<f64>,
    pub(super) gb_per_sec: Cited<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Price {
    pub(super) kind: PriceKind,
    #[serde(deserialize_with = "present")]
    pub(super) usd_per_chip_hour: Option<f64>,
    #[serde(deserialize_with = "present")]
    pub(super) region: Option<String>,
    #[serde(deserialize_with = "present")]
    pub(super) date: Option<String>,
    pub(super) source: String,
    pub(super) confidence: Confidence,
    pub(super) note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Network {
    pub(super) topology: Option<Cited<String>>,
    /// Description of the network, used instead of a topology if no rate is known.
    pub(super) summary: Option<Cited<String>>,
    pub(super) links: Option<Cited<u64>>,
    pub(super) gb_per_sec_per_link_one_way: Option<Cited<f64>>,
    pub(super) gb_per_sec_one_way: Option<Cited<f64>>,
    pub(super) gb_per_sec_both_ways: Option<Cited<f64>>,
    pub(super) nvlink_gb_per_sec_one_way: Option<Cited<f64>>,
    pub(super) nvlink_gb_per_sec_both_ways: Option<Cited<f64>>,
    pub(super) node_gb_per_sec_out: Option<Cited<f64>>,
    /// Networks between nodes, the default first: name, and GB/s out of a node.
    #[serde(default)]
    pub(super) networks: Vec<(String, Cited<f64>)>,
    /// Axes of the torus that have wraparound links.
    pub(super) ring_axes: Option<Cited<RingAxes>>,
    pub(super) slice_names: Option<SliceNames>,
    // No part of the page reads these yet.
    pub(super) reconfigure: Option<Cited<Value>>,
    pub(super) tbit_per_sec_total: Option<Cited<Value>>,
    pub(super) all_reduce_gb_per_sec_measured: Option<Cited<Value>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "its Debug writes the numbers into the table")]
pub(super) enum RingAxes {
    Only(u32),
    MultiplesOf(u32),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SliceNames {
    /// Prefixes before the number in a slice's name, such as `v5e`.
    pub(super) prefixes: Vec<String>,
    /// Unit that the number in a slice's name counts: cores or chips.
    pub(super) number: Cited<SliceNumber>,
}

/// Reads a field that may be `null` but must be present. By default, serde also accepts a missing field.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    Option::deserialize(from)
}
