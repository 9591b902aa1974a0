//! Runs every complete command of `systolic` in the code blocks of README and of the book.
//!
//! Other tests run the commands of `docs/questions.md` and `docs/json/README.md`.

use std::fs;
use std::path::Path;

use crate::common::{fed_in, text};
use crate::questions::shell;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../");
/// File that its authors publish, so this project does not contain it.
const NOT_OURS: &str = "tpu_v4_gemm_measured.csv";

/// Returns the commands in the code blocks of a document, without prompts, comments and redirections of the output.
fn commands(document: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in document.lines() {
        let line = line.trim_end();
        if is_open && let Some(last) = found.last_mut() {
            last.push_str(if last.ends_with('\\') { " " } else { "\n" });
            last.push_str(line.trim_start());
        } else if !line.starts_with('|') && line.trim_start().starts_with("systolic ") {
            found.push(line.trim_start().to_owned());
        }
        is_open = found.last().is_some_and(|last| last.ends_with('\\') || last.matches('\'').count() % 2 == 1);
    }
    let whole = |command: String| {
        let command = command.replace("\\ ", "");
        let end = command.find("  #").or_else(|| command.find(" > ")).unwrap_or(command.len());
        command[..end].split(" > ").next().unwrap_or_default().trim_end().to_owned()
    };
    found.into_iter().map(whole).collect()
}

/// Writes the files that the commands of the documents read.
fn write_inputs(folder: &Path) {
    let golden = Path::new(ROOT).join("tests/golden");
    fs::create_dir_all(folder).expect("a folder");
    fs::copy(golden.join("configs/llama.json"), folder.join("config.json")).expect("copied");
    let head = format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }");
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    npy.extend(head.as_bytes());
    npy.extend([1f32, 2.0, 3.0, 4.0].iter().flat_map(|value| value.to_le_bytes()));
    fs::write(folder.join("a.npy"), npy).expect("written");
    fs::write(folder.join("b.csv"), "1,0\n0,1\n").expect("written");
}

#[test]
fn every_complete_command_of_the_documents_runs() {
    let folder = std::env::temp_dir().join(format!("systolic-documents-{}", std::process::id()));
    write_inputs(&folder);
    let book = fs::read_dir(Path::new(ROOT).join("docs")).expect("the book").map(|entry| entry.expect("a file").path());
    let mut documents: Vec<_> = book.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    documents.extend([Path::new(ROOT).join("README.md"), Path::new(ROOT).join("CONTRIBUTING.md")]);
    documents.sort();
    let (mut n, mut wrong) = (0, Vec::new());
    for path in documents.iter().filter(|path| !path.ends_with("cli.md") && !path.ends_with("questions.md")) {
        for command in commands(&fs::read_to_string(path).expect("a document")) {
            let (line, input) = command.split_once(" <<< ").unwrap_or((&command, ""));
            let input = input.trim_start_matches('$').trim_matches('\'').replace("\\n", "\n") + "\n";
            let words = shell(line.strip_prefix("systolic ").expect("a command of systolic"));
            // A word in capital letters is a placeholder.
            let is_placeholder = |word: &String| word.len() > 1 && word.chars().all(|sign| sign.is_ascii_uppercase());
            if line.contains(NOT_OURS) || words.iter().any(is_placeholder) {
                continue;
            }
            n += 1;
            let output = fed_in(&folder, &words, &input);
            // The command refuses an impossible claim or measurement, and still prints the answer.
            let may_be_refused = line.contains("--measured") || line.contains("--claim");
            if !(output.status.success() || may_be_refused && !output.stdout.is_empty()) {
                wrong.push(format!("{}: {command}\n    {}", path.display(), text(&output.stderr)));
            }
        }
    }
    let _ = fs::remove_dir_all(&folder);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n >= 20, "only {n} commands found");
}

#[test]
fn a_command_is_read_with_its_further_lines_and_without_its_comment() {
    let document = "Use `systolic model`.\n\n    systolic time --x <<< $'M\n    1'\n\n```sh\n\
                    systolic worksheet a > b.html   # c\nsystolic model --m 'a; b' \\\n  --n 3\n```\n";
    let found = ["systolic time --x <<< $'M\n1'", "systolic worksheet a", "systolic model --m 'a; b' --n 3"];
    assert_eq!(commands(document), found);
}
