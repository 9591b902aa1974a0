//! Addresses of the documents that sources name.

/// Addresses of documents, by the first words of their sources.
const NAMED: [(&str, &str); 15] = [
    ("Google Cloud documentation, TPU v3:", "https://cloud.google.com/tpu/docs/v3"),
    ("Google Cloud documentation, TPU v4:", "https://cloud.google.com/tpu/docs/v4"),
    ("Google Cloud documentation, TPU v5e:", "https://cloud.google.com/tpu/docs/v5e"),
    ("Google Cloud documentation, TPU v5p:", "https://cloud.google.com/tpu/docs/v5p"),
    ("Google Cloud documentation, TPU v6e:", "https://cloud.google.com/tpu/docs/v6e"),
    ("JAX scaling book", "https://jax-ml.github.io/scaling-book"),
    ("Austin et al., How to Scale Your Model", "https://jax-ml.github.io/scaling-book"),
    ("AI-Hypercomputer accelerator-microbenchmarks", "https://github.com/AI-Hypercomputer/accelerator-microbenchmarks"),
    ("MaxText", "https://github.com/AI-Hypercomputer/maxtext"),
    ("SkyPilot catalog", "https://github.com/skypilot-org/skypilot-catalog"),
    ("NVIDIA aiconfigurator", "https://github.com/ai-dynamo/aiconfigurator"),
    ("OpenXLA, XLA's table of measured matmuls", "https://github.com/openxla/xla"),
    ("Chowdhery et al., PaLM", "https://arxiv.org/abs/2204.02311"),
    ("Korthikanti et al.", "https://arxiv.org/abs/2205.05198"),
    ("Jouppi et al., In-Datacenter", "https://arxiv.org/abs/1704.04760"),
];

/// Returns the address of the document in a source: a paper on arXiv, a GitHub repository with its commit, or a
/// document of many values. `None` if the source names none of them.
#[must_use]
pub fn address(source: &str) -> Option<String> {
    stated(source).or_else(|| {
        let (_, address) = NAMED.iter().find(|(start, _)| source.starts_with(start))?;
        Some((*address).to_owned())
    })
}

/// Returns the address of the paper or of the repository that a source states.
fn stated(source: &str) -> Option<String> {
    if let Some((_, rest)) = source.split_once("arXiv ") {
        let id: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let id = id.trim_end_matches('.');
        return (id.len() >= 9).then(|| format!("https://arxiv.org/abs/{id}"));
    }
    let (_, rest) = source.split_once("github.com/")?;
    let is_of_name = |c: &char| c.is_ascii_alphanumeric() || "-_./".contains(*c);
    let name: String = rest.chars().take_while(is_of_name).collect();
    let after = rest.get(name.len()..)?;
    let name = name.trim_end_matches(['.', '/']);
    let commit = after.strip_prefix(" at ").unwrap_or_default();
    let commit: String = commit.chars().take_while(char::is_ascii_hexdigit).collect();
    let tree = if commit.len() >= 7 { format!("/tree/{commit}") } else { String::new() };
    name.contains('/').then(|| format!("https://github.com/{name}{tree}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_source_with_a_paper_or_a_repository_has_its_address() {
        for (source, expected) in [
            ("Korthikanti et al., 2022, arXiv 2205.05198: MFU", Some("https://arxiv.org/abs/2205.05198")),
            ("You et al., LAMB, 2020, arXiv 1904.00962.", Some("https://arxiv.org/abs/1904.00962")),
            (
                "MaxText; github.com/AI-Hypercomputer/maxtext, read 2026-11",
                Some("https://github.com/AI-Hypercomputer/maxtext"),
            ),
            (
                "recipes; github.com/AI-Hypercomputer/tpu-recipes at c8cfe2f",
                Some("https://github.com/AI-Hypercomputer/tpu-recipes/tree/c8cfe2f"),
            ),
            ("Google Cloud documentation, TPU v5e: units, peak, memory", Some("https://cloud.google.com/tpu/docs/v5e")),
            ("MaxText, a published training log", Some("https://github.com/AI-Hypercomputer/maxtext")),
            ("github.com/one", None),
            ("arXiv someday", None),
            ("Google Cloud documentation", None),
        ] {
            assert_eq!(address(source).as_deref(), expected, "{source}");
        }
    }
}
