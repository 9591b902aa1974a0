//! Checks for every state that a session can reach.

use std::cell::RefCell;

use display::Picture;
use display::picture::Mark;
use stage::{Frame, Work, layers};
use studio::{Link, Notices, Playhead, Session, defect};
use words::{caption, figures, label, message};

/// Check of a state. The error says what is wrong.
pub(crate) type Check = fn(&Session, &Playhead) -> Result<(), String>;

/// Checks, each with the number of actions between two runs of the check. Cheap checks run more often.
pub(crate) const ALL: [(u64, Check); 4] = [(1, bounded), (16, linked), (64, said), (512, drawn)];

/// Largest number of marks in a picture. A screen has no space for more.
const MARKS_MAX: usize = 200_000;
/// Largest number of characters in a text.
const SENTENCE_MAX: usize = 1200;

/// Checks that the cycle and the selected PE are within the run, and that the lists of notices and drafts stay short.
fn bounded(session: &Session, playhead: &Playhead) -> Result<(), String> {
    let (plan, cycle) = (&session.plan, playhead.cycle);
    if cycle > plan.last() {
        return Err(format!("cycle {} of {}", cycle.get(), plan.last().get()));
    }
    if let Some(pe) = session.view.selected.filter(|&pe| !plan.schedule().array().contains(pe)) {
        return Err(format!("PE {},{} is not in the array", pe.row, pe.col));
    }
    let n_notices = session.notices.iter().count();
    if n_notices > Notices::SHOWN_MAX {
        return Err(format!("{n_notices} notices"));
    }
    let n_drafts = session.drafts.len() + session.tool_drafts.len();
    if n_drafts > 30 {
        return Err(format!("{n_drafts} texts that could not be understood"));
    }
    Ok(())
}

/// Checks that the link to a state opens an equal state without problems, and that this state has an equal link.
fn linked(session: &Session, playhead: &Playhead) -> Result<(), String> {
    let parts = session.link(playhead).to_parts();
    let back = Link::parse(&parts.0, &parts.1);
    let (again, head) = Session::open(&back);
    let same = |holds: bool, what: &str| {
        if holds { Ok(()) } else { Err(format!("{what} differs in ?{}#{}", parts.0, parts.1)) }
    };
    // A link omits the settings that its run does not use.
    let run = |session: &Session| {
        let schedule = session.plan.schedule();
        (schedule.gemm(), schedule.array(), schedule.cycles(), schedule.folds(), schedule.tally())
    };
    same(run(&again) == run(session), "the run")?;
    same(head.cycle == playhead.cycle && head.speed == playhead.speed, "the moment")?;
    same(again.view == session.view && again.tools == session.tools, "what is looked at")?;
    same(again.problems.is_empty(), "whether it runs")?;
    same(again.link(&head).to_parts() == parts, "the link to it")
}

/// Checks that every text is short and has no control or bidirectional characters, and that every number is finite.
fn said(session: &Session, playhead: &Playhead) -> Result<(), String> {
    let (plan, cycle, chosen) = (&session.plan, playhead.cycle, session.view.selected);
    let mut all = message::notices(&session.notices, plan);
    all.extend(session.problems.iter().map(message::problem));
    all.extend(session.tool_drafts.iter().map(|draft| message::tool(&draft.problem)));
    all.extend(message::consequence(plan));
    all.extend([label::headline(plan), caption::status(plan, cycle, chosen), caption::moment(plan, cycle)]);
    all.extend([caption::stage(plan), caption::scrubber(plan, cycle), figures::on_chip_sentence(plan)]);
    let so_far = core::iter::once(figures::so_far_figure(plan, cycle));
    let numbers = so_far.chain(figures::run_figures(plan)).flat_map(|figure| [figure.shown(), figure.worked]);
    let numbers: Vec<String> = numbers.collect();
    if let Some(text) = numbers.iter().find(|text| text.contains("NaN") || text.contains("inf")) {
        return Err(format!("{text:?} is no number"));
    }
    all.iter().chain(&numbers).try_for_each(|text| plain_and_short(text))
}

fn plain_and_short(text: &str) -> Result<(), String> {
    let n = text.chars().count();
    match () {
        () if text.contains(plain::is_control_or_bidi) => Err(format!("{text:?} steers")),
        () if n > SENTENCE_MAX => Err(format!("a text of {n} characters")),
        () => Ok(()),
    }
}

/// Checks that a picture has a bounded number of marks, each at a finite position, and that drawing is bounded work.
fn drawn(session: &Session, playhead: &Playhead) -> Result<(), String> {
    let (plan, tools) = (&session.plan, &session.tools);
    let work = RefCell::new(Work::default());
    let second = tools.compare.as_ref().and_then(|other| other.plan(plan.scenario()).ok());
    let small = plan.schedule().pe_cycles().get() <= 1 << 16;
    let broken = tools.defect.filter(|_| small && second.is_none()).and_then(|named| named.on(plan).ok());
    let broken = broken.map(|defect| defect::BrokenMachine::at(plan, defect, playhead.cycle));
    let layers: &[stage::Layer] = &[stage::trace::draw_path, layers::lens];
    let frame = Frame {
        selected: session.pe_at(playhead.cycle),
        channel: stage::channel::layer(tools.show),
        beside: second.as_ref(),
        broken: broken.as_ref(),
        class: tools.class,
        layers,
        work: Some(&work),
        ..Frame::new(plan, playhead.cycle)
    };
    let mut picture = Picture::default();
    for (width, height) in [(860.0, 620.0), (310.0, 190.0)] {
        stage::draw(&frame, width, height, &mut picture);
        let n = picture.marks.len();
        if n > MARKS_MAX {
            return Err(format!("a picture of {n} marks"));
        }
        let n_done = work.borrow().n_done();
        if n_done > 2 * Work::FRAME_MAX {
            return Err(format!("a frame of {n_done} terms"));
        }
        for mark in &picture.marks {
            let is_placed = match mark {
                Mark::Text { at: (x, y), .. } => x.is_finite() && y.is_finite(),
                Mark::Shape { rect, .. } => rect.x.is_finite() && rect.y.is_finite() && rect.w >= 0.0,
                _ => true,
            };
            let steers = matches!(mark, Mark::Text { text, .. } if text.contains(plain::is_control_or_bidi));
            if steers || !is_placed {
                return Err(format!("a mark at no place, or one that steers: {mark:?}"));
            }
        }
    }
    Ok(())
}
