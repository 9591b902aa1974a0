//! Encoders with decoders whose widths have separate keys: BART and its successors, and Whisper.

use super::decoders::LLAMA;
use super::vocab;
use crate::huggingface::Refusal;
use crate::huggingface::config::{Basics, Config};
use crate::huggingface::layers::{Layer, attending, grouped};
use crate::huggingface::rules::{Build, Family};
use crate::product::Kind;
use crate::transformer::{End, Feed, Heads, Mixer, Rows, Stack, Transformer};

/// Defaults of BART's keys.
struct Defaults {
    width: u64,
    encoder_layers: u64,
    decoder_layers: u64,
    heads: u64,
    inner: u64,
}

const BART_DEFAULTS: Defaults =
    Defaults { width: 1024, encoder_layers: 12, decoder_layers: 12, heads: 16, inner: 4096 };

impl Config<'_> {
    fn pair(&mut self, missing: &Defaults) -> Result<Transformer, Refusal> {
        let width = self.count(&["d_model", "hidden_size"], missing.width)?;
        let vocab = self.number(&self.family.vocab.clone(), Basics { hidden: 0, heads: 0 })?;
        let encoder_layers = self.count(&["encoder_layers", "num_hidden_layers"], missing.encoder_layers)?;
        let encoder_heads = self.count(&["encoder_attention_heads", "num_attention_heads"], missing.heads)?;
        let encoder_inner = self.count(&["encoder_ffn_dim"], missing.inner)?;
        let decoder_layers = self.count(&["decoder_layers"], missing.decoder_layers)?;
        let decoder_heads = self.count(&["decoder_attention_heads"], missing.heads)?;
        let decoder_inner = self.count(&["decoder_ffn_dim"], missing.inner)?;
        let stack = |causal, layers: u64, heads: u64, inner| {
            let heads = Heads {
                heads,
                kv_heads: heads,
                head_dim: width / heads.max(1),
                fused: false,
                shares_kv: false,
                keys_are_values: false,
            };
            let layer = Layer::of(Mixer::Heads(heads), Feed::Plain { inner });
            Stack::of(causal, grouped((0..layers).map(|_| layer.clone())))
        };
        let encoder = Stack { prefix: "encoder.", ..stack(false, encoder_layers, encoder_heads, encoder_inner) };
        let decoder = attending(stack(true, decoder_layers, decoder_heads, decoder_inner));
        self.decoder(Basics { hidden: width, heads: encoder_heads }, vocab, vec![encoder, decoder])
    }
}

fn bart(config: &mut Config<'_>) -> Result<Transformer, Refusal> {
    config.pair(&BART_DEFAULTS)
}

fn blenderbot(config: &mut Config<'_>) -> Result<Transformer, Refusal> {
    config.pair(&Defaults { width: 2560, encoder_layers: 2, decoder_layers: 24, heads: 32, inner: 10_240 })
}

/// Two convolutions over the spectrum of 30 seconds, then an encoder with a fixed number of positions.
fn whisper(config: &mut Config<'_>) -> Result<Transformer, Refusal> {
    let mut model =
        config.pair(&Defaults { width: 384, encoder_layers: 4, decoder_layers: 4, heads: 6, inner: 1536 })?;
    let bins = config.count(&["num_mel_bins"], 80)?;
    let positions = config.count(&["max_source_positions"], 1500)?;
    let width = model.hidden;
    let conv = |name, rows, channels: u64| End {
        name,
        kind: Kind::Convolution,
        rows,
        input: channels.saturating_mul(3),
        output: width,
        count: 1,
    };
    if let Some(encoder) = model.stacks.first_mut() {
        encoder.positions = Some(positions);
        let twice = Rows::Fixed(positions.saturating_mul(2));
        encoder.ends = vec![conv("conv1", twice, bins), conv("conv2", Rows::Positions, width)];
    }
    Ok(model)
}

const BART: Family = Family { model_type: "bart", build: Build::Own(bart), vocab: vocab(50_265), ..LLAMA };
const MBART: Family = Family { model_type: "mbart", ..BART };
const PEGASUS: Family = Family { model_type: "pegasus", ..BART };
const MARIAN: Family = Family { model_type: "marian", vocab: vocab(58_101), ..BART };
const M2M_100: Family = Family { model_type: "m2m_100", vocab: vocab(128_112), ..BART };
const BLENDERBOT: Family =
    Family { model_type: "blenderbot", build: Build::Own(blenderbot), vocab: vocab(8008), ..LLAMA };
const WHISPER: Family = Family { model_type: "whisper", build: Build::Own(whisper), vocab: vocab(51_865), ..LLAMA };

/// All families of this module.
pub(in crate::huggingface) static ALL: [&Family; 7] =
    [&BART, &MBART, &PEGASUS, &MARIAN, &M2M_100, &BLENDERBOT, &WHISPER];
