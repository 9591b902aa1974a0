//! A whole slide of 1920×1080 pixels, as presentation mode shows it: the array, its numbers and signs, the timeline and
//! one sentence.
//!
//! The lengths are those of `style/present.css`, in pixels at 1280×720.

use ::words::{caption, legend::Shape, present};
use display::picture::{Anchor, Mark, Outline, Rect, Stroke};
use display::{Picture, Tone};
use stage::states;
use studio::Deck;
use studio::defect::BrokenMachine;
use systolic::Cycle;

use crate::View;

/// Width and height of a slide.
pub const SIZE: (f32, f32) = (1920.0, 1080.0);
/// Width and height of the array's drawing before it is enlarged. After that, the smallest letters of the drawing are
/// 24 px.
pub(crate) const ARRAY: (f32, f32) = (932.0 / LETTERS, 616.0 / LETTERS);
/// Factor by which the array is enlarged at 1280×720.
const LETTERS: f32 = 24.0 / 11.0;
/// Number of pixels of the slide per pixel at 1280×720.
const U: f32 = 1.5;
/// Left edge and top edge of the array, and left edge of the numbers.
const LEFT: f32 = 24.0;
const TOP: f32 = 14.0;
const COLUMN: f32 = 980.0;
/// Maximum number of letters in the sentence.
const SENTENCE: usize = 56;

/// Draws a slide around the drawing of its array.
pub(crate) fn around(view: &View<'_>, cycle: Cycle, broken: Option<&BrokenMachine>, array: Picture) -> Picture {
    let (plan, deck) = (view.plan, Deck::of(&view.link.texts));
    let mut slide = Picture::default();
    slide.clear(SIZE.0, SIZE.1);
    slide.place(array, (LEFT * U, TOP * U), LETTERS * U);
    let mut line = Picture::default();
    stage::timeline::draw(plan, cycle, 1232.0 / LETTERS, 22.0 / LETTERS, &mut line);
    slide.place(line, (LEFT * U, 636.0 * U), LETTERS * U);
    let mut words = Picture::default();
    numbers(view, cycle, &mut words);
    let scene = stage::Scene::view(plan, None, ARRAY, true);
    signs(&present::signs(plan, states::cells_of(&scene.layout), None), &mut words);
    let said = present::title(&deck, plan).unwrap_or_else(|| match broken {
        Some(broken) => caption::broken(plan, broken, None).headline,
        None => caption::caption(plan, cycle, None).headline,
    });
    let said =
        if said.chars().count() > SENTENCE { said.chars().take(SENTENCE - 1).chain(['…']).collect() } else { said };
    words.bold((LEFT, 678.0), said, 28.0, Anchor::Start, Tone::Ink);
    let place = match deck.at() {
        Some(at) => present::slide(at, deck.len()),
        None => present::moment(plan, cycle),
    };
    words.text((1256.0, 678.0), place, 24.0, Anchor::End, Tone::Quiet);
    slide.place(words, (0.0, 0.0), U);
    slide
}

/// Draws the three numbers, with the MFU so far.
fn numbers(view: &View<'_>, cycle: Cycle, picture: &mut Picture) {
    let deck = Deck::of(&view.link.texts);
    let has_no_mfu = deck.at().and_then(|at| deck.said(at)).is_some_and(|said| said.has_no_mfu);
    let mut top = TOP;
    let numbers = [present::mfu, present::cost, present::at_work].into_iter().enumerate();
    for (nth, number) in numbers.skip(if has_no_mfu { 2 } else { 0 }) {
        let (value, label) = number(view.plan, cycle);
        picture.bold((COLUMN, top + 38.0), value, 68.0, Anchor::Start, Tone::Ink);
        for line in lines(&label) {
            picture.text((COLUMN, top + 90.0), line, 24.0, Anchor::Start, Tone::Ink);
            top += 28.0;
        }
        top += 91.0;
        if nth == 0 {
            let so_far = present::mfu_so_far(view.plan, cycle);
            picture.bold((COLUMN, top + 2.0), so_far, 24.0, Anchor::Start, Tone::Chosen);
            top += 32.0;
        }
    }
}

/// Maximum number of letters in a line of the column, in the font of SVG files.
const LINE: usize = 20;

/// Returns a label as one line, or as two lines if the label is too long for one line.
fn lines(label: &str) -> Vec<&str> {
    let is_long = label.chars().count() > LINE;
    let space = label.char_indices().rfind(|(at, letter)| *letter == ' ' && *at <= LINE).filter(|_| is_long);
    space.map_or_else(|| vec![label], |(at, _)| vec![&label[..at], &label[at + 1..]])
}

/// Draws the signs at the end of the column.
fn signs(signs: &[(present::Sign, String)], picture: &mut Picture) {
    let thin = Stroke::solid(Tone::Quiet, 1.0);
    let mut middle = 618.0 - 36.0 * display::picture::px(signs.len() as u64 - 1);
    for (sign, text) in signs {
        let place = Rect::new(COLUMN, middle - 12.0, 36.0, 24.0);
        let square = Rect { w: 24.0, ..place };
        match sign {
            present::Sign::Value(shape) => {
                let (outline, tone, tint) = look(*shape);
                picture.shape(place, outline, tint, Stroke::solid(tone, 2.0));
            }
            present::Sign::Wave => {
                for (nth, tone) in states::WAVE.into_iter().enumerate() {
                    let x = COLUMN + 9.0 * display::picture::px(nth as u64);
                    picture.shape(Rect { x, w: 8.0, ..place }, Outline::Box(2), tone, Stroke::solid(Tone::Clear, 0.0));
                }
            }
            present::Sign::Corner(shape) => {
                let (right, top) = (square.x + square.w, square.y);
                let points = vec![(square.x, top), (right, top), (right, top + square.h)];
                picture.marks.push(Mark::Area { points, fill: look(*shape).1 });
            }
            present::Sign::Waits | present::Sign::Idle => picture.shape(square, Outline::Box(2), Tone::Ground, thin),
            present::Sign::Done => picture.shape(square, Outline::Box(2), Tone::Sunken, thin),
            present::Sign::Busy => picture.shape(square, Outline::Box(2), Tone::Useful, thin),
            present::Sign::Loads => picture.shape(square, Outline::Box(2), Tone::Load, thin),
            present::Sign::Padding => {
                picture.shape(square, Outline::Box(2), Tone::Ground, thin);
                picture.marks.push(Mark::Hatch { rect: square, tone: Tone::Quiet, rising: true });
            }
        }
        picture.text((COLUMN + 40.0, middle), text.as_str(), 24.0, Anchor::Start, Tone::Ink);
        middle += 36.0;
    }
}

/// Outline, border color and fill color of a value.
const fn look(shape: Shape) -> (Outline, Tone, Tone) {
    match shape {
        Shape::Pill => (Outline::Pill, Tone::A, Tone::ATint),
        Shape::Notch => (Outline::Notch, Tone::B, Tone::BTint),
        Shape::Chevron => (Outline::Chevron, Tone::Sum, Tone::SumTint),
        Shape::Hexagon => (Outline::Hexagon, Tone::C, Tone::CTint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use display::picture::px;
    use studio::{Link, Plan};

    fn one_of<T: Copy>(values: &[T], nth: u64) -> T {
        values.iter().zip(0..).find(|(_, at)| *at == nth).map(|(value, _)| *value).expect("below the length")
    }

    /// Returns 200 links to runs of all sizes, dataflows and formats, each at a cycle of its run.
    fn links() -> Vec<Link> {
        let mut state = 7u64;
        let mut below = move |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let one = |_| {
            let side = one_of(&[1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 64, 128], below(12));
            let (cols, [m, k, n]) = (side.max(below(2 * side)), [0; 3].map(|_| 1 + below(3 * side)));
            let (df, dt) = (one_of(&["ws", "os", "is"], below(3)), one_of(&["int8", "bf16", "f32"], below(3)));
            let query =
                format!("ui=present&rows={side}&cols={cols}&m={m}&k={k}&n={n}&df={df}&dt={dt}&t={}", below(4 * side));
            Link::parse(&query, "")
        };
        (0..200).map(one).collect()
    }

    /// Returns the boxes of the texts of a slide. They are as wide as in the font of the SVG files.
    fn boxes(picture: &Picture) -> Vec<(String, Rect)> {
        let text = |mark: &Mark| {
            let Mark::Text { at, text, size, anchor, .. } = mark else { return None };
            let w = 0.6 * size * px(text.chars().count() as u64);
            let x = match anchor {
                Anchor::Start => at.0,
                Anchor::Middle => at.0 - w / 2.0,
                Anchor::End => at.0 - w,
            };
            Some((text.clone(), Rect::new(x, at.1 - 0.36 * size, w, 0.72 * size)))
        };
        picture.marks.iter().filter_map(text).collect()
    }

    #[test]
    fn every_text_of_a_slide_is_large_whole_and_alone() {
        for link in links() {
            let plan = Plan::new(&link.scenario).expect("a run");
            let picture = View { plan: &plan, link: &link, size: SIZE }.picture();
            let query = link.to_parts().0;
            for mark in &picture.marks {
                let Mark::Text { text, size, .. } = mark else { continue };
                // A dot marks an empty place.
                assert!(text == "·" || *size >= 36.0 - 1e-3, "{query}: {text} has {size} px of 1080");
            }
            let boxes = boxes(&picture);
            assert!(boxes.len() >= 8, "{query}: {}", boxes.len());
            for (nth, (text, one)) in boxes.iter().enumerate() {
                let is_within = one.x >= 0.0 && one.x + one.w <= SIZE.0 && one.y >= 0.0 && one.y + one.h <= SIZE.1;
                assert!(is_within, "{query}: {text} is cut");
                for (other, place) in &boxes[..nth] {
                    let apart = |from: f32, length: f32, other: f32, size: f32| {
                        from >= other + size - 1.0 || other >= from + length - 1.0
                    };
                    let is_apart = apart(one.x, one.w, place.x, place.w) || apart(one.y, one.h, place.y, place.h);
                    assert!(is_apart, "{query}: {text} over {other}");
                }
            }
        }
    }

    #[test]
    fn a_slide_shows_its_sentence_and_its_place() {
        let link = Link::parse("ui=present&slide=1&t=7", "slides=t%3D7%09%23 Each number is read once%0At%3D9");
        let plan = Plan::new(&link.scenario).expect("a run");
        let picture = View { plan: &plan, link: &link, size: SIZE }.picture();
        let texts: Vec<&str> = picture.texts().collect();
        for text in [
            "Each number is read once",
            "1 of 2",
            "28.1 %",
            "3.6 ×",
            "the price of a full",
            "array",
            "of 16 PEs multiply",
        ] {
            assert!(texts.contains(&text), "{text}: {texts:?}");
        }
        assert_eq!((picture.width, picture.height), SIZE);
    }
}
