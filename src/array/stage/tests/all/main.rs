//! The tests of the pictures, as one program: it links once.

mod flow;
mod frames;
mod front;
mod largest;
mod room;
#[cfg(not(target_arch = "wasm32"))]
mod rooms;
mod timeline;
mod work;
