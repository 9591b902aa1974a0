//! The texts that the page needs only when a person opens a view: lessons, and the index of the search. The published
//! page fetches these texts. The builds for development and for tests contain the texts.

/// Name of the index of the search.
pub(crate) const INDEX: &str = "ask";

/// Requests a text. The event `playground:text` delivers the text, or an empty text if the text cannot be loaded.
#[cfg(feature = "split")]
pub(crate) fn ask(name: &str) {
    super::emit("playground:wants", name);
}

#[cfg(not(feature = "split"))]
pub(crate) fn ask(name: &str) {
    let text = match name {
        INDEX => include_str!("../../../../../public/ask.txt"),
        lesson => lesson::course::text(lesson).unwrap_or(""),
    };
    super::emit("playground:text", &[name, "\n", text].concat());
}

/// Calls `arrived` with the name and the content of each text that arrives, as long as the page is open.
pub(crate) fn follow(arrived: impl Fn(&str, &str) + 'static) {
    super::listen("playground:text", move |detail| {
        if let Some((name, text)) = detail.split_once('\n') {
            arrived(name, text);
        }
    });
}
