//! All tests of the pictures in one program, so that only one program has to be linked.

mod flow;
mod frames;
mod front;
mod largest;
mod room;
#[cfg(not(target_arch = "wasm32"))]
mod rooms;
mod timeline;
mod work;
