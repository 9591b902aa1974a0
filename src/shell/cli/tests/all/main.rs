//! All tests of the command line in one program, so that only one program is linked.

mod adder;
mod check;
mod chips;
mod command;
mod common;
mod documents;
mod facts;
mod json;
mod one_number;
mod pages;
mod poster;
mod questions;
mod refusals;
mod rtl;
mod story;
mod teachers;
