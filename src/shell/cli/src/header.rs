//! Tables from the standard input: their delimiter, and the names of their columns.

use std::io::{BufRead, Cursor, Error, Read, StdinLock};

use csv::{Reader, ReaderBuilder, StringRecord, Trim};
use plain::{Decimal, NoNumber, Wide};

use crate::problem::{Problem, Problems, Usable};

/// A table from the standard input.
pub(crate) struct Table {
    pub(crate) reader: Reader<Box<dyn Read>>,
    /// Character between the cells.
    pub(crate) delimiter: u8,
    /// Sign before decimals: comma or point. `None` if both signs are possible.
    pub(crate) decimal: Option<Decimal>,
}

/// Opens a table in UTF-8 or UTF-16 whose cells are separated by tabs, semicolons or commas. `decimal` is the sign before
/// decimals, if an option sets the sign.
pub(crate) fn table(mut input: StdinLock<'static>, decimal: Option<Decimal>) -> Result<Table, Error> {
    let start = input.fill_buf()?;
    let wide = Wide::of(start);
    let mut input: Box<dyn BufRead> = match wide {
        Some(wide) => {
            let mut bytes = Vec::new();
            input.read_to_end(&mut bytes)?;
            Box::new(Cursor::new(wide.text(bytes.get(2..).unwrap_or(&[]), true).into_bytes()))
        }
        None => Box::new(input),
    };
    let start = input.fill_buf()?;
    let line = start.split(|byte| *byte == b'\n').next().unwrap_or(start);
    // A comma is the last, because the numbers of a table with other delimiters may contain commas.
    let delimiter = [b'\t', b';'].into_iter().find(|byte| line.contains(byte)).unwrap_or(b',');
    let decimal = decimal.or((delimiter == b',').then_some(Decimal::Point));
    let input: Box<dyn Read> = Box::new(input);
    let reader = ReaderBuilder::new().delimiter(delimiter).trim(Trim::All).flexible(true).from_reader(input);
    Ok(Table { reader, delimiter, decimal })
}

/// Reads a whole number from 1 to `most`. The number may have separators between thousands.
pub(crate) fn whole(text: &str, decimal: Option<Decimal>, most: u64) -> Result<u64, Usable> {
    match plain::whole_number(text, decimal) {
        Ok(value) if (1..=most).contains(&value) => Ok(value),
        Err(NoNumber::Either) => Err(Usable::OneReading),
        Ok(_) | Err(NoNumber::Word) => Err(Usable::UpTo(most)),
    }
}

/// Reads the number of matmuls in the batch of a row. An empty cell means one matmul.
pub(crate) fn batch(record: &StringRecord, decimal: Option<Decimal>, column: Option<usize>) -> Result<u64, Problems> {
    match column.and_then(|column| record.get(column)).filter(|given| !given.is_empty()) {
        Some(given) => Ok(whole(given, decimal, BATCH_MAX).map_err(|usable| Problem::column("batch", given, usable))?),
        None => Ok(1),
    }
}

/// Maximum number of matmuls in a batch.
const BATCH_MAX: u64 = 1 << 30;

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

    /// Returns the index of the column with the number of matmuls in a batch: `batch`, `batch_size` or `batch_count`.
    pub(crate) fn batch(&self) -> Result<Option<usize>, Problem> {
        let is_batch = |column: &str| {
            let letters = column.trim_start_matches('\u{feff}').to_ascii_lowercase();
            letters.starts_with("batch") && !letters.contains("stride")
        };
        let mut found = self.names().enumerate().filter(|(_, column)| is_batch(column)).map(|(index, _)| index);
        match (found.next(), found.next()) {
            (_, Some(_)) => Err(Problem::ColumnTwice { name: "batch".to_owned() }),
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
