//! The module that a visitor downloads: the browser shell, linked with optimization across all crates.

extern crate app as _;
