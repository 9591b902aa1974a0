//! The graph of an ONNX model: nodes, and what is written of the shapes and small values of their tensors.

use std::collections::HashMap;

use super::wire::{Fields, Malformed, Value};

/// Nodes, and named tensors, that are read.
pub(super) const MOST: usize = 50_000;
/// Dimensions of a tensor, and elements of one whose values are kept.
pub(super) const MOST_DIMS: usize = 16;
/// Whole numbers of 64 bits, in ONNX's list of element types.
const INT64: i64 = 7;

/// A size of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dim<'a> {
    Known(u64),
    /// A symbol that nobody gave a value.
    Named(&'a str),
    Unknown,
}

pub(super) type Shape<'a> = Vec<Dim<'a>>;

/// What is known of the tensors, by name.
#[derive(Debug, Default)]
pub(super) struct Tensors<'a> {
    pub(super) shapes: HashMap<&'a str, Shape<'a>>,
    /// Short lists of whole numbers: shapes and axes.
    pub(super) values: HashMap<&'a str, Vec<i64>>,
    /// Tensors that are stored in the file: weights.
    pub(super) stored: HashMap<&'a str, ()>,
}

/// One operation.
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
                (1, value) if node.inputs.len() < MOST => node.inputs.push(value.text()?),
                (2, value) if node.outputs.len() < MOST => node.outputs.push(value.text()?),
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

    /// The dimensions and, where it is a short list of whole numbers, the values of a tensor attribute.
    pub(super) fn tensor(&self, name: &str) -> Option<(Vec<i64>, Option<Vec<i64>>)> {
        let tensor = Tensor::parse(self.attribute(name)?.tensor?).ok()?;
        Some((tensor.dims, tensor.values))
    }

    /// Whether it runs graphs of its own.
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
            (8, value) => value.numbers(&mut attribute.numbers, MOST_DIMS)?,
            _ => {}
        }
    }
    Ok((name, attribute))
}

/// A tensor that is stored in the file, its bulk left where it is.
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
                (1, value) => value.numbers(&mut dims, MOST_DIMS)?,
                (2, value) => kind = value.number()?,
                (7, value) => value.numbers(&mut values, MOST_DIMS)?,
                (8, value) => name = value.text()?,
                (9, value) => raw = value.bytes()?,
                _ => {}
            }
        }
        if values.is_empty() {
            let numbers = raw.chunks_exact(8).take(MOST_DIMS).filter_map(|chunk| chunk.first_chunk::<8>());
            values.extend(numbers.map(|chunk| i64::from_le_bytes(*chunk)));
        }
        let count = dims.iter().try_fold(1i64, |product, &by| product.checked_mul(by));
        let whole = kind == INT64 && count == i64::try_from(values.len()).ok();
        Ok(Self { name, dims, values: whole.then_some(values) })
    }
}

/// The sizes of a stored shape.
pub(super) fn known<'a>(dims: &[i64]) -> Shape<'a> {
    dims.iter().map(|&dim| u64::try_from(dim).map_or(Dim::Unknown, Dim::Known)).collect()
}

impl<'a> Tensors<'a> {
    /// Everything that a graph says of its tensors, before any operation is looked at.
    pub(super) fn of(graph: &'a [u8], symbols: &[(&str, u64)]) -> Result<Option<Self>, Malformed> {
        let mut tensors = Self::default();
        for field in Fields::new(graph) {
            match field? {
                (5, value) => {
                    let tensor = Tensor::parse(value.bytes()?)?;
                    tensors.shapes.insert(tensor.name, known(&tensor.dims));
                    tensors.stored.insert(tensor.name, ());
                    if let Some(values) = tensor.values {
                        tensors.values.insert(tensor.name, values);
                    }
                }
                (11..=13, value) => {
                    if let Some((name, shape)) = declared(value.bytes()?, symbols)? {
                        tensors.shapes.entry(name).or_insert(shape);
                    }
                }
                _ => {}
            }
            if tensors.shapes.len() > MOST {
                return Ok(None);
            }
        }
        Ok(Some(tensors))
    }

    pub(super) fn shape(&self, name: Option<&&'a str>) -> Option<&Shape<'a>> {
        self.shapes.get(*name?)
    }

    pub(super) fn value(&self, name: Option<&&'a str>) -> Option<&[i64]> {
        self.values.get(*name?).map(Vec::as_slice)
    }
}

/// A name and the shape it is declared to have.
fn declared<'a>(bytes: &'a [u8], symbols: &[(&str, u64)]) -> Result<Option<(&'a str, Shape<'a>)>, Malformed> {
    let (mut name, mut shape) = ("", None);
    for field in Fields::new(bytes) {
        match field? {
            (1, value) => name = value.text()?,
            (2, value) => {
                // TypeProto.tensor_type.shape
                if let Some(tensor) = inner(value, 1)?
                    && let Some(dims) = inner(Value::Bytes(tensor), 2)?
                {
                    shape = Some(sizes(dims, symbols)?);
                }
            }
            _ => {}
        }
    }
    Ok(shape.map(|shape| (name, shape)))
}

/// The last field of that number inside a message, where it is a message too.
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

fn sizes<'a>(bytes: &'a [u8], symbols: &[(&str, u64)]) -> Result<Shape<'a>, Malformed> {
    let mut shape = Vec::new();
    for field in Fields::new(bytes) {
        let (1, value) = field? else { continue };
        if shape.len() >= MOST_DIMS {
            return Err(Malformed);
        }
        let mut dim = Dim::Unknown;
        for field in Fields::new(value.bytes()?) {
            match field? {
                (1, value) => dim = u64::try_from(value.number()?).map_or(Dim::Unknown, Dim::Known),
                (2, value) => {
                    let name = value.text()?;
                    let bound = symbols.iter().find(|(symbol, _)| *symbol == name);
                    dim = match bound {
                        Some((_, size)) => Dim::Known(*size),
                        None if name.is_empty() => Dim::Unknown,
                        None => Dim::Named(name),
                    };
                }
                _ => {}
            }
        }
        shape.push(dim);
    }
    Ok(shape)
}
