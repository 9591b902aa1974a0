//! Colors of the tones, from the style sheet.

use display::Tone;
use plain::OrEmpty;
use wasm_bindgen::JsValue;

/// One color per tone, as text for the canvas and as bytes for bitmaps.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    /// Colors as JavaScript strings, so that painting a mark does not convert its color again.
    texts: Vec<JsValue>,
    /// Colors as red, green, blue and opacity. The array has 256 entries, so that finding the color of a pixel needs no
    /// bounds check.
    bytes: [[u8; 4]; 256],
}

/// Returns the color of a tone in the style sheet.
pub(crate) fn color(tone: Tone) -> String {
    Palette::read().text(tone).as_string().or_empty()
}

impl Palette {
    /// Reads the style sheet's `--tone-…` variables.
    pub(crate) fn read() -> Self {
        let style = super::window()
            .zip(super::document().and_then(|document| document.document_element()))
            .and_then(|(window, root)| window.get_computed_style(&root).ok().flatten());
        let read = |tone: &Tone| {
            style
                .as_ref()
                .and_then(|style| style.get_property_value(&format!("--tone-{}", tone.id())).ok())
                .map(|text| text.trim().to_owned())
                .or_empty()
        };
        let texts: Vec<String> = Tone::ALL.iter().map(read).collect();
        let mut bytes = [[0; 4]; 256];
        for (bytes, text) in bytes.iter_mut().zip(&texts) {
            *bytes = bytes_of(text);
        }
        Self { texts: texts.iter().map(|text| JsValue::from_str(text)).collect(), bytes }
    }

    pub(crate) fn text(&self, tone: Tone) -> &JsValue {
        // The list has one color for each tone.
        &self.texts[tone as usize]
    }

    pub(crate) fn bytes(&self, tone: u8) -> [u8; 4] {
        self.bytes[usize::from(tone)]
    }
}

/// Returns red, green, blue and opacity of `#rrggbb`. For any other text, returns a transparent color.
fn bytes_of(text: &str) -> [u8; 4] {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
        Some(color) => {
            let [_, red, green, blue] = color.to_be_bytes();
            [red, green, blue, 255]
        }
        None => [0; 4],
    }
}
