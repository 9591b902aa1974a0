//! Detection of the format of a file, from the first bytes of the file.

use crate::cells::{self, Named};
use crate::problem::Column;

/// A file format that a reader supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// `config.json` of the transformers library: [`huggingface`](crate::huggingface).
    HuggingFace,
    /// SCALE-Sim topology file: [`topology`](crate::topology).
    Topology,
    /// Pasted lines of M, K, N: [`paste`](crate::paste).
    Paste,
    /// StableHLO program as text: [`stablehlo`](crate::stablehlo).
    StableHlo,
}

/// Number of bytes at the start of a file from which the format is detected.
const START_BYTES_MAX: usize = 1 << 16;

impl FileFormat {
    /// Detects the format of a file from its first bytes. `None` if the format is unknown.
    ///
    /// The first 64 KiB are enough. The reader of the format checks the rest of the file.
    pub fn of(start: &[u8]) -> Option<Self> {
        let start = start.get(..START_BYTES_MAX).unwrap_or(start);
        Self::of_text(text(start)?.trim_start_matches('\u{feff}').trim_start())
    }

    fn of_text(text: &str) -> Option<Self> {
        // A traced table is checked for first, because it may name operations of other formats.
        if text.starts_with(crate::paste::TOTALS) {
            return Some(Self::Paste);
        }
        if crate::huggingface::without_class(text).starts_with('{') {
            return Some(Self::HuggingFace);
        }
        if ["func.func", "stablehlo.", "mhlo."].iter().any(|word| text.contains(word)) {
            return Some(Self::StableHlo);
        }
        // Such JSON is not a configuration, or it has comments, which JSON does not allow. The reader of configurations
        // reports the problem.
        if text.starts_with('[') || text.starts_with("//") || text.starts_with("/*") {
            return Some(Self::HuggingFace);
        }
        let header = text.lines().next()?;
        let cells = cells::split(header, cells::delimiter(header).unwrap_or(','));
        let layers = cells.first().is_some_and(|first| first.to_lowercase().starts_with("layer"));
        let has = |column: Column| cells.iter().any(|cell| cells::named(cell) == Named::Of(column));
        let sizes = [Column::M, Column::N, Column::K].into_iter().all(has);
        if cells.len() > 1 && header.to_lowercase().contains("filt") || layers && sizes {
            return Some(Self::Topology);
        }
        text.contains(|c: char| c.is_ascii_digit()).then_some(Self::Paste)
    }
}

/// Returns the bytes as text, without an incomplete character at the end. `None` if the bytes are not UTF-8 or contain
/// control characters.
fn text(bytes: &[u8]) -> Option<&str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => std::str::from_utf8(bytes.get(..error.valid_up_to())?).ok()?,
        Err(_) => return None,
    };
    (!text.contains(|c: char| c.is_control() && !c.is_whitespace())).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::FileFormat;

    #[test]
    fn every_golden_file_is_known_by_its_first_bytes() {
        let config = include_bytes!("../../../../tests/golden/configs/llama.json");
        assert_eq!(FileFormat::of(config), Some(FileFormat::HuggingFace));
        let generic = include_bytes!("../../../../tests/golden/stablehlo/layers.generic.mlir");
        assert_eq!(FileFormat::of(generic), Some(FileFormat::StableHlo));
        let traced = include_bytes!("../../../../tests/golden/traced/llama.csv");
        assert_eq!(FileFormat::of(traced), Some(FileFormat::Paste));
        let bom = include_bytes!("../../../../tests/golden/topologies/own/bom_crlf.csv");
        assert_eq!(FileFormat::of(bom), Some(FileFormat::Topology));
        let tabs = include_bytes!("../../../../tests/golden/topologies/conv_nets/UNet_maestro.csv");
        assert_eq!(FileFormat::of(tabs), Some(FileFormat::Topology));
        let gemms = include_bytes!("../../../../tests/golden/topologies/GEMM_mnk/gpt2.csv");
        assert_eq!(FileFormat::of(gemms), Some(FileFormat::Topology));
    }

    #[test]
    fn pasted_lines_and_others_are_told_apart() {
        assert_eq!(FileFormat::of(b"| name | M | K | N |\n|--|--|--|--|\n| a | 1 | 2 | 3 |"), Some(FileFormat::Paste));
        assert_eq!(FileFormat::of(b"128, 512, 1536"), Some(FileFormat::Paste));
        assert_eq!(FileFormat::of(b"// llama\n{\"model_type\": \"llama\"}"), Some(FileFormat::HuggingFace));
        assert_eq!(FileFormat::of(b"[{\"model_type\": \"llama\"}]"), Some(FileFormat::HuggingFace));
        assert_eq!(FileFormat::of(b"// a program\nfunc.func @main() {}"), Some(FileFormat::StableHlo));
        assert_eq!(FileFormat::of(b"\x89PNG\r\n"), None);
        assert_eq!(FileFormat::of(b"hello"), None);
        assert_eq!(FileFormat::of(b""), None);
    }
}
