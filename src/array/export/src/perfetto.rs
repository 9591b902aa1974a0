//! Trace of a run, in the JSON format of trace viewers. The trace has tracks for folds and their phases, and a counter
//! of active PEs. One cycle is one microsecond, because the format has no unit for cycles.

use serde_json::{Value, json};
use studio::Plan;
use systolic::{Cycle, Cycles};

use crate::words;

/// Maximum number of folds in a trace. If a run has more folds, the trace contains only the first folds.
pub const FOLDS_MAX: u64 = 2_000;
/// Maximum number of cycles for which a trace counts active PEs.
pub const COUNTED_MAX: u64 = 20_000;

/// Number of cycles in one piece of a trace.
const CYCLES_PER_PIECE: u64 = 1_000;

/// Returns the trace of a run.
///
/// ```
/// let plan = studio::Plan::new(&studio::Scenario::default()).unwrap();
/// let trace: serde_json::Value = serde_json::from_str(&export::perfetto::trace(&plan)).unwrap();
/// assert_eq!(trace["traceEvents"][0]["name"], "process_name");
/// ```
#[must_use]
pub fn trace(plan: &Plan) -> String {
    let (mut text, mut next) = (String::new(), 0);
    while next < counted(plan) {
        next = piece(plan, next, &mut text);
    }
    text
}

/// Number of cycles for which a trace counts active PEs.
pub(crate) fn counted(plan: &Plan) -> u64 {
    plan.schedule().cycles().get().min(COUNTED_MAX)
}

/// Appends to `text` the piece of the trace that begins at cycle `from`. The first piece also contains the folds.
/// Returns the first cycle of the next piece.
pub(crate) fn piece(plan: &Plan, from: u64, text: &mut String) -> u64 {
    let schedule = plan.schedule();
    if from == 0 {
        text.push_str(&format!(
            "{{\"displayTimeUnit\":\"ns\",\"otherData\":{},\"traceEvents\":[",
            json!({ "unit": words::UNIT })
        ));
        text.push_str(&folds(plan).iter().map(Value::to_string).collect::<Vec<_>>().join(","));
    }
    let all = counted(plan);
    let end = all.min(from + CYCLES_PER_PIECE);
    for cycle in (from..end).map(Cycle) {
        let census = schedule.census(cycle);
        let event = json!({
            "name": words::AT_WORK, "ph": "C", "pid": 1, "ts": cycle.get(),
            "args": { words::USEFUL: census.useful, words::ON_PADDING: census.on_padding },
        });
        text.push_str(&format!(",{event}"));
    }
    if end == all {
        text.push_str("]}");
    }
    end
}

fn folds(plan: &Plan) -> Vec<Value> {
    let schedule = plan.schedule();
    let mut events = vec![named("process_name", 0, &::words::label::headline(plan))];
    let load = schedule.load_cycles().get();
    // If folds overlap, the next fold loads while this fold drains. Each fold gets the first free track.
    let mut ends: Vec<Cycle> = Vec::new();
    for fold in (0..schedule.folds().min(FOLDS_MAX)).map(|index| schedule.fold(index)) {
        let start = schedule.fold_start(fold.index);
        let end = start.after(schedule.cycles_per_fold()).min(schedule.last_cycle().after(Cycles(1)));
        let lane = ends.iter().position(|end| *end <= start).unwrap_or(ends.len());
        let track = 2 * lane as u64 + 1;
        if lane == ends.len() {
            events.push(named("thread_name", track, words::FOLDS));
            events.push(named("thread_name", track + 1, words::PHASES));
            ends.push(end);
        }
        ends[lane] = end;
        let streams = start.after(Cycles(load));
        events.push(slice(&words::fold(fold.index), track, start, end));
        if load > 0 {
            events.push(slice(words::LOAD, track + 1, start, streams));
        }
        events.push(slice(words::STREAM, track + 1, streams, end));
    }
    events
}

fn named(what: &str, track: u64, name: &str) -> Value {
    json!({ "name": what, "ph": "M", "pid": 1, "tid": track, "args": { "name": name } })
}

fn slice(name: &str, track: u64, from: Cycle, to: Cycle) -> Value {
    let length = to.get().saturating_sub(from.get());
    json!({ "name": name, "ph": "X", "pid": 1, "tid": track, "ts": from.get(), "dur": length })
}
