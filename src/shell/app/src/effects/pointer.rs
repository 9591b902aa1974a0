//! Actions of mouse, pen and fingers on the array view.
//!
//! If one finger moves up or down, the browser scrolls the page. If one finger moves sideways, the cycle changes, or a
//! zoomed array moves. Two fingers zoom. Dragging with the mouse moves a zoomed array. A press that moved is not a
//! click.

use leptos::prelude::*;
use stage::pointing::Shown;
use stage::{Layout, Scene, Zoom, timeline};
use studio::{Action, Drawing, Edit, PointedValue, Transport};
use systolic::{Cycle, Operand, PeId};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, MouseEvent, PointerEvent};

use crate::browser::measure::Size;
use crate::ctx::Ctx;
use crate::navigation;

/// Maximum distance in pixels that a press can move and still be a click.
const STILL: f32 = 6.0;
/// Pixels of sideways movement per cycle. In a long run, one pixel corresponds to several cycles, so that the width
/// covers the whole run.
const CYCLE: f32 = 24.0;
/// Degrees by which the cube turns for each pixel of a drag.
const TURN: f32 = 0.3;

pub(crate) type Point = (f32, f32);

/// Returns the position of an event in its element.
#[expect(clippy::cast_precision_loss, reason = "coordinates on a screen")]
pub(crate) fn place_in(event: &MouseEvent) -> Point {
    (event.offset_x() as f32, event.offset_y() as f32)
}

/// A press on the array view by one or more pointers.
#[derive(Clone, Debug, Default)]
struct Press {
    /// Ids and positions of the pointers that are down.
    down: Vec<(i32, Point)>,
    /// Position at which the first pointer was pressed.
    from: Point,
    /// Cycle that was shown when the first pointer was pressed.
    cycle: u64,
    /// True if the press has moved, or a second pointer was pressed.
    moved: bool,
    /// True if a finger pressed.
    is_touch: bool,
}

/// Returns the operand, row and column of a value that is an element of A or B.
fn operand_of(spot: Option<PointedValue>) -> Option<(Operand, u64, u64)> {
    match spot? {
        PointedValue::Element(operand, row, col) if operand != Operand::C => Some((operand, row, col)),
        _ => None,
    }
}

/// Handler of the pointers on the array view.
#[derive(Clone, Copy)]
pub(crate) struct Pointer {
    ctx: Ctx,
    size: ReadSignal<Size>,
    press: StoredValue<Press>,
}

/// Makes a click on the timeline show the cycle at that place. A click on the name of an event shows the event.
pub(crate) fn follow_timeline(ctx: Ctx) {
    let pressed = window_event_listener(leptos::ev::click, move |event| {
        let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let line = target
            .filter(|target| target.id() != "scrub")
            .and_then(|target| target.closest(".timeline").ok().flatten());
        let Some(line) = line.filter(|_| ctx.playing.try_get_untracked().is_some()) else { return };
        let place = line.get_bounding_client_rect();
        let (x, y) = (f64::from(event.client_x()) - place.left(), f64::from(event.client_y()) - place.top());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "screen coordinates, and cycles that are not negative and within the run"
        )]
        let cycle = ctx.plan.with_untracked(|plan| {
            let size = (place.width() as f32, place.height() as f32);
            let named = timeline::event_at(plan, ctx.cycle.get_untracked(), size, (x as f32, y as f32));
            let share = x / place.width().max(1.0);
            named.map_or((share * plan.schedule().cycles().as_f64()).max(0.0) as u64, Cycle::get)
        });
        ctx.dispatch(&Action::Move(Transport::Seek(cycle)));
    });
    on_cleanup(move || pressed.remove());
}

/// Writes the name of the current drawing into an attribute of the array view. From this name, the style sheet decides
/// if the view reacts to a pointer.
pub(crate) fn follow_drawing(ctx: Ctx) {
    let of = |tools: &studio::Tools| if tools.built.is_some() { "flow" } else { tools.picture.id() };
    let drawing = Memo::new(move |_| ctx.session().with(|session| of(&session.tools)));
    crate::browser::effect(move || {
        let stage = crate::browser::document().and_then(|document| document.get_element_by_id("stage"));
        // The element accepts any attribute.
        let _ = stage.map(|stage| stage.set_attribute("data-drawing", drawing.get()));
    });
}

impl Pointer {
    pub(crate) fn new(ctx: Ctx, size: ReadSignal<Size>) -> Self {
        Self { ctx, size, press: StoredValue::new(Press::default()) }
    }

    /// Returns the division of the array view into regions.
    fn scene(self) -> Scene {
        let size = self.size.get_untracked();
        let beside = self.ctx.tools.second.get_untracked();
        let (size, is_wall) = ((size.width, size.height), self.ctx.presents_untracked());
        self.ctx.plan.with_untracked(|plan| Scene::view(plan, beside.as_deref(), size, is_wall))
    }

    /// Returns the layout of the whole array, without zoom.
    fn whole(self) -> Layout {
        self.scene().layout
    }

    fn shown(self) -> Layout {
        let size = self.size.get_untracked();
        self.whole().zoomed(self.ctx.view.zoom.get_untracked(), size.width, size.height)
    }

    /// Returns the position of a pointer in pixels of the picture. Events give the position in pixels of the window.
    #[expect(clippy::cast_possible_truncation, reason = "coordinates on a screen")]
    fn point(self, event: &MouseEvent) -> Point {
        let zoom = self.size.get_untracked().zoom.max(0.1);
        ((f64::from(event.offset_x()) / zoom) as f32, (f64::from(event.offset_y()) / zoom) as f32)
    }

    /// Returns the PE under a pointer.
    fn pe_at(self, event: &MouseEvent) -> Option<PeId> {
        let (x, y) = self.point(event);
        if self.shows_cube() { None } else { self.shown().hit(x, y) }
    }

    /// True if a cube is in the place of the array.
    fn shows_cube(self) -> bool {
        self.ctx.session().with_untracked(|session| matches!(session.tools.picture, Drawing::Cube | Drawing::Cubes))
    }

    /// Handles the press of a pointer.
    pub(crate) fn pressed(self, event: &PointerEvent) {
        let (at, cycle) = (self.point(event), self.ctx.cycle.get_untracked().get());
        let is_touch = event.pointer_type() == "touch";
        self.press.update_value(|press| {
            press.is_touch = is_touch;
            press.down.retain(|(id, _)| *id != event.pointer_id());
            if press.down.is_empty() {
                (press.from, press.cycle, press.moved) = (at, cycle, false);
            } else {
                press.moved = true;
            }
            press.down.push((event.pointer_id(), at));
        });
    }

    /// Handles the release of a pointer, or its loss when the browser uses the pointer to scroll the page.
    pub(crate) fn released(self, event: &PointerEvent) {
        self.press.update_value(|press| press.down.retain(|(id, _)| *id != event.pointer_id()));
    }

    /// Handles a pointer that moves.
    pub(crate) fn moved(self, event: &PointerEvent) {
        let is_touch = event.pointer_type() == "touch";
        if !is_touch {
            let pe = self.pe_at(event);
            self.ctx.hover(pe);
            let spot = self.spot_at(event);
            self.ctx.point(spot);
            let can_edit = pe.is_none() && !self.ctx.embedded() && operand_of(spot).is_some();
            if let Some(canvas) = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok()) {
                // Every browser knows both cursors.
                let _ = canvas.style().set_property("cursor", if can_edit { "cell" } else { "" });
            }
        }
        let (id, at) = (event.pointer_id(), self.point(event));
        let mut press = self.press.get_value();
        let before = press.down.clone();
        let Some(own) = press.down.iter_mut().find(|(down, _)| *down == id) else { return };
        let last = core::mem::replace(&mut own.1, at);
        press.moved |= (at.0 - press.from.0).abs().max((at.1 - press.from.1).abs()) > STILL;
        let zoom = self.ctx.view.zoom.get_untracked();
        if let ([(_, a0), (_, b0)], [(_, a1), (_, b1)]) = (&before[..], &press.down[..]) {
            let apart = |a: &Point, b: &Point| (a.0 - b.0).hypot(a.1 - b.1).max(1.0);
            self.zoom_at(apart(a1, b1) / apart(a0, b0), Some(((a1.0 + b1.0) / 2.0, (a1.1 + b1.1) / 2.0)));
        } else if press.moved && self.shows_cube() {
            let (right, down) = (at.0 - last.0, at.1 - last.1);
            let turn = zoom.turn.by(TURN * right, TURN * down);
            self.ctx.view.zoom.set(Zoom { turn, ..zoom });
        } else if press.moved && !zoom.is_whole() {
            self.ctx.view.zoom.set(zoom.dragged((at.0 - last.0, at.1 - last.1), &self.shown()));
        } else if press.moved && is_touch {
            self.scrub(&press, at);
        }
        self.press.set_value(press);
    }

    /// Moves through time in proportion to the sideways movement of a finger.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and within the run")]
    fn scrub(self, press: &Press, at: Point) {
        let last = self.ctx.plan.with(|plan| plan.last().as_f64());
        let width = f64::from(self.size.get_untracked().width.max(1.0));
        let per_pixel = (last / width).max(1.0 / f64::from(CYCLE));
        let cycles = (f64::from(at.0 - press.from.0) * per_pixel).round();
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let to = (press.cycle as f64 + cycles).max(0.0);
        self.ctx.dispatch(&Action::Move(Transport::Seek(to as u64)));
    }

    /// Returns the value under a pointer.
    fn spot_at(self, event: &MouseEvent) -> Option<PointedValue> {
        let (size, at) = (self.size.get_untracked(), self.point(event));
        if self.shows_cube() {
            return None;
        }
        let (ctx, sides) = (self.ctx, self.ctx.parts.sides.get_untracked()?);
        let (cycle, zoom) = (ctx.cycle.get_untracked(), ctx.view.zoom.get_untracked());
        // An array with a fault has its own caption.
        if ctx.tools.broken.with_untracked(Option::is_some) {
            return None;
        }
        let scene = self.scene().zoomed(zoom, size.width, size.height);
        ctx.plan.with_untracked(|plan| {
            ctx.frame.tokens.with_value(|tokens| {
                let shown = Shown { plan, cycle, scene, tokens };
                sides.spot_at(&shown, at)
            })
        })
    }

    /// Handles a click, which chooses a PE or clears the choice. A click on an element of A or B chooses the element
    /// and opens its input field. With a finger, the field opens only at the second tap.
    pub(crate) fn clicked(self, event: &MouseEvent) {
        if self.press.with_value(|press| press.moved) {
            return;
        }
        if self.shows_cube() {
            // On a wall, a press acts on the run as a whole.
            let bench = untrack(|| self.ctx.workbench()).filter(|_| !self.ctx.presents_untracked());
            return bench.map_or((), |bench| bench.press_cube(self.ctx, self.size.get_untracked(), self.point(event)));
        }
        if self.pe_at(event).is_none()
            && let spot = self.spot_at(event)
            && let Some((operand, row, col)) = operand_of(spot)
        {
            // A click draws the path of the element and opens its field. The first tap of a finger opens no field, because
            // the keyboard of a phone covers the array.
            if !self.press.with_value(|press| press.is_touch) || untrack(|| self.ctx.pinned_spot()) == spot {
                navigation::edit(self.ctx, operand, row, col);
            }
            self.ctx.dispatch(&Action::Edit(Edit::Select(None)));
            self.ctx.pin(spot, None);
            return;
        }
        let chosen = self.ctx.session().with_untracked(|session| session.view.selected);
        let pe = self.pe_at(event);
        // The first click on a PE chooses the PE. A click on a value of the chosen PE chooses the value, too. A second
        // click on this value clears both choices.
        let spot = if pe == chosen { self.spot_at(event) } else { None };
        let is_same = pe == chosen && spot == untrack(|| self.ctx.pinned_spot());
        let pe = pe.filter(|_| !is_same);
        self.ctx.pin(spot.filter(|_| !is_same), pe);
        self.ctx.dispatch(&Action::Edit(Edit::Select(pe)));
    }

    /// Brings the chosen PE into view.
    pub(crate) fn reveal(self) {
        let zoom = self.ctx.view.zoom.get_untracked();
        let chosen = self.ctx.session().with_untracked(|session| session.view.selected);
        let (Some(pe), false) = (chosen, zoom.is_whole()) else { return };
        let shown = self.shown();
        let (rows, cols) = (shown.rows_seen(), shown.cols_seen());
        if !rows.contains(&pe.row) || !cols.contains(&pe.col) {
            #[expect(clippy::cast_precision_loss, reason = "at most 1024")]
            let share = |place: u32, all: u32| (place as f32 + 0.5) / all.max(1) as f32;
            self.ctx.view.zoom.set(zoom.at((share(pe.col, shown.cols), share(pe.row, shown.rows))));
        }
    }

    /// Chooses the PE under a pointer and zooms in as far as possible. Returns true if a PE is under the pointer.
    pub(crate) fn enter(self, event: &MouseEvent) -> bool {
        const CLOSEST: f32 = 1000.0;
        let Some(pe) = self.pe_at(event) else { return false };
        self.ctx.pin(None, None);
        self.ctx.dispatch(&Action::Edit(Edit::Select(Some(pe))));
        self.zoom_at(CLOSEST, Some(self.shown().cell_of(pe).center()));
        true
    }

    /// Zooms by a factor, centered at a pointer.
    pub(crate) fn zoom_to(self, factor: f32, event: &MouseEvent) {
        self.zoom_at(factor, Some(self.point(event)));
    }

    /// Zooms by a factor, centered at the chosen PE or at the middle. A factor of 0 shows the whole array.
    pub(crate) fn zoom(self, factor: f32) {
        self.zoom_at(factor, None);
    }

    fn zoom_at(self, factor: f32, at: Option<Point>) {
        if self.shows_cube() {
            return;
        }
        let (size, zoom) = (self.size.get_untracked(), self.ctx.view.zoom.get_untracked());
        let (whole, shown) = (self.whole(), self.shown());
        let chosen = self.ctx.session().with_untracked(|session| session.view.selected);
        let middle = || chosen.map_or((size.width / 2.0, size.height / 2.0), |pe| shown.cell_of(pe).center());
        self.ctx.view.zoom.set(zoom.by(factor, at.unwrap_or_else(middle), &whole, size.width, size.height));
    }
}
