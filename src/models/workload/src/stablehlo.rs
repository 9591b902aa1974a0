//! Reader of StableHLO text, as JAX and PyTorch/XLA print it. The reader counts matmuls and convolutions. Loops and
//! calls around an operation multiply the count of the operation.

mod program;
mod reader;
mod regions;
mod sizes;
mod text;

use std::collections::{HashMap, VecDeque};

use self::program::{Act, Function, Loop, Program};
pub(crate) use self::reader::Reader;
use crate::limits::PIECE_MAX;
use crate::note::{Note, Omitted, Statement};
use crate::product::{Product, TooLarge};
use crate::workload::Workload;
use plain::quote;

/// Reason why the matmuls of a text cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The text contains bytes that are not UTF-8.
    NotText {
        /// Line of the first invalid byte, counted from 1.
        line: usize,
    },
    /// The text contains no function.
    NotStableHlo,
    /// An operation is outside any function.
    NoFunction {
        /// Line of the operation, counted from 1.
        line: usize,
        /// Beginning of the operation, quoted.
        given: String,
    },
    /// A function calls itself.
    Recursion {
        /// Name of the function, quoted.
        name: String,
    },
    /// Regions are nested too deeply.
    TooDeep,
    /// The program has too many operations or names, or its sizes are too large to count exactly.
    TooLarge,
}

impl From<TooLarge> for Refusal {
    fn from(_: TooLarge) -> Self {
        Self::TooLarge
    }
}

/// Returns the matmuls of a program, starting at the function `main`, or at the first function if there is no `main`.
///
/// # Errors
/// [`Refusal`] if the text is not a supported program.
pub fn workload(text: &str) -> Result<Workload, Refusal> {
    let (mut reader, mut rest) = (Reader::default(), text.as_bytes());
    while !rest.is_empty() {
        let piece = rest.get(..PIECE_MAX).unwrap_or(rest);
        let gone = usize::try_from(reader.feed(piece, piece.len() == rest.len())?).unwrap_or(usize::MAX);
        rest = plain::after(rest, gone);
    }
    reader.finish()
}

/// Returns the matmuls of a parsed program.
fn products(mut program: Program) -> Result<Workload, Refusal> {
    let trips: Vec<Option<u64>> = program.loops.iter().map(Loop::trips).collect();
    let times = runs(&program.functions, &trips)?;
    let mut work = Workload { notes: std::mem::take(&mut program.notes), ..Workload::default() };
    if program.partitions > 1 {
        work.notes.push(Note::Partitions { n: program.partitions });
    }
    let mut unknown = vec![false; trips.len()];
    let local = locals(&program.functions);
    let reached = program.functions.iter().zip(&times).zip(local).filter(|((_, times), _)| **times > 0);
    for ((function, times), is_local) in reached {
        for step in &function.steps {
            match &step.act {
                Act::Call(_) => {}
                Act::Unknown(name) => {
                    work.omit(|| omitted(name, step.line, Statement::Sizeless));
                    continue;
                }
                Act::Foreign(name) => {
                    work.omit(|| omitted(name, step.line, Statement::Custom));
                    continue;
                }
                Act::Several(name) => {
                    work.omit(|| omitted(name, step.line, Statement::Several));
                    continue;
                }
                Act::Product { kind, name, sizes: [m, k, n, count] } => {
                    let count =
                        repeated(&step.loops, &trips).and_then(|all| all.checked_mul(*times)?.checked_mul(*count));
                    let partitions = if is_local || step.is_local { 1 } else { program.partitions };
                    let sizes = shared([*m, *k, *n], partitions);
                    let product = Product::new(short(name), *kind, sizes, count.ok_or(TooLarge)?)?;
                    if product.executed_macs() > 0 {
                        work.products.push(product);
                    }
                }
            }
            for &at in &step.loops {
                if let Some(unknown) = unknown.get_mut(at) {
                    *unknown = trips.get(at).is_none_or(Option::is_none);
                }
            }
        }
    }
    for (it, _) in program.loops.iter().zip(unknown).filter(|(_, unknown)| *unknown) {
        work.omit(|| Omitted::Runs { line: it.line });
    }
    Ok(work)
}

/// Returns true for each function whose sizes are those of one device: bodies of `shard_map`, and the functions that
/// they call.
fn locals(functions: &[Function]) -> Vec<bool> {
    let places: HashMap<&str, usize> =
        functions.iter().enumerate().map(|(at, function)| (&*function.name, at)).collect();
    let mut local: Vec<bool> = functions.iter().map(Function::is_local).collect();
    let mut open: Vec<usize> = (0..functions.len()).collect();
    while let Some(at) = open.pop() {
        let Some(function) = functions.get(at) else { continue };
        let of_function = local.get(at).copied().unwrap_or(false);
        for step in function.steps.iter().filter(|step| of_function || step.is_local) {
            let Act::Call(name) = &step.act else { continue };
            let Some(&callee) = places.get(&**name) else { continue };
            if let Some(known @ false) = local.get_mut(callee) {
                *known = true;
                open.push(callee);
            }
        }
    }
    local
}

/// Returns the sizes of one partition's share. The first divisible size of M, N and K is divided. If none is divisible,
/// M is divided and rounded up.
fn shared([m, k, n]: [u64; 3], partitions: u64) -> [u64; 3] {
    match partitions.max(1) {
        by if m % by == 0 => [m / by, k, n],
        by if n % by == 0 => [m, k, n / by],
        by if k % by == 0 => [m, k / by, n],
        by => [m.div_ceil(by), k, n],
    }
}

/// Creates an omission for an operation whose matmuls cannot be counted.
fn omitted(name: &str, line: usize, what: Statement) -> Omitted {
    Omitted::Statement { name: quote(name), line, what }
}

/// Returns the first 80 characters of a name.
fn short(name: &str) -> &str {
    name.char_indices().nth(80).and_then(|(end, _)| name.get(..end)).unwrap_or(name)
}

/// Multiplies the trip counts of nested loops. An unknown trip count is taken as 1. `None` on overflow.
fn repeated(loops: &[usize], trips: &[Option<u64>]) -> Option<u64> {
    let lengths = loops.iter().map(|&at| trips.get(at).copied().flatten().unwrap_or(1));
    lengths.into_iter().try_fold(1u64, u64::checked_mul)
}

/// Returns the number of runs of each function, computed for callers before callees.
fn runs(functions: &[Function], trips: &[Option<u64>]) -> Result<Vec<u64>, Refusal> {
    let places: HashMap<&str, usize> =
        functions.iter().enumerate().map(|(at, function)| (&*function.name, at)).collect();
    let calls = |at: usize| {
        let steps = functions.get(at).map_or(&[][..], |function| &function.steps);
        steps.iter().filter_map(|step| match &step.act {
            Act::Call(name) => places.get(&**name).map(|&callee| (callee, &step.loops)),
            Act::Product { .. } | Act::Unknown(_) | Act::Foreign(_) | Act::Several(_) => None,
        })
    };
    let mut callers = vec![0u64; functions.len()];
    for (callee, _) in (0..functions.len()).flat_map(calls) {
        if let Some(callers) = callers.get_mut(callee) {
            *callers += 1;
        }
    }
    let mut times = vec![0u64; functions.len()];
    let main = places.get("main").copied().unwrap_or(0);
    *times.get_mut(main).ok_or(Refusal::NotStableHlo)? = 1;
    let mut ready: VecDeque<usize> = (0..functions.len()).filter(|&at| callers.get(at) == Some(&0)).collect();
    while let Some(at) = ready.pop_front() {
        let own = times.get(at).copied().unwrap_or(0);
        for (callee, loops) in calls(at) {
            let more = repeated(loops, trips).and_then(|all| all.checked_mul(own)).ok_or(Refusal::TooLarge)?;
            if let (Some(times), Some(callers)) = (times.get_mut(callee), callers.get_mut(callee)) {
                *times = times.checked_add(more).ok_or(Refusal::TooLarge)?;
                *callers -= 1;
                if *callers == 0 {
                    ready.push_back(callee);
                }
            }
        }
    }
    // A function that still waits for a caller is part of a cycle of calls.
    let circle = functions.iter().zip(&callers).find(|(_, callers)| **callers > 0);
    circle.map_or(Ok(times), |(function, _)| Err(Refusal::Recursion { name: quote(&function.name) }))
}
