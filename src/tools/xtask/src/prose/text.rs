//! Sentences of a file: the prose of a Markdown document, or the strings and comments of a Rust file.

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

/// Returns the sentences in the strings of a Rust file.
pub(super) fn of_strings(text: &str) -> Vec<Sentence> {
    let mut cutter = Cutter::default();
    for literal in literals(text).iter().filter(|literal| literal.is_sentence()) {
        for line in literal.text.lines() {
            cutter.add(literal.line, line);
            cutter.end();
        }
    }
    cutter.done
}

/// Returns the sentences in the comments of a Rust file, which are Markdown.
pub(super) fn of_comments(text: &str) -> Vec<Sentence> {
    let comment = |line: &str| {
        let line = line.trim_start();
        let words = ["/// ", "//! ", "// "].into_iter().find_map(|mark| line.strip_prefix(mark));
        words.unwrap_or_default().to_owned() + "\n"
    };
    of_markdown(&text.lines().map(comment).collect::<String>())
}
