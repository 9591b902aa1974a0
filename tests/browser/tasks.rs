//! Tasks of visitors without a mouse: with only keys, and with only what a screen reader gets.

use serde_json::{Value, json};
use whole::browser::Page;

use crate::shown;

const SPACE: &str = " ";
const TAB: &str = "\u{e004}";
const DOWN: &str = "\u{e015}";
const PAGE_DOWN: &str = "\u{e00f}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const HOME: &str = "\u{e011}";

/// Run for the task to find c[2,1]. The last term, from vector 2, is added in row 3, column 1. The cycle is 4 (loading)
/// + 2 (vector) + 3 (row) + 1 (column) = 10. The sum leaves at the next clock edge.
const RUN: &str = "rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=0";
const LAST_TERM: &str = "the last of 4 products of c[2,1]";
const LEAVES: &str = "leaves through the south edge in cycle 11";

fn open() -> Page {
    let page = Page::open(&format!("?{RUN}"));
    shown(&page);
    page
}

/// Presses keys one after another in the focused element.
pub(crate) fn press(page: &Page, keys: &str) {
    keys.chars().for_each(|key| page.press(key, false));
}

/// Presses Tab until the element `id` has the focus.
pub(crate) fn tab_to(page: &Page, id: &str) {
    page.js("document.activeElement.blur()");
    for _ in 0..120 {
        press(page, TAB);
        if page.js("return document.activeElement.id").as_str() == Some(id) {
            return;
        }
    }
    panic!("Tab does not lead to #{id}");
}

#[test]
fn tab_leads_past_the_header_to_the_array_and_to_play() {
    let page = open();
    page.wait_for("#tool-compare");
    let is_at = |place: &str| {
        let is_there = format!("return document.activeElement.matches('{place}')");
        assert_eq!(page.js(&is_there).as_bool(), Some(true), "{place}");
    };
    for place in ["a.skip", "a.skip", "#to-start", "#to-learn", "#to-array", "#to-estimate"] {
        press(&page, TAB);
        is_at(place);
    }
    tab_to(&page, "stage");
    press(&page, TAB);
    is_at("#play");
    // The second link skips the header. The headings of the page begin with its title.
    let page = open();
    page.wait_for("#tool-compare");
    press(&page, TAB);
    press(&page, TAB);
    press(&page, ENTER);
    page.wait_until("the array has the focus", || {
        page.js("return document.activeElement.id").as_str() == Some("stage")
    });
    assert_eq!(page.js("return document.querySelector('h1, h2, h3').tagName").as_str(), Some("H1"));
}

#[test]
fn space_plays_after_a_click_and_presses_what_keys_have_led_to() {
    let page = open();
    let play = |name: &str| page.attribute("#play", "aria-label").as_deref() == Some(name);
    page.click("#forward");
    press(&page, SPACE);
    page.wait_until("it plays", || play("Pause (Space)"));
    press(&page, SPACE);
    page.wait_until("it rests", || play("Play (Space)"));
    press(&page, HOME);
    page.wait_until("it is at the beginning", || page.text("#clock").starts_with("0 "));
    tab_to(&page, "forward");
    press(&page, SPACE);
    page.wait_until("it is a cycle later", || page.text("#clock").starts_with("1 "));
    assert!(play("Play (Space)"), "the button was pressed, and nothing else");
}

#[test]
fn a_key_that_is_held_turns_something_on_once() {
    let page = open();
    let hold = "for (const repeat of [false, true, true]) document.body.dispatchEvent(new KeyboardEvent('keydown', \
                { key: ' ', repeat, bubbles: true, cancelable: true }))";
    page.js(hold);
    page.wait_until("it plays", || page.attribute("#play", "aria-label").as_deref() == Some("Pause (Space)"));
    page.js(hold);
    page.wait_until("it rests", || page.attribute("#play", "aria-label").as_deref() == Some("Play (Space)"));
}

#[test]
fn every_task_is_done_with_keys_alone() {
    let page = open();
    // The cycle in which c[2,1] leaves: the PE of its last term, step by step.
    tab_to(&page, "stage");
    press(&page, ENTER);
    for _ in 0..3 {
        press(&page, DOWN);
    }
    press(&page, "\u{e014}");
    page.wait_until("PE 3,1 is chosen", || page.url().contains("pe=3.1"));
    for _ in 0..16 {
        if page.text("#caption").contains(LAST_TERM) {
            break;
        }
        let before = page.text("#clock");
        press(&page, PAGE_DOWN);
        page.wait_until("a cycle passes", || page.text("#clock") != before);
    }
    assert!(page.text("#caption").contains(LAST_TERM), "{}", page.text("#caption"));
    tab_to(&page, "tool-pe");
    press(&page, ENTER);
    page.wait_for("#sheet");
    page.wait_until("it is told when it leaves", || page.text("#sheet").contains(LEAVES));
    press(&page, ESCAPE);
    page.wait_until("the tool is closed", || page.count("#sheet") == 0);
    // The classes of PE-cycles explain the low utilization.
    assert!(page.text("#figure-array-mfu").starts_with("28.1 %"), "{}", page.text("#figure-array-mfu"));
    tab_to(&page, "class-padding");
    press(&page, " ");
    page.wait_until("the reason is there", || page.text("#live").contains("N = 3 uses only 3 of 4 columns."));
    press(&page, ENTER);
    page.wait_until("the reason is gone", || !page.text("#live").contains("N = 3 fills"));
    // Another dtype.
    tab_to(&page, "dt");
    press(&page, HOME);
    page.wait_until("f32 is the first", || page.url().contains("dt=f32"));
    press(&page, DOWN);
    page.wait_until("bf16 follows", || page.url().contains("dt=bf16"));
    // A second run next to the first.
    tab_to(&page, "tool-compare");
    press(&page, ENTER);
    page.wait_for("#cmp-ready");
    tab_to(&page, "cmp-ready");
    // The tool begins with a comparison.
    press(&page, HOME);
    press(&page, DOWN);
    press(&page, DOWN);
    page.wait_for("#other");
    assert!(page.attribute("#other", "aria-label").unwrap_or_default().contains("Output-stationary"));
    // An example.
    let before = page.text(".headline");
    page.js("document.querySelector('#examples summary').focus()");
    press(&page, ENTER);
    page.wait_for("#example-ragged");
    tab_to(&page, "example-ragged");
    press(&page, ENTER);
    page.wait_until("an example is shown", || page.text(".headline") != before);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Accessibility tree of the page, which assistive technology reads.
pub(crate) struct Tree<'a> {
    page: &'a Page,
    nodes: Vec<Value>,
}

impl<'a> Tree<'a> {
    /// Reads the complete tree. The browser builds the tree on the first request, so this function waits.
    pub(crate) fn of(page: &'a Page) -> Self {
        let ask =
            || page.cdp("Accessibility.getFullAXTree", json!({}))["nodes"].as_array().cloned().unwrap_or_default();
        page.wait_until("the page is told", || ask().len() > 20);
        // The browser lists the nodes level by level, but a screen reader reads them branch by branch.
        let all = ask();
        let (mut nodes, mut next) = (Vec::new(), vec![all[0]["nodeId"].clone()]);
        while let Some(id) = next.pop() {
            let Some(node) = all.iter().find(|node| node["nodeId"] == id) else { continue };
            next.extend(node["childIds"].as_array().into_iter().flatten().rev().cloned());
            nodes.push(node.clone());
        }
        nodes.retain(|node| node["ignored"] != json!(true));
        Self { page, nodes }
    }

    pub(crate) fn find(&self, role: &str, name: &str) -> &Value {
        let fits = |node: &&Value| node["role"]["value"] == role && node["name"]["value"].as_str() == Some(name);
        let told = || {
            let names = self.nodes.iter().map(|node| format!("{} {}", node["role"]["value"], node["name"]["value"]));
            names.collect::<Vec<_>>().join("\n")
        };
        self.nodes.iter().find(fits).unwrap_or_else(|| panic!("no {role} named {name:?} in\n{}", told()))
    }

    /// Moves the focus to the element with this role and name, as a screen reader does.
    pub(crate) fn focus(&self, role: &str, name: &str) {
        let id = self.find(role, name)["backendDOMNodeId"].clone();
        self.page.cdp("DOM.focus", json!({ "backendNodeId": id }));
    }

    /// Returns all texts in reading order.
    pub(crate) fn text(&self) -> String {
        let texts = self.nodes.iter().filter(|node| node["role"]["value"] == "StaticText");
        texts.filter_map(|node| node["name"]["value"].as_str()).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn every_task_is_done_with_what_a_screen_reader_is_given() {
    let page = open();
    let text = || Tree::of(&page).text();
    let wait = |what: &str, word: &str| page.wait_until(what, || text().contains(word));
    // The array is a grid with a name and a description, and its arrows move from cell to cell.
    let name = page.attribute("#stage", "aria-label").unwrap_or_default();
    Tree::of(&page).focus("grid", &name);
    press(&page, ENTER);
    for key in [DOWN, DOWN, DOWN, "\u{e014}"] {
        press(&page, key);
    }
    wait("PE 3,1 is told about", "PE 3,1");
    let told = |tree: Tree<'_>| {
        tree.nodes.iter().any(|node| {
            let name = node["name"]["value"].as_str().unwrap_or_default();
            node["role"]["value"] == "gridcell" && name.starts_with("PE 3,1 ") && name.len() > 20
        })
    };
    assert!(told(Tree::of(&page)), "its cell says what the PE does");
    let at = |attribute: &str| page.attribute(&format!("#stage [{attribute}]"), attribute);
    assert_eq!((at("aria-rowindex"), at("aria-colindex")), (Some("4".into()), Some("2".into())), "counted from one");
    for _ in 0..16 {
        if text().contains(LAST_TERM) {
            break;
        }
        Tree::of(&page).focus("button", "Forward one cycle (Right arrow)");
        press(&page, " ");
    }
    wait("the last term of c[2,1]", LAST_TERM);
    Tree::of(&page).focus("button", "Inside a PE");
    press(&page, " ");
    wait("and when it leaves", LEAVES);
    // A screen reader reads the utilization with its PE-cycles, and each class is a button. Glossary words are separate
    // texts, so the spaces between texts do not count.
    let read: String = text().split_whitespace().collect();
    assert!(read.contains("wholerun28.1%72of256") && read.contains("sofar"), "{read}");
    let padding = page.js("return document.querySelector('#class-padding').innerText.replace(/\\s+/g, ' ').trim()");
    let padding = padding.as_str().expect("a name");
    assert!(padding.ends_with(" 25.0 % 5.78"), "{padding}");
    Tree::of(&page).focus("button", padding);
    press(&page, " ");
    wait("the reason of a class", "N = 3 uses only 3 of 4 columns.");
    press(&page, " ");
    Tree::of(&page).focus("button", "Close (Esc)");
    press(&page, " ");
    page.wait_until("the tool is closed", || page.count("#sheet") == 0);
    Tree::of(&page).focus("combobox", "number format");
    press(&page, HOME);
    press(&page, DOWN);
    page.wait_until("bf16 is the value of the list", || {
        Tree::of(&page).find("combobox", "number format")["value"]["value"] == "bf16 → f32"
    });
    Tree::of(&page).focus("button", "Compare");
    press(&page, " ");
    page.wait_for("#cmp-ready");
    Tree::of(&page).focus("combobox", "compare with");
    press(&page, HOME);
    press(&page, DOWN);
    press(&page, DOWN);
    page.wait_until("the second run has its words", || {
        let words = page.attribute("#other", "aria-label").unwrap_or_default();
        words.contains("Output-stationary") && Tree::of(&page).find("image", &words)["role"]["value"] == "image"
    });
    Tree::of(&page).focus("DisclosureTriangleGrouped", "Examples");
    press(&page, " ");
    page.wait_for("#example-ragged");
    // A card is a button, and its name consists of its title, its figure and its sentence.
    let title = page.text("#example-ragged strong, #example-ragged b, #example-ragged h3");
    let is_card = |node: &Value| {
        node["role"]["value"] == "button" && node["name"]["value"].as_str().is_some_and(|name| name.contains(&title))
    };
    let tree = Tree::of(&page);
    let card = tree.nodes.iter().find(|node| is_card(node)).expect("a card in the tree");
    page.cdp("DOM.focus", json!({ "backendNodeId": card["backendDOMNodeId"] }));
    let before = page.text(".headline");
    press(&page, " ");
    page.wait_until("an example is shown", || page.text(".headline") != before);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
