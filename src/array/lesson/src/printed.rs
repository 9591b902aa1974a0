//! Digits that chips printed in public, next to the digits of the array for the same inputs.
//!
//! The file `course/printed.txt` has one entry per print: its source, the link of its run, the printed digits, and what they
//! prove. The numbers are from public reports, from tables that JAX stores (Apache-2.0), and from the validation data of
//! MATLAB-tensor-core (BSD-2-Clause). `tests/golden/printed` has the whole tables.

use std::sync::LazyLock;

use studio::{Link, Plan, Scenario, spot};
use systolic::{Adder, Dtype, ExactSum, Lane, Operand, Passes, Rule, Value, dispatch_small_lane, reference};

/// A print of a chip.
#[derive(Clone, Debug, Default)]
pub struct Print {
    /// Id of the entry, such as `tpu-jax-9973`.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// Chip, as far as the source names it.
    pub chip: &'static str,
    /// Address of the source.
    pub source: &'static str,
    /// Date of the print, if it has one.
    pub date: Option<&'static str>,
    /// Link of the run: a query and a fragment.
    pub run: &'static str,
    /// Number of bf16 passes of an f32 run; `None` for one run of the array.
    passes: Option<Passes>,
    /// Rows and columns of the printed elements; empty if all elements are printed.
    at: Vec<(u64, u64)>,
    /// True if the printed digits are all digits of each number.
    is_exact: bool,
    /// True if the digits are the number of elements that differ from the exact product, the largest difference, and the
    /// largest relative difference.
    is_of_differences: bool,
    /// The printed digits.
    pub printed: Vec<&'static str>,
    /// Number of equal values in the whole table, if the entry shows only a part of it.
    pub all: Option<&'static str>,
    /// Reason why the array has other digits, if no rule gives the printed digits.
    pub why: Option<&'static str>,
    /// Conclusion from the print.
    pub proves: &'static str,
}

static TEXT: &str = include_str!("../../../../course/printed.txt");

/// All prints, in the order of the file.
pub static ALL: LazyLock<Vec<Print>> = LazyLock::new(|| TEXT.split("\n\n").map(Print::of_text).collect());

impl Print {
    fn of_text(text: &'static str) -> Self {
        let mut print = Self::default();
        for line in text.lines() {
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            let pair = |text: &str| text.split_once(',').and_then(|(m, n)| Some((m.parse().ok()?, n.parse().ok()?)));
            match name {
                "#" => print.title = rest,
                "id:" => print.id = rest,
                "chip:" => print.chip = rest,
                "source:" => print.source = rest,
                "date:" => print.date = Some(rest),
                "run:" => print.run = rest,
                "passes:" => print.passes = Passes::from_id(rest),
                "at:" => print.at = rest.split(' ').filter_map(pair).collect(),
                "exact:" => print.is_exact = true,
                "compares:" => print.is_of_differences = true,
                "printed:" => print.printed = rest.split([' ', ';']).filter(|text| !text.is_empty()).collect(),
                "all:" => print.all = Some(rest),
                "why:" => print.why = Some(rest),
                "proves:" => print.proves = rest,
                _ => {}
            }
        }
        print
    }

    /// Returns the run of the print; `None` if its link cannot run, which a test excludes.
    #[must_use]
    pub fn plan(&self) -> Option<Plan> {
        let (query, fragment) = self.run.split_once('#').unwrap_or((self.run, ""));
        Plan::new(&Link::parse(query.trim_start_matches('?'), fragment).scenario).ok()
    }

    /// Returns the numbers of the array that correspond to the printed numbers. Empty if the run is not possible.
    #[must_use]
    pub fn ours(&self) -> Vec<f64> {
        self.plan().map_or_else(Vec::new, |plan| self.ours_of(&plan))
    }

    fn ours_of(&self, plan: &Plan) -> Vec<f64> {
        if self.is_of_differences {
            return differences(plan).0.to_vec();
        }
        let values = match self.passes {
            Some(passes) => passes.product(plan.schedule(), plan.operands()),
            None if self.at.is_empty() => plan.result(),
            None => self.at.iter().map(|&place| element(plan, place)).collect(),
        };
        values.into_iter().map(Value::as_f64).collect()
    }

    /// Returns all that the array computes for the print: its digits, the digits of other adders, and the link of the run.
    /// `None` if the run is not possible.
    #[must_use]
    pub fn opened(&self) -> Option<Opened> {
        let plan = self.plan()?;
        let gemm = plan.schedule().gemm();
        let all = || (0..gemm.m()).flat_map(|m| (0..gemm.n()).map(move |n| (m, n)));
        let (exact, places) = if self.is_of_differences {
            (Vec::new(), vec![differences(&plan).1])
        } else {
            let places = if self.at.is_empty() { all().collect() } else { self.at.clone() };
            (places.iter().map(|&place| exact(&plan, place)).collect(), places)
        };
        let others = adders(plan.scenario());
        let differs = |place: &&(u64, u64)| {
            let of = |one: &Plan| element(one, **place);
            others.iter().any(|one| of(one) != of(&plan))
        };
        let place = places.iter().find(differs).or_else(|| places.first()).copied().unwrap_or_default();
        Some(Opened {
            exact,
            ours: self.ours_of(&plan),
            place,
            link: link(&plan, place),
            adders: others.iter().map(|plan| OnAdder::new(plan, place, gemm.k())).collect(),
            exact_of_operands: exact_of_operands(&plan, place),
            dtype: plan.dtype(),
        })
    }

    /// Returns the number of printed values that the array gives in all printed digits.
    #[must_use]
    pub fn n_equal(&self) -> usize {
        self.ours().into_iter().zip(&self.printed).filter(|(ours, printed)| self.is_same(*ours, printed)).count()
    }

    /// True if a number has the printed digits: the number equals the f32 number for which the digits stand. If the
    /// chip printed fewer than seven digits, the number may also round to these digits.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "digits of f32 numbers")]
    pub fn is_same(&self, ours: f64, printed: &str) -> bool {
        let Ok(number) = printed.parse::<f64>() else { return false };
        if ours as f32 == number as f32 || self.is_exact {
            return ours as f32 == number as f32;
        }
        let (mantissa, power) = printed.split_once('e').unwrap_or((printed, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let n_digits = (whole.to_owned() + fraction).trim_start_matches(['-', '0']).len();
        let last = power.parse::<i32>().unwrap_or(0) - i32::try_from(fraction.len()).unwrap_or(0);
        n_digits < 7 && (ours - number).abs() <= 0.5 * 10f64.powi(last) * (1.0 + 1e-6)
    }
}

/// All that the array computes for a print when a person opens it.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The printed elements, computed in f64 from the inputs before any rounding. Empty if the printed numbers are not
    /// elements.
    pub exact: Vec<f64>,
    /// The numbers of the array.
    pub ours: Vec<f64>,
    /// Row and column of the element to which the links lead: the first printed element on which adders differ, or else
    /// the first printed element.
    pub place: (u64, u64),
    /// Link of the run, at the PE and the cycle in which this element is complete.
    pub link: String,
    /// This element on each adder that adds products of the format. Empty if only f32 sums are known.
    pub adders: Vec<OnAdder>,
    /// The exact sum of this element's products, from the rounded operands.
    pub exact_of_operands: f64,
    /// Format of the operands.
    pub dtype: Dtype,
}

/// An element of C on one adder.
#[derive(Clone, Debug)]
pub struct OnAdder {
    /// The adder.
    pub adder: Adder,
    /// Its rule; `None` if it adds one product at a time.
    pub rule: Option<Rule>,
    /// Power of two below which the adder drops bits; `None` if it drops no bits, or if the sum has several blocks, each
    /// with its own power.
    pub unit: Option<i32>,
    /// Number of roundings of its sum.
    pub n_roundings: u64,
    /// The element.
    pub value: f64,
    /// Link of the run, at the PE and the cycle in which the element is complete.
    pub link: String,
}

impl OnAdder {
    fn new(plan: &Plan, place: (u64, u64), n_products: u64) -> Self {
        Self {
            adder: plan.unit().adder(),
            rule: plan.unit().rule(),
            unit: unit(plan, place),
            n_roundings: n_products.div_ceil(plan.unit().rule().map_or(1, |rule| rule.block().into())),
            value: element(plan, place).as_f64(),
            link: link(plan, place),
        }
    }
}

/// Returns the power of two below which an adder drops bits. `None` if it drops no bits, or if the sum has several blocks.
/// The prints have no subnormal operands.
fn unit(plan: &Plan, (m, n): (u64, u64)) -> Option<i32> {
    let Rule::Truncated { block, fraction_bits, adds_c_after, .. } = plan.unit().rule()? else { return None };
    let (prober, k_all) = (plan.prober(), plan.schedule().gemm().k());
    if k_all > block.into() {
        return None;
    }
    // The exponent of a product is the sum of the exponents of its operands.
    let of = |operand: Operand, row: u64, col: u64| exponent(prober.element(operand, row, col).value.as_f64());
    let products = (0..k_all).filter_map(|k| Some(of(Operand::A, m, k)? + of(Operand::B, k, n)?));
    let start = plan.operands().c.as_ref().filter(|_| !adds_c_after).and_then(|c| exponent(c.at(m, n)));
    Some(products.chain(start).max()? - fraction_bits.cast_signed())
}

/// Returns the exponent of a number; `None` for zero.
fn exponent(value: f64) -> Option<i32> {
    let code = (value.to_bits() >> 52 & 0x7ff) as i32;
    (value != 0.0).then_some(code - 1023)
}

/// Returns the runs of a scenario on all adders that add products of its format. Empty if this is only the usual adder.
fn adders(scenario: &Scenario) -> Vec<Plan> {
    let plans: Vec<Plan> = Adder::ALL.into_iter().filter_map(|adder| with_adder(scenario, adder)).collect();
    if plans.len() > 1 { plans } else { Vec::new() }
}

/// Returns the run of a scenario on another adder. `None` if the adder does not fit.
fn with_adder(scenario: &Scenario, adder: Adder) -> Option<Plan> {
    let scenario = Scenario { adder, ..scenario.clone() };
    if adder != Adder::Tpu {
        return Plan::new(&scenario).ok();
    }
    // A TPU multiplies zeros in the rows that a short sum does not fill. Zeros do not change the sum.
    let rows = scenario.k.max(scenario.rows).next_multiple_of(16);
    let resized = (scenario.k <= scenario.rows.max(16)).then(|| {
        let a = scenario.a.as_ref()?.resized(scenario.m, rows)?;
        let b = scenario.b.as_ref()?.resized(rows, scenario.n)?;
        Some(Scenario { rows, k: rows, a: Some(a), b: Some(b), ..scenario.clone() })
    });
    Plan::new(resized.flatten().as_ref().unwrap_or(&scenario)).ok()
}

/// Returns the link of a run at the PE and the cycle in which an element of C is complete.
fn link(plan: &Plan, (m, n): (u64, u64)) -> String {
    let (cycle, pe) = spot::completed(plan, m, n);
    let (query, fragment) = Link::of_pe(plan.scenario().clone(), cycle, pe).to_parts();
    if fragment.is_empty() { format!("?{query}") } else { format!("?{query}#{fragment}") }
}

/// Returns one element of C without the others, because the whole product of a large print takes long.
fn element(plan: &Plan, place: (u64, u64)) -> Value {
    let (schedule, operands) = (plan.schedule(), plan.operands());
    let sum = dispatch_small_lane!(plan.unit(), lane => lane.sum(reference::element(lane, schedule, operands, place, schedule.run().k())));
    plan.scenario().out.rounded(sum)
}

/// Returns an element of C in f64, from the inputs before any rounding.
fn exact(plan: &Plan, (m, n): (u64, u64)) -> f64 {
    let operands = plan.operands();
    let start = operands.c.as_ref().map_or(0.0, |c| c.at(m, n));
    start + (0..plan.schedule().gemm().k()).map(|k| operands.a.at(m, k) * operands.b.at(k, n)).sum::<f64>()
}

/// Returns the exact sum of the products of the operands, which are rounded to their format.
#[expect(clippy::cast_possible_truncation, reason = "a start of a sum in f32")]
fn exact_of_operands(plan: &Plan, (m, n): (u64, u64)) -> f64 {
    let (prober, mut sum) = (plan.prober(), ExactSum::default());
    // Sums start in f32.
    sum.add(f64::from(plan.operands().c.as_ref().map_or(0.0, |c| c.at(m, n)) as f32));
    for k in 0..plan.schedule().gemm().k() {
        sum.add_product(prober.element(Operand::A, m, k).value, prober.element(Operand::B, k, n).value);
    }
    sum.to_f64()
}

/// Returns three numbers and a place. The numbers are the number of elements of C that differ from the exact product,
/// the largest difference, and the largest relative difference. The place is that of the largest difference.
fn differences(plan: &Plan) -> ([f64; 3], (u64, u64)) {
    let n = plan.schedule().gemm().n();
    let (mut found, mut largest_at) = ([0.0; 3], (0, 0));
    for (value, index) in plan.result().into_iter().zip(0..) {
        let place = (index / n, index % n);
        let exact = exact(plan, place);
        let difference = (value.as_f64() - exact).abs();
        found[0] += f64::from(u8::from(difference > 0.0));
        if difference > found[1] {
            (found[1], largest_at) = (difference, place);
        }
        found[2] = f64::max(found[2], difference / exact.abs().max(1.0));
    }
    (found, largest_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic::ResultFormat;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_print_is_equal_or_has_a_reason() {
        assert_eq!(ALL.len(), 25);
        for print in ALL.iter() {
            let Print { id, printed, .. } = print;
            assert!(
                ![print.title, print.chip, print.proves].contains(&"") && print.source.starts_with("https://"),
                "{id}"
            );
            let link = Link::parse(
                print.run.trim_start_matches('?').split_once('#').map_or(print.run, |(query, _)| query),
                "",
            );
            assert!(link.notices.is_empty() || print.run.contains('#'), "{id}: {:?}", link.notices);
            assert_eq!(print.ours().len(), printed.len(), "{id}");
            let equal = print.n_equal();
            assert_eq!(equal == printed.len(), print.why.is_none(), "{id}: {equal} of {printed:?}, {:?}", print.ours());
        }
    }

    #[test]
    fn the_usual_adder_gives_other_digits_for_most_tables() {
        let plain = |print: &Print| {
            let mut scenario = print.plan().expect("a run").scenario().clone();
            (scenario.adder, scenario.k_tiles) = (Adder::F32, systolic::KTiles::Up);
            let plan = Plan::new(&scenario).expect("a run");
            let at = if print.at.is_empty() { vec![(0, 0)] } else { print.at.clone() };
            at.into_iter().zip(&print.printed).all(|(place, text)| print.is_same(element(&plan, place).as_f64(), text))
        };
        let tables: Vec<&Print> = ALL.iter().filter(|print| print.all.is_some()).collect();
        let n_equal = tables.iter().filter(|print| plain(print)).count();
        assert!(tables.len() == 13 && n_equal <= 9, "{n_equal} of {}", tables.len());
    }

    fn scenario(link: &str) -> Link {
        let (query, fragment) = link.split_once('#').unwrap_or((link, ""));
        let link = Link::parse(query, fragment);
        assert!(link.notices.is_empty(), "{:?}", link.notices);
        link
    }

    #[test]
    fn a_tpu_and_an_h100_have_other_digits_for_one_bf16_sum() {
        let of = |print: &Print, adder: Adder| {
            let opened = print.opened().expect("a run");
            let one = opened.adders.iter().find(|one| one.adder == adder)?.clone();
            // The stepped machine has this digit, too.
            let plan = Plan::new(&scenario(&one.link).scenario).expect("a run");
            assert_eq!(plan.unit().adder(), adder);
            if plan.schedule().array().rows() <= 32 {
                let mut machine = plan.run().machine();
                while !machine.is_finished() {
                    machine.tick();
                }
                let (m, n) = opened.place;
                let index = usize::try_from(m * plan.schedule().gemm().n() + n).expect("small");
                assert_eq!(plan.scenario().out.rounded(machine.result()[index]).as_f64(), one.value, "{}", print.id);
            }
            // A sum that is rounded to bf16 is farther from the exact sum.
            let near = (one.value - opened.exact_of_operands).abs() / opened.exact_of_operands.abs();
            let is_near = near < 1e-5 || plan.scenario().out != ResultFormat::Sum;
            assert!(is_near, "{} {adder:?}: {} {}", print.id, one.value, opened.exact_of_operands);
            Some(crate::words::digits(one.value))
        };
        let bf16 = |print: &&Print| print.plan().is_some_and(|plan| plan.dtype() == Dtype::Bf16);
        let pairs = ALL.iter().filter(bf16).map(|print| (print, of(print, Adder::Tpu), of(print, Adder::H100)));
        let differ: Vec<_> = pairs.filter(|(_, tpu, h100)| tpu.is_some() && h100.is_some() && tpu != h100).collect();
        let ids: Vec<&str> = differ.iter().map(|(print, ..)| print.id).collect();
        let (_, tpu, h100) =
            differ.iter().find(|(print, ..)| print.id == crate::words::OTHER_DIGITS).expect("the entry");
        assert_eq!((tpu.as_deref(), h100.as_deref()), (Some("0.73737884"), Some("0.7373789")), "{ids:?}");
    }

    #[test]
    fn the_reason_for_other_digits_has_the_numbers_of_the_run() {
        let said = |id: &str| {
            let print = ALL.iter().find(|print| print.id == id).expect("a print");
            let opened = print.opened().expect("a run");
            (
                crate::words::why_adders_differ(&opened),
                opened.adders.iter().map(crate::words::rule_of).collect::<Vec<_>>(),
            )
        };
        // The largest product is 1.8125 · −1.125. Both factors are in [1, 2), so its exponent is 0.
        let (why, rules) = said("gpu-table-H100-bf16");
        assert!(
            why.contains("The TPU adds 8 products") && why.contains("adds 16 at once, drops bits below 2⁻²⁵"),
            "{why}"
        );
        assert!(
            rules[3].contains("16 products") && rules[3].contains("25th") && rules[3].contains("24 bits"),
            "{rules:?}"
        );
        let equal = said("tpu-jax-9973").0;
        assert!(equal.contains("equal digits") && equal.contains("bf16 on an H100"), "{equal}");
        let (why, rules) = said("tpu-jax-golden-2024-09-24-rows0-39");
        assert!(why.contains("drops low bits") && !rules[3].contains("here"), "{why} {rules:?}");
        assert!(said("tpu-xla-precision-highest-a").1.is_empty());
    }

    #[test]
    fn the_power_of_two_is_that_of_the_aligned_terms() {
        let mut n = 0;
        for one in ALL.iter().flat_map(|print| print.opened().expect("a run").adders) {
            let link = scenario(&one.link);
            let plan = Plan::new(&link.scenario).expect("a run");
            let view = plan.prober().block(link.cycle, link.view.selected.expect("a PE"));
            if let (Some(unit), Some(view)) = (one.unit, view) {
                assert_eq!(::words::block::unit(&view), Some(unit), "{}", one.link);
                n += 1;
            }
        }
        assert!(n > 30, "{n}");
    }

    #[test]
    fn each_link_lands_where_its_element_is_complete() {
        for print in ALL.iter() {
            let opened = print.opened().expect("a run");
            let (m, n) = opened.place;
            for address in opened.adders.iter().map(|one| &one.link).chain([&opened.link]) {
                let link = scenario(address);
                let plan = Plan::new(&link.scenario).expect("a run");
                let (cycle, pe) = (link.cycle, link.view.selected.expect("a PE"));
                let before = studio::whereabouts::is_complete(&plan, systolic::Cycle(cycle.get() - 1), m, n);
                assert!(studio::whereabouts::is_complete(&plan, cycle, m, n) && !before, "{address}");
                let sum = plan.prober().at(cycle, pe).sum.expect("a sum");
                assert_eq!((sum.row, sum.col, sum.terms), (m, n, sum.terms_max), "{address}");
                if plan.schedule().array().rows() > 32 {
                    continue;
                }
                // At this cycle, the stepped machine has the element in its registers. Its list of results has the
                // element only from this cycle on.
                let index = usize::try_from(m * plan.schedule().gemm().n() + n).expect("small");
                let mut machine = plan.run().machine();
                for _ in 0..cycle.get() {
                    machine.tick();
                }
                let before = machine.result()[index];
                machine.tick();
                let (now, value) = (machine.result()[index], element(&plan, (m, n)));
                let register = machine.registers(pe).sum.expect("a sum");
                let rounded = |value: Value| link.scenario.out.rounded(value);
                assert_eq!((rounded(now), rounded(register)), (value, value), "{address}");
                assert_ne!(before, now, "{address}");
            }
        }
    }

    #[test]
    fn the_exact_digits_are_those_of_the_decimals() {
        let exact = |id: &str| {
            let print = ALL.iter().find(|print| print.id == id).expect("a print");
            print.opened().expect("a run").exact.into_iter().map(crate::words::exact).collect::<Vec<_>>()
        };
        // These products of decimals are from long multiplication. Their sum has nine digits.
        assert_eq!(exact("tpu-jax-9973"), ["0.17372088", "0.09648504", "0.21183069", "0.10812637"]);
        assert_eq!(exact("tpu-xla-precision-highest-b"), ["1.44"]);
        assert_eq!(exact("gpu-jax-17214"), ["-207.664063"]);
        assert!(exact("tpu-jax-23159").is_empty());
    }

    #[test]
    fn digits_are_compared_as_printed() {
        let print = Print::default();
        assert!(print.is_same(0.124_949, "0.1249") && !print.is_same(0.125_06, "0.1250"));
        assert!(print.is_same(117.951, "1.1795e+02") && !print.is_same(117.944, "1.1795e+02"));
        assert!(!print.is_same(0.174_051_3, "0.17405128"), "eight digits are one number");
        assert!(!Print { is_exact: true, ..print }.is_same(1024.5, "1025."));
    }
}
