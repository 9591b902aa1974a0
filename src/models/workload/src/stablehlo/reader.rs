//! Reader of a program that arrives in pieces.

use std::collections::BTreeMap;

use super::program::{Act, Function, Loop, Program, Step};
use super::regions::{Braces, Region, Regions, TooDeep};
use super::sizes::{convolution, dot, dot_general, unit_dilation};
use super::text::{Extent, Statement, number, values};
use super::{Refusal, products};
use crate::lines;
use crate::note::Note;
use crate::product::Kind;
use crate::workload::Workload;

/// Maximum number of functions, matmuls, calls, loops and carried values in total.
const ITEMS_MAX: usize = 25_000;
/// Maximum bytes of all names together.
const NAME_BYTES_MAX: usize = 2 << 20;
/// Maximum number of values that a loop carries.
const CARRIED_MAX: usize = 1000;
/// Maximum number of parsed bytes at the beginning of a statement. In the rest of the statement, only braces are
/// tracked.
const STATEMENT_BYTES_MAX: usize = 1 << 18;
/// Maximum number of notes about single lines.
const NOTES_MAX: usize = 20;
/// Work limit of one call. A statement costs 1, and each stored item at least 16.
const WORK_MAX: usize = 16_000;

/// Reader of a program, with the part of the program that was read.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    program: Program,
    regions: Regions,
    constants: BTreeMap<Box<str>, i64>,
    items: usize,
    name_bytes: usize,
    work: usize,
    /// Number of lines that have been read completely.
    lines: usize,
    /// Braces of a long statement that continues in the next part. Only the first part of the statement was parsed.
    long: Option<Braces>,
}

impl From<TooDeep> for Refusal {
    fn from(_: TooDeep) -> Self {
        Self::TooDeep
    }
}

impl Reader {
    /// Reads the complete statements of a piece, and returns the number of bytes read. Returns 0 if the first statement
    /// continues after the piece.
    pub(crate) fn feed(&mut self, piece: &[u8], last: bool) -> Result<u64, Refusal> {
        let text = lines::text(piece, last).map_err(|valid| {
            let newlines = piece.iter().take(valid).filter(|byte| **byte == b'\n').count();
            Refusal::NotText { line: self.lines + newlines + 1 }
        })?;
        let mut rest = text;
        self.work = 0;
        while !rest.is_empty() && self.work < WORK_MAX {
            self.work += 1;
            let (bytes, lines, whole) = match Extent::of(rest, last) {
                Extent::Whole { bytes, lines } => (bytes, lines, true),
                Extent::Part { bytes, lines } => (bytes, lines, false),
                // The reader does not wait for the end of a long statement, because the first part contains its
                // operation.
                Extent::Open { bytes, lines, several }
                    if rest.len() >= STATEMENT_BYTES_MAX || self.long.is_some() && several =>
                {
                    (bytes, lines, false)
                }
                Extent::Open { .. } => break,
            };
            let (part, after) = rest.split_at(bytes);
            let mut braces = match self.long.take() {
                Some(braces) => braces,
                None => self.statement(part)?,
            };
            self.regions.follow(&mut braces, part)?;
            self.long = (!whole).then_some(braces);
            self.lines += lines;
            self.work += lines;
            rest = after;
        }
        Ok(u64::try_from(text.len() - rest.len()).unwrap_or(u64::MAX))
    }

    pub(crate) fn finish(self) -> Result<Workload, Refusal> {
        products(self.program)
    }

    /// Records the contents of a statement. Returns the state of the brace tracking before the first brace of the
    /// statement.
    fn statement(&mut self, text: &str) -> Result<Braces, Refusal> {
        let text = if self.lines == 0 { text.trim_start_matches('\u{feff}') } else { text };
        let statement = Statement::new(text, self.lines + 1);
        match statement.op {
            _ if statement.text.starts_with("//") => {}
            // The generic syntax has the attributes of the module at its end.
            _ if statement.text.starts_with("})") => self.partitions(statement.text),
            "func.func" => self.function(statement.rest)?,
            "while" => self.start_loop(&statement)?,
            "constant" => self.constant(&statement)?,
            "^bb0" => self.arguments(statement.text)?,
            "compare" | "add" | "return" => self.follow_loop(&statement)?,
            _ => self.step(&statement)?,
        }
        Ok(Braces::of(statement.text, statement.op, self.regions.pending.is_some()))
    }

    /// Counts items that will be stored.
    fn count(&mut self, items: usize) -> Result<(), Refusal> {
        self.items = self.items.saturating_add(items);
        self.work = self.work.saturating_add(items.saturating_mul(16));
        if self.items > ITEMS_MAX { Err(Refusal::TooLarge) } else { Ok(()) }
    }

    fn keep(&mut self, name: &str) -> Result<Box<str>, Refusal> {
        self.name_bytes = self.name_bytes.saturating_add(name.len());
        if self.name_bytes > NAME_BYTES_MAX { Err(Refusal::TooLarge) } else { Ok(name.into()) }
    }

    fn keep_all(&mut self, names: &[&str]) -> Result<Vec<Box<str>>, Refusal> {
        self.count(names.len())?;
        names.iter().map(|name| self.keep(name)).collect()
    }

    fn note(&mut self, note: Note) {
        if self.program.notes.len() < NOTES_MAX {
            self.program.notes.push(note);
        }
    }

    fn partitions(&mut self, attributes: &str) {
        if let Some(partitions) = number(attributes, "num_partitions") {
            self.program.partitions = partitions;
        }
    }

    fn function(&mut self, rest: &str) -> Result<(), Refusal> {
        self.constants.clear();
        let name = rest.split_once("sym_name = \"").map_or_else(
            || rest.split_once('@').map_or("", |(_, name)| plain::first_part(name, &['('])),
            |(_, name)| plain::first_part(name, &['"']),
        );
        self.count(1)?;
        let name = self.keep(name)?;
        self.program.functions.push(Function { name, steps: Vec::new() });
        Ok(())
    }

    fn arguments(&mut self, text: &str) -> Result<(), Refusal> {
        let Some(&(Region::Condition(at) | Region::Body(at))) = self.regions.open.last() else { return Ok(()) };
        let names: Vec<&str> = values(text).take(CARRIED_MAX).collect();
        let names = self.keep_all(&names)?;
        let in_body = matches!(self.regions.open.last(), Some(Region::Body(_)));
        if let Some(it) = self.program.loops.get_mut(at) {
            *(if in_body { &mut it.body } else { &mut it.condition }) = names;
        }
        Ok(())
    }

    fn constant(&mut self, statement: &Statement<'_>) -> Result<(), Refusal> {
        let value = statement.rest.split_once("dense<").and_then(|(_, rest)| rest.split('>').next()?.parse().ok());
        if let (Some(value), Some(name)) = (value, statement.result().strip_prefix('%')) {
            self.count(1)?;
            let name = self.keep(name)?;
            self.constants.insert(name, value);
        }
        Ok(())
    }

    fn start_loop(&mut self, statement: &Statement<'_>) -> Result<(), Refusal> {
        let inside = statement.rest.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
        let operands = inside.map_or("", |(inside, _)| inside);
        let mut it = Loop { line: statement.line, ..Loop::default() };
        let mut names: Vec<&str> = values(operands).take(2 * CARRIED_MAX).collect();
        // Only the pretty-printed syntax names the carried values here: `%iterArg = %0`.
        if operands.contains('=') {
            let carried: Vec<&str> = names.iter().copied().step_by(2).collect();
            names = names.into_iter().skip(1).step_by(2).collect();
            (it.condition, it.body) = (self.keep_all(&carried)?, self.keep_all(&carried)?);
        }
        self.count(1 + names.len())?;
        it.starts = names.iter().map(|name| self.constants.get(*name).copied()).collect();
        self.regions.pending = Some(self.program.loops.len());
        self.program.loops.push(it);
        Ok(())
    }

    /// Records a comparison, a sum or a return of a loop.
    fn follow_loop(&mut self, statement: &Statement<'_>) -> Result<(), Refusal> {
        let Some(&region) = self.regions.open.last() else { return Ok(()) };
        let (Region::Condition(at) | Region::Body(at)) = region else { return Ok(()) };
        let result = self.keep(statement.result().trim_start_matches('%'))?;
        let Some(it) = self.program.loops.get_mut(at) else { return Ok(()) };
        self.work = self.work.saturating_add(it.body.len() / 8);
        let (constants, rest) = (&self.constants, statement.rest);
        let mut operands = values(rest);
        let mut two = || (operands.next().unwrap_or(""), operands.next().unwrap_or(""));
        let place = |names: &[Box<str>], wanted: &str| names.iter().position(|name| **name == *wanted);
        match (region, statement.op) {
            (Region::Condition(_), "compare") => {
                let less = rest.trim_start().starts_with("LT,") || rest.contains("comparison_direction LT");
                let (a, b) = two();
                if let (true, Some(limit)) = (less, constants.get(b)) {
                    it.compared = place(&it.condition, a).map(|carried| (result, carried, *limit));
                }
            }
            (Region::Condition(_), "return") => {
                if let Some((name, carried, limit)) = &it.compared {
                    it.limit = operands.eq([&**name]).then_some((*carried, *limit));
                }
            }
            (Region::Body(_), "add") => {
                let (a, b) = two();
                let sum = |a, b| place(&it.body, a).zip(constants.get(b).copied());
                if let (Some(sum), true) = (sum(a, b).or_else(|| sum(b, a)), it.sums.len() < CARRIED_MAX) {
                    it.sums.insert(result, sum);
                    self.count(1)?;
                }
            }
            (Region::Body(_), "return") => {
                if let Some((counter, _)) = it.limit {
                    let sum = operands.nth(counter).and_then(|name| it.sums.get(name));
                    it.step = sum.filter(|(carried, _)| *carried == counter).map(|(_, step)| *step);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Records a matmul or a call.
    fn step(&mut self, statement: &Statement<'_>) -> Result<(), Refusal> {
        let (rest, line) = (statement.rest, statement.line);
        let sizes = match statement.op {
            "module" => {
                self.partitions(rest);
                return Ok(());
            }
            "chlo.ragged_dot" if !rest.contains("lhs_contracting_dimensions") => None,
            "dot_general" | "chlo.ragged_dot" => {
                dot_general(rest, &statement.types()).map(|sizes| (Kind::Plain, sizes))
            }
            "dot" => dot(&statement.types()).map(|sizes| (Kind::Plain, sizes)),
            "convolution" => {
                if !unit_dilation(rest) {
                    self.note(Note::Dilated { line });
                }
                convolution(rest, &statement.types()).map(|sizes| (Kind::Convolution, sizes))
            }
            "dynamic_conv" => None,
            "func.call" | "call" => return self.push(statement, Act::Call, callee(rest)),
            "composite" => {
                let callee = callee(rest.split_once("decomposition").map_or("", |(_, name)| name));
                return self.push(statement, Act::Call, callee);
            }
            "custom_call" => {
                let target = target(rest);
                if is_annotation(target) {
                    return Ok(());
                }
                return self.push(statement, Act::Foreign, target);
            }
            "cholesky" | "triangular_solve" | "fft" => {
                return self.push(statement, Act::Several, statement.op);
            }
            "if" | "case" => {
                self.note(Note::Branches { line });
                return Ok(());
            }
            _ => return Ok(()),
        };
        match sizes {
            Some((kind, sizes)) => self.push(statement, |name| Act::Product { kind, name, sizes }, statement.result()),
            None => self.push(statement, Act::Unknown, statement.result()),
        }
    }

    fn push(
        &mut self,
        statement: &Statement<'_>,
        act: impl FnOnce(Box<str>) -> Act,
        name: &str,
    ) -> Result<(), Refusal> {
        let loops: Box<[usize]> = self
            .regions
            .open
            .iter()
            .filter_map(|region| match region {
                // A condition runs about as often as the body. Conditions almost never contain matmuls.
                Region::Body(at) | Region::Condition(at) => Some(*at),
                Region::Function | Region::Local | Region::Other => None,
            })
            .collect();
        let is_local = self.regions.open.contains(&Region::Local);
        self.count(1 + loops.len() / 8)?;
        let act = act(self.keep(name)?);
        match self.program.functions.last_mut() {
            Some(function) => function.steps.push(Step { act, line: statement.line, loops, is_local }),
            None => {
                let given = plain::quote(statement.text);
                return Err(Refusal::NoFunction { line: statement.line, given });
            }
        }
        Ok(())
    }
}

/// Returns the name of the called function.
fn callee(text: &str) -> &str {
    let name = text.split_once('@').map_or("", |(_, name)| name);
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c))).unwrap_or(name.len());
    name.split_at(end).0.trim_end_matches('.')
}

/// Returns the target of a custom call: `@tpu_custom_call`, `@"a name"`, or `call_target_name = "tpu_custom_call"`.
fn target(text: &str) -> &str {
    let text = text.trim_start();
    // The configuration of a kernel may contain any text, so the pretty-printed syntax is not searched for
    // `call_target_name`.
    let quoted = if text.starts_with('@') { text.strip_prefix("@\"") } else { behind(text, "call_target_name = \"") };
    quoted.map_or_else(|| callee(text), |name| plain::first_part(name, &['"']))
}

fn behind<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.split_once(key).map(|(_, rest)| rest)
}

/// True if a custom call is only a placement annotation or elementwise arithmetic. Like all elementwise operations,
/// such a call is absent from the list of omissions.
fn is_annotation(target: &str) -> bool {
    const NAMES: [&str; 7] = [
        "Sharding",
        "SPMDFullToShardShape",
        "SPMDShardToFullShape",
        "LayoutConstraint",
        "MoveToDevice",
        "MoveToHost",
        "annotate_device_placement",
    ];
    NAMES.contains(&target) || target.starts_with("xla.sdy.") || target.starts_with("mhlo.")
}
