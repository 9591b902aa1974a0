//! Where the PE-cycles go, and how many cycles there are.

use crate::Plan;
use crate::number::{grouped, parts_percent};
use systolic::{Hold, Slot, Tally};

/// The part of the accounts that one slot has.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The slot.
    pub slot: Slot,
    /// Its PE-cycles.
    pub pe_cycles: u64,
    /// Its share in percent; the shares sum to exactly 100.0.
    pub percent: String,
    /// Its share, from 0 to 1.
    pub share: f64,
}

/// The six parts of the accounts.
#[must_use]
pub fn parts(tally: &Tally) -> [Part; 6] {
    let counts = Slot::ALL.map(|slot| tally.get(slot).get());
    let texts = parts_percent(counts);
    let total = tally.total().as_f64().max(1.0);
    let mut texts = texts.into_iter();
    Slot::ALL.map(|slot| Part {
        slot,
        pe_cycles: tally.get(slot).get(),
        percent: texts.next().unwrap_or_default(),
        share: tally.get(slot).as_f64() / total,
    })
}

/// The formula of the cycle count, in symbols and with the numbers put in.
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
    if folds == 1 {
        (symbols, format!("= {numbers} = {total}"))
    } else {
        let (row_folds, col_folds) = (grouped(s.row_folds()), grouped(s.col_folds()));
        (format!("folds · ({symbols})"), format!("= {row_folds} · {col_folds} · ({numbers}) = {total}"))
    }
}
