//! Digits that chips printed in public, next to the digits of the array for the same inputs.
//!
//! The file `course/printed.txt` has one entry per print: its source, the link of its run, the printed digits, and what they
//! prove. The numbers are from public reports, from tables that JAX stores (Apache-2.0), and from the validation data of
//! MATLAB-tensor-core (BSD-2-Clause). `tests/golden/printed` has the whole tables.

use std::sync::LazyLock;

use studio::{Link, Plan};
use systolic::{Lane, Passes, Value, dispatch_small_lane, reference};

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
    /// True if the digits are all digits of the number.
    is_exact: bool,
    /// True if the digits are the number of elements that differ from the exact product, the largest difference, and the
    /// largest relative difference.
    is_of_differences: bool,
    /// The printed digits.
    pub printed: Vec<&'static str>,
    /// Number of equal values in the whole table, if the entry shows only a part of it.
    pub all: Option<&'static str>,
    /// Reason for other digits, if no rule gives these.
    pub why: Option<&'static str>,
    /// Conclusion from the print.
    pub proves: &'static str,
}

static TEXT: &str = include_str!("../../../course/printed.txt");

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

    /// Returns the numbers of the array in place of the printed ones. Empty if the run is not possible.
    #[must_use]
    pub fn ours(&self) -> Vec<f64> {
        let Some(plan) = self.plan() else { return Vec::new() };
        if self.is_of_differences {
            return differences(&plan).to_vec();
        }
        let values = match self.passes {
            Some(passes) => passes.product(plan.schedule(), plan.operands()),
            None if self.at.is_empty() => plan.result(),
            None => self.at.iter().map(|&place| element(&plan, place)).collect(),
        };
        values.into_iter().map(Value::as_f64).collect()
    }

    /// Returns the number of printed values that the array gives in all printed digits.
    #[must_use]
    pub fn n_equal(&self) -> usize {
        self.ours().into_iter().zip(&self.printed).filter(|(ours, printed)| self.is_same(*ours, printed)).count()
    }

    /// True if a number has the printed digits: it is the f32 number that they stand for or, if the chip printed fewer than
    /// seven digits, it rounds to them.
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

/// Returns one element of C without the others, because the whole product of a large print takes long.
fn element(plan: &Plan, place: (u64, u64)) -> Value {
    let (schedule, operands) = (plan.schedule(), plan.operands());
    dispatch_small_lane!(plan.unit(), lane => lane.sum(reference::element(lane, schedule, operands, place, schedule.run().k())))
}

/// Returns the number of elements of C that differ from the exact product, the largest difference, and the largest relative
/// difference.
fn differences(plan: &Plan) -> [f64; 3] {
    let (gemm, operands) = (plan.schedule().gemm(), plan.operands());
    let exact = |m: u64, n: u64| (0..gemm.k()).map(|k| operands.a.at(m, k) * operands.b.at(k, n)).sum::<f64>();
    let mut found = [0.0; 3];
    for (value, place) in plan.result().into_iter().zip(0..) {
        let exact = exact(place / gemm.n(), place % gemm.n());
        let difference = (value.as_f64() - exact).abs();
        found[0] += f64::from(u8::from(difference > 0.0));
        found[1] = f64::max(found[1], difference);
        found[2] = f64::max(found[2], difference / exact.abs().max(1.0));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
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
            (scenario.adder, scenario.k_tiles) = (systolic::Adder::F32, systolic::KTiles::Up);
            let plan = Plan::new(&scenario).expect("a run");
            let at = if print.at.is_empty() { vec![(0, 0)] } else { print.at.clone() };
            at.into_iter().zip(&print.printed).all(|(place, text)| print.is_same(element(&plan, place).as_f64(), text))
        };
        let tables: Vec<&Print> = ALL.iter().filter(|print| print.all.is_some()).collect();
        let n_equal = tables.iter().filter(|print| plain(print)).count();
        assert!(tables.len() == 13 && n_equal <= 9, "{n_equal} of {}", tables.len());
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
