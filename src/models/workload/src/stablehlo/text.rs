//! StableHLO text, split into statements. Supports the pretty-printed and the generic syntax of operations.

/// A statement: one operation, or the beginning or end of a region.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement<'a> {
    pub(super) text: &'a str,
    /// First line of the statement, counted from 1.
    pub(super) line: usize,
    /// Names of the operation's results, as one text.
    names: &'a str,
    /// Name of the operation. `rest` is the text after the name.
    pub(super) op: &'a str,
    pub(super) rest: &'a str,
}

/// Maximum number of lines of a statement that are read together.
const LINES_MAX: usize = 4_000;

/// Extent of the statement at the beginning of a text: its numbers of bytes and line ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Extent {
    /// The whole statement.
    Whole { bytes: usize, lines: usize },
    /// Part of a statement, if the statement has too many lines to read together. The last line end is excluded,
    /// because the next line may begin another statement.
    Part { bytes: usize, lines: usize },
    /// A statement that may continue after the text. If `several` is true, the last line end and the text after it are
    /// excluded.
    Open { bytes: usize, lines: usize, several: bool },
}

impl Extent {
    /// Finds the end of the statement at the beginning of a text. A statement ends at the next line that looks like the
    /// beginning of another statement.
    pub(super) fn of(text: &str, last: bool) -> Self {
        let (mut end, mut lines) = (0, 0);
        loop {
            let rest = text.get(end..).unwrap_or("");
            match if lines > 0 { begins(rest, last) } else { Some(false) } {
                Some(true) => return Self::Whole { bytes: end, lines },
                Some(false) if lines > LINES_MAX => return Self::Part { bytes: end - 1, lines: lines - 1 },
                Some(false) => {}
                None => break,
            }
            match rest.find('\n') {
                Some(line) => (end, lines) = (end + line + 1, lines + 1),
                None if last => return Self::Whole { bytes: text.len(), lines },
                None => break,
            }
        }
        // If this part begins with a line end, the part before left it out. It does not make this part several lines
        // long.
        let several = end > 1;
        let (bytes, lines) = if several { (end - 1, lines - 1) } else { (text.len(), lines) };
        Self::Open { bytes, lines, several }
    }
}

/// True if a line begins a statement. `None` if too little of the line is available.
fn begins(text: &str, last: bool) -> Option<bool> {
    const BEGINNING_MAX: usize = "stablehlo.".len();
    let line = text.trim_start_matches([' ', '\t', '\r']);
    if line.len() < BEGINNING_MAX && !line.contains('\n') && !last {
        return None;
    }
    let words = match line.bytes().next() {
        None | Some(b'\n' | b'%' | b'"' | b'^' | b'}' | b'#') => return Some(true),
        Some(b'/') => &["//"][..],
        Some(b'm') => &["module", "mhlo."],
        Some(b'c') => &["cond", "call ", "chlo."],
        Some(b'f') => &["func."],
        Some(b'r') => &["return"],
        Some(b's') => &["stablehlo."],
        Some(_) => return Some(false),
    };
    Some(words.iter().any(|word| line.starts_with(word)))
}

impl<'a> Statement<'a> {
    pub(super) fn new(text: &'a str, line: usize) -> Self {
        let text = text.trim();
        let (names, rest) = match text.strip_prefix('%').and_then(|_| text.split_once(" = ")) {
            Some((names, rest)) => (names, rest.trim_start()),
            None => ("", text),
        };
        let bare = rest.strip_prefix('"').unwrap_or(rest);
        let end = bare.find([' ', '(', '<', '{', '"', '\n']).unwrap_or(bare.len());
        let (op, rest) = bare.split_at(end);
        let rest = rest.strip_prefix('"').unwrap_or(rest);
        let op = if rest.starts_with([' ', '(', '<', '{']) { op } else { "" };
        // MHLO is the older name of the same operations.
        let op = op.strip_prefix("stablehlo.").or_else(|| op.strip_prefix("mhlo.")).unwrap_or(op);
        Self { text, line, names, op, rest }
    }

    /// Returns the name of the first result.
    pub(super) fn result(&self) -> &'a str {
        plain::first_part(self.names, &[',', ':']).trim()
    }

    /// Returns the types after the last colon: operands, then results.
    pub(super) fn types(&self) -> Vec<Option<Vec<u64>>> {
        let signature = self.text.rfind(": (").and_then(|at| self.text.get(at..)).unwrap_or("");
        signature.split("tensor<").skip(1).take(64).map(dims).collect()
    }
}

/// Returns the sizes of a tensor type. `None` if a size is dynamic (`?`).
fn dims(text: &str) -> Option<Vec<u64>> {
    let inner = plain::first_part(text, &['>', ',']);
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

/// Returns the names of the values in a text, in order.
pub(super) fn values(text: &str) -> impl Iterator<Item = &str> {
    text.split('%').skip(1).map(|part| {
        let end = part.find(|c: char| !(c.is_ascii_alphanumeric() || "_$.-".contains(c))).unwrap_or(part.len());
        part.get(..end).unwrap_or(part)
    })
}

/// Returns the list of numbers after a key: `contracting_dims = [1]`.
pub(super) fn list(text: &str, key: &str) -> Option<Vec<usize>> {
    let rest = text.split(key).nth(1)?;
    let inner = rest.split_once('[')?.1.split_once(']')?.0;
    numbers(inner)
}

/// Returns the two lists after a key: `contracting_dims = [1] x [0]`.
pub(super) fn lists(text: &str, key: &str) -> Option<(Vec<usize>, Vec<usize>)> {
    let rest = text.split(key).nth(1)?;
    let (left, rest) = rest.split_once('[')?.1.split_once(']')?;
    let right = rest.split_once('[')?.1.split_once(']')?.0;
    Some((numbers(left)?, numbers(right)?))
}

fn numbers(text: &str) -> Option<Vec<usize>> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).take(32).map(|part| part.parse().ok()).collect()
}

/// Returns the number after a key: `feature_group_count = 2`.
pub(super) fn number(text: &str, key: &str) -> Option<u64> {
    let rest = text.split(key).nth(1)?.trim_start_matches([' ', '=']);
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
