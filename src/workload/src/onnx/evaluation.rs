//! Walk through the operations of a graph in order, with the graphs of its branches and loops.

use std::ops::Range;

use super::Refusal;
use super::flow::{After, enter};
use super::graph::{Dim, NODES_MAX, Node, Tensors};
use super::products::{NodeProduct, fits, multiplies, products};
use super::shapes;
use super::symbols::{Sizes, Symbol, symbols};
use super::wire::{Fields, Value};
use crate::note::{Node as Missing, Note, Omitted};
use crate::product::{Product, TooLarge};
use crate::workload::Workload;
use plain::quote;

/// Work limit of one call: about the number of bytes that the call reads, plus a cost for each field.
const WORK_MAX: usize = 150_000;
/// Number of tensors that one call frees.
const TENSORS_FREED_PER_CALL: usize = 5_000;
/// Maximum number of graphs in graphs.
const FRAMES_MAX: usize = 12;

/// A graph that is being read.
#[derive(Debug)]
pub(super) struct Frame {
    /// Place of the graph in the bytes.
    pub(super) range: Range<usize>,
    /// Current position in the graph, first for the tensors, then for the operations.
    at: usize,
    has_tensors: bool,
    /// Number of times that the graph runs.
    pub(super) times: u64,
    /// Names of the graph's results.
    pub(super) results: Vec<String>,
    /// Action after the last operation.
    pub(super) after: After,
}

impl Frame {
    pub(super) fn new(range: Range<usize>, times: u64, after: After) -> Self {
        Self { range, at: 0, has_tensors: false, times, results: Vec::new(), after }
    }
}

/// State of the walk.
#[derive(Debug)]
pub(super) struct Evaluation {
    pub(super) frames: Vec<Frame>,
    pub(super) tensors: Tensors,
    nodes: usize,
    pub(super) work: Workload,
    /// Number of matmuls before the branches that are being compared, and between them.
    pub(super) branches: Vec<usize>,
    /// True if the inputs have their sizes.
    is_bound: bool,
    is_second_walk: bool,
    is_over: bool,
}

impl Evaluation {
    /// Begins the walk through a graph of this length.
    pub(super) fn new(length: usize) -> Self {
        Self {
            frames: vec![Frame::new(0..length, 1, After::Nothing)],
            tensors: Tensors::default(),
            nodes: 0,
            work: Workload::default(),
            branches: Vec::new(),
            is_bound: false,
            is_second_walk: false,
            is_over: false,
        }
    }

    /// True if the stored tensors and the inputs of the whole graph have been read.
    pub(super) fn has_tensors(&self) -> bool {
        self.is_over || self.frames.first().is_none_or(|frame| frame.has_tensors)
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn finish(self) -> Workload {
        self.work
    }

    /// Returns the sizes of the inputs that have no value.
    pub(super) fn symbols(&self) -> Vec<Symbol> {
        let own = self.tensors.inputs.iter().filter(|input| !self.tensors.is_stored(Some(&&*input.name)));
        symbols(own)
    }

    /// Gives the inputs their sizes.
    pub(super) fn bind(&mut self, sizes: &Sizes) {
        let inputs = std::mem::take(&mut self.tensors.inputs);
        let symbols = self.symbols_of(&inputs);
        for input in &inputs {
            if !self.tensors.is_stored(Some(&&*input.name)) {
                let shape = (0..input.dims.len()).map(|at| sizes.size(input, at)).collect();
                self.tensors.entry(&input.name).shape.get_or_insert(shape);
            }
        }
        let bound = symbols.into_iter().filter_map(|symbol| Some((sizes.value(&symbol)?, symbol.name)));
        let bound: Vec<(String, u64)> = bound.map(|(value, name)| (name, value)).collect();
        if !bound.is_empty() {
            self.work.notes.push(Note::Sizes { bound });
        }
        self.is_bound = true;
    }

    /// Walks through the operations once more: some tools write operations before the operations that they need.
    fn walk_again(&mut self) {
        self.is_second_walk = true;
        self.nodes = 0;
        let sizes = self.work.notes.iter().filter(|note| matches!(note, Note::Sizes { .. })).cloned().collect();
        self.work = Workload { name: std::mem::take(&mut self.work.name), notes: sizes, ..Workload::default() };
        if let Some(frame) = self.frames.first_mut() {
            frame.at = 0;
        }
    }

    fn symbols_of(&self, inputs: &[super::graph::Input]) -> Vec<Symbol> {
        symbols(inputs.iter().filter(|input| !self.tensors.is_stored(Some(&&*input.name))))
    }

    /// Continues the walk for a limited time. The walk waits after the tensors until the inputs have their sizes.
    pub(super) fn run(&mut self, graph: &[u8]) -> Result<(), Refusal> {
        let mut cost = 0;
        while cost < WORK_MAX && !self.is_over {
            let Some(frame) = self.frames.last_mut() else {
                // The data about the tensors is freed in several calls, because freeing so much memory takes time.
                self.is_over = self.tensors.forget(TENSORS_FREED_PER_CALL);
                return Ok(());
            };
            let is_main = matches!(frame.after, After::Nothing);
            if frame.has_tensors && is_main && !self.is_bound {
                return Ok(());
            }
            let bytes = graph.get(frame.range.clone()).unwrap_or(&[]);
            let mut fields = Fields::new(plain::after(bytes, frame.at));
            let before = fields.left();
            let Some(field) = fields.next() else {
                if frame.has_tensors && is_main && self.work.uncounted.operations > 0 && !self.is_second_walk {
                    self.walk_again();
                } else if frame.has_tensors {
                    self.leave();
                } else {
                    frame.has_tensors = true;
                    frame.at = 0;
                }
                continue;
            };
            let (number, value) = field?;
            frame.at += before - fields.left();
            let length = if let Value::Bytes(bytes) = value { bytes.len() } else { 0 };
            match (frame.has_tensors, number) {
                (false, 2) if is_main => {
                    cost += 8;
                    self.work.name = crate::name::quoted_name(value.text()?);
                }
                // The inputs of a body get their shapes from the operation.
                (false, 11) if !is_main => cost += 8,
                (false, 12) if !is_main => {
                    cost += 64 + length;
                    frame.results.push(name_of(value)?);
                    self.tensors.read(number, value)?;
                }
                (false, 5 | 11..=13) => {
                    cost += 64 + length;
                    self.tensors.read(number, value)?;
                }
                (true, 1) => {
                    // The lookup of an operand costs the same whether its name is short or long.
                    cost += 128 + 4 * length.min(1 << 14);
                    let times = frame.times;
                    self.node(&Node::parse(value.bytes()?)?, times, graph)?;
                }
                _ => cost += 8,
            }
            if self.tensors.len() > NODES_MAX || self.nodes > NODES_MAX {
                return Err(Refusal::TooMany);
            }
        }
        Ok(())
    }

    /// Adds the matmuls of an operation, or records an omission if the matmuls are unknown.
    fn node(&mut self, node: &Node<'_>, times: u64, graph: &[u8]) -> Result<(), Refusal> {
        let names = [node.name, node.outputs.first().copied().unwrap_or("")];
        let name: String = match names.iter().find(|name| !name.is_empty()) {
            Some(name) => crate::name::quoted_name(name),
            None => format!("{} {}", quote(node.op), self.nodes),
        };
        self.nodes += 1;
        if node.has_graph() {
            let entered = self.frames.len() < FRAMES_MAX && enter(node, &name, times, graph, self);
            if !entered {
                self.leave_out(node, &name, Missing::Graphs);
            }
            return Ok(());
        }
        shapes::infer(node, &mut self.tensors);
        let is_known = matches!(node.domain, "" | "ai.onnx" | "com.microsoft" | "com.ms.internal.nhwc");
        if !is_known {
            // An operation without weights is no matmul of the model.
            let weights = node.inputs.iter().any(|name| {
                self.tensors.is_stored(Some(name)) && self.tensors.shape(Some(name)).is_some_and(|dims| dims.len() > 1)
            });
            if weights {
                self.leave_out(node, &name, Missing::Foreign);
            }
        } else if multiplies(node) && !fits(node, &self.tensors) {
            self.leave_out(node, &name, Missing::Misfit);
        } else if multiplies(node) {
            let found = products(node, &self.tensors);
            let sized: Option<Vec<_>> =
                found.and_then(|found| found.iter().map(|one| Some((one.kind, sizes(one)?))).collect());
            let Some(sized) = sized else {
                self.leave_out(node, &name, Missing::Shapeless);
                return Ok(());
            };
            self.work.uncounted.of += 1;
            for (kind, [m, k, n, count]) in sized {
                let count = count.checked_mul(times).ok_or(TooLarge)?;
                let product = Product::new(name.clone(), kind, [m, k, n], count)?;
                if product.executed_macs() > 0 {
                    self.work.products.push(product);
                }
            }
        }
        Ok(())
    }

    pub(super) fn leave_out(&mut self, node: &Node<'_>, name: &str, what: Missing) {
        self.work.uncounted.of += 1;
        self.work.uncounted.operations += 1;
        self.work.omit(|| Omitted::Node { op: quote(node.op), name: quote(name), what });
    }
}

/// Returns the name of a declared tensor.
pub(super) fn name_of(value: Value<'_>) -> Result<String, Refusal> {
    for field in Fields::new(value.bytes()?) {
        if let (1, value) = field? {
            return Ok(value.text()?.to_owned());
        }
    }
    Ok(String::new())
}

/// Returns M, K, N and the count of a matmul. `None` if a size is unknown.
fn sizes(product: &NodeProduct) -> Option<[u64; 4]> {
    let of = |factors: &[Dim]| factors.iter().try_fold(1u64, |size, factor| factor.map(|by| size.saturating_mul(by)));
    let [m, k, n, count] = &product.sizes;
    Some([of(m)?, of(k)?, of(n)?, of(count)?])
}
