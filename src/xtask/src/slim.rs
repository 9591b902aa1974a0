//! The script that binds a module, without its comments and its indentation: Trunk's minifier does not know its syntax.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use crate::Error;

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

/// Slims the scripts of the built page that begin with `prefix`, and tells the page their new digests.
///
/// # Errors
/// A file cannot be read or written, or the page does not vouch for a script as expected.
pub fn slim_files(dist: &Path, prefix: &str) -> Result<(), Error> {
    let page = dist.join("index.html");
    let mut html = fs::read_to_string(&page).map_err(Error::io("read dist/index.html"))?;
    for path in crate::encoding::files(dist)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with(prefix) || !name.ends_with(".js") {
            continue;
        }
        let script = fs::read_to_string(&path).map_err(Error::io(format!("read {name}")))?;
        let slim = slim(&script);
        let (old, new) = (integrity(&script), integrity(&slim));
        if !html.contains(&old) {
            return Err(Error::Malformed(format!("dist/index.html does not vouch for {name} by sha256")));
        }
        html = html.replace(&old, &new);
        fs::write(&path, slim).map_err(Error::io(format!("write {name}")))?;
    }
    fs::write(page, html).map_err(Error::io("write dist/index.html"))
}

/// What a page writes beside the name of a script, so that no other content is taken for it.
fn integrity(script: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(script)))
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
        assert_eq!(integrity(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
