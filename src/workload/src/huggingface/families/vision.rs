//! Models for images: vision transformers, the two towers of CLIP and SigLIP, and diffusion transformers.

use super::decoders::LLAMA;
use super::vocab;
use crate::huggingface::config::Config;
use crate::huggingface::layers::{Layer, grouped};
use crate::huggingface::rules::{Build, Family};
use crate::huggingface::{Allowed, FoundValue, Refusal};
use crate::product::Kind;
use crate::transformer::{End, Feed, Head, Heads, Mixer, Rows, Stack, Transformer};

type Built = Result<Transformer, Refusal>;

/// Defaults of an encoder.
struct Defaults {
    hidden: u64,
    inner: u64,
    layers: u64,
    heads: u64,
    patch: u64,
}

const BASE: Defaults = Defaults { hidden: 768, inner: 3072, layers: 12, heads: 12, patch: 16 };
const CLIP_VISION: Defaults = Defaults { patch: 32, ..BASE };
const CLIP_TEXT: Defaults = Defaults { hidden: 512, inner: 2048, heads: 8, ..BASE };

fn end(name: &'static str, rows: Rows, input: u64, output: u64) -> End {
    End { name, kind: Kind::Weights, rows, input, output, count: 1 }
}

/// An encoder, and its width.
struct Tower {
    stack: Stack,
    hidden: u64,
    vocab: u64,
}

impl Config<'_> {
    fn layers_of(&mut self, missing: &Defaults, inner: Option<Feed>) -> Result<(Stack, u64), Refusal> {
        let hidden = self.count(&["hidden_size"], missing.hidden)?;
        let heads = self.count(&["num_attention_heads"], missing.heads)?;
        let layers = self.count(&["num_hidden_layers"], missing.layers)?;
        let feed = match inner {
            Some(feed) => feed,
            None => Feed::Plain { inner: self.count(&["intermediate_size"], missing.inner)? },
        };
        if !hidden.is_multiple_of(heads) {
            let (key, given) = ("hidden_size".into(), FoundValue::ForHeads { value: hidden, heads });
            return Err(Refusal::BadValue { key, given, allowed: Allowed::MultipleOfHeads });
        }
        let heads = Heads {
            heads,
            kv_heads: heads,
            head_dim: hidden / heads,
            fused: false,
            shares_kv: false,
            keys_are_values: false,
        };
        let layer = Layer::of(Mixer::Heads(heads), feed);
        let stack = Stack::of(false, grouped((0..layers).map(|_| layer.clone())));
        Ok((Stack { hidden: Some(hidden), ..stack }, hidden))
    }

    /// Reads an encoder of the patches of an image, with `extra` positions for class tokens.
    fn image_tower(&mut self, missing: &Defaults, feed: Option<Feed>, extra: u64) -> Result<Tower, Refusal> {
        let (mut stack, hidden) = self.layers_of(missing, feed)?;
        let image = self.count(&["image_size"], 224)?;
        let patch = self.count(&["patch_size"], missing.patch)?;
        let channels = self.count(&["num_channels"], 3)?;
        let patches = (image / patch).saturating_mul(image / patch);
        if patches == 0 {
            let (key, given) = ("patch_size".into(), FoundValue::Value(patch.to_string()));
            return Err(Refusal::BadValue { key, given, allowed: Allowed::UpTo(image) });
        }
        let input = channels.saturating_mul(patch).saturating_mul(patch);
        let embedding = end("patch_embedding", Rows::Fixed(patches), input, hidden);
        stack.ends = vec![End { kind: Kind::Convolution, ..embedding }];
        stack.positions = Some(patches.saturating_add(extra));
        Ok(Tower { stack, hidden, vocab: 0 })
    }

    fn text_tower(&mut self, missing: &Defaults, vocab: u64) -> Result<Tower, Refusal> {
        let (stack, hidden) = self.layers_of(missing, None)?;
        let vocab = self.count(&["vocab_size"], vocab)?;
        Ok(Tower { stack, hidden, vocab })
    }

    /// Returns the head of an image classifier, which reads `width` values, or the pooler of a bare model.
    fn image_head(&self, width: u64, pooler: Option<u64>) -> Option<End> {
        if self.is_bare() {
            return pooler.map(|hidden| end("pooler", Rows::Fixed(1), hidden, hidden));
        }
        // Without names, the library makes two classes.
        Some(end("classifier", Rows::Fixed(1), width, self.entries("id2label").unwrap_or(2)))
    }
}

fn built(head: Head, towers: Vec<Tower>) -> Transformer {
    let hidden = towers.first().map_or(0, |tower| tower.hidden);
    let vocab = towers.iter().map(|tower| tower.vocab).max().unwrap_or(0);
    let stacks = towers.into_iter().map(|tower| tower.stack).collect();
    let (name, left_out, notes) = (String::new(), Vec::new(), Vec::new());
    Transformer { name, hidden, embedding: None, vocab, head, is_tied: false, stacks, left_out, notes }
}

fn vit(config: &mut Config<'_>) -> Built {
    let mut tower = config.image_tower(&BASE, None, 1)?;
    tower.stack.ends.extend(config.image_head(tower.hidden, Some(tower.hidden)));
    Ok(built(Head::None, vec![tower]))
}

/// A ViT with a second class token, which a teacher trains.
fn deit(config: &mut Config<'_>) -> Built {
    let mut tower = config.image_tower(&BASE, None, 2)?;
    tower.stack.ends.extend(config.image_head(tower.hidden, Some(tower.hidden)));
    Ok(built(Head::None, vec![tower]))
}

/// A ViT without a pooler.
fn beit(config: &mut Config<'_>) -> Built {
    let mut tower = config.image_tower(&BASE, None, 1)?;
    tower.stack.ends.extend(config.image_head(tower.hidden, None));
    Ok(built(Head::None, vec![tower]))
}

fn dinov2(config: &mut Config<'_>) -> Built {
    let hidden = config.count(&["hidden_size"], 768)?;
    let inner = hidden.saturating_mul(config.count(&["mlp_ratio"], 4)?);
    let feed = if config.flag("use_swiglu_ffn", false)? {
        // As in the library: two thirds, rounded up to a multiple of 8.
        Feed::Gated { inner: (inner.saturating_mul(2) / 3).div_ceil(8).saturating_mul(8), fused: true }
    } else {
        Feed::Plain { inner }
    };
    let mut tower = config.image_tower(&Defaults { patch: 14, ..BASE }, Some(feed), 1)?;
    // The classifier reads the class token and the mean of the patches.
    tower.stack.ends.extend(config.image_head(hidden.saturating_mul(2), None));
    Ok(built(Head::None, vec![tower]))
}

/// The image tower of SigLIP, whose head is a probe that attends to all patches.
fn siglip_image(config: &mut Config<'_>) -> Result<Tower, Refusal> {
    let mut tower = config.image_tower(&BASE, None, 0)?;
    if config.flag("vision_use_head", true)? {
        let (hidden, inner) = (tower.hidden, config.count(&["intermediate_size"], BASE.inner)?);
        let heads = config.count(&["num_attention_heads"], BASE.heads)?;
        let positions = tower.stack.positions.unwrap_or(0);
        let head_dim = hidden / heads.max(1);
        let probe = |name, input, output| End {
            kind: Kind::Activations,
            count: heads,
            ..end(name, Rows::Fixed(1), input, output)
        };
        tower.stack.ends.extend([
            end("probe.q_proj", Rows::Fixed(1), hidden, hidden),
            end("probe.kv_proj", Rows::Positions, hidden, hidden.saturating_mul(2)),
            probe("probe.scores", head_dim, positions),
            probe("probe.values", positions, head_dim),
            end("probe.out_proj", Rows::Fixed(1), hidden, hidden),
            end("probe.fc1", Rows::Fixed(1), hidden, inner),
            end("probe.fc2", Rows::Fixed(1), inner, hidden),
        ]);
    }
    Ok(tower)
}

fn siglip_text(config: &mut Config<'_>) -> Result<Tower, Refusal> {
    let mut tower = config.text_tower(&BASE, 32_000)?;
    let projected = config.optional("projection_size", None)?.unwrap_or(tower.hidden);
    tower.stack.ends.push(end("head", Rows::Fixed(1), tower.hidden, projected));
    Ok(tower)
}

/// The texts of a batch and its images, encoded side by side.
fn towers(mut text: Tower, mut image: Tower) -> Transformer {
    text.stack.prefix = "text.";
    image.stack.prefix = "vision.";
    built(Head::None, vec![text, image])
}

fn siglip(config: &mut Config<'_>) -> Built {
    let text = config.inside("text_config", siglip_text)?;
    let image = config.inside("vision_config", siglip_image)?;
    Ok(towers(text, image))
}

fn clip(config: &mut Config<'_>) -> Built {
    let shared = config.count(&["projection_dim"], 512)?;
    let mut text = config.inside("text_config", |config| config.clip_text())?;
    let mut image = config.inside("vision_config", |config| config.image_tower(&CLIP_VISION, None, 1))?;
    text.stack.ends.push(end("projection", Rows::Fixed(1), text.hidden, shared));
    image.stack.ends.push(end("projection", Rows::Fixed(1), image.hidden, shared));
    Ok(towers(text, image))
}

impl Config<'_> {
    fn clip_text(&mut self) -> Result<Tower, Refusal> {
        let mut tower = self.text_tower(&CLIP_TEXT, 49_408)?;
        tower.stack.causal = true;
        Ok(tower)
    }
}

fn siglip_vision_model(config: &mut Config<'_>) -> Built {
    Ok(built(Head::None, vec![siglip_image(config)?]))
}
fn clip_vision_model(config: &mut Config<'_>) -> Built {
    Ok(built(Head::None, vec![config.image_tower(&CLIP_VISION, None, 1)?]))
}
fn clip_text_model(config: &mut Config<'_>) -> Built {
    Ok(built(Head::None, vec![config.clip_text()?]))
}

/// A diffusion transformer (DiT, arXiv:2212.09748) in the form of the diffusers library: each block embeds the time and
/// the class by itself.
fn dit(config: &mut Config<'_>) -> Built {
    let heads = config.count(&["num_attention_heads"], 16)?;
    let head_dim = config.count(&["attention_head_dim"], 72)?;
    let layers = config.count(&["num_layers"], 28)?;
    let (channels, size) = (config.count(&["in_channels"], 4)?, config.count(&["sample_size"], 32)?);
    let out_channels = config.optional("out_channels", None)?.unwrap_or(channels);
    let patch = config.count(&["patch_size"], 2)?;
    let width = heads.saturating_mul(head_dim);
    let feed = Feed::Plain { inner: width.saturating_mul(4) };
    let heads = Heads { heads, kv_heads: heads, head_dim, fused: false, shares_kv: false, keys_are_values: false };
    let layer = Layer::of(Mixer::Heads(heads), feed);
    let side = size / patch;
    let area = patch.saturating_mul(patch);
    let each = |name, input, output| End { count: layers, ..end(name, Rows::Fixed(1), input, output) };
    let embedding = end("patch_embedding", Rows::Positions, channels.saturating_mul(area), width);
    let stack = Stack {
        positions: Some(side.saturating_mul(side)),
        ends: vec![
            End { kind: Kind::Convolution, ..embedding },
            each("time_embedding.1", 256, width),
            each("time_embedding.2", width, width),
            each("modulation", width, width.saturating_mul(6)),
            end("final_time_embedding.1", Rows::Fixed(1), 256, width),
            end("final_time_embedding.2", Rows::Fixed(1), width, width),
            end("final_modulation", Rows::Fixed(1), width, width.saturating_mul(2)),
            end("final_proj", Rows::Positions, width, out_channels.saturating_mul(area)),
        ],
        ..Stack::of(false, grouped((0..layers).map(|_| layer.clone())))
    };
    Ok(built(Head::None, vec![Tower { stack, hidden: width, vocab: 0 }]))
}

const fn own(model_type: &'static str, build: fn(&mut Config<'_>) -> Built) -> Family {
    Family { model_type, build: Build::Own(build), vocab: vocab(1), ..LLAMA }
}

static VIT: Family = own("vit", vit);
static DEIT: Family = own("deit", deit);
static BEIT: Family = own("beit", beit);
static DINOV2: Family = own("dinov2", dinov2);
static SIGLIP: Family = own("siglip", siglip);
static SIGLIP_VISION: Family = own("siglip_vision_model", siglip_vision_model);
static CLIP: Family = own("clip", clip);
static CLIP_VISION_MODEL: Family = own("clip_vision_model", clip_vision_model);
static CLIP_TEXT_MODEL: Family = own("clip_text_model", clip_text_model);
static DIT: Family = own("DiTTransformer2DModel", dit);

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 10] =
    [&VIT, &DEIT, &BEIT, &DINOV2, &SIGLIP, &SIGLIP_VISION, &CLIP, &CLIP_VISION_MODEL, &CLIP_TEXT_MODEL, &DIT];
