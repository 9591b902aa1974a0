//! The WebAssembly module that the browser downloads: the crate `app`, linked with optimization across all crates.

extern crate app as _;
