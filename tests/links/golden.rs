//! Corpus of links as a file: links with the lines that they must show, between comments for people.

/// Path of the corpus file.
pub const PATH: &str = "tests/golden/links.txt";

/// Prefix of a line with a link.
const LINK: &str = "link ";

/// Link with the lines that it must show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Link as written in the file; [`Row::address`] expands repetitions.
    pub link: String,
    /// Name and expected value of each line.
    pub lines: Vec<(String, String)>,
}

impl Row {
    /// Returns the link as an address, with `{x*100}` expanded to x a hundred times.
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

/// Part of the corpus file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Line for people: empty or a comment.
    Words(String),
    /// Link with the lines that it must show.
    Row(Row),
}

/// Reads the corpus file.
///
/// # Panics
/// Panics if a line is not a comment, a link, or a name with a value after a link.
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

/// Reads only the links of the corpus file.
#[must_use]
pub fn rows(text: &str) -> Vec<Row> {
    let row = |part: Part| match part {
        Part::Row(row) => Some(row),
        Part::Words(_) => None,
    };
    read(text).into_iter().filter_map(row).collect()
}

/// Writes the corpus file with the lines that its links show now.
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

/// Describes each line of a row that is missing or different now. An additional line is not a difference.
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
