//! The matrices A, B and C around the array: elements that wait, elements in the array, and finished results.

use super::cells::{GLYPH, PARTIAL, RESULT, TEXT_MIN, fitting, ink_of, text_width};
use super::geometry::{Form, NAME_SIZE, Place, SIGN};
use super::{Frame, Scene};
use display::Tone;
use display::picture::{Anchor, Dash, Identity, Mark, Outline, Picture, Port, Rect, Stroke, between, px};
use studio::defect::BrokenMachine;
use studio::progress_blocks::extent;
use studio::whereabouts::{self, ResultProgress, Whereabouts};
use systolic::{Operand, PeId, SumOf};

#[expect(clippy::cast_possible_truncation, reason = "a share")]
pub(super) fn share(part: u64, all: u64) -> f32 {
    (systolic::Elements(part).as_f64() / systolic::Elements(all.max(1)).as_f64()) as f32
}

/// Draws the matrices that fit in the view.
pub(super) fn draw(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    for place in scene.places.iter().flatten() {
        match (place.form, place.operand) {
            // A layer draws the content.
            (Form::Field, _) => {
                picture.shape(place.rect, Outline::Box(0), Tone::Ground, Stroke::solid(Tone::Quiet, 1.0));
            }
            (_, Operand::C) => draw_results(frame, place, picture),
            (_, Operand::A | Operand::B) => draw_operand(frame, place, picture),
        }
        brackets(&place.rect, picture);
        draw_name(frame, place, scene.is_strip, picture);
    }
    if let (true, [Some(a), Some(b), Some(c)]) = (scene.is_strip, &scene.places) {
        for (left, right, sign) in [(a, b, "×"), (b, c, "=")] {
            let x = f32::midpoint(left.rect.x + left.rect.w, right.rect.x);
            picture.text((x, b.rect.center().1), sign, 16.0, Anchor::Middle, Tone::Quiet);
        }
    }
}

/// Draws a ring around each element of A, B and C that a PE works on.
pub(super) fn ring_elements(frame: &Frame<'_>, scene: &Scene, pe: PeId, picture: &mut Picture) {
    let probe = frame.plan.prober().without_sum(frame.cycle, pe);
    let operands = [probe.held, probe.east, probe.south].into_iter().flatten();
    let sum =
        frame.plan.schedule().sum_place(SumOf::Register, frame.cycle, pe).map(|(row, col)| (Operand::C, row, col));
    for (operand, row, col) in operands.map(|element| (element.operand, element.row, element.col)).chain(sum) {
        let Some(place) = scene.place(operand) else { continue };
        let around = enlarged_element(&place, row, col, RING_MIN);
        picture.shape(around, Outline::Box(4), Tone::Clear, Stroke::solid(Tone::Chosen, 2.0));
    }
}

/// Returns the rectangle of an element, enlarged to this side. An element of a field can be smaller than a pixel.
pub(super) fn enlarged_element(place: &Place, row: u64, col: u64, least: f32) -> Rect {
    let rect = place.element(row, col);
    let ((x, y), w, h) = (rect.center(), rect.w.max(least), rect.h.max(least));
    Rect::new(x - w / 2.0, y - h / 2.0, w, h)
}

/// Smallest side of a ring around an element.
const RING_MIN: f32 = 7.0;

/// Draws square brackets around a matrix.
fn brackets(rect: &Rect, picture: &mut Picture) {
    let stroke = Stroke::solid(Tone::Quiet, 1.2);
    let (top, bottom) = (rect.y - 4.0, rect.y + rect.h + 4.0);
    for (x, inward) in [(rect.x - 5.0, 5.0), (rect.x + rect.w + 5.0, -5.0)] {
        picture.line((x, top), (x, bottom), stroke);
        picture.line((x, top), (x + inward, top), stroke);
        picture.line((x, bottom), (x + inward, bottom), stroke);
    }
}

/// Draws the name and the sizes of a matrix, and for C also the number of complete elements.
fn draw_name(frame: &Frame<'_>, place: &Place, is_strip: bool, picture: &mut Picture) {
    let operand = place.operand;
    let (rows, cols) = extent(frame.plan.schedule().gemm(), operand);
    let letter = words::picture::letter(operand);
    let (tone, ..) = ink_of(operand);
    let sides = words::picture::sides(rows, cols);
    let (x, y) = place.name;
    // The question of a card may be the number of complete elements, so this number is hidden until the answer.
    let done = (operand == Operand::C && frame.filter.judges()).then(|| {
        let (n, all) = whereabouts::n_complete(frame.plan, frame.cycle);
        match frame.broken {
            Some(broken) => {
                let n = broken.collected().map_or(n, |collected| collected.n_complete);
                words::picture::complete_and_wrong((n, all), n_wrong(frame, broken))
            }
            None => words::picture::complete((n, all)),
        }
    });
    let below = (place.rect.center().0, place.rect.y + place.rect.h + 15.0);
    if is_strip {
        let wide = |text: &str| text_width(text, NAME_SIZE);
        let (full, short) = match done {
            Some(done) => (format!("{letter}  {done}"), letter),
            None => (format!("{letter}  {sides}"), letter),
        };
        let text = if wide(&full) <= place.rect.w + SIGN - 8.0 { full } else { short.to_owned() };
        let half = wide(&text) / 2.0 + 1.0;
        let x = between(x, half, picture.width - half) - half + 1.0;
        picture.bold((x, y), letter, NAME_SIZE, Anchor::Start, tone);
        if let Some(rest) = text.strip_prefix(letter).map(str::trim_start).filter(|rest| !rest.is_empty()) {
            picture.text((x + wide("A  "), y), rest, NAME_SIZE, Anchor::Start, Tone::Quiet);
        }
        return;
    }
    let glyph = GLYPH * NAME_SIZE;
    let width = text_width(&sides, NAME_SIZE);
    let x = x.min(picture.width - 2.0 * glyph - width - 2.0);
    picture.bold((x, y), letter, NAME_SIZE + 1.0, Anchor::Start, tone);
    picture.text((x + 2.0 * glyph, y), sides, NAME_SIZE, Anchor::Start, Tone::Quiet);
    if let Some(done) = done {
        let wide = text_width(&done, TEXT_MIN);
        // A text that is wider than its matrix begins at the left edge of the matrix. No text leaves the view.
        let x = if wide > place.rect.w { place.rect.x - 2.0 } else { below.0 - wide / 2.0 };
        let x = x.min(picture.width - wide - 2.0);
        picture.text((x, below.1), done, TEXT_MIN, Anchor::Start, Tone::Quiet);
    }
}

/// Draws the elements of A or B, each in the style of its state: waiting, next, queued, inside or passed.
fn draw_operand(frame: &Frame<'_>, place: &Place, picture: &mut Picture) {
    let Place { operand, form, extent: (rows, cols), .. } = *place;
    let (ink, tint, _) = ink_of(operand);
    let real = extent(frame.plan.schedule().gemm(), operand);
    let prober = frame.plan.prober();
    // The schedule of the fault-free array does not know where elements of an array with a fault are.
    let states = match frame.broken {
        None => whereabouts::operands(frame.plan, frame.cycle, operand),
        Some(broken) => broken.operands(operand).to_vec(),
    };
    let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    for ((row, col), state) in places.zip(states) {
        let cell = inset(&place.element(row, col), form);
        let is_padding = row >= real.0 || col >= real.1;
        let id = Identity { kind: operand as u8, nth: 0, row, col };
        picture.ports.push(Port { id, rect: cell, is_sink: false });
        let outline = Outline::Box(if form.has_numbers() { 4 } else { 1 });
        let (fill, stroke) = match state {
            Whereabouts::Waiting => (Tone::Clear, Stroke::solid(Tone::Clear, 0.0)),
            Whereabouts::Passed => (Tone::Clear, Stroke::solid(Tone::Ghost, 1.0)),
            Whereabouts::Next => (Tone::Clear, Stroke { tone: ink, width: 1.3, dash: Dash::Dotted }),
            Whereabouts::Queued => (tint, Stroke { tone: ink, width: 1.0, dash: Dash::Dotted }),
            Whereabouts::Inside => (tint, Stroke::solid(ink, 1.5)),
        };
        if form.has_numbers() {
            picture.shape(cell, outline, fill, stroke);
            let value = if is_padding { None } else { Some(prober.element(operand, row, col).value) };
            let look = if state == Whereabouts::Inside { (Tone::Ink, true) } else { (Tone::Quiet, false) };
            let text = value.map_or_else(|| "0".to_owned(), |value| fitting(value, cell.w - 2.0));
            picture.write(cell.center(), text, TEXT_MIN + 0.5, Anchor::Middle, look);
            continue;
        }
        let (fill, stroke) = match state {
            Whereabouts::Waiting => (Tone::Clear, Stroke::solid(Tone::Faint, 1.0)),
            Whereabouts::Next => (Tone::Clear, Stroke::solid(ink, 1.0)),
            Whereabouts::Queued => (tint, Stroke::solid(ink, 0.8)),
            Whereabouts::Inside => (ink, Stroke::solid(Tone::Clear, 0.0)),
            Whereabouts::Passed => (Tone::Ghost, Stroke::solid(Tone::Clear, 0.0)),
        };
        picture.shape(cell, outline, fill, stroke);
    }
}

/// Maximum number of elements of C for which every frame counts the wrong elements.
const COUNTED_MAX: usize = 4096;

/// Returns the number of wrong elements among the complete elements of C. `None` if the final values of C are unknown,
/// if C is too large, or if the user must judge C first.
fn n_wrong(frame: &Frame<'_>, broken: &BrokenMachine) -> Option<u64> {
    let (rows, cols) = extent(frame.plan.schedule().gemm(), Operand::C);
    let outcomes =
        Some(broken.outcomes()).filter(|all| broken.is_judged() && (1..=COUNTED_MAX).contains(&all.len()))?;
    let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    if broken.collected().is_some_and(|collected| collected.growth.is_empty()) {
        return None;
    }
    let is_complete = |row: u64, col: u64| match broken.collected() {
        Some(collected) => {
            let index = usize::try_from(row * frame.plan.schedule().run().n() + col).unwrap_or(usize::MAX);
            collected.growth.get(index).is_some_and(|growth| growth.is_complete)
        }
        None => whereabouts::is_complete(frame.plan, frame.cycle, row, col),
    };
    let wrong = places.zip(outcomes).filter(|((row, col), outcome)| outcome.is_wrong && is_complete(*row, *col));
    Some(wrong.count() as u64)
}

/// Returns the cell of an element, with a gap to the next cell.
fn inset(rect: &Rect, form: Form) -> Rect {
    let gap = if form.has_numbers() { 1.0 } else { (rect.w * 0.12).max(0.5) };
    Rect::new(rect.x + gap, rect.y + gap, rect.w - 2.0 * gap, rect.h - 2.0 * gap)
}

/// Draws every element of C: a bar for the products added so far, or the final value.
fn draw_results(frame: &Frame<'_>, place: &Place, picture: &mut Picture) {
    let Place { form, extent: (rows, cols), .. } = *place;
    let (plan, real) = (frame.plan, extent(frame.plan.schedule().gemm(), Operand::C));
    let outcomes = frame.broken.map_or(&[][..], BrokenMachine::outcomes);
    let values = match frame.broken {
        Some(_) => outcomes.iter().map(|outcome| outcome.value).collect(),
        None if form.has_numbers() => plan.result(),
        None => Vec::new(),
    };
    let growth = match frame.broken.and_then(BrokenMachine::collected) {
        Some(collected) => collected.growth.clone(),
        None => whereabouts::results(plan, frame.cycle),
    };
    let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let outline = Outline::Box(if form.has_numbers() { 4 } else { 1 });
    for ((row, col), ResultProgress { terms, is_complete, is_new }) in places.zip(growth) {
        let cell = inset(&place.element(row, col), form);
        let index = usize::try_from(row * real.1 + col).unwrap_or(usize::MAX);
        let is_wrong = is_complete && outcomes.get(index).is_some_and(|outcome| outcome.is_wrong);
        if row >= real.0 || col >= real.1 {
            picture.marks.push(Mark::Hatch { rect: cell, tone: Tone::Faint, rising: true });
            continue;
        }
        for kind in [RESULT, PARTIAL] {
            picture.ports.push(Port { id: Identity { kind, nth: 0, row, col }, rect: cell, is_sink: true });
        }
        if !form.has_numbers() {
            let (fill, edge) = match (is_complete, is_new, terms) {
                (true, true, _) => (Tone::C, Tone::Ink),
                (true, false, _) => (Tone::C, Tone::Clear),
                (false, _, 0) => (Tone::Clear, Tone::Faint),
                (false, ..) => (Tone::SumTint, Tone::Sum),
            };
            let fill = if is_wrong { Tone::Wrong } else { fill };
            picture.shape(cell, outline, fill, Stroke::solid(edge, 1.0));
            if is_wrong {
                picture.line((cell.x, cell.y + cell.h), (cell.x + cell.w, cell.y), Stroke::solid(Tone::Ground, 1.0));
            }
            continue;
        }
        if is_complete {
            let width = if is_new { 2.4 } else { 1.25 };
            // Color is not the only sign: a wrong element has a dashed border.
            let (tone, dash) = if is_wrong { (Tone::Wrong, Dash::Dashed) } else { (Tone::C, Dash::Solid) };
            picture.shape(cell, outline, Tone::CTint, Stroke { tone, width, dash });
            if let Some(value) = values.get(index) {
                let text = fitting(*value, cell.w);
                let widest = (cell.w - 1.0) / (GLYPH * px(text.chars().count().max(1) as u64));
                let ink = if is_wrong { Tone::Wrong } else { Tone::Ink };
                picture.bold(cell.center(), text, between(widest, TEXT_MIN, TEXT_MIN + 0.5), Anchor::Middle, ink);
            }
            continue;
        }
        picture.shape(cell, outline, Tone::Clear, Stroke::solid(Tone::Faint, 1.0));
        if terms > 0 {
            // The bar shows the share of the products that have been added.
            let all = (cell.w - 6.0).max(cell.w * 0.6);
            let (x, y) = (cell.x + (cell.w - all) / 2.0, cell.y + cell.h * 0.62);
            let tall = 3.0;
            picture.shape(Rect::new(x, y, all, tall), Outline::Box(1), Tone::SumTint, Stroke::solid(Tone::Clear, 0.0));
            let done = all * share(terms, plan.schedule().run().k());
            picture.shape(Rect::new(x, y, done, tall), Outline::Box(1), Tone::Sum, Stroke::solid(Tone::Clear, 0.0));
        }
    }
}
