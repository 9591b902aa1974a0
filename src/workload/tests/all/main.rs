//! The tests of what models and files ask for, as one program. What counts memory (`bounds`) is a program apart.

mod flops_per_token;
mod gguf;
mod golden;
mod hlo;
mod huggingface;
mod models;
mod onnx;
mod onnx_real;
mod onnx_transformers;
mod paste;
mod published;
mod safetensors;
mod stablehlo;
mod tables;
mod topology;
mod torch;
mod traced;
