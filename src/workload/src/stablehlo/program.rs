//! A program's functions: what each multiplies, calls and repeats.

use std::collections::HashMap;

use super::Refusal;
use super::text::{Statement, list, lists, number, statements, values};
use crate::gemm::Kind;

/// Regions inside each other, and functions, products, calls and loops altogether, that are read.
const DEEPEST: usize = 64;
const MOST: usize = 50_000;
/// Values that a loop may carry.
const MOST_CARRIED: usize = 1000;

/// A program as far as products of matrices go.
#[derive(Debug, Default)]
pub(super) struct Program<'a> {
    pub(super) functions: Vec<Function<'a>>,
    pub(super) loops: Vec<Loop<'a>>,
    pub(super) notes: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Function<'a> {
    pub(super) name: &'a str,
    pub(super) steps: Vec<Step<'a>>,
}

/// Something that a function does, inside of so many loops.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) act: Act<'a>,
    pub(super) line: usize,
    pub(super) loops: Vec<usize>,
}

#[derive(Debug)]
pub(super) enum Act<'a> {
    Call(&'a str),
    Product {
        kind: Kind,
        name: &'a str,
        sizes: [u64; 4],
    },
    /// A product whose sizes are not in the text.
    Unknown(&'a str),
}

/// A `while` that counts from one constant to another.
#[derive(Debug, Default)]
pub(super) struct Loop<'a> {
    pub(super) line: usize,
    starts: Vec<Option<i64>>,
    condition: Vec<&'a str>,
    body: Vec<&'a str>,
    /// The result of the comparison, which carried value it is of, and what that must stay below.
    compared: Option<(&'a str, usize, i64)>,
    limit: Option<(usize, i64)>,
    /// Results that are a carried value and so much more.
    sums: HashMap<&'a str, (usize, i64)>,
    step: Option<i64>,
}

impl Loop<'_> {
    /// How often it runs, where that is written.
    pub(super) fn trips(&self) -> Option<u64> {
        let (carried, limit) = self.limit?;
        let start = (*self.starts.get(carried)?)?;
        let step = u64::try_from(self.step?).ok().filter(|step| *step > 0)?;
        let way = u64::try_from(limit.checked_sub(start)?).unwrap_or(0);
        Some(way.div_ceil(step))
    }
}

/// What an open brace belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Region {
    Function,
    Condition(usize),
    Body(usize),
    Other,
}

/// A program being read.
#[derive(Default)]
struct Reader<'a> {
    program: Program<'a>,
    regions: Vec<Region>,
    constants: HashMap<&'a str, i64>,
    /// A loop whose regions are still to come.
    pending: Option<usize>,
    items: usize,
}

impl<'a> Program<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, Refusal> {
        let mut reader = Reader::default();
        for statement in statements(text) {
            if !statement.text.starts_with("//") {
                reader.read(statement)?;
            }
        }
        Ok(reader.program)
    }
}

impl<'a> Reader<'a> {
    fn read(&mut self, statement: Statement<'a>) -> Result<(), Refusal> {
        let text = statement.text;
        if let Some(rest) = statement.after("func.func") {
            self.constants.clear();
            let name = rest.split_once("sym_name = \"").map_or_else(
                || rest.split_once('@').map_or("", |(_, name)| name.split('(').next().unwrap_or_default()),
                |(_, name)| name.split('"').next().unwrap_or_default(),
            );
            self.count()?;
            self.program.functions.push(Function { name, steps: Vec::new() });
        } else if let Some(rest) = statement.after("stablehlo.while") {
            self.start_loop(statement, rest)?;
        } else if text.starts_with("^bb0(") {
            self.count()?;
            let arguments: Vec<&str> = values(text).take(MOST_CARRIED).collect();
            match self.regions.last() {
                Some(Region::Condition(at)) => self.with(*at, |it| it.condition = arguments),
                Some(Region::Body(at)) => self.with(*at, |it| it.body = arguments),
                _ => {}
            }
        } else if let Some(rest) = statement.after("stablehlo.constant") {
            self.constant(statement.result(), rest)?;
        } else {
            self.follow_loop(statement);
            self.step(statement)?;
        }
        self.braces(text)
    }

    fn count(&mut self) -> Result<(), Refusal> {
        self.items += 1;
        if self.items > MOST { Err(Refusal::TooLarge) } else { Ok(()) }
    }

    fn with(&mut self, at: usize, change: impl FnOnce(&mut Loop<'a>)) {
        if let Some(it) = self.program.loops.get_mut(at) {
            change(it);
        }
    }

    fn constant(&mut self, result: &'a str, rest: &'a str) -> Result<(), Refusal> {
        let value = rest.split_once("dense<").and_then(|(_, rest)| rest.split('>').next()?.parse().ok());
        if let (Some(value), Some(name)) = (value, result.strip_prefix('%')) {
            self.count()?;
            self.constants.insert(name, value);
        }
        Ok(())
    }

    fn start_loop(&mut self, statement: Statement<'a>, rest: &'a str) -> Result<(), Refusal> {
        let operands = rest.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inside, _)| inside);
        let mut it = Loop { line: statement.line, ..Loop::default() };
        let mut names: Vec<&str> = values(operands).take(2 * MOST_CARRIED).collect();
        // Only the short syntax names the carried values here: `%iterArg = %0`.
        if operands.contains('=') {
            let carried: Vec<&str> = names.iter().copied().step_by(2).collect();
            names = names.into_iter().skip(1).step_by(2).collect();
            (it.condition, it.body) = (carried.clone(), carried);
        }
        self.items = self.items.saturating_add(names.len());
        self.count()?;
        it.starts = names.iter().map(|name| self.constants.get(name).copied()).collect();
        self.pending = Some(self.program.loops.len());
        self.program.loops.push(it);
        Ok(())
    }

    /// Notes what a loop compares, adds and hands on.
    fn follow_loop(&mut self, statement: Statement<'a>) {
        let Some(&region) = self.regions.last() else { return };
        let (Region::Condition(at) | Region::Body(at)) = region else { return };
        let constants = &self.constants;
        let Some(it) = self.program.loops.get_mut(at) else { return };
        let result = statement.result().strip_prefix('%').unwrap_or_default();
        let ends = statement.after("stablehlo.return");
        match region {
            Region::Condition(_) => {
                if let Some(rest) = statement.after("stablehlo.compare") {
                    let less = rest.trim_start().starts_with("LT,") || rest.contains("comparison_direction LT");
                    let mut operands = values(rest);
                    if let (true, Some(a), Some(b)) = (less, operands.next(), operands.next()) {
                        let carried = it.condition.iter().position(|name| *name == a);
                        it.compared = carried.zip(constants.get(b)).map(|(carried, limit)| (result, carried, *limit));
                    }
                } else if let (Some(rest), Some((name, carried, limit))) = (ends, it.compared) {
                    it.limit = values(rest).eq([name]).then_some((carried, limit));
                }
            }
            Region::Body(_) => {
                if let Some(rest) = statement.after("stablehlo.add") {
                    let mut operands = values(rest);
                    let (a, b) = (operands.next().unwrap_or_default(), operands.next().unwrap_or_default());
                    for (a, b) in [(a, b), (b, a)] {
                        let carried = it.body.iter().position(|name| *name == a);
                        if let (Some(carried), Some(more), true) =
                            (carried, constants.get(b), it.sums.len() < MOST_CARRIED)
                        {
                            it.sums.insert(result, (carried, *more));
                        }
                    }
                } else if let (Some(rest), Some((counter, _))) = (ends, it.limit) {
                    let sum = values(rest).nth(counter).and_then(|name| it.sums.get(name));
                    it.step = sum.filter(|(carried, _)| *carried == counter).map(|(_, step)| *step);
                }
            }
            Region::Function | Region::Other => {}
        }
    }

    /// Notes a product or a call.
    fn step(&mut self, statement: Statement<'a>) -> Result<(), Refusal> {
        let text = statement.text;
        let name = statement.result();
        let act = if let Some(rest) = statement.after("stablehlo.dot_general") {
            dot_general(rest, &statement.types()).map_or(Act::Unknown(name), |sizes| product(name, Kind::Plain, sizes))
        } else if statement.after("stablehlo.dot").is_some() {
            dot(&statement.types()).map_or(Act::Unknown(name), |sizes| product(name, Kind::Plain, sizes))
        } else if let Some(rest) = statement.after("stablehlo.convolution") {
            let sizes = convolution(rest, &statement.types());
            if !unit_dilation(rest) {
                self.program.notes.push(format!("Line {}: the zeros between inputs are counted.", statement.line));
            }
            sizes.map_or(Act::Unknown(name), |sizes| product(name, Kind::Convolution, sizes))
        } else if let Some(rest) = statement.after("func.call").or_else(|| statement.after("call")) {
            Act::Call(callee(rest))
        } else if let Some(rest) = statement.after("stablehlo.composite") {
            Act::Call(callee(rest.split("decomposition").nth(1).unwrap_or_default()))
        } else if statement.after("stablehlo.dynamic_conv").is_some() {
            Act::Unknown(name)
        } else {
            if ["stablehlo.if", "stablehlo.case"].iter().any(|op| statement.after(op).is_some()) {
                let note = format!("Line {}: every branch is counted, though one is taken.", statement.line);
                self.program.notes.push(note);
                self.count()?;
            }
            return Ok(());
        };
        self.count()?;
        let loops = self.regions.iter().filter_map(|region| match region {
            // A condition is run about as often as the body; a product in one is unheard of.
            Region::Body(at) | Region::Condition(at) => Some(*at),
            Region::Function | Region::Other => None,
        });
        let step = Step { act, line: statement.line, loops: loops.collect() };
        match self.program.functions.last_mut() {
            Some(function) => function.steps.push(step),
            None => return Err(Refusal::NoFunction { line: statement.line, given: crate::quote::quote(text) }),
        }
        Ok(())
    }

    /// Opens and closes regions by the braces of a statement.
    fn braces(&mut self, text: &str) -> Result<(), Refusal> {
        let mut closed = None;
        let (mut quoted, mut escaped) = (false, false);
        let function = text.contains("func.func");
        for byte in text.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'{' if !quoted => {
                    let region = match (closed, self.pending) {
                        (Some(Region::Condition(at)), _) => Region::Body(at),
                        (_, Some(at)) if text.starts_with("cond") || text.contains("({") => Region::Condition(at),
                        _ if function => Region::Function,
                        _ => Region::Other,
                    };
                    if matches!(region, Region::Condition(_) | Region::Body(_)) {
                        self.pending = None;
                    }
                    self.regions.push(region);
                    if self.regions.len() > DEEPEST {
                        return Err(Refusal::TooDeep);
                    }
                }
                b'}' if !quoted => closed = self.regions.pop(),
                _ => {}
            }
        }
        Ok(())
    }
}

fn product<'a>(name: &'a str, kind: Kind, sizes: [u64; 4]) -> Act<'a> {
    Act::Product { kind, name, sizes }
}

fn callee(text: &str) -> &str {
    let name = text.split_once('@').map_or("", |(_, name)| name);
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c))).unwrap_or(name.len());
    name.get(..end).unwrap_or_default().trim_end_matches('.')
}

fn times(sizes: impl IntoIterator<Item = u64>) -> u64 {
    sizes.into_iter().fold(1, u64::saturating_mul)
}

/// M, K, N and the batches of a general product.
fn dot_general(text: &str, types: &[Option<Vec<u64>>]) -> Option<[u64; 4]> {
    let [Some(left), Some(right), ..] = types else { return None };
    let (left_batch, right_batch, left_k, right_k) = if text.contains("_contracting_dimensions") {
        let side = |key| list(text, key).unwrap_or_default();
        let (batches, contracted) = ("lhs_batching_dimensions", "lhs_contracting_dimensions");
        let (others, with) = ("rhs_batching_dimensions", "rhs_contracting_dimensions");
        (side(batches), side(others), side(contracted), side(with))
    } else {
        let (left_k, right_k) = lists(text, "contracting_dims").unwrap_or_default();
        let (left_batch, right_batch) = lists(text, "batching_dims").unwrap_or_default();
        (left_batch, right_batch, left_k, right_k)
    };
    let size = |shape: &[u64], dims: &[usize]| -> Option<u64> {
        let sizes: Option<Vec<u64>> = dims.iter().map(|&at| shape.get(at).copied()).collect();
        sizes.map(times)
    };
    let rest = |shape: &[u64], batch: &[usize], k: &[usize]| {
        let own = shape.iter().enumerate().filter(|(at, _)| !batch.contains(at) && !k.contains(at));
        times(own.map(|(_, size)| *size))
    };
    let (k, batches) = (size(left, &left_k)?, size(left, &left_batch)?);
    let same = size(right, &right_k)? == k && size(right, &right_batch)? == batches;
    same.then(|| [rest(left, &left_batch, &left_k), k, rest(right, &right_batch, &right_k), batches])
}

/// The same of a product of vectors or matrices.
fn dot(types: &[Option<Vec<u64>>]) -> Option<[u64; 4]> {
    let [Some(left), Some(right), ..] = types else { return None };
    let (&k, rows) = left.split_last()?;
    let (&same, columns) = right.split_first()?;
    (k == same).then(|| [times(rows.iter().copied()), k, times(columns.iter().copied()), 1])
}

/// The same of a convolution, by im2col.
fn convolution(text: &str, types: &[Option<Vec<u64>>]) -> Option<[u64; 4]> {
    let [Some(_), Some(kernel), Some(out)] = types else { return None };
    let rest = text.split("dim_numbers").nth(1).or_else(|| text.split("#stablehlo.conv").nth(1))?;
    let parts: Vec<&str> = rest.splitn(4, '[').skip(1).filter_map(|part| part.split(']').next()).collect();
    let [_, kernel_dims, out_dims] = parts[..] else { return None };
    let place = |dims: &str, wanted: &str| dims.split(',').position(|dim| dim.trim() == wanted);
    let filters = *kernel.get(place(kernel_dims, "o")?)?;
    let features = *out.get(place(out_dims, "f")?)?;
    let groups = |key| number(text, key).unwrap_or(1);
    let groups = groups("feature_group_count").checked_mul(groups("batch_group_count"))?;
    let whole = filters == features && groups > 0 && filters.is_multiple_of(groups) && filters > 0;
    let per = |shape: &[u64], by: u64| times(shape.iter().copied()).checked_div(by);
    whole.then_some([per(out, features)?, per(kernel, filters)?, filters / groups, groups])
}

/// Whether an input is not spread out: `lhs_dilate = [1, 1]`, or `lhs_dilation = array<i64: 1, 1>`.
fn unit_dilation(text: &str) -> bool {
    let Some(rest) = text.split("lhs_dilat").nth(1) else { return true };
    let inner = rest.split([']', '>']).next().unwrap_or_default();
    let inner = inner.rsplit(['[', ':']).next().unwrap_or_default();
    inner.split(',').all(|size| size.trim() == "1")
}
