//! All tests of time, price and MFU in one program, so that the linker runs only once.

mod claims;
mod custom;
mod dealing;
mod edges;
mod exchange;
mod gemm_time;
mod gpu_matmuls;
mod groups;
mod ladder;
mod left_out;
mod money;
mod published;
mod shapes;
mod table;
mod training;
