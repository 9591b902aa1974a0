//! What requests give.

use export::hardware;
use serde_json::{Map, Value, json};
use studio::{Field, Link, Plan, Playhead, Session};
use systolic::{Cycle, Slot};

use crate::{Code, Failure, words};

/// PE-cycles of a run whose registers a message takes.
const LINES_MAX: u64 = 200_000;
/// Width and height of a drawing, in CSS pixels.
const SIZE: (f32, f32) = (1200.0, 800.0);

/// What is shown: each setting by its name in a link, the moment, and the link.
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

/// The accounts of a run, in PE-cycles.
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

/// A file of a run, as text.
pub(crate) fn file(name: &str, plan: &Plan, link: &Link) -> Result<String, Failure> {
    let view = export::View { plan, link, size: SIZE };
    let lines = plan.schedule().pe_cycles().get();
    if matches!(name, "csv" | "json") && lines > LINES_MAX {
        return Err(Failure::new(Code::Size, "as", name, words::LINES));
    }
    Ok(match name {
        "svg" => export::svg::document(&view),
        "tikz" => export::tikz::picture(&view),
        "perfetto" => export::perfetto::trace(plan),
        "vcd" => match hardware::waveforms(plan) {
            Ok(Some(waves)) => waves,
            Ok(None) => return Err(Failure::new(Code::Size, "as", name, words::WAVEFORMS)),
            Err(refusal) => return Err(Failure::new(Code::Params, "as", name, words::of_hardware(refusal))),
        },
        table => {
            let (all, mut out) = (export::registers::Table::new(plan.schedule(), plan.prober()), Vec::new());
            // Memory takes every line.
            if table == "csv" {
                let _ = all.write_head(&mut out);
            }
            for cycle in (0..plan.schedule().cycles().get()).map(Cycle) {
                let _ = if table == "csv" { all.write_csv(cycle, &mut out) } else { all.write_json(cycle, &mut out) };
            }
            String::from_utf8_lossy(&out).into_owned()
        }
    })
}
