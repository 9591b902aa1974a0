//! Text of the links from a model's matmuls to the array view.

use super::plots::and_more;
use display::figure::duration;
use display::number::percent;
use estimate::{Layer, product_name};

/// Returns the heading of the links from a model's matmuls to the array view.
#[must_use]
pub fn on_array((rows, cols): (u32, u32)) -> String {
    format!("Layers by time, on {rows}×{cols} arrays")
}

/// Headings of the table of matmuls.
pub const HEADS: [&str; 4] = ["matmul", "M × K × N", "time of one", "share of matmul time"];

/// Text of the link that opens a matmul in the array view.
pub const OPEN: &str = "Open in Explore";

/// Returns the cells of a matmul: its name, sizes, time and share.
#[must_use]
pub fn cells(layer: &Layer) -> [String; 4] {
    let share = format!("{} %", percent(layer.share));
    [and_more(&layer.name, layer.alike), product_name(layer.sizes), duration(layer.seconds), share]
}
