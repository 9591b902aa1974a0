//! Scripts without comments and indentation, imports and exports by short names.

use std::collections::HashSet;

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
    shortened(&minified)
}

/// A script that gives what it has worked out at once, and names the arguments of its functions shortly, where no other
/// name is like that.
fn shortened(script: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in script.lines() {
        let worked_out = lines.last().and_then(|last| last.strip_prefix("const ret = ")).map(str::to_owned);
        match worked_out {
            Some(value) if line == "return ret;" && value.ends_with(';') => {
                lines.pop();
                lines.push(format!("return {value}"));
            }
            _ => lines.push(line.to_owned()),
        }
    }
    let script = lines.join("\n") + "\n";
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$');
    let digits = |word: &str, start: &str| {
        let rest = word.strip_prefix(start)?;
        (!rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())).then(|| rest.to_owned())
    };
    let words = || script.split_inclusive(|letter| !is_word(letter));
    let is_taken = words().any(|word| digits(word.trim_end_matches(|letter| !is_word(letter)), "a").is_some());
    if is_taken {
        return script;
    }
    let short = |word: &str| {
        let name = word.trim_end_matches(|letter| !is_word(letter));
        digits(name, "arg").map_or_else(|| word.to_owned(), |number| format!("a{number}{}", &word[name.len()..]))
    };
    words().map(short).collect()
}

/// The script with the one way to start that the page takes: its module comes compiled, and is not fetched here.
///
/// # Errors
/// One clause: the script ends otherwise than this version of wasm-bindgen writes it.
pub fn with_one_start(script: &str) -> Result<String, String> {
    const EXPORT: &str = "export { initSync, __wbg_init as default };";
    let other = || "the script does not end with its ways to start".to_owned();
    let (rest, ways) = script.split_once("async function __wbg_load(").ok_or_else(other)?;
    let known = ["function initSync(", "async function __wbg_init(module_or_path) {", EXPORT];
    if !ways.trim_end().ends_with(EXPORT) || !known.iter().all(|one| ways.matches(one).count() == 1) {
        return Err(other());
    }
    Ok(format!(
        "{rest}async function __wbg_init({{ module_or_path }}) {{\n\
         const instance = await WebAssembly.instantiate(module_or_path, __wbg_get_imports());\n\
         return __wbg_finalize_init(instance, module_or_path);\n}}\n\
         export {{ __wbg_init as default }};\n"
    ))
}

/// A line without the comment that it begins with.
fn without_comment(line: &str) -> &str {
    match line.strip_prefix("/*") {
        Some(rest) => rest.split_once("*/").map_or("", |(_, code)| code.trim()),
        None if line.starts_with("//") => "",
        None => line,
    }
}

/// Short names for the imports of a module and for the functions of the script that give them, and for the closures that
/// it exports.
///
/// wasm-bindgen ends each name with sixteen digits of a hash, which no compression makes shorter.
///
/// # Errors
/// One clause: what is not as the format has it.
pub fn with_short_imports(script: &str, module: &[u8]) -> Result<(String, Vec<u8>), String> {
    // Closures are exported by the names of their functions, hashes and all; a longer one may begin with another.
    let mut closures: Vec<String> = wasm::exports(module)?.into_iter().filter(|name| name.starts_with("_ZN")).collect();
    closures.sort_by_key(|name| core::cmp::Reverse(name.len()));
    let names = wasm::imports(module)?;
    // A name is replaced where it stands as a word, never inside another.
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$';
    // The digests in the script are cut into words too, and one of them may be such a name by chance.
    let words: HashSet<&str> = script.split(|c: char| !c.is_ascii() || !is_word(c as u8)).collect();
    let n_names = names.len() + closures.len();
    let is_free = |letter: &&str| (0..n_names).all(|index| !words.contains(format!("{letter}{index}").as_str()));
    let letter = ["i", "j", "q", "u"].into_iter().find(is_free);
    let short = |index: usize| format!("{}{index}", letter.unwrap_or_default());
    let only_once = |name: &str| script.matches(name).count() == 1;
    if letter.is_none()
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
    let closure = |name: &str| closures.iter().position(|one| one == name).map(|index| names.len() + index);
    for (index, name) in closures.iter().enumerate() {
        script = script.replace(name.as_str(), &short(names.len() + index));
    }
    let module =
        wasm::with_names(module, |name| place(name).or_else(|| closure(name)).map_or_else(|| name.to_owned(), short))?;
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
    fn arguments_have_short_names_where_nothing_else_has_them() {
        let script = "f(arg0, arg12) {\nconst ret = arg0.g(arg12);\nreturn ret;\n}\n";
        assert_eq!(minify_js(script), "f(a0, a12) {\nreturn a0.g(a12);\n}\n");
        let taken = "let a7 = 1;\nf(arg0) {\n}\n";
        assert_eq!(minify_js(taken), taken);
    }

    #[test]
    fn a_text_over_several_lines_is_left_alone() {
        let script = "const a = `one\n    two`;\n";
        assert_eq!(minify_js(script), script);
    }

    #[test]
    fn of_the_ways_to_start_the_one_of_the_page_is_left() {
        let ways = "async function __wbg_load(module, imports) {\n}\nfunction initSync(module) {\n}\n\
            async function __wbg_init(module_or_path) {\n}\nexport { initSync, __wbg_init as default };\n";
        let one = with_one_start(&format!("let wasm;\n{ways}")).expect("as wasm-bindgen writes it");
        assert!(one.starts_with("let wasm;\nasync function __wbg_init({ module_or_path }) {"), "{one}");
        assert!(!one.contains("initSync") && !one.contains("__wbg_load"), "{one}");
        assert!(with_one_start("let wasm;\n").is_err() && with_one_start(&ways.replace("initSync", "init")).is_err());
    }
}
