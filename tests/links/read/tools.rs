//! Lines about the tools of the workbench: a second run, a fault, a number per PE, a followed value.

use stage::channel;
use studio::Channel;
use studio::defect;
use studio::follow::Place;
use studio::{Playhead, Session};
use words::figures;

use super::array::{fnv_of, fraction, result};
use super::{Lines, counted, fnv};

pub(super) fn tool_lines(session: &Session, playhead: Playhead, lines: &mut Lines) {
    let (plan, cycle) = (&*session.plan, playhead.cycle);
    if let Some(other) = &session.tools.compare {
        match other.plan(plan.scenario()) {
            Ok(second) => {
                let at = other.cycle(plan, cycle, &second);
                let share = fraction(&second, &second.schedule().tally(), second.schedule().cycles().get());
                lines.say("second run", format!("cycle {} of {}, utilization {share}", at.get(), second.last().get()));
                lines.say("second result", result(&second));
                for figure in figures::run_figures(&second) {
                    lines.say(format!("second figure {}", figure.id), figure.value);
                }
            }
            Err(problems) => {
                lines.say("second run", format!("refused {}", counted(problems.iter().map(|one| one.field.id()))));
            }
        }
    }
    if let Some(named) = session.tools.defect {
        let told = match named.on(plan) {
            Ok(defect) => {
                let wrong = defect::wrong_results(plan, defect);
                let places = wrong.iter().flat_map(|one| [one.row, one.col]);
                let bytes = places.flat_map(u64::to_le_bytes);
                let given = fnv_of(wrong.iter().map(|one| one.result.as_f64()));
                format!("{} wrong, places {}, values {given}", wrong.len(), fnv(bytes))
            }
            Err(why) => format!("refused {why:?}"),
        };
        lines.say("defect", told);
    }
    if let Some(slot) = session.tools.class {
        let schedule = plan.schedule();
        let lit = schedule.array().iter().filter(|&pe| schedule.slot(cycle, pe) == slot).count();
        lines.say("class", format!("{} of {} PE-cycles, {lit} PEs now", slot.id(), schedule.tally().get(slot).get()));
    }
    if session.tools.show != Channel::Activity {
        let told = match session.tools.show {
            channel if plan.schedule().array().pes() <= channel::ERROR_PES_MAX as u64 => {
                let readings = channel::Readings::new(channel, plan, cycle);
                let readings: Vec<Option<f64>> = plan.schedule().array().iter().map(|pe| readings.at(pe)).collect();
                let known: Vec<f64> = readings.into_iter().flatten().collect();
                format!("{} of {} PEs", fnv_of(known.iter().copied()), known.len())
            }
            channel => format!("{} of many PEs", channel.id()),
        };
        lines.say("numbers per PE", told);
    }
    if let Some(follow) = session.tools.follow {
        let place = session.view.selected.and_then(|pe| follow.place(plan, pe, cycle)).map_or_else(
            || "nothing".to_owned(),
            |place| match place {
                Place::In(pe) => format!("in {}.{}", pe.row, pe.col),
                Place::Outside => "outside".to_owned(),
            },
        );
        lines.say("followed", place);
    }
}
