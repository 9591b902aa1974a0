//! Error messages for files that cannot be read.

use std::borrow::Cow;
use std::fmt;

use plain::grouped;

use super::{NOT_TEXT, line_sentences};
use crate::foreign::Foreign;
use crate::{import, stablehlo};

impl Foreign {
    /// Returns why the file is not read, and what to do instead. Commands name the file, or an example if `file` is
    /// empty.
    fn says(self, file: &str) -> Cow<'static, str> {
        let tracer = |example: &str| {
            let file = if file.is_empty() { Cow::from(example) } else { shell_word(file) };
            format!("run python systolic_matmuls.py {file} > model.csv")
        };
        Cow::from(match self {
            Self::Onnx => {
                return format!("This file is an ONNX model: {}, and open model.csv.", tracer("model.onnx")).into();
            }
            Self::Safetensors => {
                let tracer = tracer("model.safetensors");
                return format!(
                    "This file has weights in safetensors: use the config.json next to it, or {tracer}, and open model.csv."
                )
                .into();
            }
            Self::Gguf => {
                return format!("This file has weights in GGUF: {}, and open model.csv.", tracer("model.gguf")).into();
            }
            Self::LfsPointer => {
                "This file is a pointer of Git LFS, not the file itself: download the file, for example with git lfs pull."
            }
            Self::Html => "This file is a web page, perhaps of a login: download the file itself.",
            Self::Archive => "This file is an archive: unpack it, and use the file that describes the model.",
            Self::Pickle => {
                "This file is a Python pickle: use the config.json of the model, or run python systolic_matmuls.py my_model.py:build > model.csv, and open model.csv."
            }
            Self::NumPy => "This file is an array of NumPy: use the config.json of a model, or a list of M, K, N.",
            Self::Hdf5 => {
                "This file is HDF5: export the model as ONNX, run python systolic_matmuls.py model.onnx > model.csv, and open model.csv."
            }
            Self::Index => "This file lists safetensors files: use the config.json next to it.",
            Self::Adapter => "This file configures an adapter (PEFT): use the config.json of the base model.",
            Self::Generation => "This file has settings for the generation of text: use the config.json next to it.",
            Self::Tokenizer => "This file describes a tokenizer: use the config.json of the model.",
            Self::Settings => {
                "This file has settings, perhaps for SCALE-Sim, but no layers: use the topology file, which lists the layers."
            }
            Self::ScaleSimReport => {
                "This file is a report of SCALE-Sim: use the topology file of this run, which lists the layers."
            }
            Self::Yaml => "This file is YAML: use the config.json of a model, or a table with the columns M, N and K.",
            Self::Image => "This file is a picture: use the config.json of a model, or a list of M, K, N.",
            Self::Pdf => "This file is a PDF: use the config.json of a model, or a list of M, K, N.",
            Self::Hlo => {
                "This text is XLA's HLO: print StableHLO instead, with jax.jit(f).lower(x).as_text(), or run python systolic_matmuls.py my_model.py:build > model.csv, and open model.csv."
            }
            Self::Dialect => {
                "This MLIR program has another dialect, such as TOSA, torch or linalg: convert the program to StableHLO."
            }
            Self::Jaxpr => "This text is a jaxpr: print StableHLO instead, with jax.jit(f).lower(x).as_text().",
        })
    }
}

/// Returns the name of a file as a word of a command line.
fn shell_word(file: &str) -> Cow<'_, str> {
    let is_plain = |sign: char| sign.is_alphanumeric() || "._-+/".contains(sign);
    if file.chars().all(is_plain) { file.into() } else { format!("'{}'", file.replace('\'', "'\\''")).into() }
}

impl fmt::Display for import::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { kind, file } => f.write_str(&kind.says(file)),
            Self::NoFormat => f.write_str("Format not recognized. Use a Hugging Face config.json, a SCALE-Sim table, lines of M,K,N, StableHLO text, or a table that systolic_matmuls.py writes."),
            Self::Cut => f.write_str("The file could not be read to the end."),
            Self::NotText => f.write_str("This is not UTF-8 text."),
            Self::TooManyProducts { given } => {
                let [given, most] = [*given, import::PRODUCTS_MAX].map(|count| grouped(count as u64));
                write!(f, "The file has {given} matmuls: use at most {most}.")
            }
            Self::HuggingFace(refusal) => refusal.fmt(f),
            Self::StableHlo(refusal) => refusal.fmt(f),
            Self::Lines(problems) => f.write_str(&line_sentences(problems).join("\n")),
            Self::Items(problems) => {
                let lines = line_sentences(problems).into_iter();
                let items = lines.map(|line| line.strip_prefix("Line ").map_or(line.clone(), |rest| format!("In this JSON list, item {rest}")));
                f.write_str(&items.collect::<Vec<_>>().join("\n"))
            }
        }
    }
}

impl fmt::Display for stablehlo::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText { line } => write!(f, "Line {line}: {NOT_TEXT}"),
            Self::NotStableHlo => f.write_str("The file has no func.func: use StableHLO in text form."),
            Self::NoFunction { line, given } => write!(f, "Line {line}: {given} is not inside a function: put {given} inside a func.func."),
            Self::Recursion { name } => write!(f, "The function {name} calls itself: remove the recursion."),
            Self::TooDeep => f.write_str("Regions are nested more than 64 levels deep: use at most 64 levels."),
            Self::TooLarge => f.write_str("The program has too many operations or names, or its sizes are too large to count: use a smaller program."),
        }
    }
}
