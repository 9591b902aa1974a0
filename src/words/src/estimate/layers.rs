//! The products of a model as links to the array.

use estimate::product_name;

/// Over the links to the products of a model.
#[must_use]
pub fn on_array((rows, cols): (u32, u32)) -> String {
    format!("Open a matmul on a {rows}×{cols} array of this chip")
}

/// A product that opens on the array.
#[must_use]
pub fn layer(name: &str, sizes: [u64; 3]) -> String {
    format!("{name}: {}", product_name(sizes))
}
