//! Readers that list the matmuls of a model, from the model's name, configuration or file.
//!
//! Every reader accepts text or bytes that the caller has already loaded. The reader returns a [`Workload`], or an
//! error that states in one sentence why the reader refuses the input. Readers never guess: a reader refuses input that
//! it does not understand, or lists this input in [`Workload::left_out`].
//!
//! A file of any size is read through [`Import`]. Each call asks for at most 512 KiB and works on them for a few
//! milliseconds. So no file, however large or hostile, freezes the page or fills its memory.
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

mod cells;
pub mod foreign;
mod format;
pub mod huggingface;
pub mod import;
mod json;
mod limits;
mod lines;
pub mod models;
mod name;
mod note;
mod pass;
pub mod paste;
mod problem;
mod product;
pub mod stablehlo;
pub mod topology;
pub mod transformer;
mod words;
mod workload;

pub use format::FileFormat;
pub use import::{Content, Import};
pub use note::{Note, Omitted, Statement};
pub use pass::{Logits, Pass, PassKind, PassSpec};
pub use problem::{Column, Fault, Problem, Way};
pub use product::{Kind, Product, Role, TooLarge};
pub use transformer::{Feed, Head, Heads, Latent, Layers, Mixer, Transformer};
pub use words::line_sentences;
pub use workload::{Cached, LeftOut, ResidualStream, TracedStep, Workload};
