//! Painting: the effects that put the stage and the timeline on their canvases.

use std::cell::RefCell;
use std::rc::Rc;

use display::Picture;
use leptos::html::Canvas;
use leptos::prelude::*;
use stage::{self, Frame, Progress, Work, timeline};
use systolic::Cycle;

use super::measure::{self, Size};
use super::motion::{self, Motion, Scenery};
use super::painter::Painter;
use super::theme::{Palette, ThemeEpoch};
use crate::ctx::Ctx;

/// Paints what is to be seen, with a picture to draw in; returns whether there is more of it in the next frame.
type Draw = Box<dyn Fn(Size, &mut Picture, &mut Painter) -> bool>;

/// Draws a picture of a size, which is then painted whole.
fn whole(draw: impl Fn(Size, &mut Picture) -> bool + 'static) -> Draw {
    Box::new(move |size, picture, painter| {
        let has_more = draw(size, picture);
        painter.paint(picture, size);
        has_more
    })
}

struct Easel {
    painter: Option<Painter>,
    picture: Picture,
    epoch: Option<(studio::Theme, u32)>,
}

/// Paints a canvas whenever what `draw` reads has changed; gives the canvas' size.
///
/// Before any text of the page changes: a canvas asks for its font, and the browser first brings all styles up to date.
/// With 256×256 PEs and the page's texts already changed, that is a third of a frame's script.
fn paint(canvas: NodeRef<Canvas>, ctx: Ctx, draw: Draw) -> ReadSignal<Size> {
    let (size, set_size) = signal(Size::default());
    let epoch = use_context::<ThemeEpoch>();
    let easel = Rc::new(RefCell::new(Easel { painter: None, picture: Picture::default(), epoch: None }));
    super::effect(Box::new(move || {
        if let Some(element) = canvas.get() {
            measure::follow(&element, set_size);
        }
    }));
    // Counts the frames requested because a picture was not yet whole.
    let again = RwSignal::new(0u32);
    super::effect(Box::new(move || {
        ctx.flush_before();
        again.get();
        let (size, epoch) = (size.get(), epoch.map(ThemeEpoch::get));
        let size = Size { ratio: super::print::ratio(size.ratio), ..size };
        let Some(element) = canvas.get() else { return };
        if size.width < 1.0 || size.height < 1.0 {
            return;
        }
        let easel = &mut *easel.borrow_mut();
        if easel.painter.is_none() {
            easel.painter = Painter::new(element);
        }
        let Some(painter) = &mut easel.painter else { return };
        if easel.epoch != epoch {
            easel.epoch = epoch;
            painter.set_palette(Palette::read());
        }
        let has_more = draw(size, &mut easel.picture, painter);
        if has_more {
            // The page may be gone by then.
            request_animation_frame(move || _ = again.try_update(|n| *n = n.wrapping_add(1)));
        }
    }));
    size
}

/// Paints the array.
pub(crate) fn stage(canvas: NodeRef<Canvas>, ctx: Ctx) -> ReadSignal<Size> {
    let work = RefCell::new(Work::default());
    let motion = RefCell::new(Motion::default());
    paint(
        canvas,
        ctx,
        Box::new(move |size, picture, painter| {
            let plan = ctx.plan.read();
            let (bench, broken) = (ctx.workbench(), ctx.broken.get());
            let (broken, selected, zoom) = (broken.as_deref(), ctx.focused_pe.get(), ctx.zoom.get());
            let channel = bench.and_then(|bench| ctx.session().with(bench.channel));
            let sides = ctx.parts.sides.get();
            let layers = bench.map(|bench| bench.layers).or(sides.map(|sides| sides.layers)).unwrap_or_default();
            let (spot, filter) = (ctx.shown_spot(), ctx.filter.get());
            let frame = Frame { selected, broken, zoom, channel, layers, ..Frame::new(&plan, ctx.cycle.get()) };
            let second = ctx.second.get();
            let frame = Frame { work: Some(&work), class: ctx.class.get(), spot, filter, ..frame };
            let frame = Frame { beside: second.as_deref(), ..frame };
            if ctx.width.get_untracked() != size.width {
                ctx.width.set(size.width);
            }
            let draw_at = |cycle: Cycle, picture: &mut Picture| {
                stage::draw(&Frame { cycle, ..frame }, size.width, size.height, picture);
            };
            let motion = &mut *motion.borrow_mut();
            let detail = frame.scene(size.width, size.height).layout.detail;
            let scenery = Scenery { size, zoom, run: std::sync::Arc::as_ptr(&plan) as usize, detail };
            let is_small = plan.schedule().array().pes() <= motion::PES_MAX;
            let may_travel = is_small && broken.is_none() && channel.is_none() && ctx.is_motion(motion::RATE_MAX);
            let now_ms = super::now_ms();
            let ends = motion.follow(frame.cycle, scenery, may_travel, now_ms);
            if let (Some((before, after)), Some(sides)) = (ends, sides) {
                let (mut one, mut other) = (Picture::default(), Picture::default());
                draw_at(before, &mut one);
                draw_at(after, &mut other);
                if super::wants_no_motion() {
                    draw_at(frame.cycle, picture);
                    (sides.ghosts)(if frame.cycle == before { &other } else { &one }, picture);
                    painter.paint(picture, size);
                    return work.borrow().progress() == Progress::Underway;
                }
                (sides.begin)(motion, &one, &other, painter, size);
            }
            if sides.is_some_and(|sides| (sides.travel)(motion, now_ms, painter, size)) {
                return true;
            }
            draw_at(frame.cycle, picture);
            painter.paint(picture, size);
            ctx.tokens.set_value(picture.tokens.clone());
            let work = work.borrow();
            let drawn = (work.scale(), work.progress());
            if ctx.drawn.get_untracked() != drawn {
                ctx.drawn.set(drawn);
            }
            work.progress() == Progress::Underway
        }),
    )
}

/// Paints the array of a second run.
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
                let layers = ctx.parts.sides.get().map(|sides| sides.layers).unwrap_or_default();
                let frame = Frame { work: Some(&work), beside: Some(&first), layers, ..Frame::new(plan, *cycle) };
                stage::draw(&frame, size.width, size.height, picture);
            }
            work.borrow().progress() == Progress::Underway
        }),
    );
}

/// Paints one moment of another run, small.
pub(crate) fn thumbnail(canvas: NodeRef<Canvas>, ctx: Ctx, plan: std::sync::Arc<studio::Plan>, cycle: Cycle) {
    let work = RefCell::new(Work::default());
    paint(
        canvas,
        ctx,
        whole(move |size, picture| {
            let layers = ctx.parts.sides.get().map(|sides| sides.layers).unwrap_or_default();
            let frame = Frame { work: Some(&work), layers, ..Frame::new(&plan, cycle) };
            stage::draw(&frame, size.width, size.height, picture);
            work.borrow().progress() == Progress::Underway
        }),
    );
}

/// Paints the folds as a map.
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

/// Paints another run as a strip.
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

/// Paints the run as a strip.
pub(crate) fn timeline(canvas: NodeRef<Canvas>, ctx: Ctx) {
    paint(
        canvas,
        ctx,
        whole(move |size, picture| {
            timeline::draw(&ctx.plan.read(), ctx.cycle.get(), size.width, size.height, picture);
            if let Some(slot) = ctx.class.get() {
                timeline::light(&ctx.plan.read(), slot, size.width, size.height, picture);
            }
            false
        }),
    );
}
