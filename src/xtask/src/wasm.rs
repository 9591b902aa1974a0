//! Reading a WebAssembly module just far enough to know its functions, their names and their sizes.

use std::collections::BTreeMap;

/// A function that the module defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// From the name section, or empty.
    pub name: String,
    /// Bytes of its body, the length prefix included.
    pub bytes: usize,
}

/// The functions of `module`, in the order of its code section.
///
/// # Errors
/// One clause: what is not as the format has it.
pub fn functions(module: &[u8]) -> Result<Vec<Function>, &'static str> {
    let mut reader = Reader(module.strip_prefix(b"\0asm\x01\0\0\0").ok_or("it is not a WebAssembly module")?);
    let (mut imported, mut sizes, mut names) = (0, Vec::new(), BTreeMap::new());
    while !reader.0.is_empty() {
        let id = reader.byte()?;
        let mut section = reader.block()?;
        match id {
            IMPORT => imported = imported_functions(&mut section)?,
            CODE => sizes = body_sizes(&mut section)?,
            CUSTOM if section.text()? == "name" => names = function_names(&mut section)?,
            _ => {}
        }
    }
    let named =
        |(at, bytes): (usize, usize)| Function { name: names.remove(&(imported + at)).unwrap_or_default(), bytes };
    Ok(sizes.into_iter().enumerate().map(named).collect())
}

const CUSTOM: u8 = 0;
const IMPORT: u8 = 2;
const CODE: u8 = 10;

fn body_sizes(section: &mut Reader<'_>) -> Result<Vec<usize>, &'static str> {
    let count = section.number()?;
    let mut sizes = Vec::new();
    for _ in 0..count {
        let before = section.0.len();
        section.block()?;
        sizes.push(before - section.0.len());
    }
    Ok(sizes)
}

fn function_names(section: &mut Reader<'_>) -> Result<BTreeMap<usize, String>, &'static str> {
    const FUNCTIONS: u8 = 1;
    let mut names = BTreeMap::new();
    while !section.0.is_empty() {
        let kind = section.byte()?;
        let mut part = section.block()?;
        if kind == FUNCTIONS {
            for _ in 0..part.number()? {
                let index = part.number()?;
                names.insert(index, part.text()?.to_owned());
            }
        }
    }
    Ok(names)
}

/// Imported functions come first in the numbering that names use.
fn imported_functions(section: &mut Reader<'_>) -> Result<usize, &'static str> {
    let mut functions = 0;
    for _ in 0..section.number()? {
        section.text()?;
        section.text()?;
        functions += usize::from(imported_kind(section)?);
    }
    Ok(functions)
}

/// Reads what an import is; whether it is a function.
fn imported_kind(section: &mut Reader<'_>) -> Result<bool, &'static str> {
    let kind = section.byte()?;
    match kind {
        0 => _ = section.number()?,
        1 => {
            section.byte()?;
            section.limits()?;
        }
        2 => section.limits()?,
        3 => {
            section.byte()?;
            section.byte()?;
        }
        4 => {
            section.byte()?;
            section.number()?;
        }
        _ => return Err("an import is of an unknown kind"),
    }
    Ok(kind == 0)
}

/// The names of the imports of `module`, in order.
///
/// # Errors
/// One clause: what is not as the format has it.
pub fn imports(module: &[u8]) -> Result<Vec<String>, &'static str> {
    let mut names = Vec::new();
    with_imports_named(module, |name| {
        names.push(name.to_owned());
        name.to_owned()
    })?;
    Ok(names)
}

/// `module` with other names of its imports, and without custom sections, which no engine runs by: names of functions, tools
/// that made it.
///
/// # Errors
/// One clause: what is not as the format has it.
pub fn with_imports_named(module: &[u8], mut named: impl FnMut(&str) -> String) -> Result<Vec<u8>, &'static str> {
    let head = b"\0asm\x01\0\0\0";
    let mut reader = Reader(module.strip_prefix(head).ok_or("it is not a WebAssembly module")?);
    let mut out = head.to_vec();
    while !reader.0.is_empty() {
        let id = reader.byte()?;
        let mut section = reader.block()?;
        if id == CUSTOM {
            continue;
        }
        let mut body = section.0.to_vec();
        if id == IMPORT {
            body.clear();
            let count = section.number()?;
            push_number(&mut body, count);
            for _ in 0..count {
                push_text(&mut body, section.text()?);
                push_text(&mut body, &named(section.text()?));
                let before = section.0;
                imported_kind(&mut section)?;
                body.extend_from_slice(&before[..before.len() - section.0.len()]);
            }
        }
        out.push(id);
        push_number(&mut out, body.len());
        out.extend_from_slice(&body);
    }
    Ok(out)
}

/// Writes an unsigned LEB128 number.
fn push_number(out: &mut Vec<u8>, mut value: usize) {
    loop {
        let low = u8::try_from(value & 0x7f).unwrap_or_default();
        value >>= 7;
        if value == 0 {
            out.push(low);
            return;
        }
        out.push(low | 0x80);
    }
}

fn push_text(out: &mut Vec<u8>, text: &str) {
    push_number(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

const SHORT: &str = "it ends too early";

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Result<u8, &'static str> {
        let (&first, rest) = self.0.split_first().ok_or(SHORT)?;
        self.0 = rest;
        Ok(first)
    }

    /// An unsigned LEB128 number.
    fn number(&mut self) -> Result<usize, &'static str> {
        let mut value = 0u64;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return usize::try_from(value).map_err(|_| "a number is too large");
            }
        }
        Err("a number is too long")
    }

    /// A length and that many bytes.
    fn block(&mut self) -> Result<Self, &'static str> {
        let length = self.number()?;
        let (block, rest) = self.0.split_at_checked(length).ok_or(SHORT)?;
        self.0 = rest;
        Ok(Reader(block))
    }

    fn text(&mut self) -> Result<&'a str, &'static str> {
        std::str::from_utf8(self.block()?.0).map_err(|_| "a name is not text")
    }

    fn limits(&mut self) -> Result<(), &'static str> {
        let flags = self.byte()?;
        self.number()?;
        if flags & 1 != 0 {
            self.number()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One imported function and memory, two bodies, a name for the import and the second body.
    fn module() -> Vec<u8> {
        let mut bytes = b"\0asm\x01\0\0\0".to_vec();
        let mut section = |id: u8, body: &[u8]| {
            bytes.push(id);
            bytes.push(u8::try_from(body.len()).unwrap());
            bytes.extend_from_slice(body);
        };
        section(IMPORT, b"\x02\x01e\x01f\x00\x00\x01e\x01m\x02\x00\x80\x01");
        section(CODE, b"\x02\x02\x00\x0b\x04\x00\x01\x01\x0b");
        section(CUSTOM, b"\x04name\x01\x08\x02\x00\x01f\x02\x02gg");
        bytes
    }

    #[test]
    fn bodies_get_the_names_behind_the_imports() {
        let function = |name: &str, bytes| Function { name: name.into(), bytes };
        assert_eq!(functions(&module()).unwrap(), [function("", 3), function("gg", 5)]);
    }

    #[test]
    fn imports_get_other_names_and_all_that_runs_stays() {
        let module = module();
        assert_eq!(imports(&module).unwrap(), ["f", "m"]);
        // The names of functions are 17 bytes at the end.
        let runs = &module[..module.len() - 17];
        assert_eq!(with_imports_named(&module, str::to_owned).unwrap(), runs);
        let long = "x".repeat(300);
        let renamed = with_imports_named(&module, |name| if name == "f" { long.clone() } else { name.to_owned() });
        let renamed = renamed.unwrap();
        assert_eq!(imports(&renamed).unwrap(), [long.as_str(), "m"]);
        assert_eq!(with_imports_named(&renamed, |name| name.replace(&long, "f")).unwrap(), runs);
        assert!(with_imports_named(&module[..12], str::to_owned).is_err());
    }

    #[test]
    fn every_shortened_module_is_an_error_or_a_smaller_module() {
        let module = module();
        assert_eq!(functions(b"not wasm"), Err("it is not a WebAssembly module"));
        for length in 0..module.len() {
            if let Ok(found) = functions(&module[..length]) {
                assert!(found.len() <= 2);
            }
        }
    }
}
