//! The verdict about an array with a fault: correct, wrong, or withheld. The page withholds the verdict while a person
//! has to find the fault.

use super::{BrokenMachine, Cell, Outcome};

/// The verdict about the array as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// An array that works like the fault-free array.
    Sound,
    /// An array that does not work like the fault-free array.
    Wrong,
    /// No verdict yet, because the person has to judge the array first.
    Withheld,
}

impl BrokenMachine {
    /// Removes every mark of an error. Values and positions stay.
    #[must_use]
    pub fn unjudged(self) -> Self {
        let unmarked = |cell: Cell| Cell {
            clash: None,
            stray: None,
            is_wrong: false,
            is_mix: false,
            lacks: None,
            drained: cell.drained.map(|(sum, _)| (sum, false)),
            ..cell
        };
        let outcomes = self.outcomes.iter().map(|outcome| Outcome { is_wrong: false, ..*outcome }).collect();
        let cells = self.cells.into_iter().map(unmarked).collect();
        Self { cells, outcomes, judged: Judged::Withheld, ..self }
    }

    /// True if the page marks the errors of the array.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.judged != Judged::Withheld
    }

    /// True if the array works like the fault-free array, because the person's custom skew is correct.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.judged == Judged::Sound
    }
}

#[cfg(test)]
mod tests {
    use crate::defect::{BrokenMachine, DefectName, outcomes};
    use crate::{Link, Plan};
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_machine_that_nobody_judges_has_its_numbers_and_no_mark() {
        for (query, defect) in [("df=ws", "no-skew"), ("df=os", "no-skew"), ("df=ws", "stuck-1.1")] {
            let query = format!("rows=4&cols=4&m=6&k=4&n=3&dt=int8&{query}");
            let plan = Plan::new(&Link::parse(&query, "").scenario).expect("a run");
            let defect = DefectName::parse(defect).expect("a name").on(&plan).expect("a defect");
            let judged = BrokenMachine::at(&plan, defect, Cycle(9)).with_outcomes(outcomes(&plan, defect));
            let open = judged.clone().unjudged();
            let marks = |machine: &BrokenMachine| {
                let cells = machine
                    .cells()
                    .iter()
                    .filter(|cell| cell.is_wrong || cell.is_mix || cell.clash.is_some() || cell.stray.is_some());
                cells.count() + machine.outcomes().iter().filter(|outcome| outcome.is_wrong).count()
            };
            assert!(marks(&judged) > 0 && judged.is_judged(), "{query}");
            assert_eq!((marks(&open), open.is_judged(), open.is_sound()), (0, false, false), "{query}");
            for (a, b) in judged.cells().iter().zip(open.cells()) {
                assert_eq!((&a.probe, a.sum), (&b.probe, b.sum), "{query}");
            }
            let values = |machine: &BrokenMachine| machine.outcomes().iter().map(|one| one.value).collect::<Vec<_>>();
            assert_eq!(values(&judged), values(&open), "{query}");
        }
    }
}
