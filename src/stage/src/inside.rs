//! A drawing of one PE: the operands that it holds and receives, its multiplication, its addition and its partial sum.

use super::cells::{fitted, ink_of, tag_of};
use display::Tone;
use display::picture::{Anchor, Mark, Outline, Picture, Rect, Stroke};
use studio::{Plan, value_text};
use systolic::{Cycle, Element, Hold, PeId};

/// Size of the drawing in CSS pixels. A smaller view cuts the drawing off at the right.
pub const SIZE: (f32, f32) = (286.0, 216.0);

const PE: Rect = Rect::new(34.0, 30.0, 218.0, 158.0);
const TOKEN: (f32, f32) = (72.0, 26.0);
const THIN: f32 = 1.5;

/// Draws one PE at a clock edge.
pub fn draw(plan: &Plan, cycle: Cycle, pe: PeId, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let probe = plan.prober().at(cycle, pe);
    let multiplies = probe.mac.is_some();
    let border = Stroke::solid(if multiplies { Tone::Ink } else { Tone::Faint }, if multiplies { 2.0 } else { 1.2 });
    picture.shape(PE, Outline::Box(6), if multiplies { Tone::Active } else { Tone::Ground }, border);
    let moves_sums = plan.schedule().dataflow().hold() == Hold::Operand;
    let quiet = Stroke::solid(Tone::Quiet, THIN);
    let (left, right, bottom) = (PE.x, PE.x + PE.w, PE.y + PE.h);
    let upper = Rect::new(left + 10.0, PE.y + 12.0, TOKEN.0, TOKEN.1);
    let lower = Rect { y: PE.y + 66.0, ..upper };
    let (times, plus) = ((left + 112.0, PE.y + 52.0), (left + 172.0, PE.y + 52.0));
    let (_, y) = lower.center();
    if let Some(east) = probe.east {
        arrow(picture, (4.0, y), (lower.x, y), quiet);
        // The operand goes on to the next PE in the row.
        let (x, below) = (lower.x + 14.0, bottom - 16.0);
        picture.line((x, lower.y + lower.h), (x, below), quiet);
        arrow(picture, (x, below), (right + 30.0, below), quiet);
        token(picture, lower, &east);
    }
    if let Some(south) = probe.south {
        let (x, _) = upper.center();
        arrow(picture, (x, 4.0), (x, upper.y), quiet);
        token(picture, upper, &south);
    }
    if let Some(held) = probe.held {
        token(picture, upper, &held);
    }
    if let (true, Some(sum)) = (multiplies, &probe.sum) {
        for rect in [upper, lower] {
            picture.line((rect.x + rect.w, rect.center().1), times, quiet);
        }
        arrow(picture, times, plus, quiet);
        if moves_sums {
            arrow(picture, (plus.0, 4.0), (plus.0, plus.1 - 12.0), quiet);
        }
        let before = sum.before.map_or_else(|| "0".to_owned(), |value| value_text::fitting(value, 9));
        picture.text((plus.0 + 8.0, PE.y + 20.0), before, 13.0, Anchor::Start, Tone::Ink);
        if let Some(product) = probe.product {
            let text = display::number::significant(product, 5);
            picture.text((times.0 + 30.0, times.1 - 12.0), text, 12.0, Anchor::Middle, Tone::Ink);
        }
        node(picture, times, "×");
        node(picture, plus, "+");
    }
    if let Some(sum) = &probe.sum {
        let rect = Rect::new(plus.0 - 42.0, PE.y + 88.0, 84.0, 30.0);
        if multiplies {
            arrow(picture, (plus.0, plus.1 + 12.0), (plus.0, rect.y), quiet);
        }
        picture.shape(rect, Outline::Chevron, Tone::SumTint, Stroke::solid(Tone::Sum, THIN));
        let (text, size) = fitted(sum.value, rect.w, 17.0);
        picture.bold((plus.0, rect.y + 13.0), text, size, Anchor::Middle, Tone::Ink);
        if moves_sums {
            arrow(picture, (plus.0, rect.y + rect.h), (plus.0, bottom + 24.0), quiet);
        }
    }
}

fn arrow(picture: &mut Picture, from: (f32, f32), to: (f32, f32), stroke: Stroke) {
    picture.marks.push(Mark::Line { from, to, stroke, arrow: true });
}

/// Draws an operation as a circle with its sign.
fn node(picture: &mut Picture, (x, y): (f32, f32), sign: &str) {
    let rect = Rect::new(x - 12.0, y - 12.0, 24.0, 24.0);
    picture.shape(rect, Outline::Pill, Tone::Ground, Stroke::solid(Tone::Ink, THIN));
    picture.bold((x, y), sign, 15.0, Anchor::Middle, Tone::Ink);
}

/// Draws an operand in a register, with its name below the register.
fn token(picture: &mut Picture, rect: Rect, element: &Element) {
    let (tone, tint, outline) = ink_of(element.operand);
    picture.shape(rect, outline, tint, Stroke::solid(tone, THIN));
    let (text, size) = fitted(element.value, rect.w, 16.0);
    let (x, y) = rect.center();
    picture.bold((x, y + if outline == Outline::Notch { 2.0 } else { 0.5 }), text, size, Anchor::Middle, Tone::Ink);
    picture.text((rect.x + 24.0, rect.y + rect.h + 9.0), tag_of(element), 11.0, Anchor::Start, Tone::Quiet);
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_numbers_of_a_multiplying_pe_are_drawn_in_every_dataflow_and_stay_inside() {
        let mut n_drawn = 0;
        for dataflow in ["ws", "os", "is"] {
            let query = format!("rows=4&cols=4&m=6&k=4&n=3&df={dataflow}&dt=int8");
            let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
            let mut picture = Picture::default();
            for cycle in 0..=plan.last().get() {
                for pe in plan.schedule().array().iter() {
                    draw(&plan, Cycle(cycle), pe, SIZE.0, SIZE.1, &mut picture);
                    let probe = plan.prober().at(Cycle(cycle), pe);
                    let (Some(_), Some(sum)) = (probe.mac, probe.sum) else { continue };
                    let operands = [probe.east, probe.held.or(probe.south)].map(|one| one.expect("an operand"));
                    let product = probe.product.expect("a product");
                    let wanted =
                        [operands[0].value, operands[1].value, sum.value].map(|value| value_text::fitting(value, 9));
                    let texts: Vec<&str> = picture.texts().collect();
                    for text in wanted.iter().chain([&display::number::significant(product, 5)]) {
                        assert!(texts.contains(&text.as_str()), "{dataflow} {cycle} {pe:?}: {text} among {texts:?}");
                    }
                    for mark in &picture.marks {
                        if let Mark::Text { at: (x, y), .. } = mark {
                            assert!((0.0..SIZE.0).contains(x) && (0.0..SIZE.1).contains(y), "{mark:?}");
                        }
                    }
                    n_drawn += 1;
                }
            }
        }
        assert_eq!(n_drawn, 3 * 72, "each product of the run is drawn once");
    }
}
