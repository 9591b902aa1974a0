//! What a model makes an array do: a list of matrix products, from a model's name, its configuration or its file.
//!
//! Everything takes text or bytes that the caller has read and gives a [`Workload`] or one sentence on why not. A file of
//! any size is read through [`Import`]. Nothing
//! is guessed: what an importer does not understand it refuses or names in [`Workload::left_out`].
//!
//! ```
//! use workload::{Content, Import};
//!
//! // Rows, the side that is summed over, columns. The first line of a file shows its format.
//! let file = b"M,K,N\n512,1024,4096\n";
//! let mut import = Import::new(file.len() as u64);
//! while let Some(wanted) = import.wants() {
//!     let wanted = usize::try_from(wanted.start)?..usize::try_from(wanted.end)?;
//!     import.feed(&file[wanted])?;
//! }
//! let Some(Content::Products(work)) = import.content() else { panic!("it is a list of products") };
//! assert_eq!(work.flops(), 2.0 * 512.0 * 1024.0 * 4096.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod format;
pub mod huggingface;
pub mod import;
mod json;
mod limits;
mod lines;
pub mod models;
mod name;
mod note;
pub mod onnx;
mod pass;
pub mod paste;
mod problem;
mod product;
pub mod safetensors;
pub mod stablehlo;
pub mod topology;
pub mod transformer;
mod words;
mod workload;

pub use format::FileFormat;
pub use import::{Content, Import};
pub use note::{Node, Note, Omitted, Statement, Tensor};
pub use pass::{Logits, Pass, PassKind, PassSpec};
pub use problem::{Column, Fault, Problem, Way};
pub use product::{Kind, Product, Role, TooLarge};
pub use transformer::{Feed, Head, Heads, Latent, Layers, Mixer, Stack, Transformer};
pub use words::line_sentences;
pub use workload::{LeftOut, ResidualStream, Workload};
