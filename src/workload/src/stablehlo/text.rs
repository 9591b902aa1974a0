//! StableHLO's text, cut into statements: one operation each, in either syntax.

/// One operation, the opening of a region, or its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement<'a> {
    pub(super) text: &'a str,
    /// The line it begins in, counted from 1.
    pub(super) line: usize,
}

/// The statements of a program. A line that begins like no operation goes on with the one before.
pub(super) fn statements(text: &str) -> impl Iterator<Item = Statement<'_>> {
    let mut rest = text;
    let mut line = 0;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let first = line + 1;
        let mut end = 0;
        for (at, part) in rest.split_inclusive('\n').enumerate() {
            if at > 0 && begins(part.trim_start()) {
                break;
            }
            end += part.len();
            line += 1;
        }
        let (statement, after) = rest.split_at(end);
        rest = after;
        Some(Statement { text: statement.trim(), line: first })
    })
}

/// Whether a line begins a statement.
fn begins(line: &str) -> bool {
    let starts = ["%", "\"", "^", "}", "//", "#", "module", "cond", "func.", "call ", "return", "stablehlo.", "chlo."];
    line.is_empty() || starts.iter().any(|start| line.starts_with(start))
}

impl<'a> Statement<'a> {
    /// The names that the operation gives its results, as one text.
    pub(super) fn result(&self) -> &'a str {
        let (names, _) = self.sides();
        names.split([',', ':']).next().unwrap_or_default().trim()
    }

    fn sides(&self) -> (&'a str, &'a str) {
        match self.text.split_once(" = ") {
            Some((names, rest)) if names.starts_with('%') => (names, rest.trim_start()),
            _ => ("", self.text),
        }
    }

    /// What stands behind the operation's name, if it is this one.
    pub(super) fn after(&self, op: &str) -> Option<&'a str> {
        let (_, rest) = self.sides();
        let bare = rest.strip_prefix('"').unwrap_or(rest);
        let rest = bare.strip_prefix(op)?;
        let rest = rest.strip_prefix('"').unwrap_or(rest);
        rest.starts_with([' ', '(', '<', '{']).then_some(rest)
    }

    /// The types behind the last colon: operands, then results.
    pub(super) fn types(&self) -> Vec<Option<Vec<u64>>> {
        let signature = self.text.rfind(": (").and_then(|at| self.text.get(at..)).unwrap_or_default();
        signature.split("tensor<").skip(1).take(64).map(dims).collect()
    }
}

/// The sizes at the beginning of a tensor type; `None` where one is only known when the program runs.
fn dims(text: &str) -> Option<Vec<u64>> {
    let inner = text.split(['>', ',']).next().unwrap_or_default();
    let mut sizes = Vec::new();
    for part in inner.split('x') {
        if part == "?" {
            return None;
        }
        match part.parse() {
            Ok(size) if sizes.len() < 32 => sizes.push(size),
            _ => break,
        }
    }
    Some(sizes)
}

/// The names of values in a text, in order.
pub(super) fn values(text: &str) -> impl Iterator<Item = &str> {
    text.split('%').skip(1).map(|part| {
        let end = part.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c))).unwrap_or(part.len());
        part.get(..end).unwrap_or(part)
    })
}

/// The list of numbers behind a key: `contracting_dims = [1]`.
pub(super) fn list(text: &str, key: &str) -> Option<Vec<usize>> {
    let rest = text.split(key).nth(1)?;
    let inner = rest.split_once('[')?.1.split_once(']')?.0;
    numbers(inner)
}

/// The two lists behind a key: `contracting_dims = [1] x [0]`.
pub(super) fn lists(text: &str, key: &str) -> Option<(Vec<usize>, Vec<usize>)> {
    let rest = text.split(key).nth(1)?;
    let (left, rest) = rest.split_once('[')?.1.split_once(']')?;
    let right = rest.split_once('[')?.1.split_once(']')?.0;
    Some((numbers(left)?, numbers(right)?))
}

fn numbers(text: &str) -> Option<Vec<usize>> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).take(32).map(|part| part.parse().ok()).collect()
}

/// The number behind a key: `feature_group_count = 2`.
pub(super) fn number(text: &str, key: &str) -> Option<u64> {
    let rest = text.split(key).nth(1)?.trim_start_matches([' ', '=']);
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
