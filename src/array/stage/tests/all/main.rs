//! All tests of the pictures in one program, because it is linked only once.

mod flow;
mod frames;
mod front;
mod largest;
mod room;
#[cfg(not(target_arch = "wasm32"))]
mod rooms;
mod timeline;
mod work;
