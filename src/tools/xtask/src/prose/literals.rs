//! Finds the string literals of a Rust file that are sentences, and leaves out test code.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

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
///
/// # Panics
/// Panics if the code is not Rust.
#[must_use]
pub fn literals(code: &str) -> Vec<Literal> {
    let mut found = Vec::new();
    walk(code.parse().expect("Rust code"), &mut String::new(), &mut found);
    found
}

/// Collects the literals of `tokens`, except in items with the attribute `#[cfg(test)]`. `code` is the code before the
/// tokens, without spaces and without the contents of literals.
fn walk(tokens: TokenStream, code: &mut String, found: &mut Vec<Literal>) {
    let mut is_test = false;
    for token in tokens {
        match token {
            // The item ends with its body or with a semicolon.
            TokenTree::Group(group) if is_test => is_test = group.delimiter() != Delimiter::Brace,
            TokenTree::Punct(sign) if is_test => is_test = sign.as_char() != ';',
            _ if is_test => {}
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket | Delimiter::None => ('[', ']'),
                };
                is_test = code.ends_with('#') && group.to_string().replace(' ', "") == "[cfg(test)]";
                code.push(open);
                walk(group.stream(), code, found);
                code.push(close);
            }
            TokenTree::Literal(literal) => match string_in(&literal.to_string()) {
                Some(text) => {
                    let is_exempt = EXEMPT.iter().any(|front| code.ends_with(front));
                    found.push(Literal { line: literal.span().start().line, text, is_exempt });
                    code.push_str("\"\"");
                }
                None => code.push_str("''"),
            },
            other => code.push_str(&other.to_string()),
        }
    }
}

/// Returns the text of a string literal, or `None` for a number or a character.
fn string_in(literal: &str) -> Option<String> {
    let (start, end) = (literal.find('"')?, literal.rfind('"')?);
    let (prefix, body) = (&literal[..start], literal.get(start + 1..end)?);
    (!prefix.contains('\'')).then(|| if prefix.contains('r') { body.to_owned() } else { unescaped(body) })
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
