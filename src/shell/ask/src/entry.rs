//! Entries of `public/ask.txt`, one per line: kind, target, title, sentence and further words, with tabs between them.

use crate::{Answer, Kind, Target};

/// An entry of the index: an answer, and further words by which the search finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The answer.
    pub answer: Answer,
    /// Further words. For a model, these are its names and sizes.
    pub words: String,
}

/// Target of an entry without a place.
const NO_PLACE: &str = "-";

impl Entry {
    /// Reads a line of `public/ask.txt`. `None` if the line has no kind, target or title.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let kind = Kind::from_id(fields.next()?)?;
        let target = match fields.next()? {
            NO_PLACE => Target::None,
            link if link.starts_with('?') => Target::Link(link.to_owned()),
            page if page.starts_with("docs/") => Target::Book(page.to_owned()),
            _ => return None,
        };
        let title = fields.next().filter(|title| !title.is_empty())?.to_owned();
        let mut text = || fields.next().unwrap_or_default().to_owned();
        let says = text();
        Some(Self { answer: Answer { kind, title, says, target }, words: text() })
    }

    /// Returns the entry as a line of `public/ask.txt`. Spaces replace tabs and line breaks.
    #[must_use]
    pub fn line(&self) -> String {
        let Answer { kind, title, says, target } = &self.answer;
        let target = match target {
            Target::Link(target) | Target::Book(target) => target,
            Target::None => NO_PLACE,
        };
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let fields = [kind.id().to_owned(), plain(target), plain(title), plain(says), plain(&self.words)];
        fields.join("\t").trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        for line in [
            "claim\t?learn=array-claims.1\tA claim\tIt is true.\tmore words",
            "page\tdocs/link.html#view\tView",
            "outside\t-\tA topic\tAsk elsewhere.",
        ] {
            assert_eq!(Entry::parse(line).map(|entry| entry.line()).as_deref(), Some(line));
        }
        for line in ["", "claim", "zebra\t?a\tb", "claim\thttps://a.b\tc", "claim\t?a"] {
            assert_eq!(Entry::parse(line), None, "{line}");
        }
    }
}
