//! Sizes of a graph's inputs that have no value in the file.

use super::graph::{Input, InputDim};

/// Maximum number of symbols of a model.
const SYMBOLS_MAX: usize = 200;

/// A size without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name in the file, or the place of a size without a name: `images[2]`.
    pub name: String,
    /// Size of the question that gives the symbol its value.
    pub role: Role,
}

/// Size of a question that gives a symbol its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Number of sequences or images.
    Batch,
    /// Number of tokens in a pass.
    Sequence,
    /// Number of tokens that are already in the cache.
    Past,
    /// Number of tokens in the cache and in the pass.
    Total,
    /// None: the symbol needs its own value.
    Own,
}

/// Values for symbols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Number of sequences or images.
    pub batch: Option<u64>,
    /// Number of tokens in a pass.
    pub sequence: Option<u64>,
    /// Number of tokens in the cache.
    pub past: Option<u64>,
    /// Values by the name of the symbol, which come before all others.
    pub named: Vec<(String, u64)>,
}

impl Sizes {
    /// Returns the value of a symbol.
    pub fn value(&self, symbol: &Symbol) -> Option<u64> {
        let named = self.named.iter().find(|(name, _)| *name == symbol.name).map(|(_, value)| *value);
        named.or(match symbol.role {
            Role::Batch => self.batch,
            Role::Sequence => self.sequence,
            Role::Past => self.past,
            Role::Total => self.past.zip(self.sequence).and_then(|(past, new)| past.checked_add(new)),
            Role::Own => None,
        })
    }

    /// Returns the value of a size of an input.
    pub(super) fn size(&self, input: &Input, at: usize) -> Option<u64> {
        match input.dims.get(at)? {
            InputDim::Known(size) => Some(*size),
            InputDim::Symbol(text) => {
                let terms = text.split('+').map(|term| self.term(term.trim(), input, at));
                terms.sum()
            }
            InputDim::Open => self.value(&open(input, at)),
        }
    }

    fn term(&self, term: &str, input: &Input, at: usize) -> Option<u64> {
        term.parse().ok().or_else(|| self.value(&symbol(term, input, at)))
    }
}

/// Returns the symbols of the inputs, each once. The sum of two symbols is not a third symbol.
pub(super) fn symbols<'a>(inputs: impl Iterator<Item = &'a Input>) -> Vec<Symbol> {
    let mut all: Vec<Symbol> = Vec::new();
    let mut add = |symbol: Symbol| {
        if all.len() < SYMBOLS_MAX && !all.iter().any(|other| other.name == symbol.name) {
            all.push(symbol);
        }
    };
    for input in inputs {
        for (at, dim) in input.dims.iter().enumerate() {
            match dim {
                InputDim::Known(_) => {}
                InputDim::Symbol(text) => {
                    let terms = text.split('+').map(str::trim).filter(|term| term.parse::<u64>().is_err());
                    terms.for_each(|term| add(symbol(term, input, at)));
                }
                InputDim::Open => add(open(input, at)),
            }
        }
    }
    all
}

/// The symbol of a size without a name. The first size of an input with several sizes is the batch.
fn open(input: &Input, at: usize) -> Symbol {
    let role = if at == 0 && input.dims.len() > 1 { Role::Batch } else { Role::Own };
    Symbol { name: format!("{}[{at}]", crate::name::quoted_name(&input.name)), role }
}

/// The symbol of this name, which is a size of an input.
fn symbol(name: &str, input: &Input, at: usize) -> Symbol {
    let lower = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    // Exporters also number sizes that have no name.
    let nameless = ["unk_", "?", "dynamicdim", "unk__"].iter().any(|start| lower.starts_with(start))
        || matches!(lower.as_str(), "none" | "-1" | "s0" | "dim_0" | "n");
    let role = if has(&["total", "past_plus", "past_and", "all_seq"]) {
        Role::Total
    } else if has(&["past", "cache"]) {
        Role::Past
    } else if has(&["batch", "num_images", "bsz"]) || matches!(lower.as_str(), "b" | "bs") {
        Role::Batch
    } else if has(&["seq", "token", "length", "len", "time"]) || matches!(lower.as_str(), "s" | "t" | "l") {
        Role::Sequence
    } else if at == 0 && input.dims.len() > 1 && nameless {
        Role::Batch
    } else {
        Role::Own
    };
    Symbol { name: crate::name::quoted_name(name), role }
}
