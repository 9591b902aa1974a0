//! Branches and loops: operations that contain graphs.

use super::evaluation::{Evaluation, Frame, name_of};
use super::graph::{Known, Node, Shape};
use super::wire::Fields;
use crate::note::{Note, Omitted};
use crate::product::Product;
use plain::quote;

/// Action after the last operation of a graph.
#[derive(Debug)]
pub(super) enum After {
    /// The whole model has been read.
    Nothing,
    /// The results of a branch become the results of the operation. If another branch has been read before, only what
    /// both have in common is known.
    Branch { outputs: Vec<String>, turn: Turn },
    /// The carried values and the collected values of a loop become the results of the operation.
    Loop { name: String, outputs: Vec<String>, first: Vec<Option<Shape>>, trips: Option<u64> },
}

/// Place of a branch among the branches that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Only,
    First,
    Second,
}

/// Begins to read the graphs of an operation. Returns false if the operation is not supported.
pub(super) fn enter(node: &Node<'_>, name: &str, times: u64, graph: &[u8], on: &mut Evaluation) -> bool {
    let outputs: Vec<String> = node.outputs.iter().map(|name| (*name).to_owned()).collect();
    let place = |inner: &[u8]| {
        let start = (inner.as_ptr() as usize).checked_sub(graph.as_ptr() as usize)?;
        Some(start..start.checked_add(inner.len())?).filter(|range| range.end <= graph.len())
    };
    match node.op {
        "If" => {
            let condition = on.tensors.value(node.inputs.first()).and_then(|list| list.first().copied());
            let branch = |name| node.graph(name).and_then(place);
            let (yes, no) = (branch("then_branch"), branch("else_branch"));
            let chosen = match condition {
                Some(0) => vec![no],
                Some(_) => vec![yes],
                None => {
                    on.work.notes.push(Note::OneOfBranches { name: name.to_owned() });
                    on.branches.push(on.work.products.len());
                    vec![yes, no]
                }
            };
            let Some(chosen) = chosen.into_iter().collect::<Option<Vec<_>>>() else { return false };
            let both = chosen.len() > 1;
            // The last frame is read first.
            for (at, range) in chosen.into_iter().enumerate() {
                let turn = if !both {
                    Turn::Only
                } else if at == 0 {
                    Turn::Second
                } else {
                    Turn::First
                };
                let after = After::Branch { outputs: outputs.clone(), turn };
                on.frames.push(Frame::new(range, times, after));
            }
            true
        }
        "Loop" | "Scan" => {
            let Some(body) = node.graph("body") else { return false };
            let Some(range) = place(body) else { return false };
            let Some(inputs) = inputs(body) else { return false };
            let bound = if node.op == "Loop" { begin_loop(node, &inputs, on) } else { begin_scan(node, &inputs, on) };
            let Some((first, trips)) = bound else { return false };
            let Some(times) = times.checked_mul(trips.unwrap_or(1)) else { return false };
            let after = After::Loop { name: name.to_owned(), outputs, first, trips };
            on.frames.push(Frame::new(range, times, after));
            true
        }
        _ => false,
    }
}

/// Names of the inputs of a body.
fn inputs(body: &[u8]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    for field in Fields::new(body) {
        if let (11, value) = field.ok()? {
            names.push(name_of(value).ok()?);
        }
    }
    Some(names)
}

/// Gives the inputs of a loop's body their shapes. Returns the shapes of the carried values, and the number of trips.
fn begin_loop(node: &Node<'_>, inputs: &[String], on: &mut Evaluation) -> Option<(Vec<Option<Shape>>, Option<u64>)> {
    let trips = on.tensors.value(node.inputs.first()).and_then(|list| u64::try_from(*list.first()?).ok());
    // A loop that ends by its condition has the largest number as its limit.
    let trips = trips.filter(|trips| *trips < 1 << 31);
    let (counters, carried) = inputs.split_at_checked(2)?;
    for name in counters {
        on.tensors.set(name, Known { shape: Some(vec![]), ..Known::default() });
    }
    let mut first = Vec::new();
    for (name, given) in carried.iter().zip(node.inputs.get(2..)?) {
        let shape = on.tensors.shape(Some(given)).cloned();
        on.tensors.set(name, Known { shape: shape.clone(), ..Known::default() });
        first.push(shape);
    }
    Some((first, trips))
}

/// Gives the inputs of a scan's body their shapes: the carried values, then one element of each list.
fn begin_scan(node: &Node<'_>, inputs: &[String], on: &mut Evaluation) -> Option<(Vec<Option<Shape>>, Option<u64>)> {
    let lists = usize::try_from(node.count("num_scan_inputs")?).ok()?;
    let carried = node.inputs.len().checked_sub(lists)?;
    let axis = |nth: usize| node.numbers("scan_input_axes").and_then(|axes| axes.get(nth).copied()).unwrap_or(0);
    let (mut first, mut trips) = (Vec::new(), None);
    for (at, (name, given)) in inputs.iter().zip(&node.inputs).enumerate() {
        let mut shape = on.tensors.shape(Some(given)).cloned();
        if at >= carried {
            let axis = usize::try_from(axis(at - carried)).ok()?;
            if let Some(shape) = shape.as_mut().filter(|shape| axis < shape.len()) {
                trips = shape.remove(axis);
            }
        } else {
            first.push(shape.clone());
        }
        on.tensors.set(name, Known { shape, ..Known::default() });
    }
    Some((first, trips))
}

impl Evaluation {
    /// Ends the last graph, and hands its results to the operation.
    pub(super) fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        match frame.after {
            After::Nothing => {}
            After::Branch { outputs, turn } => {
                match turn {
                    Turn::Only => {}
                    Turn::First => self.branches.push(self.work.products.len()),
                    Turn::Second => self.keep_larger_branch(),
                }
                for (output, result) in outputs.iter().zip(&frame.results) {
                    let mut known = self.tensors.known(result).cloned().unwrap_or_default();
                    let other = self.tensors.known(output).filter(|_| turn == Turn::Second);
                    if let Some(other) = other {
                        known.shape = known.shape.zip(other.shape.as_ref()).and_then(|(a, b)| common(&a, b));
                        known.values = known.values.filter(|values| Some(values) == other.values.as_ref());
                    }
                    self.tensors.set(output, Known { stored: false, ..known });
                }
            }
            After::Loop { name, outputs, first, trips } => {
                // A loop's body also returns its condition.
                let is_loop = frame.results.len() == outputs.len().saturating_add(1);
                let results = frame.results.get(usize::from(is_loop)..).unwrap_or(&[]);
                let mut changes = trips.is_none();
                for (at, (output, result)) in outputs.iter().zip(results).enumerate() {
                    let shape = self.tensors.shape(Some(&&**result)).cloned();
                    let shape = match first.get(at) {
                        Some(before) => {
                            // A value that grows from trip to trip has no single shape.
                            changes |= *before != shape;
                            shape.filter(|shape| before.as_ref() == Some(shape))
                        }
                        None => shape.map(|shape| [&[trips], &shape[..]].concat()),
                    };
                    self.tensors.set(output, Known { shape, ..Known::default() });
                }
                if changes {
                    self.work.uncounted.operations += 1;
                    self.work.uncounted.of += 1;
                    self.work.omit(|| Omitted::Trips { name: quote(&name) });
                }
            }
        }
    }
}

impl Evaluation {
    /// Drops the matmuls of the branch with less work, because only one of the branches runs.
    fn keep_larger_branch(&mut self) {
        let (Some(middle), Some(start)) = (self.branches.pop(), self.branches.pop()) else { return };
        let work = |products: &[Product]| products.iter().map(Product::executed_macs).fold(0, u128::saturating_add);
        let all = &mut self.work.products;
        let first = all.get(start..middle).map_or(0, work);
        let second = all.get(middle..).map_or(0, work);
        if first >= second {
            all.truncate(middle);
        } else {
            all.drain(start..middle);
        }
    }
}

/// Returns the sizes that two shapes have in common.
fn common(a: &Shape, b: &Shape) -> Option<Shape> {
    (a.len() == b.len()).then(|| a.iter().zip(b).map(|(a, b)| a.filter(|_| a == b)).collect())
}
