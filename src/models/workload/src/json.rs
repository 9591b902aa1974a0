//! JSON reader that stores no more data than its caller needs.

use std::borrow::Cow;

/// Maximum nesting depth of objects and lists.
const DEPTH_MAX: u32 = 64;
/// Maximum number of values in one tree, which then takes about 2 MiB.
const VALUES_MAX: u32 = 50_000;

/// Error at a position in a text: invalid JSON, or a limit of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Number of bytes before the position.
    pub at: usize,
    /// Expected input at the position.
    pub wanted: Wanted,
}

/// Input that the reader expects at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A text with fewer values.
    FewerValues,
    /// A text with fewer levels of objects and lists.
    FewerLevels,
    /// An object.
    Object,
    /// A list.
    List,
    /// Any value.
    Value,
    /// A colon after a key.
    Colon,
    /// A comma or the closing brace of an object.
    CommaOrBrace,
    /// A comma or the closing bracket of a list.
    CommaOrBracket,
    /// A string.
    Text,
    /// The rest of a string, up to its closing quotation mark.
    RestOfText,
    /// A character after a backslash.
    Escaped,
    /// One of the escapes that JSON defines.
    Escape,
    /// Four hexadecimal digits.
    HexDigits,
    /// A whole character, not a single surrogate.
    WholeCharacter,
    /// The second surrogate of a pair.
    SecondHalf,
    /// A digit.
    Digit,
    /// The end of the text.
    End,
    /// A text without comments.
    NoComment,
    /// A list or object without a comma after its last item.
    NoLastComma,
    /// An object that has each key only once.
    EachKeyOnce,
}

/// A JSON value. Numbers stay text, so that the caller can parse each number as the type it needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Number(&'a str),
    Text(Cow<'a, str>),
    List(Vec<Self>),
    Object(Vec<(Cow<'a, str>, Self)>),
}

impl<'a> Value<'a> {
    /// Parses the whole text as one value.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Broken> {
        let mut reader = Reader::new(text);
        let value = reader.value()?;
        reader.end()?;
        Ok(value)
    }

    /// Returns the value of a key in an object.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(entries) = self else { return None };
        entries.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Describes the value for an error message: numbers are unchanged, and strings are quoted.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => value.to_string(),
            Self::Number(text) => plain::cut(text),
            Self::Text(text) => plain::quote(text),
            Self::List(_) => "a list".into(),
            Self::Object(_) => "an object".into(),
        }
    }
}

/// Reader of a JSON text, from start to end.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
    values: u32,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, depth: 0, values: 0 }
    }

    /// Reads the next value as a tree.
    pub(crate) fn value(&mut self) -> Result<Value<'a>, Broken> {
        self.values += 1;
        if self.values > VALUES_MAX {
            return Err(self.broken(Wanted::FewerValues));
        }
        match self.peek() {
            Some(b'{') => {
                let mut entries = Vec::new();
                self.entries(|key, reader| {
                    entries.push((key, reader.value()?));
                    Ok::<_, Broken>(())
                })?;
                let mut keys: Vec<&str> = entries.iter().map(|(key, _): &(Cow<'_, str>, _)| &**key).collect();
                keys.sort_unstable();
                // The second value would silently replace the first.
                if keys.windows(2).any(|pair| pair[0] == pair[1]) {
                    return Err(self.broken(Wanted::EachKeyOnce));
                }
                Ok(Value::Object(entries))
            }
            Some(b'[') => {
                let mut items = Vec::new();
                self.items(|reader| {
                    items.push(reader.value()?);
                    Ok::<_, Broken>(())
                })?;
                Ok(Value::List(items))
            }
            Some(b'"') => self.string().map(Value::Text),
            Some(b'-' | b'0'..=b'9') => self.number().map(Value::Number),
            _ => self.word(),
        }
    }

    /// Calls `each` with each key of an object. `each` must read or skip the value of the key.
    pub(crate) fn entries<E: From<Broken>>(
        &mut self,
        mut each: impl FnMut(Cow<'a, str>, &mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.open(b'{', Wanted::Object)?;
        let mut first = true;
        while self.has_next_item(b'}', &mut first)? {
            let key = self.key()?;
            each(key, self)?;
        }
        Ok(())
    }

    /// Reads the key of an entry and the colon after the key.
    pub(crate) fn key(&mut self) -> Result<Cow<'a, str>, Broken> {
        self.peek();
        let key = self.string()?;
        if self.peek() != Some(b':') {
            return Err(self.broken(Wanted::Colon));
        }
        self.at += 1;
        Ok(key)
    }

    /// Calls `each` at each item of a list. `each` must read or skip the item.
    pub(crate) fn items<E: From<Broken>>(&mut self, mut each: impl FnMut(&mut Self) -> Result<(), E>) -> Result<(), E> {
        self.open(b'[', Wanted::List)?;
        let mut first = true;
        while self.has_next_item(b']', &mut first)? {
            each(self)?;
        }
        Ok(())
    }

    /// Checks that only whitespace is left.
    pub(crate) fn end(&mut self) -> Result<(), Broken> {
        if self.peek().is_none() { Ok(()) } else { Err(self.broken(Wanted::End)) }
    }

    /// Skips whitespace and returns the first byte of the next value, without consuming this byte.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        self.at += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.byte()
    }

    pub(crate) fn broken(&self, wanted: Wanted) -> Broken {
        let is_comment = matches!(self.byte(), Some(b'/' | b'#'));
        let is_shown = !matches!(wanted, Wanted::RestOfText | Wanted::Escape | Wanted::HexDigits);
        let wanted = if is_comment && is_shown { Wanted::NoComment } else { wanted };
        Broken { at: self.at, wanted }
    }

    fn open(&mut self, bracket: u8, wanted: Wanted) -> Result<(), Broken> {
        if self.peek() != Some(bracket) {
            return Err(self.broken(wanted));
        }
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.broken(Wanted::FewerLevels));
        }
        self.at += 1;
        Ok(())
    }

    /// Returns true if another item follows. Consumes the comma before the item, or the closing bracket.
    fn has_next_item(&mut self, close: u8, first: &mut bool) -> Result<bool, Broken> {
        let found = self.peek();
        if found == Some(close) {
            self.at += 1;
            self.depth -= 1;
            return Ok(false);
        }
        if !std::mem::take(first) {
            if found != Some(b',') {
                return Err(self.broken(if close == b'}' { Wanted::CommaOrBrace } else { Wanted::CommaOrBracket }));
            }
            self.at += 1;
            if self.peek() == Some(close) {
                return Err(self.broken(Wanted::NoLastComma));
            }
        }
        Ok(true)
    }

    /// Reads a string. The result is borrowed if the string has no escapes.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, Broken> {
        if self.peek() != Some(b'"') {
            return Err(self.broken(Wanted::Text));
        }
        self.at += 1;
        let start = self.at;
        let mut own: Option<String> = None;
        let mut from = start;
        loop {
            match self.byte() {
                Some(b'"') => {
                    let tail = self.since(from);
                    self.at += 1;
                    return Ok(match own {
                        None => Cow::Borrowed(tail),
                        Some(own) => Cow::Owned(own + tail),
                    });
                }
                Some(b'\\') => {
                    let own = own.get_or_insert_with(String::new);
                    own.push_str(self.since(from));
                    self.at += 1;
                    own.push(self.escape()?);
                    from = self.at;
                }
                Some(0..=0x1f) | None => return Err(self.broken(Wanted::RestOfText)),
                Some(_) => self.at += 1,
            }
        }
    }

    fn since(&self, from: usize) -> &'a str {
        self.text.get(from..self.at).unwrap_or("")
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads an escape after its backslash and returns the character that it encodes.
    fn escape(&mut self) -> Result<char, Broken> {
        let byte = self.byte().ok_or(self.broken(Wanted::Escaped))?;
        self.at += 1;
        Ok(match byte {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex()?;
                if !(0xD800..0xDC00).contains(&first) {
                    return char::from_u32(first).ok_or(self.broken(Wanted::WholeCharacter));
                }
                if self.text.as_bytes().get(self.at..self.at + 2) != Some(b"\\u") {
                    return Err(self.broken(Wanted::SecondHalf));
                }
                self.at += 2;
                let second = self.hex()?.checked_sub(0xDC00).filter(|low| *low < 0x400);
                let whole = second.and_then(|low| char::from_u32(0x1_0000 + ((first - 0xD800) << 10) + low));
                return whole.ok_or(self.broken(Wanted::WholeCharacter));
            }
            _ => return Err(self.broken(Wanted::Escape)),
        })
    }

    fn hex(&mut self) -> Result<u32, Broken> {
        let digits = self.text.get(self.at..self.at + 4).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let code = code.ok_or(self.broken(Wanted::HexDigits))?;
        self.at += 4;
        Ok(code)
    }

    /// Reads a number and returns its text.
    pub(crate) fn number(&mut self) -> Result<&'a str, Broken> {
        self.peek();
        let start = self.at;
        self.take(b"-");
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.take(b".") {
            self.digits()?;
        }
        if self.take(b"eE") {
            self.take(b"+-");
            self.digits()?;
        }
        Ok(self.since(start))
    }

    fn take(&mut self, any: &[u8]) -> bool {
        let found = self.byte().is_some_and(|byte| any.contains(&byte));
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) -> Result<(), Broken> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err(self.broken(Wanted::Digit)) }
    }

    fn word(&mut self) -> Result<Value<'a>, Broken> {
        let words = [
            ("null", Value::Null),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            // Python writes these, although JSON has no such numbers.
            ("Infinity", Value::Number("Infinity")),
            ("-Infinity", Value::Number("-Infinity")),
            ("NaN", Value::Number("NaN")),
        ];
        let rest = self.text.get(self.at..).unwrap_or("");
        for (word, value) in words {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.broken(Wanted::Value))
    }
}

#[cfg(test)]
mod tests;
