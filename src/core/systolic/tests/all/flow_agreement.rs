//! Tests that the theory and the array of a custom dataflow always agree.

use proptest::prelude::*;
use systolic::flow::{Flow, FlowRun, Move};
use systolic::{Dtype, Fill, Gemm, Matrix, Operands};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use crate::common::runner;

/// Returns the dataflows of all moves with all delays.
pub(crate) fn all_flows() -> impl Iterator<Item = Flow> {
    let moves = Move::ALL.into_iter().flat_map(|a| Move::ALL.into_iter().map(move |b| (a, b)));
    let moves = moves.flat_map(|(a, b)| Move::ALL.into_iter().map(move |sums| (a, b, sums)));
    moves.flat_map(|(a, b, sums)| {
        (0..9).map(move |delays| Flow { a, b, sums, row_delay: delays / 3, col_delay: delays % 3 })
    })
}

/// Returns all sizes M, K and N from 1 to 4.
fn sizes() -> impl Iterator<Item = [u64; 3]> {
    (0..64).map(|index| [index % 4 + 1, index / 4 % 4 + 1, index / 16 + 1])
}

/// Returns random whole numbers of 24 bits, for which zeros and accidentally equal sums are improbable.
fn random_operands(gemm: Gemm, seed: u64) -> Operands {
    let matrix = |rows, cols, salt| {
        let uniform = Matrix::new(rows, cols, Fill::Uniform { seed }, salt, Dtype::F32);
        Matrix::from_fn(rows, cols, |row, col| uniform.at(row, col) * 2f64.powi(23))
    };
    Operands::new(matrix(gemm.m(), gemm.k(), 0), matrix(gemm.k(), gemm.n(), 1))
}

#[expect(clippy::cast_possible_truncation, reason = "sums of products of 48 bits")]
fn sum(gemm: Gemm, operands: &Operands, m: u64, n: u64) -> i64 {
    (0..gemm.k()).map(|k| operands.a.at(m, k) * operands.b.at(k, n)).sum::<f64>() as i64
}

#[test]
fn the_theory_says_right_if_and_only_if_the_array_multiplies_right() {
    for [m, k, n] in sizes() {
        let gemm = Gemm::new(m, k, n).expect("small");
        let outcome = runner(1).run(&any::<u64>(), |seed| {
            let operands = random_operands(gemm, seed);
            let sums: Vec<i64> =
                (0..m).flat_map(|m| (0..n).map(move |n| (m, n))).map(|(m, n)| sum(gemm, &operands, m, n)).collect();
            let mut n_right = 0;
            for flow in all_flows() {
                let run = FlowRun::new(flow, gemm, &operands).expect("small");
                let wrong = run.c().iter().zip(&sums).filter(|&(&got, &expected)| got != Some(expected)).count();
                let verdict = flow.verdict(gemm);
                prop_assert_eq!(verdict.is_right(), wrong == 0, "{} for {:?}: {:?} {:?}", flow, gemm, verdict, run.c());
                prop_assert_eq!(verdict.crowded.is_some(), !run.collisions().is_empty(), "{} for {:?}", flow, gemm);
                prop_assert_eq!(run.first_fault().is_some(), wrong > 0, "{} for {:?}", flow, gemm);
                prop_assert_eq!(run.n_wrong_sums(), wrong as u64);
                n_right += u32::from(wrong == 0);
            }
            prop_assert!(n_right >= 48);
            Ok(())
        });
        outcome.unwrap_or_else(|error| panic!("{error}"));
    }
}
