//! Style rules of the project. Each rule is tested with a sample that breaks it and a sample that keeps it.

#[path = "tidy/circles.rs"]
mod circles;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{env, fs};

use xtask::prose::literals as phrases;

/// Rust file that the rules check.
struct Source {
    /// Path from the top folder, with forward slashes.
    path: String,
    text: String,
}

/// Style rule, with a function that returns the numbers of the lines that break the rule.
struct Rule {
    /// Name of the rule: it completes "this line breaks the rule: …".
    name: &'static str,
    breaches: fn(&Source) -> Vec<usize>,
    /// Path and text of a file that breaks the rule.
    bad: (&'static str, &'static str),
    /// Path and text of a similar file that keeps the rule.
    good: (&'static str, &'static str),
}

const LINES_MAX: usize = 900;

// Some samples are concatenated, so that this file keeps the rules itself.
const RULES: [Rule; 10] = [
    Rule {
        name: "a file begins with one sentence on what it is, as `//! …`",
        breaches: |source| if source.text.starts_with("//!") { vec![] } else { vec![1] },
        bad: ("src/a/src/b.rs", "use std::fmt;\n"),
        good: ("src/a/src/b.rs", "//! Formats.\nuse std::fmt;\n"),
    },
    Rule {
        name: "a file has at most 900 lines, unless it is generated",
        breaches: |source| {
            let long = source.text.lines().count() > LINES_MAX && !source.path.ends_with("_generated.rs");
            if long { vec![LINES_MAX + 1] } else { vec![] }
        },
        bad: ("src/a/src/b.rs", LONG),
        good: ("src/a/src/b_generated.rs", LONG),
    },
    Rule {
        name: "colors are in the style sheet: no hex color in Rust outside of tests",
        breaches: |source| {
            if is_test(source) { vec![] } else { lines(source, hex_color) }
        },
        bad: ("src/a/src/b.rs", "let ink = \"#12ab9F\";\n"),
        good: ("src/a/src/b.rs", "#[derive(Debug)]\nlet plan = (r#\"face\"#, \"#stage\", \"&#123;\");\n"),
    },
    Rule {
        name: "the browser is spoken to in src/shell/app/src/browser and src/shell/app/src/effects only",
        breaches: |source| {
            let rooms = ["src/shell/app/src/browser", "src/shell/app/src/effects"];
            let inside =
                rooms.iter().any(|room| within(source, room)) || source.path.starts_with("src/shell/app/tests/");
            let words = [concat!("web", "_sys"), concat!("js", "_sys"), concat!("Effect", "::new")];
            if inside { vec![] } else { lines(source, |line| words.iter().any(|word| line.contains(word))) }
        },
        bad: ("src/shell/app/src/panels/head.rs", concat!("    Effect", "::new(move |_| {});\n")),
        good: ("src/shell/app/src/browser/clock.rs", concat!("use web", "_sys::Window;\n")),
    },
    Rule {
        name: "serde is used where data leave or enter: display, reports, export, the protocol, the command line, the chores and the tests",
        breaches: |source| {
            let edges =
                ["src/tools/", "src/shell/cli/", "src/display/", "src/array/export/", "src/array/protocol/", REPORTS];
            let inside = edges.iter().any(|room| source.path.starts_with(room));
            let word = concat!("ser", "de");
            if inside || is_test(source) { vec![] } else { lines(source, |line| line.contains(word)) }
        },
        bad: ("src/core/systolic/src/gemm.rs", concat!("use ser", "de::Serialize;\n")),
        good: ("src/shell/cli/src/run.rs", concat!("use ser", "de::Serialize;\n")),
    },
    Rule {
        name: "a whole style attribute is refused by the page's policy: set single properties with style:name=",
        breaches: |source| {
            let dense = |line: &str| line.replace(' ', "").contains(concat!("style=", "move"));
            if source.path.starts_with("src/shell/app/") { lines(source, dense) } else { vec![] }
        },
        bad: ("src/shell/app/src/ui/figure.rs", concat!("<div style", " = move || width()>\n")),
        good: ("src/shell/app/src/ui/figure.rs", "<div style:width=move || width()>\n"),
    },
    Rule {
        name: "nothing is left to do and no test is silenced",
        breaches: |source| {
            let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("#[", "ignore")];
            let breaks = |line: &str| words.iter().any(|word| line.contains(word));
            source.text.lines().zip(1..).filter(|(line, _)| breaks(line)).map(|(_, number)| number).collect()
        },
        bad: ("src/a/src/b.rs", concat!("// TO", "DO: later\n")),
        good: ("src/a/src/b.rs", "// Later is another day.\n"),
    },
    Rule {
        name: "nothing is decided by displayed text: compare ids, values or amounts",
        breaches: |source| {
            let is_code = source.path.starts_with("src/") && !source.path.starts_with("src/tools/") && !is_test(source);
            let code = Source { path: String::new(), text: without_tests(&source.text).to_owned() };
            if is_code { lines(&code, compares_text) } else { vec![] }
        },
        bad: ("src/a/src/b.rs", "let of = tables.find(|table| table.title == words::BESIDE);\n"),
        good: (
            "src/a/src/b.rs",
            "let of = tables.find(|table| table.id == TableId::Beside);\n#[cfg(test)]\nassert!(title == words::BESIDE);\n",
        ),
    },
    Rule {
        name: "the text crates `words` and `report` compute nothing: they read answers and plans",
        breaches: |source| {
            let is_text = ["src/array/words/", "src/models/report/"].iter().any(|place| source.path.starts_with(place));
            let code = Source { path: String::new(), text: without_tests(&source.text).to_owned() };
            let computes = |line: &str| COMPUTING.iter().any(|name| line.contains(name));
            if is_text && !is_test(source) { lines(&code, computes) } else { vec![] }
        },
        bad: ("src/models/report/src/plots.rs", "let other = Estimate::new(&question).ok()?;\n"),
        good: (
            "src/models/report/src/plots.rs",
            "let all = answered.curves();\n#[cfg(test)]\nlet other = Estimate::new(&question).ok()?;\n",
        ),
    },
    Rule {
        name: "a sentence is made in a `words` module, from typed values",
        breaches: |source| {
            let speaks = is_words(source) || is_data(source);
            let rooms = ["src/", "python/"];
            let is_shell =
                rooms.iter().any(|room| source.path.starts_with(room)) && !source.path.starts_with("src/tools/");
            if speaks || !is_shell || is_test(source) {
                vec![]
            } else {
                phrases::sentences(&without_usage(&source.text))
            }
        },
        bad: ("src/a/src/b.rs", "write!(f, \"{name} is \\\n missing here\")\n"),
        good: (
            "src/a/src/b.rs",
            "// It is \"not a sentence\".\nlet a = (\"two words\", '\"', r\"snake_case {a b c}\");\n",
        ),
    },
];

/// Functions of `estimate` and `perfmodel` that compute an answer, a time or a rate.
const COMPUTING: [&str; 13] = [
    "Estimate::",
    "Answered::new(",
    "ModelQuery::new(",
    ".answer(",
    ".estimate(",
    ".again(",
    ".on_chips(",
    "work_of(",
    "GemmTime::",
    "PassTime::",
    "ProductOnChip::",
    "Roofline::",
    "Cost::",
];

/// A text without the usage of commands, which clap takes in attributes.
fn without_usage(text: &str) -> String {
    let line = |line: &str| if line.starts_with("#[command(") { "\n".to_owned() } else { format!("{line}\n") };
    text.lines().map(line).collect()
}

/// Path prefix of the modules that write answers as JSON.
const REPORTS: &str = "src/models/report/src/json";

/// Path prefix of the readers of the search. Their strings are lists of words that people type.
const READERS: &str = "src/shell/ask/src/read/";

/// Files whose strings are data, each with a reason. Such a string is a name or a citation, not a sentence about an
/// event.
const DATA: [(&str, &str); 7] = [
    ("src/shell/app/src/browser/painter.rs", "a list of fonts"),
    ("src/chips/perfmodel/src/definition.rs", "what a measure is, with its source"),
    ("src/chips/perfmodel/src/definition/scale.rs", "what a measure is, with its source"),
    ("src/chips/perfmodel/src/run_inputs.rs", "defaults of a bill, each with a note on its source"),
    ("src/array/protocol/src/table.rs", "the methods and events, from which document, schema and types are made"),
    ("src/core/rtl/src/vcd.rs", "keywords of a file format"),
    ("src/models/workload/src/models.rs", "models by name, each with its source and a note"),
];

/// Text of empty lines, one line longer than a file may be.
const LONG: &str = match std::str::from_utf8(&[b'\n'; LINES_MAX + 1]) {
    Ok(text) => text,
    Err(_) => "",
};

#[test]
fn every_file_keeps_every_rule() {
    let mut broken = Vec::new();
    let sources = sources();
    assert!(sources.len() > 20, "only {} files were found", sources.len());
    for source in &sources {
        for rule in &RULES {
            let place = |number: usize| format!("{}:{number}: this line breaks the rule: {}", source.path, rule.name);
            broken.extend((rule.breaches)(source).into_iter().map(place));
        }
    }
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn every_rule_can_fail_and_can_be_kept() {
    for rule in RULES {
        let breaches = |(path, text): (&str, &str)| (rule.breaches)(&Source { path: path.into(), text: text.into() });
        assert!(!breaches(rule.bad).is_empty(), "this sample should break the rule: {}", rule.name);
        assert_eq!(breaches(rule.good), Vec::<usize>::new(), "this sample should keep the rule: {}", rule.name);
    }
}

#[test]
fn no_file_is_excused_for_nothing() {
    let sources = sources();
    for (path, why) in DATA {
        let source = sources.iter().find(|source| source.path == path);
        let source = source.unwrap_or_else(|| panic!("{path} is not there any more"));
        assert!(!phrases::sentences(&source.text).is_empty(), "{path} ({why}) has no sentence: take it off the list");
    }
}

/// Largest allowed circle of modules that need each other.
const CIRCLE_MAX: usize = 2;

#[test]
fn few_modules_of_a_crate_need_each_other_in_a_circle() {
    let mut crates: BTreeMap<String, circles::Modules> = BTreeMap::new();
    for source in sources() {
        let Some((name, path)) = source.path.strip_prefix("src/").and_then(|path| path.split_once("/src/")) else {
            continue;
        };
        let module = path.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        if !["lib", "main"].contains(&module.as_str()) {
            let code = lines_of_code(&source).join("\n");
            crates.entry(name.to_owned()).or_default().insert(module, code);
        }
    }
    assert!(crates.len() > 10, "{:?}", crates.keys());
    for (name, modules) in &crates {
        let circle = circles::largest(modules);
        assert!(circle.len() <= CIRCLE_MAX, "{name}: these need each other: {circle:?}");
    }
}

/// Lines of code before the tests, without comments.
fn lines_of_code(source: &Source) -> Vec<&str> {
    without_tests(&source.text).lines().filter(|line| !line.trim_start().starts_with("//")).collect()
}

/// Folders of `src` with the crates of the array. None of these crates depends on a crate of the models, even through
/// another crate or for its tests.
const ARRAY: [&str; 2] = ["core", "array"];
const MODELS: &str = "models";

#[test]
fn no_crate_of_the_array_depends_on_models() {
    let crates = crates();
    let of = |folder: &'static str| {
        let inside = crates.iter().filter(move |(_, (wing, _))| wing == folder);
        inside.map(|(name, _)| name.as_str())
    };
    let models: BTreeSet<&str> = of(MODELS).collect();
    for name in ARRAY.into_iter().flat_map(of) {
        let reached = reached_from(name, &crates);
        let found: Vec<_> = models.intersection(&reached).collect();
        assert!(found.is_empty(), "{name} depends on {found:?}: move what both need to a lower crate");
    }
    assert!(reached_from("report", &crates).is_superset(&models), "a reader that finds nothing proves nothing");
    assert!(ARRAY.into_iter().flat_map(of).count() > 7 && models.len() > 2, "{:?}", crates.keys());
}

/// Crates of the project by name, each with its folder in `src` and the names of all its dependencies.
fn crates() -> BTreeMap<String, (String, Vec<String>)> {
    let list = |folder: &Path| fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("a file").path());
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let mut crates = BTreeMap::new();
    for wing in list(&root().join("src")) {
        for folder in list(&wing).chain([wing.clone()]) {
            if let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) {
                crates.insert(name(&folder), (name(&wing), dependencies(&manifest)));
            }
        }
    }
    crates
}

/// Names in all sections of dependencies of a manifest: those of the program, of its tests and of one target.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut is_inside = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_inside = line.ends_with("dependencies]");
        } else if let Some((name, _)) = line.split_once(['.', ' ']).filter(|_| is_inside) {
            names.push(name.to_owned());
        }
    }
    names
}

/// Names of the crates of the project that a crate uses, directly or through others, and its own name.
fn reached_from<'a>(name: &'a str, crates: &'a BTreeMap<String, (String, Vec<String>)>) -> BTreeSet<&'a str> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![name]);
    while let Some(name) = open.pop() {
        if let Some((_, names)) = crates.get(name).filter(|_| reached.insert(name)) {
            open.extend(names.iter().map(String::as_str));
        }
    }
    reached
}

#[test]
fn every_shared_dependency_is_named_in_the_architecture() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let missing = unnamed_dependencies(&read("Cargo.toml"), &read("ARCHITECTURE.md"));
    assert!(missing.is_empty(), "ARCHITECTURE.md says nothing of {missing:?}; it names them as `name`");
}

#[test]
fn a_dependency_that_is_not_named_is_found() {
    let manifest =
        "[workspace.dependencies]\n# a note\nhalf = \"2\"\nurl = { version = \"2\" }\n\n[profile.dev]\ndebug = 1\n";
    assert_eq!(unnamed_dependencies(manifest, "We take `half`, and no url crate."), ["url"]);
    assert_eq!(unnamed_dependencies(manifest, "We take `half` and `url`."), Vec::<String>::new());
}

#[test]
fn every_action_of_a_workflow_is_pinned_by_its_commit() {
    let folder = root().join(".github/workflows");
    let files = fs::read_dir(&folder).expect("workflows").map(|entry| entry.expect("a file").path());
    let texts: Vec<String> = files.map(|path| fs::read_to_string(path).expect("a text")).collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    let used: Vec<&str> = lines.filter_map(|line| line.split_once("uses: ")).map(|(_, action)| action).collect();
    assert!(used.len() > 3, "{used:?}");
    let floating: Vec<_> = used.iter().filter(|used| !is_pinned(used)).collect();
    assert!(floating.is_empty(), "a tag can be moved to another commit: {floating:?}");
    assert!(!is_pinned("actions/checkout@v4") && !is_pinned("actions/checkout"));
}

/// True if a workflow names an action by the 40 hex digits of a commit.
fn is_pinned(used: &str) -> bool {
    let commit = used.split_once('@').map(|(_, rest)| rest.split(' ').next().unwrap_or_default());
    commit.is_some_and(|commit| commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Shared dependencies that ARCHITECTURE.md does not name as code. Plain words do not count, because package names can
/// be common words.
fn unnamed_dependencies(manifest: &str, architecture: &str) -> Vec<String> {
    let section = manifest.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    section
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = "))
        .filter(|(name, _)| !architecture.contains(&format!("`{name}`")))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// Numbers of the lines of code for which `breaks` is true. Comments are left out.
fn lines(source: &Source, breaks: impl Fn(&str) -> bool) -> Vec<usize> {
    let code = source.text.lines().zip(1..).filter(|(line, _)| !line.trim_start().starts_with("//"));
    code.filter(|(line, _)| breaks(line)).map(|(_, number)| number).collect()
}

/// True if the file is the module at `path` or a part of this module.
fn within(source: &Source, path: &str) -> bool {
    source.path.strip_prefix(path).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// True if the file is the `words` module of a crate, a part of this module, or a file of the crate `report`.
fn is_words(source: &Source) -> bool {
    source.path.ends_with("/words.rs")
        || source.path.contains("/words/")
        || source.path.starts_with("src/models/report/")
}

/// True if the strings of the file are data.
fn is_data(source: &Source) -> bool {
    source.path.ends_with("_generated.rs")
        || source.path.starts_with(READERS)
        || DATA.iter().any(|(path, _)| *path == source.path)
}

/// True if the file contains only tests, examples or fuzz targets.
fn is_test(source: &Source) -> bool {
    source.path.contains("/examples/")
        || source.path.starts_with("tests/")
        || source.path.starts_with("fuzz/")
        || source.path.contains("/tests/")
        || source.path.ends_with("/tests.rs")
}

/// Text of a file before its tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// True if a line compares a text that people read.
fn compares_text(line: &str) -> bool {
    let compared = ["==", "!="].into_iter().flat_map(|sign| line.match_indices(sign).map(|(at, _)| at));
    let of_words = |text: &str| {
        let name =
            text.trim_start_matches([' ', '*', '&']).split(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).next();
        let (room, constant) = name.and_then(|name| name.rsplit_once("::")).unwrap_or_default();
        let is_constant = constant.len() > 1 && !constant.contains(|c: char| c.is_lowercase());
        is_constant && ["words", "label", "message", "said", "names"].iter().any(|one| room.ends_with(one))
    };
    let is_text = |before: &str, after: &str| {
        let before = before.trim_end();
        let first = before.rsplit(|c: char| !c.is_alphanumeric() && !"_:".contains(c)).next().unwrap_or_default();
        [".title", ".to_string()", ".heading"].iter().any(|end| before.ends_with(end))
            || of_words(first)
            || of_words(after)
            || after.trim_start().starts_with("\"unknown\"")
    };
    let mut compared = compared.map(|at| (&line[..at], &line[at + 2..]));
    compared.any(|(before, after)| is_text(before, after)) || line.contains("starts_with('$')")
}

/// True if a line has a `#` before a word of 3, 4, 6 or 8 hex digits. `&#` does not count, because it starts a
/// character reference.
fn hex_color(line: &str) -> bool {
    line.match_indices('#').any(|(at, _)| {
        let word = &line[at + 1..];
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && !"-_".contains(c)).unwrap_or(word.len());
        let hex = word[..end].bytes().all(|byte| byte.is_ascii_hexdigit());
        hex && [3, 4, 6, 8].contains(&end) && !line[..at].ends_with('&')
    })
}

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for folder in ["src", "python", "tests", "fuzz"] {
        collect(&root().join(folder), &mut found);
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a folder's entry can be read").path()) {
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let path = path.strip_prefix(root()).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            found.push(Source { path, text });
        }
    }
}

/// Top folder of the project. The path is read when the test runs, because a path from the build is outdated once the
/// project is moved.
fn root() -> PathBuf {
    let package: PathBuf = env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the tests").into();
    package.parent().map(Path::to_path_buf).unwrap_or(package)
}
