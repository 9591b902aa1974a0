//! The work of one PE at a clock edge, in one sentence.

use super::block;
use display::number::{MINUS, significant};
use studio::Plan;
use studio::value_text::full;
use systolic::{Activity, Cycle, Element, Operand, PeId, Probe, Sum, Value};

/// Returns the name of a PE: `PE 2,1`.
#[must_use]
pub fn pe_name(pe: PeId) -> String {
    format!("PE {},{}", pe.row, pe.col)
}

/// Returns the name of a matrix element in a sentence: `a[2,1]`.
#[must_use]
pub fn place(element: &Element) -> String {
    let letter = match element.operand {
        Operand::A => 'a',
        Operand::B => 'b',
        Operand::C => 'c',
    };
    format!("{letter}[{},{}]", element.row, element.col)
}

/// Returns the multiplication of a PE as a headline: `PE 2,1: a[2,2] × b[2,1] = (−1) × (−7) = 7`. `None` if the PE does
/// not multiply.
///
/// ```
/// use systolic::{Cycle, PeId};
///
/// let plan = studio::Plan::default();
/// let headline = words::caption::product_headline(&plan, Cycle(9), PeId::new(2, 1));
/// assert_eq!(headline.as_deref(), Some("PE 2,1: a[2,2] × b[2,1] = (−1) × (−7) = 7"));
/// assert_eq!(words::caption::product_headline(&plan, Cycle(0), PeId::new(2, 1)), None);
/// ```
#[must_use]
pub fn product_headline(plan: &Plan, cycle: Cycle, pe: PeId) -> Option<String> {
    let probe = plan.prober().without_sum(cycle, pe);
    let (east, other) = probe.east.zip(probe.held.or(probe.south)).filter(|_| probe.mac.is_some())?;
    // The element of A is always the first factor.
    let (a, b) = if east.operand == Operand::A { (east, other) } else { (other, east) };
    let product = significant(probe.product?, PRODUCT_DIGITS);
    let factors = format!("{} × {}", factor(a.value), factor(b.value));
    Some(format!("{}: {} × {} = {factors} = {product}", pe_name(pe), place(&a), place(&b)))
}

/// Returns the multiply-add of a PE in numbers: `PE 3,0: −40 + (−2) × (−7) = −26`; its state if it does not multiply.
///
/// ```
/// use systolic::{Cycle, PeId};
///
/// let plan = studio::Plan::default();
/// let said = words::caption::sum_headline(&plan, Cycle(7), PeId::new(3, 0));
/// assert_eq!(said, "PE 3,0: −40 + (−2) × (−7) = −26");
/// ```
#[must_use]
pub fn sum_headline(plan: &Plan, cycle: Cycle, pe: PeId) -> String {
    let probe = plan.prober().at(cycle, pe);
    let factors = probe.east.zip(probe.held.or(probe.south)).filter(|_| probe.mac.is_some());
    let Some(((east, other), sum)) = factors.zip(probe.sum) else { return state_headline(plan, cycle, pe) };
    // No PE of a chip that adds blocks adds this product alone.
    if plan.unit().rule().is_some() {
        return product_headline(plan, cycle, pe).unwrap_or_else(|| state_headline(plan, cycle, pe));
    }
    let (a, b) = if east.operand == Operand::A { (east, other) } else { (other, east) };
    let before = sum.before.map_or_else(|| "0".to_owned(), full);
    format!("{}: {before} + {} × {} = {}", pe_name(pe), factor(a.value), factor(b.value), full(sum.value))
}

/// Returns the state of a PE as a headline: "PE 3,1 waits for the wavefront".
#[must_use]
pub fn state_headline(plan: &Plan, cycle: Cycle, pe: PeId) -> String {
    let does = match plan.schedule().activity(cycle, pe) {
        Activity::Unmapped => "is unused",
        Activity::Loading => "loads",
        Activity::Waiting => "waits for the wavefront",
        Activity::Useful | Activity::OnPadding => "multiplies",
        Activity::Done if plan.schedule().folds() == 1 => "has finished",
        Activity::Done => "has finished this fold",
        Activity::Stalled => "is stalled",
    };
    format!("{} {does}", pe_name(pe))
}

/// Digits of a product in a headline.
const PRODUCT_DIGITS: u32 = 6;

/// Returns the singular noun for the stationary values: "weight", "input" or "partial sum".
#[must_use]
pub(super) const fn stationary(plan: &Plan) -> &'static str {
    match plan.schedule().dataflow().stationary() {
        Operand::A => "input",
        Operand::B => "weight",
        Operand::C => "partial sum",
    }
}

/// Returns the sentence about a PE at this clock edge, without the name of the PE.
#[must_use]
pub(super) fn pe(plan: &Plan, cycle: Cycle, probe: &Probe) -> String {
    let stays = stationary(plan);
    let next = probe.shadow.map(|next| format!(" Its shadow register holds {}.", equation(&next)));
    let held = probe.held.map(|held| format!("{stays} {}", equation(&held)));
    let words = match probe.activity {
        Activity::Unmapped => match &probe.sum {
            Some(sum) => format!("is unused and passes the sum {} on.", full(sum.value)),
            None => "is unused: no part of the matrices maps to it.".to_owned(),
        },
        Activity::Loading => match held {
            Some(held) if is_own(plan, probe, cycle) => format!("has its {held}."),
            Some(held) => format!("passes {held} down."),
            None => format!("waits for its {stays}."),
        },
        Activity::Waiting => match held {
            Some(held) => format!("holds {held} and waits for the wavefront."),
            None => "waits for the wavefront.".to_owned(),
        },
        Activity::Stalled => "stalls: its input arrives too slowly.".to_owned(),
        Activity::Done => match &probe.sum {
            Some(sum) => finished(plan, cycle, probe.pe, sum),
            None => "is finished: no more data will come.".to_owned(),
        },
        Activity::Useful | Activity::OnPadding => product(plan, probe),
    };
    let at_once = probe.mac.and_then(|_| block::at_once(plan));
    words + &at_once.map_or_else(String::new, |at_once| format!(" {at_once}")) + next.as_deref().unwrap_or("")
}

/// Returns an element with its value: "b[3,0] = −7".
fn equation(element: &Element) -> String {
    format!("{} = {}", place(element), full(element.value))
}

/// True if the stationary register of a PE contains the element that this PE uses in the current fold. Otherwise the
/// register only passes the element to another PE.
fn is_own(plan: &Plan, probe: &Probe, cycle: Cycle) -> bool {
    let schedule = plan.schedule();
    let fold = schedule.fold_at(cycle, probe.pe);
    let own = schedule.mkn(&fold, probe.pe, 0).map(|mkn| mkn.of(schedule.dataflow().stationary()));
    probe.held.is_some_and(|held| own == Some((held.row, held.col)))
}

/// Describes a partial sum that gets no more terms in this PE.
fn finished(plan: &Plan, cycle: Cycle, pe: PeId, sum: &Sum) -> String {
    let (name, value) = (result(sum), full(sum.value));
    if sum.terms < sum.terms_max {
        return format!(
            "is finished and holds {value}, a partial sum of {name} with {} of {} products.",
            sum.terms, sum.terms_max
        );
    }
    let schedule = plan.schedule();
    let part = match schedule.folds_per_result() {
        folds if folds == 1 + schedule.fold_at(cycle, pe).row_fold && plan.sums_go_on() => "",
        1 => "",
        _ if plan.sums_go_on() => "the sum so far of ",
        _ => "this fold's part of ",
    };
    format!("is finished: {part}{name} = {value}.")
}

fn result(sum: &Sum) -> String {
    format!("c[{},{}]", sum.row, sum.col)
}

/// Returns a factor of a product; a negative factor is in parentheses.
pub(super) fn factor(value: Value) -> String {
    bracketed(full(value))
}

/// Puts a negative number in parentheses, so that the number can follow an operator.
pub(super) fn bracketed(text: String) -> String {
    if text.starts_with(MINUS) { format!("({text})") } else { text }
}

/// Describes a multiply-add: "adds a[0,3] × b[3,0], the last of 4 products of c[0,0]: −40 + (−2) × (−7) = −26."
fn product(plan: &Plan, probe: &Probe) -> String {
    let (Some(east), Some(sum)) = (probe.east, probe.sum) else { return String::new() };
    let Some(other) = probe.held.or(probe.south) else { return String::new() };
    // The element of A is always the first factor.
    let (a, b) = if east.operand == Operand::A { (east, other) } else { (other, east) };
    let (verb, before) = match sum.before {
        Some(before) => ("adds", format!("{} + ", full(before))),
        None => ("multiplies", String::new()),
    };
    let fold = if plan.schedule().folds_per_result() > 1 { " in this fold" } else { "" };
    let zero = if sum.before.is_none() || probe.activity == Activity::Useful { "" } else { " (padding)" };
    let head =
        format!("{verb} {} × {}, {} of {}{fold}", place(&a), place(&b), nth(sum.terms, sum.terms_max), result(&sum));
    // No PE of such a chip adds this product alone.
    if plan.unit().rule().is_some() {
        let open = if block::is_open(plan, &sum) { "open " } else { "" };
        return format!("{head}: {open}sum = {}.", full(sum.value));
    }
    format!(
        "{head}: {before}{} × {} = {}{zero}.",
        if sum.before.is_none() { full(a.value) } else { factor(a.value) },
        factor(b.value),
        full(sum.value)
    )
}

/// Returns the position of a product in its sum: "the first of 4 products".
fn nth(term: u64, of: u64) -> String {
    if of == 1 {
        "the only product".to_owned()
    } else if term == of {
        format!("the last of {of} products")
    } else if term == 1 {
        format!("the first of {of} products")
    } else {
        format!("product {term} of {of}")
    }
}
