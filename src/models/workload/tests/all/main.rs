//! All tests of models and files in one program. The tests that measure memory (`bounds`) are another program.

mod flops_per_token;
mod golden;
mod huggingface;
mod models;
mod paste;
mod published;
mod stablehlo;
mod tables;
mod topology;
mod torch;
mod traced;
