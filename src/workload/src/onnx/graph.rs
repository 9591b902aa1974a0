//! Graph of an ONNX model: nodes, and the stated shapes and small values of their tensors.

use std::collections::{BTreeMap, btree_map};

use super::wire::{Fields, Malformed, Value};

/// Maximum number of nodes, and of named tensors.
pub(crate) const NODES_MAX: usize = 50_000;
/// Maximum number of dimensions of a tensor.
pub(super) const DIMS_MAX: usize = 16;
/// Maximum number of elements of a tensor whose values are kept.
pub(super) const VALUES_MAX: usize = 64;
/// Maximum number of operands of an operation.
const OPERANDS_MAX: usize = 1 << 10;
/// Maximum number of inputs whose dimensions are kept.
const INPUTS_MAX: usize = 1000;

/// Size of one dimension of a tensor. `None` if it is unknown.
pub(super) type Dim = Option<u64>;
pub(super) type Shape = Vec<Dim>;

/// Numbers of a short tensor, such as a shape, axes or scales.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbers {
    pub(super) all: Vec<f64>,
    /// True if the elements are floating-point numbers, so that a division does not round.
    pub(super) is_float: bool,
}

impl Numbers {
    pub(super) fn whole(all: impl IntoIterator<Item = i64>) -> Self {
        Self { all: all.into_iter().map(|number| number as f64).collect(), is_float: false }
    }

    /// Returns the elements as whole numbers.
    pub(super) fn integers(&self) -> Vec<i64> {
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates; NaN becomes 0")]
        self.all.iter().map(|number| *number as i64).collect()
    }
}

/// Known facts about a tensor.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    pub(super) shape: Option<Shape>,
    pub(super) values: Option<Numbers>,
    /// True if the tensor is stored in the file, so it contains weights.
    pub(super) stored: bool,
}

/// Known facts about tensors, by name. The map is a tree, because a growing hash table would cause long pauses.
#[derive(Debug, Default)]
pub(super) struct Tensors {
    known: BTreeMap<Box<str>, Known>,
    forgotten: btree_map::IntoIter<Box<str>, Known>,
    /// Inputs of the graph, with the sizes that the file states.
    pub(super) inputs: Vec<Input>,
}

/// An input of the graph.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) dims: Vec<InputDim>,
}

/// A size of an input.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum InputDim {
    Known(u64),
    /// The name of a symbol, which may be an expression such as `past + sequence`.
    Symbol(String),
    /// A size without a name.
    Open,
}

/// One operation of a graph.
#[derive(Debug, Default)]
pub(super) struct Node<'a> {
    pub(super) name: &'a str,
    pub(super) op: &'a str,
    pub(super) domain: &'a str,
    pub(super) inputs: Vec<&'a str>,
    pub(super) outputs: Vec<&'a str>,
    attributes: Vec<(&'a str, Attribute<'a>)>,
}

#[derive(Debug, Default)]
struct Attribute<'a> {
    number: Option<i64>,
    numbers: Vec<i64>,
    floats: Vec<f64>,
    text: Option<&'a str>,
    tensor: Option<&'a [u8]>,
    graph: Option<&'a [u8]>,
}

impl<'a> Node<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut node = Self::default();
        for field in Fields::new(bytes) {
            match field? {
                (1, value) if node.inputs.len() < OPERANDS_MAX => node.inputs.push(value.text()?),
                (2, value) if node.outputs.len() < OPERANDS_MAX => node.outputs.push(value.text()?),
                (3, value) => node.name = value.text()?,
                (4, value) => node.op = value.text()?,
                (5, value) if node.attributes.len() < 64 => node.attributes.push(attribute(value.bytes()?)?),
                (7, value) => node.domain = value.text()?,
                _ => {}
            }
        }
        Ok(node)
    }

    fn attribute(&self, name: &str) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    pub(super) fn number(&self, name: &str, missing: i64) -> i64 {
        self.attribute(name).and_then(|value| value.number).unwrap_or(missing)
    }

    /// Returns a number above 0.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        u64::try_from(self.number(name, 0)).ok().filter(|count| *count > 0)
    }

    pub(super) fn numbers(&self, name: &str) -> Option<&[i64]> {
        self.attribute(name).map(|value| value.numbers.as_slice())
    }

    pub(super) fn floats(&self, name: &str) -> Option<&[f64]> {
        self.attribute(name).map(|value| value.floats.as_slice())
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).and_then(|value| value.text)
    }

    /// Returns the dimensions of a tensor attribute, and its values if they are few.
    pub(super) fn tensor(&self, name: &str) -> Option<(Vec<i64>, Option<Numbers>)> {
        let tensor = Tensor::parse(self.attribute(name)?.tensor?).ok()?;
        Some((tensor.dims, tensor.values))
    }

    /// Returns the graph of an attribute.
    pub(super) fn graph(&self, name: &str) -> Option<&'a [u8]> {
        self.attribute(name)?.graph
    }

    /// True if the operation contains its own graphs.
    pub(super) fn has_graph(&self) -> bool {
        self.attributes.iter().any(|(_, value)| value.graph.is_some())
    }

    /// True if the operand is given. Optional operands have an empty name.
    pub(super) fn has(&self, at: usize) -> bool {
        self.inputs.get(at).is_some_and(|name| !name.is_empty())
    }
}

fn attribute(bytes: &[u8]) -> Result<(&str, Attribute<'_>), Malformed> {
    let (mut name, mut attribute) = ("", Attribute::default());
    for field in Fields::new(bytes) {
        match field? {
            (1, value) => name = value.text()?,
            (2 | 7, value) => value.floats(&mut attribute.floats, VALUES_MAX),
            (3, value) => attribute.number = Some(value.number()?),
            (4, value) => attribute.text = value.text().ok(),
            (5, value) => attribute.tensor = Some(value.bytes()?),
            (6, value) => attribute.graph = Some(value.bytes()?),
            (8, value) => value.numbers(&mut attribute.numbers, VALUES_MAX)?,
            _ => {}
        }
    }
    Ok((name, attribute))
}

/// A tensor that is stored in the file. Large data of the tensor is left out.
struct Tensor<'a> {
    name: &'a str,
    dims: Vec<i64>,
    values: Option<Numbers>,
}

impl<'a> Tensor<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let (mut name, mut dims, mut kind, mut raw) = ("", Vec::new(), 0, &[][..]);
        let (mut whole, mut floats) = (Vec::new(), Vec::new());
        for field in Fields::new(bytes) {
            match field? {
                (1, value) => value.numbers(&mut dims, DIMS_MAX)?,
                (2, value) => kind = value.number()?,
                (4, value) => value.floats(&mut floats, VALUES_MAX),
                (5 | 7, value) => value.numbers(&mut whole, VALUES_MAX)?,
                (8, value) => name = value.text()?,
                (9, value) => raw = value.bytes()?,
                _ => {}
            }
        }
        let count = dims.iter().try_fold(1i64, |product, &by| product.checked_mul(by));
        let count = count.and_then(|count| usize::try_from(count).ok()).filter(|count| *count <= VALUES_MAX);
        let is_float = matches!(kind, 1 | 10 | 11 | 16);
        let all: Vec<f64> = if !raw.is_empty() {
            stored(kind, raw)
        } else if is_float {
            floats
        } else {
            whole.into_iter().map(|number| number as f64).collect()
        };
        let values = (count == Some(all.len())).then_some(Numbers { all, is_float });
        Ok(Self { name, dims, values })
    }
}

/// Decodes at most 64 elements of a stored type.
fn stored(kind: i64, raw: &[u8]) -> Vec<f64> {
    fn each<const N: usize>(raw: &[u8], of: impl Fn([u8; N]) -> f64) -> Vec<f64> {
        // One element more than are kept shows that there are too many.
        raw.chunks_exact(N)
            .take(VALUES_MAX + 1)
            .filter_map(|chunk| chunk.first_chunk::<N>())
            .map(|chunk| of(*chunk))
            .collect()
    }
    match kind {
        1 => each(raw, |bytes| f64::from(f32::from_le_bytes(bytes))),
        2 | 9 => each(raw, |[byte]| f64::from(byte)),
        3 => each(raw, |bytes| f64::from(i8::from_le_bytes(bytes))),
        6 => each(raw, |bytes| f64::from(i32::from_le_bytes(bytes))),
        7 => each(raw, |bytes| i64::from_le_bytes(bytes) as f64),
        11 => each(raw, f64::from_le_bytes),
        _ => Vec::new(),
    }
}

/// Converts the dimensions of a stored shape to sizes. A negative dimension is unknown.
pub(super) fn known(dims: &[i64]) -> Shape {
    dims.iter().map(|&dim| u64::try_from(dim).ok()).collect()
}

impl Tensors {
    /// Records the facts about a tensor from a field of a graph, before any operation is read.
    pub(super) fn read(&mut self, number: u64, value: Value<'_>) -> Result<(), Malformed> {
        match number {
            5 => {
                let tensor = Tensor::parse(value.bytes()?)?;
                let own = self.entry(tensor.name);
                own.shape = Some(known(&tensor.dims));
                own.values = tensor.values.or_else(|| own.values.take());
                own.stored = true;
            }
            11 => {
                if let Some((name, dims)) = declared(value.bytes()?)?
                    && self.inputs.len() < INPUTS_MAX
                {
                    self.inputs.push(Input { name: name.into(), dims });
                }
            }
            12 | 13 => {
                if let Some((name, dims)) = declared(value.bytes()?)? {
                    let sizes = dims.iter().map(|dim| if let InputDim::Known(size) = dim { Some(*size) } else { None });
                    let sizes: Option<Shape> = sizes.map(|size| size.map(Some)).collect();
                    if let Some(shape) = sizes {
                        self.entry(name).shape.get_or_insert(shape);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Frees the memory of at most `most` tensors. Returns true if no tensors are left.
    pub(super) fn forget(&mut self, most: usize) -> bool {
        if !self.known.is_empty() {
            self.forgotten = std::mem::take(&mut self.known).into_iter();
        }
        self.forgotten.by_ref().take(most).count() < most
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    pub(super) fn entry(&mut self, name: &str) -> &mut Known {
        self.known.entry(name.into()).or_default()
    }

    pub(super) fn known(&self, name: &str) -> Option<&Known> {
        self.known.get(name)
    }

    /// Records what is known about a tensor, and forgets what was known.
    pub(super) fn set(&mut self, name: &str, known: Known) {
        if !name.is_empty() {
            self.known.insert(name.into(), known);
        }
    }

    pub(super) fn shape(&self, name: Option<&&str>) -> Option<&Shape> {
        self.known.get(*name?)?.shape.as_ref()
    }

    pub(super) fn numbers(&self, name: Option<&&str>) -> Option<&Numbers> {
        self.known.get(*name?)?.values.as_ref()
    }

    pub(super) fn value(&self, name: Option<&&str>) -> Option<Vec<i64>> {
        self.numbers(name).map(Numbers::integers)
    }

    pub(super) fn is_stored(&self, name: Option<&&str>) -> bool {
        name.and_then(|name| self.known.get(*name)).is_some_and(|known| known.stored)
    }
}

/// Returns the name and the declared sizes of a tensor.
pub(super) fn declared(bytes: &[u8]) -> Result<Option<(&str, Vec<InputDim>)>, Malformed> {
    let (mut name, mut shape) = ("", None);
    for field in Fields::new(bytes) {
        match field? {
            (1, value) => name = value.text()?,
            (2, value) => {
                // TypeProto.tensor_type.shape
                if let Some(tensor) = inner(value, 1)?
                    && let Some(dims) = inner(Value::Bytes(tensor), 2)?
                {
                    shape = Some(sizes(dims)?);
                }
            }
            _ => {}
        }
    }
    Ok(shape.map(|shape| (name, shape)))
}

fn sizes(bytes: &[u8]) -> Result<Vec<InputDim>, Malformed> {
    let mut shape = Vec::new();
    for field in Fields::new(bytes) {
        let (1, value) = field? else { continue };
        if shape.len() >= DIMS_MAX {
            return Err(Malformed);
        }
        let mut dim = InputDim::Open;
        for field in Fields::new(value.bytes()?) {
            match field? {
                // Some exporters write 0 or −1 for an open size.
                (1, value) => {
                    let size = u64::try_from(value.number()?).ok().filter(|size| *size > 0);
                    dim = size.map_or(InputDim::Open, InputDim::Known);
                }
                (2, value) => {
                    let name = value.text()?;
                    // Exporters write one of these for every size without a name.
                    if !matches!(name, "" | "?" | "-1" | "None" | "*") {
                        dim = InputDim::Symbol(name.into());
                    }
                }
                _ => {}
            }
        }
        shape.push(dim);
    }
    Ok(shape)
}

/// Returns the bytes of the last field with this number in a message.
fn inner(value: Value<'_>, number: u64) -> Result<Option<&[u8]>, Malformed> {
    let mut found = None;
    for field in Fields::new(value.bytes()?) {
        match field? {
            (own, Value::Bytes(bytes)) if own == number => found = Some(bytes),
            _ => {}
        }
    }
    Ok(found)
}
