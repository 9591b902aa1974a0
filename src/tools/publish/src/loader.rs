//! Loader: the script that fetches the later parts of the WebAssembly module. The loader is merged into the script that
//! wasm-bindgen writes, so that the page loads one file less.

use std::collections::{BTreeMap, HashMap};

use crate::Error;
use crate::digest::{hashed, integrity};

/// Template of the loader, which is the same in every build.
const SCRIPT: &str = include_str!("loader.js");
/// Prefix of the names of files that several parts share.
const SHARED: &str = "shared";
/// Name of the part with the side panels, which loads together with the page.
pub(crate) const SIDES: &str = "sides";
/// Name of the WebAssembly custom sections that store several modules in one file.
pub(crate) const PACKED: &str = "part";
/// Prefix of the list file's name. The list file names the files of all parts except the side panels.
const LIST: &str = "parts";
/// Name of the text face in the list file. Its files are in the order of their weights.
const FACE: &str = "face";
/// Name of the lessons in the list.
const CARDS: &str = "cards";
/// Path, in quotes, from which a script imports the functions that open parts.
const LINK: &str = "\"./__wasm_split.js\"";

/// Script that fetches the parts, and the list of their files.
#[derive(Debug)]
pub(crate) struct Loader {
    script: String,
    /// Name and content of the list file, which names the files of all parts except the side panels.
    pub(crate) list: (String, Vec<u8>),
}

impl Loader {
    /// Builds the loader for the parts of a module.
    ///
    /// - `link` is the script that the splitter writes.
    /// - `needs` lists the stems of each part's files, in loading order.
    /// - `names` maps each stem to its published file name.
    /// - `files` maps each published file name to its content.
    /// - `face` lists the published file name and the content of each weight of the text face.
    /// - `cards` lists the published file name and the content of each lesson.
    ///
    /// # Errors
    /// Fails if the output of the splitter has an unexpected form.
    pub(crate) fn new(
        link: &str,
        needs: &HashMap<String, Vec<String>>,
        names: &BTreeMap<String, String>,
        files: &BTreeMap<String, Vec<u8>>,
        face: &[(String, Vec<u8>)],
        cards: &[(String, &[u8])],
    ) -> Result<Self, Error> {
        let shared = link
            .split_once("const {")
            .and_then(|(_, rest)| rest.split_once("} = initSync(undefined, undefined);"))
            .map(|(shared, _)| shared.trim().trim_end_matches(','))
            .filter(|shared| shared.contains("__indirect_function_table") && !shared.contains(['{', ';']))
            .ok_or_else(|| malformed("__wasm_split.js names no exports that parts share"))?;
        let mut parts = BTreeMap::new();
        for (part, stems) in needs {
            let mut entries: Vec<String> = Vec::new();
            for stem in stems {
                let name = names.get(stem).ok_or_else(|| malformed(&format!("there is no file {stem} of {part}")))?;
                let bytes = files.get(name).ok_or_else(|| malformed(&format!("there is no file {name} of {part}")))?;
                let entry = listed(name, bytes);
                // One file can contain the modules of several stems.
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
            parts.insert(part.as_str(), entries);
        }
        if parts.is_empty() {
            return Err(malformed("the module has no parts"));
        }
        let openers: Vec<String> =
            parts.keys().map(|part| format!("__wasm_split_load_{part}: partOpener('{part}')")).collect();
        let sides = parts.remove(SIDES).unwrap_or_default();
        parts.insert(FACE, face.iter().map(|(name, bytes)| listed(name, bytes)).collect());
        parts.insert(CARDS, cards.iter().map(|(name, text)| listed(name, text)).collect());
        let text = serde_json::json!(parts).to_string().into_bytes();
        let list = (hashed(LIST, "json", &text), text);
        let script = SCRIPT
            .replace("SIDES_LIST", &serde_json::json!(sides).to_string())
            .replace("LIST_FILE", &serde_json::json!([list.0, integrity(&list.1)]).to_string())
            .replace("SHARED_NAMES", shared)
            .replace("PACKED", &serde_json::json!(PACKED).to_string())
            .replace("PART_OPENERS", &openers.join(", "));
        Ok(Self { script, list })
    }

    /// Returns the script `glue` of wasm-bindgen with the loader in front. The script imports the loader once for each
    /// part, and one object replaces all these imports.
    ///
    /// # Errors
    /// Fails if the script does not import the loader as expected.
    pub(crate) fn folded_into(&self, glue: &str) -> Result<String, Error> {
        let mut folded = self.script.clone();
        let (mut imported, mut n_given) = (Vec::new(), 0);
        for line in glue.lines() {
            if let Some(name) = imported_as(line) {
                imported.push(format!("{LINK}: {name},"));
                continue;
            }
            if imported.iter().any(|entry| entry == line.trim()) {
                n_given += 1;
                if n_given == 1 {
                    folded.push_str(&format!("{LINK}: partOpeners,\n"));
                }
                continue;
            }
            folded.push_str(line);
            folded.push('\n');
        }
        if n_given == 0 || n_given != imported.len() || folded.matches(LINK).count() != 1 {
            return Err(malformed("page.js does not import the loader of parts as expected"));
        }
        Ok(folded)
    }
}

/// Returns the entry of a file in the list: the digest and, unless the file is shared, a space and the prefix of the file
/// name.
fn listed(name: &str, bytes: &[u8]) -> String {
    let stem = name.rsplit_once('-').map_or("", |(stem, _)| stem);
    let digest = integrity(bytes);
    let digest = digest.trim_start_matches("sha256-");
    if stem == SHARED { digest.to_owned() } else { format!("{digest} {stem}") }
}

/// Returns the name in a line `import * as NAME from "./__wasm_split.js"`, or `None` for any other line.
fn imported_as(line: &str) -> Option<&str> {
    let (name, from) = line.trim().strip_prefix("import * as ")?.split_once(" from ")?;
    (from.trim_end_matches(';') == LINK).then_some(name)
}

fn malformed(what: &str) -> Error {
    Error::Failed(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK_SCRIPT: &str = "import { initSync } from \"./page.js\";\nlet sharedImports = undefined;\n\
        const { __indirect_function_table, memory,  } = initSync(undefined, undefined);\n";
    const GLUE: &str = "import * as import1 from \"./__wasm_split.js\"\nimport * as import2 from \"./__wasm_split.js\"\n\
        let wasm;\nreturn {\n    \"./page_bg.js\": import0,\n    \"./__wasm_split.js\": import1,\n    \"./__wasm_split.js\": import2,\n};\n";

    // This name has the digest of the empty content.
    const SHARED_NAME: &str = "shared-e3b0c44298fc1c14.wasm";
    const OWN_NAME: &str = "estimate-e3b0c44298fc1c14.wasm";
    const FACE_NAME: &str = "regular-e3b0c44298fc1c14.woff2";
    const CARD_NAME: &str = "pe-cycles-e3b0c44298fc1c14.txt";

    fn loader(link: &str, stem: &str) -> Result<Loader, Error> {
        let needs = HashMap::from([("estimate".to_owned(), vec!["chunk_0".to_owned(), stem.to_owned()])]);
        let names = [("chunk_0", SHARED_NAME), ("split_estimate", OWN_NAME)];
        let names = names.map(|(stem, name)| (stem.to_owned(), name.to_owned())).into();
        let files = [SHARED_NAME, OWN_NAME].map(|name| (name.to_owned(), Vec::new())).into();
        let (face, card) = ([(FACE_NAME.to_owned(), Vec::new())], [(CARD_NAME.to_owned(), &[][..])]);
        Loader::new(link, &needs, &names, &files, &face, &card)
    }

    #[test]
    fn a_part_is_fetched_by_hashed_names_with_digests_after_what_it_shares() {
        let Loader { script, list: (list_name, list) } = loader(LINK_SCRIPT, "split_estimate").expect("a loader");
        let listed = r#"{"cards":["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= pe-cycles"],"estimate":["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=","47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= estimate"],"face":["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= regular"]}"#;
        assert_eq!(String::from_utf8_lossy(&list), listed);
        assert!(script.contains(&list_name), "{script}");
        assert!(script.contains("__wasm_split: { __indirect_function_table, memory }"), "{script}");
        assert!(script.contains("{ __wasm_split_load_estimate: partOpener('estimate') }"), "{script}");
    }

    #[test]
    fn the_binding_script_imports_nothing_any_more() {
        let folded = loader(LINK_SCRIPT, "split_estimate").and_then(|loader| loader.folded_into(GLUE)).expect("folded");
        assert!(!folded.contains("import *") && !folded.contains("import2"), "{folded}");
        assert!(folded.contains("\"./page_bg.js\": import0,\n\"./__wasm_split.js\": partOpeners,\n};"), "{folded}");
    }

    #[test]
    fn an_unexpected_form_is_an_error() {
        assert!(loader("const { memory } = initSync(undefined, undefined);", "split_estimate").is_err());
        assert!(loader(LINK_SCRIPT, "split_other").is_err());
        assert!(loader(LINK_SCRIPT, "split_estimate").and_then(|loader| loader.folded_into("let wasm;\n")).is_err());
    }
}
