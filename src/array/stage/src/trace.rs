//! The path of a value through PEs, with the result that each PE had when the value passed.
//!
//! The earlier PEs on the path have other numbers by now. A ghost covers these numbers: a dotted cell with the earlier
//! result and the cycle of that result. A ghost has no ring around it.

use super::cells::{PARTIAL, RESULT, SUM, TEXT_MIN, fitting, ink_of, text_width};
use super::matrices::enlarged_element;
use super::{Detail, Frame, Layout, Scene};
use display::Tone;
use display::picture::{Anchor, Dash, Identity, Mark, Outline, Picture, Rect, Stroke, px};
use studio::PointedValue;
use studio::spot::{Step, trace};
use systolic::{Cycle, Hold, Operand, PeId};

/// Layer that draws the path of the value that the user points at.
pub fn draw_path(frame: &Frame<'_>, scene: &Scene, picture: &mut Picture) {
    let layout = &scene.layout;
    // A picture on a wall has no path, because the audience would need an explanation of its times.
    if frame.broken.is_some() || frame.is_wall() {
        return;
    }
    let Some(spot) = frame.spot else { return };
    match spot {
        PointedValue::Sum(pe) => sum(frame, spot, Some(pe), layout, picture),
        PointedValue::Product(pe) => {
            let probe = frame.plan.prober().without_sum(frame.cycle, pe);
            for element in [probe.east, probe.held.or(probe.south)].into_iter().flatten() {
                ring_tokens(element.operand as u8, (element.row, element.col), picture);
            }
        }
        PointedValue::Element(Operand::C, row, col) => {
            factors(frame, scene, (row, col), picture);
            ring_element(scene, Operand::C, (row, col), picture);
            sum(frame, spot, None, layout, picture);
            for kind in [SUM, RESULT, PARTIAL] {
                ring_tokens(kind, (row, col), picture);
            }
        }
        PointedValue::Element(operand, row, col) => {
            ring_element(scene, operand, (row, col), picture);
            moving(frame, spot, operand, layout, picture);
            ring_tokens(operand as u8, (row, col), picture);
        }
    }
}

/// Draws a ring around a value.
fn ring(rect: &Rect, picture: &mut Picture) {
    let around = Rect::new(rect.x - 2.0, rect.y - 2.0, rect.w + 4.0, rect.h + 4.0);
    picture.shape(around, Outline::Box(5), Tone::Clear, Stroke::solid(Tone::Chosen, 2.0));
}

/// Draws a ring around each token of this element.
fn ring_tokens(kind: u8, (row, col): (u64, u64), picture: &mut Picture) {
    let is_it = |id: Identity| (id.kind, id.row, id.col) == (kind, row, col);
    let rects: Vec<Rect> = picture.tokens.iter().filter(|token| is_it(token.id)).map(|token| token.rect).collect();
    for rect in rects {
        ring(&rect, picture);
    }
}

/// Draws a ring around an element in its matrix, if the view has this matrix.
fn ring_element(scene: &Scene, operand: Operand, (row, col): (u64, u64), picture: &mut Picture) {
    if let Some(place) = scene.place(operand) {
        ring(&enlarged_element(&place, row, col, 3.0), picture);
    }
}

/// Draws rings around the row of A and the column of B that form an element of C.
fn factors(frame: &Frame<'_>, scene: &Scene, (m, n): (u64, u64), picture: &mut Picture) {
    let run = frame.plan.schedule().run();
    for (operand, first, last) in [(Operand::A, (m, 0), (m, run.k() - 1)), (Operand::B, (0, n), (run.k() - 1, n))] {
        if let Some(place) = scene.place(operand) {
            let [from, to] = [first, last].map(|(row, col)| place.element(row, col));
            let (right, bottom) = (to.x + to.w, to.y + to.h);
            ring(&Rect::new(from.x, from.y, (right - from.x).max(2.0), (bottom - from.y).max(2.0)), picture);
        }
    }
}

/// Draws the path of a sum through the PEs that added its terms. The path ends at the PE that has the sum now, or at
/// the south edge if the sum has left the array.
fn sum(frame: &Frame<'_>, spot: PointedValue, at: Option<PeId>, layout: &Layout, picture: &mut Picture) {
    let rows = layout.rows as usize;
    // In one fold, all terms of a sum are in one column, one per PE.
    let schedule = frame.plan.schedule();
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let steps_max =
        if flows { rows.saturating_mul(usize::try_from(schedule.row_folds()).unwrap_or(usize::MAX)) } else { 1 };
    let Some(trace) = trace(frame.plan, frame.cycle, spot, steps_max.min(STEPS_MAX)) else { return };
    let done = || trace.steps.iter().filter(|step| step.is_done);
    let fold = done().map(|step| step.fold).max();
    let now = at.or(trace.now);
    if flows {
        let mut made: Vec<&Step> = done().filter(|step| Some(step.fold) == fold).collect();
        let Some((first, last)) = made.first().map(|step| step.term.pe).zip(made.last().map(|step| step.term.pe))
        else {
            return;
        };
        // A sum that has left the array went through the south edge.
        let south = PeId { row: layout.rows - 1, ..last };
        let end = now.unwrap_or(south);
        made.retain(|step| Some(step.term.pe) != now);
        // Either all PEs of the path show their two factors, or all show their product.
        let has_factors = made.iter().all(|step| fits(&words::why::factors(step), layout));
        let text = |step: &Step| {
            if has_factors {
                words::why::factors(step)
            } else {
                fitting(words::why::product_of(step), text_room(layout))
            }
        };
        let then = |step: &Step| (step.term.pe, text(step), step.term.cycle);
        let ghosts: Vec<_> = made.into_iter().map(then).collect();
        draw_way((first, end), now.is_none(), &ghosts, Tone::Sum, layout, picture);
    }
    if let (Some(pe), PointedValue::Sum(_)) = (now, spot)
        && let Some(rect) = sum_token(frame, pe, layout, picture)
    {
        ring(&rect, picture);
    }
}

/// Largest number of terms in a path.
const STEPS_MAX: usize = 1 << 12;

/// Returns the rectangle in which a PE's sum is drawn; `None` if the sum is not drawn.
fn sum_token(frame: &Frame<'_>, pe: PeId, layout: &Layout, picture: &Picture) -> Option<Rect> {
    let cell = layout.cell_of(pe);
    let place = frame.plan.schedule().sum_place(systolic::SumOf::Register, frame.cycle, pe)?;
    let is_in = |rect: &Rect| layout.hit(rect.center().0, rect.center().1) == Some(pe) && rect.w <= cell.w;
    let is_it = |id: Identity| (id.kind, (id.row, id.col)) == (SUM, place);
    picture.tokens.iter().find(|token| is_it(token.id) && is_in(&token.rect)).map(|token| token.rect)
}

/// Draws the path of an operand, from the edge where it entered to the PE that has it now.
fn moving(frame: &Frame<'_>, spot: PointedValue, operand: Operand, layout: &Layout, picture: &mut Picture) {
    let Some(trace) = trace(frame.plan, frame.cycle, spot, 0) else { return };
    let (Some(pe), Some(value)) = (trace.now, trace.value) else { return };
    let schedule = frame.plan.schedule();
    let (tone, ..) = ink_of(operand);
    let goes_east = schedule.dataflow().from_west() == operand;
    let stays = schedule.dataflow().stationary() == operand;
    let first = if goes_east { PeId { col: 0, ..pe } } else { PeId { row: 0, ..pe } };
    let before = (0..if goes_east { pe.col } else { pe.row }).filter(|_| !stays).filter_map(|nth| {
        let at = if goes_east { PeId { col: nth, ..pe } } else { PeId { row: nth, ..pe } };
        let ago = schedule.hops(pe) - schedule.hops(at);
        Some((at, fitting(value, text_room(layout)), Cycle(frame.cycle.get().checked_sub(ago)?)))
    });
    let ghosts: Vec<_> = before.collect();
    draw_way((first, pe), false, &ghosts, tone, layout, picture);
}

/// Returns the width for a text in a cell.
fn text_room(layout: &Layout) -> f32 {
    (layout.cell - 6.0).max(0.0)
}

fn fits(text: &str, layout: &Layout) -> bool {
    text_width(text, TEXT_MIN) <= layout.cell - 6.0
}

/// Draws a straight line from one PE to another, and ghosts that cover the current numbers of PEs.
fn draw_way(
    (from, to): (PeId, PeId),
    leaves: bool,
    ghosts: &[(PeId, String, Cycle)],
    tone: Tone,
    layout: &Layout,
    picture: &mut Picture,
) {
    let has_text = layout.detail >= Detail::Value;
    let radius = if layout.detail >= Detail::Registers { 8 } else { 4 };
    for (pe, ..) in ghosts.iter().filter(|_| has_text) {
        let cell = layout.cell_of(*pe);
        let stroke = Stroke { tone: Tone::Faint, width: 1.5, dash: Dash::Dotted };
        picture.shape(cell, Outline::Box(radius), Tone::Ground, stroke);
    }
    let stroke = Stroke::solid(tone, if layout.detail >= Detail::Registers { 3.0 } else { 2.0 });
    let (start, end) = (layout.cell_of(from), layout.cell_of(to));
    let (a, b) = (start.center(), end.center());
    let is_down = (a.0 - b.0).abs() < 0.5;
    // The cell with the value keeps its numbers. The line ends where the value enters the cell.
    let end = match (has_text && !leaves, is_down) {
        (true, true) => (b.0, end.y),
        (true, false) => (end.x, b.1),
        (false, _) if leaves => (b.0, end.y + end.h + layout.cell * 0.16),
        (false, _) => b,
    };
    // A value in its first PE has come from outside the array, so its line begins outside the PE.
    let begin = match (from == to, is_down) {
        (true, true) => (a.0, start.y - layout.cell * 0.16),
        _ if ghosts.iter().any(|(pe, ..)| *pe == from) || !has_text => a,
        (_, true) => (a.0, start.y - layout.cell * 0.1),
        (_, false) => (start.x - layout.cell * 0.1, a.1),
    };
    picture.marks.push(Mark::Line { from: begin, to: end, stroke, arrow: has_text });
    for (pe, text, cycle) in ghosts.iter().filter(|_| has_text) {
        let cell = layout.cell_of(*pe);
        let (x, y) = cell.center();
        let when = words::why::when(*cycle);
        let lines: &[&str] =
            if layout.detail >= Detail::Registers && fits(&when, layout) { &[text, &when] } else { &[text] };
        let tall = 14.0 * px(lines.len() as u64);
        let wide = lines.iter().map(|line| text_width(line, TEXT_MIN)).fold(0.0, f32::max) + 4.0;
        let plate = Rect::new(x - wide / 2.0, y - tall / 2.0, wide, tall);
        picture.shape(plate, Outline::Box(2), Tone::Ground, Stroke::solid(Tone::Clear, 0.0));
        for (nth, line) in lines.iter().enumerate() {
            let at = (x, plate.y + 7.0 + 14.0 * px(nth as u64));
            picture.text(at, *line, TEXT_MIN, Anchor::Middle, Tone::Quiet);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate as stage;
    use crate::{pointing::Shown, pointing::spot_at};
    use studio::{Link, Plan};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    fn drawn(plan: &Plan, cycle: u64, spot: Option<PointedValue>, (width, height): (f32, f32)) -> Picture {
        let mut picture = Picture::default();
        let frame = Frame { spot, layers: &[draw_path], ..Frame::new(plan, Cycle(cycle)) };
        stage::draw(&frame, width, height, &mut picture);
        picture
    }

    #[test]
    fn a_sum_shows_what_every_other_pe_added_and_when() {
        let plan = plan("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8");
        let size = (900.0, 700.0);
        let (bare, with) =
            (drawn(&plan, 7, None, size), drawn(&plan, 7, Some(PointedValue::Sum(PeId::new(3, 0))), size));
        let added: Vec<&str> = with.texts().skip(bare.texts().count()).collect();
        assert_eq!(added, ["3·3", "cycle 4", "7·(−8)", "cycle 5", "7·1", "cycle 6"]);
    }

    #[test]
    fn a_path_shows_factors_everywhere_or_nowhere() {
        let plan = plan("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8");
        let spot = Some(PointedValue::Element(Operand::C, 0, 0));
        let (mut n_factors, mut n_products) = (0, 0);
        for side in 20u8..90 {
            let view = (f32::from(side) * 10.0, f32::from(side) * 8.0);
            let (plain, path) = (drawn(&plan, 15, None, view), drawn(&plan, 15, spot, view));
            let added: Vec<String> = path.texts().skip(plain.texts().count()).map(str::to_owned).collect();
            let terms: Vec<&String> = added.iter().filter(|text| !text.starts_with("cycle")).collect();
            let n_dots = terms.iter().filter(|text| text.contains('·')).count();
            assert!(n_dots == 0 || n_dots == terms.len(), "{view:?}: {terms:?}");
            n_factors += usize::from(n_dots == 4);
            n_products += usize::from(n_dots == 0 && terms.len() == 4);
        }
        assert!(n_factors > 5 && n_products > 5, "{n_factors} views with factors, {n_products} with products");
    }

    #[test]
    fn no_number_of_this_moment_is_outlined_that_is_not_the_value_itself() {
        for query in
            ["df=ws&rows=4&cols=4&m=6&k=4&n=3", "df=os&rows=4&cols=4&m=6&k=4&n=3", "df=is&rows=3&cols=7&m=9&k=5&n=4"]
        {
            let plan = plan(query);
            let size = (1100.0, 760.0);
            for cycle in 0..=plan.last().get() {
                for pe in plan.schedule().array().iter() {
                    for spot in PointedValue::all_of(&plan, Cycle(cycle), pe) {
                        let bare = drawn(&plan, cycle, None, size);
                        let with = drawn(&plan, cycle, Some(spot), size);
                        let rings = with.marks[bare.marks.len()..].iter().filter_map(|mark| match mark {
                            Mark::Shape { rect, stroke, .. } if stroke.tone == Tone::Chosen => Some(*rect),
                            _ => None,
                        });
                        let near = |ring: Rect, rect: &Rect| {
                            (ring.x + 2.0 - rect.x).abs() < 0.1 && (ring.y + 2.0 - rect.y).abs() < 0.1
                        };
                        for ring in rings {
                            let Some(token) = with.tokens.iter().find(|token| near(ring, &token.rect)) else {
                                continue;
                            };
                            let id = (token.id.kind, token.id.row, token.id.col);
                            match spot {
                                PointedValue::Element(operand @ (Operand::A | Operand::B), row, col) => {
                                    assert_eq!(id, (operand as u8, row, col), "{query} {cycle} {spot:?}");
                                }
                                PointedValue::Element(Operand::C, row, col) => {
                                    assert!(id.0 >= 3 && (id.1, id.2) == (row, col), "{query} {cycle} {spot:?} {id:?}");
                                }
                                PointedValue::Sum(_) => assert_eq!(id.0, SUM),
                                PointedValue::Product(_) => assert!(id.0 < 2),
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_drawn_is_what_is_pointed_at() {
        for query in [
            "df=ws&rows=4&cols=4&m=6&k=4&n=3",
            "df=os&rows=4&cols=4&m=6&k=5&n=7",
            "df=is&rows=3&cols=7&m=9&k=5&n=4",
            "df=ws&rows=4&cols=4&m=6&k=9&n=4&overlap=double-buffered",
        ] {
            let plan = plan(query);
            let size = (1100.0, 760.0);
            let mut n = 0;
            for cycle in 0..=plan.last().get() {
                let picture = drawn(&plan, cycle, None, size);
                let shown = Shown {
                    plan: &plan,
                    cycle: Cycle(cycle),
                    scene: Scene::new(&plan, size.0, size.1),
                    tokens: &picture.tokens,
                };
                for token in &picture.tokens {
                    let spot = spot_at(&shown, token.rect.center()).expect("a value");
                    let trace = trace(&plan, Cycle(cycle), spot, 4).expect("a value of the run");
                    // The value of the trace must be the number that is drawn.
                    let text = picture.marks[token.marks.clone()].iter().find_map(|mark| match mark {
                        Mark::Text { text, .. } => Some(text.clone()),
                        _ => None,
                    });
                    let (value, text) = (trace.value.expect("a number"), text.expect("a number is drawn"));
                    let is_whole = plan.schedule().folds_per_result() == 1
                        || !matches!(spot, PointedValue::Element(Operand::C, ..));
                    assert!(
                        !is_whole || text == studio::value_text::short(value),
                        "{query} {cycle} {spot:?}: {text} {value:?}"
                    );
                    n += 1;
                }
            }
            assert!(n > 100, "{n} tokens");
        }
    }

    #[test]
    fn every_size_of_array_has_its_ways() {
        for (query, cycle) in [("rows=1&cols=1&m=2&k=1&n=1", 1), ("rows=256&cols=256&m=256&k=256&n=256", 600)] {
            for dataflow in ["ws", "os", "is"] {
                let plan = plan(&format!("{query}&df={dataflow}&dt=int8"));
                let far = plan.schedule().array().rows() - 1;
                for spot in [
                    PointedValue::Sum(PeId::new(far, 0)),
                    PointedValue::Element(Operand::C, 0, 0),
                    PointedValue::Element(Operand::A, 0, 0),
                ] {
                    for size in [(344.0, 344.0), (900.0, 700.0)] {
                        let picture = drawn(&plan, cycle, Some(spot), size);
                        for mark in &picture.marks {
                            let Mark::Line { from, to, .. } = mark else { continue };
                            assert!([from.0, from.1, to.0, to.1].iter().all(|at| at.is_finite()));
                        }
                    }
                }
            }
        }
    }
}
