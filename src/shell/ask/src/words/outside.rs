//! Names of hardware and of software that the project does not model.

/// Names, one per line. A line `hardware` or `software` has the name, then the forms that a person writes. A line
/// `card` has its name, its key, TFLOPS, GB/s, and `sparse` if the peak with 2:4 sparsity is twice the dense one.
// Sources of the cards, most of them read as others quote them, 2026-11:
// - H100 PCIe: NVIDIA H100 data sheet and Hopper white paper, 2022 (1513 TFLOPS with sparsity, 2000 GB/s)
// - H100 NVL: NVIDIA's page of the H100 (1671 TFLOPS with sparsity, 3.9 TB/s)
// - H20: press reports. NVIDIA's global site has no data sheet, and no report has a sparse peak in 16 bits
// - GH200: NVIDIA's page of Grace Hopper (HBM3 of 96 GB at 4 TB/s, the peak of an H100 SXM)
// - Quadro RTX 8000: Turing white paper, 2018, with the rates of the Quadro RTX 6000
// - RTX 2080 Ti: Turing white paper, 2018 (113.8 TFLOPS with sums in f16, half in f32). Reviews of 2018-09 (616 GB/s)
// - RTX 3090, RTX 3080 and A40: GA102 white paper V1 and V2.0, 2020
// - RTX 4080 and L40: Ada white paper v2.1. RTX 6000 Ada: Ada ProViz white paper 1.1
// - A10: NVIDIA A10 data sheet. A10G: NVIDIA and AWS A10G data sheet, 2022-02-17
// - A30: 165 TFLOPS in peak tables of training programs. 933 GB/s: 3072 bits, DDR at 1215 MHz, as its driver reports
// - P100: NVIDIA's announcement of 2016-04 (21.2 TFLOPS in f16) and Microway (732 GB/s)
// - Apple: press releases of 2021-10-18 (M1 Max) and 2023-06-05 (M2 Ultra), reports of 2024-10-30 (M3 Max, M4 Max)
pub(crate) const NAMES: &str = include_str!("../../outside.txt");

/// If a text names something that the page does not model, returns a sentence about it, and true if it is hardware.
pub(crate) fn says(text: &str) -> Option<(String, bool)> {
    let words = |text: &str| text.to_lowercase().replace(|sign: char| !sign.is_alphanumeric(), " ");
    let text = format!(" {} ", words(text).split_whitespace().collect::<Vec<_>>().join(" "));
    let has = |name: &str| text.contains(&format!(" {} ", words(name)));
    NAMES.lines().find_map(|line| {
        let (kind, names) = line.split_once('\t').filter(|(_, names)| names.split(',').any(has))?;
        let is_hardware = kind == "hardware";
        let verb = if is_hardware { "model" } else { "explain" };
        Some((format!("This page does not {verb} {}.", names.split(',').next()?), is_hardware))
    })
}

/// Title of an answer on what the page does not model.
pub(crate) const TITLE: &str = "Outside of what this page models";

/// Rest of the answer: other places to look, and the nearest topics of this page.
pub(crate) const NEAREST: &str =
    " Look in its own documentation. Nearest here: a run of an array with its sizes, or the answers below.";
