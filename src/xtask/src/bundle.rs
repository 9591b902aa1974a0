//! Files of the first load: index.html and every file that it loads.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::{Error, markup};

/// Returns the files of the first load, as paths inside `dist`, with index.html first.
///
/// # Errors
/// Fails if index.html cannot be read or is not HTML.
pub fn first_load(dist: &Path) -> Result<Vec<String>, Error> {
    let html = fs::read_to_string(dist.join("index.html")).map_err(Error::io("read dist/index.html"))?;
    let named: BTreeSet<String> = markup::all_named(&html)?.into_iter().map(|named| named.file).collect();
    Ok(std::iter::once("index.html".to_owned()).chain(named).collect())
}
