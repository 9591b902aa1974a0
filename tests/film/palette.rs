//! Palettes of pictures and films: at most 256 colors, so that one byte can number them.

use std::cmp::Reverse;
use std::collections::HashMap;

/// Bytes of a pixel: red, green, blue and alpha.
const BYTES: usize = 4;

/// Red, green and blue of a color.
pub(crate) type Color = [u8; 3];

/// Colors of the palette, and the index of a palette color for each color of the pixels.
pub(crate) struct Palette {
    colors: Vec<Color>,
    indices: HashMap<Color, u8>,
}

impl Palette {
    /// Chooses at most `colors_max` colors for these pixels.
    ///
    /// The palette leaves out a color that is near a more frequent color of the palette. If too many colors remain, the
    /// distance that counts as near grows. A rare hue therefore gets a color before the many shades at the edges of
    /// letters do.
    pub(crate) fn new<'a>(pictures: impl IntoIterator<Item = &'a [u8]>, colors_max: usize) -> Self {
        let mut counts: HashMap<Color, u32> = HashMap::new();
        for color in pictures.into_iter().flat_map(colors) {
            *counts.entry(color).or_default() += 1;
        }
        let mut known: Vec<(Color, u32)> = counts.into_iter().collect();
        known.sort_unstable_by_key(|(color, count)| (Reverse(*count), *color));
        let known: Vec<Color> = known.into_iter().map(|(color, _)| color).collect();
        let mut near = 0;
        let colors = loop {
            match apart(&known, near, colors_max) {
                Some(colors) => break colors,
                None => near += 1 + near / 8,
            }
        };
        let indices = known.into_iter().map(|color| (color, nearest(&colors, color).0)).collect();
        Self { colors, indices }
    }

    /// Red, green and blue of each color, one after another.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// Palette index of each pixel. The palette must have been made for these pixels.
    pub(crate) fn indexed(&self, pixels: &[u8]) -> Vec<u8> {
        colors(pixels).map(|color| self.indices[&color]).collect()
    }
}

fn colors(pixels: &[u8]) -> impl Iterator<Item = Color> {
    pixels.chunks_exact(BYTES).map(|pixel| [pixel[0], pixel[1], pixel[2]])
}

/// Returns colors whose squared distances from each other are above `near`, or `None` if more than `colors_max` remain.
fn apart(known: &[Color], near: u32, colors_max: usize) -> Option<Vec<Color>> {
    let mut chosen: Vec<Color> = Vec::new();
    for color in known {
        if chosen.is_empty() || nearest(&chosen, *color).1 > near {
            if chosen.len() == colors_max {
                return None;
            }
            chosen.push(*color);
        }
    }
    Some(chosen)
}

/// Index of the color nearest to `color` (of at most 256 colors), and the square of the distance.
fn nearest(colors: &[Color], color: Color) -> (u8, u32) {
    let distance = |other: &Color| -> u32 { (0..3).map(|at| u32::from(color[at].abs_diff(other[at])).pow(2)).sum() };
    (0..=u8::MAX).zip(colors.iter().map(distance)).min_by_key(|(_, distance)| *distance).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shades(n_shades: usize) -> Vec<u8> {
        let byte = |value: usize| u8::try_from(value % 256).expect("it is below 256");
        (0..n_shades).flat_map(|nth| [byte(nth), byte(nth / 256 * 3), 9, 255]).collect()
    }

    /// Pixels that the palette shows for `pixels`.
    fn shown(palette: &Palette, pixels: &[u8]) -> Vec<u8> {
        let bytes = palette.bytes();
        let color = |index: u8| [&bytes[usize::from(index) * 3..][..3], &[255]].concat();
        palette.indexed(pixels).into_iter().flat_map(color).collect()
    }

    #[test]
    fn as_many_colors_as_there_is_room_for_are_kept_exactly() {
        let pixels = shades(200);
        let palette = Palette::new([&pixels[..]], 200);
        assert_eq!(palette.bytes().len(), 600);
        assert_eq!(shown(&palette, &pixels), pixels);
    }

    #[test]
    fn of_more_colors_each_is_near_its_own_and_a_rare_hue_stays() {
        let (frequent, rare) = (shades(1000).repeat(2), [10, 10, 200, 255]);
        let palette = Palette::new([&frequent[..], &rare], 255);
        assert!(palette.bytes().len() <= 3 * 255);
        assert_eq!(shown(&palette, &rare), rare);
        let shown = shown(&palette, &frequent);
        let off = frequent.iter().zip(&shown).map(|(one, other)| one.abs_diff(*other)).max();
        assert!(off <= Some(4), "{off:?}");
    }
}
