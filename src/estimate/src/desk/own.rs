//! The entries that set values of the chip: each is a piece of the one part `own`, and the published value is its hint.

use super::{Entry, typed, value, with};
use crate::{Asked, own};
use display::number::significant;
use perfmodel::{Chip, Compute};

/// What stands before the names of these entries.
pub(super) const PREFIX: &str = "own-";

/// The entries, by their names on the page and in the text; the peak is that of the chosen format.
pub(super) const NAMES: [&str; 8] =
    ["own-peak", "own-hbm", "own-capacity", "own-rows", "own-cols", "own-arrays", "own-clock", "own-power"];

/// The name of a piece.
fn piece(name: &str, asked: &Asked) -> String {
    match name {
        "peak" => format!("peak-{}", asked.dtype.word()),
        _ => name.to_owned(),
    }
}

fn hint(chip: &Chip, asked: &Asked, name: &str) -> String {
    let side = |which: fn(&Compute) -> Option<u32>| which(&chip.compute).map(f64::from);
    let published = match name {
        "own-peak" => chip.peak(asked.dtype).and_then(|peak| peak.value),
        "own-hbm" => chip.memory.gb_per_sec.value,
        "own-capacity" => chip.memory.bytes().map(|bytes| bytes / 1e9),
        "own-rows" => side(|compute| arrays(compute)[0]),
        "own-cols" => side(|compute| arrays(compute)[1]),
        "own-arrays" => side(|compute| arrays(compute)[2]),
        "own-clock" => chip.clock_mhz.value,
        "own-power" => chip.power_watts.iter().find_map(|(_, watts)| watts.value),
        _ => None,
    };
    published.map_or_else(|| "unknown".to_owned(), |value| significant(value, 5))
}

/// Rows, columns and number of a chip's arrays.
fn arrays(compute: &Compute) -> [Option<u32>; 3] {
    match compute {
        Compute::Arrays { rows, cols, units_per_core, cores, .. } => {
            let all = units_per_core.value.zip(cores.value).map(|(units, cores)| units.saturating_mul(cores));
            [rows.value, cols.value, all]
        }
        Compute::TensorCores { .. } | Compute::Unknown(_) => [None; 3],
    }
}

pub(super) fn entries(text: &str, asked: &Asked) -> Vec<Entry> {
    let set = value(text, "own").unwrap_or_default();
    let published = asked.published();
    let entry = |name: &'static str| {
        let piece = piece(name.trim_start_matches(PREFIX), asked);
        let text = own::value(&set, &piece).unwrap_or_default().to_owned();
        Entry { text, hint: hint(&published, asked, name), ..typed("", name, "") }
    };
    NAMES.map(entry).into()
}

/// The text of the question with one of these values set anew.
pub(super) fn set(text: &str, name: &str, value_set: &str) -> String {
    let (asked, _) = Asked::parse(text);
    let own = own::with(&value(text, "own").unwrap_or_default(), &piece(name, &asked), value_set);
    with(text, "own", &own)
}
