//! `systolic help`: the manual.

use std::io::Write;

use crate::problem::Problems;

const MANUAL: &str = include_str!("manual.txt");

pub(crate) fn command(out: &mut impl Write) -> Result<(), Problems> {
    out.write_all(MANUAL.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual as `man` reads it: headings are headings, the rest stands as it is.
    fn page() -> String {
        let mut page = String::from(".TH SYSTOLIC 1\n");
        for line in MANUAL.lines() {
            let escaped = line.replace('\\', "\\e").replace('-', "\\-");
            if line.starts_with(|first: char| first.is_ascii_uppercase()) {
                page.push_str(&format!(".SH {escaped}\n.nf\n"));
            } else {
                page.push_str(escaped.strip_prefix("    ").unwrap_or(&escaped));
                page.push('\n');
            }
        }
        page
    }

    #[test]
    fn the_manual_page_is_the_manual() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/systolic.1");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, page()).expect("written");
        }
        let kept = std::fs::read_to_string(path).expect("the page is there");
        assert!(kept == page(), "docs/systolic.1 is stale: run this test with UPDATE=1");
    }

    #[test]
    fn the_manual_has_every_command_and_option() {
        let options = crate::arguments::options().map(|option| format!("--{option}"));
        let commands = crate::COMMANDS.split(", ").map(|command| format!("systolic {command}"));
        for word in options.chain(commands) {
            assert!(MANUAL.contains(&word), "{word}");
        }
    }
}
