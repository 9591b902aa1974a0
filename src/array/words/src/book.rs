//! Words of the links to the book.

/// Link to the story of one matmul, which a person reads by scrolling.
pub const STORY: &str = "Read the story: from one multiplication to the MFU";

/// Link to the first page of the book.
pub const OPEN: &str = "The book";

/// Rest of the sentence that begins with [`OPEN`].
pub const ABOUT: &str = " explains links, embeds, models and limits.";

/// Link to the page about the model estimates.
pub const MODELS: &str = "The book: how models are estimated";
