//! Crates of the published page, with their licenses: crates that are linked into the page, and crates that generate
//! its code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::tools::WASM;
use crate::{Error, process};

/// A crate of the published page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material {
    /// Name of the crate.
    pub name: String,
    /// Version of the crate.
    pub version: String,
    /// License expression of the crate, as its author wrote it.
    pub license: String,
    /// SHA-256 of the crate's package. `None` for a crate of this project.
    pub digest: Option<String>,
}

/// Licenses under which code may be part of the page.
const ALLOWED: [&str; 10] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT", "Unicode-3.0", "Zlib"];

impl Material {
    /// True if the license is acceptable: each operand of AND has an allowed license among its alternatives.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        let is_known = |one: &str| ALLOWED.contains(&one.trim_matches([' ', '(', ')']));
        let is_possible = |all: &str| all.replace('/', " OR ").split(" OR ").any(is_known);
        !self.license.is_empty() && self.license.split(" AND ").all(is_possible)
    }
}

/// Returns the crates of the page, sorted by name and version.
///
/// # Errors
/// Fails if cargo cannot list the crates, or Cargo.lock cannot be read.
pub fn of_page(root: &Path) -> Result<Vec<Material>, Error> {
    let mut tree = process::cargo(root, &["tree", "--locked", "--package", "page", "--features", "split"]);
    tree.args(["--target", WASM, "--edges", "normal", "--prefix", "none", "--format", "{p}|{l}"]);
    let tree = process::answer(&mut tree).ok_or_else(|| Error::Step("listing the crates of the page".to_owned()))?;
    let lock = fs::read_to_string(root.join("Cargo.lock")).map_err(Error::io("read Cargo.lock"))?;
    read(&tree, &lock)
}

/// Reads the crates from lines such as `half v2.7.1|MIT OR Apache-2.0 (*)`, and adds the digests from a lock file.
fn read(tree: &str, lock: &str) -> Result<Vec<Material>, Error> {
    let digests = digests(lock);
    let material = |line: &str| {
        let (package, license) = line.split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned());
        let digest = digests.get(&(name.clone(), version.clone())).cloned();
        Some(Material { name, version, license: license.trim_end_matches("(*)").trim().to_owned(), digest })
    };
    let all: Option<BTreeSet<Material>> = tree.lines().map(material).collect();
    let all = all.filter(|all| !all.is_empty());
    Ok(all.ok_or_else(|| Error::Malformed("cargo tree: a line is not of its form".to_owned()))?.into_iter().collect())
}

/// Returns the digests in a lock file, by name and version.
fn digests(lock: &str) -> BTreeMap<(String, String), String> {
    let entry = |block: &str| {
        let value = |key: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'));
            line.map(str::to_owned)
        };
        Some(((value("name")?, value("version")?), value("checksum")?))
    };
    lock.split("[[package]]").filter_map(entry).collect()
}

/// Returns a software bill of materials in the format CycloneDX 1.5, <https://cyclonedx.org/docs/1.5/json/>.
#[must_use]
pub fn bill(materials: &[Material]) -> String {
    let component = |one: &Material| {
        let mut component = serde_json::json!({
            "type": "library",
            "name": one.name,
            "version": one.version,
            "purl": format!("pkg:cargo/{}@{}", one.name, one.version),
            "licenses": [{ "expression": one.license.replace('/', " OR ") }],
        });
        if let Some(digest) = &one.digest {
            component["hashes"] = serde_json::json!([{ "alg": "SHA-256", "content": digest }]);
        }
        component
    };
    let bill = serde_json::json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application", "name": "systolic-playground", "version": env!("CARGO_PKG_VERSION"),
        } },
        "components": materials.iter().map(component).collect::<Vec<_>>(),
    });
    format!("{bill:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"half\"\nversion = \"2.7.1\"\nsource = \"a\"\nchecksum = \"0123\"\n\n\
        [[package]]\nname = \"app\"\nversion = \"0.1.0\"\n";

    #[test]
    fn a_crate_is_listed_once_with_its_digest() {
        let tree = "app v0.1.0 (/a/b)|MIT OR Apache-2.0\nhalf v2.7.1|MIT/Apache-2.0\nhalf v2.7.1|MIT/Apache-2.0 (*)";
        let found = read(tree, LOCK).expect("a list");
        let [app, half] = &found[..] else { panic!("{found:?}") };
        assert_eq!((app.name.as_str(), app.digest.as_deref()), ("app", None));
        assert_eq!((half.version.as_str(), half.digest.as_deref()), ("2.7.1", Some("0123")));
        let bill: serde_json::Value = serde_json::from_str(&bill(&found)).expect("JSON");
        assert_eq!(bill["components"][1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(bill["components"][1]["hashes"][0]["content"], "0123");
        assert!(read("half", LOCK).is_err() && read("", LOCK).is_err());
    }

    #[test]
    fn a_license_is_allowed_if_one_of_each_choice_is() {
        let is_allowed = |license: &str| {
            let license = license.to_owned();
            Material { name: String::new(), version: String::new(), license, digest: None }.is_allowed()
        };
        for license in ["MIT", "MIT/Apache-2.0", "Unlicense OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0"] {
            assert!(is_allowed(license), "{license}");
        }
        for license in ["", "GPL-3.0", "MIT AND GPL-3.0", "AGPL-3.0 OR GPL-3.0"] {
            assert!(!is_allowed(license), "{license}");
        }
    }

    #[test]
    fn everything_in_the_page_may_be_and_few_crates_are_in_it_twice() {
        let all = of_page(&crate::root()).expect("cargo tells");
        assert!(all.len() > 100, "{}", all.len());
        let refused: Vec<_> = all.iter().filter(|one| !one.is_allowed()).collect();
        assert!(refused.is_empty(), "{refused:?}");
        let foreign = |one: &&Material| one.digest.is_none();
        let own: Vec<&str> = all.iter().filter(foreign).map(|one| one.name.as_str()).collect();
        assert!(own.contains(&"systolic") && own.contains(&"wasm-streams") && own.len() < 20, "{own:?}");
        // Crates of the framework do not agree on a version of these; they write code and are not linked.
        let twice: Vec<&str> =
            all.windows(2).filter(|pair| pair[0].name == pair[1].name).map(|pair| pair[0].name.as_str()).collect();
        assert_eq!(twice, ["convert_case", "syn"]);
    }
}
