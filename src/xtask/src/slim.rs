//! The script that binds a module, without its comments and its indentation: Trunk's minifier does not know its syntax.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::{Error, wasm};

/// Lines without indentation, comments and emptiness; unchanged where a text may go over several lines.
#[must_use]
pub fn slim(script: &str) -> String {
    let mut slim = String::with_capacity(script.len());
    let mut in_comment = false;
    for line in script.lines().map(str::trim) {
        if line.matches('`').count() % 2 == 1 {
            return script.to_owned();
        }
        in_comment = in_comment || line.starts_with("/*");
        if !in_comment && !line.is_empty() && !line.starts_with("//") {
            slim.push_str(line);
            slim.push('\n');
        }
        in_comment = in_comment && !line.ends_with("*/");
    }
    slim
}

/// Short names for the imports of a module and for the functions of the script that give them.
///
/// wasm-bindgen ends each name with sixteen digits of a hash, which no compression makes shorter.
///
/// # Errors
/// One clause: what is not as the format has it.
pub fn shortened(script: &str, module: &[u8]) -> Result<(String, Vec<u8>), &'static str> {
    let names = wasm::imports(module)?;
    // A name is replaced where it stands as a word, never inside another.
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    let short = |index: usize| format!("i{index}");
    let taken = names
        .iter()
        .enumerate()
        .any(|(index, _)| script.split(|c: char| !c.is_ascii() || !is_word(c as u8)).any(|word| word == short(index)));
    let only_once = |name: &str| script.matches(name).count() == 1;
    if taken
        || !names.iter().filter(|name| name.starts_with("__wb")).all(|name| only_once(&format!("{name}: function")))
    {
        return Err("the script does not give each import once");
    }
    let mut script = script.to_owned();
    let place = |name: &str| names.iter().position(|one| one == name).filter(|_| name.starts_with("__wb"));
    for name in &names {
        if let Some(index) = place(name) {
            script = script.replace(&format!("{name}: function"), &format!("{}:function", short(index)));
        }
    }
    let module = wasm::with_imports_named(module, |name| place(name).map_or_else(|| name.to_owned(), short))?;
    Ok((script, module))
}

/// Slims the scripts of the built page, shortens the imports of its module, and tells the page their new digests.
///
/// # Errors
/// A file cannot be read or written, or the page does not vouch for it as expected.
pub fn slim_page(dist: &Path) -> Result<(), Error> {
    let page = dist.join("index.html");
    let mut html = fs::read_to_string(&page).map_err(Error::io("read dist/index.html"))?;
    let mut replace = |name: &str, old: &[u8], new: &[u8]| {
        if !html.contains(&integrity(old)) {
            return Err(Error::Malformed(format!("dist/index.html does not vouch for {name} by sha256")));
        }
        html = html.replace(&integrity(old), &integrity(new));
        fs::write(dist.join(name), new).map_err(Error::io(format!("write {name}")))
    };
    let read = |name: &str| fs::read(dist.join(name)).map_err(Error::io(format!("read {name}")));
    for path in crate::encoding::files(dist)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(stem) = name.strip_suffix(".js") else { continue };
        let script = read(&name)?;
        let mut slimmed = slim(&String::from_utf8_lossy(&script));
        let module = format!("{stem}_bg.wasm");
        if dist.join(&module).is_file() {
            let long = read(&module)?;
            let (script, short) =
                shortened(&slimmed, &long).map_err(|why| Error::Malformed(format!("{module}: {why}")))?;
            replace(&module, &long, &short)?;
            slimmed = script;
        }
        replace(&name, &script, slimmed.as_bytes())?;
    }
    fs::write(page, html).map_err(Error::io("write dist/index.html"))
}

/// What a page writes beside the name of a script, so that no other content is taken for it.
fn integrity(bytes: &[u8]) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go_and_code_stays() {
        let script = "/**\n * What it does.\n */\nexport class A {\n    // why\n    f() { return 'a // b'; }\n\n    /* one line */\n}\n";
        assert_eq!(slim(script), "export class A {\nf() { return 'a // b'; }\n}\n");
    }

    #[test]
    fn a_text_over_several_lines_is_left_alone() {
        let script = "const a = `one\n    two`;\n";
        assert_eq!(slim(script), script);
    }

    #[test]
    fn a_digest_is_written_as_browsers_read_it() {
        // Of the empty input, as FIPS 180-4 gives it.
        assert_eq!(integrity(b""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
