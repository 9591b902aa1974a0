//! Reader of matmuls as JSON: a list of objects with the keys of a table, or one object on each line.

use super::{MULTIPLIERS, Row, SIZES, by_name, by_place, unused};
use crate::cells::{self, Named};
use crate::json::{Reader, Value};
use crate::note::Note;
use crate::problem::{Fault, PROBLEMS_MAX, Problem};
use crate::workload::Workload;

/// Returns the matmuls of a JSON text. `None` if the text is not JSON, or is one object that is not a matmul. Positions
/// of problems are positions in the list, counted from 1.
pub(crate) fn workload(text: &str) -> Option<Result<Workload, Vec<Problem>>> {
    let (mut reader, mut values) = (Reader::new(text), Vec::new());
    while reader.peek().is_some() {
        values.push(reader.value().ok()?);
    }
    let items = match values.as_slice() {
        [Value::List(items)] => items,
        [one] if !is_matmul(one) => return None,
        all => all,
    };
    let (mut work, mut problems) = (Workload::default(), Vec::new());
    for (number, item) in (1..).zip(items) {
        match product(item, number, &mut work) {
            Ok(()) => {}
            Err(_) if problems.len() >= PROBLEMS_MAX => break,
            Err(fault) => problems.push(Problem::new(number, fault)),
        }
    }
    if items.is_empty() {
        problems.push(Problem::new(1, Fault::Empty));
    }
    Some(if problems.is_empty() { Ok(work) } else { Err(problems) })
}

fn is_matmul(value: &Value<'_>) -> bool {
    let Value::Object(entries) = value else { return false };
    let is_named = |column| entries.iter().any(|(key, _)| cells::named(key) == Named::Of(column));
    SIZES.into_iter().all(is_named)
}

/// Adds the matmul of an object or of a list of numbers.
fn product(item: &Value<'_>, number: usize, work: &mut Workload) -> Result<(), Fault> {
    let text = |value: &Value<'_>| match value {
        Value::Text(text) => text.clone().into_owned(),
        Value::Null => String::new(),
        other => other.shown(),
    };
    let (note, product) = match item {
        Value::Object(entries) => {
            let keys: Vec<&str> = entries.iter().map(|(key, _)| &**key).collect();
            let texts: Vec<String> = entries.iter().map(|(_, value)| text(value)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let named = cells::header(&keys);
            if let Some(column) = cells::twice(&named, &SIZES).or_else(|| cells::twice(&named, &MULTIPLIERS)) {
                return Err(Fault::ColumnTwice { column });
            }
            (unused(&keys, &named), by_name(&texts, &named).product(None, number))
        }
        Value::List(numbers) => {
            let texts: Vec<String> = numbers.iter().map(text).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            (Some(Note::AssumedOrder), by_place(&texts).and_then(|row| row.product(None, number)))
        }
        _ => (None, Row { name: None, sizes: [None; 3], counts: Vec::new() }.product(None, number)),
    };
    work.products.push(product?);
    work.notes.extend(note.filter(|note| !work.notes.contains(note)));
    Ok(())
}
