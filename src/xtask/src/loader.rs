//! The script that fetches the module's parts, folded into the one that binds the module: one file less to wait for.

use std::collections::{BTreeMap, HashMap};

use crate::Error;
use crate::digest::integrity;

/// What is the same in every build.
const SCRIPT: &str = include_str!("loader.js");
/// The name by which the module imports what opens its parts.
const LINK: &str = "\"./__wasm_split.js\"";

/// The script that fetches parts.
#[derive(Debug)]
pub struct Loader {
    script: String,
}

impl Loader {
    /// The loader of the parts of a module.
    ///
    /// `link` is the script that the splitter writes; `needs` lists for each part the stems of its files, in the order in
    /// which they are put in; `names` and `files` are their shipped names and contents.
    ///
    /// # Errors
    /// The splitter's output is not of the form that this version of it writes.
    pub fn new(
        link: &str,
        needs: &HashMap<String, Vec<String>>,
        names: &BTreeMap<String, String>,
        files: &BTreeMap<String, Vec<u8>>,
    ) -> Result<Self, Error> {
        let shared = link
            .split_once("const {")
            .and_then(|(_, rest)| rest.split_once("} = initSync(undefined, undefined);"))
            .map(|(shared, _)| shared.trim().trim_end_matches(','))
            .filter(|shared| shared.contains("__indirect_function_table") && !shared.contains(['{', ';']))
            .ok_or_else(|| malformed("__wasm_split.js names no exports that parts share"))?;
        let mut parts = BTreeMap::new();
        for (part, stems) in needs {
            let mut vouched = Vec::new();
            for stem in stems {
                let name = names.get(stem).ok_or_else(|| malformed(&format!("there is no file {stem} of {part}")))?;
                let bytes = files.get(name).ok_or_else(|| malformed(&format!("there is no file {name} of {part}")))?;
                vouched.push((name, integrity(bytes)));
            }
            parts.insert(part, vouched);
        }
        if parts.is_empty() {
            return Err(malformed("the module has no parts"));
        }
        let openers: Vec<String> =
            parts.keys().map(|part| format!("__wasm_split_load_{part}: partOpener('{part}')")).collect();
        let script = SCRIPT
            .replace("PART_FILES", &serde_json::json!(parts).to_string())
            .replace("SHARED_NAMES", shared)
            .replace("PART_OPENERS", &openers.join(", "));
        Ok(Self { script })
    }

    /// The binding script with the loader in it: its imports of the loader, one for each part, become one object.
    ///
    /// # Errors
    /// The script imports no loader.
    pub fn folded_into(&self, glue: &str) -> Result<String, Error> {
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

/// The files of each part, as a script with a loader in it names them; none where it has no loader.
#[must_use]
pub fn parts_in(script: &str) -> Option<BTreeMap<String, Vec<String>>> {
    let (_, rest) = script.split_once("partFiles = ")?;
    let listed: BTreeMap<String, Vec<(String, String)>> = serde_json::from_str(rest.split_once(";\n")?.0).ok()?;
    Some(listed.into_iter().map(|(part, files)| (part, files.into_iter().map(|(name, _)| name).collect())).collect())
}

/// The name in `import * as NAME from "./__wasm_split.js"`.
fn imported_as(line: &str) -> Option<&str> {
    let (name, from) = line.trim().strip_prefix("import * as ")?.split_once(" from ")?;
    (from.trim_end_matches(';') == LINK).then_some(name)
}

fn malformed(what: &str) -> Error {
    Error::Malformed(what.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK_SCRIPT: &str = "import { initSync } from \"./page.js\";\nlet sharedImports = undefined;\n\
        const { __indirect_function_table, memory,  } = initSync(undefined, undefined);\n";
    const GLUE: &str = "import * as import1 from \"./__wasm_split.js\"\nimport * as import2 from \"./__wasm_split.js\"\n\
        let wasm;\nreturn {\n    \"./page_bg.js\": import0,\n    \"./__wasm_split.js\": import1,\n    \"./__wasm_split.js\": import2,\n};\n";

    fn loader(link: &str, stem: &str) -> Result<Loader, Error> {
        let needs = HashMap::from([("estimate".to_owned(), vec!["chunk_0".to_owned(), stem.to_owned()])]);
        let names = [("chunk_0", "shared-1.wasm"), ("split_estimate", "estimate-2.wasm")];
        let names = names.map(|(stem, name)| (stem.to_owned(), name.to_owned())).into();
        let files = ["shared-1.wasm", "estimate-2.wasm"].map(|name| (name.to_owned(), Vec::new())).into();
        Loader::new(link, &needs, &names, &files)
    }

    #[test]
    fn a_part_is_fetched_by_hashed_names_with_digests_after_what_it_shares() {
        let script = loader(LINK_SCRIPT, "split_estimate").expect("a loader").script;
        let (shared, own) =
            (script.find("shared-1.wasm").expect("named"), script.find("estimate-2.wasm").expect("named"));
        assert!(shared < own && script.contains("sha256-47DEQpj8HBSa"));
        let files = ["shared-1.wasm", "estimate-2.wasm"].map(str::to_owned).to_vec();
        assert_eq!(parts_in(&script), Some([("estimate".to_owned(), files)].into()));
        assert_eq!(parts_in(GLUE), None);
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
