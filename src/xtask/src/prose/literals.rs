//! Finds the string literals of a Rust file that are sentences, with a tokenizer for comments, characters, raw strings
//! and test code.

/// A string literal of a Rust file.
#[derive(Debug, PartialEq, Eq)]
pub struct Literal {
    /// Line in which the literal begins, counted from 1.
    pub line: usize,
    /// Text of the literal, with its escapes replaced.
    pub text: String,
    /// True if no user reads the text: a citation, the reason of an attribute, or the message of an impossible failure.
    is_exempt: bool,
}

/// Minimum number of words in a literal that counts as a sentence.
const WORDS: usize = 3;

/// Code that precedes a literal that no user reads, such as a citation or a text for maintainers.
const EXEMPT: [&str; 7] =
    ["Source{key:\"\",text:", "reason=", "doc=", ".expect(", ".expect_err(", "unreachable!(", "panic!("];

/// Returns the line of each literal that is a sentence and is not in test code.
#[must_use]
pub fn sentences(code: &str) -> Vec<usize> {
    literals(code).iter().filter(|literal| literal.is_sentence()).map(|literal| literal.line).collect()
}

impl Literal {
    /// True if the literal is a sentence. Tags of HTML or SVG are not sentences, and placeholders in braces are not
    /// words.
    #[must_use]
    pub fn is_sentence(&self) -> bool {
        let words = without_braces(&self.text).split_whitespace().filter(|part| is_word(part)).count();
        !self.is_exempt && !self.text.starts_with('<') && words >= WORDS
    }
}

/// True if `part` is a word of two or more letters. A name in code also has other characters between the letters.
fn is_word(part: &str) -> bool {
    let word = part.trim_matches(|c: char| !c.is_alphabetic());
    word.chars().count() > 1 && word.chars().all(|c| c.is_alphabetic() || "'’-".contains(c))
}

fn without_braces(text: &str) -> String {
    let mut depth = 0usize;
    let outside = |c: &char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    };
    text.chars().filter(outside).collect()
}

/// Returns all string literals outside test code, in the order of the file.
#[must_use]
pub fn literals(code: &str) -> Vec<Literal> {
    let mut reader = Reader { rest: code, line: 1, code: String::new(), depth: 0, test: Test::No, found: Vec::new() };
    while let Some(c) = reader.rest.chars().next() {
        reader.token(c);
    }
    reader.found
}

/// Position relative to an item that only tests use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    No,
    /// After the attribute of the item and before its body. The value is the number of open brackets.
    Announced(usize),
    /// Inside the body of the item, which ends at this number of open brackets.
    Inside(usize),
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    /// Code before the current position, without spaces, comments and the contents of literals.
    code: String,
    depth: usize,
    test: Test,
    found: Vec<Literal>,
}

impl<'a> Reader<'a> {
    fn token(&mut self, c: char) {
        let rest = self.rest;
        if rest.starts_with("//") {
            self.pass(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            self.pass(comment(rest));
        } else if let Some((start, hashes)) = self.raw() {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &rest[start..];
            let length = body.find(&end).unwrap_or(body.len());
            self.literal(body[..length].to_owned(), (start + length + end.len()).min(rest.len()));
        } else if c == '"' {
            let end = 1 + quoted(&rest[1..]);
            self.literal(unescaped(&rest[1..end]), (end + 1).min(rest.len()));
        } else if let Some(end) = character(rest) {
            self.code.push_str("''");
            self.pass(end);
        } else {
            self.pass(c.len_utf8());
            if !c.is_whitespace() {
                self.sign(c);
            }
        }
    }

    /// Returns the offset behind the quotation mark that begins a raw string, and the number of hashes before the mark.
    fn raw(&self) -> Option<(usize, usize)> {
        let behind_a_name = self.code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        // The code has no spaces, so a keyword touches the text after it. Only these keywords can precede a raw string.
        let bare = ["return", "in", "else", "match", "if"].iter().any(|word| self.code.ends_with(word));
        if behind_a_name && !bare {
            return None;
        }
        let prefix = ["br", "cr", "r"].into_iter().find(|prefix| self.rest.starts_with(prefix))?;
        let behind = &self.rest[prefix.len()..];
        let hashes = behind.bytes().take_while(|byte| *byte == b'#').count();
        behind[hashes..].starts_with('"').then_some((prefix.len() + hashes + 1, hashes))
    }

    fn literal(&mut self, text: String, length: usize) {
        let is_exempt = EXEMPT.iter().any(|front| self.code.ends_with(front));
        if self.test == Test::No {
            self.found.push(Literal { line: self.line, text, is_exempt });
        }
        self.code.push_str("\"\"");
        self.pass(length);
    }

    fn sign(&mut self, c: char) {
        self.code.push(c);
        match c {
            '{' | '(' | '[' => {
                if c == '{' && self.test == Test::Announced(self.depth) {
                    self.test = Test::Inside(self.depth);
                }
                self.depth += 1;
            }
            '}' | ')' | ']' => {
                self.depth = self.depth.saturating_sub(1);
                if c == '}' && self.test == Test::Inside(self.depth) {
                    self.test = Test::No;
                }
            }
            ';' if self.test == Test::Announced(self.depth) => self.test = Test::No,
            _ => {}
        }
        if self.test == Test::No && self.code.ends_with("#[cfg(test)]") {
            self.test = Test::Announced(self.depth);
        }
    }

    fn pass(&mut self, length: usize) {
        let (gone, rest) = self.rest.split_at(length);
        self.line += gone.matches('\n').count();
        self.rest = rest;
    }
}

/// Returns the length of a block comment, which may contain other comments.
fn comment(text: &str) -> usize {
    let (mut depth, mut at) = (0usize, 0);
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest.starts_with(b"*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

/// Returns the number of bytes before the quotation mark that ends a string.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.unwrap_or(text.len())
}

/// Returns the length of a character literal, or `None` for a lifetime or any other text.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let first = inner.chars().next()?;
    let inner_length = if first == '\\' { 2 + inner.get(2..)?.find('\'')? } else { first.len_utf8() };
    inner.get(inner_length..)?.starts_with('\'').then_some(inner_length + 2)
}

/// Returns the text of a string with its escapes replaced. An escaped line end joins two lines; any other escape
/// becomes one character.
fn unescaped(text: &str) -> String {
    let mut found = String::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        found.push_str(before);
        let kind = escape.chars().next().unwrap_or(' ');
        let behind = escape.get(kind.len_utf8()..).unwrap_or_default();
        rest = match kind {
            '\n' => behind.trim_start(),
            'u' => {
                found.push('·');
                behind.split_once('}').map_or("", |(_, behind)| behind)
            }
            'n' | 't' | 'r' => {
                found.push(' ');
                behind
            }
            sign => {
                found.push(sign);
                behind
            }
        };
    }
    found + rest
}

#[cfg(test)]
mod tests {
    use super::{literals, sentences};

    #[test]
    fn every_kind_of_literal_is_found_and_nothing_else() {
        let texts = |code: &str| literals(code).into_iter().map(|one| (one.line, one.text)).collect::<Vec<_>>();
        let one = |line, text: &str| vec![(line, text.to_owned())];
        assert_eq!(texts("let a = \"b\";"), one(1, "b"));
        assert_eq!(texts("// \"no\"\n/* \"no /* \" */ \" */ \"yes\""), one(2, "yes"));
        assert_eq!(texts("let a = '\"'; let b = '\\''; let c: &'a str = \"c\";"), one(1, "c"));
        assert_eq!(texts("let a = '\\u{22}'; \"b\""), one(1, "b"));
        assert_eq!(
            texts("r#\"a \"quoted\" \\ one\"#; r\"b\\\""),
            [one(1, "a \"quoted\" \\ one"), one(1, "b\\")].concat()
        );
        assert_eq!(texts("for r in br\"a\" { r#type }"), one(1, "a"));
        assert_eq!(texts("\"a \\\n      b \\\"c\\\" d\\\\\"; \"e\""), [one(1, "a b \"c\" d\\"), one(2, "e")].concat());
        assert_eq!(texts("b\"a\"; b'\"'; c\"b\""), [one(1, "a"), one(1, "b")].concat());
    }

    #[test]
    fn test_code_is_left_out_to_its_end() {
        let code = "#[cfg(test)]\nmod tests {\n fn a() { '}'; \"}\"; }\n}\nconst A: &str = \"a\";\n#[cfg(test)]\nmod b;\n\"c\"";
        let lines: Vec<usize> = literals(code).iter().map(|literal| literal.line).collect();
        assert_eq!(lines, [5, 8]);
    }

    #[test]
    fn a_sentence_has_three_words_outside_of_braces() {
        let is = |code: &str| !sentences(code).is_empty();
        assert!(
            is("\"There is nothing.\"")
                && is("\"{} is not {what}: use it\"")
                && is("\"one \\\n   two \\u{202f} three\"")
        );
        for other in [
            "\"row {row}: {some long name}\"",
            "\"max-age=60 immutable\"",
            "\"<b>This is a tag</b>\"",
            "\"(prefers-color-scheme: dark)\"",
            "\"snake_case_name other_name third_name\"",
            "#[expect(lint, reason = \"it is so\")]",
            "x.expect(\n    \"it is so\")",
            "unreachable!(\"it is so\")",
            "panic!(\"it is so\")",
            "Source { key: \"a\", text: \"Someone et al., a title of words\" }",
            "//! Words of a comment: \"it is so\".",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}
