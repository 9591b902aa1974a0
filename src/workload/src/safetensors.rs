//! The header of a safetensors file: which matrices a model multiplies by, without reading one weight.
//!
//! A file begins with the header's length as 8 bytes, little-endian, and the header as JSON. A caller reads those 8
//! bytes, then as many as [`header_bytes`] says, and never the weights. Rows of the other operand, M, are not in a file.

mod header;

use std::collections::BTreeMap;

pub(crate) use self::header::Reader;
use crate::json::{Broken, Reader as Json};
use crate::note::{Note, Omitted, Tensor};
use crate::pass::PassSpec;
use crate::product::{Kind, Product, TooLarge};
use crate::workload::{LeftOut, Workload};
use plain::quote;

/// Bytes of the longest header that is read: the format's own limit.
pub const HEADER_BYTES_MAX: u64 = 100_000_000;
/// Kinds of tensors, by name without numbers and by shape, that are counted apart.
pub(crate) const KINDS_MAX: usize = 10_000;
/// Most characters of a tensor's name.
const NAME_MAX: usize = 120;

/// The matrices of one or more files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// Matrices that activations are multiplied by, alike ones together.
    pub matrices: Vec<Matrix>,
    /// Tensors that are no such matrix, or that do not say how they are used.
    pub left_out: Vec<LeftOut>,
    /// Elements of all tensors together.
    pub elements: u128,
}

/// Matrices of one shape whose names differ in numbers only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Their name, with `*` for the numbers that differ.
    pub name: String,
    /// Columns as stored, the inputs of a PyTorch linear layer.
    pub k: u64,
    /// Rows as stored, its outputs.
    pub n: u64,
    /// How many there are.
    pub count: u64,
}

/// Why there are no matrices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Fewer than the first 8 bytes.
    NoLength,
    /// A header longer than the format allows.
    TooLong {
        /// What the first 8 bytes say.
        bytes: u64,
    },
    /// The header goes on behind the bytes that are there.
    Cut {
        /// How many bytes are needed, the first 8 included.
        needed: u64,
        /// How many there are.
        given: u64,
    },
    /// The header is not UTF-8.
    NotText,
    /// The header is not JSON.
    NotJson(Broken),
    /// A tensor has no shape that could be one.
    BadShape {
        /// Its name, as quoted.
        tensor: String,
    },
    /// There are too many different tensors.
    TooManyKinds,
}

impl From<Broken> for Refusal {
    fn from(broken: Broken) -> Self {
        Self::NotJson(broken)
    }
}

/// How many bytes of a file are its header, the first 8 included.
///
/// # Errors
/// [`Refusal`] when there are not even 8, or the header is longer than the format allows.
pub fn header_bytes(start: &[u8]) -> Result<u64, Refusal> {
    let length = start.first_chunk::<8>().ok_or(Refusal::NoLength)?;
    let bytes = u64::from_le_bytes(*length);
    if bytes > HEADER_BYTES_MAX { Err(Refusal::TooLong { bytes }) } else { Ok(bytes + 8) }
}

/// Tensors that are alike, by name and shape.
type Kinds = BTreeMap<(String, Vec<u64>, bool), u64>;

/// The matrices of a file, from its first bytes: at least all of its header.
///
/// # Errors
/// [`Refusal`], one sentence on what is wrong with it.
pub fn weights(start: &[u8]) -> Result<Weights, Refusal> {
    let (mut reader, mut rest) = (Reader::new(u64::try_from(start.len()).unwrap_or(u64::MAX)), start);
    while !reader.is_full() {
        let gone = usize::try_from(reader.feed(rest)?).unwrap_or(usize::MAX);
        rest = plain::after(rest, gone);
    }
    Ok(reader.finish())
}

/// The shape of the tensor that is next, and whether its elements are whole numbers: weights packed or quantized.
fn tensor(name: &str, reader: &mut Json<'_>) -> Result<(Vec<u64>, bool), Refusal> {
    let bad = || Refusal::BadShape { tensor: quote(name) };
    let (mut shape, mut packed) = (None, false);
    reader.entries(|key, reader| match &*key {
        "dtype" => {
            packed = reader.string()?.starts_with(['I', 'U']);
            Ok(())
        }
        "shape" => {
            let mut sizes = Vec::new();
            reader.items(|reader| {
                let size = reader.number()?.parse().map_err(|_| bad())?;
                // No tensor has more dimensions; a longer list is no shape.
                if sizes.len() >= 8 {
                    return Err(bad());
                }
                sizes.push(size);
                Ok(())
            })?;
            shape = Some(sizes);
            Ok(())
        }
        _ => reader.skip().map_err(Refusal::from),
    })?;
    Ok((shape.ok_or_else(bad)?, packed))
}

/// A name with `*` for each number between dots.
fn pattern(name: &str) -> String {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = name.split('.').take(NAME_MAX).map(|part| if number(part) { "*" } else { part });
    let chars = parts.flat_map(|part| std::iter::once('.').chain(part.chars())).skip(1);
    chars.filter(|c| !plain::steers(*c)).take(NAME_MAX).collect()
}

/// What activations are multiplied by, and what not.
fn sorted(kinds: Kinds) -> Weights {
    let mut weights = Weights::default();
    let mut leave = |name: &str, count: u64, what: Tensor| {
        weights.left_out.push(LeftOut::unknown(Omitted::Tensor { name: quote(name), count, what }));
    };
    for ((name, shape, packed), count) in kinds {
        match shape[..] {
            [] | [_] => {}
            _ if packed => leave(&name, count, Tensor::Packed),
            _ if is_lookup(&name) => leave(&name, count, Tensor::Lookup),
            [n, k] if n > 0 && k > 0 => weights.matrices.push(Matrix { name, k, n, count }),
            [_, _] => {}
            [_, _, _] => leave(&name, count, Tensor::Stack),
            _ => leave(&name, count, Tensor::Convolution),
        }
    }
    weights
}

/// Whether rows of the tensor are picked rather than multiplied by.
fn is_lookup(name: &str) -> bool {
    let last = name.trim_end_matches(".weight").rsplit('.').next().unwrap_or(name);
    last.contains("embed") || ["wte", "wpe", "shared", "relative_attention_bias"].contains(&last)
}

impl Weights {
    /// The products of a pass's rows of activations by every matrix.
    ///
    /// # Errors
    /// [`TooLarge`] beyond what is added up exactly.
    pub fn workload(&self, spec: &PassSpec) -> Result<Workload, TooLarge> {
        let rows = spec.batch.saturating_mul(spec.tokens());
        let logits = if spec.last_logits_only() { spec.batch } else { rows };
        let products = self.matrices.iter().map(|matrix| {
            let is_head = matrix.name.contains("lm_head");
            let (kind, m) = if is_head { (Kind::Head, logits) } else { (Kind::Weights, rows) };
            Product::new(matrix.name.clone(), kind, [m, matrix.k, matrix.n], matrix.count)
        });
        let mut left_out = self.left_out.clone();
        left_out.push(LeftOut::unknown(Omitted::AttentionProducts));
        let mut notes = vec![Note::StoredAsLinear];
        if !self.matrices.iter().any(|matrix| matrix.name.contains("lm_head")) {
            notes.push(Note::NoHead);
        }
        let products = products.collect::<Result<_, _>>()?;
        let mut work = Workload { products, left_out, notes, ..Workload::default() };
        spec.add_backward(&mut work);
        Ok(work)
    }

    /// Adds the matrices of another file of the same model.
    pub fn join(&mut self, other: Self) {
        for matrix in other.matrices {
            let alike = |own: &&mut Matrix| (&own.name, own.k, own.n) == (&matrix.name, matrix.k, matrix.n);
            match self.matrices.iter_mut().find(alike) {
                Some(own) => own.count = own.count.saturating_add(matrix.count),
                None => self.matrices.push(matrix),
            }
        }
        self.left_out.extend(other.left_out);
        self.elements = self.elements.saturating_add(other.elements);
    }
}
