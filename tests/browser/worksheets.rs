//! Tests of worksheets that the page prints: their text, and their pictures, which are those of the command line.

use export::card::{self, Moment};
use lesson::{Lesson, course};
use serde_json::Value;
use whole::browser::{Page, Setting};

use crate::shown;

/// The texts of each picture, in the order of the cards, as the command line draws them.
fn drawn(id: &str, moment: Moment) -> Vec<Vec<String>> {
    let lesson = course::text(id).map(Lesson::read).expect("a text").expect("no mistake");
    let pictures = card::pictures(&lesson, moment).into_iter().flatten();
    let texts = |svg: &str| {
        let document = roxmltree::Document::parse(svg).expect("an XML document");
        let texts = document.descendants().filter(|node| node.has_tag_name("text"));
        texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
    };
    pictures.map(|drawn| texts(&drawn.svg)).collect()
}

#[test]
fn a_lesson_prints_as_a_worksheet_with_the_pictures_of_the_command_line() {
    let page = Page::new(Setting::window(1280, 900));
    for (id, said, answer) in [
        ("pe-cycles", "Count the PE-cycles that the 12 used PEs lose", "Answer: 48"),
        ("to-mfu", "At how many FLOP per byte is the ridge of this chip?", "Answer: 560"),
        ("drawing-claims", "1. ", "A correct run, at cycle"),
    ] {
        page.goto(&format!("?learn={id}.1"));
        page.wait_for("#print-answers");
        page.click(".card-print summary");
        shown(&page);
        // A browser lays the page out between these two events.
        page.js(
            "window.print = () => { dispatchEvent(new Event('beforeprint')); const sheet = document.querySelector('.worksheet'); \
             window.sheet = { text: sheet.textContent, pictures: [...sheet.querySelectorAll('svg')].map(svg => \
               [...svg.querySelectorAll('text')].map(text => text.textContent)), \
               drawn: [...sheet.querySelectorAll('svg')].every(svg => svg.getBBox().width > 100) }; \
             dispatchEvent(new Event('afterprint')); }",
        );
        for (button, moment) in [("#print-worksheet", Moment::Asked), ("#print-answers", Moment::Answered)] {
            page.js("window.sheet = null");
            page.click(button);
            page.wait_until("it is printed", || !page.js("return window.sheet").is_null());
            let sheet = page.js("return window.sheet");
            assert_eq!(sheet["drawn"], Value::from(true), "{id} {button}");
            assert_eq!(sheet["pictures"], serde_json::json!(drawn(id, moment)), "{id} {button}");
            let text = sheet["text"].as_str().unwrap_or_default();
            assert!(text.contains(said), "{id}: {text}");
            assert_eq!(text.contains(answer), moment == Moment::Answered, "{id}: {text}");
            page.wait_until("the sheet is gone", || page.count(".worksheet") == 0);
        }
    }
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
