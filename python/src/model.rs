//! A model on chips: the report of `systolic model --json`.

use std::fs::File;
use std::io;

use estimate::entries::Entries;
use estimate::{Entry, ImportProgress, Imported, ModelQuery, Topic};
use pyo3::prelude::*;
use words::estimate::{report, runs};

use crate::problem::Problem;

/// The report as JSON, and what was measured or claimed and cannot be, a sentence each. The model is one of the entries,
/// or what a file or its bytes hold.
#[pyfunction]
#[pyo3(signature = (entries, path=None, config=None))]
pub(crate) fn model(
    py: Python<'_>,
    entries: Vec<(String, String)>,
    path: Option<&str>,
    config: Option<&[u8]>,
) -> PyResult<(String, Vec<String>)> {
    Ok(py.detach(|| answered(entries, path, config))?)
}

fn answered(
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
    let answer = query.answer(file.as_ref()).map_err(|refusal| Problem::Model { about, refusal })?;
    if let Some(Err(refusal)) = &answer.other {
        return Err(Problem::Model { about: "versus: ", refusal: refusal.clone() });
    }
    let beside = runs::beside_entries(&answer).into_iter();
    let beside = beside.map(|(entry, sentence)| format!("{}: {sentence}", entry.id())).collect();
    Ok((report(&answer, &query.cost_inputs).to_text(), beside))
}

/// What a file holds; of its bytes, those that say something of products are read.
fn read(path: &str) -> io::Result<Imported> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    ImportProgress::new(length).read(file)
}
