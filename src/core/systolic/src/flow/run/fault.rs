//! First fault of a run: two elements that collide, a product of the wrong pair, or a product that is never made.

use crate::flow::{Along, Flow, FlowRun, Label, Meeting, PeState};
use crate::{Mkn, Operand, PeId};

/// Kind of a fault, with the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Two elements that would be in one register or on one wire in one cycle. The array loses the second element.
    Collision {
        /// Element that is in the register.
        kept: Label,
        /// Element that is lost.
        lost: Label,
    },
    /// An element that a PE needs is not in the PE in time.
    Mismatch {
        /// Element in the PE that needs another element, usually the sum.
        partner: Label,
        /// Element that the partner needs.
        needed: Label,
        /// Element that is there instead; `None` if the register or wire is empty.
        came: Option<Label>,
        /// Cycles until this PE has both other elements for the product of `came`; negative if it had both before.
        /// `None` if it never has both.
        early: Option<i64>,
    },
}

/// A fault of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Cycle of the fault. A collision of elements that stay happens before cycle 0 and counts as cycle 0.
    pub cycle: u64,
    /// PE of the fault, or first PE of the wire.
    pub pe: PeId,
    /// Row and column of this PE as the delays count them: see [`FlowRun::counted`].
    pub counted: PeId,
    /// Kind of the fault.
    pub kind: FaultKind,
}

impl FlowRun {
    /// First collision or first product of a wrong pair. If there is neither, the first element whose product is never
    /// made. `None` if all sums are right.
    #[must_use]
    pub fn first_fault(&self) -> Option<Fault> {
        if self.n_wrong_sums() == 0 {
            return None;
        }
        let states = || {
            let cycles = 0..self.n_cycles();
            cycles.flat_map(|cycle| self.pes(cycle).map(move |(pe, state)| (cycle, pe, state)))
        };
        let wrong = states().find_map(|(cycle, pe, state)| self.wrong_pair(cycle, pe, state));
        let first = self.collisions().first().copied().into_iter().chain(wrong).min_by_key(|fault| fault.cycle);
        first.or_else(|| states().find_map(|(cycle, pe, state)| self.missed(cycle, pe, state)))
    }

    fn wrong_pair(&self, cycle: u64, pe: PeId, state: &PeState) -> Option<Fault> {
        let [a, b, sum] = Flow::OPERANDS.map(|operand| state.token(operand).map(|token| token.label));
        let (a, b, sum) = (a?, b?, sum?);
        if state.meeting != Meeting::Wrong {
            return None;
        }
        // Two of the three elements belong together, if possible. They decide which element the third should be.
        let (came, partner, product) = if b.col != sum.col && a.row == sum.row {
            (b, sum, Mkn { m: sum.row, k: a.col, n: sum.col })
        } else if b.col != sum.col && a.col == b.row {
            (sum, a, Mkn { m: a.row, k: a.col, n: b.col })
        } else {
            (a, sum, Mkn { m: sum.row, k: b.row, n: sum.col })
        };
        let needed = Label::of(came.operand, product);
        let kind = FaultKind::Mismatch { partner, needed, came: Some(came), early: self.early(cycle, pe, came) };
        Some(Fault { cycle, pe, counted: self.counted(pe), kind })
    }

    /// First element in this PE whose product is never made, and the element that is missing for the product.
    fn missed(&self, cycle: u64, pe: PeId, state: &PeState) -> Option<Fault> {
        let here = [Operand::C, Operand::A, Operand::B].into_iter().filter_map(|operand| state.token(operand));
        here.filter_map(|token| Some((token.label, self.product_in(token.label, pe)?))).find_map(
            |(partner, product)| {
                let needed = Flow::OPERANDS.into_iter().map(|operand| Label::of(operand, product));
                let needed = needed.into_iter().find(|&needed| !state.has(needed))?;
                let came = state.token(needed.operand).map(|token| token.label);
                let early = came.and_then(|came| self.early(cycle, pe, came));
                let kind = FaultKind::Mismatch { partner, needed, came, early };
                (!self.is_made(product)).then_some(Fault { cycle, pe, counted: self.counted(pe), kind })
            },
        )
    }

    /// Product of an element in a PE; `None` if the element stays, or does not need this PE.
    fn product_in(&self, label: Label, pe: PeId) -> Option<Mkn> {
        let along = self.flow().of(label.operand).along()?;
        let first = self.pe_of(label.product(0));
        let hops = if along == Along::Row { pe.col.abs_diff(first.col) } else { pe.row.abs_diff(first.row) };
        let side = match label.operand {
            Operand::A => self.gemm().n(),
            Operand::B => self.gemm().m(),
            Operand::C => self.gemm().k(),
        };
        let product = label.product(hops.into());
        (u64::from(hops) < side && self.pe_of(product) == pe).then_some(product)
    }

    /// True if the array made this product in any PE.
    fn is_made(&self, product: Mkn) -> bool {
        let made = |state: &PeState| Flow::OPERANDS.into_iter().all(|operand| state.has(Label::of(operand, product)));
        (0..self.n_cycles()).any(|cycle| self.pes(cycle).any(|(_, state)| made(state)))
    }

    /// Cycles until this PE has both other elements for the product of `came`; negative if it had both before.
    fn early(&self, cycle: u64, pe: PeId, came: Label) -> Option<i64> {
        let product = self.product_in(came, pe)?;
        let others = Flow::OPERANDS.into_iter().filter(|&operand| operand != came.operand);
        let is_there = |state: &PeState| others.clone().all(|operand| state.has(Label::of(operand, product)));
        let there = (0..self.n_cycles()).filter(|&at| self.at(at, pe).is_some_and(is_there));
        let at = there.min_by_key(|at| at.abs_diff(cycle))?;
        Some(i64::try_from(at).ok()? - i64::try_from(cycle).ok()?)
    }
}
