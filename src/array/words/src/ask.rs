//! Words of the search: its buttons, its field and its messages. The crate `ask` has the words of the answers.

use crate::count::counted;

/// Label of the buttons that open the search, and name of its field.
pub const OPEN: &str = "Ask anything";

/// Key that opens the search.
pub const KEY: &str = "/";

/// Text in the empty field.
pub const HINT: &str = "Type a question, or paste a log line, a config, two matrices or a link";

/// Sentence above the examples.
pub const ABOUT: &str = "Your text stays in this browser. Try one of these:";

/// Examples of questions: a run in words, a model on chips, and a line of a training log.
pub const EXAMPLES: [&str; 3] = [
    "matmul 4096 × 4096 × 4096 on v5e in int8",
    "MFU of Llama 3 70B on 64 H100 with 2048 tokens",
    "128×128 array, K = 100, how much padding",
];

/// Message while the index of the search loads.
pub const LOADING: &str = "Loading the index …";

/// Message if the index could not be loaded.
pub const NOT_LOADED: &str =
    "The index could not be loaded. The search still reads runs, models, log lines and matrices.";

/// Label of the button that closes the search.
pub const CLOSE: &str = "Close (Esc)";

/// Returns the number of answers, for a screen reader.
#[must_use]
pub fn found(n_answers: usize) -> String {
    format!("{}. The arrow keys lead to them.", counted(n_answers as u64, "answer"))
}
