//! Files that no reader supports, recognized by their first bytes.

/// Kind of a file that no reader supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// Graph of ONNX.
    Onnx,
    /// Weights in safetensors.
    Safetensors,
    /// Weights of llama.cpp.
    Gguf,
    /// Pointer of Git LFS, which stands for a large file.
    LfsPointer,
    /// Web page, for example a login page.
    Html,
    /// Archive of files.
    Archive,
    /// Weights as a Python pickle, for example of PyTorch.
    Pickle,
    /// Array of NumPy.
    NumPy,
    /// Weights of Keras or another program, as HDF5.
    Hdf5,
    /// Index of weights in several safetensors files.
    Index,
    /// Configuration of an adapter (PEFT).
    Adapter,
    /// Settings for the generation of text.
    Generation,
    /// Vocabulary or settings of a tokenizer.
    Tokenizer,
    /// Settings in named sections, as SCALE-Sim has them.
    Settings,
    /// Table of results that SCALE-Sim writes.
    ScaleSimReport,
    /// Any YAML.
    Yaml,
    /// Picture.
    Image,
    /// Document in PDF.
    Pdf,
    /// XLA's own program text.
    Hlo,
    /// MLIR program of another dialect than StableHLO.
    Dialect,
    /// Program of JAX, printed as a jaxpr.
    Jaxpr,
}

/// First bytes of a file, and the kind that begins with them.
const STARTS: [(&[u8], Foreign); 16] = [
    (b"GGUF", Foreign::Gguf),
    (b"version https://git-lfs", Foreign::LfsPointer),
    (b"\x1f\x8b", Foreign::Archive),
    (b"7z\xbc\xaf\x27\x1c", Foreign::Archive),
    (b"Rar!", Foreign::Archive),
    (b"BZh", Foreign::Archive),
    (b"\xfd7zXZ", Foreign::Archive),
    (b"\x28\xb5\x2f\xfd", Foreign::Archive),
    (b"\x80\x02", Foreign::Pickle),
    (b"\x80\x04", Foreign::Pickle),
    (b"\x93NUMPY", Foreign::NumPy),
    (b"\x89HDF", Foreign::Hdf5),
    (b"\x89PNG", Foreign::Image),
    (b"\xff\xd8\xff", Foreign::Image),
    (b"GIF8", Foreign::Image),
    (b"%PDF", Foreign::Pdf),
];

impl Foreign {
    /// Returns the kind of a file that no reader supports. `None` if a reader may support the file.
    pub fn of(start: &[u8]) -> Option<Self> {
        if let Some((_, kind)) = STARTS.iter().find(|(bytes, _)| start.starts_with(bytes)) {
            return Some(*kind);
        }
        if start.starts_with(b"PK\x03\x04") {
            // PyTorch packs its pickles into an archive.
            let has = |name: &[u8]| start.windows(name.len()).any(|bytes| bytes == name);
            return Some(if has(b"data.pkl") { Self::Pickle } else { Self::Archive });
        }
        // The file begins with the length of the header, which is below 4 GiB. The header in JSON follows.
        if start.get(4..9) == Some(b"\0\0\0\0{") {
            return Some(Self::Safetensors);
        }
        // The first field of an ONNX model is the version of its format.
        if start.first() == Some(&8) {
            return Some(Self::Onnx);
        }
        if start.get(257..262) == Some(b"ustar") {
            return Some(Self::Archive);
        }
        let text = match std::str::from_utf8(start) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(start.get(..error.valid_up_to())?).ok()?,
        };
        Self::of_text(text.trim_start_matches('\u{feff}').trim_start())
    }

    fn of_text(text: &str) -> Option<Self> {
        let begins = |word: &str| text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        if begins("<!doctype") || begins("<html") {
            return Some(Self::Html);
        }
        if text.starts_with("HloModule") {
            return Some(Self::Hlo);
        }
        // The package onnx prints a model as text.
        if text.starts_with('<') && text.contains("ir_version") {
            return Some(Self::Onnx);
        }
        let has = |operation: &&str| text.contains(operation);
        if ["tosa.", "torch.aten.", "linalg."].iter().any(has) && !["stablehlo.", "mhlo."].iter().any(has) {
            return Some(Self::Dialect).filter(|_| text.contains("func.func"));
        }
        if text.starts_with("{ lambda") {
            return Some(Self::Jaxpr);
        }
        let first = text.lines().next().unwrap_or("").trim_end();
        if first.starts_with('[') && first.ends_with(']') && first[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Some(Self::Settings);
        }
        // Reports have a column of layers, and no sizes.
        if first.to_ascii_lowercase().starts_with("layerid,") {
            return Some(Self::ScaleSimReport);
        }
        if is_yaml(text) {
            return Some(Self::Yaml);
        }
        let has = |key: &str| text.contains(&format!("\"{key}\""));
        let is_model = has("model_type") || has("architectures") || has("hidden_size");
        match text.starts_with('{') && !is_model {
            true if has("weight_map") => Some(Self::Index),
            true if has("peft_type") || has("base_model_name_or_path") => Some(Self::Adapter),
            true if has("do_sample") || has("_from_model_config") || has("max_new_tokens") => Some(Self::Generation),
            true if has("tokenizer_class") || has("added_tokens") || has("bos_token") => Some(Self::Tokenizer),
            _ => None,
        }
    }
}

/// True if the first two lines are keys of YAML. A line of a list of matmuls may begin with a name and a colon, but then
/// has more than one number.
fn is_yaml(text: &str) -> bool {
    let is_key = |line: &str| {
        let Some((key, value)) = line.trim_start_matches([' ', '-']).split_once(':') else { return false };
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let is_value = value.is_empty() || value.starts_with(' ');
        let numbers =
            value.split([' ', ',', ';', '\t', 'x']).filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
        !key.is_empty() && key.chars().all(is_name) && is_value && numbers.count() < 2
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    match (lines.next(), lines.next()) {
        (Some("---"), _) => true,
        (Some(first), Some(second)) => is_key(first) && (is_key(second) || second.trim_start().starts_with("- ")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_no_reader_supports_are_known_by_their_start() {
        let cases: [(&[u8], Option<Foreign>); 31] = [
            (b"{\"tokenizer_class\": \"LlamaTokenizer\"}", Some(Foreign::Tokenizer)),
            (b"{\"version\": \"1.0\", \"added_tokens\": []}", Some(Foreign::Tokenizer)),
            (b"[general]\nrun_name = a\n[architecture_presets]\nArrayHeight: 4\n", Some(Foreign::Settings)),
            (b"[1, 2, 3]", None),
            (b"LayerID, Total Cycles, Stall Cycles,\n0, 149821, 26519,\n", Some(Foreign::ScaleSimReport)),
            (b"LayerID, Avg IFMAP SRAM BW,\n0, 4.5,\n", Some(Foreign::ScaleSimReport)),
            (b"- id: 0\n  name: a\n  loop_sizes: [1,2,3]\n", Some(Foreign::Yaml)),
            (b"# NeMo\nmodel:\n  hidden_size: 4096\n", Some(Foreign::Yaml)),
            (b"---\nlayers:\n- a\n", Some(Foreign::Yaml)),
            (b"qkv: 1 2 3\nup: 4 5 6\n", None),
            (b"q: 1, 2, 3\nup: 4, 5, 6\n", None),
            (b"HloModule jit_f, entry_computation_layout={()}\n\nENTRY main {\n", Some(Foreign::Hlo)),
            (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a", Some(Foreign::LfsPointer)),
            (b"\n<!DOCTYPE html><title>Sign in</title>", Some(Foreign::Html)),
            (b"PK\x03\x04\x00\x00archive/data.pkl", Some(Foreign::Pickle)),
            (b"PK\x03\x04\x00\x00readme.txt", Some(Foreign::Archive)),
            (b"\x80\x04\x95", Some(Foreign::Pickle)),
            (b"\x93NUMPY\x01", Some(Foreign::NumPy)),
            (b"{\"metadata\": {}, \"weight_map\": {\"a\": \"b\"}}", Some(Foreign::Index)),
            (b"{\"peft_type\": \"LORA\", \"base_model_name_or_path\": \"x\"}", Some(Foreign::Adapter)),
            (b"{\"do_sample\": true, \"eos_token_id\": 2}", Some(Foreign::Generation)),
            (b"<ir_version: 8, opset_import: [\"\": 21]>\ng (float[1] x) => () {}", Some(Foreign::Onnx)),
            (b"func.func @f() {\n  %0 = tosa.matmul %a, %b\n}", Some(Foreign::Dialect)),
            (b"func.func @f() {\n  %0 = stablehlo.dot %a, %b {x = \"linalg.y\"}\n}", None),
            (b"{ lambda ; a:f32[2,3] b:f32[3,4]. let", Some(Foreign::Jaxpr)),
            (b"{\"model_type\": \"llama\", \"do_sample\": true}", None),
            (b"name,M,N,K\na,1,2,3", None),
            // The file begins with ir_version 8 and the name of the producer.
            (b"\x08\x08\x12\x07pytorch", Some(Foreign::Onnx)),
            (b"\x40\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\"", Some(Foreign::Safetensors)),
            (b"GGUF\x03\0\0\0", Some(Foreign::Gguf)),
            (b"", None),
        ];
        for (start, kind) in cases {
            assert_eq!(Foreign::of(start), kind, "{:?}", String::from_utf8_lossy(start));
        }
    }
}
