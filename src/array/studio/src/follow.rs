//! Following a value: the PE that has the value at another cycle.

use crate::Plan;
use systolic::{Cycle, Element, Hold, PeId, SumOf};

systolic::named! {
    /// The register whose content is followed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum What {
        /// The operand that moves east.
        East => "east",
        /// The operand that moves south (OS).
        South => "south",
        /// The partial sum.
        Sum => "sum",
    }
}

/// A followed register, and the cycle in which the chosen PE held the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follow {
    /// The register whose content is followed.
    pub what: What,
    /// The cycle in which the chosen PE held the value.
    pub since: Cycle,
}

/// Position of the followed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The PE that holds the value.
    In(PeId),
    /// Outside all PEs: the value has not arrived yet, has left, or is between two PEs.
    Outside,
}

impl Follow {
    /// Reads the text of the parameter, such as `east-7`. Returns `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (what, since) = text.split_once('-')?;
        let what = What::ALL.into_iter().find(|one| one.id() == what)?;
        Some(Self { what, since: Cycle(since.parse().ok()?) })
    }

    /// Returns the text of the parameter, such as `east-7`.
    #[must_use]
    pub fn to_text(self) -> String {
        format!("{}-{}", self.what.id(), self.since)
    }

    /// Returns the element that PE `from` held in the cycle `since`, if it held one.
    #[must_use]
    pub fn followed(self, plan: &Plan, from: PeId) -> Option<Element> {
        held(plan, self.since, from, self.what)
    }

    /// Returns the position, at `cycle`, of the value that PE `from` held in the cycle `since`. `None` if `from` held
    /// no value.
    #[must_use]
    pub fn place(self, plan: &Plan, from: PeId, cycle: Cycle) -> Option<Place> {
        let followed = place_held(plan, self.since, from, self.what)?;
        let hop = self.hop(plan);
        let moved = |place: u32, hop: u64| {
            let (late, early) =
                (cycle.get().saturating_sub(self.since.get()), self.since.get().saturating_sub(cycle.get()));
            if hop == 0 {
                return Some(place);
            }
            let place = u64::from(place) + late / hop;
            place.checked_sub(early.div_ceil(hop)).and_then(|place| u32::try_from(place).ok())
        };
        let pe = match self.what {
            What::East => moved(from.col, hop).map(|col| PeId { col, ..from }),
            What::South | What::Sum => moved(from.row, hop).map(|row| PeId { row, ..from }),
        };
        let same = |pe: &PeId| place_held(plan, cycle, *pe, self.what) == Some(followed);
        let pe = pe.filter(|&pe| plan.schedule().array().contains(pe)).filter(same);
        Some(pe.map_or(Place::Outside, Place::In))
    }

    /// Clock edges from one PE to the next; 0 for a value that stays.
    fn hop(self, plan: &Plan) -> u64 {
        let south = plan.schedule().hops(PeId::new(1, 0));
        match (self.what, plan.schedule().dataflow().hold()) {
            (What::East, _) => 1,
            (What::Sum, Hold::Result) => 0,
            (What::South | What::Sum, _) => south,
        }
    }
}

/// Row and column of the element in a PE's register, computed in constant time.
fn place_held(plan: &Plan, cycle: Cycle, pe: PeId, what: What) -> Option<(u64, u64)> {
    let of = |element: Element| (element.row, element.col);
    match what {
        What::East => plan.prober().without_sum(cycle, pe).east.map(of),
        What::South => plan.prober().without_sum(cycle, pe).south.map(of),
        What::Sum => plan.schedule().sum_place(SumOf::Register, cycle, pe),
    }
}

fn held(plan: &Plan, cycle: Cycle, pe: PeId, what: What) -> Option<Element> {
    let probe = plan.prober().at(cycle, pe);
    match what {
        What::East => probe.east,
        What::South => probe.south,
        What::Sum => {
            probe.sum.map(|sum| Element { operand: systolic::Operand::C, row: sum.row, col: sum.col, value: sum.value })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic::{Next, Register};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&crate::Link::parse(query, "").scenario).expect("a run")
    }

    const QUERIES: [&str; 4] = [
        "rows=4&cols=3&m=6&k=7&n=4&df=ws&dt=int8",
        "rows=4&cols=3&m=6&k=7&n=4&df=os&dt=int8",
        "rows=3&cols=4&m=6&k=7&n=4&df=is&dt=int8",
        "rows=4&cols=3&m=3&k=7&n=4&df=ws&dt=int8&overlap=double-buffered",
    ];

    #[test]
    fn a_number_is_where_the_core_says_it_goes_next() {
        for query in QUERIES {
            let plan = plan(query);
            let registers = [(What::East, Register::East), (What::South, Register::South), (What::Sum, Register::Sum)];
            for (what, register) in registers {
                for cycle in 0..plan.last().get() {
                    for pe in plan.schedule().array().iter() {
                        let follow = Follow { what, since: Cycle(cycle) };
                        let at = |cycle| follow.place(&plan, pe, Cycle(cycle));
                        match plan.schedule().next(Cycle(cycle), pe, register) {
                            Some(Next::Moves { to, at: next }) => {
                                assert_eq!(at(next.get()), Some(Place::In(to)), "{query} {follow:?} {pe:?}");
                                // Followed back, the value is in the PE that it came from.
                                let there = Follow { what, since: next };
                                assert_eq!(there.place(&plan, to, Cycle(cycle)), Some(Place::In(pe)), "{query}");
                            }
                            Some(Next::Stays) => assert_eq!(at(cycle + 1), Some(Place::In(pe)), "{query} {follow:?}"),
                            Some(Next::Leaves { through: Some(_), at: gone }) => {
                                assert_eq!(at(gone.get()), Some(Place::Outside), "{query} {follow:?} {pe:?}");
                            }
                            Some(Next::IsDropped) => assert_eq!(at(cycle + 1), Some(Place::Outside), "{query}"),
                            // A sum that is read in place stays in its register until the next fold.
                            Some(Next::Leaves { through: None, .. } | Next::IsTakenOver { .. }) | None => {}
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_is_followed_where_nothing_is_held_or_named() {
        let plan = plan(QUERIES[0]);
        assert_eq!(Follow { what: What::South, since: Cycle(5) }.place(&plan, PeId::new(0, 0), Cycle(6)), None);
        for text in ["", "east", "east-", "zebra-3", "east-99999999999999999999"] {
            assert_eq!(Follow::parse(text), None, "{text}");
        }
        let follow = Follow { what: What::Sum, since: Cycle(9) };
        assert_eq!(Follow::parse(&follow.to_text()), Some(follow));
    }
}
