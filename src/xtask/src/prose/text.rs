//! Sentences of a file: the prose of a Markdown document, or the strings and doc comments of a Rust file.

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

/// Returns the sentences of a Markdown document. Inline code counts as one word.
pub(super) fn of_markdown(text: &str) -> Vec<Sentence> {
    let mut cutter = Cutter::default();
    let (mut fence, mut is_comment, mut is_list) = (None, false, false);
    let mut code = false;
    for (line, number) in text.lines().zip(1..) {
        let trimmed = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark));
        if fence.is_some() || mark.is_some() {
            cutter.end();
            fence = if fence.is_some() && mark == fence { None } else { fence.or(mark) };
            continue;
        }
        if trimmed.starts_with("<!--") {
            is_comment = true;
        }
        if is_comment {
            is_comment = !trimmed.contains("-->");
            continue;
        }
        let is_item =
            trimmed.starts_with("- ") || trimmed.starts_with("* ") || trimmed.starts_with("> ") || numbered(trimmed);
        if trimmed.is_empty() {
            cutter.end();
            (is_list, code) = (is_list && !trimmed.is_empty(), false);
            continue;
        }
        // Indented lines are code, except in a list.
        if line.starts_with("    ") && !is_list && !is_item {
            cutter.end();
            continue;
        }
        is_list |= is_item;
        if is_item || trimmed.starts_with('#') || trimmed.starts_with('|') {
            cutter.end();
        }
        let cells = if trimmed.starts_with('|') { trimmed.split('|').collect() } else { vec![trimmed] };
        let n_cells = cells.len();
        for cell in cells {
            cutter.add(number, &without_code(cell, &mut code));
            if n_cells > 1 || trimmed.starts_with('#') {
                cutter.end();
            }
        }
    }
    cutter.end();
    cutter.done
}

fn numbered(line: &str) -> bool {
    let digits = line.len() - line.trim_start_matches(|sign: char| sign.is_ascii_digit()).len();
    digits > 0 && line[digits..].starts_with(". ")
}

/// Returns a line without marks, link addresses and tags, and with each piece of inline code as one word. `code` is
/// true if a piece of inline code continues on the next line.
fn without_code(line: &str, code: &mut bool) -> String {
    let (mut text, mut rest) = (String::new(), line);
    while let Some(sign) = rest.chars().next() {
        if sign == '`' {
            *code = !*code;
            text.push_str(if *code { "x" } else { "" });
            rest = rest.trim_start_matches('`');
        } else if *code {
            rest = &rest[sign.len_utf8()..];
        } else if let Some(behind) = rest.strip_prefix("](") {
            rest = behind.split_once(')').map_or("", |(_, behind)| behind);
        } else if sign == '<' && rest[1..].starts_with(|next: char| next.is_alphabetic() || next == '/') {
            rest = rest.split_once('>').map_or("", |(_, behind)| behind);
        } else {
            if !['[', '*', '#'].contains(&sign) {
                text.push(sign);
            }
            rest = &rest[sign.len_utf8()..];
        }
    }
    text
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
