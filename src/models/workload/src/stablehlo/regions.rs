//! Open regions at the current position in a program, tracked by braces.

/// Maximum nesting depth of regions.
const DEPTH_MAX: usize = 64;

/// Kind of region that an open brace belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    Function,
    Condition(usize),
    Body(usize),
    /// Region whose sizes are those of one device.
    Local,
    Other,
}

/// Stack of the open regions, outermost first.
#[derive(Debug, Default)]
pub(super) struct Regions {
    pub(super) open: Vec<Region>,
    /// Index of a loop whose regions have not begun yet.
    pub(super) pending: Option<usize>,
}

/// Error: regions are nested too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooDeep;

/// State of the brace tracking within one statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Braces {
    quoted: bool,
    escaped: bool,
    closed: Option<Region>,
    opens_function: bool,
    opens_loop: bool,
    opens_local: bool,
    in_comment: bool,
}

impl Braces {
    /// Creates the state before the first brace of a statement.
    pub(super) fn of(text: &str, op: &str, in_loop: bool) -> Self {
        let opens_loop = in_loop && (text.starts_with("cond") || text.contains("({"));
        let (opens_function, in_comment) = (op == "func.func", text.starts_with("//"));
        let opens_local = op == "sdy.manual_computation";
        Self { quoted: false, escaped: false, closed: None, opens_function, opens_loop, opens_local, in_comment }
    }
}

impl Regions {
    /// Opens and closes regions by the braces of a statement, or of a part of a statement.
    pub(super) fn follow(&mut self, braces: &mut Braces, text: &str) -> Result<(), TooDeep> {
        let mut rest = if braces.in_comment { &[] } else { text.as_bytes() };
        loop {
            let found = if braces.escaped {
                (!rest.is_empty()).then_some(0)
            } else if braces.quoted {
                rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))
            } else {
                rest.iter().position(|byte| matches!(byte, b'"' | b'{' | b'}'))
            };
            let Some((byte, after)) = found.and_then(|at| rest.get(at..)).and_then(<[u8]>::split_first) else {
                return Ok(());
            };
            rest = after;
            match byte {
                _ if braces.escaped => braces.escaped = false,
                b'\\' => braces.escaped = true,
                b'"' => braces.quoted = !braces.quoted,
                b'{' => self.enter(*braces)?,
                _ => braces.closed = self.open.pop(),
            }
        }
    }

    fn enter(&mut self, braces: Braces) -> Result<(), TooDeep> {
        let region = match (braces.closed, self.pending) {
            (Some(Region::Condition(at)), _) => Region::Body(at),
            (_, Some(at)) if braces.opens_loop => Region::Condition(at),
            _ if braces.opens_function => Region::Function,
            _ if braces.opens_local => Region::Local,
            _ => Region::Other,
        };
        if matches!(region, Region::Condition(_) | Region::Body(_)) {
            self.pending = None;
        }
        self.open.push(region);
        if self.open.len() > DEPTH_MAX { Err(TooDeep) } else { Ok(()) }
    }
}
