//! Random keys: nothing breaks, and the accessibility checker finds nothing in any state that the keys reach.
//!
//! A state is everything that the checker can distinguish: the kinds of elements, with their attributes. The checker
//! runs once for each state, in three themes. `cargo xtask soak` presses more keys, with other seeds.

use std::collections::BTreeSet;

use whole::browser::{Page, is_long};

use crate::dice::Dice;
use crate::shown;

/// Number of keys for each theme in a long run; the variable KEYS sets another number.
const KEYS: u32 = 334;

/// Keys to choose from. Keys that move are more frequent than keys that type.
const CHOICE: [char; 40] = [
    '\u{e004}', '\u{e004}', '\u{e004}', '\u{e004}', '\u{e004}', '\u{e004}', '\u{e004}', '\u{e004}', // Tab
    '\u{e012}', '\u{e013}', '\u{e014}', '\u{e015}', '\u{e012}', '\u{e013}', '\u{e014}', '\u{e015}', // arrows
    '\u{e00e}', '\u{e00f}', '\u{e010}', '\u{e011}', // Page Up, Page Down, End, Home
    ' ', ' ', ' ', '\u{e007}', '\u{e007}', '\u{e00c}', '\u{e003}', // Space, Enter, Escape, Backspace
    '0', '1', '2', '9', '-', '+', '[', ']', 'g', '?', 'x', '=', '.',
];

/// Script that lists the kinds of elements on the page: their names, roles, classes, ids and states, without text.
const KINDS: &str = "const kinds = new Set(); \
    for (const element of document.querySelectorAll('body, body *')) { \
      if (element.closest('svg') || element.getClientRects().length === 0) continue; \
      const states = ['role', 'type', 'open', 'disabled', 'hidden', 'aria-live', 'aria-invalid', 'aria-pressed'] \
        .filter(name => element.hasAttribute(name)).map(name => `${name}=${element.getAttribute(name)}`); \
      const named = /[0-9]/.test(element.id) ? 'numbered' : element.id; \
      kinds.add([element.tagName, named, element.className, ...states].join(' ')); } \
    return [...kinds].sort().join('\\n');";

/// Reads a number from an environment variable.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn press_at_random(theme: &str, seed: u64) {
    let keys = variable("KEYS").unwrap_or(u64::from(if is_long() { KEYS } else { KEYS / 4 }));
    // The variable SEED selects three other walks.
    let seed = seed.wrapping_add(variable("SEED").unwrap_or(0).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut dice = Dice::new(seed);
    let mut seen = BTreeSet::new();
    let page = Page::open(&format!("?rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7&theme={theme}&tool=break"));
    shown(&page);
    // A link to the book would leave the page.
    page.js("addEventListener('click', event => { \
         if (event.target.closest('a[href^=docs]')) event.preventDefault(); }, true)");
    for pressed in 0..keys {
        page.press(dice.pick(&CHOICE), dice.once_in(8));
        let Some(kinds) = page.js(KINDS).as_str().map(str::to_owned) else { continue };
        if seen.insert(kinds) {
            // Without the checker this test skips the check; `cargo xtask test` says so in its last lines.
            let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
            assert!(told.is_empty(), "{theme}, seed {seed}, key {pressed}, {}: {}", page.url(), told.join("\n"));
        }
        if pressed % 500 == 0 {
            assert_eq!(page.text("#supervisor"), "", "{theme}, seed {seed}, key {pressed}, {}", page.url());
        }
    }
    assert_eq!(page.text("#supervisor"), "", "{theme}, seed {seed}, {}", page.url());
    assert_eq!(page.console_errors(), Vec::<String>::new(), "{theme}, seed {seed}, {}", page.url());
    // If the keys reach only few states, the test shows nothing.
    assert!(seen.len() as u64 > keys / 70, "{theme}, seed {seed}: only {} states", seen.len());
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn random_keys_reach_no_state_that_the_checker_minds_in_light() {
        press_at_random("light", 0x5eed_0001);
    }

    #[test]
    fn random_keys_reach_no_state_that_the_checker_minds_in_dark() {
        press_at_random("dark", 0x5eed_0002);
    }

    #[test]
    fn random_keys_reach_no_state_that_the_checker_minds_on_a_projector() {
        press_at_random("projector", 0x5eed_0003);
    }
}
