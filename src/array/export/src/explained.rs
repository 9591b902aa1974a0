//! A drawing with a legend, the caption of the cycle and a link below the array, for slides and papers.

use ::words::caption::Caption;
use ::words::legend::{self, Shape};
use display::picture::{Anchor, Outline, Rect, Stroke, px};
use display::{Picture, Tone};

use crate::View;

/// Margin of the texts at the left and at the right, in CSS pixels.
const MARGIN: f32 = 24.0;
/// Width of a letter, divided by the size of the font.
const LETTER: f32 = 0.6;
/// Sizes of the letters of the legend, the headline, the sentence and the link.
const SIZES: [f32; 4] = [14.0, 22.0, 16.0, 12.0];

/// Draws the array at the cycle of the link, with a legend, the caption and `address` below the drawing.
#[must_use]
pub fn picture(view: &View<'_>, address: &str) -> Picture {
    let mut picture = view.picture();
    let Caption { headline, sentence } = view.caption_at(view.cycle(), view.broken_at(view.cycle()).as_ref());
    let [keys, large, normal, small] = SIZES;
    legend(view, picture.height + keys, keys, &mut picture);
    let mut top = picture.height + 2.0 * keys + 6.0;
    let texts = [(headline, large, Tone::Ink), (sentence, normal, Tone::Ink), (address.to_owned(), small, Tone::Quiet)];
    for (text, size, tone) in texts {
        for line in lines(&text, (picture.width - 2.0 * MARGIN) / (LETTER * size)) {
            let at = (MARGIN, top + size * 0.7);
            if size == large {
                picture.bold(at, line, size, Anchor::Start, tone);
            } else {
                picture.text(at, line, size, Anchor::Start, tone);
            }
            top += size * 1.4;
        }
    }
    picture.height = top + MARGIN / 2.0;
    picture
}

/// Draws the legend in one line.
fn legend(view: &View<'_>, middle: f32, size: f32, picture: &mut Picture) {
    let mut left = MARGIN;
    for entry in legend::entries(view.plan) {
        let (outline, tone, tint) = match entry.shape {
            Shape::Pill => (Outline::Pill, Tone::A, Tone::ATint),
            Shape::Notch => (Outline::Notch, Tone::B, Tone::BTint),
            Shape::Chevron => (Outline::Chevron, Tone::Sum, Tone::SumTint),
            Shape::Hexagon => (Outline::Hexagon, Tone::C, Tone::CTint),
        };
        picture.shape(Rect::new(left, middle - 8.0, 26.0, 16.0), outline, tint, Stroke::solid(tone, 1.5));
        let text = format!("{} {}", entry.letter, entry.does);
        let width = LETTER * size * px(text.chars().count() as u64);
        picture.text((left + 33.0, middle), text, size, Anchor::Start, Tone::Ink);
        left += 33.0 + width + 24.0;
    }
}

/// Breaks a text into lines of at most this number of letters. A word that is longer, such as a link, is broken.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred letters")]
fn lines(text: &str, letters: f32) -> Vec<String> {
    let most = (letters as usize).max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut rest: Vec<char> = text.trim().chars().collect();
    while rest.len() > most {
        let space = rest[..=most].iter().rposition(|letter| *letter == ' ').filter(|at| *at > 0);
        let after = rest.split_off(space.unwrap_or(most));
        lines.push(rest.into_iter().collect());
        rest = after.into_iter().skip(usize::from(space.is_some())).collect();
    }
    lines.extend((!rest.is_empty()).then(|| rest.into_iter().collect()));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use display::picture::Mark;
    use studio::{Link, Plan};

    #[test]
    fn the_legend_the_caption_and_the_link_stand_inside_the_drawing_and_below_the_array() {
        let link = Link::parse("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=9&pe=2.1", "");
        let plan = Plan::new(&link.scenario).expect("a run");
        let view = View { plan: &plan, link: &link, size: (700.0, 500.0) };
        let address = format!("https://example.org/?{}", "a".repeat(300));
        let (bare, whole) = (view.picture(), picture(&view, &address));
        assert_eq!(&whole.marks[..bare.marks.len()], &bare.marks[..]);
        let mut texts = String::new();
        for mark in &whole.marks[bare.marks.len()..] {
            if let Mark::Text { at: (x, y), text, size, .. } = mark {
                let right = x + LETTER * size * px(text.chars().count() as u64);
                assert!(*x >= MARGIN && right <= whole.width && *y > bare.height && *y < whole.height, "{mark:?}");
                texts += text;
            }
        }
        for part in ["a moves east", "b stays", "Σ goes south", "c leaves", "PE 2,1 adds", &address] {
            assert!(texts.contains(part), "no {part} in {texts}");
        }
    }

    #[test]
    fn lines_lose_no_word() {
        let text = "one two three four-five-six-seven eight";
        for most in 1..50u8 {
            let lines = lines(text, f32::from(most));
            assert!(lines.iter().all(|line| line.chars().count() <= usize::from(most)), "{most} {lines:?}");
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
            assert_eq!(letters(&lines.concat()), letters(text), "{most}");
        }
    }
}
