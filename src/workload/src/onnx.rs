//! Reader of ONNX models. The reader finds the matmuls of a graph from tensor shapes, which the file states or the
//! reader infers.
//!
//! The file is read in pieces, and the bytes of weights are never read. An operation whose shapes are neither stated
//! nor inferred is in [`Workload::left_out`]. The Python module `onnx.shape_inference` adds shapes to a file.

mod graph;
mod products;
mod shapes;
mod sieve;
mod slice;
mod values;
mod wire;

pub(crate) use self::graph::NODES_MAX;
use self::graph::{Dim, Node, Tensors};
use self::products::{NodeProduct, fits, multiplies, products};
use self::sieve::{Sieve, Stuck};
use self::wire::{Fields, Malformed, Value};
use crate::note::{Node as Missing, Omitted};
use crate::product::{Product, TooLarge};
use crate::workload::Workload;
use plain::quote;

/// Maximum number of symbols that a refusal lists.
const SYMBOLS_LISTED_MAX: usize = 20;
/// Work limit of one call: about the number of bytes that the call reads, plus a cost for each field.
const WORK_MAX: usize = 150_000;
/// Number of tensors that one call frees.
const TENSORS_FREED_PER_CALL: usize = 5_000;

/// Reason why the matmuls of a file cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The bytes are not a protocol buffer or not a model.
    NotOnnx,
    /// The model has no graph.
    NoGraph,
    /// The graph has too many operations or tensors.
    TooMany,
    /// Some sizes are symbols without values.
    Symbols {
        /// Names of the symbols, quoted.
        names: Vec<String>,
    },
    /// The sizes are too large to count exactly.
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

/// Returns the matmuls of a model. `symbols` gives values to symbolic sizes.
///
/// # Errors
/// [`Refusal`] if the file is not a supported model, or if symbolic sizes have no values.
pub fn workload(bytes: &[u8], symbols: &[(&str, u64)]) -> Result<Workload, Refusal> {
    let mut reader = Reader::new(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    reader.symbols = symbols.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let mut rest = bytes;
    while !reader.is_full() {
        let gone = usize::try_from(reader.feed(rest, true)?).unwrap_or(usize::MAX);
        rest = plain::after(rest, gone);
    }
    reader.finish()
}

/// Reader of a model that arrives in pieces. The reader first removes data that matmuls do not need, then reads the
/// tensors, then the operations in order.
#[derive(Debug)]
pub(crate) struct Reader {
    sieve: Sieve,
    symbols: Vec<(String, u64)>,
    /// Graph without the data that the sieve removed. `at` is the current position in the graph, first for the tensors,
    /// then for the operations.
    graph: Option<Vec<u8>>,
    at: usize,
    stage: Stage,
    tensors: Tensors,
    nodes: usize,
    work: Workload,
    unbound: Vec<String>,
}

/// Stage of the reading of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Tensors,
    Nodes,
    /// Frees the data about tensors in several calls, because freeing so much memory takes time.
    Forget,
    Over,
}

impl Reader {
    /// Creates a reader for a file of `size` bytes.
    pub(crate) fn new(size: u64) -> Self {
        Self {
            sieve: Sieve::new(size),
            symbols: Vec::new(),
            graph: None,
            at: 0,
            stage: Stage::Tensors,
            tensors: Tensors::default(),
            nodes: 0,
            work: Workload::default(),
            unbound: Vec::new(),
        }
    }

    /// Reads a part of a piece, or continues with the data already read. Returns the number of bytes from the start of
    /// this piece to the start of the next piece.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) -> Result<u64, Refusal> {
        if !self.sieve.is_full() {
            return self.sieve.feed(piece, last).map_err(|stuck| match stuck {
                Stuck::Malformed => Refusal::NotOnnx,
                Stuck::TooMuch => Refusal::TooMany,
            });
        }
        if self.stage == Stage::Forget {
            self.stage = if self.tensors.forget(TENSORS_FREED_PER_CALL) { Stage::Over } else { Stage::Forget };
            return Ok(0);
        }
        let graph = match self.graph.take() {
            Some(graph) => graph,
            None => self.sieve.graph().ok_or(Refusal::NoGraph)?,
        };
        let mut fields = Fields::new(plain::after(&graph, self.at));
        let before = fields.left();
        let mut cost = 0;
        while cost < WORK_MAX {
            let Some(field) = fields.next() else { break };
            let (number, value) = field?;
            let bytes = if let Value::Bytes(bytes) = value { bytes.len() } else { 0 };
            // Most fields are needed in only one of the stages.
            cost += match self.stage {
                Stage::Tensors if number > 2 => 64 + bytes,
                // The lookup of an operand costs the same whether its name is short or long.
                Stage::Nodes if number == 1 => 128 + 4 * bytes,
                _ => 8,
            };
            match (self.stage, number) {
                (Stage::Tensors, 2) => {
                    self.work.name = crate::name::quoted_name(value.text()?);
                }
                (Stage::Tensors, _) => self.tensors.read(number, value, &self.symbols)?,
                (Stage::Nodes, 1) => self.node(&Node::parse(value.bytes()?)?)?,
                _ => {}
            }
            if self.tensors.len() > NODES_MAX || self.nodes > NODES_MAX {
                return Err(Refusal::TooMany);
            }
        }
        self.at += before - fields.left();
        if fields.left() == 0 {
            self.at = 0;
            self.stage = if self.stage == Stage::Tensors { Stage::Nodes } else { Stage::Forget };
        }
        self.graph = Some(graph);
        Ok(0)
    }

    /// True if the whole model has been read.
    pub(crate) fn is_full(&self) -> bool {
        self.stage == Stage::Over
    }

    pub(crate) fn finish(self) -> Result<Workload, Refusal> {
        if self.unbound.is_empty() { Ok(self.work) } else { Err(Refusal::Symbols { names: self.unbound }) }
    }

    /// Adds the matmuls of an operation, or records an omission if the matmuls are unknown.
    fn node(&mut self, node: &Node<'_>) -> Result<(), Refusal> {
        shapes::infer(node, &mut self.tensors);
        let names = [node.name, node.outputs.first().copied().unwrap_or("")];
        let name: String = match names.iter().find(|name| !name.is_empty()) {
            Some(name) => crate::name::quoted_name(name),
            None => format!("{} {}", quote(node.op), self.nodes),
        };
        self.nodes += 1;
        let leave = |work: &mut Workload, what: Missing| {
            work.omit(|| Omitted::Node { op: quote(node.op), name: quote(&name), what });
        };
        let work = &mut self.work;
        if node.has_graph() {
            leave(work, Missing::Graphs);
        } else if !matches!(node.domain, "" | "ai.onnx") {
            leave(work, Missing::Foreign);
        } else if multiplies(node.op) && !fits(node, &self.tensors) {
            leave(work, Missing::Misfit);
        } else if multiplies(node.op) {
            let Some(found) = products(node, &self.tensors) else {
                leave(work, Missing::Shapeless);
                return Ok(());
            };
            for product in found {
                match sizes(&product) {
                    Ok(Some([m, k, n, count])) => {
                        let product = Product::new(name.clone(), product.kind, [m, k, n], count)?;
                        if product.executed_macs() > 0 {
                            work.products.push(product);
                        }
                    }
                    Ok(None) => leave(work, Missing::Shapeless),
                    Err(symbol) => {
                        let symbol = quote(self.tensors.symbol(symbol));
                        if self.unbound.len() < SYMBOLS_LISTED_MAX && !self.unbound.contains(&symbol) {
                            self.unbound.push(symbol);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns M, K, N and the count of a matmul. `None` if a size is unknown.
///
/// # Errors
/// The index of a symbol without a value.
fn sizes(product: &NodeProduct) -> Result<Option<[u64; 4]>, usize> {
    let mut sizes = [1u64; 4];
    for (size, factors) in sizes.iter_mut().zip(&product.sizes) {
        for factor in factors {
            match factor {
                Dim::Known(by) => *size = size.saturating_mul(*by),
                Dim::Named(symbol) => return Err(*symbol),
                Dim::Unknown => return Ok(None),
            }
        }
    }
    Ok(Some(sizes))
}
