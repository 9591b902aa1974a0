//! All tests of the core in one program, which is linked only once and runs natively and in WebAssembly.

mod common;

mod adder;
mod adder_rules;
mod agreement;
mod carried;
mod conservation;
#[cfg(not(target_arch = "wasm32"))]
mod encoders;
mod errors;
mod flow;
mod flow_agreement;
mod formats;
mod limits;
mod ports;
mod printed;
mod products;
mod provenance;
mod published;
