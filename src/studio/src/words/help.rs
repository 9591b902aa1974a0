//! The help text.

/// Keys that work while the stage has the focus, and what they do.
pub const KEYS: [(&str, &str); 10] = [
    ("Space", "play or pause"),
    ("← →", "one cycle back or forward"),
    ("Shift + ← →", "ten cycles back or forward"),
    ("Home End", "first or last cycle"),
    ("[ ]", "event before or after"),
    ("Page Up, Page Down", "one cycle back or forward (clickers)"),
    ("g or Enter", "choose a PE and move with the arrows; g lets go"),
    ("+ − 0", "zoom in, zoom out, the whole array"),
    ("?", "this help"),
    ("Esc", "let go of the PE, then leave the stage"),
];

/// Heading of the list of keys.
pub const KEYS_TITLE: &str = "Keys, while the array has the focus";

/// What is shown, in a few sentences.
pub const ABOUT: &str = "Every number is computed by the same model at every size: registers, clock edges and the \
    formulas that predict them are tested against each other at every processing element and every cycle. Cycles are \
    counted from 0. One picture is the state just after one clock edge.";

/// Opens the help.
pub const OPEN: &str = "Help";
