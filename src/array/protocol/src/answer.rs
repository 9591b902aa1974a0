//! Results of requests: the state, the measures of a run, and files.

use std::sync::Arc;

use export::registers::Table;
use export::{File, Job, Limits, Refused, SIZE};
use serde_json::{Map, Value, json};
use studio::{ArrayCost, Field, FillKind, Link, Plan, Playhead, Session};
use systolic::{Cycle, Slot, Tally};

use crate::{Code, Failure, change, words};

/// Maximum number of values in an answer.
const VALUES_MAX: u64 = Limits::MESSAGE.lines;
/// Maximum number of products in a result that is computed at once. A larger result would stop the page for a moment.
pub(crate) const PRODUCTS_MAX: u64 = 1 << 22;

/// Returns the current state: settings and view by their names in a link, the cycle, the last cycle, the playback state,
/// the link, and the notices about the link.
///
/// The settings include those that the run does not use, so that a host can set the same state again. The settings
/// include A and B only if the matrices are custom.
pub(crate) fn state(session: &Session, playhead: &Playhead) -> Value {
    let scenario = &session.scenario;
    let is_listed = |matrix: &Option<_>| scenario.fill == FillKind::Custom && matrix.is_some();
    let told = Field::ALL.into_iter().filter(|field| match field {
        Field::A => is_listed(&scenario.a),
        Field::B => is_listed(&scenario.b),
        _ => true,
    });
    let settings: Map<String, Value> = told
        .map(|field| {
            let value = scenario.get(field);
            (field.id().to_owned(), value.number().map_or_else(|| json!(value.to_string()), |number| json!(number)))
        })
        .collect();
    let current = session.link(playhead);
    let (query, fragment) = current.to_parts();
    let link = if fragment.is_empty() { format!("?{query}") } else { format!("?{query}#{fragment}") };
    let schedule = session.plan.schedule();
    let [mfu, usd] = array_cost(&session.plan, &schedule.tally());
    let [mfu_so_far, usd_so_far] = array_cost(&session.plan, &schedule.tally_until(playhead.cycle));
    json!({ "settings": settings, "cycle": playhead.cycle.get(), "last": session.plan.last().get(),
            "playing": playhead.playing, "link": link, "view": change::view(&current),
            "array_mfu_pct": mfu, "array_usd_per_1e18": usd,
            "array_mfu_so_far_pct": mfu_so_far, "array_usd_so_far_per_1e18": usd_so_far,
            "notices": ::words::message::notices(&session.notices, &session.plan) })
}

/// Returns MFU in percent and cost of the array over the PE-cycles of a tally. A number that is not known is null.
fn array_cost(plan: &Plan, tally: &Tally) -> [Option<f64>; 2] {
    let known = |cost: ArrayCost| [Some(100.0 * cost.mfu), cost.usd_per_1e18];
    plan.array_cost(tally).map_or([None; 2], known).map(|number| number.map(short))
}

/// Returns a number with twelve digits. All readers of JSON return the same number for so few digits.
fn short(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

/// Returns the registers of every PE at a cycle. Fails if the array has too many PEs for a message.
pub(crate) fn registers(plan: &Plan, cycle: Cycle) -> Result<Value, Failure> {
    let schedule = plan.schedule();
    fits("registers", schedule.array().pes(), VALUES_MAX, words::PES)?;
    let table = Table::new(schedule, plan.prober());
    Ok(schedule.array().iter().map(|pe| table.json(cycle, pe)).collect())
}

/// Returns C as rows of numbers. Fails if C has too many elements for a message.
pub(crate) fn result(plan: &Plan) -> Result<Value, Failure> {
    let gemm = plan.schedule().gemm();
    let elements = gemm.m().saturating_mul(gemm.n());
    fits("result", elements, VALUES_MAX, words::ELEMENTS)?;
    fits("result", elements.saturating_mul(gemm.k()), PRODUCTS_MAX, words::PRODUCTS)?;
    let n_cols = usize::try_from(gemm.n()).unwrap_or(1).max(1);
    let (sums, out) = (plan.run().result(), plan.scenario().out);
    let row = |row: &[systolic::Value]| row.iter().map(|sum| export::json(out.rounded(*sum))).collect::<Value>();
    Ok(sums.chunks(n_cols).map(row).collect())
}

fn fits(path: &str, given: u64, most: u64, allowed: &str) -> Result<(), Failure> {
    if given <= most { Ok(()) } else { Err(Failure::new(Code::Size, path, &given.to_string(), allowed)) }
}

/// Returns the measures of a whole run: cycles, folds, utilization, MFU, cost, and PE-cycles by class.
pub(crate) fn measures(plan: &Plan) -> Value {
    let schedule = plan.schedule();
    let tally = schedule.tally();
    let mut measures = Map::new();
    measures.insert("cycles".to_owned(), json!(schedule.cycles().get()));
    measures.insert("folds".to_owned(), json!(schedule.folds()));
    measures.insert("pe_cycles".to_owned(), json!(schedule.pe_cycles().get()));
    measures.insert("utilization_pct".to_owned(), json!(100.0 * tally.utilization()));
    let [mfu, usd] = array_cost(plan, &tally);
    measures.insert("array_mfu_pct".to_owned(), json!(mfu));
    measures.insert("array_usd_per_1e18".to_owned(), json!(usd));
    for slot in Slot::ALL {
        measures.insert(slot.id().to_owned(), json!(tally.get(slot).get()));
    }
    Value::Object(measures)
}

/// Returns the job that writes a file of a run. Fails if the file is too large or not possible for this run.
pub(crate) fn job(file: File, plan: &Arc<Plan>, link: Link) -> Result<Job, Failure> {
    let refused = |allowed: &str| Failure::new(Code::Size, "as", file.id(), allowed);
    Job::new(file, Arc::clone(plan), link, SIZE, Limits::MESSAGE).map_err(|why| match why {
        Refused::Lines(_) => refused(words::LINES),
        Refused::Waveforms(_) => refused(words::WAVEFORMS),
        Refused::Hardware(refusal) => Failure::new(Code::Params, "as", file.id(), words::of_hardware(refusal)),
        Refused::NeedsCanvas => Failure::new(Code::Params, "as", file.id(), &File::TEXTS.map(File::id).join(", ")),
    })
}
