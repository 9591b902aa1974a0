//! Texts on a block of products, which the adder of a chip adds at once.

use super::pe::place;
use display::number::{MINUS, significant};
use studio::Plan;
use studio::value_text::full;
use systolic::{AlignedTerm, BlockView, Cycle, ExactSum, Operand, PeId, Rule, Sum, Value};

/// Mark next to the sum of an open block.
pub const OPEN: &str = "open";

/// True if the adder adds more products before it rounds this sum.
#[must_use]
pub fn is_open(plan: &Plan, sum: &Sum) -> bool {
    let block = plan.unit().rule().map(|rule| u64::from(rule.block()));
    sum.terms < sum.terms_max && block.is_some_and(|block| !sum.terms.is_multiple_of(block))
}

/// Returns the number of products that the chip adds at once, in a sentence. `None` if a PE adds one product at a time.
#[must_use]
pub fn at_once(plan: &Plan) -> Option<String> {
    plan.unit().rule().map(|rule| format!("The chip adds these {} at once.", rule.block()))
}

/// Returns the name of the lowest bit that alignment keeps: "25th bit after the largest exponent".
#[must_use]
pub fn lowest_bit(fraction_bits: u32) -> String {
    let ending = match (fraction_bits % 10, fraction_bits % 100 / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{fraction_bits}{ending} bit after the largest exponent")
}

/// True if the first `n` products of a block and the sum before the block do not add up to exactly this value.
#[must_use]
pub fn is_rounded(view: &BlockView, n: usize, value: Value) -> bool {
    let mut rest = ExactSum::default();
    rest.add(view.start.into());
    view.products.iter().take(n).for_each(|product| rest.add(product.value));
    rest.add(-value.as_f64());
    value.as_f64().is_finite() && rest.to_f64() != 0.0
}

/// Returns a number as text with `≈` in front, if `≈` is not there yet.
#[must_use]
pub fn about(text: String) -> String {
    if text.starts_with('≈') { text } else { format!("≈{text}") }
}

/// Returns the names of the terms of a block: the sum before the block, if the block aligns this sum, and the products.
#[must_use]
pub fn names(plan: &Plan, cycle: Cycle, pe: PeId, view: &BlockView) -> Vec<String> {
    let terms = plan.schedule().terms(cycle, pe);
    let product = |term: &systolic::Term| {
        let [a, b] = [Operand::A, Operand::B].map(|operand| {
            let (row, col) = term.mkn.of(operand);
            place(&plan.prober().element(operand, row, col))
        });
        format!("{a} · {b}")
    };
    let before = view.c.map(|_| BEFORE.to_owned());
    before.into_iter().chain(terms.iter().skip(terms.len() - view.products.len()).map(product)).collect()
}

/// Name of the sum before a block.
const BEFORE: &str = "sum before";

/// Returns the terms of a block: the sum before the block, if the block aligns this sum, and the products.
#[must_use]
pub fn terms(view: &BlockView) -> Vec<AlignedTerm> {
    view.c.into_iter().chain(view.products.iter().copied()).collect()
}

/// Returns the exponent of the unit of aligned terms. `None` if the adder does not align, or if all terms are zeros.
#[must_use]
pub fn unit(view: &BlockView) -> Option<i32> {
    match view.rule {
        Rule::Exact { .. } => None,
        Rule::Truncated { fraction_bits, .. } => view.exponent.map(|largest| largest - fraction_bits.cast_signed()),
    }
}

/// Returns a whole number as text.
#[must_use]
pub fn whole(number: i64) -> String {
    if number < 0 { format!("{MINUS}{}", number.unsigned_abs()) } else { number.to_string() }
}

/// Returns the largest exponent of a block, and the unit of its aligned terms: "E = 3, unit = 2^−22".
#[must_use]
pub fn scale(view: &BlockView) -> String {
    let power = |exponent: i32| whole(exponent.into());
    match (view.exponent, unit(view)) {
        (None, _) => "all terms are 0".to_owned(),
        (Some(largest), None) => format!("E = {}", power(largest)),
        (Some(largest), Some(unit)) => format!("E = {}, unit = 2^{}", power(largest), power(unit)),
    }
}

/// Returns the name of the sum of the aligned terms.
#[must_use]
pub const fn total(view: &BlockView) -> &'static str {
    if view.is_open { "total so far" } else { "total" }
}

/// Returns the name of the sum in the PE.
#[must_use]
pub const fn in_pe(view: &BlockView) -> &'static str {
    if view.is_open { "open sum so far" } else { "result" }
}

/// Name of the digits that alignment removes without rounding.
pub const CUT_OFF: &str = "cut off";

/// Returns an aligned term in units, and the digits that alignment cuts off. The picture shows only `n_shown` of the
/// `n_cut` digits.
#[must_use]
pub fn aligned(term: &AlignedTerm, n_cut: usize, n_shown: usize) -> String {
    let cut = lost(n_cut, n_shown, CUT_OFF);
    term.aligned.map_or_else(|| cut.clone(), |aligned| format!("{}, {cut}", whole(aligned)))
}

/// Returns the block of a PE's sum as rows of a table: the term, its value, its aligned integer, and the value of the
/// bits that are cut off. The last rows are the total and the sum in the PE. Empty if a PE adds one product at a time.
#[must_use]
pub fn table(plan: &Plan, cycle: Cycle, pe: PeId) -> Vec<[String; 4]> {
    let Some((view, sum)) = plan.prober().block(cycle, pe).zip(plan.prober().at(cycle, pe).sum) else { return vec![] };
    let number = |value: f64| significant(value, 9);
    let line = |(name, term): (String, AlignedTerm)| {
        let aligned = term.aligned.map_or_else(String::new, whole);
        [name, number(term.value), aligned, if term.cut == 0.0 { String::new() } else { number(term.cut) }]
    };
    let mut lines: Vec<_> = names(plan, cycle, pe, &view).into_iter().zip(terms(&view)).map(line).collect();
    let row = |name: &str, value: String, aligned: String| [name.to_owned(), value, aligned, String::new()];
    lines.insert(0, row(&scale(&view), String::new(), String::new()));
    if let Some((total_units, unit)) = view.total.zip(unit(&view)) {
        #[expect(clippy::cast_precision_loss, reason = "at most 34 bits")]
        let value = total_units as f64 * 2f64.powi(unit);
        lines.push(row(total(&view), number(value), whole(total_units)));
    }
    let is_rounded = view.is_open && is_rounded(&view, view.products.len(), sum.value);
    let value = if is_rounded { about(full(sum.value)) } else { full(sum.value) };
    lines.push(row(in_pe(&view), value, String::new()));
    lines
}

/// Returns the label of a number of which rounding removes no digit.
#[must_use]
pub fn exact(n_digits: usize) -> String {
    if n_digits == 1 { "1 digit, exact".to_owned() } else { format!("{n_digits} digits, exact") }
}

/// Returns the label of the digits that rounding removes. The picture shows only `n_shown` of them.
#[must_use]
pub fn rounded_off(n: usize, n_shown: usize) -> String {
    lost(n, n_shown, "rounded off")
}

/// Label of a decimal number that has no last binary digit.
pub const ENDLESS: &str = "the digits go on without end";

/// Returns the label of digits that are not kept, with a verb.
fn lost(n: usize, n_shown: usize, verb: &str) -> String {
    match n {
        0 => "exact".to_owned(),
        1 => format!("1 digit {verb}"),
        _ if n_shown < n => format!("{n} digits {verb}, of which {n_shown} are shown"),
        _ => format!("{n} digits {verb}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Link;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn read(text: &str) -> f64 {
        text.replace(MINUS, "-").trim_start_matches('≈').parse().expect("a number")
    }

    /// Returns the product of the two elements in a name. Returns `None` for the sum before a block.
    fn named(plan: &Plan, name: &str) -> Option<f64> {
        let of = |operand: Operand, text: &str| {
            let (row, col) = text.split_once('[')?.1.trim_end_matches(']').split_once(',')?;
            Some(plan.prober().element(operand, row.parse().ok()?, col.parse().ok()?).value.as_f64())
        };
        let (a, b) = name.split_once(" · ")?;
        Some(of(Operand::A, a)? * of(Operand::B, b)?)
    }

    #[test]
    fn the_table_has_the_numbers_of_the_block() {
        let h100 = "rows=16&cols=4&m=6&k=32&n=4&dt=bf16&fill=uniform&adder=h100";
        let (mut n_open, mut n_closed, mut n_cut, mut n_rounded) = (0, 0, 0, 0);
        let v100 = "rows=16&cols=2&m=6&k=32&n=2&dt=f16&fill=uniform&adder=v100";
        let a100 = "rows=16&cols=2&m=3&k=10&n=2&df=os&dt=tf32&fill=uniform&adder=a100";
        for query in [h100, v100, a100] {
            let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
            for cycle in (0..=plan.last().get()).map(Cycle) {
                for pe in plan.schedule().array().iter() {
                    let (lines, view) = (table(&plan, cycle, pe), plan.prober().block(cycle, pe));
                    let Some(view) = view else {
                        assert!(lines.is_empty(), "{query} {cycle:?} {pe:?}");
                        continue;
                    };
                    let sum = plan.prober().at(cycle, pe).sum.expect("a sum");
                    assert_eq!(is_open(&plan, &sum), view.is_open, "{query} {cycle:?} {pe:?}");
                    let [.., total, last] = lines.as_slice() else { panic!("{lines:?}") };
                    let exponent = view.exponent.expect("not all are zeros");
                    assert!(lines[0][0].starts_with(&format!("E = {}, unit", whole(exponent.into()))), "{lines:?}");
                    let terms: Vec<_> = view.c.iter().chain(&view.products).collect();
                    assert_eq!(lines.len(), terms.len() + 3, "{lines:?}");
                    for ([name, value, aligned, cut], term) in lines[1..].iter().zip(terms) {
                        assert_eq!(named(&plan, name).unwrap_or(view.start.into()), term.value, "{name} {term:?}");
                        assert_eq!(aligned, &whole(term.aligned.expect("aligned")));
                        let cut = if cut.is_empty() { 0.0 } else { read(cut) };
                        assert!((read(value) - term.value).abs() <= 1e-8 * term.value.abs(), "{value} {term:?}");
                        assert!((cut - term.cut).abs() <= 1e-8 * term.cut.abs(), "{cut} {term:?}");
                        n_cut += usize::from(cut != 0.0);
                    }
                    assert_eq!(total[2], whole(view.total.expect("a total")), "{lines:?}");
                    #[expect(clippy::cast_possible_truncation, reason = "nine digits distinguish all f32")]
                    let shown = read(&last[1]) as f32;
                    if view.is_open {
                        // In f64, the sum of a few products of bf16 is exact.
                        let exact: f64 = f64::from(view.start) + view.products.iter().map(|one| one.value).sum::<f64>();
                        let is_exact = sum.value.as_f64().to_bits() == exact.to_bits();
                        assert_eq!(last[1].starts_with('≈'), !is_exact, "{query} {cycle:?} {pe:?}: {lines:?}");
                        assert_eq!(Value::Float(shown), sum.value, "{lines:?}");
                        n_rounded += usize::from(!is_exact);
                        n_open += 1;
                    } else {
                        assert_eq!((shown, Value::Float(shown)), (view.result, sum.value), "{lines:?}");
                        n_closed += 1;
                    }
                }
            }
        }
        assert!(n_open > 500 && n_closed > 50, "{n_open} open, {n_closed} closed");
        assert!(n_cut > 50 && n_rounded > 50, "{n_cut} cut, {n_rounded} rounded");
    }

    #[test]
    fn the_lowest_bit_has_its_ordinal() {
        let ordinal = |n: u32| lowest_bit(n).split_once(' ').map(|(ordinal, _)| ordinal.to_owned());
        let all: Vec<_> = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 24, 25].into_iter().filter_map(ordinal).collect();
        assert_eq!(all.join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 24th 25th");
    }

    #[test]
    fn the_sentence_of_a_pe_says_how_many_products_are_added_at_once() {
        let plan = |adder: &str| {
            let query = format!("rows=16&cols=4&m=6&k=32&n=4&dt=bf16&fill=uniform&adder={adder}");
            Plan::new(&Link::parse(&query, "").scenario).expect("a run")
        };
        for (adder, n) in [("h100", Some(16)), ("a100", Some(8)), ("tpu", Some(8)), ("f32", None)] {
            let plan = plan(adder);
            let said = n.map(|n| format!("The chip adds these {n} at once."));
            assert_eq!(at_once(&plan), said);
            for cycle in (0..=plan.last().get()).map(Cycle) {
                for pe in plan.schedule().array().iter().filter(|pe| plan.schedule().mac(cycle, *pe).is_some()) {
                    let status = crate::caption::status(&plan, cycle, Some(pe));
                    let is_open = plan.prober().block(cycle, pe).is_some_and(|view| view.is_open);
                    let says = said.as_ref().is_some_and(|said| status.contains(said));
                    assert!(
                        says == said.is_some() && is_open == status.contains("open sum ="),
                        "{adder} {cycle:?} {pe:?}: {status}"
                    );
                }
            }
        }
    }
}
