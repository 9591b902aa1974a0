//! A drawing of one PE: the operands that it holds and receives, its multiplication, its addition and its partial sum.

use super::cells::{fitted, ink_of};
use display::Tone;
use display::picture::{Anchor, Mark, Outline, Picture, Rect, Stroke};
use studio::{Plan, value_text};
use systolic::{Cycle, Element, Hold, PeId};
use words::block;
use words::caption::place;

/// Size of the drawing in CSS pixels. A smaller view cuts the drawing off at the right.
pub const SIZE: (f32, f32) = (286.0, 216.0);

const PE: Rect = Rect::new(34.0, 30.0, 218.0, 158.0);
const TOKEN: (f32, f32) = (72.0, 26.0);
const THIN: f32 = 1.5;
/// Width for `≈` in front of an open sum.
const SIGN: f32 = 10.0;

/// Draws one PE at a clock edge.
pub fn draw(plan: &Plan, cycle: Cycle, pe: PeId, width: f32, height: f32, picture: &mut Picture) {
    picture.clear(width, height);
    let probe = plan.prober().at(cycle, pe);
    let block = plan.prober().block(cycle, pe);
    let is_open = block.as_ref().is_some_and(|view| view.is_open);
    // In an open block, the sum before the block may need more digits than a register has. So may all products except
    // the last `n`.
    let marked = |text: String, n: usize, value| match &block {
        Some(view) if block::is_rounded(view, view.products.len().saturating_sub(n), value) => block::about(text),
        _ => text,
    };
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
        if !moves_sums {
            // The operand goes on to the next PE in the column.
            let (x, y) = (left + 5.0, upper.center().1);
            picture.line((upper.x, y), (x, y), quiet);
            arrow(picture, (x, y), (x, bottom + 24.0), quiet);
        }
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
        } else {
            // The sum goes from its register back to the addition.
            let x = plus.0 + 30.0;
            picture.line((x, PE.y + 88.0), (x, plus.1), quiet);
            arrow(picture, (x, plus.1), (plus.0 + 12.0, plus.1), quiet);
        }
        let of_before = |value| marked(value_text::fitting(value, 9), 1, value);
        let before = sum.before.map_or_else(|| "0".to_owned(), of_before);
        picture.text(
            (plus.0 + 8.0, PE.y + if moves_sums { 20.0 } else { 34.0 }),
            before,
            13.0,
            Anchor::Start,
            Tone::Ink,
        );
        if let Some(product) = probe.product {
            let text = display::number::significant(product, 5);
            picture.text((times.0 + 30.0, times.1 - 12.0), text, 12.0, Anchor::Middle, Tone::Ink);
        }
        node(picture, times, "×");
        node(picture, plus, "+");
    }
    if let (true, Some(at_once)) = (multiplies, block::at_once(plan)) {
        picture.text((4.0, bottom + 18.0), at_once, 10.5, Anchor::Start, Tone::Quiet);
    }
    if let Some(sum) = &probe.sum {
        let rect = Rect::new(plus.0 - 42.0, PE.y + 88.0, 84.0, 30.0);
        if multiplies {
            arrow(picture, (plus.0, plus.1 + 12.0), (plus.0, rect.y), quiet);
        }
        picture.shape(rect, Outline::Chevron, Tone::SumTint, Stroke::solid(Tone::Sum, THIN));
        let (text, size) = fitted(sum.value, rect.w - if is_open { SIGN } else { 0.0 }, 17.0);
        let text = if is_open { marked(text, 0, sum.value) } else { text };
        picture.bold((plus.0, rect.y + 13.0), text, size, Anchor::Middle, Tone::Ink);
        if is_open {
            picture.text((rect.x - 6.0, rect.y + 13.0), block::OPEN, 11.0, Anchor::End, Tone::Quiet);
        }
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
    picture.text((rect.x + 24.0, rect.y + rect.h + 9.0), place(element), 11.0, Anchor::Start, Tone::Quiet);
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    use systolic::Value;
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

    #[test]
    fn the_sum_of_an_open_block_is_marked_and_has_a_sign_if_its_digits_are_not_all_shown() {
        let (mut picture, mut n_open, mut n_marked) = (Picture::default(), 0, 0);
        for (format, n) in [("bf16&adder=h100", 16), ("f16&adder=v100", 4)] {
            let query = format!("rows=16&cols=4&m=6&k=32&n=4&fill=uniform&dt={format}");
            let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
            let said = format!("The chip adds these {n} at once.");
            for cycle in (0..=plan.last().get()).map(Cycle) {
                for pe in plan.schedule().array().iter() {
                    draw(&plan, cycle, pe, SIZE.0, SIZE.1, &mut picture);
                    let texts: Vec<&str> = picture.texts().collect();
                    let Some(view) = plan.prober().block(cycle, pe) else { continue };
                    assert_eq!(texts.contains(&"open"), view.is_open, "{cycle:?} {pe:?}: {texts:?}");
                    let multiplies = plan.schedule().mac(cycle, pe).is_some();
                    assert_eq!(texts.contains(&said.as_str()), multiplies, "{cycle:?} {pe:?}");
                    if !view.is_open {
                        continue;
                    }
                    let exact = f64::from(view.start) + view.products.iter().map(|product| product.value).sum::<f64>();
                    let sum = plan.prober().at(cycle, pe).sum.expect("a sum");
                    let written = texts.iter().filter_map(|text| text.replace('−', "-").parse::<f64>().ok());
                    #[expect(clippy::cast_possible_truncation, reason = "nine digits distinguish all f32")]
                    let is_written = written.into_iter().any(|number| Value::Float(number as f32) == sum.value);
                    let is_f32 = sum.value.as_f64().to_bits() == exact.to_bits();
                    let has_sign = texts.iter().any(|text| {
                        let number = text.strip_prefix('≈').map(|text| text.replace('−', "-").parse::<f64>());
                        number.is_some_and(|number| number.is_ok_and(|number| (number - exact).abs() < 0.06))
                    });
                    assert!(has_sign || is_f32 && is_written, "{cycle:?} {pe:?}: {exact} among {texts:?}");
                    n_open += 1;
                    n_marked += usize::from(!is_f32 && has_sign);
                    for mark in &picture.marks {
                        if let Mark::Text { at: (x, y), .. } = mark {
                            assert!((0.0..SIZE.0).contains(x) && (0.0..SIZE.1).contains(y), "{mark:?}");
                        }
                    }
                }
            }
        }
        assert!(n_open > 1000 && n_marked > 30, "{n_open} open sums, {n_marked} with a sign");
    }
}
