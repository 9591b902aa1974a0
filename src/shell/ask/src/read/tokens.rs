//! Numbers, words and signs of a text, with a mark on each that a reader has used.

use crate::words::is_one_of;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// A number.
    Number(f64),
    /// A word in lower case that begins with a letter.
    Word,
    /// Any other character.
    Sign(char),
}

/// A number, a word or a sign.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) part: Part,
    /// Text in lower case.
    pub(super) text: String,
    /// True if no space separates the token from the token before.
    pub(super) is_glued: bool,
    /// True if a reader has used the token.
    pub(super) is_used: bool,
}

/// The tokens of a text.
#[derive(Clone, Debug)]
pub(super) struct Tokens(pub(super) Vec<Token>);

/// Maximum number of tokens that are read.
const TOKENS_MAX: usize = 2000;

impl Tokens {
    /// Splits a text. `×` and `x` between numbers are the sign `x`, `³` is `^3`, and `4k` is 4096.
    pub(super) fn of(text: &str) -> Self {
        let text = text.replace(['×', '✕', '∗', '·'], "x").replace('³', "^3").replace('−', "-").to_lowercase();
        let signs: Vec<char> = text.chars().collect();
        let mut tokens: Vec<Token> = Vec::new();
        let (mut at, mut is_glued) = (0, false);
        while let Some(&sign) = signs.get(at).filter(|_| tokens.len() < TOKENS_MAX) {
            let follows = |at: usize, is: fn(&char) -> bool| signs.get(at).is_some_and(is);
            let from = at;
            let part = if sign.is_whitespace() {
                (at, is_glued) = (at + 1, false);
                continue;
            } else if sign.is_ascii_digit() {
                at = end_of_number(&signs, at);
                let digits: String = signs[from..at].iter().filter(|sign| **sign != ',').collect();
                Part::Number(display::number::read(&digits).unwrap_or(f64::INFINITY))
            } else if matches!(sign, 'x' | '*') && is_sign_of_times(&signs, at) {
                at += 1;
                Part::Sign('x')
            } else if sign.is_alphabetic() {
                while follows(at, |sign| sign.is_alphanumeric() || *sign == '_') {
                    at += 1;
                }
                Part::Word
            } else {
                at += 1;
                Part::Sign(sign)
            };
            let text: String = signs[from..at].iter().collect();
            tokens.push(Token { part, text, is_glued, is_used: false });
            is_glued = true;
        }
        Self(tokens)
    }

    pub(super) fn get(&self, at: usize) -> Option<&Token> {
        self.0.get(at)
    }

    /// Returns the word at a position; empty if there is no word.
    pub(super) fn word(&self, at: usize) -> &str {
        self.get(at).filter(|token| token.part == Part::Word).map_or("", |token| &token.text)
    }

    /// Returns the number at a position.
    pub(super) fn number(&self, at: usize) -> Option<f64> {
        match self.get(at)?.part {
            Part::Number(number) => Some(number),
            Part::Word | Part::Sign(_) => None,
        }
    }

    /// Returns the number at a position, as a count, if it is whole and not too large. `4k` is 4096 and `10k` is 10,000.
    pub(super) fn count(&self, at: usize) -> Option<u64> {
        let number = self.number(at)?;
        let is_kilo = self.word(at + 1) == "k" && self.0.get(at + 1).is_some_and(|token| token.is_glued);
        let kilo = if !is_kilo {
            1.0
        } else if (number * 1024.0).log2().fract() == 0.0 {
            1024.0
        } else {
            1000.0
        };
        whole(number * kilo)
    }

    /// True if the token at a position is this sign.
    pub(super) fn is_sign(&self, at: usize, sign: char) -> bool {
        self.get(at).is_some_and(|token| token.part == Part::Sign(sign))
    }

    /// True if the text contains one of the words. `words` has spaces between the words.
    pub(super) fn has(&self, words: &str) -> bool {
        (0..self.0.len()).any(|at| is_one_of(words, self.word(at)))
    }

    /// Returns the first unused number above 0 that stands before one of these units, multiplied by the factor of the
    /// unit. Marks the number and the unit as used.
    pub(super) fn take_before(&mut self, units: &[(&str, f64)]) -> Option<f64> {
        let (at, number) = (1..self.0.len()).find_map(|at| {
            let (_, factor) = units.iter().find(|(unit, _)| *unit == self.word(at))?;
            let number = self.number(at - 1).filter(|number| *number > 0.0 && !self.0[at - 1].is_used)?;
            Some((at, number * factor))
        })?;
        self.mark(at - 1..at + 1);
        Some(number)
    }

    /// Marks tokens as used.
    pub(super) fn mark(&mut self, range: core::ops::Range<usize>) {
        for token in self.0.iter_mut().take(range.end).skip(range.start) {
            token.is_used = true;
        }
    }

    /// Returns the words and numbers that no reader has used, except for words that `is_expected` knows.
    pub(super) fn unused(&self, is_expected: impl Fn(&str) -> bool) -> Vec<&str> {
        let unused = self.0.iter().filter(|token| !token.is_used && !matches!(token.part, Part::Sign(_)));
        unused.map(|token| &*token.text).filter(|text| !is_expected(text)).collect()
    }
}

/// Returns a whole number of at most 15 digits.
pub(super) fn whole(number: f64) -> Option<u64> {
    let is_count = number.fract() == 0.0 && (0.0..1e15).contains(&number);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and in range")]
    is_count.then_some(number as u64)
}

/// Returns the position behind a number. A comma before exactly three digits groups thousands.
fn end_of_number(signs: &[char], from: usize) -> usize {
    let digits = |at: usize| signs[at.min(signs.len())..].iter().take_while(|sign| sign.is_ascii_digit()).count();
    let mut at = from + digits(from);
    while at - from <= 3 + 4 * ((at - from) / 4) && signs.get(at) == Some(&',') && digits(at + 1) == 3 {
        at += 4;
    }
    if signs.get(at) == Some(&'.') && digits(at + 1) > 0 {
        at += 1 + digits(at + 1);
    }
    if signs.get(at) == Some(&'e') {
        let sign = usize::from(matches!(signs.get(at + 1), Some('+' | '-')));
        if digits(at + 1 + sign) > 0 {
            at += 1 + sign + digits(at + 1 + sign);
        }
    }
    at
}

/// True if an `x` or `*` is a multiplication sign: it stands between numbers or brackets, and does not begin a word.
fn is_sign_of_times(signs: &[char], at: usize) -> bool {
    let next = signs[at + 1..].iter().find(|sign| !sign.is_whitespace());
    let is_alone = !signs.get(at + 1).is_some_and(|sign| sign.is_alphabetic());
    let before = signs[..at].iter().rev().find(|sign| !sign.is_whitespace());
    let is_after = before.is_some_and(|sign| sign.is_alphanumeric() || matches!(sign, ')' | ']'));
    let is_before = next.is_some_and(|sign| sign.is_alphanumeric() || matches!(sign, '(' | '['));
    let is_of_letters = signs.get(at + 1).is_some_and(|sign| matches!(sign, 'k' | 'n' | 'm'));
    // `8xA100`
    let is_count = signs[at] == 'x' && at > 0 && signs[at - 1].is_ascii_digit();
    is_after && is_before && (is_alone || is_of_letters || is_count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_words_and_signs_are_split() {
        let texts = |text: &str| Tokens::of(text).0.into_iter().map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(texts("128×128 array, K=100"), ["128", "x", "128", "array", ",", "k", "=", "100"]);
        assert_eq!(texts("v4-64, 8192, 49,345 tok/s"), ["v4", "-", "64", ",", "8192", ",", "49,345", "tok", "/", "s"]);
        assert_eq!(texts("1024^3 e4m3fn max xla"), ["1024", "^", "3", "e4m3fn", "max", "xla"]);
        let tokens = Tokens::of("4k 10k 1.5e3 70b 12,860,000 123456789012345678901234567890");
        assert_eq!([0, 2].map(|at| tokens.count(at)), [Some(4096), Some(10_000)]);
        assert_eq!([4, 5, 7].map(|at| tokens.count(at)), [Some(1500), Some(70), Some(12_860_000)]);
        assert_eq!(tokens.count(8), None);
    }
}
