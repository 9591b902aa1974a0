//! A view of the page as pixels: read from a screenshot, and written as a PNG with a palette.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Decoder, DecodingError, Encoder, EncodingError, Filter, Transformations};

/// Bytes of a pixel: red, green, blue and alpha.
const BYTES: usize = 4;
/// Colors of a palette.
const COLORS_MAX: usize = 256;

type Color = [u8; 3];

/// The pixels of a view, row by row.
pub(crate) struct Shot {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<u8>,
}

impl Shot {
    /// Reads a screenshot.
    ///
    /// # Errors
    /// The file is not a PNG of 8 bits with red, green and blue.
    pub(crate) fn read(file: &[u8]) -> Result<Self, DecodingError> {
        let mut decoder = Decoder::new(Cursor::new(file));
        decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
        let mut reader = decoder.read_info()?;
        let mut pixels = vec![0; reader.output_buffer_size().unwrap_or_default()];
        let frame = reader.next_frame(&mut pixels)?;
        assert_eq!(frame.color_type, ColorType::Rgba, "a screenshot has colors");
        pixels.truncate(frame.buffer_size());
        Ok(Self { width: frame.width, height: frame.height, pixels })
    }

    /// The PNG of the shot, with at most 256 colors.
    ///
    /// # Errors
    /// The size is not a size of a PNG.
    pub(crate) fn write(&self) -> Result<Vec<u8>, EncodingError> {
        let colors = || self.pixels.chunks_exact(BYTES).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        let mut counts: HashMap<Color, u32> = HashMap::new();
        for color in colors() {
            *counts.entry(color).or_default() += 1;
        }
        let mut known: Vec<(Color, u32)> = counts.into_iter().collect();
        known.sort_unstable_by_key(|(color, count)| (Reverse(*count), *color));
        let known: Vec<Color> = known.into_iter().map(|(color, _)| color).collect();
        let palette = palette(&known);
        let indices: HashMap<Color, u8> = known.iter().map(|color| (*color, nearest(&palette, *color).0)).collect();
        let indexed: Vec<u8> = colors().map(|color| indices[&color]).collect();
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(palette.concat());
        encoder.set_compression(Compression::High);
        // Neighboring indices have nothing to do with each other.
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&indexed)?;
        writer.finish()?;
        Ok(file)
    }
}

/// At most 256 of the colors, which are sorted by frequency. A color that is near a chosen color is left out. If too
/// many remain, the distance of "near" grows, so that a rare hue has a color before the shades of a frequent hue.
fn palette(known: &[Color]) -> Vec<Color> {
    let mut apart = 1;
    loop {
        let mut chosen: Vec<Color> = Vec::new();
        for color in known {
            if chosen.is_empty() || nearest(&chosen, *color).1 >= apart {
                chosen.push(*color);
            }
            if chosen.len() > COLORS_MAX {
                break;
            }
        }
        if chosen.len() <= COLORS_MAX {
            return chosen;
        }
        apart *= 2;
    }
}

/// The index of the nearest of at most 257 colors, and the square of its distance.
fn nearest(palette: &[Color], color: Color) -> (u8, u32) {
    let distance = |other: &Color| -> u32 { (0..3).map(|at| u32::from(color[at].abs_diff(other[at])).pow(2)).sum() };
    (0..=u8::MAX).zip(palette.iter().map(distance)).min_by_key(|(_, distance)| *distance).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shot of one row with these colors.
    fn row(colors: &[Color]) -> Shot {
        let pixels = colors.iter().flat_map(|color| [color[0], color[1], color[2], 255]).collect();
        Shot { width: u32::try_from(colors.len()).expect("a width"), height: 1, pixels }
    }

    fn round(shot: &Shot) -> Shot {
        Shot::read(&shot.write().expect("a PNG")).expect("the same PNG")
    }

    fn shades(n_shades: usize) -> Vec<Color> {
        let byte = |value: usize| u8::try_from(value % 256).expect("it is below 256");
        (0..n_shades).map(|nth| [byte(nth), byte(nth / 256 * 3), 9]).collect()
    }

    #[test]
    fn a_picture_of_256_colors_is_read_back_exactly() {
        let shot = row(&shades(256));
        let read = round(&shot);
        assert_eq!((read.width, read.height), (256, 1));
        assert_eq!(read.pixels, shot.pixels);
    }

    #[test]
    fn of_more_colors_each_is_near_its_own_and_a_rare_hue_stays() {
        let mut colors = shades(1000);
        // The shades are frequent, the hue is rare.
        colors.extend(shades(1000));
        colors.push([10, 10, 200]);
        let shot = row(&colors);
        let read = round(&shot);
        let off = shot.pixels.iter().zip(&read.pixels).map(|(one, other)| one.abs_diff(*other)).max();
        assert!(off <= Some(4), "{off:?}");
        assert_eq!(read.pixels[2000 * BYTES..][..BYTES], [10, 10, 200, 255]);
    }

    #[test]
    fn a_file_that_is_not_a_png_is_refused() {
        assert!(Shot::read(b"GIF89a").is_err());
    }
}
