//! The tables of an answer. Figures follow every change at once, tables a few times a second: most of the work of an
//! answer, and of laying the page out, is in tables, and nobody reads forty rows in a sixtieth of a second.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use estimate::Answer;
use estimate::answer::Table;
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::Element;

use super::cells::{BODY, HEAD, Rows};
use super::document;

/// How long tables wait for further changes to show together.
const TOGETHER: Duration = Duration::from_millis(150);

/// A table on the page.
struct Shown {
    title: &'static str,
    parts: [Element; 2],
    head: Element,
    body: Element,
    heads: Rows,
    rows: Rows,
}

fn element(within: &Element, tag: &str) -> Option<Element> {
    let element = document()?.create_element(tag).ok()?;
    within.append_child(&element).ok()?;
    Some(element)
}

impl Shown {
    fn new(place: &Element, title: &'static str) -> Option<Self> {
        let heading = element(place, "h3")?;
        heading.set_text_content(Some(title));
        // What scrolls sideways must be reached by keys, and then it needs a name.
        let scroll = element(place, "div")?;
        scroll.set_class_name("scroll");
        for (name, value) in [("tabindex", "0"), ("role", "group"), ("aria-label", title)] {
            scroll.set_attribute(name, value).ok()?;
        }
        let table = element(&scroll, "table")?;
        let (head, body) = (element(&table, "thead")?, element(&table, "tbody")?);
        let parts = [heading, scroll];
        Some(Self { title, parts, head, body, heads: Rows::default(), rows: Rows::default() })
    }

    fn say(&mut self, table: &Table) {
        self.heads.say(&self.head, &HEAD, core::iter::once((false, table.heads.iter().copied())));
        let rows = table.rows.iter().map(|(marked, cells)| (*marked, cells.iter().map(String::as_str)));
        self.rows.say(&self.body, &BODY, rows);
    }
}

/// Shows the tables of an answer.
fn say(all: &mut [Shown], answer: &Answer) {
    for (shown, table) in all.iter_mut().zip(&answer.tables) {
        shown.say(table);
    }
}

/// Keeps the tables of an answer in an element. `answer` may have their titles alone; `whole` works them out.
pub(crate) fn follow(place: NodeRef<Div>, answer: Memo<Arc<Answer>>, whole: impl Fn() -> Answer + Clone + 'static) {
    let all: Rc<RefCell<Vec<Shown>>> = Rc::default();
    let waits: Rc<Cell<bool>> = Rc::default();
    super::effect(Box::new(move || {
        let answer = answer.get();
        let Some(place) = place.get() else { return };
        let titles = || answer.tables.iter().map(|table| table.title);
        let mut shown = all.borrow_mut();
        if !titles().eq(shown.iter().map(|shown| shown.title)) {
            shown.drain(..).flat_map(|shown| shown.parts).for_each(|part| part.remove());
            shown.extend(titles().filter_map(|title| Shown::new(&place, title)));
            say(&mut shown, &whole());
        } else if !waits.replace(true) {
            let (all, waits, whole) = (Rc::clone(&all), Rc::clone(&waits), whole.clone());
            let show = move || {
                waits.set(false);
                say(&mut all.borrow_mut(), &whole());
            };
            set_timeout(show, TOGETHER);
        }
    }));
}
