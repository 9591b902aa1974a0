//! Lines about the array that a link shows: the moment of the run, its partial sums, PE-cycles and figures.

use studio::{Plan, Playhead, Session, Transport};
use systolic::lane::Lane;
use systolic::{Cycle, Element, Machine, PeId, Schedule, Slot, Snapshot, Value, Vectors, dispatch_machine_lane};
use words::figures;

use super::{Lines, fnv};

/// Largest number of PE-cycles for which the register machine computes C.
const RESULT_PE_CYCLES_MAX: u64 = 1 << 20;

/// Largest number of MACs for which C is computed by definition if the register machine would take too long.
const RESULT_MACS_MAX: u64 = 1 << 20;

/// Largest number of PEs for which the partial sums of all PEs are recorded.
const SUMS_PES_MAX: u64 = 1 << 16;

pub(super) fn fraction(plan: &Plan, tally: &systolic::Tally, cycles: u64) -> String {
    let array = plan.schedule().array();
    format!("{}/{}", tally.useful.get(), u64::from(array.rows()) * u64::from(array.cols()) * cycles)
}

pub(super) fn array_lines(session: &Session, playhead: Playhead, lines: &mut Lines) {
    let plan = &*session.plan;
    let (schedule, cycle) = (plan.schedule(), playhead.cycle);
    let (gemm, array) = (schedule.gemm(), schedule.array());
    let sizes = format!("{}x{} on {}x{}", array.rows(), array.cols(), gemm.m(), gemm.k());
    lines.say("run", format!("{sizes}x{} {} {}", gemm.n(), schedule.dataflow().id(), plan.dtype().id()));
    lines.say("cycle", cycle.get().to_string());
    lines.say("last", plan.last().get().to_string());
    let tally = schedule.tally();
    lines.say("utilization", fraction(plan, &tally, schedule.cycles().get()));
    lines.say("utilization so far", fraction(plan, &schedule.tally_until(cycle), cycle.get() + 1));
    lines.say("accounts", Slot::ALL.map(|slot| tally.get(slot).get().to_string()).join(" "));
    lines.say("result", result(plan));
    lines.say("sums", sums(plan, cycle));
    for figure in figures::run_figures(plan).into_iter().chain([figures::so_far_figure(plan, cycle)]) {
        lines.say(format!("figure {}", figure.id), figure.value);
    }
    lines.say("after a second of playing", played(session, playhead));
    if let Some(pe) = session.view.selected {
        lines.say(format!("PE {}.{}", pe.row, pe.col), registers(plan, cycle, pe));
    }
}

/// Hash of numbers as f64, which represents every sum exactly. All NaNs have the same bits here.
pub(super) fn fnv_of(values: impl IntoIterator<Item = f64>) -> String {
    let bits = |value: f64| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
    fnv(values.into_iter().flat_map(|value| bits(value).to_le_bytes()))
}

/// C, row by row, as the register machine computes it.
fn machine(plan: &Plan) -> Vec<Value> {
    let schedule: &Schedule = plan.schedule();
    dispatch_machine_lane!(plan.unit(), lane => {
        let vectors = Vectors::new(lane, schedule, plan.operands());
        let mut machine = Machine::new(schedule, &vectors, None);
        machine.finish();
        machine.result().into_iter().map(|sum| lane.sum(sum)).collect()
    })
}

/// C, row by row, by definition: each element is a sum of products.
fn definition(plan: &Plan) -> Vec<Value> {
    dispatch_machine_lane!(plan.unit(), lane => {
        let sums = systolic::reference::product(lane, plan.schedule(), plan.operands());
        sums.into_iter().map(|sum| lane.sum(sum)).collect()
    })
}

/// Hash and number of the elements of C, or a note if the computation would take too long.
pub(super) fn result(plan: &Plan) -> String {
    let (values, how) = if plan.schedule().pe_cycles().get() <= RESULT_PE_CYCLES_MAX {
        (machine(plan), "by the machine")
    } else if plan.schedule().gemm().macs().get() <= RESULT_MACS_MAX {
        (definition(plan), "by definition")
    } else {
        return "too long to be made here".to_owned();
    };
    format!("{} of {} values, {how}", fnv_of(values.iter().map(|value| value.as_f64())), values.len())
}

/// Hash of the places and bits of the partial sums in all PEs, and the number of these sums.
fn sums(plan: &Plan, cycle: Cycle) -> String {
    let array = plan.schedule().array();
    if array.pes() > SUMS_PES_MAX {
        return "too many to be looked at here".to_owned();
    }
    let snapshot = Snapshot::at(plan.schedule(), plan.operands(), plan.unit(), cycle);
    let held: Vec<(usize, f64)> =
        array.iter().enumerate().filter_map(|(at, pe)| Some((at, snapshot.sum(pe)?.as_f64()))).collect();
    let places = held.iter().map(|(at, _)| f64::from(u32::try_from(*at).unwrap_or(u32::MAX)));
    let values = held.iter().map(|(_, value)| *value);
    format!("{} of {} PEs", fnv_of(places.chain(values)), held.len())
}

/// Cycle of the playhead after ten frames of a tenth of a second each.
fn played(session: &Session, playhead: Playhead) -> String {
    let mut playhead = playhead.moved(Transport::Play, &session.plan);
    for _ in 0..10 {
        playhead = playhead.elapsed(0.1, &session.plan, session.tools.repeats_fold);
    }
    playhead.cycle.get().to_string()
}

fn registers(plan: &Plan, cycle: Cycle, pe: PeId) -> String {
    let probe = plan.prober().at(cycle, pe);
    let element = |element: Element| {
        format!("{:?}[{},{}] = {}", element.operand, element.row, element.col, element.value.as_f64())
    };
    let mut parts = vec![format!("{:?}", probe.activity)];
    let elements = [("held", probe.held), ("shadow", probe.shadow), ("east", probe.east), ("south", probe.south)];
    parts.extend(elements.into_iter().filter_map(|(name, held)| Some(format!("{name} {}", element(held?)))));
    for (name, sum) in [("sum", probe.sum), ("set aside", probe.drained)] {
        parts.extend(sum.map(|sum| format!("{name} C[{},{}] = {}", sum.row, sum.col, sum.value.as_f64())));
    }
    parts.join("; ")
}
