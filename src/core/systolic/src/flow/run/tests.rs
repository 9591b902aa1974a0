//! Tests right flows with one mistake each: the sums must show the mistake.

use super::*;
use crate::{Cycles, Matrix};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SIDE: u64 = 3;

fn wrong_sums(flow: Flow, starts: &[Start]) -> u64 {
    let gemm = Gemm::new(SIDE, SIDE, SIDE).expect("small");
    // The elements are squares. None of them is 0, and no wrong sum is right by accident.
    let square =
        |shift: u64| Matrix::from_fn(SIDE, SIDE, |row, col| Cycles((row * SIDE + col + shift).pow(2)).as_f64());
    let operands = Operands::new(square(3), square(17));
    FlowRun::from_starts(flow, gemm, &operands, starts).expect("small").n_wrong_sums()
}

/// Returns the right flows with unit moves, each with its starts.
fn right_flows() -> Vec<(Flow, Vec<Start>)> {
    let gemm = Gemm::new(SIDE, SIDE, SIDE).expect("small");
    let unit = &Move::ALL[..5];
    let flows = unit.iter().flat_map(|&a| unit.iter().map(move |&b| (a, b)));
    let flows = flows.flat_map(|(a, b)| unit.iter().map(move |&sums| Flow { a, b, sums, row_delay: 1, col_delay: 1 }));
    let flows: Vec<_> =
        flows.filter(|flow| flow.verdict(gemm).is_right()).map(|flow| (flow, starts(flow, gemm))).collect();
    assert!(flows.iter().all(|(flow, starts)| wrong_sums(*flow, starts) == 0));
    flows
}

#[test]
fn one_element_that_starts_one_cycle_late_is_noticed() {
    for (flow, starts) in right_flows() {
        for late in 0..starts.len() {
            if flow.of(starts[late].label.operand) != Move::Stays {
                let mut broken = starts.clone();
                broken[late].cycle += 1;
                assert_ne!(wrong_sums(flow, &broken), 0, "{flow}: {:?}", broken[late]);
            }
        }
    }
}

#[test]
fn one_row_or_column_with_a_delay_that_is_off_by_one_is_noticed() {
    for (flow, starts) in right_flows() {
        for operand in Flow::OPERANDS {
            let Some(along) = flow.of(operand).along() else { continue };
            let across = usize::from(along == Along::Col);
            let of_matrix = || starts.iter().filter(|start| start.label.operand == operand);
            for lane in of_matrix().map(|start| start.place[across]).collect::<std::collections::BTreeSet<_>>() {
                for off in [-1, 1] {
                    let mut broken = starts.clone();
                    for start in &mut broken {
                        let is_here = start.label.operand == operand && start.place[across] == lane;
                        start.cycle += if is_here { off } else { 0 };
                    }
                    assert_ne!(wrong_sums(flow, &broken), 0, "{flow}: {operand:?} of lane {lane} by {off}");
                }
            }
        }
    }
}

#[test]
fn swapped_axes_of_one_matrix_are_noticed() {
    // Other images of the dataflows have places that leave the square array after a swap.
    let is_square = |flow: Flow| flow.image().is_some() && [[1, 1], [-1, -1]].contains(&flow.numbering());
    let flows: Vec<_> = right_flows().into_iter().filter(|(flow, _)| is_square(*flow)).collect();
    assert_eq!(flows.len(), 12);
    for ((flow, starts), operand) in flows.iter().flat_map(|one| Flow::OPERANDS.map(|operand| (one, operand))) {
        let mut broken = starts.clone();
        for start in broken.iter_mut().filter(|start| start.label.operand == operand) {
            start.place.reverse();
        }
        assert_ne!(wrong_sums(*flow, &broken), 0, "{flow}: {operand:?}");
    }
}
