//! Options of the estimate: one option for each entry that a model question can have in a link. `manual.txt` has their
//! texts.

use crate::words;
use clap::{Arg, ArgMatches, Args, FromArgMatches};
use estimate::Entry;

const MANUAL: &str = include_str!("manual.txt");

// Entries of a model question, as texts. The estimate parses the texts, because some entries depend on the chip.
#[derive(Debug)]
pub(crate) struct Entries(pub(crate) Vec<(Entry, String)>);

impl Args for Entries {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.args(Entry::options().map(option))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Entries {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let set = |entry: Entry| Some((entry, matches.get_one::<String>(entry.id())?.clone()));
        Ok(Self(Entry::options().filter_map(set).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn option(entry: Entry) -> Arg {
    let (value, help) = text(entry);
    let option = Arg::new(entry.id()).long(entry.id()).value_name(value).help(help);
    match entry {
        Entry::Cost(_) => option.help_heading(words::COST_TERMS),
        _ => option,
    }
}

/// Returns the text of an entry's option.
pub(crate) fn help(entry: Entry) -> String {
    text(entry).1
}

/// Returns the name of an entry's value and the text of its option. In `manual.txt`, the line `option --NAME VALUE` is
/// before the text.
fn text(entry: Entry) -> (&'static str, String) {
    let of_entry = |text: &'static str| {
        let (head, text) = text.split_once('\n')?;
        let (name, value) = head.strip_prefix("option --")?.split_once(' ')?;
        (name == entry.id()).then(|| (value, text.trim_end().replace('\n', " ")))
    };
    MANUAL.split("\n\n").find_map(of_entry).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_a_text_and_every_text_an_entry() {
        assert!(Entry::options().all(|entry| !help(entry).is_empty()));
        assert_eq!(MANUAL.matches("option --").count(), Entry::options().count());
    }
}
