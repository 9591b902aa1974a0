//! Texts of the presentation mode: four numbers for the audience, and controls for the speaker.

use display::number::grouped;
use studio::Plan;
use studio::kiosk::Idle;
use systolic::Cycle;

use crate::busy;
use crate::figures::array_at_a_glance;

/// Label of the button that starts the presentation mode.
pub const OPEN: &str = "Present";
/// Tooltip of the button that starts the presentation mode.
pub const HELP: &str = "Full screen. PageDown: forward; PageUp: back; B: blank; Esc: end";
/// Tooltip of the same button in Real models.
pub const HELP_ANSWERS: &str = "The answers on the whole screen, without the form. Esc: end";
/// Label of the button that ends the presentation mode.
pub const END: &str = "End (Esc)";

/// Accessible name of the button that goes to the previous slide.
pub const PREVIOUS: &str = "previous slide";
/// Accessible name of the button that goes to the next slide.
pub const NEXT: &str = "next slide";

/// Returns the list of keys for the speaker.
#[must_use]
pub const fn keys(has_slides: bool) -> &'static str {
    if has_slides {
        "PageDown, PageUp: slides · ← →: cycles · B: blank · L: pointer · Esc: end"
    } else {
        "PageDown, PageUp: cycles · B: blank · L: pointer · Esc: end"
    }
}

/// Returns the message about an unusable value of `kiosk` in a link.
#[must_use]
pub fn no_kiosk(text: &str) -> String {
    let given = plain::cut(text);
    format!("The link asks for kiosk = {given}: use a whole number of seconds from {} to {}.", Idle::MIN, Idle::MAX)
}

/// Returns the message about an unusable value of `slide` in a link.
#[must_use]
pub fn no_slide(text: &str, n_slides: usize) -> String {
    format!("The link asks for slide = {}: use a whole number from 1 to {n_slides}.", plain::cut(text))
}

/// Returns the warning before kiosk mode restarts the page.
#[must_use]
pub fn begins_again(seconds: u32) -> String {
    format!("Restarting in {seconds} s. Touch to continue.")
}

/// Returns the position of a slide, e.g. "slide 1 of 3" for `at` = 0.
#[must_use]
pub fn slide(at: usize, n_slides: usize) -> String {
    format!("slide {} of {n_slides}", at + 1)
}

/// Returns the cycle number, which is shown in large digits, and a label with the cycle's position among all cycles.
#[must_use]
pub fn cycle(plan: &Plan, cycle: Cycle) -> (String, String) {
    let [at, position] = crate::caption::clock_parts(plan, cycle);
    (at, format!("cycle {position}"))
}

/// Returns the cycle and the last cycle in one line.
#[must_use]
pub fn moment(plan: &Plan, cycle: Cycle) -> String {
    format!("cycle {}", crate::caption::clock(plan, cycle))
}

/// Returns the number of PEs that do useful multiplications at a cycle, and a label with the number of all PEs.
#[must_use]
pub fn at_work(plan: &Plan, cycle: Cycle) -> (String, String) {
    let schedule = plan.schedule();
    let (useful, pes) = (schedule.census(cycle).useful, schedule.array().pes());
    (grouped(useful), format!("of {} {} active", grouped(pes), if pes == 1 { "PE" } else { "PEs" }))
}

/// Returns the MFU of the array for the whole run, and its label.
#[must_use]
pub fn mfu(plan: &Plan, _: Cycle) -> (String, String) {
    let whole = array_at_a_glance(plan, &plan.schedule().tally());
    (whole.mfu, format!("{}, {}", busy::mfu(plan), crate::label::WHOLE_RUN))
}

/// Returns the cost of the run relative to the cost of a full array, and its label.
#[must_use]
pub fn cost(plan: &Plan, _: Cycle) -> (String, String) {
    (array_at_a_glance(plan, &plan.schedule().tally()).times, "the price of a full array".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Scenario;

    #[test]
    fn the_busy_pes_of_all_cycles_are_the_products_of_the_matrices() {
        let plan = Plan::new(&Scenario::default()).expect("a run");
        let at = |cycle: u64| at_work(&plan, Cycle(cycle)).0.parse::<u64>().expect("a number");
        assert_eq!((0..16).map(at).sum::<u64>(), 6 * 4 * 3);
        assert_eq!(cycle(&plan, Cycle(7)), ("7".to_owned(), "cycle of 15".to_owned()));
        assert_eq!((mfu(&plan, Cycle(7)).0, cost(&plan, Cycle(7)).0), ("28.1 %".to_owned(), "3.6 ×".to_owned()));
    }
}
