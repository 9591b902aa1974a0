//! Tables from the standard input: their delimiter, and the names of their columns.

use std::io::{BufRead, Error, StdinLock};

use csv::{Reader, ReaderBuilder, StringRecord, Trim};

use crate::problem::Problem;

/// Opens a table whose cells are separated by tabs, semicolons or commas, and returns it with its delimiter.
pub(crate) fn table(mut input: StdinLock<'static>) -> Result<(Reader<StdinLock<'static>>, u8), Error> {
    let start = input.fill_buf()?;
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or(start);
    // A comma is the last, because the numbers of a table with other delimiters may contain commas.
    let delimiter = [b'\t', b';'].into_iter().find(|byte| line.contains(byte)).unwrap_or(b',');
    let reader = ReaderBuilder::new().delimiter(delimiter).trim(Trim::All).flexible(true).from_reader(input);
    Ok((reader, delimiter))
}

/// First line of a table.
pub(crate) struct Header(StringRecord);

impl Header {
    pub(crate) const fn new(names: StringRecord) -> Self {
        Self(names)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the index of a column, or `None` if the table has no such column. Fails if the table has two columns of
    /// this name, because either column could be meant.
    pub(crate) fn index(&self, name: &str) -> Result<Option<usize>, Problem> {
        let is_named = |column: &str| column.trim_start_matches('\u{feff}').eq_ignore_ascii_case(name);
        let mut found = self.names().enumerate().filter(|(_, column)| is_named(column)).map(|(index, _)| index);
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(Problem::ColumnTwice { name: name.to_owned() }),
            (index, None) => Ok(index),
        }
    }

    /// Returns the indexes of columns. Fails if a column is missing or appears twice.
    pub(crate) fn needed<const N: usize>(&self, names: &'static [&'static str; N]) -> Result<[usize; N], Problem> {
        let mut indexes = [0; N];
        let mut missing = Vec::new();
        for (index, name) in indexes.iter_mut().zip(*names) {
            match self.index(name)? {
                Some(found) => *index = found,
                None => missing.push(name),
            }
        }
        if missing.is_empty() { Ok(indexes) } else { Err(Problem::MissingColumns { missing, needed: names }) }
    }
}
