//! ONNX models: the products of a graph, by the shapes it states and those that follow from them.
//!
//! The file is read in place and no weight is looked at. An operation whose shapes neither are stated nor follow is
//! named in [`Workload::left_out`]; `onnx.shape_inference` writes shapes into a file.

mod graph;
mod products;
mod shapes;
mod wire;

use std::fmt;

use self::graph::{Dim, MOST, Node, Tensors};
use self::products::{Product, multiplies, products};
use self::wire::{Fields, Malformed, Value};
use crate::gemm::{Gemm, TooLarge};
use crate::quote::quote;
use crate::workload::{LeftOut, Workload};

/// Symbols that are listed in a refusal.
const MOST_SYMBOLS: usize = 20;
/// Operations that are listed as left out, one by one.
const MOST_LEFT_OUT: usize = 200;

/// Why a file gives no products.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The bytes are no protocol buffer, or no model.
    NotOnnx,
    /// There is no graph in it.
    NoGraph,
    /// There are more operations or tensors than are read.
    TooMany,
    /// Sizes are symbols that need values.
    Symbols {
        /// Their names, as quoted.
        names: Vec<String>,
    },
    /// The sizes together are beyond what is added up exactly.
    TooLarge,
}

impl From<Malformed> for Refusal {
    fn from(_: Malformed) -> Self {
        Self::NotOnnx
    }
}

impl From<TooLarge> for Refusal {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotOnnx => f.write_str("This is not an ONNX file; allowed is a model that onnx.save wrote."),
            Self::NoGraph => f.write_str("The model has no graph; allowed is one with operations."),
            Self::TooMany => write!(f, "The graph is too large; allowed are {MOST} operations and as many tensors."),
            Self::Symbols { names } => {
                write!(f, "Some sizes are symbols: {}; allowed is a value for each.", names.join(", "))
            }
            Self::TooLarge => TooLarge.fmt(f),
        }
    }
}

/// The products of a model, with values for its symbolic sizes.
///
/// # Errors
/// [`Refusal`], one sentence on what is wrong or needed.
pub fn workload(bytes: &[u8], symbols: &[(&str, u64)]) -> Result<Workload, Refusal> {
    let mut graph = None;
    for field in Fields::new(bytes) {
        match field? {
            (7, Value::Bytes(bytes)) => graph = Some(bytes),
            (7, _) => return Err(Refusal::NotOnnx),
            _ => {}
        }
    }
    let graph = graph.ok_or(Refusal::NoGraph)?;
    let mut tensors = Tensors::of(graph, symbols)?.ok_or(Refusal::TooMany)?;
    let mut work = Workload::default();
    let mut unbound: Vec<String> = Vec::new();
    let mut nodes = 0;
    for field in Fields::new(graph) {
        match field? {
            (1, value) => {
                nodes += 1;
                if nodes > MOST || tensors.shapes.len() > MOST {
                    return Err(Refusal::TooMany);
                }
                let node = Node::parse(value.bytes()?)?;
                shapes::infer(&node, &mut tensors);
                add(&node, nodes - 1, &tensors, &mut work, &mut unbound)?;
            }
            (2, value) => work.name = value.text()?.chars().filter(|c| !c.is_control()).take(80).collect(),
            _ => {}
        }
    }
    if unbound.is_empty() { Ok(work) } else { Err(Refusal::Symbols { names: unbound }) }
}

/// Adds the products of an operation, or names it where it has some that are not known.
fn add(
    node: &Node<'_>,
    at: usize,
    tensors: &Tensors<'_>,
    work: &mut Workload,
    unbound: &mut Vec<String>,
) -> Result<(), Refusal> {
    let name = match [node.name, node.outputs.first().copied().unwrap_or_default()].iter().find(|name| !name.is_empty())
    {
        Some(name) => name.chars().filter(|c| !c.is_control()).take(80).collect(),
        None => format!("{} {at}", node.op),
    };
    let leave = |work: &mut Workload, why: &str| {
        if work.left_out.len() < MOST_LEFT_OUT {
            work.left_out.push(LeftOut::unknown(format!("{} {}, {why}", quote(node.op), quote(&name))));
        }
    };
    if node.has_graph() {
        leave(work, "which runs graphs of its own");
    } else if !matches!(node.domain, "" | "ai.onnx") {
        leave(work, "which is no operation of ONNX itself");
    } else if multiplies(node.op) {
        let Some(found) = products(node, tensors) else {
            leave(work, "whose shapes are not known");
            return Ok(());
        };
        for product in found {
            match sizes(&product) {
                Ok(Some([m, k, n, count])) => work.gemms.push(Gemm::new(name.clone(), product.kind, [m, k, n], count)?),
                Ok(None) => leave(work, "whose shapes are not known"),
                Err(symbol) => {
                    let symbol = quote(symbol);
                    if unbound.len() < MOST_SYMBOLS && !unbound.contains(&symbol) {
                        unbound.push(symbol);
                    }
                }
            }
        }
    }
    Ok(())
}

/// M, K, N and count; `None` where one is unknown, the symbol where one has no value.
fn sizes<'a>(product: &Product<'a>) -> Result<Option<[u64; 4]>, &'a str> {
    let mut sizes = [1u64; 4];
    for (size, factors) in sizes.iter_mut().zip(&product.sizes) {
        for factor in factors {
            match factor {
                Dim::Known(by) => *size = size.saturating_mul(*by),
                Dim::Named(symbol) => return Err(symbol),
                Dim::Unknown => return Ok(None),
            }
        }
    }
    Ok(Some(sizes))
}
