//! The tests of what models and files ask for, as one program. What counts memory (`bounds`) is a program apart.

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
