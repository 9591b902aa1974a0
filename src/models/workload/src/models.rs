//! Table of models by name, each with the source of its dimensions.

mod layers;

use self::layers::{DIT_XL_2, RESNET50, SD15, SDXL};
use crate::note::Note;
use crate::pass::{PassKind, PassSpec};
use crate::product::{Kind, Product};
use crate::transformer::{self, Feed, Head, Heads, Latent, Layers, Mixer, Reach, Transformer};
use crate::workload::Workload;

/// Date when the table was last checked.
pub const AS_OF: &str = "2026-11-30";

/// A model of the table [`MODELS`].
#[derive(Debug)]
pub struct Model {
    /// Stable identifier: `llama3-8b`.
    pub id: &'static str,
    /// Name on screen.
    pub title: &'static str,
    /// Number of weights. `None` if the dimensions are not published.
    pub params: Option<u64>,
    /// Size of the model as published: `1.5B (1557.6M)`.
    pub published: &'static str,
    /// Source of the dimensions, followed by a remark if the dimensions were verified.
    pub source: &'static str,
    /// Assumption or derivation behind the dimensions.
    pub note: Option<&'static str>,
    shape: Shape,
}

/// Data from which the matmuls of a model are computed.
#[derive(Debug)]
enum Shape {
    Decoder(Dimensions),
    Encoder(Dimensions),
    Experts(&'static Experts),
    /// Layers for one image, which do not depend on the sequence length.
    Images(&'static [Line]),
    /// Matmuls for the published batch size.
    Batch(&'static [Line]),
    /// Model whose layer sizes are not published.
    Unpublished,
}

/// Dimensions of a transformer with identical layers.
#[derive(Clone, Copy, Debug)]
struct Dimensions {
    layers: u64,
    hidden: u64,
    heads: u64,
    kv_heads: u64,
    head_dim: u64,
    inner: u64,
    vocab: u64,
    gated: bool,
    /// True if the output head uses the weights of the embedding table.
    is_tied: bool,
}

/// Dimensions of a decoder with experts.
#[derive(Debug)]
struct Experts {
    hidden: u64,
    vocab: u64,
    mixer: Mixer,
    /// First layers, without experts: their number and inner width.
    dense: Option<(u64, u64)>,
    /// Number of layers with experts.
    layers: u64,
    feed: Feed,
}

/// A matmul of a layer list: sizes M, K and N, copies for each image, and runs in a pass. An attention matmul has one
/// copy for each head.
#[derive(Debug)]
struct Line {
    name: &'static str,
    kind: Kind,
    sizes: [u32; 3],
    copies: u32,
    count: u32,
}

/// Reason why a model of the table has no list of matmuls for a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The layer sizes of the model are not published.
    Unpublished,
    /// The model processes images, so it has no decode pass.
    NoDecode,
    /// The model is published only with a fixed batch size.
    FixedBatch {
        /// Published batch size.
        batch: u64,
    },
    /// Refusal that is not specific to a model of the table.
    Transformer(transformer::Refusal),
}

impl From<transformer::Refusal> for Refusal {
    fn from(refusal: transformer::Refusal) -> Self {
        Self::Transformer(refusal)
    }
}

impl Model {
    /// Returns the model with this id.
    pub fn by_id(id: &str) -> Option<&'static Self> {
        MODELS.iter().find(|model| model.id == id)
    }

    /// Returns the dimensions of the model. `None` if the model is not a transformer.
    pub fn transformer(&self) -> Option<Transformer> {
        match &self.shape {
            Shape::Decoder(dimensions) => Some(dimensions.transformer(self.title, true)),
            Shape::Encoder(dimensions) => Some(dimensions.transformer(self.title, false)),
            Shape::Experts(experts) => Some(experts.transformer(self.title)),
            Shape::Images(_) | Shape::Batch(_) | Shape::Unpublished => None,
        }
    }

    /// True if the layer sizes are published.
    pub const fn is_published(&self) -> bool {
        !matches!(self.shape, Shape::Unpublished)
    }

    /// True if the model's inputs are sequences of tokens. Inputs of other models are images or rows.
    pub fn has_sequences(&self) -> bool {
        matches!(self.shape, Shape::Decoder(_) | Shape::Encoder(_) | Shape::Experts(_))
    }

    /// Published batch size, if the model supports no other batch size.
    pub fn batch(&self) -> Option<u64> {
        match &self.shape {
            Shape::Batch(lines) => lines.first().and_then(|line| line.sizes.first()).map(|&batch| batch.into()),
            Shape::Decoder(_) | Shape::Encoder(_) | Shape::Experts(_) | Shape::Images(_) | Shape::Unpublished => None,
        }
    }

    /// Returns the matmuls of a pass. A model for images has a fixed image size and ignores the sequence length.
    ///
    /// # Errors
    /// [`Refusal`] if the model has no such pass, if its layer sizes are not published, or if sizes are 0 or too large.
    pub fn workload(&self, spec: &PassSpec) -> Result<Workload, Refusal> {
        self.variant_workload(spec, |transformer| transformer)
    }

    /// Returns the matmuls of a pass of a variant of the model, such as [`Transformer::packed`]. `variant` changes the
    /// dimensions of a transformer. Other models have no variants.
    ///
    /// # Errors
    /// As [`Self::workload`].
    pub fn variant_workload(
        &self,
        spec: &PassSpec,
        variant: impl FnOnce(Transformer) -> Transformer,
    ) -> Result<Workload, Refusal> {
        if let Some(transformer) = self.transformer() {
            return self.noted(variant(transformer).workload(spec)?);
        }
        if spec.batch == 0 {
            return Err(transformer::Refusal::Zero(transformer::Size::Batch).into());
        }
        if spec.pass.kind() == PassKind::Decode {
            return Err(Refusal::NoDecode);
        }
        let (lines, batch) = match &self.shape {
            Shape::Images(lines) => (*lines, spec.batch),
            Shape::Batch(lines) if self.batch() == Some(spec.batch) => (*lines, 1),
            Shape::Batch(_) => return Err(Refusal::FixedBatch { batch: self.batch().unwrap_or(0) }),
            Shape::Decoder(_) | Shape::Encoder(_) | Shape::Experts(_) | Shape::Unpublished => {
                return Err(Refusal::Unpublished);
            }
        };
        let products = lines.iter().map(|line| line.product(batch)).collect::<Option<Vec<_>>>();
        let products = products.ok_or(transformer::Refusal::TooLarge)?;
        let mut work = Workload { name: self.title.into(), products, ..Workload::default() };
        spec.add_backward(&mut work);
        self.noted(work)
    }

    /// Adds the table's note about the model to the workload.
    fn noted(&self, mut work: Workload) -> Result<Workload, Refusal> {
        work.notes.extend(self.note.map(Note::OfModel));
        Ok(work)
    }
}

impl Line {
    /// Returns the matmul for a batch. For a matmul with weights, the batch size multiplies M. For an attention matmul,
    /// the batch size multiplies the count.
    fn product(&self, batch: u64) -> Option<Product> {
        let [m, k, n] = self.sizes.map(u64::from);
        let (rows, copies) = match self.kind {
            Kind::Scores | Kind::Values | Kind::Activations => (m, batch.checked_mul(self.copies.into())?),
            Kind::Weights | Kind::Expert | Kind::Convolution | Kind::Head | Kind::Plain => (m.checked_mul(batch)?, 1),
        };
        Product::new(self.name, self.kind, [rows, k, n], copies.checked_mul(self.count.into())?).ok()
    }
}

impl Dimensions {
    fn transformer(&self, title: &str, causal: bool) -> Transformer {
        let &Self { layers, hidden, heads, kv_heads, head_dim, inner, vocab, gated, is_tied } = self;
        let feed = if gated { Feed::Gated { inner, fused: false } } else { Feed::Plain { inner } };
        let mixer = Mixer::Heads(Heads { heads, kv_heads, head_dim, fused: false });
        Transformer {
            name: title.into(),
            hidden,
            vocab,
            head: if causal { Head::Linear } else { Head::Pretraining },
            is_tied,
            causal,
            layers: vec![alike("", layers, mixer, feed)],
            left_out: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl Experts {
    fn transformer(&self, title: &str) -> Transformer {
        let &Self { hidden, vocab, ref mixer, dense, layers, feed } = self;
        let first = |(count, inner)| alike("dense.", count, mixer.clone(), Feed::Gated { inner, fused: false });
        let rest = alike(if dense.is_some() { "sparse." } else { "" }, layers, mixer.clone(), feed);
        Transformer {
            name: title.into(),
            hidden,
            vocab,
            head: Head::Linear,
            is_tied: false,
            causal: true,
            layers: dense.map(first).into_iter().chain([rest]).collect(),
            left_out: Vec::new(),
            notes: Vec::new(),
        }
    }
}

/// Identical layers in which a token attends to all tokens.
fn alike(prefix: &str, count: u64, mixer: Mixer, feed: Feed) -> Layers {
    Layers { prefix: prefix.into(), count, mixer, feed, linears: Vec::new(), reach: Reach::All }
}

const fn dense([layers, hidden, heads, kv_heads, head_dim, inner, vocab]: [u64; 7], gated: bool) -> Dimensions {
    Dimensions { layers, hidden, heads, kv_heads, head_dim, inner, vocab, gated, is_tied: false }
}

/// Dimensions of a model whose output head uses the weights of its embedding table.
const fn tied(dimensions: Dimensions) -> Dimensions {
    Dimensions { is_tied: true, ..dimensions }
}

const fn model(id: &'static str, title: &'static str, published: &'static str, shape: Shape) -> Model {
    Model { id, title, params: None, published, source: "", note: None, shape }
}

const MAXTEXT: &str = "MaxText configs/models @e591f30c (2026-08-22), verified";
const MAXTEXT_2026: &str = "MaxText configs/models, read 2026-11-30, verified";
const ISCA17: &str = "Jouppi et al., ISCA 2017, table 1, verified";
const DIFFUSERS: &str = "traced from diffusers 0.30.3, FlaxUNet2DConditionModel, 2026-11-21";
const SQUARE: &str = "The layer sizes are not published: square layers are inferred from the numbers of weights and layers in the table.";

const MLP0: [Line; 1] = [Line { name: "fc", kind: Kind::Weights, sizes: [200, 2000, 2000], copies: 1, count: 5 }];
const MLP1: [Line; 1] = [Line { name: "fc", kind: Kind::Weights, sizes: [168, 1118, 1118], copies: 1, count: 4 }];

static QWEN3_235B: Experts = Experts {
    hidden: 4096,
    vocab: 151_936,
    mixer: Mixer::Heads(Heads { heads: 64, kv_heads: 4, head_dim: 128, fused: false }),
    dense: None,
    layers: 94,
    feed: Feed::Experts { experts: 128, per_token: 8, inner: 1536, shared: None, shared_gate: false },
};
static DEEPSEEK_V3: Experts = Experts {
    hidden: 7168,
    vocab: 129_280,
    mixer: Mixer::Latent(Latent {
        heads: 128,
        q_rank: Some(1536),
        kv_rank: 512,
        nope_dim: 128,
        rope_dim: 64,
        v_dim: 128,
        expands: false,
    }),
    dense: Some((3, 18_432)),
    layers: 58,
    feed: Feed::Experts { experts: 256, per_token: 8, inner: 2048, shared: Some(2048), shared_gate: false },
};

/// All models of the table.
pub static MODELS: [Model; 24] = [
    Model {
        params: Some(336_226_108),
        source: "Devlin et al. 2018; verified only for the number of weights, recomputed with both heads",
        ..model(
            "bert-large",
            "BERT-Large",
            "340M",
            Shape::Encoder(tied(dense([24, 1024, 16, 16, 64, 4096, 30_522], false))),
        )
    },
    Model {
        params: Some(1_557_611_200),
        source: "model card of openai/gpt-2; verified only for the number of weights, which agrees with the published number",
        ..model(
            "gpt2-xl",
            "GPT-2 XL",
            "1.5B (1557.6M)",
            Shape::Decoder(tied(dense([48, 1600, 25, 25, 64, 6400, 50_257], false))),
        )
    },
    Model {
        params: Some(174_604_836_864),
        source: MAXTEXT,
        note: Some("MaxText pads the vocabulary to 50\u{202f}304; the paper has 50\u{202f}257."),
        ..model(
            "gpt3-175b",
            "GPT-3 175B",
            "174.6B (paper: 175B)",
            Shape::Decoder(tied(dense([96, 12_288, 96, 96, 128, 49_152, 50_304], false))),
        )
    },
    Model {
        params: Some(6_738_415_616),
        source: MAXTEXT,
        ..model(
            "llama2-7b",
            "LLaMA 2 7B",
            "6.74B",
            Shape::Decoder(dense([32, 4096, 32, 32, 128, 11_008, 32_000], true)),
        )
    },
    Model {
        params: Some(68_976_648_192),
        source: MAXTEXT,
        ..model(
            "llama2-70b",
            "LLaMA 2 70B",
            "68.98B",
            Shape::Decoder(dense([80, 8192, 64, 8, 128, 28_672, 32_000], true)),
        )
    },
    Model {
        params: Some(8_030_261_248),
        source: MAXTEXT,
        ..model(
            "llama3-8b",
            "LLaMA 3 8B",
            "8.03B",
            Shape::Decoder(dense([32, 4096, 32, 8, 128, 14_336, 128_256], true)),
        )
    },
    Model {
        params: Some(70_553_706_496),
        source: MAXTEXT,
        ..model(
            "llama3-70b",
            "LLaMA 3 70B",
            "70.55B",
            Shape::Decoder(dense([80, 8192, 64, 8, 128, 28_672, 128_256], true)),
        )
    },
    Model {
        params: Some(2_506_434_560),
        source: MAXTEXT,
        note: Some("MaxText pads the vocabulary to 256\u{202f}128; Hugging Face has 256\u{202f}000."),
        ..model(
            "gemma-2b",
            "Gemma 2B",
            "2.51B",
            Shape::Decoder(tied(dense([18, 2048, 8, 1, 256, 16_384, 256_128], true))),
        )
    },
    Model {
        params: Some(8_538_074_112),
        source: MAXTEXT,
        note: Some("MaxText pads the vocabulary to 256\u{202f}128; Hugging Face has 256\u{202f}000."),
        ..model(
            "gemma-7b",
            "Gemma 7B",
            "8.54B",
            Shape::Decoder(tied(dense([28, 3072, 16, 16, 256, 24_576, 256_128], true))),
        )
    },
    Model {
        params: Some(25_557_032),
        source: "He et al. 2015 with the stride in the 3×3 convolution (v1.5); verified only for the numbers of weights and MACs, which were recomputed",
        ..model("resnet50", "ResNet-50 v1.5", "25.56M, 4.09 GMAC at 224×224", Shape::Images(&RESNET50))
    },
    Model {
        source: ISCA17,
        note: Some(SQUARE),
        ..model("tpuv1-mlp0", "TPU v1 MLP0", "20M weights, 5 layers, batch 200", Shape::Batch(&MLP0))
    },
    Model {
        source: ISCA17,
        note: Some(SQUARE),
        ..model("tpuv1-mlp1", "TPU v1 MLP1", "5M weights, 4 layers, batch 168", Shape::Batch(&MLP1))
    },
    Model {
        source: ISCA17,
        ..model("tpuv1-lstm0", "TPU v1 LSTM0", "52M weights, 58 layers, batch 64", Shape::Unpublished)
    },
    Model {
        source: ISCA17,
        note: Some("Section 7 of the paper names one matrix: 600×600, with a batch of 96."),
        ..model("tpuv1-lstm1", "TPU v1 LSTM1", "34M weights, 56 layers, batch 96", Shape::Unpublished)
    },
    Model {
        source: ISCA17,
        note: Some("The paper reports 86.0 TOPS, but the paper's own counters give 78.2 % of 92 TOPS."),
        ..model("tpuv1-cnn0", "TPU v1 CNN0", "8M weights, 16 layers, batch 8", Shape::Unpublished)
    },
    Model {
        source: ISCA17,
        ..model("tpuv1-cnn1", "TPU v1 CNN1", "100M weights, 89 layers, batch 32", Shape::Unpublished)
    },
    Model {
        params: Some(673_191_936),
        source: "Peebles and Xie 2022; verified only for the number of MACs, which agrees with the Gflops in the paper",
        ..model("dit-xl-2", "DiT-XL/2 256×256", "675M, 118.6 GMAC an image", Shape::Images(&DIT_XL_2))
    },
    Model {
        params: Some(859_520_964),
        source: DIFFUSERS,
        ..model("sd15-unet", "Stable Diffusion 1.5 U-Net", "859.52M", Shape::Images(&SD15))
    },
    Model {
        params: Some(2_567_463_684),
        source: DIFFUSERS,
        note: Some(
            "AI-Hypercomputer/tpu-recipes prints the FLOPs of a step of SDXL: six times the MACs of this model.",
        ),
        ..model("sdxl-unet", "SDXL U-Net", "2567.46M", Shape::Images(&SDXL))
    },
    Model {
        params: Some(8_190_735_360),
        source: MAXTEXT_2026,
        ..model("qwen3-8b", "Qwen3 8B", "8.19B", Shape::Decoder(dense([36, 4096, 32, 8, 128, 12_288, 151_936], true)))
    },
    Model {
        params: Some(32_762_123_264),
        source: MAXTEXT_2026,
        ..model(
            "qwen3-32b",
            "Qwen3 32B",
            "32.76B",
            Shape::Decoder(dense([64, 5120, 64, 8, 128, 25_600, 151_936], true)),
        )
    },
    Model {
        params: Some(405_853_388_800),
        source: MAXTEXT_2026,
        ..model(
            "llama3-405b",
            "LLaMA 3.1 405B",
            "405.85B",
            Shape::Decoder(dense([126, 16_384, 128, 8, 128, 53_248, 128_256], true)),
        )
    },
    Model {
        params: Some(235_093_634_560),
        source: MAXTEXT_2026,
        ..model("qwen3-235b", "Qwen3 235B-A22B", "235.09B, 22B active", Shape::Experts(&QWEN3_235B))
    },
    Model {
        params: Some(671_026_419_200),
        source: MAXTEXT_2026,
        note: Some("Without the layer that predicts a second token."),
        ..model("deepseek-v3", "DeepSeek-V3", "671.03B, 37B active", Shape::Experts(&DEEPSEEK_V3))
    },
];
