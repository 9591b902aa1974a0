//! Texts on the page that are updated one by one.
//!
//! While a slider is dragged, most texts stay as they are, and writing a text to the page costs far more than comparing
//! two texts. So a change of the estimate writes only the texts that differ. The page updates figures on every change,
//! tables a few times a second, and plots when the changes stop.

use display::figure::Citation;
use leptos::html::{Details, Table};
use leptos::prelude::*;
use web_sys::{Element, Node};

use super::document;

/// An element and the text that it shows.
struct Cell {
    element: Element,
    /// Text node of the element, once it exists. Changing this node takes a third of the work of making a new node.
    node: Option<Node>,
    text: String,
}

impl Cell {
    const fn of(element: Element) -> Self {
        Self { element, node: None, text: String::new() }
    }

    fn new(within: &Element, tag: &str, class: &str) -> Option<Self> {
        let element = document()?.create_element(tag).ok()?;
        if !class.is_empty() {
            element.set_class_name(class);
        }
        within.append_child(&element).ok()?;
        Some(Self::of(element))
    }

    /// Finds an element of a view, and clears its text, because Leptos may have reused the element from another view.
    fn found(within: &Element, css: &str) -> Option<Self> {
        let element = within.query_selector(css).ok()??;
        element.set_text_content(None);
        Some(Self::of(element))
    }

    fn show(&mut self, text: &str) {
        if self.text != text {
            match &self.node {
                Some(node) => node.set_node_value(Some(text)),
                None => {
                    self.element.set_text_content(Some(text));
                    self.node = self.element.first_child();
                }
            }
            self.text.replace_range(.., text);
        }
    }
}

/// A row of cells.
struct Row {
    element: Element,
    marked: bool,
    cells: Vec<Cell>,
}

/// HTML tags of a row, of its first cell and of its other cells. Cells from index `class_from` on have the class
/// `class`.
struct Tags {
    row: &'static str,
    first: &'static str,
    other: &'static str,
    class: &'static str,
    class_from: usize,
}

const HEAD: Tags = Tags { row: "tr", first: "th", other: "th", class: "", class_from: 0 };
const BODY: Tags = Tags { row: "tr", first: "th", other: "td", class: "", class_from: 0 };
const CITED: Tags = Tags { row: "li", first: "strong", other: "span", class: "trust", class_from: 2 };

impl Row {
    fn new(within: &Element, tags: &Tags, columns: usize) -> Option<Self> {
        let element = Cell::new(within, tags.row, "")?.element;
        let mut cells = Vec::with_capacity(columns);
        for index in 0..columns {
            let tag = if index == 0 { tags.first } else { tags.other };
            let cell = Cell::new(&element, tag, if index < tags.class_from { "" } else { tags.class })?;
            if tag == "th" {
                cell.element.set_attribute("scope", if tags.other == "th" { "col" } else { "row" }).ok()?;
            }
            cells.push(cell);
        }
        Some(Self { element, marked: false, cells })
    }

    fn show<'a>(&mut self, marked: bool, texts: impl Iterator<Item = &'a str>) {
        for (cell, text) in self.cells.iter_mut().zip(texts) {
            cell.show(text);
        }
        if self.marked != marked {
            self.element.set_class_name(if marked { "marked" } else { "" });
            self.marked = marked;
        }
    }
}

/// All rows of an element. The first call of `show` removes rows that another view left in the element.
#[derive(Default)]
struct Rows {
    rows: Vec<Row>,
    is_begun: bool,
}

impl Rows {
    fn show<'a, T: Iterator<Item = &'a str> + Clone>(
        &mut self,
        within: &Element,
        tags: &Tags,
        rows: impl Iterator<Item = (bool, T)>,
    ) {
        if !core::mem::replace(&mut self.is_begun, true) {
            within.set_text_content(None);
        }
        let mut n_shown = 0;
        for (marked, texts) in rows {
            let columns = texts.clone().count();
            // If the number of columns of a row changes, this row and the rows after it are made again.
            if self.rows.get(n_shown).is_some_and(|row| row.cells.len() != columns) {
                self.cut(n_shown);
            }
            if self.rows.len() == n_shown {
                let Some(row) = Row::new(within, tags, columns) else { return };
                self.rows.push(row);
            }
            if let Some(row) = self.rows.get_mut(n_shown) {
                row.show(marked, texts);
            }
            n_shown += 1;
        }
        self.cut(n_shown);
    }

    fn cut(&mut self, from: usize) {
        for row in self.rows.drain(from..) {
            row.element.remove();
        }
    }
}

/// Function that passes the current texts, if any, to a callback.
pub(crate) type Texts = Box<dyn Fn(&mut dyn FnMut(&[&str]))>;

/// Shows texts in elements of a view, each text in the first element that matches its selector.
pub(crate) fn fill(place: NodeRef<Details>, selectors: &'static [&'static str], texts: Texts) {
    let mut cells = Vec::new();
    super::effect(move || {
        let Some(place) = place.get() else { return };
        if cells.is_empty() {
            cells = selectors.iter().filter_map(|css| Cell::found(&place, css)).collect();
        }
        texts(&mut |now| {
            for (cell, text) in cells.iter_mut().zip(now) {
                cell.show(text);
            }
        });
    });
}

/// Function that passes the current citations, if any, to a callback.
pub(crate) type Citations = Box<dyn Fn(&mut dyn FnMut(&[Citation]))>;

/// Shows citations as the items of the list in a view.
pub(crate) fn list(place: NodeRef<Details>, citations: Citations) {
    let mut rows = Rows::default();
    super::effect(move || {
        let Some(Ok(Some(list))) = place.get().map(|place| place.query_selector("ul")) else { return };
        citations(&mut |now| {
            let texts = now.iter().map(|one| {
                let texts = [one.what.as_str(), one.source, one.confidence.as_str(), one.note];
                (false, texts.into_iter())
            });
            rows.show(&list, &CITED, texts);
        });
    });
}

/// A row of a table: true if the row is marked, and the texts of its cells.
pub(crate) type TableRow = (bool, Vec<String>);

/// Function that passes the current headings and rows of a table to a callback.
pub(crate) type TableTexts = Box<dyn Fn(&mut dyn FnMut(&[&'static str], &[TableRow]))>;

/// Shows a table in an element with an empty head and body.
pub(crate) fn table(place: NodeRef<Table>, texts: TableTexts) {
    let (mut heads, mut rows) = (Rows::default(), Rows::default());
    super::effect(move || {
        let Some(place) = place.get() else { return };
        let (Some(head), Some(body)) = (place.first_element_child(), place.last_element_child()) else { return };
        texts(&mut |new_heads, new_rows| {
            heads.show(&head, &HEAD, core::iter::once((false, new_heads.iter().copied())));
            rows.show(&body, &BODY, new_rows.iter().map(|(marked, cells)| (*marked, cells.iter().map(String::as_str))));
        });
    });
}
