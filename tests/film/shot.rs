//! A view of the page as pixels: read from a screenshot, and written as a PNG with a palette.

use std::io::Cursor;

use png::{BitDepth, ColorType, Compression, Decoder, DecodingError, Encoder, EncodingError, Filter, Transformations};

use crate::palette::Palette;

/// Colors that one byte can number.
const COLORS_MAX: usize = 256;

/// The pixels of a view, row by row: red, green, blue and alpha.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shot {
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) pixels: Vec<u8>,
}

impl Shot {
    /// Reads a screenshot.
    ///
    /// # Errors
    /// Fails if the file is not a PNG.
    ///
    /// # Panics
    /// Panics if the PNG has no colors, or if a side has more than 65535 pixels.
    pub(crate) fn read(file: &[u8]) -> Result<Self, DecodingError> {
        let mut decoder = Decoder::new(Cursor::new(file));
        decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
        let mut reader = decoder.read_info()?;
        let mut pixels = vec![0; reader.output_buffer_size().expect("memory takes a view")];
        let frame = reader.next_frame(&mut pixels)?;
        assert_eq!(frame.color_type, ColorType::Rgba, "a screenshot has colors");
        let [width, height] =
            [frame.width, frame.height].map(|side| u16::try_from(side).expect("a view has fewer pixels"));
        Ok(Self { width, height, pixels })
    }

    /// Returns the shot as a PNG with at most 256 colors.
    ///
    /// # Errors
    /// Fails if a PNG cannot have this size.
    pub(crate) fn write(&self) -> Result<Vec<u8>, EncodingError> {
        let palette = Palette::new([&self.pixels[..]], COLORS_MAX);
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width.into(), self.height.into());
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_palette(palette.bytes());
        encoder.set_compression(Compression::High);
        // The difference of two color indices has no meaning, so the pixels are not filtered.
        encoder.set_filter(Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&palette.indexed(&self.pixels))?;
        writer.finish()?;
        Ok(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_of_256_colors_is_read_back_exactly() {
        let pixels = (0..=u8::MAX).flat_map(|shade| [shade, 3, 255 - shade, 255]).collect();
        let shot = Shot { width: 64, height: 4, pixels };
        assert_eq!(Shot::read(&shot.write().expect("a PNG")).expect("the same PNG"), shot);
    }

    #[test]
    fn a_file_that_is_not_a_png_is_refused() {
        assert!(Shot::read(b"GIF89a").is_err());
    }
}
