//! Definitions for training runs, many chips and total cost. Each definition is a separate static, so that a program
//! contains only the definitions that it uses.

use super::{ARITHMETIC, Definition, PALM};
use crate::Source;

/// FLOPs per token.
pub static FLOPS_PER_TOKEN: Definition = Definition {
    id: "flops-per-token",
    name: "FLOPs per token",
    formula: "6 · N + 12 · L · H · Q · T for training, one third of this sum for inference; causal attention: half of the second term",
    says: "Arithmetic of the model itself, independent of the program that runs the model.",
    leaves_out: "Everything except matmuls. Always state whether attention is counted in full or as causal.",
    source: &PALM,
};

/// Time of a run.
pub static RUN_TIME: Definition = Definition {
    id: "run-time",
    name: "Run time",
    formula: "tokens · FLOPs per token ÷ (chips · peak FLOP/s · MFU)",
    says: "Time of a run at an assumed or measured MFU.",
    leaves_out: "Failures, compilation, waiting for input, and the fall of MFU as chips are added.",
    source: &ARITHMETIC,
};

/// Time of a collective.
pub static COLLECTIVE_TIME: Definition = Definition {
    id: "collective-time",
    name: "Collective time",
    formula: "max(V ÷ (axes · W), hops · 1 µs) for AllGather and ReduceScatter; AllReduce: twice the time; AllToAll: a quarter of V",
    says: "Minimum time to communicate an array of V bytes over rings. W is the bandwidth of one link in bytes/s, the sum of both directions.",
    leaves_out: "Contention and protocol overhead: measured rates are lower, and small transfers reach only a part of the bandwidth.",
    source: &SCALING_BOOK,
};

/// Time of a step.
pub static STEP_TIME: Definition = Definition {
    id: "step-time",
    name: "Step time",
    formula: "(max(own work, communication) + (1 − overlap) · min(own work, communication)) · waiting of stages",
    says: "Time of a step when part of the communication is hidden behind the own work of a chip. In training, this work is the matmuls ÷ their share, which comes from a regression of published runs. The rest is other work, such as the optimizer. In prefill and decode, a factor from measured serving steps follows.",
    leaves_out: "The software of the run, unless you enter your own runs, and everything else in which published runs differ. The interval contains this variation.",
    source: &SCALING_BOOK,
};

/// Critical tokens per chip.
pub static CRITICAL_TOKENS: Definition = Definition {
    id: "critical-tokens-per-chip",
    name: "Critical tokens per chip",
    formula: "peak FLOP/s ÷ (axes · W)",
    says: "Number of tokens per chip that data parallelism needs to be compute-bound. The number also applies to fully sharded weights.",
    leaves_out: "Real rates are below the peak and the link rate. At a lower MFU, fewer tokens are enough.",
    source: &SCALING_BOOK,
};

/// Time added per pod.
pub static SECONDS_PER_POD: Definition = Definition {
    id: "seconds-per-pod",
    name: "Time added per pod",
    formula: "extra time of a step = a + d · pods, a line fitted to published points",
    says: "Time that each additional pod adds to a step in published runs: the slope of a fitted line. The cause is unknown.",
    leaves_out: "All other models, chips and networks. Step times that are predicted from bandwidth grow more slowly, and then level off.",
    source: &MAXTEXT_V5E,
};

/// Checkpoint interval.
pub static CHECKPOINT_INTERVAL: Definition = Definition {
    id: "checkpoint-interval",
    name: "Best checkpoint interval",
    formula: "√(2 · δ · M), with δ the time to save and M the mean time between failures",
    says: "Interval that minimizes the total time for saving and for repeating lost work.",
    leaves_out: "Failures that come in bursts, and checkpoints that overlap with steps.",
    source: &YOUNG,
};

/// Failure overhead.
pub static FAILURE_OVERHEAD: Definition = Definition {
    id: "failure-overhead",
    name: "Failure overhead",
    formula: "δ ÷ T + (T ÷ 2 + R) ÷ M, where δ is the time to save, T the interval, R the time to restart, and M the mean time between failures",
    says: "Time lost to saving, repeated work and restarts, relative to the run time without failures.",
    leaves_out: "Second-order terms: the formula is valid if δ, T and R are short compared with M.",
    source: &YOUNG,
};

/// Mean time between failures (MTBF) of a slice.
pub static SLICE_MTBF: Definition = Definition {
    id: "slice-mtbf",
    name: "Time between failures",
    formula: "mean time between failures of one chip ÷ chips",
    says: "Mean time until any chip of a slice fails.",
    leaves_out: "Failures that affect many chips at once, and preemptions, whose rates are not published.",
    source: &ARITHMETIC,
};

/// Token efficiency.
pub static TOKEN_EFFICIENCY: Definition = Definition {
    id: "token-efficiency",
    name: "Token efficiency",
    formula: "Σ len ÷ Σ padded len",
    says: "Share of computed tokens that are not padding.",
    leaves_out: "Attention, whose waste grows with the square of the row length.",
    source: &ARITHMETIC,
};

/// Attention efficiency.
pub static ATTENTION_EFFICIENCY: Definition = Definition {
    id: "attention-efficiency",
    name: "Attention efficiency",
    formula: "Σ len² ÷ Σ padded²",
    says: "Share of the computed attention scores that belong to two tokens of the same sequence.",
    leaves_out: "Kernels that skip masked scores; a causal mask removes about half of the scores.",
    source: &ARITHMETIC,
};

/// Recompilation overhead.
pub static RECOMPILATION_OVERHEAD: Definition = Definition {
    id: "recompilation-overhead",
    name: "Recompilation overhead",
    formula: "shapes · T_c ÷ (steps · t_s)",
    says: "Compile time relative to the time of useful steps. Each shape is compiled when the shape first occurs.",
    leaves_out: "A compilation cache that persists across runs.",
    source: &ARITHMETIC,
};

/// Energy.
pub static ENERGY: Definition = Definition {
    id: "energy",
    name: "Energy",
    formula: "MACs · e_mac + SRAM bytes · e_sram + DRAM bytes · e_dram + static power · time",
    says: "Energy of arithmetic and of data movement.",
    leaves_out: "Control, clocks, links and cooling. The published energies are for one manufacturing process, not for this chip.",
    source: &HOROWITZ,
};

/// Energy per MAC of a whole chip.
pub static PICOJOULES_PER_MAC: Definition = Definition {
    id: "picojoules-per-mac",
    name: "pJ per MAC of the chip",
    formula: "power ÷ (peak FLOP/s ÷ 2)",
    says: "Energy per MAC if the chip draws its published power at its peak rate.",
    leaves_out: "Real runs, in which chips do not reach this power and the peak rate at the same time. Published power figures are also not comparable: some are limits, some are means, and some are shares of a system's power.",
    source: &ARITHMETIC,
};

/// $ per step.
pub static USD_PER_STEP: Definition = Definition {
    id: "usd-per-step",
    name: "$ per step",
    formula: "price per chip-hour ÷ 3600 · chips · step time",
    says: "Price of one step on all chips.",
    leaves_out: "Failures and compilation.",
    source: &ARITHMETIC,
};

/// $ per million tokens.
pub static USD_PER_MILLION_TOKENS: Definition = Definition {
    id: "usd-per-million-tokens",
    name: "$ per million tokens",
    formula: "price per chip-hour ÷ (3600 · tokens/s per chip) · 10⁶",
    says: "Price of a million tokens at this throughput.",
    leaves_out: "Failures and compilation.",
    source: &ARITHMETIC,
};

/// Total cost of a run.
pub static USD_IN_ALL: Definition = Definition {
    id: "usd-in-all",
    name: "Total cost",
    formula: "chips · hours · price · (1 + failures + recompilation) + egress + porting + energy",
    says: "All costs of one run, line by line.",
    leaves_out: "Storage, support, discounts, and engineers' work other than porting.",
    source: &ARITHMETIC,
};

/// Break-even.
pub static BREAK_EVEN_RUNS: Definition = Definition {
    id: "break-even-runs",
    name: "Runs to break even",
    formula: "engineer-weeks · 40 h · rate ÷ saving per run",
    says: "Number of runs after which porting has paid for itself.",
    leaves_out: "Changes to programs and prices before the break-even point.",
    source: &ARITHMETIC,
};

/// Effective price.
pub static EFFECTIVE_PRICE: Definition = Definition {
    id: "effective-price",
    name: "Effective price",
    formula: "committed: price ÷ share of used hours; spot: price · (1 + failure overhead)",
    says: "Price of a chip-hour of run time, including unused hours of committed capacity or failures of spot capacity.",
    leaves_out: "Availability of capacity.",
    source: &ARITHMETIC,
};

/// All definitions of this module, from the arithmetic to the cost.
pub static DEFINITIONS: [&Definition; 19] = [
    &FLOPS_PER_TOKEN,
    &RUN_TIME,
    &COLLECTIVE_TIME,
    &STEP_TIME,
    &CRITICAL_TOKENS,
    &SECONDS_PER_POD,
    &CHECKPOINT_INTERVAL,
    &FAILURE_OVERHEAD,
    &SLICE_MTBF,
    &TOKEN_EFFICIENCY,
    &ATTENTION_EFFICIENCY,
    &RECOMPILATION_OVERHEAD,
    &ENERGY,
    &PICOJOULES_PER_MAC,
    &USD_PER_STEP,
    &USD_PER_MILLION_TOKENS,
    &USD_IN_ALL,
    &BREAK_EVEN_RUNS,
    &EFFECTIVE_PRICE,
];

pub(crate) static MAXTEXT_V5E: Source = Source {
    key: "maxtext-v5e",
    text: "MaxText repository, configs for TPU v5e: MFU of 16B to 128B models on 1 to 32 pods of 256 chips, full attention",
};
pub(crate) static HOROWITZ: Source = Source {
    key: "horowitz",
    text: "Horowitz, Computing's energy problem (and what we can do about it), ISSCC 2014: energy per operation at 45 nm",
};
static SCALING_BOOK: Source = Source {
    key: "scaling-book",
    text: "Austin et al., How to Scale Your Model, 2025: costs of collectives and parallelism on TPUs and GPUs",
};
static YOUNG: Source = Source {
    key: "young",
    text: "Young, A first order approximation to the optimum checkpoint interval, Communications of the ACM, 1974",
};

#[cfg(test)]
mod tests {
    use super::DEFINITIONS;
    use crate::definition;

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
    fn no_two_measures_share_an_id_or_a_name() {
        let all: Vec<_> = DEFINITIONS.iter().chain(&definition::DEFINITIONS).collect();
        for (at, one) in all.iter().enumerate() {
            assert!(all[..at].iter().all(|other| other.id != one.id && other.name != one.name), "{}", one.id);
        }
    }
}
