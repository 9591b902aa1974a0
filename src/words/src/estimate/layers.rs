//! Text of the links from a model's matmuls to the array view.

use estimate::product_name;

/// Returns the heading of the links from a model's matmuls to the array view.
#[must_use]
pub fn on_array((rows, cols): (u32, u32)) -> String {
    format!("Open a matmul on a {rows}×{cols} array of this chip")
}

/// Returns the text of a link that opens a matmul in the array view.
#[must_use]
pub fn layer(name: &str, sizes: [u64; 3]) -> String {
    format!("{name}: {}", product_name(sizes))
}
