//! Reader of the header of a safetensors file. The reader finds the matrices of a model without reading any weight.
//!
//! A file begins with the header's length as 8 bytes, little-endian, then the header as JSON. A caller reads these 8
//! bytes, then all bytes up to the position that [`header_bytes`] returns. A caller never reads the weights. A file
//! does not contain M, the number of rows of the activations.

mod header;
mod packed;

use std::collections::BTreeMap;

pub(crate) use self::header::Reader;
use crate::json::{Broken, Reader as Json};
use crate::note::{Note, Omitted, Tensor};
use crate::pass::PassSpec;
use crate::product::{Kind, Product, TooLarge};
use crate::workload::{LeftOut, Workload};
use plain::quote;

/// Maximum bytes of a header, which is the limit of the format.
pub const HEADER_BYTES_MAX: u64 = 100_000_000;
/// Maximum number of kinds of tensors. Tensors of one kind have the same shape and, except for numbers, the same name.
pub(crate) const KINDS_MAX: usize = 10_000;
/// Name under which a user gives the number of experts that a token visits, as in a `config.json`.
pub const VISITED: &str = "num_experts_per_tok";
/// Maximum number of characters of a tensor's name.
const NAME_MAX: usize = 120;

/// Matrices of one or more files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    /// Matrices that multiply activations, grouped by name and shape.
    pub matrices: Vec<Matrix>,
    /// Tensors that do not multiply activations, or whose use is unknown.
    pub left_out: Vec<LeftOut>,
    /// Number of elements of all tensors together.
    pub elements: u128,
}

/// Matrices of one shape whose names differ only in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// Name of the matrices, with `*` for numbers.
    pub name: String,
    /// Number of stored columns: the inputs of a PyTorch linear layer.
    pub k: u64,
    /// Number of stored rows: the outputs of a PyTorch linear layer.
    pub n: u64,
    /// Number of matrices. Each expert has its own matrix.
    pub count: u64,
    /// Experts of a layer, if a token visits only some of them.
    pub visits: Option<Visits>,
}

/// Experts that a token visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visits {
    /// Experts of a layer.
    pub experts: u64,
    /// Experts that a token visits; `None` if the file does not say the number.
    pub per_token: Option<u64>,
}

impl Visits {
    /// Returns the number of experts that a token visits in published models with this number of experts, if all these
    /// models agree.
    ///
    /// Both published models with 8 experts, Mixtral (`num_experts_per_tok` in the `config.json` of 8x7B and 8x22B) and
    /// Grok-1 (`num_selected_experts` in `run.py` of `xai-org/grok-1`), visit 2. Models with 16 experts differ.
    #[must_use]
    pub const fn assumed(self) -> Option<u64> {
        if self.experts == 8 { Some(2) } else { None }
    }

    /// Returns the number of experts that a token visits, and the note if this number is an assumption. `given` is the
    /// number from the user.
    fn per_token(self, given: Option<u64>) -> Result<(u64, Option<Note>), Refusal> {
        let experts = self.experts;
        match given.or(self.per_token) {
            Some(given) if given == 0 || given > experts => Err(Refusal::BadVisits { given, experts }),
            Some(given) => Ok((given, None)),
            None => {
                let assumed = self.assumed().ok_or(Refusal::Visits { experts })?;
                Ok((assumed, Some(Note::AssumedVisits { experts, per_token: assumed })))
            }
        }
    }
}

/// Reason why a header cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Fewer than 8 bytes.
    NoLength,
    /// A header longer than the format allows.
    TooLong {
        /// Length of the header according to the first 8 bytes.
        bytes: u64,
    },
    /// The header is longer than the file.
    Cut {
        /// Number of bytes needed, including the first 8.
        needed: u64,
        /// Number of bytes in the file.
        given: u64,
    },
    /// The header is not UTF-8.
    NotText,
    /// The header is not JSON.
    NotJson(Broken),
    /// A tensor has no valid shape.
    BadShape {
        /// Name of the tensor, quoted.
        tensor: String,
    },
    /// The header has too many kinds of tensors.
    TooManyKinds,
    /// The file says neither how many experts a layer has nor how many of them a token visits.
    Experts {
        /// Name of the tensors of an expert, quoted.
        tensor: String,
    },
    /// A token visits some of the experts, and the file does not say how many.
    Visits {
        /// Experts of a layer.
        experts: u64,
    },
    /// A token cannot visit this number of experts.
    BadVisits {
        /// The number.
        given: u64,
        /// Experts of a layer.
        experts: u64,
    },
    /// Several weights are packed into one number, and the file does not say how many.
    Packed {
        /// Name of the packed tensors, quoted.
        tensor: String,
    },
    /// A matmul is too large to count exactly.
    TooLarge(TooLarge),
}

impl From<TooLarge> for Refusal {
    fn from(too_large: TooLarge) -> Self {
        Self::TooLarge(too_large)
    }
}

impl From<Broken> for Refusal {
    fn from(broken: Broken) -> Self {
        Self::NotJson(broken)
    }
}

/// Returns the number of bytes up to the end of the header, including the first 8.
///
/// # Errors
/// [`Refusal`] if `start` has fewer than 8 bytes, or if the header is longer than the format allows.
pub fn header_bytes(start: &[u8]) -> Result<u64, Refusal> {
    let length = start.first_chunk::<8>().ok_or(Refusal::NoLength)?;
    let bytes = u64::from_le_bytes(*length);
    if bytes > HEADER_BYTES_MAX { Err(Refusal::TooLong { bytes }) } else { Ok(bytes + 8) }
}

/// Number of tensors of each kind. The key is the name pattern, the shape, and a flag for packed or quantized weights.
type Kinds = BTreeMap<(String, Vec<u64>, bool), u64>;

/// Returns the matrices of a file. `start` must contain at least the whole header.
///
/// # Errors
/// [`Refusal`] if the header is invalid or too large.
pub fn weights(start: &[u8]) -> Result<Weights, Refusal> {
    let (mut reader, mut rest) = (Reader::new(u64::try_from(start.len()).unwrap_or(u64::MAX)), start);
    while !reader.is_full() {
        let gone = usize::try_from(reader.feed(rest)?).unwrap_or(usize::MAX);
        rest = plain::after(rest, gone);
    }
    reader.finish()
}

/// Reads the shape of the next tensor, and a flag. The flag is true if the elements are integers, so the weights are
/// packed or quantized.
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
                // No tensor has more dimensions, so a longer list is not a shape.
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

/// Returns a name with `*` for each number between dots.
pub(crate) fn pattern(name: &str) -> String {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts = name.split('.').take(NAME_MAX).map(|part| if number(part) { "*" } else { part });
    let chars = parts.flat_map(|part| std::iter::once('.').chain(part.chars())).skip(1);
    chars.filter(|c| !plain::is_control_or_bidi(*c)).take(NAME_MAX).collect()
}

/// True if the tensor belongs to experts of which a token visits only some.
fn is_of_experts(name: &str) -> bool {
    name.contains("experts.") && !name.contains("shared_experts.")
}

/// Returns the number of the expert to which a tensor belongs, if the name has the number.
fn expert(name: &str) -> Option<u64> {
    let (_, rest) = name.split_once("experts.").filter(|_| is_of_experts(name))?;
    rest.split('.').next()?.parse().ok()
}

/// Sorts tensors into matrices that multiply activations, and other tensors. `experts` has the number of experts for
/// each name whose tensors belong to one expert.
///
/// # Errors
/// [`Refusal`] if the matrices do not say how much work a token causes.
fn sorted(kinds: Kinds, experts: &BTreeMap<String, u64>) -> Result<Weights, Refusal> {
    let mut true_shapes = BTreeMap::new();
    for (name, shape, _) in kinds.keys() {
        if [".qweight", ".weight_packed"].iter().any(|end| name.ends_with(end)) {
            let stored = <[u64; 2]>::try_from(shape.clone()).ok();
            let found = stored.and_then(|stored| packed::shape(name, stored, &kinds));
            let found = found.ok_or_else(|| Refusal::Packed { tensor: quote(name) })?;
            true_shapes.insert((name.clone(), shape.clone()), found);
        }
        // A matrix of 4-bit weights in bytes, whose shape is among the data.
        if name.ends_with(".absmax") || name.contains(".quant_state.") {
            return Err(Refusal::Packed { tensor: quote(name) });
        }
    }
    // Whole bytes are weights if they have a scale.
    let has_scale: Vec<String> = kinds
        .keys()
        .filter_map(|(name, ..)| [".SCB", ".weight_scale"].iter().find_map(|end| name.strip_suffix(end)))
        .map(str::to_owned)
        .collect();
    let mut weights = Weights::default();
    let visits = |name: &str| experts.get(name).map(|experts| Visits { experts: *experts, per_token: None });
    let mut leave = |name: &str, count: u64, what: Tensor| {
        weights.left_out.push(LeftOut::unknown(Omitted::Tensor { name: quote(name), count, what }));
    };
    for ((name, shape, packed), count) in kinds {
        match shape[..] {
            [] | [_] => {}
            _ if true_shapes.contains_key(&(name.clone(), shape.clone())) => {
                if let Some([k, n]) = true_shapes.get(&(name.clone(), shape.clone())) {
                    let visits = visits(&name);
                    weights.matrices.push(Matrix { name, k: *k, n: *n, count, visits });
                }
            }
            [n, k]
                if packed
                    && name.strip_suffix(".weight").is_some_and(|start| has_scale.iter().any(|own| own == start)) =>
            {
                let visits = visits(&name);
                weights.matrices.push(Matrix { name, k, n, count, visits });
            }
            _ if is_scale(&name) => leave(&name, count, Tensor::Scale),
            _ if packed => leave(&name, count, Tensor::Packed),
            _ if is_lookup(&name) => leave(&name, count, Tensor::Lookup),
            _ if is_of_experts(&name) && (name.ends_with("bias") || shape.contains(&0)) => {}
            // The matrices of all experts in one tensor.
            [experts, n, k] if is_of_experts(&name) => {
                let count = count.checked_mul(experts).ok_or(TooLarge)?;
                weights.matrices.push(Matrix { name, k, n, count, visits: Some(Visits { experts, per_token: None }) });
            }
            _ if is_of_experts(&name) && (shape.len() > 2 || !experts.contains_key(&name)) => {
                return Err(Refusal::Experts { tensor: quote(&name) });
            }
            [n, k] if n > 0 && k > 0 => {
                let visits = visits(&name);
                weights.matrices.push(Matrix { name, k, n, count, visits });
            }
            [_, _] => {}
            [_, _, _] => leave(&name, count, Tensor::Stack),
            _ => leave(&name, count, Tensor::Convolution),
        }
    }
    Ok(weights)
}

/// True if the tensor scales quantized weights. No activation is multiplied by a scale alone.
fn is_scale(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let ends = ["scale", "scales", "scale_inv", "scale_2", "zeros", "zero_point", "g_idx", "absmax", "quant_map"];
    ends.iter().any(|end| last.ends_with(end))
}

/// True if the tensor is a lookup table, such as an embedding.
fn is_lookup(name: &str) -> bool {
    let last = name.trim_end_matches(".weight").rsplit('.').next().unwrap_or(name);
    last.contains("embed") || ["wte", "wpe", "shared", "relative_attention_bias"].contains(&last)
}

/// True if the matrix computes the logits: `lm_head` of the transformers library, or `output` of llama.cpp.
fn is_head(name: &str) -> bool {
    name.contains("lm_head") || name == "output.weight"
}

impl Weights {
    /// Returns a layer's experts of which a token visits a number that the file does not say.
    #[must_use]
    pub fn open_visits(&self) -> Option<Visits> {
        self.matrices.iter().filter_map(|matrix| matrix.visits).find(|visits| visits.per_token.is_none())
    }

    /// Returns the matmuls of a pass: the activations of the pass times every matrix. `visited` is the number of
    /// experts that a token visits; `None` for the number in the file, or for the number that published models with
    /// this number of experts have in common.
    ///
    /// # Errors
    /// [`Refusal`] if a matmul is too large to count exactly, or if the number of visited experts is unknown or
    /// impossible.
    pub fn workload(&self, spec: &PassSpec, visited: Option<u64>) -> Result<Workload, Refusal> {
        let rows = spec.batch.saturating_mul(spec.tokens());
        let logits = if spec.last_logits_only() { spec.batch } else { rows };
        let mut products = Vec::new();
        let (mut unvisited_weights, mut most_experts, mut notes) = (0.0, 0, vec![Note::StoredAsLinear]);
        for matrix in &self.matrices {
            let Matrix { name, k, n, count, visits } = matrix;
            let mut add = |kind, m, count| {
                if m > 0 && count > 0 {
                    products.push(Product::new(name.clone(), kind, [m, *k, *n], count)?);
                }
                Ok::<(), TooLarge>(())
            };
            match visits {
                // Every expert receives the same number of tokens, or one more.
                Some(visits @ Visits { experts, .. }) => {
                    most_experts = most_experts.max(*experts);
                    let (per_token, note) = visits.per_token(visited)?;
                    notes.extend(note.filter(|note| !notes.contains(note)));
                    let all = rows.checked_mul(per_token).ok_or(TooLarge)?;
                    let (each, more) = (all / experts.max(&1), all % experts.max(&1));
                    // A file with a part of the model can have a number of matrices that is not divisible.
                    let with_more = u128::from(*count) * u128::from(more) / u128::from(*experts.max(&1));
                    let with_more = u64::try_from(with_more).map_err(|_| TooLarge)?;
                    add(Kind::Expert, each.saturating_add(1), with_more)?;
                    add(Kind::Expert, each, count - with_more)?;
                    if each == 0 {
                        unvisited_weights += (count - with_more) as f64 * *k as f64 * *n as f64;
                    }
                }
                None if is_head(name) => add(Kind::Head, logits, *count)?,
                None => add(Kind::Weights, rows, *count)?,
            }
        }
        let mut left_out = self.left_out.clone();
        left_out.push(LeftOut::unknown(Omitted::AttentionProducts));
        if !self.matrices.iter().any(|matrix| is_head(&matrix.name)) {
            notes.push(Note::NoHead);
        }
        if self.matrices.iter().any(|matrix| matrix.visits.is_some()) {
            notes.push(Note::EvenExperts);
        }
        let mut work =
            Workload { products, left_out, notes, unvisited_weights, experts: most_experts, ..Workload::default() };
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
