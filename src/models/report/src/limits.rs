//! Limits of a run besides the peak: links that are too slow for the batch, and the energy of a multiply-accumulate.

use super::model as words;
use display::figure::{Citation, Figure, cite, defined};
use display::number::{grouped, readable};
use estimate::Estimate;
use perfmodel::definition::scale;
use perfmodel::{
    Confidence, EnergyCosts, Operation, PeakDtype, Process, Sharding, critical_tokens_per_chip, operation_energy,
};
use workload::PassKind;

/// Returns the figure of the critical tokens per chip: with fewer tokens, a data-parallel training step waits for the
/// links.
///
/// `None` for any other step, or if no torus network is published for the chips.
pub(super) fn critical_tokens(estimate: &Estimate) -> Option<Figure> {
    let question = &estimate.question;
    let is_data = matches!(question.split, Sharding::Data | Sharding::FullySharded);
    if question.pass != PassKind::Training || !is_data || question.chips < 2 || estimate.tokens.is_none() {
        return None;
    }
    let torus = question.torus()?;
    let dtype = question.multiplied();
    let peak = question.chip.peak_flops(dtype)?;
    let critical = critical_tokens_per_chip(peak, &torus)?;
    let own = question.seq.saturating_mul(question.batch);
    let stands = if own as f64 >= critical {
        "compute can hide the communication"
    } else {
        "at the peak, the step would be communication-bound"
    };
    let note = format!("this run has {} tokens per chip: {stands}", grouped(own));
    let worked = format!(
        "{} FLOP/s ÷ {} B/s over {} axes = {}",
        readable(peak.0, 4),
        readable(torus.bytes_per_sec(), 4),
        torus.axes,
        readable(critical, 4)
    );
    let cited = question.chip.peak(dtype).map(|peak| cite(format!("peak of {}", question.chip.name), peak));
    Some(defined(&scale::CRITICAL_TOKENS, readable(critical, 4), note, worked, cited.into_iter().collect()))
}

/// Returns the figure of the energy per multiply-accumulate, with the energy of multiplying and adding in the note.
///
/// `None` if no power is published, or if the MFU is unknown.
pub(super) fn per_mac(estimate: &Estimate) -> Option<Figure> {
    let chip = &estimate.question.chip;
    let (kind, watts) = chip.usual_power()?;
    let (power, dtype, mfu) = (watts.value?, estimate.question.multiplied(), estimate.mfu.ok()?);
    let at_peak = chip.picojoules_per_mac(dtype, *kind)?;
    let here = at_peak / mfu.ratio;
    let operations = operations(dtype);
    let costs = operations
        .map(|operations| EnergyCosts::published(Process::Nm7, operations, Operation::Sram1M, Operation::Hbm2));
    let mac = costs.and_then(|costs| costs.pj_per_mac);
    let is_doubtful = |operation| {
        operation_energy(operation, Process::Nm7).is_some_and(|energy| energy.confidence == Confidence::Low)
    };
    let doubt =
        if operations.into_iter().flatten().any(is_doubtful) { ", from a table that was not verified" } else { "" };
    let of_it = mac.map_or_else(String::new, |mac| format!("; {} pJ {OPERATIONS}{doubt}", readable(mac, 3)));
    let power = readable(power, 4);
    let note = format!("at {power} W, {}; {} pJ at this MFU{of_it}", kind.word(), readable(here, 3));
    let worked = format!("{power} W ÷ ({} FLOP/s ÷ 2) = {} pJ", readable(mfu.peak.0, 4), readable(at_peak, 3));
    let of = |operation: Operation, what: &str| -> Option<Citation> {
        let energy = operation_energy(operation, Process::Nm7)?;
        let value = energy.value.map_or_else(|| words::UNKNOWN.to_owned(), |pj| readable(pj.middle(), 4));
        Some(cite(format!("{what}, 7 nm: {value} pJ"), energy))
    };
    let parts = operations.into_iter().flat_map(|[multiply, add]| [of(multiply, "multiplying"), of(add, "adding")]);
    let memory = [of(Operation::Sram1M, "64 bits of 1 MiB SRAM"), of(Operation::Hbm2, "64 bits of HBM2")];
    let drawn = cite(format!("{} power, {}", chip.name, kind.word()), watts);
    let citations = core::iter::once(drawn).chain(parts.chain(memory).flatten()).collect();
    Some(defined(&scale::PICOJOULES_PER_MAC, format!("{} pJ", readable(at_peak, 3)), note, worked, citations))
}

const OPERATIONS: &str = "are for multiplying and adding at 7 nm";

/// Returns the two operations of a multiply-accumulate in a format: its multiplication and its addition. `None` if
/// their energies are not published.
const fn operations(dtype: PeakDtype) -> Option<[Operation; 2]> {
    match dtype {
        PeakDtype::Int8 => Some([Operation::Int8Multiply, Operation::Int32Add]),
        PeakDtype::Bf16 => Some([Operation::Bf16Multiply, Operation::F32Add]),
        PeakDtype::F16 => Some([Operation::F16Multiply, Operation::F32Add]),
        PeakDtype::F32 => Some([Operation::F32Multiply, Operation::F32Add]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::figures::figures;
    use estimate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn shown(text: &str, id: &str) -> Option<(String, String)> {
        let answer = ModelQuery::parse(text).answer(None).expect("an answer");
        let figure = figures(&answer.estimate).into_iter().find(|figure| figure.id == id)?;
        Some((figure.value, figure.note))
    }

    #[test]
    fn critical_tokens_are_those_of_the_scaling_book() {
        // A chip of a closed pod needs 1.97e14 ÷ (2 · 2 · 4.5e10) tokens. With three closed axes, it needs 4.59e14 ÷ (3
        // · 2 · 9e10). Both use the published values.
        let critical = |text: &str| shown(text, "critical-tokens-per-chip");
        let (value, note) = critical("chip=tpu-v5e&chips=256&seq=128&batch=1").expect("known");
        let number: f64 = value.parse().expect("a number");
        assert!((900.0..2300.0).contains(&number) && note.ends_with("communication-bound"), "{value} {note}");
        let (_, note) = critical("chip=tpu-v5e&chips=256&seq=8192&batch=4").expect("known");
        assert!(note.ends_with("hide the communication"), "{note}");
        assert_eq!(critical("chip=tpu-v5e&chips=256&split=tensor"), None);
        assert_eq!(critical("chip=tpu-v5e&chips=1"), None);
        assert_eq!(critical("chip=h100-sxm"), None);
    }

    #[test]
    fn a_multiply_accumulate_draws_power_over_rate() {
        // On TPU v4, 170 W ÷ 137.5e12 MACs per second at the peak is 1.24 pJ per MAC. In bf16, the operations are 0.21
        // + 0.38 pJ of it.
        let (value, note) = shown("chip=tpu-v4", "picojoules-per-mac").expect("published");
        assert_eq!(value, "1.24 pJ");
        assert!(note.starts_with("at 170 W, mean; ") && note.contains("0.59 pJ are for multiplying"), "{note}");
        assert!(note.ends_with("not verified"), "{note}");
        assert_eq!(shown("chip=tpu-v5e", "picojoules-per-mac"), None, "nobody published its power");
    }
}
