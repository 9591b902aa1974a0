//! Rows of a block of products that an adder adds at once. Each term is in its place below the largest exponent, and the
//! bits that alignment cuts off are hatched.

use display::number::significant;
use studio::Plan;
use systolic::{BlockView, Cycle, PeId, Value};
use words::{block, drawing};

use super::{DIGITS_MAX, Group, Row, digits, stored};

/// Exponent of the first significant binary digit of a number that is not zero.
fn exponent_of(value: f64) -> i32 {
    const FRACTION_BITS: u32 = 52;
    // Terms and totals of blocks are normal numbers of f64.
    i32::try_from(value.to_bits() >> FRACTION_BITS & 0x7ff).unwrap_or(0) - 1023
}

/// Returns the first column and the bits of a number. Column 0 has the exponent `top`, and bits below the exponent
/// `unit` are cut off.
fn placed(value: f64, top: i32, unit: Option<i32>) -> (usize, Vec<(bool, Group)>) {
    let all = digits(value);
    if all.is_empty() {
        return (0, Vec::new());
    }
    let (first, from) = (usize::try_from(top - exponent_of(value)).unwrap_or(0), exponent_of(value));
    let group = |exponent: i32| if unit.is_some_and(|unit| exponent < unit) { Group::Lost } else { Group::Fraction };
    let bits = all.into_iter().zip((i32::MIN..=from).rev()).map(|(bit, exponent)| (bit, group(exponent)));
    (first, bits.take(DIGITS_MAX.saturating_sub(first)).collect())
}

/// Returns the rows of the block of a PE's sum. The rows are the largest exponent E, the sum before, the products, the
/// total and the sum in the PE.
pub(super) fn rows(plan: &Plan, cycle: Cycle, pe: PeId, view: &BlockView, sum: Value) -> Vec<Row> {
    let (terms, unit) = (block::terms(view), block::unit(view));
    #[expect(clippy::cast_precision_loss, reason = "at most 34 bits")]
    let total = view.total.zip(unit).map(|(total, unit)| (total, total as f64 * 2f64.powi(unit)));
    let values = terms.iter().map(|term| term.value).chain(total.map(|(_, value)| value)).chain([sum.as_f64()]);
    let top = values.filter(|value| *value != 0.0 && value.is_finite()).map(exponent_of).max().unwrap_or(0);
    let row = |name: String, value: f64| {
        let (first, bits) = placed(value, top, unit);
        Row { name: format!("{name} = {}", significant(value, 9)), first, bits, said: String::new(), is_endless: false }
    };
    let mut all =
        vec![Row { name: block::scale(view), first: 0, bits: Vec::new(), said: String::new(), is_endless: false }];
    for (name, term) in block::names(plan, cycle, pe, view).into_iter().zip(&terms) {
        let row = row(name, term.value);
        let n_shown = row.bits.iter().filter(|(_, group)| *group == Group::Lost).count();
        all.push(Row { said: block::aligned(term, digits(term.cut).len(), n_shown), ..row });
    }
    if let Some((units, value)) = total {
        all.push(Row { said: block::whole(units), ..row(block::total(view).to_owned(), value) });
    }
    if view.is_open {
        let row = row(block::in_pe(view).to_owned(), sum.as_f64());
        all.push(if block::is_rounded(view, view.products.len(), sum) {
            Row { name: row.name.replacen("= ", "≈ ", 1), said: drawing::ROUNDED.to_owned(), ..row }
        } else {
            row
        });
    } else {
        let name = format!("{} = {}", block::in_pe(view), significant(sum.as_f64(), 9));
        all.push(Row { name, first: 0, bits: stored(sum, None), said: String::new(), is_endless: false });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;
    use display::picture::{Anchor, Mark, Picture, px};
    use studio::Link;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_bits_of_a_term_are_its_aligned_integer_and_the_value_that_is_cut() {
        let (mut n_terms, mut n_cut, mut n_closed) = (0, 0, 0);
        for (format, rows_of_array) in [("bf16&adder=h100", 16), ("f16&adder=v100", 16), ("bf16&adder=tpu", 32)] {
            let query = format!("rows={rows_of_array}&cols=4&m=5&k=64&n=4&dt={format}&fill=uniform");
            let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
            for cycle in (0..=plan.last().get()).step_by(3).map(Cycle) {
                for pe in plan.schedule().array().iter() {
                    let Some(view) = plan.prober().block(cycle, pe) else { continue };
                    let sum = plan.prober().at(cycle, pe).sum.expect("a block has a sum").value;
                    let lines = rows(&plan, cycle, pe, &view, sum);
                    let terms: Vec<_> = view.c.iter().chain(&view.products).collect();
                    let n_last = usize::from(view.total.is_some()) + 1;
                    assert_eq!(lines.len(), 1 + terms.len() + n_last, "{query} {cycle:?} {pe:?}");
                    for (row, term) in lines[1..].iter().zip(&terms) {
                        let read =
                            |bits: &[(bool, Group)]| bits.iter().fold(0i64, |sum, &(bit, _)| 2 * sum + i64::from(bit));
                        let n_kept = row.bits.iter().filter(|(_, group)| *group == Group::Fraction).count();
                        let (kept, cut) = row.bits.split_at(n_kept);
                        if let (Some(aligned), Some(unit)) = (term.aligned, block::unit(&view)) {
                            // Zeros after the last digit 1 have no boxes.
                            let first = lines[1..].iter().zip(&terms).find(|(_, term)| term.value != 0.0);
                            let (other, of) = first.expect("a term that is not zero");
                            let top = exponent_of(of.value) + i32::try_from(other.first).expect("few");
                            let last = top - i32::try_from(row.first + n_kept).expect("few") + 1;
                            let places = u32::try_from(last - unit).unwrap_or(0);
                            assert_eq!(read(kept) << places, aligned.abs(), "{query} {row:?}");
                            assert_eq!(cut.is_empty(), term.cut == 0.0 || row.first + n_kept >= DIGITS_MAX, "{row:?}");
                            assert!(row.said.starts_with(&block::whole(aligned)), "{row:?}");
                            n_cut += usize::from(!cut.is_empty());
                        } else {
                            assert!(cut.is_empty(), "{row:?}");
                        }
                        n_terms += 1;
                    }
                    let last = lines.last().expect("a sum");
                    assert_eq!(last.name.starts_with("open sum so far"), view.is_open, "{}", last.name);
                    n_closed += usize::from(!view.is_open);
                    if !view.is_open {
                        let code = last.bits.iter().fold(0u32, |code, &(bit, _)| 2 * code + u32::from(bit));
                        assert_eq!(code, view.result.to_bits(), "{query} {cycle:?} {pe:?}");
                    }
                }
            }
        }
        assert!(n_terms > 5000 && n_cut > 100 && n_closed > 50, "{n_terms} terms, {n_cut} cut, {n_closed} closed");
    }

    #[test]
    fn the_list_of_terms_stays_inside_wide_and_narrow_pictures() {
        for query in
            ["rows=16&cols=4&m=5&k=64&n=4&dt=bf16&adder=h100", "rows=32&cols=2&m=3&k=32&n=3&dt=e4m3fn&adder=h100"]
        {
            let plan = Plan::new(&Link::parse(&format!("{query}&fill=uniform"), "").scenario).expect("a run");
            for (width, height) in [(1000.0, 700.0), (640.0, 480.0), (340.0, 400.0)] {
                let (mut picture, mut n_bits) = (Picture::default(), 0);
                for cycle in (0..=plan.last().get()).step_by(4).map(Cycle) {
                    picture.clear(width, height);
                    let frame = Frame { selected: Some(PeId::new(15, 1)), ..Frame::new(&plan, cycle) };
                    super::super::draw(&frame, width, height, &mut picture);
                    for mark in &picture.marks {
                        let (from, to, y) = match mark {
                            Mark::Shape { rect, .. } => (rect.x, rect.x + rect.w, rect.y + rect.h),
                            Mark::Text { at: (x, y), text, size, anchor, .. } => {
                                let wide = px(text.chars().count() as u64) * crate::GLYPH * size;
                                match anchor {
                                    Anchor::Start => (*x, x + wide, *y),
                                    Anchor::Middle => (x - wide / 2.0, x + wide / 2.0, *y),
                                    Anchor::End => (x - wide, *x, *y),
                                }
                            }
                            _ => continue,
                        };
                        assert!(from >= 0.0 && to <= width && y <= height, "{query} {width}×{height}: {mark:?}");
                        n_bits += usize::from(matches!(mark, Mark::Shape { .. }));
                    }
                }
                assert!(n_bits > 100, "{n_bits} bits");
            }
        }
    }
}
