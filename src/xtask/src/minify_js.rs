//! Scripts without comments and indentation, imports by short names.

use crate::wasm;

/// Lines without indentation, comments and emptiness; unchanged where a text may go over several lines.
#[must_use]
pub fn minify_js(script: &str) -> String {
    let mut minified = String::with_capacity(script.len());
    let mut in_comment = false;
    for line in script.lines().map(str::trim) {
        if line.matches('`').count() % 2 == 1 {
            return script.to_owned();
        }
        let code = if in_comment { line.split_once("*/").map_or("", |(_, code)| code) } else { without_comment(line) };
        in_comment = if in_comment { !line.contains("*/") } else { line.starts_with("/*") && !line.contains("*/") };
        let code = without_comment(code.trim());
        if !code.is_empty() {
            minified.push_str(code);
            minified.push('\n');
        }
    }
    minified
}

/// A line without the comment that it begins with.
fn without_comment(line: &str) -> &str {
    match line.strip_prefix("/*") {
        Some(rest) => rest.split_once("*/").map_or("", |(_, code)| code.trim()),
        None if line.starts_with("//") => "",
        None => line,
    }
}

/// Short names for the imports of a module and for the functions of the script that give them.
///
/// wasm-bindgen ends each name with sixteen digits of a hash, which no compression makes shorter.
///
/// # Errors
/// One clause: what is not as the format has it.
pub fn with_short_imports(script: &str, module: &[u8]) -> Result<(String, Vec<u8>), String> {
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
        return Err("the script does not give each import once".to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go_and_code_stays() {
        let script = "/**\n * What it does.\n */\nexport class A {\n    // why\n    f() { return 'a // b'; }\n\n    /* one line */\n}\n";
        assert_eq!(minify_js(script), "export class A {\nf() { return 'a // b'; }\n}\n");
    }

    #[test]
    fn code_behind_a_comment_stays() {
        let script = "/* a */ let x = 1;\nlet y = 2;\n/* b\n c */ let z;\n/* d */\nlet w;\n";
        assert_eq!(minify_js(script), "let x = 1;\nlet y = 2;\nlet z;\nlet w;\n");
    }

    #[test]
    fn a_text_over_several_lines_is_left_alone() {
        let script = "const a = `one\n    two`;\n";
        assert_eq!(minify_js(script), script);
    }
}
