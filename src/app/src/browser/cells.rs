//! Texts on the page that change one by one: while a slider is dragged most stay as they are, and to touch the page costs
//! far more than to compare two texts.

use display::figure::Figure;
use estimate::Answer;
use leptos::prelude::*;
use web_sys::{Element, Node};

use super::document;

/// An element and the text that it shows.
struct Cell {
    element: Element,
    /// What holds the text, once there was one: to change it is a third of the work of making another.
    held: Option<Node>,
    text: String,
}

impl Cell {
    const fn of(element: Element) -> Self {
        Self { element, held: None, text: String::new() }
    }

    fn new(within: &Element, tag: &str, class: &str) -> Option<Self> {
        let element = document()?.create_element(tag).ok()?;
        if !class.is_empty() {
            element.set_class_name(class);
        }
        within.append_child(&element).ok()?;
        Some(Self::of(element))
    }

    /// An element that is there. It may have belonged to another figure before, whose text it still shows.
    fn found(within: &Element, css: &str) -> Option<Self> {
        let element = within.query_selector(css).ok()??;
        element.set_text_content(None);
        Some(Self::of(element))
    }

    fn say(&mut self, text: &str) {
        if self.text != text {
            match &self.held {
                Some(held) => held.set_node_value(Some(text)),
                None => {
                    self.element.set_text_content(Some(text));
                    self.held = self.element.first_child();
                }
            }
            self.text.replace_range(.., text);
        }
    }
}

/// A row of cells, each under its tag and class.
struct Row {
    element: Element,
    marked: bool,
    cells: Vec<Cell>,
}

/// What a row is made of: its own tag, that of its first cell, that of the others, and the class from which cell on.
pub(super) struct Tags {
    row: &'static str,
    first: &'static str,
    other: &'static str,
    class: &'static str,
    class_from: usize,
}

pub(super) const HEAD: Tags = Tags { row: "tr", first: "th", other: "th", class: "", class_from: 0 };
pub(super) const BODY: Tags = Tags { row: "tr", first: "th", other: "td", class: "", class_from: 0 };
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

    fn say<'a>(&mut self, marked: bool, texts: impl Iterator<Item = &'a str>) {
        for (cell, text) in self.cells.iter_mut().zip(texts) {
            cell.say(text);
        }
        if self.marked != marked {
            self.element.set_class_name(if marked { "marked" } else { "" });
            self.marked = marked;
        }
    }
}

/// Rows within an element.
#[derive(Default)]
pub(super) struct Rows(Vec<Row>);

impl Rows {
    pub(super) fn say<'a, T: Iterator<Item = &'a str> + Clone>(
        &mut self,
        within: &Element,
        tags: &Tags,
        rows: impl Iterator<Item = (bool, T)>,
    ) {
        let mut said = 0;
        for (marked, texts) in rows {
            let columns = texts.clone().count();
            // Where a row has other columns than before, it and those after it are made anew.
            if self.0.get(said).is_some_and(|row| row.cells.len() != columns) {
                self.cut(said);
            }
            if self.0.len() == said {
                let Some(row) = Row::new(within, tags, columns) else { return };
                self.0.push(row);
            }
            if let Some(row) = self.0.get_mut(said) {
                row.say(marked, texts);
            }
            said += 1;
        }
        self.cut(said);
    }

    fn cut(&mut self, from: usize) {
        for row in self.0.drain(from..) {
            row.element.remove();
        }
    }
}

/// Keeps what changes of the figure with this name in an element.
pub(crate) fn figure(place: NodeRef<leptos::html::Details>, id: &'static str, answer: Memo<std::sync::Arc<Answer>>) {
    let (mut texts, mut sources): (Option<[Cell; 3]>, _) = (None, Rows::default());
    let mut say = move |place: &Element, figure: &Figure| {
        if texts.is_none() {
            if let Ok(Some(list)) = place.query_selector("ul") {
                list.set_text_content(None);
            }
            let found = |css| Cell::found(place, css);
            texts = found(".value").zip(found(".note")).zip(found(".worked")).map(|((a, b), c)| [a, b, c]);
        }
        for (cell, text) in texts.iter_mut().flatten().zip([&figure.value, &figure.note, &figure.worked]) {
            cell.say(text);
        }
        let Ok(Some(list)) = place.query_selector("ul") else { return };
        let all = figure.citations.iter();
        let all = all.map(|one| (false, [one.what.as_str(), one.source, &one.confidence, one.note].into_iter()));
        sources.say(&list, &CITED, all);
    };
    super::effect(Box::new(move || {
        let Some(place) = place.get() else { return };
        answer.with(|answer| {
            if let Some(figure) = answer.figures.iter().find(|figure| figure.id == id) {
                say(&place, figure);
            }
        });
    }));
}
