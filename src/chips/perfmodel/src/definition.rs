//! Measures of efficiency and cost, each defined once, with its formula and its source.

pub mod scale;

use crate::Source;

/// Explanation of one measure, as shown on the page.
#[derive(Debug)]
pub struct Definition {
    /// Stable name: `mfu`.
    pub id: &'static str,
    /// Name on screen.
    pub name: &'static str,
    /// Formula of the measure.
    pub formula: &'static str,
    /// Meaning of the measure, in one sentence.
    pub says: &'static str,
    /// Effects that the measure leaves out.
    pub leaves_out: &'static str,
    /// Source of the definition.
    pub source: &'static Source,
}

impl Definition {
    /// Name of the measure in the reports of SCALE-Sim 3.0, with any difference between the two definitions. `None` if
    /// the reports do not have the measure.
    pub fn in_scale_sim(&self) -> Option<&'static str> {
        match self.id {
            "mapping-efficiency" => Some("Mapping Efficiency %, with the same definition."),
            "utilization" => Some("Overall Util %, whose denominator has one cycle less than the run."),
            _ => None,
        }
    }

    /// Every definition: first the measures of one array, then the measures of models on chips.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        DEFINITIONS.into_iter().chain(scale::DEFINITIONS)
    }

    /// The definition with this id.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all().find(|definition| definition.id == id)
    }
}

/// Mapping efficiency of a fold (occupancy).
pub static OCCUPANCY: Definition = Definition {
    id: "occupancy",
    name: "Mapping efficiency of a fold",
    formula: "PEs with work in a fold ÷ (R · C)",
    says: "Share of the PEs that one fold uses.",
    leaves_out: "Time: a PE that the fold uses can still wait for data.",
    source: &SCALE_SIM,
};

/// Mapping efficiency.
pub static MAPPING_EFFICIENCY: Definition = Definition {
    id: "mapping-efficiency",
    name: "Mapping efficiency",
    formula: "K ÷ (⌈K/R⌉ · R) · N ÷ (⌈N/C⌉ · C), weight-stationary",
    says: "Share of the PEs that a fold uses, averaged over all folds.",
    leaves_out: "Time to load, fill and drain the array.",
    source: &SCALE_SIM,
};

/// Utilization.
pub static UTILIZATION: Definition = Definition {
    id: "utilization",
    name: "Utilization",
    formula: "useful MACs ÷ (R · C · cycles)",
    says: "Share of all PE-cycles in which a PE does a useful multiplication.",
    leaves_out: "Memory outside the array. Padding in the neural network is also left out: padded tokens count as useful.",
    source: &SCALE_SIM,
};

/// Duty cycle.
pub static DUTY_CYCLE: Definition = Definition {
    id: "duty-cycle",
    name: "Duty cycle",
    formula: "time busy ÷ time",
    says: "Share of the time in which the accelerator is active. Cloud dashboards show this measure.",
    leaves_out: "The kind of activity: an accelerator that multiplies padding is counted as active.",
    source: &GCP_DUTY_CYCLE,
};

/// Model FLOPs utilization (MFU).
pub static MFU: Definition = Definition {
    id: "mfu",
    name: "MFU",
    formula: "model FLOPs ÷ (peak FLOP/s · time)",
    says: "Model FLOPs utilization: the share of the peak FLOP/s that was used for arithmetic of the model itself.",
    leaves_out: "Padding and recomputation, which are not counted as work. The time for padding, recomputation, memory and launch is counted. Always state the format of the peak.",
    source: &PALM,
};

/// Hardware FLOPs utilization (HFU).
pub static HFU: Definition = Definition {
    id: "hfu",
    name: "HFU",
    formula: "executed FLOPs ÷ (peak FLOP/s · time)",
    says: "Share of the peak FLOP/s that was used for all executed arithmetic, recomputation included. HFU is never below MFU.",
    leaves_out: "The usefulness of the work: recomputing activations raises HFU but not MFU.",
    source: &PALM,
};

/// MFU of the array on screen.
pub static ARRAY_MFU: Definition = Definition {
    id: "array-mfu",
    name: "MFU of this array",
    formula: "useful multiplications ÷ (R · C · cycles · passes)",
    says: "Share of the array's peak that was used for useful multiplications.",
    leaves_out: "Memory and launch of a chip, unless the array on screen waits for them. Padding in the neural network counts as useful.",
    source: &PALM,
};

/// Cost of useful multiplications on the array on screen.
pub static ARRAY_USD: Definition = Definition {
    id: "array-usd-per-1e18",
    name: "$ per 10¹⁸ useful multiplications",
    formula: "price per chip-hour ÷ (peak ÷ 2 · 3600 s) · 10¹⁸ ÷ MFU of this array",
    says: "Price of the PE-cycles of this run for each useful multiplication. A price per chip-hour pays for every PE in every cycle.",
    leaves_out: "Memory and launch of a chip, unless the array on screen waits for them. Storage, network and people are also left out.",
    source: &ARITHMETIC,
};

/// Time of the run on the array on screen.
pub static ARRAY_TIME: Definition = Definition {
    id: "array-time",
    name: "Time of this array",
    formula: "cycles · passes · 2 · PEs of the chip ÷ peak",
    says: "Time of the cycles on screen if each PE multiplies as often per second as a PE of the chip at its peak. A format with twice the peak takes half the time per cycle.",
    leaves_out: "Memory and launch of a chip, unless the array on screen waits for them.",
    source: &ARITHMETIC,
};

/// Arithmetic intensity.
pub static ARITHMETIC_INTENSITY: Definition = Definition {
    id: "arithmetic-intensity",
    name: "Arithmetic intensity",
    formula: "2 · M · N · K ÷ (in · (M·K + K·N) + out · M·N)",
    says: "Operations per byte that moves between memory and chip.",
    leaves_out: "Operand re-reads: every element is counted once, but tiling can move an element several times.",
    source: &ROOFLINE,
};

/// Ridge point.
pub static RIDGE_POINT: Definition = Definition {
    id: "ridge-point",
    name: "Ridge point",
    formula: "peak FLOP/s ÷ memory bytes/s",
    says: "Arithmetic intensity above which a matmul is limited by compute, not by memory.",
    leaves_out: "Practical limits: real matmuls reach neither the peak nor the full bandwidth.",
    source: &ROOFLINE,
};

/// $ per useful PFLOP-hour.
pub static USD_PER_USEFUL_PFLOP_HOUR: Definition = Definition {
    id: "usd-per-useful-pflop-hour",
    name: "$ per useful PFLOP-hour",
    formula: "price per chip-hour ÷ (peak in PFLOPS · MFU)",
    says: "Price of 10¹⁵ useful FLOP/s for one hour.",
    leaves_out: "Storage, network, people, discounts, and hosts that are billed separately.",
    source: &ARITHMETIC,
};

/// Cost of useful multiplications on a chip.
pub static USD_PER_1E18: Definition = Definition {
    id: "usd-per-1e18",
    name: "$ per 10¹⁸ useful multiplications on the chip",
    formula: "price per chip-hour ÷ (peak ÷ 2 · 3600 s) · 10¹⁸ ÷ MFU",
    says: "Price of the whole chip during this matmul, for each useful multiplication.",
    leaves_out: "Storage, network, people, discounts, and hosts that are billed separately.",
    source: &ARITHMETIC,
};

/// $ for this run.
pub static USD_PER_RUN: Definition = Definition {
    id: "usd-per-run",
    name: "$ for this run",
    formula: "time on the chip ÷ 3600 · price per chip-hour",
    says: "Price of the whole chip for the time of this matmul.",
    leaves_out: "The time before and after the matmul, storage, network, people, discounts, and hosts that are billed separately.",
    source: &ARITHMETIC,
};

/// Definitions of all measures of one array, from mapping efficiency to cost. Each definition is a separate static, so
/// that a program contains only the definitions that it uses.
pub static DEFINITIONS: [&Definition; 14] = [
    &OCCUPANCY,
    &MAPPING_EFFICIENCY,
    &UTILIZATION,
    &DUTY_CYCLE,
    &MFU,
    &HFU,
    &ARRAY_MFU,
    &ARRAY_USD,
    &ARRAY_TIME,
    &ARITHMETIC_INTENSITY,
    &RIDGE_POINT,
    &USD_PER_USEFUL_PFLOP_HOUR,
    &USD_PER_1E18,
    &USD_PER_RUN,
];

static SCALE_SIM: Source = Source {
    key: "scale-sim",
    text: "SCALE-Sim 3.0.0 reports: mapping efficiency (used PEs ÷ all PEs, mean over folds) and overall utilization",
};
static GCP_DUTY_CYCLE: Source = Source {
    key: "gcp-duty-cycle",
    text: "Google Cloud metric tpu.googleapis.com/accelerator/duty_cycle: share of the time in which the accelerator was processing",
};
pub(crate) static PALM: Source = Source {
    key: "palm",
    text: "Chowdhery et al., PaLM, 2022, Appendix B: model FLOPs utilization and hardware FLOPs utilization",
};
static ROOFLINE: Source =
    Source { key: "roofline", text: "Williams, Waterman and Patterson, Roofline, Communications of the ACM, 2009" };
static ARITHMETIC: Source = Source {
    key: "arithmetic",
    text: "Arithmetic with the inputs of the formula; published inputs, such as prices and peaks, have their own sources",
};

#[cfg(test)]
mod tests {
    use super::{DEFINITIONS, Definition};

    #[test]
    fn every_measure_says_what_it_leaves_out_and_who_defines_it() {
        for one in DEFINITIONS {
            let texts =
                [one.id, one.name, one.formula, one.says, one.leaves_out, one.source.key, one.source.citation()];
            assert!(texts.iter().all(|text| !text.is_empty()), "{}", one.id);
            assert!(one.says.ends_with('.') && one.leaves_out.ends_with('.'), "{}", one.id);
        }
    }

    #[test]
    fn ids_are_unique_and_found() {
        for one in DEFINITIONS {
            assert_eq!(Definition::by_id(one.id).map(|found| found.name), Some(one.name));
        }
        assert!(Definition::by_id("ops").is_none());
    }
}
