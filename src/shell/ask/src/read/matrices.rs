//! Reader of two matrices: rows of numbers, or lists such as `[[1, 2], [3, 4]] @ [[5, 6], [7, 8]]`.

use studio::{Field, Link, MatrixText, Plan, Scenario};
use systolic::{Dtype, Value};

use super::tokens::Tokens;
use super::{Read, chips, formats};
use crate::words::matrices as words;
use crate::{Answer, Kind, Target};

/// Sides of the arrays on which typed matrices run, the smallest first.
const SIDES: [u64; 6] = [4, 8, 16, 32, 64, 128];
/// Maximum number of bytes of the link of a run.
const LINK_BYTES_MAX: usize = 200_000;

/// Reads two matrices, and answers with their run.
pub(super) fn read(text: &str) -> Option<Read> {
    let (first, second, around) = bracketed(text).or_else(|| in_rows(text))?;
    let parse = |field, text: &str| MatrixText::parse(field, text).ok();
    let (a, b) = (parse(Field::A, &first)?, parse(Field::B, &second)?);
    if a.values.len() + b.values.len() < 3 {
        return None;
    }
    if a.cols != b.rows {
        let says = words::inner(a.cols, b.rows);
        let answer = Answer {
            kind: Kind::Run,
            title: words::title(&a, &b),
            says,
            target: Target::Link("?fill=small".to_owned()),
        };
        return Some(Read::certain(answer, None));
    }
    let mut tokens = Tokens::of(&around);
    let chip = chips::take(&mut tokens).first().map(|one| one.chip);
    let named = formats::take(&mut tokens).iter().find_map(|format| format.in_run);
    let is_whole =
        a.values.iter().chain(&*b.values).all(|value| value.fract() == 0.0 && (-128.0..128.0).contains(value));
    let of_tpu = tokens.has("tpu jax") || chip.is_some_and(|chip| chip.vendor == "Google");
    let usual = match (is_whole, of_tpu) {
        (true, _) => Dtype::Int8,
        (false, true) => Dtype::Bf16,
        (false, false) => Dtype::F32,
    };
    let longest = a.cols.max(b.cols);
    let side = SIDES.into_iter().find(|side| *side >= longest).unwrap_or(SIDES[SIDES.len() - 1]);
    let title = words::title(&a, &b);
    let mut scenario = Scenario {
        rows: side,
        cols: side,
        dtype: named.and_then(Dtype::from_id).unwrap_or(usual),
        ..Scenario::default()
    };
    if let Some(chip) = chip {
        scenario.chip = chip.id;
    }
    scenario.set(Field::A, studio::FieldValue::Matrix(Some(a))).ok()?;
    scenario.set(Field::B, studio::FieldValue::Matrix(Some(b))).ok()?;
    let plan = match Plan::new(&scenario) {
        Ok(plan) => plan,
        // Numbers that the named format cannot have run in f32.
        Err(_) => Plan::new(&Scenario { dtype: Dtype::F32, ..scenario.clone() }).ok()?,
    };
    let (query, fragment) = Link::of_run(plan.scenario().clone()).to_parts();
    let target = Target::Link(format!("?{query}#{fragment}"));
    let is_short = query.len() + fragment.len() <= LINK_BYTES_MAX;
    let says = words::says(&plan, &first_values(&plan));
    let answer = Answer { kind: Kind::Run, title, says, target };
    let numerics_first = tokens.has("why wrong differ differs different");
    let read = Read { answers: vec![answer], is_certain: !numerics_first || tokens.0.len() < 12, note: None };
    is_short.then_some(read)
}

/// Maximum number of elements of C in a sentence.
const SHOWN_MAX: u64 = 9;

/// Returns the elements of C row by row if they are few, and else the first element.
fn first_values(plan: &Plan) -> Vec<Value> {
    let gemm = plan.schedule().gemm();
    if gemm.m() * gemm.n() <= SHOWN_MAX { plan.result() } else { Vec::new() }
}

/// Splits a text with two bracketed matrices, and returns the text around them.
fn bracketed(text: &str) -> Option<(String, String, String)> {
    let mut found: Vec<&str> = Vec::new();
    let (mut depth, mut start, mut deepest) = (0_usize, 0, 0);
    let (mut around, mut last) = (String::new(), 0);
    for (at, sign) in text.char_indices() {
        match sign {
            '[' => {
                if depth == 0 {
                    (start, deepest) = (at, 0);
                }
                depth += 1;
                deepest = deepest.max(depth);
            }
            ']' if depth > 0 => {
                depth -= 1;
                let inner = text.get(start..=at).unwrap_or_default();
                if depth == 0 && deepest > 1 && inner.bytes().any(|byte| byte.is_ascii_digit()) {
                    around += text.get(last..start).unwrap_or_default();
                    around.push(' ');
                    last = at + 1;
                    found.push(inner);
                }
            }
            _ => {}
        }
    }
    around += text.get(last..).unwrap_or_default();
    match *found {
        [first, second, ..] => Some((first.to_owned(), second.to_owned(), around)),
        _ => None,
    }
}

/// Splits rows of numbers with an empty line, an operator or a name between two matrices.
fn in_rows(text: &str) -> Option<(String, String, String)> {
    let is_row = |line: &str| {
        let is_of_numbers = line.chars().all(|sign| sign.is_ascii_digit() || " \t,;.-+eE−".contains(sign));
        is_of_numbers && line.bytes().any(|byte| byte.is_ascii_digit())
    };
    let mut blocks: Vec<String> = Vec::new();
    let mut around = String::new();
    let mut is_inside = false;
    let pieces = text.lines().flat_map(|line| line.split(['@', '×', '*']).enumerate());
    for (nth, line) in pieces {
        let line = line.trim();
        let line = line.split_once('=').filter(|(name, _)| name.trim().len() < 8).map_or(line, |(_, rest)| rest.trim());
        if !is_row(line) {
            is_inside = false;
            around += line;
            around.push(' ');
            continue;
        }
        // An operator ends a matrix.
        match blocks.last_mut().filter(|_| is_inside && nth == 0) {
            Some(block) => {
                block.push('\n');
                block.push_str(line);
            }
            None => blocks.push(line.to_owned()),
        }
        is_inside = true;
    }
    // One line with a semicolon between rows is also a matrix, but a few numbers in a sentence are none.
    let is_matrix = |block: &String| block.contains('\n') || block.contains(';');
    match *blocks {
        [ref first, ref second] if is_matrix(first) || is_matrix(second) => {
            Some((first.clone(), second.clone(), around))
        }
        _ => None,
    }
}
