//! Painting: the effects that paint the array view and the timeline on their canvases.

use std::cell::RefCell;
use std::rc::Rc;

use display::Picture;
use leptos::html::Canvas;
use leptos::prelude::*;
use stage::drawings::Instead;
use stage::{self, Detail, Frame, Layer, Layout, Progress, Work, Zoom, flow, timeline, tween};
use studio::Built;
use systolic::{Cycle, PeId};

use super::theme::ThemeEpoch;
use crate::browser::measure::{self, Size};
use crate::browser::motion::{self, Look, Motion, Now, Passed, Scenery};
use crate::browser::painter::Painter;
use crate::browser::palette::Palette;
use crate::browser::timer::Timer;
use crate::ctx::Ctx;
use crate::part_state::Sides;

/// Function that draws into a picture, paints the picture, and returns the time of the next painting.
type Draw = Box<dyn Fn(Size, &mut Picture, &mut Painter) -> Then>;

/// Time of the next painting, if no signal changes earlier.
enum Then {
    /// No further painting.
    Rest,
    /// Painting in the next animation frame.
    NextFrame,
    /// Painting after this number of milliseconds.
    After(f64),
}

impl Then {
    const fn next_frame_if(has_more: bool) -> Self {
        if has_more { Self::NextFrame } else { Self::Rest }
    }
}

/// Makes a [`Draw`] that always paints its whole picture. `draw` returns true if it needs another frame.
fn whole(draw: impl Fn(Size, &mut Picture) -> bool + 'static) -> Draw {
    Box::new(move |size, picture, painter| {
        let has_more = draw(size, picture);
        painter.paint(picture, size);
        Then::next_frame_if(has_more)
    })
}

struct OffscreenCanvas {
    painter: Option<Painter>,
    picture: Picture,
    epoch: Option<(studio::Theme, u32)>,
    size: Size,
    /// Number of the frame that was requested, until this frame is painted.
    waits_for: Option<u32>,
}

/// Paints a canvas whenever a signal that `draw` reads has changed. Returns the size of the canvas.
///
/// The canvas is painted before any text of the page changes, because setting the font of a canvas makes the browser
/// update all styles. With 256×256 PEs and changed texts, this update takes a third of a frame's script time.
fn paint(canvas: NodeRef<Canvas>, ctx: Ctx, draw: Draw) -> ReadSignal<Size> {
    let (size, set_size) = signal(Size::default());
    let epoch = use_context::<ThemeEpoch>();
    let easel = OffscreenCanvas {
        painter: None,
        picture: Picture::default(),
        epoch: None,
        size: Size::default(),
        waits_for: None,
    };
    let easel = Rc::new(RefCell::new(easel));
    crate::browser::effect(move || {
        if let Some(element) = canvas.get() {
            measure::follow(&element, set_size);
        }
    });
    // Number of frames requested because a picture was incomplete.
    let again = RwSignal::new(0u32);
    // When the timer calls this function, the page may no longer exist. All pictures share one timer, because otherwise
    // each early picture would request another frame.
    let timer = Timer::new(Box::new(move || _ = again.try_update(|n| *n = n.wrapping_add(1))));
    crate::browser::effect(move || {
        ctx.flush_before();
        let next = again.get().wrapping_add(1);
        let (size, epoch) = (size.get(), epoch.map(ThemeEpoch::get));
        let size = Size { ratio: super::print::ratio(size.ratio), ..size };
        let Some(element) = canvas.get() else { return };
        if size.width < 1.0 || size.height < 1.0 {
            return;
        }
        let easel = &mut *easel.borrow_mut();
        // A picture that takes several frames uses a whole frame each time. Changes that occur meanwhile are painted in
        // the next frame, which is already requested.
        if easel.waits_for == Some(next) && (easel.size, easel.epoch) == (size, epoch) {
            return;
        }
        easel.size = size;
        if easel.painter.is_none() {
            easel.painter = Painter::new(element);
        }
        let Some(painter) = &mut easel.painter else { return };
        if easel.epoch != epoch {
            easel.epoch = epoch;
            painter.set_palette(Palette::read());
        }
        timer.clear();
        easel.waits_for = None;
        match draw(size, &mut easel.picture, painter) {
            Then::Rest => {}
            Then::NextFrame => {
                easel.waits_for = Some(next);
                timer.next_frame();
            }
            Then::After(ms) => {
                let duration = core::time::Duration::from_secs_f64(ms.max(0.0) / 1000.0);
                timer.after(duration);
            }
        }
    });
    size
}

/// Returns the function that draws the states of PEs on a wall, if the page presents.
fn wall(ctx: Ctx) -> Option<Layer> {
    ctx.parts.sides.get().filter(|_| ctx.presents()).map(|sides| sides.wall())
}

/// Returns the function whose drawing replaces the array, and the dataflow that a person builds.
fn instead(ctx: Ctx) -> (Option<Instead>, Option<Built>) {
    ctx.workbench().map(|bench| ctx.session().with(|session| bench.instead(session))).unwrap_or_default()
}

/// Paints the array view, and returns its size.
pub(crate) fn stage(canvas: NodeRef<Canvas>, ctx: Ctx) -> ReadSignal<Size> {
    let work = RefCell::new(Work::default());
    let motion = RefCell::new(Motion::default());
    paint(
        canvas,
        ctx,
        Box::new(move |size, picture, painter| {
            let plan = ctx.plan.read();
            let (bench, broken) = (ctx.workbench(), ctx.tools.broken.get());
            let (broken, selected, zoom) = (broken.as_deref(), ctx.focused_pe.get(), ctx.view.zoom.get());
            let channel = bench.and_then(|bench| ctx.session().with(|session| bench.channel(session)));
            let sides = ctx.parts.sides.get();
            let layers = bench.map(|bench| bench.layers()).or(sides.map(|sides| sides.layers())).unwrap_or(&[]);
            let (spot, filter) = (ctx.spot(), ctx.view.filter.get());
            let (second, class, wall) = (ctx.tools.second.get(), ctx.tools.class.get(), wall(ctx));
            let (before, work) = (ctx.lesson.before.get(), &work);
            let (instead, built) = instead(ctx);
            // A computation that takes several frames reaches its cycle before the next computation starts.
            let cycle = work.borrow().going_to(&plan).unwrap_or(ctx.cycle.get());
            let frame = Frame {
                selected,
                broken,
                zoom,
                channel,
                layers,
                class,
                spot,
                filter,
                instead,
                built,
                beside: second.as_deref(),
                before: before.as_deref().filter(|before| before.scenario() != plan.scenario()),
                wall,
                work: Some(work),
                ..Frame::new(&plan, cycle)
            };
            if ctx.frame.size.get_untracked() != size {
                ctx.frame.size.set(size);
            }
            if instead.is_some() {
                stage::draw(&frame, size.width, size.height, picture);
                painter.paint(picture, size);
                // The canvases of moving tokens are above this drawing.
                motion.borrow_mut().end();
                return Then::Rest;
            }
            let draw_at = |cycle: Cycle, picture: &mut Picture| {
                stage::draw(&Frame { cycle, ..frame }, size.width, size.height, picture);
            };
            let is_whole = || work.borrow().progress() != Progress::Underway;
            let rests = |picture: &Picture| {
                ctx.frame.tokens.set_value(picture.tokens.clone());
                let work = work.borrow();
                let drawn = (work.scale(), work.progress());
                if ctx.frame.drawn.get_untracked() != drawn {
                    ctx.frame.drawn.set(drawn);
                }
            };
            let motion = &mut *motion.borrow_mut();
            let detail = frame.scene(size.width, size.height).layout.detail;
            if ctx.frame.has_signs.get_untracked() != (detail == Detail::Glyph) {
                ctx.frame.has_signs.set(detail == Detail::Glyph);
            }
            let scenery = Scenery { size, zoom, run: std::sync::Arc::as_ptr(&plan) as usize, detail };
            let (palette, n_layers) = (painter.epoch(), layers.len());
            let look = Look { palette, selected, spot, filter, class, n_layers, second: second.clone() };
            // Tokens do not move next to a second run, because two runs step at the same moment.
            let is_plain = broken.is_none() && channel.is_none() && second.is_none();
            let is_small = plan.schedule().array().pes() <= tween::PES_MAX;
            let may_travel = is_small && is_plain && ctx.is_motion(tween::RATE_MAX);
            let has_next = is_small && is_plain && cycle < plan.last() && ctx.is_slow(tween::RATE_MAX);
            let goes_on = may_travel && ctx.playing.get_untracked() && has_next;
            let (draw, is_whole) = (&draw_at, &is_whole);
            let now = Now { cycle, scenery, look, is_plain, may_travel, has_next, goes_on, draw, is_whole };
            let passed = sides.map(|sides| sides.pass(motion, now, picture, painter));
            let rest = if matches!(passed, Some(Passed::Rests)) { Then::After(motion::REST_MS) } else { Then::Rest };
            match passed {
                Some(Passed::Underway(ms)) => return Then::After(ms),
                Some(Passed::Stands) => return Then::Rest,
                Some(Passed::Painted) => {
                    rests(picture);
                    return Then::next_frame_if(!is_whole());
                }
                Some(Passed::Nothing | Passed::Rests) | None => {}
            }
            draw_at(cycle, picture);
            if work.borrow().going_to(&plan).is_some() {
                return Then::NextFrame;
            }
            painter.paint(picture, size);
            rests(picture);
            if is_whole() && cycle == ctx.cycle.get_untracked() { rest } else { Then::NextFrame }
        }),
    )
}

/// Paints the array view of a second run.
pub(crate) fn other_stage(
    canvas: NodeRef<Canvas>,
    ctx: Ctx,
    shown: Memo<Option<(std::sync::Arc<studio::Plan>, Cycle)>>,
) {
    let work = RefCell::new(Work::default());
    paint(
        canvas,
        ctx,
        whole(move |size, picture| {
            if let Some((plan, cycle)) = &*shown.read() {
                let first = ctx.plan.read();
                let layers = ctx.parts.sides.get().map_or(&[][..], |sides| sides.layers());
                let wall = wall(ctx);
                let frame = Frame { work: Some(&work), beside: Some(&first), layers, wall, ..Frame::new(plan, *cycle) };
                stage::draw(&frame, size.width, size.height, picture);
            }
            work.borrow().progress() == Progress::Underway
        }),
    );
}

/// Paints one cycle of another run as a small picture.
pub(crate) fn thumbnail(
    canvas: NodeRef<Canvas>,
    ctx: Ctx,
    plan: std::sync::Arc<studio::Plan>,
    cycle: Cycle,
    zoom: fn(&Layout, f32, f32) -> Zoom,
) {
    let work = RefCell::new(Work::default());
    paint(
        canvas,
        ctx,
        whole(move |size, picture| {
            let layers = ctx.parts.sides.get().map_or(&[][..], |sides| sides.layers());
            let frame = Frame::new(&plan, cycle);
            let whole = frame.scene(size.width, size.height).layout;
            let zoom = zoom(&whole, size.width, size.height);
            let frame = Frame { work: Some(&work), layers, zoom, ..frame };
            stage::draw(&frame, size.width, size.height, picture);
            work.borrow().progress() == Progress::Underway
        }),
    );
}

/// Paints one PE of the run at the shown cycle. `pe` returns the PE.
pub(crate) fn inside_pe(canvas: NodeRef<Canvas>, ctx: Ctx, pe: Memo<Option<PeId>>) {
    let draw = move |size: Size, picture: &mut Picture| {
        match pe.get() {
            Some(pe) => {
                stage::inside::draw(&ctx.plan.read(), ctx.cycle.get(), pe, size.width, size.height, picture);
            }
            None => picture.clear(size.width, size.height),
        }
        false
    };
    paint(canvas, ctx, Box::new(whole(draw)));
}

/// Paints the timeline of a dataflow that a person builds.
pub(crate) fn flow_timeline(
    canvas: NodeRef<Canvas>,
    ctx: Ctx,
    run: Memo<Option<std::sync::Arc<systolic::flow::FlowRun>>>,
    cycle: Memo<u64>,
) {
    let draw = move |size: Size, picture: &mut Picture| {
        match run.get() {
            Some(run) => flow::draw_timeline(&run, cycle.get(), size.width, size.height, picture),
            None => picture.clear(size.width, size.height),
        }
        false
    };
    paint(canvas, ctx, Box::new(whole(draw)));
}

/// Paints the map of the folds of a run at its first cycle, as a small picture.
pub(crate) fn fold_picture(canvas: NodeRef<Canvas>, ctx: Ctx, plan: std::sync::Arc<studio::Plan>) {
    let draw = move |size: Size, picture: &mut Picture| {
        stage::fold_map::draw(&plan, Cycle(0), size.width, size.height, picture);
        false
    };
    paint(canvas, ctx, Box::new(whole(draw)));
}

/// Paints the map of the folds, and returns its size.
pub(crate) fn fold_map(canvas: NodeRef<Canvas>, ctx: Ctx) -> ReadSignal<Size> {
    paint(
        canvas,
        ctx,
        whole(move |size, picture| {
            stage::fold_map::draw(&ctx.plan.read(), ctx.cycle.get(), size.width, size.height, picture);
            false
        }),
    )
}

/// Paints the timeline of another run.
pub(crate) fn other_timeline(
    canvas: NodeRef<Canvas>,
    ctx: Ctx,
    shown: Memo<Option<(std::sync::Arc<studio::Plan>, Cycle)>>,
) {
    paint(
        canvas,
        ctx,
        whole(move |size, picture| {
            if let Some((plan, cycle)) = &*shown.read() {
                timeline::draw(plan, *cycle, size.width, size.height, picture);
            }
            false
        }),
    );
}

/// Inputs from which the timeline was painted.
#[derive(Clone)]
struct Strip {
    plan: std::sync::Arc<studio::Plan>,
    cycle: Cycle,
    /// Cycles of the run before a card changed settings.
    cycles_before: Option<u64>,
    class: Option<systolic::Slot>,
    size: Size,
    palette: u32,
}

impl Strip {
    fn looks_like(&self, other: &Self, sides: &dyn Sides) -> bool {
        let is_same_run = std::sync::Arc::ptr_eq(&self.plan, &other.plan);
        is_same_run
            && (self.class, self.size, self.palette, self.cycles_before)
                == (other.class, other.size, other.palette, other.cycles_before)
            && sides.looks_same(&self.plan, (self.cycle, other.cycle), self.size.width, self.size.height)
    }
}

/// Paints the timeline of the run.
pub(crate) fn timeline(canvas: NodeRef<Canvas>, ctx: Ctx) {
    let painted: RefCell<Option<Strip>> = RefCell::default();
    paint(
        canvas,
        ctx,
        Box::new(move |size, picture, painter| {
            let (plan, palette) = (ctx.plan.get(), painter.epoch());
            // A person can choose a class only when the side panels are loaded.
            let sides = ctx.parts.sides.get();
            let class = sides.and_then(|_| ctx.tools.class.get());
            let cycles_before =
                ctx.lesson.before.with(|before| before.as_ref().map(|before| before.schedule().cycles().get()));
            let strip = Strip { plan, cycle: ctx.cycle.get(), cycles_before, class, size, palette };
            let stands = |sides| painted.borrow().as_ref().is_some_and(|painted| painted.looks_like(&strip, sides));
            if sides.is_some_and(stands) {
                return Then::Rest;
            }
            timeline::draw(&strip.plan, strip.cycle, size.width, size.height, picture);
            if let Some(cycles_before) = strip.cycles_before {
                timeline::mark_end_before(cycles_before, &strip.plan, size.width, size.height, picture);
            }
            if let Some((slot, sides)) = strip.class.zip(sides) {
                sides.light(&strip.plan, slot, size.width, size.height, picture);
            }
            painter.paint(picture, size);
            painted.replace(Some(strip));
            Then::Rest
        }),
    );
}
