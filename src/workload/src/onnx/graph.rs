//! Graph of an ONNX model: nodes, and the stated shapes and small values of their tensors.

use std::collections::{BTreeMap, btree_map};

use super::wire::{Fields, Malformed, Value};

/// Maximum number of nodes, and of named tensors.
pub(crate) const NODES_MAX: usize = 50_000;
/// Maximum number of dimensions of a tensor, and maximum number of elements of a tensor whose values are kept.
pub(super) const DIMS_MAX: usize = 16;
/// Maximum number of different symbols.
const SYMBOLS_MAX: usize = 200;
/// Element type of 64-bit integers in ONNX.
const INT64: i64 = 7;

/// Maximum number of operands of an operation.
const OPERANDS_MAX: usize = 1 << 10;

/// Size of one dimension of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dim {
    Known(u64),
    /// Symbol without a value: its index in the list of symbols.
    Named(usize),
    Unknown,
}

pub(super) type Shape = Vec<Dim>;

/// Known facts about a tensor.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) shape: Option<Shape>,
    /// Values of a short list of whole numbers, such as a shape or axes.
    pub(super) values: Option<Vec<i64>>,
    /// True if the tensor is stored in the file, so it contains weights.
    stored: bool,
}

/// Known facts about tensors, by name. The map is a tree, because a growing hash table would cause long pauses.
#[derive(Debug, Default)]
pub(super) struct Tensors {
    known: BTreeMap<Box<str>, Known>,
    symbols: Vec<Box<str>>,
    forgotten: btree_map::IntoIter<Box<str>, Known>,
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
    text: Option<&'a str>,
    tensor: Option<&'a [u8]>,
    has_graph: bool,
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

    pub(super) fn numbers(&self, name: &str) -> Option<&[i64]> {
        self.attribute(name).map(|value| value.numbers.as_slice())
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).and_then(|value| value.text)
    }

    /// Returns the dimensions of a tensor attribute, and its values if they are a short list of whole numbers.
    pub(super) fn tensor(&self, name: &str) -> Option<(Vec<i64>, Option<Vec<i64>>)> {
        let tensor = Tensor::parse(self.attribute(name)?.tensor?).ok()?;
        Some((tensor.dims, tensor.values))
    }

    /// True if the operation contains its own graphs.
    pub(super) fn has_graph(&self) -> bool {
        self.attributes.iter().any(|(_, value)| value.has_graph)
    }
}

fn attribute(bytes: &[u8]) -> Result<(&str, Attribute<'_>), Malformed> {
    let (mut name, mut attribute) = ("", Attribute::default());
    for field in Fields::new(bytes) {
        match field? {
            (1, value) => name = value.text()?,
            (3, value) => attribute.number = Some(value.number()?),
            (4, value) => attribute.text = value.text().ok(),
            (5, value) => attribute.tensor = Some(value.bytes()?),
            (6 | 11, _) => attribute.has_graph = true,
            (8, value) => value.numbers(&mut attribute.numbers, DIMS_MAX)?,
            _ => {}
        }
    }
    Ok((name, attribute))
}

/// A tensor that is stored in the file. Large data of the tensor is left out.
struct Tensor<'a> {
    name: &'a str,
    dims: Vec<i64>,
    values: Option<Vec<i64>>,
}

impl<'a> Tensor<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let (mut name, mut dims, mut values) = ("", Vec::new(), Vec::new());
        let (mut kind, mut raw) = (0, &[][..]);
        for field in Fields::new(bytes) {
            match field? {
                (1, value) => value.numbers(&mut dims, DIMS_MAX)?,
                (2, value) => kind = value.number()?,
                (7, value) => value.numbers(&mut values, DIMS_MAX)?,
                (8, value) => name = value.text()?,
                (9, value) => raw = value.bytes()?,
                _ => {}
            }
        }
        if values.is_empty() {
            let numbers = raw.chunks_exact(8).take(DIMS_MAX).filter_map(|chunk| chunk.first_chunk::<8>());
            values.extend(numbers.map(|chunk| i64::from_le_bytes(*chunk)));
        }
        let count = dims.iter().try_fold(1i64, |product, &by| product.checked_mul(by));
        let whole = kind == INT64 && count == i64::try_from(values.len()).ok();
        Ok(Self { name, dims, values: whole.then_some(values) })
    }
}

/// Converts the dimensions of a stored shape to sizes. A negative dimension is unknown.
pub(super) fn known(dims: &[i64]) -> Shape {
    dims.iter().map(|&dim| u64::try_from(dim).map_or(Dim::Unknown, Dim::Known)).collect()
}

impl Tensors {
    /// Records the facts about a tensor from a field of a graph, before any operation is read.
    pub(super) fn read(&mut self, number: u64, value: Value<'_>, given: &[(String, u64)]) -> Result<(), Malformed> {
        match number {
            5 => {
                let tensor = Tensor::parse(value.bytes()?)?;
                let own = self.entry(tensor.name);
                own.shape = Some(known(&tensor.dims));
                own.values = tensor.values.or_else(|| own.values.take());
                own.stored = true;
            }
            11..=13 => {
                if let Some((name, shape)) = self.declared(value.bytes()?, given)? {
                    self.entry(name).shape.get_or_insert(shape);
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

    pub(super) fn shape(&self, name: Option<&&str>) -> Option<&Shape> {
        self.known.get(*name?)?.shape.as_ref()
    }

    pub(super) fn value(&self, name: Option<&&str>) -> Option<&[i64]> {
        self.known.get(*name?)?.values.as_deref()
    }

    pub(super) fn is_stored(&self, name: Option<&&str>) -> bool {
        name.and_then(|name| self.known.get(*name)).is_some_and(|known| known.stored)
    }

    pub(super) fn symbol(&self, at: usize) -> &str {
        self.symbols.get(at).map_or("", |symbol| symbol)
    }

    /// Returns the name and the declared shape of a tensor.
    fn declared<'a>(
        &mut self,
        bytes: &'a [u8],
        given: &[(String, u64)],
    ) -> Result<Option<(&'a str, Shape)>, Malformed> {
        let (mut name, mut shape) = ("", None);
        for field in Fields::new(bytes) {
            match field? {
                (1, value) => name = value.text()?,
                (2, value) => {
                    // TypeProto.tensor_type.shape
                    if let Some(tensor) = inner(value, 1)?
                        && let Some(dims) = inner(Value::Bytes(tensor), 2)?
                    {
                        shape = Some(self.sizes(dims, given)?);
                    }
                }
                _ => {}
            }
        }
        Ok(shape.map(|shape| (name, shape)))
    }

    fn sizes(&mut self, bytes: &[u8], given: &[(String, u64)]) -> Result<Shape, Malformed> {
        let mut shape = Vec::new();
        for field in Fields::new(bytes) {
            let (1, value) = field? else { continue };
            if shape.len() >= DIMS_MAX {
                return Err(Malformed);
            }
            let mut dim = Dim::Unknown;
            for field in Fields::new(value.bytes()?) {
                match field? {
                    (1, value) => dim = u64::try_from(value.number()?).map_or(Dim::Unknown, Dim::Known),
                    (2, value) => {
                        let name = value.text()?;
                        let bound = given.iter().find(|(symbol, _)| symbol == name);
                        dim = match bound {
                            Some((_, size)) => Dim::Known(*size),
                            None if name.is_empty() => Dim::Unknown,
                            None => self.named(name),
                        };
                    }
                    _ => {}
                }
            }
            shape.push(dim);
        }
        Ok(shape)
    }

    /// Returns the size for a symbol. After 200 different symbols, further symbols become unknown sizes.
    fn named(&mut self, name: &str) -> Dim {
        match self.symbols.iter().position(|symbol| **symbol == *name) {
            Some(at) => Dim::Named(at),
            None if self.symbols.len() >= SYMBOLS_MAX => Dim::Unknown,
            None => {
                self.symbols.push(name.into());
                Dim::Named(self.symbols.len() - 1)
            }
        }
    }
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
