//! The words for efficiency and cost, each defined once, with its formula and its source.

pub mod scale;

use crate::Source;

/// One measure as the page explains it.
#[derive(Debug)]
pub struct Definition {
    /// Stable name: `mfu`.
    pub id: &'static str,
    /// Name on screen.
    pub name: &'static str,
    /// How it is worked out.
    pub formula: &'static str,
    /// What it says, in one sentence.
    pub says: &'static str,
    /// What it does not see.
    pub leaves_out: &'static str,
    /// Who defines it so.
    pub source: &'static Source,
}

impl Definition {
    /// What SCALE-Sim 3.0 calls it in its reports, and what is different there.
    pub fn in_scale_sim(&self) -> Option<&'static str> {
        match self.id {
            "mapping-efficiency" => Some("Mapping Efficiency %, the same."),
            "utilization" => Some("Overall Util %, over one cycle less than the run takes."),
            _ => None,
        }
    }

    /// Every definition: those of one array, then those of models on chips.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        DEFINITIONS.into_iter().chain(scale::DEFINITIONS)
    }

    /// The definition with this id.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all().find(|definition| definition.id == id)
    }
}

/// Occupancy.
pub static OCCUPANCY: Definition = Definition {
    id: "occupancy",
    name: "Occupancy",
    formula: "PEs with work in a fold ÷ (R · C)",
    says: "How much of the array one fold of the problem covers.",
    leaves_out: "Time: a covered PE may still wait for data.",
    source: &SCALE_SIM,
};

/// Mapping efficiency.
pub static MAPPING_EFFICIENCY: Definition = Definition {
    id: "mapping-efficiency",
    name: "Mapping efficiency",
    formula: "K ÷ (⌈K/R⌉ · R) · N ÷ (⌈N/C⌉ · C), weight-stationary",
    says: "Occupancy averaged over all folds: the share of PEs that have a part of the problem.",
    leaves_out: "Loading, filling and draining.",
    source: &SCALE_SIM,
};

/// Utilization.
pub static UTILIZATION: Definition = Definition {
    id: "utilization",
    name: "Utilization",
    formula: "useful MACs ÷ (R · C · cycles)",
    says: "The share of the array's MAC slots that did work of the matrix product, over all cycles.",
    leaves_out: "Memory outside the array, and whether the model needed those rows: padded tokens count as useful.",
    source: &SCALE_SIM,
};

/// Duty cycle.
pub static DUTY_CYCLE: Definition = Definition {
    id: "duty-cycle",
    name: "Duty cycle",
    formula: "time busy ÷ time",
    says: "How long the unit was busy, as cloud dashboards show it.",
    leaves_out: "What it was busy with: multiplying padding counts in full.",
    source: &GCP_DUTY_CYCLE,
};

/// MFU.
pub static MFU: Definition = Definition {
    id: "mfu",
    name: "MFU",
    formula: "model FLOPs ÷ (peak FLOP/s · time)",
    says: "How much of the peak went into arithmetic the model itself calls for.",
    leaves_out: "Padding and recomputation do not count as work; their time does, and so does that of memory and launch. State the format of the peak with it.",
    source: &PALM,
};

/// HFU.
pub static HFU: Definition = Definition {
    id: "hfu",
    name: "HFU",
    formula: "executed FLOPs ÷ (peak FLOP/s · time)",
    says: "How much of the peak was used at all, recomputation included; never below MFU.",
    leaves_out: "Whether the model called for the work: recomputing activations raises HFU but not MFU.",
    source: &PALM,
};

/// Arithmetic intensity.
pub static ARITHMETIC_INTENSITY: Definition = Definition {
    id: "arithmetic-intensity",
    name: "Arithmetic intensity",
    formula: "2 · M · N · K ÷ (in · (M·K + K·N) + out · M·N)",
    says: "How much arithmetic each byte from memory pays for.",
    leaves_out: "Rereads: every element is taken to cross once, and tiling may move more.",
    source: &ROOFLINE,
};

/// Ridge point.
pub static RIDGE_POINT: Definition = Definition {
    id: "ridge-point",
    name: "Ridge point",
    formula: "peak FLOP/s ÷ memory bytes/s",
    says: "The intensity a product needs before the arithmetic, not the memory, is the limit.",
    leaves_out: "That neither peak nor bandwidth is reached in practice.",
    source: &ROOFLINE,
};

/// $ per useful PFLOP-hour.
pub static USD_PER_USEFUL_PFLOP_HOUR: Definition = Definition {
    id: "usd-per-useful-pflop-hour",
    name: "$ per useful PFLOP-hour",
    formula: "price per chip-hour ÷ (peak in PFLOPS · MFU)",
    says: "What 10¹⁵ useful FLOP/s cost for an hour.",
    leaves_out: "Hosts priced apart, storage, network, people and discounts.",
    source: &ARITHMETIC,
};

/// $ for this run.
pub static USD_PER_RUN: Definition = Definition {
    id: "usd-per-run",
    name: "$ for this run",
    formula: "time on the chip ÷ 3600 · price per chip-hour",
    says: "What the whole chip costs while it runs this one product.",
    leaves_out: "The time before and after it, hosts priced apart, storage, network, people and discounts.",
    source: &ARITHMETIC,
};

/// All measures, from one PE to the bill. Each stands alone, so that a page carries only those it shows.
pub static DEFINITIONS: [&Definition; 10] = [
    &OCCUPANCY,
    &MAPPING_EFFICIENCY,
    &UTILIZATION,
    &DUTY_CYCLE,
    &MFU,
    &HFU,
    &ARITHMETIC_INTENSITY,
    &RIDGE_POINT,
    &USD_PER_USEFUL_PFLOP_HOUR,
    &USD_PER_RUN,
];

static SCALE_SIM: Source = Source {
    key: "scale-sim",
    text: "SCALE-Sim 3.0.0 reports: mapping efficiency (used over total PEs, mean over folds) and overall utilization",
};
static GCP_DUTY_CYCLE: Source = Source {
    key: "gcp-duty-cycle",
    text: "Google Cloud metric tpu.googleapis.com/accelerator/duty_cycle: share of time the accelerator was processing",
};
pub(crate) static PALM: Source = Source {
    key: "palm",
    text: "Chowdhery et al., PaLM, 2022, Appendix B: model FLOPs utilization, and hardware FLOPs utilization beside it",
};
static ROOFLINE: Source =
    Source { key: "roofline", text: "Williams, Waterman and Patterson, Roofline, Communications of the ACM, 2009" };
static ARITHMETIC: Source = Source {
    key: "arithmetic",
    text: "Arithmetic on what the formula names; what of it is published, as prices and peaks are, is cited beside it",
};

#[cfg(test)]
mod tests {
    use super::{DEFINITIONS, Definition};

    #[test]
    fn every_measure_says_what_it_leaves_out_and_who_defines_it() {
        for one in DEFINITIONS {
            let texts = [one.id, one.name, one.formula, one.says, one.leaves_out, one.source.key, one.source.text];
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
