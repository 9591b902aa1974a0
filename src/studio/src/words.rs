//! Every word that a person reads, in English. Nothing outside this folder writes sentences.

pub mod bench;
pub mod busy;
pub mod caption;
pub mod compare;
pub mod examples;
pub mod figures;
pub mod glossary;
pub mod help;
pub mod label;
pub mod legend;
pub mod message;
mod pe;
pub mod picture;
pub mod sheet;
pub mod table;
pub mod why;
