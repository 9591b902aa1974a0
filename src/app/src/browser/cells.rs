//! A table on the page that changes cell by cell: while a slider is dragged most cells stay as they are, and to touch
//! the page costs far more than to compare two texts.

use leptos::html::Div;
use leptos::prelude::*;
use web_sys::Element;

use super::document;

/// A row: whether it stands out, and its texts.
pub(crate) type Row = (bool, Vec<String>);

/// What a table shows, the row of heads first.
#[derive(Default)]
struct Shown {
    rows: Vec<Row>,
    elements: Vec<(Element, Vec<Element>)>,
}

impl Shown {
    /// Makes a row anew.
    fn make(&mut self, part: &Element, is_head: bool, row: Row) -> Option<()> {
        let line = document()?.create_element("tr").ok()?;
        let mut cells = Vec::with_capacity(row.1.len());
        for (index, text) in row.1.iter().enumerate() {
            let is_th = is_head || index == 0;
            let cell = document()?.create_element(if is_th { "th" } else { "td" }).ok()?;
            if is_th {
                cell.set_attribute("scope", if is_head { "col" } else { "row" }).ok()?;
            }
            cell.set_text_content(Some(text));
            line.append_child(&cell).ok()?;
            cells.push(cell);
        }
        mark(&line, row.0);
        part.append_child(&line).ok()?;
        self.rows.push(row);
        self.elements.push((line, cells));
        Some(())
    }

    /// Shows rows, touching only what is different.
    fn show(&mut self, head: &Element, body: &Element, rows: Vec<Row>) {
        // Where a row has other columns than before, it and those after it are made anew.
        let alike = rows.iter().zip(&self.rows).take_while(|(new, old)| new.1.len() == old.1.len()).count();
        self.rows.truncate(alike);
        for (line, _) in self.elements.drain(alike..) {
            line.remove();
        }
        for (index, row) in rows.into_iter().enumerate() {
            let Some((old, (line, cells))) = self.rows.get_mut(index).zip(self.elements.get(index)) else {
                let is_head = index == 0;
                self.make(if is_head { head } else { body }, is_head, row);
                continue;
            };
            for ((new, old), cell) in row.1.iter().zip(&old.1).zip(cells) {
                if new != old {
                    cell.set_text_content(Some(new));
                }
            }
            if row.0 != old.0 {
                mark(line, row.0);
            }
            *old = row;
        }
    }
}

fn mark(line: &Element, marked: bool) {
    line.set_class_name(if marked { "marked" } else { "" });
}

/// Keeps the table in an element at what `rows` gives, the row of heads first.
pub(crate) fn show(table: NodeRef<Div>, rows: Box<dyn Fn() -> Vec<Row>>) {
    let mut shown = Shown::default();
    super::effect(Box::new(move || {
        let rows = rows();
        let Some(table) = table.get() else { return };
        let part = |name| table.query_selector(name).ok().flatten();
        if let Some((head, body)) = part("thead").zip(part("tbody")) {
            shown.show(&head, &body, rows);
        }
    }));
}
