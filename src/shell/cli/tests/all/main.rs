//! The tests of the command line, as one program: it links once.

mod adder;
mod check;
mod chips;
mod command;
mod common;
mod json;
mod one_number;
mod pages;
mod poster;
mod questions;
mod refusals;
mod rtl;
mod story;
mod teachers;
