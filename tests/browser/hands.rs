//! Eleven tasks of a newcomer, done with only keys, with only a finger, and with only the roles and names that a screen
//! reader gets.

use studio::{Link, Plan};
use systolic::PeId;
use whole::browser::Page;

use crate::tasks::press;
use crate::visitor::{Hand, Visitor, thing};

const DOWN: &str = "\u{e015}";
const LEFT: &str = "\u{e012}";
const ENTER: &str = "\u{e007}";

/// Chooses PE 3,0, which has the first result.
fn choose_pe(visitor: &Visitor) {
    let Visitor { page, hand } = visitor;
    if *hand == Hand::Finger {
        // The first tap selects the PE, and the second the sum in it.
        for _ in 0..2 {
            visitor.press_pe(&Plan::new(&Link::parse("", "").scenario).expect("the first screen"), PeId::new(3, 0));
            visitor.wait("the PE is selected", |page| page.url().contains("pe=3.0"));
        }
        return;
    }
    let name = page.attribute("#stage", "aria-label").unwrap_or_default();
    visitor.reach(&thing("#stage", "grid", &name));
    press(page, ENTER);
    for _ in 0..8 {
        let at = page.js("return (new URL(location).searchParams.get('pe') ?? '').split('.').map(Number)");
        match (at[0].as_u64(), at[1].as_u64()) {
            (Some(3), Some(0)) => break,
            (Some(3), _) => press(page, LEFT),
            _ => press(page, DOWN),
        }
        page.js_async("await new Promise(done => setTimeout(done, 400))");
    }
    visitor.wait("the PE is chosen", |page| page.url().contains("pe=3.0"));
    for _ in 0..6 {
        if page.text("#caption").contains("4 of 4 terms of c[0,0]") {
            break;
        }
        press(page, "v");
        page.js_async("await new Promise(done => setTimeout(done, 150))");
    }
}

/// Presses "Previous event" until the first cycle is shown. A wide page has no button for the first cycle.
fn to_the_start(visitor: &Visitor) {
    let at_start = |page: &Page| page.text("#clock").starts_with("0 ");
    for _ in 0..20 {
        if at_start(&visitor.page) {
            break;
        }
        let before = visitor.page.text("#clock");
        visitor.press(&thing("#previous-event", "button", "Previous event ([)"));
        // In the first cycle the button is disabled. The clock shows this cycle only in the next frame, so the test
        // waits for the clock.
        visitor.wait("it is another event", |page| page.text("#clock") != before);
    }
    visitor.wait("it is the first cycle", at_start);
}

fn eleven_tasks(hand: Hand) {
    let visitor = Visitor::new(hand, "");
    let Visitor { page, .. } = &visitor;
    let clock = |page: &Page| page.text("#clock").split(' ').next().and_then(|text| text.parse::<u64>().ok());
    // 1. Play, to the end.
    visitor.press(&thing("#play", "button", "Play (Space)"));
    visitor.wait("it has played", |page| clock(page) == Some(15));
    // 2. Step back.
    let before = clock(page).expect("a number");
    visitor.press(&thing("#back", "button", "Back one cycle (Left arrow)"));
    visitor.wait("it is earlier", |page| clock(page) < Some(before));
    // 3. Which element of C is complete first, and of which terms.
    to_the_start(&visitor);
    for _ in 0..4 {
        if page.text("#caption").contains("First result complete: c[0,0] = −26") {
            break;
        }
        let before = page.text("#clock");
        visitor.press(&thing("#next-event", "button", "Next event (])"));
        visitor.wait("it is another event", |page| page.text("#clock") != before);
    }
    visitor.wait_for_text("#caption", "First result complete: c[0,0] = −26");
    choose_pe(&visitor);
    visitor.wait_for_text("#caption", "3·3 at (0,0) in cycle 4 + 7·(−8) at (1,0) in cycle 5");
    visitor.wait_for_text("#caption", "(−2)·(−7) at (3,0) in cycle 7 = −26");
    // 4. An array of 8×8.
    visitor.fill(&thing("#rows", "textbox", "rows"), "8");
    visitor.fill(&thing("#cols", "textbox", "cols"), "8");
    visitor.wait("the array is 8×8", |page| page.url().contains("rows=8") && page.url().contains("cols=8"));
    // 5. Output-stationary.
    visitor.press(&thing("#df-os", "radio", "outputs 6.3 %"));
    visitor.wait("sums stay", |page| page.url().contains("df=os"));
    // 6. A matmul with custom matrices.
    for (field, name) in [("#m", "M"), ("#k", "K"), ("#n", "N")] {
        visitor.fill(&thing(field, "textbox", name), "2");
    }
    visitor.press(&thing("#values > summary", "DisclosureTriangle", "Values small, seed 7"));
    visitor.choose(&thing("#fill", "combobox", "values"), "custom");
    visitor.wait("there are fields", |page| page.count("#a-0-0") == 1);
    for (matrix, numbers) in [("a", [1, 2, 3, 4]), ("b", [5, 6, 7, 8])] {
        for (place, number) in ["0-0", "0-1", "1-0", "1-1"].into_iter().zip(numbers) {
            let (row, col) = place.split_once('-').expect("a place");
            let name = format!("{} row {row}, column {col}", matrix.to_uppercase());
            visitor.fill(&thing(&format!("#{matrix}-{place}"), "textbox", &name), &number.to_string());
        }
    }
    to_the_start(&visitor);
    for _ in 0..4 {
        visitor.press(&thing("#next-event", "button", "Next event (])"));
        if page.text("#caption").contains("c[0,0] = 19") {
            break;
        }
    }
    visitor.wait_for_text("#caption", "c[0,0] = 19");
    // 7. The reason for a utilization of only 28% on the first screen, and a change that raises it above 60%.
    visitor.press(&thing("#to-start", "link", "Systolic Playground"));
    visitor.wait_for_text("#busy", "28");
    visitor.press(&thing("#class-padding", "button", "padding 25.0 % 5.78"));
    visitor.wait_for_text("#live", "N = 3 uses only 3 of 4 columns.");
    visitor.fill(&thing("#m", "textbox", "M"), "64");
    let busy = |page: &Page| page.text("#busy").trim_end_matches('%').trim().parse::<f64>().unwrap_or(0.0);
    visitor.wait("more than 60 % are busy", |page| busy(page) > 60.0);
    // 8. The meaning of a technical term.
    visitor.press(&thing("#run-details > summary", "DisclosureTriangle", "More about this run"));
    page.js("[...document.querySelectorAll('#live button')].find(one => one.textContent === 'loading').id = 'word'");
    visitor.press(&thing("#word", "button", "loading"));
    visitor.wait("its sentence is there", |page| {
        page.js("return document.body.innerText").as_str().unwrap_or_default().contains("shifted into")
    });
    press(page, "\u{e00c}");
    // 9. A fault, and the wrong results.
    visitor.press(&thing("#tool-break", "button", "Break it"));
    visitor.wait("the tool is there", |page| page.count("#break-ready") == 1);
    visitor.choose(&thing("#break-ready", "combobox", "fault"), "no-skew");
    visitor.wait_for_text("#spoiled", "wrong");
    assert!(page.text("#breaker").contains("c["), "{}", page.text("#breaker"));
    // 10. Compare with output-stationary.
    visitor.press(&thing("#tool-compare", "button", "Compare"));
    visitor.wait("the tool is there", |page| page.count("#cmp-ready") == 1);
    visitor.choose(&thing("#cmp-ready", "combobox", "compare with"), "df=os");
    visitor.wait("the second run is there", |page| {
        page.count("#other") == 1
            && page.attribute("#other", "aria-label").unwrap_or_default().contains("Output-stationary")
    });
    // 11. Home.
    visitor.press(&thing("#to-start", "link", "Systolic Playground"));
    visitor.wait("it is the first screen", |page| page.url().contains("m=6") && !page.url().contains("tool="));
    visitor.wait_for_text("#caption", "First result complete: c[0,0] = −26");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn eleven_tasks_are_done_with_keys_alone() {
    eleven_tasks(Hand::Keys);
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn eleven_tasks_are_done_with_roles_and_names_alone() {
        eleven_tasks(Hand::Tree);
    }

    #[test]
    fn eleven_tasks_are_done_with_a_finger_alone() {
        eleven_tasks(Hand::Finger);
    }
}
