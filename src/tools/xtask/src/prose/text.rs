//! Sentences of a file: the prose of a Markdown document, or the strings and doc comments of a Rust file.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::literals::literals;

/// A sentence and the line in which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) line: usize,
    pub(super) words: Vec<String>,
}

/// Collector of words, which forms sentences and records the line of each word.
#[derive(Default)]
struct Cutter {
    open: Vec<(usize, String)>,
    done: Vec<Sentence>,
}

impl Cutter {
    fn add(&mut self, line: usize, text: &str) {
        for word in text.split_whitespace() {
            self.open.push((line, word.to_owned()));
            let bare = word.trim_end_matches(['"', '”', ')', '*', '_', '’']);
            // An abbreviation does not end a sentence.
            let is_short = ["e.g.", "i.e.", "et", "al.", "vs.", "No.", "Fig."].contains(&bare);
            if bare.ends_with(['.', '!', '?', ':', ';']) && !is_short {
                self.end();
            }
        }
    }

    /// Ends the current sentence, for example at the end of a paragraph.
    fn end(&mut self) {
        let open = std::mem::take(&mut self.open);
        if let Some((line, _)) = open.first() {
            self.done.push(Sentence { line: *line, words: open.into_iter().map(|(_, word)| word).collect() });
        }
    }
}

/// Returns the sentences of a Markdown document, without code blocks and HTML. Inline code counts as one word.
pub(super) fn of_markdown(text: &str) -> Vec<Sentence> {
    let mut cutter = Cutter::default();
    let (mut row, mut is_code) = (String::new(), false);
    let (mut line, mut at) = (1, 0);
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        match event {
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. })
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Link | TagEnd::Image) => {}
            Event::Text(_) | Event::Code(_) if !is_code => {
                line += text.get(at..range.start).unwrap_or_default().matches('\n').count();
                at = range.start;
                row.push_str(if let Event::Text(words) = &event { words } else { "x" });
            }
            Event::SoftBreak | Event::HardBreak => cutter.add(line, &std::mem::take(&mut row)),
            Event::Start(_) | Event::End(_) => {
                is_code = matches!(event, Event::Start(Tag::CodeBlock(_)));
                cutter.add(line, &std::mem::take(&mut row));
                cutter.end();
            }
            _ => {}
        }
    }
    cutter.done
}

/// Returns the sentences of the command line's manual, in which each entry is a header line and a text.
pub(super) fn of_manual(text: &str) -> Vec<Sentence> {
    let mut cutter = Cutter::default();
    for (line, number) in text.lines().zip(1..) {
        if line.is_empty() || line.starts_with("command ") || line.starts_with("option ") {
            cutter.end();
        } else {
            cutter.add(number, line);
        }
    }
    cutter.end();
    cutter.done
}

/// Returns the sentences in the strings and doc comments of a Rust file.
pub(super) fn of_rust(text: &str) -> Vec<Sentence> {
    let mut cutter = Cutter::default();
    for literal in literals(text).iter().filter(|literal| literal.is_sentence()) {
        for line in literal.text.lines() {
            cutter.add(literal.line, line);
            cutter.end();
        }
    }
    let mut found = cutter.done;
    // Doc comments are Markdown. Comments of tests are left out.
    let mut comments = String::new();
    for line in text.lines().take_while(|line| !line.contains("#[cfg(test)]")) {
        let comment = ["/// ", "//! "].into_iter().find_map(|mark| line.trim_start().strip_prefix(mark));
        comments.push_str(comment.unwrap_or_default());
        comments.push('\n');
    }
    found.extend(of_markdown(&comments));
    found
}
