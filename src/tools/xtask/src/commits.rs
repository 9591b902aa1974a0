//! Check of the messages of commits: a short subject without semicolons, and a body.

use std::path::Path;
use std::process::Command;

use crate::Error;
use crate::lanes::skipped;
use crate::process::answer;

/// Last commit that the check does not read.
const BASE: &str = "752f6fe8c6dc14803342dbfa990d33e13579b35b";
/// Largest number of characters in a subject.
const SUBJECT_MAX: usize = 72;

/// Checks each commit after [`BASE`], also merge commits. In a clone without history, prints that the check is skipped.
///
/// # Errors
/// Fails if a message has a mistake. The error has a sentence for each mistake.
pub(crate) fn check(root: &Path) -> Result<(), Error> {
    let mut log = Command::new("git");
    log.current_dir(root).args(["log", "--format=%h%n%s%n%b%x00", &format!("{BASE}..HEAD")]);
    let Some(log) = answer(&mut log) else {
        return skipped(&format!("messages of commits: this clone has no commit {BASE}, because its history is short"));
    };
    let wrong: Vec<String> = log.split('\0').filter_map(mistake).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Error::Verdict(wrong.join("\n"))) }
}

/// Returns a sentence about the mistake in a commit, or `None` without a mistake. `commit` has the hash, the subject
/// and the lines of the body.
fn mistake(commit: &str) -> Option<String> {
    let (hash, message) = commit.trim().split_once('\n')?;
    let (subject, body) = message.split_once('\n').unwrap_or((message, ""));
    let length = subject.chars().count();
    let what = if length > SUBJECT_MAX {
        format!("its subject has {length} characters; {SUBJECT_MAX} are allowed")
    } else if subject.contains(';') {
        "its subject has a semicolon: make two commits".to_owned()
    } else {
        body.trim().is_empty().then(|| "it has no body: write the reason".to_owned())?
    };
    Some(format!("commit {hash}: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mistake_of_a_message_is_named() {
        let of = |message: &str| mistake(&format!("\nab12\n{message}\n"));
        assert_eq!(of(&format!("Add {}\nBecause.", "é".repeat(68))), None);
        for (message, words) in [
            (format!("Add {}\nBecause.", "é".repeat(69)), "73 characters; 72"),
            ("Add a; fix b\nBecause.".to_owned(), "semicolon"),
            ("Add a".to_owned(), "no body"),
            ("Merge branch 'a'\n\n".to_owned(), "no body"),
        ] {
            assert!(
                of(&message).is_some_and(|said| said.starts_with("commit ab12: ") && said.contains(words)),
                "{message}"
            );
        }
        assert_eq!(mistake(""), None);
    }
}
