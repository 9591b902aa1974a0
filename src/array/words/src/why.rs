//! Explanation of a value: its terms with their PEs and cycles.

use super::caption::{Caption, pe_name};
use super::count::counted;
use super::pe::factor;
use super::picture::letter;
use display::number::grouped;
use studio::spot::{PointedValue, Step, Trace, complete_at, trace};
use studio::value_text::full;
use studio::{Plan, whereabouts};
use systolic::{Cycle, Operand, Value};

/// Maximum number of terms that [`caption`] computes for a list.
const STEPS_MAX: usize = 64;

/// Returns a caption that explains a value by its terms. The caption lists as many terms as fit into `letters`
/// characters. `None` if the value does not exist.
#[must_use]
pub fn caption(plan: &Plan, cycle: Cycle, spot: PointedValue, letters: usize) -> Option<Caption> {
    let trace = trace(plan, cycle, spot, STEPS_MAX)?;
    let headline = headline(plan, cycle, spot, &trace)?;
    Some(Caption { headline, sentence: sentence(plan, spot, &trace, letters) })
}

/// Returns the name of a matrix element: `c[0,0]`.
fn name(operand: Operand, row: u64, col: u64) -> String {
    format!("{}[{row},{col}]", letter(operand).to_lowercase())
}

/// Returns a number out of a total: "3 of 4 terms".
fn count(n: u64, all: u64, noun: &str) -> String {
    format!("{} of {}", grouped(n), counted(all, noun))
}

fn headline(plan: &Plan, cycle: Cycle, spot: PointedValue, trace: &Trace) -> Option<String> {
    let value = trace.value.map_or_else(String::new, full);
    Some(match spot {
        PointedValue::Sum(pe) => {
            let sum = plan.prober().at(cycle, pe).sum?;
            let result = name(Operand::C, sum.row, sum.col);
            let fold = if plan.schedule().folds_per_result() > 1 { " in this fold" } else { "" };
            format!("Sum in {}: {value}, {} of {result}{fold}", pe_name(pe), count(sum.terms, sum.terms_max, "term"))
        }
        PointedValue::Product(pe) => {
            let step = trace.steps.first()?;
            let (a, b) = (name(Operand::A, step.a.row, step.a.col), name(Operand::B, step.b.row, step.b.col));
            format!("Product in {}: {a} × {b} = {}", pe_name(pe), product(step))
        }
        PointedValue::Element(Operand::C, row, col) => {
            let name = name(Operand::C, row, col);
            if trace.n_done == 0 {
                format!("{name}: its first term comes in cycle {}", grouped(trace.steps.first()?.term.cycle.get()))
            } else if whereabouts::is_complete(plan, cycle, row, col) {
                format!("{name} = {value}, complete since cycle {}", grouped(complete_at(plan, row, col).get()))
            } else if trace.n_done == trace.n_steps {
                format!("{name} = {value}, on its way out of the array")
            } else {
                format!("{name} so far: {value}, {}", count(trace.n_done, trace.n_steps, "term"))
            }
        }
        PointedValue::Element(operand, row, col) => {
            let place = match trace.now {
                Some(pe) => format!("in {}", pe_name(pe)),
                None if trace.n_done == 0 => "not yet in the array".to_owned(),
                None if trace.n_done == trace.n_steps => "no longer in the array".to_owned(),
                None => "outside the array, but needed again".to_owned(),
            };
            format!("{} = {value}: {place}", name(operand, row, col))
        }
    })
}

/// Returns the product that a step adds.
#[must_use]
pub fn product_of(step: &Step) -> Value {
    match (step.a.value, step.b.value) {
        (Value::Int(a), Value::Int(b)) => Value::Int(a.wrapping_mul(b)),
        #[expect(clippy::cast_possible_truncation, reason = "the added product is rounded to f32")]
        (a, b) => Value::Float((a.as_f64() * b.as_f64()) as f32),
    }
}

fn product(step: &Step) -> String {
    full(product_of(step))
}

/// Returns the factors of a step: "3·(−8)".
#[must_use]
pub fn factors(step: &Step) -> String {
    format!("{}·{}", factor(step.a.value), factor(step.b.value))
}

/// Returns the text of a cycle: "cycle 5".
#[must_use]
pub fn when(cycle: Cycle) -> String {
    format!("cycle {}", grouped(cycle.get()))
}

/// Returns a step with its PE and cycle: "3·(−8) at (0,1) in cycle 5".
fn written(step: &Step) -> String {
    let pe = step.term.pe;
    format!("{} at ({},{}) in {}", factors(step), pe.row, pe.col, when(step.term.cycle))
}

fn sentence(plan: &Plan, spot: PointedValue, trace: &Trace, letters: usize) -> String {
    let is_operand = matches!(spot, PointedValue::Element(Operand::A | Operand::B, ..));
    // A sum so far does not contain later terms.
    let n = if is_operand { trace.n_steps } else { trace.n_done };
    let total = trace.value.filter(|_| !is_operand).map_or_else(String::new, |value| format!(" = {}", full(value)));
    let first = if is_operand {
        let times = if n == 1 { "once".to_owned() } else { format!("{} times", grouped(n)) };
        format!("It is multiplied {times}: ")
    } else {
        trace.start.map_or_else(String::new, |start| format!("{} from {} + ", full(start), source(plan, spot, trace)))
    };
    let has_folds = matches!(spot, PointedValue::Element(..)) && plan.schedule().folds() > 1;
    let (mut text, mut fold) = (first, None);
    let between = if is_operand { ", " } else { " + " };
    let room = letters.saturating_sub(total.chars().count() + " + … and 1 000 000 more terms".chars().count());
    let mut n_written = 0;
    for step in trace.steps.iter().take(usize::try_from(n).unwrap_or(usize::MAX)) {
        let mut one = written(step);
        if has_folds && fold != Some(step.fold) {
            one = format!("fold {}: {one}", grouped(step.fold + 1));
        }
        let sign = if n_written == 0 { "" } else { between };
        if n_written > 0 && text.chars().count() + one.chars().count() + sign.len() > room {
            break;
        }
        text.push_str(sign);
        text.push_str(&one);
        (n_written, fold) = (n_written + 1, Some(step.fold));
    }
    match n.saturating_sub(n_written) {
        0 => {}
        rest => {
            let noun = if is_operand { "product" } else { "term" };
            text.push_str(&format!("{between}… and {}", counted(rest, &format!("more {noun}"))));
        }
    }
    text + &total + &remark(spot, trace)
}

/// Returns the name of the source of the value from which a sum starts: C, or the previous fold.
fn source(plan: &Plan, spot: PointedValue, trace: &Trace) -> &'static str {
    let row_fold = trace.steps.first().map_or(0, |step| plan.schedule().fold(step.fold).row_fold);
    let goes_on = matches!(spot, PointedValue::Sum(_)) && plan.schedule().folds_per_result() > 1 && row_fold > 0;
    if goes_on { "the fold before" } else { "c" }
}

/// Returns the text that follows the list of terms and ends the sentence: the value of a product, or the number of
/// terms to come.
fn remark(spot: PointedValue, trace: &Trace) -> String {
    match spot {
        PointedValue::Product(_) => {
            let Some(step) = trace.steps.first() else { return String::new() };
            format!(" = {}.", product(step))
        }
        PointedValue::Element(Operand::C, ..) if trace.n_done < trace.n_steps => {
            let rest = trace.n_steps - trace.n_done;
            let noun = if trace.n_done == 0 { "term" } else { "more term" };
            let start = if trace.n_done == 0 { "" } else { "; " };
            format!("{start}{} to come.", counted(rest, noun))
        }
        PointedValue::Sum(_) | PointedValue::Element(..) => ".".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    use systolic::PeId;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&Link::parse(query, "").scenario).expect("a run")
    }

    #[test]
    fn whatever_can_be_pointed_at_has_a_sentence() {
        for query in [
            "",
            "rows=3&cols=2&m=4&k=5&n=3&df=os&dt=int8",
            "rows=2&cols=3&m=3&k=4&n=5&df=is&dt=int8&overlap=double-buffered",
        ] {
            let plan = plan(query);
            for cycle in (0..=plan.last().get()).map(Cycle) {
                for spot in plan.schedule().array().iter().flat_map(|pe| PointedValue::all_of(&plan, cycle, pe)) {
                    assert!(caption(&plan, cycle, spot, 200).is_some(), "{query}: {spot:?} in {cycle:?}");
                }
            }
        }
    }

    #[test]
    fn lists_of_terms_read_as_sentences() {
        let first = plan("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8");
        let at = |plan: &Plan, cycle, spot, letters| {
            let words = caption(plan, Cycle(cycle), spot, letters).expect("a value");
            format!("{}. {}", words.headline, words.sentence)
        };
        assert_eq!(
            at(&first, 7, PointedValue::Element(Operand::C, 0, 0), 400),
            "c[0,0] = −26, complete since cycle 7. 3·3 at (0,0) in cycle 4 + 7·(−8) at (1,0) in cycle 5 + 7·1 at (2,0) in \
             cycle 6 + (−2)·(−7) at (3,0) in cycle 7 = −26."
        );
        assert_eq!(
            at(&first, 5, PointedValue::Element(Operand::C, 0, 0), 400),
            "c[0,0] so far: −47, 2 of 4 terms. 3·3 at (0,0) in cycle 4 + 7·(−8) at (1,0) in cycle 5 = −47; 2 more terms to \
             come."
        );
        assert_eq!(
            at(&first, 0, PointedValue::Element(Operand::C, 0, 0), 400),
            "c[0,0]: its first term comes in cycle 4. 4 terms to come."
        );
        assert_eq!(
            at(&first, 7, PointedValue::Sum(PeId::new(3, 0)), 80),
            "Sum in PE 3,0: −26, 4 of 4 terms of c[0,0]. 3·3 at (0,0) in cycle 4 + … and 3 more terms = −26."
        );
        assert_eq!(
            at(&first, 7, PointedValue::Product(PeId::new(3, 0)), 400),
            "Product in PE 3,0: a[0,3] × b[3,0] = 14. (−2)·(−7) at (3,0) in cycle 7 = 14."
        );
        assert_eq!(
            at(&first, 7, PointedValue::Element(Operand::A, 3, 0), 400),
            "a[3,0] = 9: in PE 0,0. It is multiplied 3 times: 9·3 at (0,0) in cycle 7, 9·(−8) at (0,1) in cycle 8, 9·5 at \
             (0,2) in cycle 9."
        );
        // An element of C lists the terms of all folds, each with its fold. A PE lists only the terms of one fold.
        let folded = plan("rows=2&cols=2&m=2&k=3&n=2&df=ws&dt=int8&fill=ones");
        assert!(at(&folded, folded.last().get(), PointedValue::Element(Operand::C, 1, 1), 400).contains("fold 2: "));
        assert_eq!(caption(&first, Cycle(0), PointedValue::Sum(PeId::new(0, 0)), 400), None);
        assert_eq!(caption(&first, Cycle(7), PointedValue::Element(Operand::C, 6, 0), 400), None);
    }

    #[test]
    fn the_largest_runs_have_their_lists_too() {
        let plan = plan("rows=256&cols=256&m=300&k=65536&n=65536&df=ws&dt=int8");
        let cycle = Cycle(plan.last().get() / 2);
        let words = caption(&plan, cycle, PointedValue::Element(Operand::C, 299, 17), 200).expect("an element");
        assert!(words.sentence.chars().count() <= 200 && words.sentence.contains("more terms"), "{words:?}");
        let words = caption(&plan, cycle, PointedValue::Element(Operand::B, 40_000, 65_535), 200).expect("an element");
        assert!(words.headline.starts_with("b[40000,65535] = "), "{words:?}");
    }
}
