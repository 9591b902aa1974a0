//! Reader of ONNX models. The reader finds the matmuls of a graph from tensor shapes, which the reader infers from the
//! sizes of the inputs.
//!
//! The file is read in pieces, and the bytes of weights are never read. An operation whose shapes cannot be inferred is
//! in [`Workload::left_out`], and [`Workload::uncounted`] says how many there are.

mod evaluation;
mod flow;
mod graph;
mod microsoft;
mod products;
mod shapes;
mod sieve;
mod slice;
mod symbols;
mod values;
mod wire;

use self::evaluation::Evaluation;
pub(crate) use self::graph::NODES_MAX;
use self::sieve::{Sieve, Stuck};
pub use self::symbols::{Role, Sizes, Symbol};
use self::wire::Malformed;
use crate::import::PRODUCTS_MAX;
use crate::product::TooLarge;
use crate::workload::Workload;
use plain::quote;

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
    let mut rest = bytes;
    while !reader.is_full() {
        let gone = usize::try_from(reader.feed(rest, true)?).unwrap_or(usize::MAX);
        rest = plain::after(rest, gone);
    }
    match reader.finish()? {
        Model::Products(work) => Ok(work),
        Model::Graph(graph) => {
            let named = symbols.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
            graph.workload(&Sizes { named, ..Sizes::default() })
        }
    }
}

/// A graph whose inputs have sizes without values.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    /// The graph without its weights.
    bytes: Vec<u8>,
    symbols: Vec<Symbol>,
}

impl Graph {
    /// Returns the sizes that need a value.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Returns the matmuls for these sizes.
    ///
    /// # Errors
    /// [`Refusal`] if a symbol has no value, or if the sizes are too large.
    pub fn workload(&self, sizes: &Sizes) -> Result<Workload, Refusal> {
        let open = self.symbols.iter().filter(|symbol| sizes.value(symbol).is_none());
        let names: Vec<String> = open.map(|symbol| quote(&symbol.name)).collect();
        if !names.is_empty() {
            return Err(Refusal::Symbols { names });
        }
        let mut evaluation = Evaluation::new(self.bytes.len());
        while !evaluation.has_tensors() {
            evaluation.run(&self.bytes)?;
        }
        evaluation.bind(sizes);
        while !evaluation.is_over() {
            evaluation.run(&self.bytes)?;
        }
        let work = evaluation.finish();
        if work.products.len() > PRODUCTS_MAX { Err(Refusal::TooMany) } else { Ok(work) }
    }
}

/// Result of a reader.
pub(crate) enum Model {
    Products(Workload),
    Graph(Graph),
}

/// Reader of a model that arrives in pieces. The reader first removes data that matmuls do not need, then reads the
/// tensors, then the operations in order.
#[derive(Debug)]
pub(crate) struct Reader {
    sieve: Sieve,
    graph: Option<Vec<u8>>,
    evaluation: Evaluation,
    symbols: Option<Vec<Symbol>>,
}

impl Reader {
    /// Creates a reader for a file of `size` bytes.
    pub(crate) fn new(size: u64) -> Self {
        Self { sieve: Sieve::new(size), graph: None, evaluation: Evaluation::new(0), symbols: None }
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
        let graph = match self.graph.take() {
            Some(graph) => graph,
            None => {
                let graph = self.sieve.graph().ok_or(Refusal::NoGraph)?;
                self.evaluation = Evaluation::new(graph.len());
                graph
            }
        };
        self.evaluation.run(&graph)?;
        if self.symbols.is_none() && self.evaluation.has_tensors() {
            self.symbols = Some(self.evaluation.symbols());
            self.evaluation.bind(&Sizes::default());
        }
        self.graph = Some(graph);
        Ok(0)
    }

    /// True if the whole model has been read.
    pub(crate) fn is_full(&self) -> bool {
        self.symbols.is_some() && self.evaluation.is_over()
    }

    pub(crate) fn finish(self) -> Result<Model, Refusal> {
        let work = self.evaluation.finish();
        match self.symbols.zip(self.graph) {
            // Symbols matter only if an operation that multiplies matrices needs them.
            Some((symbols, bytes)) if !symbols.is_empty() && work.uncounted.operations > 0 => {
                Ok(Model::Graph(Graph { bytes, symbols }))
            }
            _ => Ok(Model::Products(work)),
        }
    }
}
