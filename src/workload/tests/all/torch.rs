//! PyTorch counts the same FLOPs: `tests/golden/torch_flops.csv`, which `tests/oracle/torch_flops.py` writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::golden::golden;
use perfmodel::Attention;
use workload::transformer::{Mixer, Reach, Recurrent, Scan, Transformer};
use workload::{Kind, Logits, Pass, PassKind, PassSpec, Workload, huggingface};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The configuration that a row was counted with. An empty configuration has the library's defaults.
fn config(family: &str, which: &str, phase: &str) -> String {
    let folder = golden().join("configs");
    if family == "kimi_k2" {
        return config("deepseek_v3", which, phase).replace("deepseek_v3", family);
    }
    let text = match which {
        "small" => read(&folder.join(format!("{family}.json"))),
        "other" => read(&folder.join(format!("{family}.other.json"))),
        _ => format!(r#"{{"model_type": "{family}"}}"#),
    };
    // The phase `image` is that of a model without a head.
    if phase == "image" { text.replacen('{', r#"{"architectures": ["BareModel"], "#, 1) } else { text }
}

fn flops(work: &Workload, wanted: impl Fn(Kind) -> bool) -> u64 {
    let macs: u128 =
        work.products.iter().filter(|product| wanted(product.kind)).map(|product| product.executed_macs()).sum();
    u64::try_from(2 * macs).expect("golden models are small")
}

/// A row of the golden file.
struct Row {
    family: String,
    batch: u64,
    tokens: u64,
    keys: u64,
    decodes: bool,
}

/// Turns a model into the one that the library runs: eager attention computes masked products, too, and expands the keys
/// and values of latent attention in each step. Returns the FLOPs of products that the library runs in another form than
/// the model has.
fn as_pytorch_runs(model: &mut Transformer, row: &Row) -> u64 {
    let mut apart = 0;
    let (rows, hidden) = (row.batch * row.tokens, model.hidden);
    for layers in model.stacks.iter_mut().flat_map(|stack| &mut stack.layers) {
        layers.reach = match layers.reach {
            // The library keeps the last tokens of a chunk, whether they are of one chunk or two.
            Reach::Chunk(chunk) if row.decodes => Reach::Window(chunk),
            reach if row.decodes && row.family != "gpt_neo" => reach,
            _ => Reach::All,
        };
        for mixer in &mut layers.mixers {
            match mixer {
                Mixer::Heads(_) => {}
                Mixer::Latent(latent) => {
                    latent.expands = true;
                    if let Some(indexer) = &mut latent.indexer {
                        indexer.kept = u64::MAX;
                        // The library weighs the scores of the heads by a product.
                        apart += 2 * rows * indexer.heads * row.keys * layers.count;
                    }
                }
                Mixer::Recurrent(recurrent) => {
                    apart += library_scan(recurrent, row) * layers.count;
                    recurrent.scan = None;
                }
            }
        }
        if let Some(router) = layers.linears.iter().find(|linear| linear.name == "altup.predict_router") {
            // The mix of the streams.
            apart += 2 * rows * hidden * router.output * router.output * layers.count;
        }
    }
    apart
}

/// FLOPs of the product by which CLIP and SigLIP compare texts and images.
fn comparison(model: &Transformer, row: &Row) -> u64 {
    let shared = model.stacks[0].ends.last().map_or(0, |end| end.output);
    if matches!(row.family.as_str(), "clip" | "siglip") { 2 * row.batch * row.batch * shared } else { 0 }
}

/// FLOPs of a layer's recurrence in the library's PyTorch code, which pads each sequence to whole chunks.
fn library_scan(recurrent: &Recurrent, row: &Row) -> u64 {
    let (b, s) = (row.batch, row.tokens);
    let linear = |name: &str| recurrent.linears.iter().find(|linear| linear.name == name);
    let Some(Scan { heads: h, key_dim: k, value_dim: v, chunk: c, delta, .. }) = recurrent.scan else {
        // Mamba reads its state by a product for each token; a short convolution has no state.
        let Some((x, dt)) = linear("x_proj").zip(linear("dt_proj")) else { return 0 };
        return 2 * b * s * x.input * ((x.output - dt.input) / 2);
    };
    let n = s.div_ceil(c);
    match (row.family.as_str(), delta, row.decodes) {
        ("minimax", _, false) => {
            // Lightning attention does not pad.
            let block = |r: u64| r * k * r + r * r * v + 2 * r * k * v;
            2 * b * h * ((s / c) * block(c) + block(s % c))
        }
        ("minimax", _, true) => 2 * b * h * 2 * k * v,
        ("kimi_linear", _, false) => 2 * b * h * n * 3 * (c * c * k + c * k * k),
        (_, true, false) => 2 * b * h * n * (2 * c * c * k + 3 * c * k * v + c * c * v),
        (_, true, true) => 0,
        (_, false, false) => 2 * b * h * (n * (c * k * c + c * c * v + 2 * c * k * v) + (n + 1) * (n + 1) * k * v),
        (_, false, true) => 2 * b * h * k * v,
    }
}

#[test]
fn every_family_has_the_flops_that_pytorch_counts() {
    let mut seen = BTreeSet::new();
    let mut rows = 0;
    let mut wrong = Vec::new();
    for row in read(&golden().join("torch_flops.csv")).lines().skip(2) {
        let cells: Vec<&str> = row.split(',').collect();
        let [family, which, phase, batch, seq, context, total, plain, batched, convolved] = cells[..] else {
            panic!("{row}");
        };
        let number = |text: &str| text.parse::<u64>().expect("the golden file holds numbers");
        let sequence = number(seq);
        let pass = match phase {
            "prefill-last" => Pass::Prefill { sequence, logits: Logits::Last },
            "decode" => Pass::Decode { context: number(context) },
            _ => Pass::Prefill { sequence, logits: Logits::Every },
        };
        let decodes = pass.kind() == PassKind::Decode;
        let keys = if decodes { number(context) + 1 } else { sequence };
        let tokens = if decodes { 1 } else { sequence };
        let own = Row { family: family.into(), batch: number(batch), tokens, keys, decodes };
        let text = config(family, which, phase);
        let mut model = huggingface::transformer(&text).unwrap_or_else(|error| panic!("{family}: {error}"));
        let recurs = model.stacks.iter().flat_map(|stack| &stack.layers).flat_map(|layers| &layers.mixers);
        let recurs = recurs.into_iter().any(|mixer| matches!(mixer, Mixer::Recurrent(_)));
        let apart = as_pytorch_runs(&mut model, &own);
        let spec = PassSpec { pass, batch: own.batch, attention: Attention::Full };
        let work = model.workload(&spec).unwrap_or_else(|error| panic!("{family}: {error}"));
        let products = |kind| matches!(kind, Kind::Scores | Kind::Values | Kind::Activations | Kind::Expert);
        let found = [
            flops(&work, |kind| !products(kind) && kind != Kind::Convolution) + comparison(&model, &own),
            flops(&work, products) + apart,
            flops(&work, |kind| kind == Kind::Convolution),
        ];
        // Short convolutions of recurrent layers are not in the list.
        let convolved = if recurs { 0 } else { number(convolved) };
        if found != [number(plain), number(batched), convolved] {
            wrong.push(format!("{row}: {found:?}"));
        }
        if !recurs && apart + comparison(&model, &own) == 0 {
            assert_eq!(flops(&work, |_| true), number(total), "{row}");
        }
        seen.insert(family.to_owned());
        rows += 1;
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
    let known: BTreeSet<String> = huggingface::families().into_iter().map(String::from).collect();
    let missing: Vec<_> = known.difference(&seen).collect();
    // The library has no type for Kimi K2, whose class is that of DeepSeek-V3.
    assert_eq!(missing, ["kimi_k2"], "every other family that is known is held against PyTorch");
    assert!(rows >= 450, "{rows}");
}

#[test]
fn a_recurrence_has_the_products_of_its_chunks() {
    // Whole chunks, so that the library pads nothing.
    for (family, tokens) in [("mamba2", 512), ("qwen3_next", 128)] {
        let model = huggingface::transformer(&config(family, "default", "prefill")).expect("defaults");
        let row = Row { family: family.into(), batch: 1, tokens, keys: tokens, decodes: false };
        let mixers = model.stacks.iter().flat_map(|stack| &stack.layers).flat_map(|layers| &layers.mixers);
        let recurrent = mixers.into_iter().find_map(|mixer| match mixer {
            Mixer::Recurrent(recurrent) => Some(recurrent.clone()),
            _ => None,
        });
        let recurrent = recurrent.expect("a recurrence");
        let scan = recurrent.scan.expect("of products");
        let library = library_scan(&recurrent, &row);
        let mut one = model.clone();
        let layers = one.stacks[0].layers.iter().find(|layers| matches!(layers.mixers[..], [Mixer::Recurrent(_)]));
        one.stacks[0].layers = vec![workload::Layers { count: 1, ..layers.expect("one").clone() }];
        let spec = PassSpec {
            pass: Pass::Prefill { sequence: tokens, logits: Logits::Every },
            batch: 1,
            attention: Attention::Full,
        };
        let work = one.workload(&spec).expect("it has a prefill");
        let found = flops(&work, |kind| matches!(kind, Kind::Scores | Kind::Values));
        let (c, n) = (scan.chunk, tokens / scan.chunk);
        let expected = if scan.delta {
            // The library solves two triangular systems, which PyTorch does not count: c × c by keys and by values.
            library + 2 * scan.heads * n * c * c * (scan.key_dim + scan.value_dim)
        } else {
            // The library scores the shared keys again for each head, and adds up the states of all chunks at once.
            library
                - 2 * (scan.heads - scan.key_heads) * n * c * c * scan.key_dim
                - 2 * scan.heads * (n + 1) * (n + 1) * scan.key_dim * scan.value_dim
        };
        assert_eq!(found, expected, "{family}");
    }
}

#[test]
fn a_window_counts_the_pairs_of_tokens_inside() {
    let model = huggingface::transformer(&config("gpt_oss", "small", "prefill")).expect("a model");
    let window = model.stacks[0].layers.iter().find_map(|layers| match layers.reach {
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
        // Pairs one by one: a token attends to itself and to the tokens before it, up to the window.
        let pairs: u64 = (0..sequence).map(|at| (at + 1).min(window)).sum();
        // Half of a square of w tokens is w² ÷ 2, which leaves out half of the diagonal.
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
            huggingface::transformer(&config(family, "small", "")).unwrap_or_else(|error| panic!("{family}: {error}"));
        for mixer in model.stacks.iter_mut().flat_map(|stack| &mut stack.layers).flat_map(|layers| &mut layers.mixers) {
            if let Mixer::Latent(latent) = mixer {
                latent.expands = true;
                // In decode, the heads of an indexer are rows of one matmul. In prefill, each head has its own matmul.
                latent.indexer = None;
            }
        }
        let work = |pass| model.workload(&PassSpec { pass, batch: 3, attention: Attention::Full });
        let prefill = work(Pass::Prefill { sequence: 1, logits: Logits::Every }).expect("it has one");
        match work(Pass::Decode { context: 0 }) {
            Ok(decode) if model.stacks.len() == 1 => assert_eq!(decode.products, prefill.products, "{family}"),
            Ok(decode) => assert!(decode.flops() < prefill.flops(), "{family}: its encoder has run"),
            Err(error) => assert!(error.to_string().contains("encoder"), "{family}: {error}"),
        }
    }
}
