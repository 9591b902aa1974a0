//! Model on chips, with the report of `systolic model --json`.

use std::fs::File;
use std::io;
use std::sync::Arc;

use estimate::entries::Entries;
use estimate::{Answered, Entry, ImportProgress, Imported, ModelQuery, Query, Refusal, Topic};
use report::{json, runs};

use crate::problem::Problem;

/// Returns the report as JSON, and a sentence for each measurement or claim that is impossible or lacks an input. The
/// model is one of the entries, the file at `path`, or the file whose bytes are `config`.
pub(crate) fn model(
    entries: Vec<(String, String)>,
    path: Option<&str>,
    config: Option<&[u8]>,
) -> Result<(String, Vec<String>), Problem> {
    let entry = |(name, text): (String, String)| match Entry::options().find(|entry| entry.id() == name) {
        Some(entry) => Ok((entry, text)),
        None => Err(Problem::NoSuchEntry { given: name }),
    };
    let entries: Vec<(Entry, String)> = entries.into_iter().map(entry).collect::<Result<_, _>>()?;
    let query = ModelQuery::new(Entries::new(Topic::Model, entries));
    if !query.invalid.is_empty() {
        return Err(Problem::Entries(query.invalid));
    }
    let file = match (path, config) {
        (Some(path), _) => Some(read(path).map_err(|error| Problem::File { path: path.to_owned(), error })?),
        (None, Some(bytes)) => Some(estimate::imported(bytes)),
        (None, None) => None,
    };
    let about = if file.is_some() { "config: " } else { "" };
    let query = query.begun(file.as_ref());
    let answered = Answered::new(Query::Model(Box::new(query)), file.map(Arc::new));
    let refused = |refusal: &Refusal| Problem::Model { about, refusal: refusal.clone() };
    let answer = answered.model().map_err(refused)?;
    if let Some(Err(refusal)) = &answer.other {
        return Err(Problem::Model { about: "versus: ", refusal: refusal.clone() });
    }
    let beside = runs::beside_entries(answer).into_iter();
    let beside = beside.map(|(entry, sentence)| format!("{}: {sentence}", entry.id())).collect();
    Ok((json(answer), beside))
}

/// Reads a file, but only the pieces that describe the model.
fn read(path: &str) -> io::Result<Imported> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    ImportProgress::new(length).read(file)
}
