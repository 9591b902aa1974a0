//! Error messages for files that cannot be read.

use std::fmt;

use plain::grouped;

use super::{NOT_TEXT, line_sentences};
use crate::foreign::Foreign;
use crate::product::TooLarge;
use crate::safetensors::VISITED;
use crate::{gguf, import, onnx, safetensors, stablehlo};

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LfsPointer => {
                "This file is a pointer of Git LFS, not the file itself: download the file, for example with git lfs pull."
            }
            Self::Html => "This file is a web page, perhaps of a login: download the file itself.",
            Self::Archive => "This file is an archive: unpack it, and use the file that describes the model.",
            Self::Pickle => "This file is a Python pickle: use the config.json or the safetensors file of the model.",
            Self::NumPy => "This file is an array of NumPy: use the config.json of a model, or a list of M, K, N.",
            Self::Hdf5 => "This file is HDF5: export the model as ONNX, or use a list of M, K, N.",
            Self::Index => "This file lists safetensors files: use the config.json, or one of the safetensors files.",
            Self::Adapter => "This file configures an adapter (PEFT): use the config.json of the base model.",
            Self::Generation => "This file has settings for the generation of text: use the config.json next to it.",
            Self::Tokenizer => "This file describes a tokenizer: use the config.json of the model.",
            Self::Settings => {
                "This file has settings, perhaps those of SCALE-Sim, but no layers: use the topology file, which lists the layers."
            }
            Self::ScaleSimReport => "This file is a report of SCALE-Sim: use the topology file of this run, which lists the layers.",
            Self::Yaml => "This file is YAML: use the config.json of a model, or a table with the columns M, N and K.",
            Self::Image => "This file is a picture: use the config.json of a model, or a list of M, K, N.",
            Self::Pdf => "This file is a PDF: use the config.json of a model, or a list of M, K, N.",
            Self::Jaxpr => "This text is a jaxpr: print StableHLO instead, with jax.jit(f).lower(x).as_text().",
        })
    }
}

impl fmt::Display for import::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(kind) => kind.fmt(f),
            Self::NoFormat => f.write_str("Format not recognized. Use a Hugging Face config.json, a SCALE-Sim table, lines of M,K,N, StableHLO or HLO text, ONNX, safetensors or GGUF."),
            Self::Cut => f.write_str("The file could not be read to the end."),
            Self::NotText => f.write_str("This is not UTF-8 text."),
            Self::TooManyProducts { given } => {
                let [given, most] = [*given, import::PRODUCTS_MAX].map(|count| grouped(count as u64));
                write!(f, "The file has {given} matmuls: use at most {most}.")
            }
            Self::HuggingFace(refusal) => refusal.fmt(f),
            Self::Onnx(refusal) => refusal.fmt(f),
            Self::Safetensors(refusal) => refusal.fmt(f),
            Self::Gguf(refusal) => refusal.fmt(f),
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

impl fmt::Display for gguf::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut => f.write_str("The header of this GGUF file is not complete: use the complete file."),
            Self::Version { given } => write!(f, "GGUF version {given} is not supported: use version 2 or 3."),
            Self::Malformed => f.write_str("The header of this GGUF file is damaged: download the file again."),
            Self::TooMany => {
                let most = grouped(gguf::ENTRIES_MAX);
                write!(f, "The header of this GGUF file has too many entries: use at most {most}.")
            }
        }
    }
}

impl fmt::Display for safetensors::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLength => f.write_str(
                "The file is too short: every safetensors file begins with 8 bytes for the length of the header.",
            ),
            Self::TooLong { bytes } => {
                let [bytes, most] = [*bytes, safetensors::HEADER_BYTES_MAX].map(grouped);
                write!(
                    f,
                    "The header would have {bytes} bytes, but at most {most} are allowed. Is this a safetensors file?"
                )
            }
            Self::Cut { needed, given } => {
                let [needed, given] = [*needed, *given].map(grouped);
                write!(f, "The header needs {needed} bytes, but the file has only {given}: use the complete file.")
            }
            Self::NotText => f.write_str("The header is not UTF-8 text. Is this a safetensors file?"),
            Self::NotJson(broken) => broken.fmt(f),
            Self::BadShape { tensor } => {
                write!(f, "The tensor {tensor} has no valid shape: use a list of whole numbers.")
            }
            Self::TooManyKinds => {
                let most = grouped(safetensors::KINDS_MAX as u64);
                write!(f, "The file has too many kinds of tensors: use at most {most} kinds.")
            }
            Self::Experts { tensor } => write!(
                f,
                "The file has experts ({tensor}), but does not say how many experts a layer has: use config.json."
            ),
            Self::Visits { experts } => write!(
                f,
                "The file does not say how many of its {} experts a token visits: give the number, such as {VISITED}=2.",
                grouped(*experts)
            ),
            Self::BadVisits { given, experts } => write!(
                f,
                "A token cannot visit {} of {} experts: use {VISITED} from 1 to {}.",
                grouped(*given),
                grouped(*experts),
                grouped(*experts)
            ),
            Self::TooLarge(refusal) => refusal.fmt(f),
            Self::Packed { tensor } => write!(
                f,
                "The file packs several weights into one number ({tensor}), but does not say how many: use config.json."
            ),
        }
    }
}

impl fmt::Display for stablehlo::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotText { line } => write!(f, "Line {line}: {NOT_TEXT}"),
            Self::NoComputation => f.write_str("The HLO text has no computation: use the whole text, from HloModule to the last brace."),
            Self::NotStableHlo => f.write_str("The file has no func.func: use StableHLO in text form."),
            Self::NoFunction { line, given } => write!(f, "Line {line}: {given} is not inside a function: put {given} inside a func.func."),
            Self::Recursion { name } => write!(f, "The function {name} calls itself: remove the recursion."),
            Self::TooDeep => f.write_str("Regions are nested more than 64 levels deep: use at most 64 levels."),
            Self::TooLarge => f.write_str("The program has too many operations or names, or its sizes are too large to count: use a smaller program."),
        }
    }
}

impl fmt::Display for onnx::Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOnnx => f.write_str("This is not an ONNX model."),
            Self::NoGraph => f.write_str("The model has no graph."),
            Self::TooMany => {
                let most = grouped(onnx::NODES_MAX as u64);
                write!(f, "The graph is too large: use at most {most} operations and at most {most} tensors.")
            }
            Self::Symbols { names } => {
                write!(
                    f,
                    "These sizes of the file have no value: {}. Give each a value, such as {}=640.",
                    names.join(", "),
                    names.first().map_or("height", |name| name.trim_matches(['“', '”']))
                )
            }
            Self::TooLarge => TooLarge.fmt(f),
        }
    }
}
