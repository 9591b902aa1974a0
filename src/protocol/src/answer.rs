//! Results of requests: the state, the measures of a run, and files.

use std::sync::Arc;

use export::{File, Job, Limits, Refused};
use serde_json::{Map, Value, json};
use studio::{Field, Link, Plan, Playhead, Session};
use systolic::Slot;

use crate::{Code, Failure, words};

/// Width and height of an exported drawing, in CSS pixels.
const SIZE: (f32, f32) = (1200.0, 800.0);

/// Returns the current state: settings by their names in a link, the cycle, the last cycle, the playback state and the
/// link.
///
/// The settings do not include the matrices. Only the link contains the matrices.
pub(crate) fn state(session: &Session, playhead: &Playhead) -> Value {
    let scenario = &session.scenario;
    let used = Field::ALL.into_iter().filter(|field| scenario.uses(*field) && !matches!(field, Field::A | Field::B));
    let settings: Map<String, Value> = used
        .map(|field| {
            let value = scenario.get(field);
            (field.id().to_owned(), value.number().map_or_else(|| json!(value.to_string()), |number| json!(number)))
        })
        .collect();
    let (query, fragment) = session.link(playhead).to_parts();
    let link = if fragment.is_empty() { format!("?{query}") } else { format!("?{query}#{fragment}") };
    json!({ "settings": settings, "cycle": playhead.cycle.get(), "last": session.plan.last().get(),
            "playing": playhead.playing, "link": link })
}

/// Returns the measures of a whole run: cycles, folds, utilization, and PE-cycles by class.
pub(crate) fn measures(plan: &Plan) -> Value {
    let schedule = plan.schedule();
    let tally = schedule.tally();
    let mut measures = Map::new();
    measures.insert("cycles".to_owned(), json!(schedule.cycles().get()));
    measures.insert("folds".to_owned(), json!(schedule.folds()));
    measures.insert("pe_cycles".to_owned(), json!(schedule.pe_cycles().get()));
    measures.insert("utilization_pct".to_owned(), json!(100.0 * tally.utilization()));
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
