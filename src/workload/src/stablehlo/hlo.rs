//! Reader of XLA's own program text (HLO), as XLA dumps it before and after optimization.
//!
//! A module is a list of computations, each with one instruction on a line. Calls, fusions and loops run other
//! computations. After optimization, the sizes are those of one device, and loops say how often they run.

mod line;

use std::collections::HashMap;

use self::line::{Instruction, convolution, dot};
use super::program::{Act, Function, Loop, Program, Step};
use super::{Refusal, products};
use crate::lines;
use crate::note::Note;
use crate::product::Kind;
use crate::workload::Workload;

/// Maximum number of computations, matmuls, calls and loops in total.
const ITEMS_MAX: usize = 50_000;
/// Maximum number of values of a computation.
const VALUES_MAX: usize = 100_000;
/// Maximum bytes at the beginning of a line that are parsed.
const LINE_BYTES_MAX: usize = 1 << 17;
/// Number of lines that one call reads.
const LINES_PER_CALL: usize = 4_000;
/// Maximum number of notes about single lines.
const NOTES_MAX: usize = 20;

/// Facts about the values of one computation.
#[derive(Debug, Default)]
struct Values {
    shapes: HashMap<Box<str>, Vec<u64>>,
    constants: HashMap<Box<str>, i64>,
    /// Elements of the tuple that the computation receives.
    elements: HashMap<Box<str>, usize>,
    /// Elements plus a constant.
    sums: HashMap<Box<str>, (usize, i64)>,
    /// Operands of tuples.
    tuples: HashMap<Box<str>, Vec<Box<str>>>,
}

/// Facts about a computation that a loop needs.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// Element that the result compares with an exclusive upper limit.
    limit: Option<(usize, i64)>,
    /// For each element of the result, the element of the argument and the constant that were added.
    steps: HashMap<usize, (usize, i64)>,
}

/// Reader of a module that arrives in pieces.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    program: Program,
    values: Values,
    facts: HashMap<Box<str>, Facts>,
    items: usize,
    lines: usize,
    /// True inside a line whose beginning was parsed.
    in_long_line: bool,
    /// True if the sizes are those of one device.
    is_local: bool,
    has_module: bool,
}

impl Reader {
    /// Reads the complete lines of a piece, and returns the number of bytes read.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) -> Result<u64, Refusal> {
        let text = lines::text(piece, last).map_err(|valid| {
            let newlines = piece.iter().take(valid).filter(|byte| **byte == b'\n').count();
            Refusal::NotText { line: self.lines + newlines + 1 }
        })?;
        let mut rest = text;
        for _ in 0..LINES_PER_CALL {
            match rest.find('\n') {
                Some(end) => {
                    let (line, after) = rest.split_at(end + 1);
                    if !std::mem::take(&mut self.in_long_line) {
                        self.line(line)?;
                    }
                    self.lines += 1;
                    rest = after;
                }
                None if last || rest.len() > LINE_BYTES_MAX => {
                    if !std::mem::replace(&mut self.in_long_line, true) {
                        self.line(rest)?;
                    }
                    rest = "";
                    break;
                }
                None => break,
            }
        }
        Ok((text.len() - rest.len()) as u64)
    }

    pub(crate) fn finish(self) -> Result<Workload, Refusal> {
        let mut program = self.program;
        if program.functions.is_empty() {
            return Err(Refusal::NoComputation);
        }
        if self.is_local {
            program.partitions = 1;
        }
        products(program)
    }

    fn count(&mut self, items: usize) -> Result<(), Refusal> {
        self.items = self.items.saturating_add(items);
        let full = self.items > ITEMS_MAX || self.values.shapes.len() > VALUES_MAX;
        if full { Err(Refusal::TooLarge) } else { Ok(()) }
    }

    fn line(&mut self, line: &str) -> Result<(), Refusal> {
        let end = line.char_indices().nth(LINE_BYTES_MAX).map_or(line.len(), |(at, _)| at);
        let line = line.get(..end).unwrap_or(line).trim();
        if let Some(rest) = line.strip_prefix("HloModule") {
            self.has_module = true;
            // After optimization, every size is that of one device.
            self.is_local = rest.contains("is_scheduled=true");
            let named = line::after(rest, "num_partitions=").and_then(|text| line::digits(text).parse().ok());
            self.program.partitions = named.or_else(|| line::mesh(rest)).unwrap_or(1);
            return Ok(());
        }
        if line == "}" {
            self.values = Values::default();
            return Ok(());
        }
        if line.ends_with('{') && !line.contains(" = ") {
            return self.computation(line);
        }
        let Some(instruction) = Instruction::parse(line) else { return Ok(()) };
        if self.program.functions.is_empty() {
            return Ok(());
        }
        self.instruction(&instruction)
    }

    /// Begins a computation: `%name (a: f32[2]) -> f32[2] {`, or `ENTRY name {`.
    fn computation(&mut self, line: &str) -> Result<(), Refusal> {
        let (is_entry, name) = line.strip_prefix("ENTRY ").map_or((false, line), |name| (true, name));
        let name = plain::first_part(name.trim_start_matches('%'), &[' ', '(', '{']);
        if name.is_empty() || !self.has_module {
            return Ok(());
        }
        self.count(1)?;
        self.values = Values::default();
        // The partitioner adds this end to the name.
        self.is_local |= is_entry && name.ends_with("_spmd");
        let name = if is_entry { "main" } else { name };
        self.program.functions.push(Function { name: name.into(), steps: Vec::new() });
        Ok(())
    }

    fn instruction(&mut self, it: &Instruction<'_>) -> Result<(), Refusal> {
        if let Some(dims) = &it.dims {
            self.count(0)?;
            self.values.shapes.insert(it.name.into(), dims.clone());
        }
        if let Some(devices) = line::devices(it.attributes) {
            self.program.partitions = self.program.partitions.max(devices);
        }
        match it.op {
            "dot" => {
                let sizes = dot(it.attributes, &self.shapes(it));
                self.product(it, Kind::Plain, sizes)
            }
            "convolution" => {
                let sizes = convolution(it, &self.shapes(it));
                self.product(it, Kind::Convolution, sizes)
            }
            "custom-call" => self.custom_call(it),
            "call" | "fusion" | "map" | "async-start" | "call-start" => self.call(it, &["to_apply=", "calls="]),
            "conditional" => {
                if self.program.notes.len() < NOTES_MAX {
                    self.program.notes.push(Note::Branches { line: self.lines + 1 });
                }
                for name in line::names(it.attributes) {
                    self.push(Act::Call(name.into()), Vec::new())?;
                }
                Ok(())
            }
            "while" => self.start_loop(it),
            "cholesky" | "triangular-solve" | "fft" => self.push(Act::Several(it.op.into()), Vec::new()),
            "ragged-dot" => {
                let sizes = dot(it.attributes, &self.shapes(it)).filter(|[_, _, _, batch]| *batch == 1);
                self.product(it, Kind::Plain, sizes)
            }
            _ => {
                self.follow(it);
                Ok(())
            }
        }
    }

    /// Shapes of the operands.
    fn shapes(&self, it: &Instruction<'_>) -> Vec<Option<Vec<u64>>> {
        let of = |operand: &line::Operand<'_>| {
            operand.dims.clone().or_else(|| self.values.shapes.get(operand.name).cloned())
        };
        it.operands().iter().map(of).collect()
    }

    fn product(&mut self, it: &Instruction<'_>, kind: Kind, sizes: Option<[u64; 4]>) -> Result<(), Refusal> {
        let name: Box<str> = it.name.into();
        match sizes {
            Some(sizes) => self.push(Act::Product { kind, name, sizes }, Vec::new()),
            None => self.push(Act::Unknown(name), Vec::new()),
        }
    }

    /// Libraries multiply matrices by custom calls, whose configuration has the dimensions.
    fn custom_call(&mut self, it: &Instruction<'_>) -> Result<(), Refusal> {
        let target = line::quoted(it.attributes, "custom_call_target=").unwrap_or("");
        let is_gemm = target.starts_with("__cublas$") || target == "__onednn$matmul";
        if is_gemm && it.attributes.contains("lhs_contracting_dimensions") {
            let sizes = dot(it.attributes, &self.shapes(it));
            return self.product(it, Kind::Plain, sizes);
        }
        if target.starts_with("__cudnn$conv") || target == "__onednn$convolution" {
            let sizes = convolution(it, &self.shapes(it));
            return self.product(it, Kind::Convolution, sizes);
        }
        let is_known = super::reader::is_annotation(target)
            || ["xla.sdy.", "Sharding", "TopK", "AllocateBuffer", "AssumeGatherIndicesInBound", "annotate_device"]
                .iter()
                .any(|start| target.starts_with(start));
        if is_known { Ok(()) } else { self.push(Act::Foreign(target.into()), Vec::new()) }
    }

    fn call(&mut self, it: &Instruction<'_>, keys: &[&str]) -> Result<(), Refusal> {
        let name = keys.iter().find_map(|key| line::name_after(it.attributes, key));
        match name {
            Some(name) => self.push(Act::Call(name.into()), Vec::new()),
            None => Ok(()),
        }
    }

    fn start_loop(&mut self, it: &Instruction<'_>) -> Result<(), Refusal> {
        let Some(body) = line::name_after(it.attributes, "body=") else { return Ok(()) };
        let found = line::trip_count(it.attributes).or_else(|| self.trips(it, body));
        let mut own = Loop { line: self.lines + 1, ..Loop::default() };
        if let Some(trips) = found {
            // From 0 in steps of 1.
            (own.starts, own.limit, own.step) = (vec![Some(0)], Some((0, trips)), Some(1));
        }
        self.count(1)?;
        self.program.loops.push(own);
        self.push(Act::Call(body.into()), vec![self.program.loops.len() - 1])
    }

    /// Number of trips of a loop that counts an element from one constant to another.
    fn trips(&self, it: &Instruction<'_>, body: &str) -> Option<i64> {
        let condition = line::name_after(it.attributes, "condition=")?;
        let (element, limit) = self.facts.get(condition)?.limit?;
        let (from, step) = *self.facts.get(body)?.steps.get(&element)?;
        let tuple = it.operands().first().map(|operand| operand.name)?;
        let start = self.values.constants.get(self.values.tuples.get(tuple)?.get(element)?)?;
        if from != element || step <= 0 {
            return None;
        }
        let way = limit.checked_sub(*start)?.max(0).checked_add(step - 1)?;
        way.checked_div(step)
    }

    /// Follows the values that control loops.
    fn follow(&mut self, it: &Instruction<'_>) {
        let operands = it.operands();
        let operand = |at: usize| operands.get(at).map_or("", |operand| operand.name);
        let values = &mut self.values;
        match it.op {
            "constant" => {
                if let Ok(value) = it.inside.trim().parse() {
                    values.constants.insert(it.name.into(), value);
                }
            }
            "get-tuple-element" => {
                let index = line::after(it.attributes, "index=").and_then(|text| line::digits(text).parse().ok());
                if let Some(index) = index {
                    values.elements.insert(it.name.into(), index);
                }
            }
            // Values that are only moved keep what is known about them.
            "copy" | "bitcast" | "convert" | "reshape" => {
                if let Some(constant) = values.constants.get(operand(0)).copied() {
                    values.constants.insert(it.name.into(), constant);
                }
                if let Some(element) = values.elements.get(operand(0)).copied() {
                    values.elements.insert(it.name.into(), element);
                }
            }
            "add" => {
                let sum = |a, b| values.elements.get(a).copied().zip(values.constants.get(b).copied());
                let found = sum(operand(0), operand(1)).or_else(|| sum(operand(1), operand(0)));
                if let Some(found) = found {
                    values.sums.insert(it.name.into(), found);
                }
            }
            "compare" if it.is_root && it.attributes.contains("direction=LT") => {
                let limit = values.elements.get(operand(0)).copied().zip(values.constants.get(operand(1)).copied());
                self.fact(|facts| facts.limit = limit);
            }
            "tuple" => {
                let names = operands.iter().map(|operand| operand.name.into()).collect::<Vec<Box<str>>>();
                if it.is_root {
                    let sums = names.iter().enumerate().filter_map(|(at, name)| Some((at, *values.sums.get(name)?)));
                    let steps = sums.collect();
                    self.fact(|facts| facts.steps = steps);
                } else {
                    values.tuples.insert(it.name.into(), names);
                }
            }
            _ => {}
        }
    }

    fn fact(&mut self, set: impl FnOnce(&mut Facts)) {
        if let Some(function) = self.program.functions.last() {
            set(self.facts.entry(function.name.clone()).or_default());
        }
    }

    fn push(&mut self, act: Act, loops: Vec<usize>) -> Result<(), Refusal> {
        self.count(1)?;
        let line = self.lines + 1;
        if let Some(function) = self.program.functions.last_mut() {
            function.steps.push(Step { act, line, loops: loops.into(), is_local: false });
        }
        Ok(())
    }
}
