//! The compiled part of the Python package `systolic_playground`: runs of one array, counts and times of tables,
//! models.
//!
//! Python computes nothing. This crate turns arrays and tables into bytes and calls the core:
//!
//! - Numbers cross as bytes in the byte order of the machine, and settings cross as texts by name. This crate therefore
//!   needs no NumPy, and every Python from 3.10 on loads the same file.
//! - `native` is the module for CPython. `pyodide` is a WebAssembly module for Python in a browser.
//! - Input that cannot be used is a `Problem`, which Python sees as a `ValueError`.
//! - Tests compare the answers with NumPy, ml_dtypes, a simulation in NumPy and the command line.
//!
//! The crate is a member of the workspace, but a plain build leaves it out. No interpreter is linked
//! (`.cargo/config.toml`), so `cargo xtask lint` checks it without Python.

mod array;
mod columns;
mod count;
mod link;
mod model;
#[cfg(not(target_arch = "wasm32"))]
mod native;
mod problem;
#[cfg(target_arch = "wasm32")]
pub mod pyodide;
mod run;
mod settings;
mod time;
mod words;

use problem::Problem;

/// Script that other pages load for the element that shows the page in a frame.
const ELEMENT: &str = include_str!("../../npm/systolic-playground.mjs");

/// Returns the sentence of a problem. A sentence repeats the input, and a terminal would obey its control characters.
fn sentence(problem: &Problem) -> String {
    let is_shown = |sign: &char| !sign.is_control() || *sign == '\n';
    problem.to_string().chars().filter(is_shown).collect()
}
