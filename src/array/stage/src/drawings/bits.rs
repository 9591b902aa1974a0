//! The bits of one multiply-accumulate: both operands as they were given and as their format stores them, their exact
//! product, the exact sum, and the sum that the register keeps. Digits that rounding removes are hatched. If the adder adds
//! blocks of products, the rows are the terms of the block.

mod block;

use display::Tone;
use display::number::significant;
use display::picture::{Anchor, Mark, Outline, Picture, Rect, Stroke, px};
use systolic::{Dtype, Element, Operand, PeId, Value};
use words::drawing;

use crate::Frame;
use crate::cells::text_width;

const TEXT: f32 = 13.0;
const SMALL: f32 = 11.0;
/// Largest number of digits in a row.
const DIGITS_MAX: usize = 40;
/// Largest width and height of the box of a bit.
const BOX: (f32, f32) = (34.0, 44.0);
/// Size of a box of the legend, and the room of an entry without its name.
const SWATCH: f32 = 10.0;
const ENTRY: f32 = 28.0;
/// Largest height of a row with its name, and margin around the rows.
const STEP_MAX: f32 = 120.0;
const MARGIN: f32 = 20.0;
/// Smallest width of a bit next to a text.
const BIT_MIN: f32 = 4.0;
/// Greatest height of a row in a list.
const LINE_MAX: f32 = 22.0;

/// The significant binary digits of a number, from its first 1 to its last 1. Empty for zero, infinity and NaN.
fn digits(value: f64) -> Vec<bool> {
    if value == 0.0 || !value.is_finite() {
        return Vec::new();
    }
    const FRACTION_BITS: u32 = 52;
    let bits = value.to_bits();
    let fraction = bits & ((1 << FRACTION_BITS) - 1);
    let is_normal = (bits >> FRACTION_BITS) & 0x7ff != 0;
    let significand = if is_normal { fraction | (1 << FRACTION_BITS) } else { fraction };
    let significand = significand >> significand.trailing_zeros();
    let n = u64::BITS - significand.leading_zeros();
    (0..n).rev().map(|nth| significand >> nth & 1 == 1).collect()
}

/// A group of bits with one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Sign,
    Exponent,
    Fraction,
    Lost,
}

impl Group {
    const ALL: [Self; 4] = [Self::Sign, Self::Exponent, Self::Fraction, Self::Lost];
}

/// Returns the bits of a stored number in their groups.
fn stored(value: Value, dtype: Option<Dtype>) -> Vec<(bool, Group)> {
    let code = |code: u64, exponent: u32, fraction: u32| {
        let all = 1 + exponent + fraction;
        let group = |nth: u32| match nth {
            0 => Group::Sign,
            nth if nth <= exponent => Group::Exponent,
            _ => Group::Fraction,
        };
        (0..all).map(|nth| (code >> (all - 1 - nth) & 1 == 1, group(nth))).collect()
    };
    match (value, dtype.and_then(Dtype::float)) {
        (Value::Float(_), Some(float)) => {
            code(u64::from(float.code(value.as_f64())), float.exponent_bits, float.fraction_bits)
        }
        (Value::Float(number), None) => code(u64::from(number.to_bits()), 8, 23),
        (Value::Int(number), _) => {
            let n = dtype.map_or(32, Dtype::bits).min(32);
            let shifted = |nth: u64| number >> (n - 1 - nth) & 1 == 1;
            (0..n).map(|nth| (shifted(nth), if nth == 0 { Group::Sign } else { Group::Fraction })).collect()
        }
    }
}

/// A row of bits with its names.
#[derive(Debug)]
struct Row {
    name: String,
    /// Column of the first bit.
    first: usize,
    bits: Vec<(bool, Group)>,
    said: String,
    /// True if digits follow the last bit of the row without end.
    is_endless: bool,
}

/// Returns the row of an exact number: its digits, of which a format keeps `kept`.
fn exact(name: String, value: f64, kept: usize) -> Row {
    let all = digits(value);
    let n_digits = all.len();
    let n_lost = n_digits.saturating_sub(kept);
    let group = |nth: usize| if nth < kept { Group::Fraction } else { Group::Lost };
    let bits: Vec<_> = all.into_iter().take(DIGITS_MAX).enumerate().map(|(nth, bit)| (bit, group(nth))).collect();
    let said = match n_lost {
        0 if n_digits > 0 => words::block::exact(n_digits),
        _ => words::block::rounded_off(n_lost, bits.len().saturating_sub(kept)),
    };
    Row { name, first: 0, bits, said, is_endless: false }
}

/// True if a reader gave this number as a decimal with no last binary digit, such as 0.1. A decimal of at most 15 digits
/// is the given number, and the double that holds it differs.
fn is_endless(value: f64) -> bool {
    let shortest = format!("{:e}", value.abs());
    let decimals = shortest.split('e').next().map_or(0, |number| number.bytes().filter(u8::is_ascii_digit).count());
    decimals <= 15 && digits(value).len() > DIGITS_MAX
}

/// Returns how many digits of a number a format keeps. A number below the smallest normal number keeps fewer digits.
#[expect(clippy::cast_possible_truncation, reason = "an exponent of f64")]
fn kept(value: f64, dtype: Dtype) -> usize {
    let exponent = value.abs().log2().floor() as i32;
    // An integer has the digits before the point.
    let Some(float) = dtype.float() else { return usize::try_from(exponent + 1).unwrap_or(0) };
    let below = 1 - float.bias - exponent;
    let lost = u32::try_from(below).unwrap_or(0);
    (float.fraction_bits + 1).saturating_sub(lost) as usize
}

/// Returns the rows of a PE, or no rows if the PE does not have both operands.
fn rows(frame: &Frame<'_>, pe: PeId) -> Vec<Row> {
    let plan = frame.plan;
    let probe = plan.prober().at(frame.cycle, pe);
    let dtype = plan.dtype();
    let operands = [Operand::A, Operand::B].map(|operand| probe.operand(operand));
    let [Some(a), Some(b)] = operands else { return Vec::new() };
    // After a card that changes the format is answered, each operand also shows its bits in the old format.
    let before = frame.before.filter(|before| before.dtype() != dtype);
    let probe_before = before.map(|before| (before.dtype(), before.prober().at(frame.cycle, pe)));
    let mut all = Vec::new();
    for element in [a, b] {
        let raw = plan.operands().at(element.operand, (element.row, element.col));
        let name = drawing::operand(&words::caption::place(&element), &significant(raw, 9));
        if is_within(frame, &element) {
            let row = exact(name, raw, kept(raw, dtype));
            let is_endless = is_endless(raw);
            let said = if is_endless { words::block::ENDLESS.to_owned() } else { row.said };
            all.push(Row { said, is_endless, ..row });
        }
        let mut push = |label: &str, value: Value, dtype: Dtype| {
            let name = format!("{label}{}", drawing::stored(dtype.id(), &significant(value.as_f64(), 9)));
            all.push(Row { name, first: 0, bits: stored(value, Some(dtype)), said: String::new(), is_endless: false });
        };
        if let Some((dtype, probe)) = &probe_before
            && let Some(element) = probe.operand(element.operand)
        {
            push(&format!("{}: ", drawing::BEFORE), element.value, *dtype);
        }
        push("", element.value, dtype);
    }
    let view = probe.sum.zip(plan.prober().block(frame.cycle, pe)).filter(|_| frame.filter.judges());
    if let Some((sum, view)) = view {
        all.extend(block::rows(plan, frame.cycle, pe, &view, sum.value));
        return all;
    }
    let (Some(product), Some(sum)) = (probe.product, probe.sum) else { return all };
    all.push(exact([drawing::PRODUCT, " = ", &significant(product, 9)].concat(), product, DIGITS_MAX));
    let before = sum.before.map_or(0.0, Value::as_f64);
    let sum_digits = digits(sum.value.as_f64()).len();
    let exact_sum = before + product;
    let keeps = if sum.value.as_f64() == exact_sum { DIGITS_MAX } else { sum_digits.max(8) };
    all.push(exact([drawing::EXACT_SUM, " = ", &significant(exact_sum, 9)].concat(), exact_sum, keeps));
    all.push(Row {
        name: [drawing::SUM, " = ", &significant(sum.value.as_f64(), 9)].concat(),
        first: 0,
        bits: stored(sum.value, None),
        said: String::new(),
        is_endless: false,
    });
    all
}

/// True if an element belongs to its matrix, and not to the padding.
fn is_within(frame: &Frame<'_>, element: &Element) -> bool {
    let gemm = frame.plan.schedule().gemm();
    match element.operand {
        Operand::A => element.row < gemm.m() && element.col < gemm.k(),
        Operand::B | Operand::C => element.row < gemm.k() && element.col < gemm.n(),
    }
}

/// Draws the bits of the chosen PE, or of the PE that the caption describes.
pub(super) fn draw(frame: &Frame<'_>, width: f32, height: f32, picture: &mut Picture) {
    let chosen = frame.filter.highlighted_pe().or(frame.selected);
    let pe = chosen.or_else(|| words::caption::telling_pe(frame.plan, frame.cycle)).unwrap_or(PeId::new(0, 0));
    let rows = rows(frame, pe);
    if frame.filter.judges() && frame.plan.unit().rule().is_some() && !rows.is_empty() {
        return draw_list(&rows, width, height, picture);
    }
    if rows.is_empty() {
        picture.text((width / 2.0, height / 2.0), drawing::NO_OPERANDS, TEXT, Anchor::Middle, Tone::Quiet);
        return;
    }
    // A card that asks shows only the operands as they were given.
    let n_shown = if frame.filter.judges() { rows.len() } else { 1 };
    let step = ((height - 2.0 * MARGIN) / px(rows.len() as u64)).min(STEP_MAX);
    let longest = rows.iter().map(|row| row.bits.len()).max().unwrap_or(1);
    let wide = ((width - 2.0 * MARGIN) / px(longest as u64)).min(BOX.0);
    let tall = BOX.1.min(step * 0.5).min(wide * 1.5);
    let top = MARGIN + ((height - 2.0 * MARGIN) - step * px(rows.len() as u64)).max(0.0) / 2.0;
    let below = top + px(n_shown as u64 - 1) * step + 16.0 + tall + MARGIN / 2.0;
    draw_legend(&rows[..n_shown], width, below.min(height - MARGIN / 2.0), None, picture);
    for (nth, row) in rows.iter().take(n_shown).enumerate() {
        let y = top + px(nth as u64) * step;
        picture.text((MARGIN, y + 6.0), row.name.as_str(), TEXT, Anchor::Start, Tone::Ink);
        picture.text((width - MARGIN, y + 6.0), row.said.as_str(), SMALL, Anchor::End, Tone::Quiet);
        for (at, &(bit, group)) in row.bits.iter().enumerate() {
            let rect = Rect::new(MARGIN + px(at as u64) * wide, y + 16.0, (wide - 1.0).max(1.0), tall);
            draw_bit(picture, rect, bit, group);
        }
        if row.is_endless {
            let end = (MARGIN + px(row.bits.len() as u64) * wide + 3.0, y + 16.0 + tall / 2.0);
            picture.text(end, "…", TEXT, Anchor::Start, Tone::Quiet);
        }
    }
}

/// Draws one line at height `y`, below the rows, with the names of their groups of bits. `lost` replaces the name of the
/// digits that are not kept.
fn draw_legend(rows: &[Row], width: f32, y: f32, lost: Option<&'static str>, picture: &mut Picture) {
    let has = |group: Group| rows.iter().any(|row| row.bits.iter().any(|(_, of)| *of == group));
    let wide = |name: &str| ENTRY + text_width(name, SMALL);
    let all: f32 = drawing::BIT_GROUPS.into_iter().map(wide).sum();
    let names = if all <= width - MARGIN { drawing::BIT_GROUPS } else { drawing::BIT_GROUPS_SHORT };
    let mut x = MARGIN;
    for (group, name) in Group::ALL.into_iter().zip(names).filter(|(group, _)| has(*group)) {
        let name = lost.filter(|_| group == Group::Lost).unwrap_or(name);
        draw_box(picture, Rect::new(x, y - SWATCH / 2.0, SWATCH, SWATCH), group);
        picture.text((x + SWATCH + 5.0, y), name, SMALL, Anchor::Start, Tone::Quiet);
        x += wide(name);
    }
}

/// Draws many rows, each with its name and its bits in one line.
fn draw_list(rows: &[Row], width: f32, height: f32, picture: &mut Picture) {
    draw_legend(rows, width, height - MARGIN / 2.0, Some(words::block::CUT_OFF), picture);
    let step = ((height - 2.0 * MARGIN) / px(rows.len() as u64)).min(LINE_MAX);
    let size = SMALL.min(step);
    let wide_of = |text: fn(&Row) -> &str| {
        let n = rows.iter().map(|row| text(row).chars().count()).max().unwrap_or(0);
        px(n as u64) * crate::GLYPH * size + MARGIN
    };
    let (left, said) = (MARGIN + wide_of(|row| &row.name), wide_of(|row| &row.said));
    let columns = rows.iter().map(|row| row.first + row.bits.len()).max().unwrap_or(1);
    // A narrow picture has only the names and the bits.
    let has_said = width - MARGIN - left - said > px(columns as u64) * BIT_MIN;
    let said = if has_said { said } else { 0.0 };
    let wide = ((width - MARGIN - left - said) / px(columns as u64)).clamp(1.0, step.max(BIT_MIN));
    for (nth, row) in rows.iter().enumerate() {
        let y = MARGIN + px(nth as u64) * step;
        picture.text((MARGIN, y + step / 2.0), row.name.as_str(), size, Anchor::Start, Tone::Ink);
        if has_said {
            picture.text((width - MARGIN, y + step / 2.0), row.said.as_str(), size, Anchor::End, Tone::Quiet);
        }
        for (at, &(bit, group)) in row.bits.iter().enumerate() {
            let x = left + px((row.first + at) as u64) * wide;
            draw_bit(picture, Rect::new(x, y + 1.0, (wide - 1.0).max(1.0), step - 2.0), bit, group);
        }
    }
}

fn draw_bit(picture: &mut Picture, rect: Rect, bit: bool, group: Group) {
    draw_box(picture, rect, group);
    let size = (rect.w * 1.1).min(16.0);
    if size >= 7.0 {
        picture.text(rect.center(), if bit { "1" } else { "0" }, size, Anchor::Middle, Tone::Ink);
    }
}

/// Draws the box of a bit in the look of its group.
fn draw_box(picture: &mut Picture, rect: Rect, group: Group) {
    let (fill, edge) = match group {
        Group::Sign => (Tone::Ghost, Tone::Ink),
        Group::Exponent => (Tone::Load, Tone::B),
        Group::Fraction => (Tone::Fill, Tone::A),
        Group::Lost => (Tone::Ground, Tone::Stall),
    };
    picture.shape(rect, Outline::Box(2), fill, Stroke::solid(edge, 1.0));
    if group == Group::Lost {
        picture.marks.push(Mark::Hatch { rect, tone: Tone::Faint, rising: true });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::{Link, Plan};
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn bits(text: &str) -> Vec<bool> {
        text.bytes().map(|byte| byte == b'1').collect()
    }

    #[test]
    fn numbers_have_the_digits_that_are_written_by_hand() {
        assert_eq!(digits(257.0), bits("100000001"));
        assert_eq!(digits(-0.75), bits("11"));
        assert_eq!(digits(1.0), bits("1"));
        assert_eq!(digits(1e-310).len(), digits(1e-310 * 4.0).len());
        assert!(digits(0.0).is_empty() && digits(f64::NAN).is_empty());
    }

    #[test]
    fn stored_numbers_have_the_codes_of_their_formats() {
        let code = |value: Value, dtype| stored(value, dtype).into_iter().map(|(bit, _)| bit).collect::<Vec<_>>();
        // The format of bfloat16 is the upper half of binary32.
        assert_eq!(code(Value::Float(256.0), Some(Dtype::Bf16)), bits("0100001110000000"));
        assert_eq!(code(Value::Float(1.0), None), bits("00111111100000000000000000000000"));
        assert_eq!(code(Value::Int(-3), Some(Dtype::Int8)), bits("11111101"));
        assert_eq!(code(Value::Int(61), None), bits("00000000000000000000000000111101"));
        assert_eq!(code(Value::Float(1.5), Some(Dtype::E4m3fn)), bits("00111100"));
    }

    #[test]
    fn a_decimal_without_a_last_binary_digit_goes_on_without_end() {
        assert!([0.1, 1.1, -1.003, 1e-3].into_iter().all(is_endless));
        // 24 random bits, 11 digits that end, and a third with all digits of a double.
        assert!(
            [0.618_864_536_285_400_4, 1.000_976_562_5, 259.0, 0.0, 1.0 / 3.0].into_iter().all(|it| !is_endless(it))
        );
    }

    #[test]
    fn a_changed_format_shows_both_formats() {
        let plan = |dtype: &str| {
            let link = Link::parse(&format!("rows=1&cols=1&dt={dtype}&fill=custom&t=1"), "a=1.1&b=1");
            Plan::new(&link.scenario).expect("a run")
        };
        let (before, now) = (plan("e5m2"), plan("e4m3fn"));
        let frame = Frame { before: Some(&before), ..Frame::new(&now, Cycle(1)) };
        let names: Vec<_> = rows(&frame, PeId::new(0, 0)).into_iter().map(|row| row.name).collect();
        assert_eq!(names[1..3], ["before: e5m2: 1", "e4m3fn: 1.125"]);
        let same = Frame { before: Some(&now), ..frame };
        assert!(rows(&same, PeId::new(0, 0)).iter().all(|row| !row.name.starts_with("before")));
    }

    #[test]
    fn the_legend_names_the_groups_of_the_bits_that_are_shown() {
        let plan = |dtype: &str| {
            let link = Link::parse(&format!("rows=1&cols=1&dt={dtype}&fill=custom&t=1"), "a=257&b=1");
            Plan::new(&link.scenario).expect("a run")
        };
        let legend = |plan: &Plan, asks: bool, width: f32| {
            let frame = Frame::new(plan, Cycle(1));
            let mut picture = Picture::default();
            let filter = frame.filter.with_verdicts(!asks);
            draw(&Frame { filter, ..frame }, width, 500.0, &mut picture);
            let is_name = |text: &str| [drawing::BIT_GROUPS, drawing::BIT_GROUPS_SHORT].concat().contains(&text);
            let texts = picture.marks.iter().filter_map(|mark| match mark {
                Mark::Text { text, .. } if is_name(text) => Some(text.to_string()),
                _ => None,
            });
            texts.collect::<Vec<_>>().join(", ")
        };
        let bf16 = plan("bf16");
        assert_eq!(legend(&bf16, false, 800.0), "sign, exponent (range), fraction (digits), rounded off");
        assert_eq!(legend(&bf16, false, 320.0), "sign, exponent, fraction, rounded off");
        assert_eq!(legend(&bf16, true, 800.0), "fraction (digits), rounded off");
        assert_eq!(legend(&plan("f32"), true, 800.0), "fraction (digits)");
    }

    #[test]
    fn a_small_number_keeps_the_digits_above_the_smallest_step() {
        // The steps of f16 below 2^-14 are 2^-24, so 3 of 11 digits remain at 2^-22 and none at 10^-8.
        let at = |power: i32| kept(f64::from(power).exp2() * 1.7, Dtype::F16);
        assert_eq!([at(0), at(-14), at(-15), at(-22), at(-24), at(-30)], [11, 11, 10, 3, 1, 0]);
        assert_eq!((kept(1e-8, Dtype::F16), kept(1e-8, Dtype::Bf16)), (0, 8));
        assert_eq!([300.0, 1.5, 0.5].map(|value| kept(value, Dtype::Int8)), [9, 1, 0]);
    }

    #[test]
    fn a_number_with_a_digit_too_many_loses_it_and_its_product_loses_none() {
        let link = Link::parse("rows=1&cols=1&dt=bf16&fill=custom&t=2", "a=257&b=3");
        let plan = Plan::new(&link.scenario).expect("a run");
        let cycle =
            (0..=plan.last().get()).find(|&cycle| plan.prober().at(Cycle(cycle), PeId::new(0, 0)).mac.is_some());
        let frame = Frame::new(&plan, Cycle(cycle.expect("a product")));
        let rows = rows(&frame, PeId::new(0, 0));
        assert_eq!(rows[0].said, "1 digit rounded off");
        assert_eq!(rows[1].name, "bf16: 256");
        assert!(rows.iter().any(|row| row.name.ends_with("= 768") && row.said == "2 digits, exact"));
    }
}
