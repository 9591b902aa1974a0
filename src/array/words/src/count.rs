//! A number with its noun in the singular or plural.

use display::number::grouped;

/// Returns a number with its noun: "1 cycle", "16 cycles".
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{} {}", grouped(n), noun_of(n, noun))
}

/// Returns the noun for a number: "cycle" for one, otherwise "cycles".
pub(crate) fn noun_of(n: u64, noun: &str) -> String {
    if n == 1 { noun.to_owned() } else { format!("{noun}s") }
}
