//! A number of things.

use display::number::grouped;

/// "1 cycle", "16 cycles".
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{} {}", grouped(n), noun_of(n, noun))
}

/// "cycle" for one, else "cycles".
pub(crate) fn noun_of(n: u64, noun: &str) -> String {
    if n == 1 { noun.to_owned() } else { format!("{noun}s") }
}
