//! Classes of the PE-cycles of a run, and the formula of its cycle count.

use display::number::{grouped, percent};
use studio::Plan;
use systolic::{Hold, Slot, Tally};

/// PE-cycles of one class.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Class of the PE-cycles.
    pub slot: Slot,
    /// Number of PE-cycles in the class.
    pub pe_cycles: u64,
    /// Share of the class in percent. Each share is rounded by itself, so that it agrees with its count.
    pub percent: String,
    /// Share of the class, from 0 to 1.
    pub share: f64,
}

/// Returns the six classes of PE-cycles, each with its count and its share.
#[must_use]
pub fn parts(tally: &Tally) -> [Part; 6] {
    let total = tally.total().as_f64().max(1.0);
    Slot::ALL.map(|slot| {
        let share = tally.get(slot).as_f64() / total;
        Part { slot, pe_cycles: tally.get(slot).get(), percent: percent(share), share }
    })
}

/// Returns the formula of the cycle count twice: in symbols, and with numbers.
#[must_use]
pub fn cycles_formula(plan: &Plan) -> (String, String) {
    let s = plan.schedule();
    let time = match s.mapping().time {
        systolic::Axis::M => "M",
        systolic::Axis::K => "K",
        systolic::Axis::N => "N",
    };
    let (r, c, t) = (u64::from(s.array().rows()), u64::from(s.array().cols()), s.stream_len());
    let folds = s.folds();
    let total = grouped(s.cycles().get());
    let (symbols, numbers) = match s.dataflow().hold() {
        Hold::Operand => (format!("2R + C + {time} − 2"), format!("{} + {c} + {} − 2", 2 * r, grouped(t))),
        Hold::Result => (format!("R + C + {time} − 2"), format!("{r} + {c} + {} − 2", grouped(t))),
    };
    if s.design() != systolic::Design::default() {
        // In a design other than the default, every fold except the last takes one period. Sums that move to the output
        // buffer before they drain take one more cycle.
        let load = s.load_cycles().get();
        let drain = s.cycles_per_fold().get() - (load + t + r + c - 2);
        let symbols = format!("(folds − 1) · period + load + {time} + R + C − 2 + drain");
        let last = format!("{load} + {} + {r} + {c} − 2 + {drain}", grouped(t));
        let (before, period) = (grouped(folds - 1), grouped(s.period().get()));
        return (symbols, format!("= {before} · {period} + {last} = {total}"));
    }
    if folds == 1 {
        (symbols, format!("= {numbers} = {total}"))
    } else {
        let (row_folds, col_folds) = (grouped(s.row_folds()), grouped(s.col_folds()));
        (format!("folds · ({symbols})"), format!("= {row_folds} · {col_folds} · ({numbers}) = {total}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Returns two values of a formula: computed from its terms, and as written after the equals sign.
    fn evaluated(text: &str) -> (i64, i64) {
        let text = text.trim_start_matches('=').replace('\u{202f}', "").replace('−', "-").replace(',', "");
        let (sum, total) = text.rsplit_once('=').expect("a sum and its value");
        let number = |text: &str| text.trim().parse::<i64>().unwrap_or_else(|_| panic!("{text:?} in {sum:?}"));
        let product = |text: &str| text.split('·').map(number).product::<i64>();
        let terms = sum.replace(" - ", " + -");
        (terms.split(" + ").map(product).sum(), number(total))
    }

    #[test]
    fn the_formula_of_every_design_gives_the_cycles_that_it_says() {
        for dataflow in ["ws", "os", "is"] {
            for overlap in ["none", "double-buffered"] {
                for load in ["usual", "rows", "diagonal"] {
                    for drain in ["in-place", "south"] {
                        let query = format!(
                            "rows=3&cols=5&m=7&k=8&n=9&df={dataflow}&overlap={overlap}&load={load}&drain={drain}"
                        );
                        let plan = Plan::new(&studio::Link::parse(&query, "").scenario).expect("a run");
                        let (_, worked) = cycles_formula(&plan);
                        if plan.schedule().design() != systolic::Design::default() {
                            let (sum, total) = evaluated(&worked);
                            assert_eq!(sum, total, "{query}: {worked}");
                            assert_eq!(total.cast_unsigned(), plan.schedule().cycles().get(), "{query}");
                        }
                    }
                }
            }
        }
    }
}
