//! The help text.

/// Keys and their effects. The keys work everywhere except in text fields.
pub const KEYS: [(&str, &str); 15] = [
    ("Space", "play or pause"),
    ("← →", "one cycle back or forward"),
    ("Shift + ← →", "ten cycles back or forward"),
    ("Home End", "first or last cycle"),
    ("[ ]", "previous or next event"),
    ("Page Up, Page Down", "one cycle back or forward (clickers)"),
    ("g or Enter", "select a PE, then move with the arrow keys; g deselects"),
    ("Enter on a PE", "edit the number in the PE"),
    ("v on a PE", "show the next value of the PE, with its terms"),
    ("+ − 0", "zoom in, zoom out, fit"),
    (", . < >", "turn the cube"),
    ("Ctrl + Z", "undo the last change"),
    ("/", "ask anything"),
    ("?", "this help"),
    ("Esc", "deselect the PE, then leave the array"),
];

/// Heading of the list of keys.
pub const KEYS_TITLE: &str = "Keys, outside text fields";

/// Reminder of the main keys, next to the clock. The page shows this reminder after a mouse click on a button.
pub const KEYS_HINT: &str = "Keys: Space, ← →, [ ]";

/// Reminder in the array view, while the view has the focus of the keyboard and no PE is selected.
pub const STAGE_KEYS_HINT: &str = "← → change the cycle. Enter selects a PE.";

/// Reminder in the array view, while the view has the focus of the keyboard and a PE is selected.
pub const PE_KEYS_HINT: &str = "Arrow keys select another PE. Esc deselects.";

/// Text in the help about the model, its tests and the counting of cycles.
pub const ABOUT: &str = "One simulation model computes every number, for arrays of every size. Tests compare the model's registers with formulas at every processing element and every cycle. Cycles are counted from 0. Each picture shows the state just after a clock edge.";

/// Label of the button that opens the help, and heading of the help.
pub const OPEN: &str = "Help";
