//! The corpus as a file: links, each with what it shows, between lines that say what the links are about.

/// The file.
pub const PATH: &str = "tests/golden/links.txt";

/// What a line with a link begins with.
const LINK: &str = "link ";

/// A link with what it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The link as it stands in the file; see [`Row::address`].
    pub link: String,
    /// What is observed, and what it was.
    pub lines: Vec<(String, String)>,
}

impl Row {
    /// The link as it stands in an address: `{x*100}` is a hundred x.
    #[must_use]
    pub fn address(&self) -> String {
        let (mut text, mut rest) = (String::new(), self.link.as_str());
        while let Some((before, after)) = rest.split_once('{') {
            let Some((inside, after)) = after.split_once('}') else { break };
            let Some((part, times)) = inside.split_once('*') else { break };
            let Ok(times) = times.parse() else { break };
            text.push_str(before);
            text.push_str(&part.repeat(times));
            rest = after;
        }
        text + rest
    }
}

/// A part of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Lines for people.
    Words(String),
    /// A link.
    Row(Row),
}

/// Reads the file.
///
/// # Panics
/// A line is none of the three kinds.
#[must_use]
pub fn read(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || line == "#" || line.starts_with("# ") {
            parts.push(Part::Words(line.to_owned()));
        } else if let Some(link) = line.strip_prefix(LINK) {
            parts.push(Part::Row(Row { link: link.to_owned(), lines: Vec::new() }));
        } else if let (Some(Part::Row(row)), Some((name, value))) =
            (parts.last_mut(), line.trim_start().split_once(" ="))
        {
            row.lines.push((name.to_owned(), value.trim().to_owned()));
        } else {
            panic!("{PATH}:{number}: neither words, nor a link, nor what one shows: {line}");
        }
    }
    parts
}

/// The links alone.
#[must_use]
pub fn rows(text: &str) -> Vec<Row> {
    let row = |part: Part| match part {
        Part::Row(row) => Some(row),
        Part::Words(_) => None,
    };
    read(text).into_iter().filter_map(row).collect()
}

/// Writes the file with what its links show now.
#[must_use]
pub fn write(parts: &[Part], shown: impl Fn(&str) -> Vec<(String, String)>) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Words(line) => text.push_str(line),
            Part::Row(row) => {
                text.push_str(LINK);
                text.push_str(&row.link);
                for (name, value) in shown(&row.address()) {
                    text.push_str(format!("\n  {name} = {value}").trim_end());
                }
            }
        }
        text.push('\n');
    }
    text
}

/// What a row says and the link does not show, a sentence each. What a link shows besides breaks no promise.
#[must_use]
pub fn differences(row: &Row, now: &[(String, String)]) -> Vec<String> {
    let tell = |(name, was): &(String, String)| {
        let is = now.iter().find(|(other, _)| other == name).map(|(_, is)| is);
        let told = match is {
            Some(is) if is.trim() == was => return None,
            Some(is) => format!("is now {is}"),
            None => "is gone".to_owned(),
        };
        Some(format!("{}: {name} was {was} and {told}", row.link))
    };
    row.lines.iter().filter_map(tell).collect()
}
