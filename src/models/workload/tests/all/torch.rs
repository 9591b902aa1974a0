//! Compares FLOPs with PyTorch's count: `tests/golden/torch_flops.csv`, which `tests/oracle/torch_flops.py` writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::golden::golden;
use perfmodel::Attention;
use workload::transformer::{Mixer, Reach, Recurrent, Transformer};
use workload::{Kind, Logits, Pass, PassKind, PassSpec, Workload, huggingface};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Configuration that a row was counted with. An empty configuration has the library's defaults.
fn config(family: &str, which: &str) -> String {
    let folder = golden().join("configs");
    if family == "kimi_k2" {
        return config("deepseek_v3", which).replace("deepseek_v3", family);
    }
    match which {
        "small" => read(&folder.join(format!("{family}.json"))),
        "other" => read(&folder.join(format!("{family}.other.json"))),
        _ => format!(r#"{{"model_type": "{family}"}}"#),
    }
}

fn flops(work: &Workload, wanted: impl Fn(Kind) -> bool) -> u64 {
    let macs: u128 =
        work.products.iter().filter(|product| wanted(product.kind)).map(|product| product.executed_macs()).sum();
    u64::try_from(2 * macs).expect("golden models are small")
}

/// A row of the golden file.
struct Row {
    batch: u64,
    tokens: u64,
    decodes: bool,
}

/// Changes a model to the one that the library runs. Eager attention also computes masked products, and expands the
/// keys and values of latent attention in each step. Removes the products that the library runs in another form, and
/// returns their FLOPs in the library's form.
fn as_pytorch_runs(model: &mut Transformer, row: &Row) -> u64 {
    let mut apart = 0;
    for layers in &mut model.layers {
        layers.reach = match layers.reach {
            // The library keeps the last tokens, as many as a chunk has, even if they belong to two chunks.
            Reach::Chunk(chunk) if row.decodes => Reach::Window(chunk),
            reach if row.decodes => reach,
            _ => Reach::All,
        };
        match &mut layers.mixer {
            Mixer::Heads(_) => {}
            Mixer::Latent(latent) => latent.expands = true,
            Mixer::Recurrent(recurrent) => {
                apart += library_scan(recurrent, row) * layers.count;
                recurrent.scan = None;
            }
        }
    }
    apart
}

/// FLOPs of a layer's recurrence in the library's PyTorch code, which pads each sequence to whole chunks.
fn library_scan(recurrent: &Recurrent, row: &Row) -> u64 {
    let Some(scan) = recurrent.scan.filter(|_| !row.decodes) else { return 0 };
    let (h, k, v, c) = (scan.heads, scan.key_dim, scan.value_dim, scan.chunk);
    2 * row.batch * h * row.tokens.div_ceil(c) * (2 * c * c * k + 3 * c * k * v + c * c * v)
}

#[test]
fn every_family_has_the_flops_that_pytorch_counts() {
    let known: BTreeSet<String> = huggingface::families().into_iter().map(String::from).collect();
    let mut seen = BTreeSet::new();
    let mut rows = 0;
    let mut wrong = Vec::new();
    for row in read(&golden().join("torch_flops.csv")).lines().skip(2) {
        let cells: Vec<&str> = row.split(',').collect();
        let [family, which, phase, batch, seq, context, total, plain, batched, convolved] = cells[..] else {
            panic!("{row}");
        };
        // The golden file has rows of all families. Rows of the families that are skipped here are for the comparison
        // with the tracer.
        if !known.contains(family) {
            continue;
        }
        let number = |text: &str| text.parse::<u64>().expect("the golden file holds numbers");
        let sequence = number(seq);
        let pass = match phase {
            "prefill-last" => Pass::Prefill { sequence, logits: Logits::Last },
            "decode" => Pass::Decode { context: number(context) },
            _ => Pass::Prefill { sequence, logits: Logits::Every },
        };
        let decodes = pass.kind() == PassKind::Decode;
        let tokens = if decodes { 1 } else { sequence };
        let own = Row { batch: number(batch), tokens, decodes };
        let text = config(family, which);
        let mut model = huggingface::transformer(&text).unwrap_or_else(|error| panic!("{family}: {error}"));
        let recurs = model.layers.iter().any(|layers| matches!(layers.mixer, Mixer::Recurrent(_)));
        let apart = as_pytorch_runs(&mut model, &own);
        let spec = PassSpec { pass, batch: own.batch, attention: Attention::Full };
        let work = model.workload(&spec).unwrap_or_else(|error| panic!("{family}: {error}"));
        let products = |kind| matches!(kind, Kind::Scores | Kind::Values | Kind::Activations | Kind::Expert);
        let found = [
            flops(&work, |kind| !products(kind) && kind != Kind::Convolution),
            flops(&work, products) + apart,
            flops(&work, |kind| kind == Kind::Convolution),
        ];
        // Short convolutions of recurrent layers are not in the list.
        let convolved = if recurs { 0 } else { number(convolved) };
        if found != [number(plain), number(batched), convolved] {
            wrong.push(format!("{row}: {found:?}"));
        }
        if !recurs && apart == 0 {
            assert_eq!(flops(&work, |_| true), number(total), "{row}");
        }
        seen.insert(family.to_owned());
        rows += 1;
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
    let missing: Vec<_> = known.difference(&seen).collect();
    // The library has no type for Kimi K2, whose class is that of DeepSeek-V3.
    assert_eq!(missing, ["kimi_k2"], "every other family that is known is held against PyTorch");
    assert!(rows >= 125, "{rows}");
}

#[test]
fn a_recurrence_has_the_products_of_its_chunks() {
    // The sequence has whole chunks, so that the library pads nothing.
    let tokens = 128;
    let model = huggingface::transformer(&config("qwen3_next", "default")).expect("defaults");
    let row = Row { batch: 1, tokens, decodes: false };
    let recurrent = |layers: &workload::Layers| match &layers.mixer {
        Mixer::Recurrent(recurrent) => Some(recurrent.clone()),
        _ => None,
    };
    let layers = model.layers.iter().find(|layers| recurrent(layers).is_some()).expect("a recurrence");
    let (recurrent, mut one) = (recurrent(layers).expect("a recurrence"), model.clone());
    one.layers = vec![workload::Layers { count: 1, ..layers.clone() }];
    let pass = Pass::Prefill { sequence: tokens, logits: Logits::Every };
    let work = one.workload(&PassSpec { pass, batch: 1, attention: Attention::Full }).expect("it has a prefill");
    let found = flops(&work, |kind| matches!(kind, Kind::Scores | Kind::Values));
    let scan = recurrent.scan.expect("of products");
    let (c, n) = (scan.chunk, tokens / scan.chunk);
    // The library solves two triangular systems, which PyTorch does not count. They are c × c by keys and c × c by
    // values.
    let solved = 2 * scan.heads * n * c * c * (scan.key_dim + scan.value_dim);
    assert_eq!(found, library_scan(&recurrent, &row) + solved);
}

#[test]
fn a_window_counts_the_pairs_of_tokens_inside() {
    let model = huggingface::transformer(&config("gpt_oss", "small")).expect("a model");
    let window = model.layers.iter().find_map(|layers| match layers.reach {
        Reach::Window(window) => Some(window),
        _ => None,
    });
    let window = window.expect("half of the layers have a window");
    for sequence in [3, 8, 9, 40] {
        let pass = Pass::Prefill { sequence, logits: Logits::Every };
        let work = |attention| model.workload(&PassSpec { pass, batch: 1, attention }).expect("a prefill");
        let of = |work: &Workload| {
            let scores = work.products.iter().filter(|product| product.name == "sliding.scores");
            let product = scores.clone().next().expect("a layer with a window");
            let each = 2.0 * product.sizes.k as f64 * product.count as f64;
            scores.map(|product| product.flops()).sum::<f64>() / each
        };
        // This counts the pairs one by one. A token attends to itself and to the tokens before it, up to the window.
        let pairs: u64 = (0..sequence).map(|at| (at + 1).min(window)).sum();
        // Half of a square of w tokens is w² ÷ 2, which omits half of the diagonal.
        let diagonal = sequence.min(window) as f64 / 2.0;
        assert!((of(&work(Attention::Causal)) - (pairs as f64 - diagonal)).abs() < 1e-9, "{sequence}");
        let full = (sequence * sequence.min(window)) as f64;
        assert!((of(&work(Attention::Full)) - full).abs() < 1e-9, "{sequence}");
    }
}

#[test]
fn a_cache_of_no_tokens_is_a_prefill_of_one() {
    for family in huggingface::families() {
        let mut model =
            huggingface::transformer(&config(family, "small")).unwrap_or_else(|error| panic!("{family}: {error}"));
        for layers in &mut model.layers {
            if let Mixer::Latent(latent) = &mut layers.mixer {
                latent.expands = true;
            }
        }
        let work = |pass| model.workload(&PassSpec { pass, batch: 3, attention: Attention::Full });
        let prefill = work(Pass::Prefill { sequence: 1, logits: Logits::Every }).expect("it has one");
        match work(Pass::Decode { context: 0 }) {
            Ok(decode) => assert_eq!(decode.products, prefill.products, "{family}"),
            Err(error) => assert!(error.to_string().contains("encoder"), "{family}: {error}"),
        }
    }
}
