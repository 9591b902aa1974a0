//! The tests of the pictures, as one program: it links once.

mod frames;
mod front;
mod largest;
mod room;
mod timeline;
mod work;
