//! Tests of adders, computed by hand: order of k, start from c, contents of a block, and refusals.

use systolic::{
    Accumulator, Adder, AdderError, ArrayShape, Cycle, Dataflow, Design, Dtype, Edge, Fill, Gemm, MacUnit, Matrix,
    Operands, Overlap, Padding, PeId, Run, Schedule, Value,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Returns a run of listed matrices.
pub(crate) fn run(
    unit: MacUnit,
    array: (u64, u64),
    dataflow: Dataflow,
    operands: &Operands,
) -> Result<Run, AdderError> {
    let gemm = Gemm::new(operands.a.rows(), operands.a.cols(), operands.b.cols()).expect("small");
    let array = ArrayShape::new(array.0, array.1).expect("small");
    let schedule = Schedule::new(gemm, array, dataflow, Padding::Ragged).expect("small").with_unit(unit)?;
    Ok(Run::new(schedule, operands.clone(), unit).expect("the sizes fit"))
}

#[test]
fn a_row_of_pes_has_k_from_both_halves_of_a_tile_in_turn() {
    let gemm = Gemm::new(2, 64, 2).expect("small");
    let array = ArrayShape::new(32, 2).expect("small");
    let unit = MacUnit::new(Dtype::Bf16).with_adder(Adder::Tpu).expect("bf16");
    let schedule = Schedule::new(gemm, array, Dataflow::InputStationary, Padding::Ragged).expect("small");
    let schedule = schedule.with_unit(unit).expect("whole tiles");
    let of_rows: Vec<u64> = (0..64).map(|nth| schedule.row_index(nth)).collect();
    let first: Vec<u64> = (0..8).chain(16..24).chain(8..16).chain(24..32).collect();
    assert_eq!(of_rows[..32], first);
    assert_eq!(of_rows[32..], first.iter().map(|k| k + 32).collect::<Vec<_>>());
    for index in 0..schedule.folds() {
        let fold = schedule.fold(index);
        for pe in array.iter() {
            let mkn = schedule.mkn(&fold, pe, 1).expect("a full fold");
            assert_eq!(schedule.place_of(mkn), (fold, pe, 1));
        }
    }
    // Sums, terms and ports agree on the order of k.
    let run = Run::new(schedule, Operands::filled(gemm, Fill::Uniform { seed: 3 }, Dtype::Bf16), unit);
    let run = run.expect("the sizes fit");
    for cycle in (0..schedule.cycles().get()).map(Cycle) {
        for pe in array.iter() {
            let (terms, probe) = (schedule.terms(cycle, pe), run.at(cycle, pe));
            assert_eq!(terms.len() as u64, probe.sum.map_or(0, |sum| sum.terms));
            for term in terms {
                assert_eq!(schedule.mac(term.cycle, term.pe), Some(term.mkn));
                assert_eq!(schedule.term(term.mkn), term);
            }
        }
        schedule.port_events(cycle, |event| {
            if event.edge == Edge::West {
                let east = run.at(cycle, PeId::new(event.port, 0)).east.expect("an element has entered");
                assert_eq!((event.i, event.j), (east.row, east.col), "{cycle} {event:?}");
            }
        });
    }
}

#[test]
fn sums_start_from_c_and_then_add_products_in_the_order_of_k() {
    let (m, k, n) = (3u64, 5u64, 2u64);
    let value = |seed: u64| f64::from(u32::try_from(seed * 2_654_435_761 % 1009).expect("small")) / 97.0 - 5.0;
    let operands = Operands::new(
        Matrix::from_fn(m, k, |row, col| value(row * k + col + 1)),
        Matrix::from_fn(k, n, |row, col| value(row * n + col + 100)),
    )
    .with_c(Matrix::from_fn(m, n, |row, col| 1e6 * value(row * n + col + 1000)));
    let unit = MacUnit::new(Dtype::F32);
    #[expect(clippy::cast_possible_truncation, reason = "operands are f32")]
    let by_hand = |row: u64, col: u64, tile: u64| {
        let at = |matrix: &Matrix, row, col| matrix.at(row, col) as f32;
        let c = operands.c.as_ref().expect("c");
        (0..k.div_ceil(tile)).fold(0f32, |total, fold| {
            let start = if fold == 0 { at(c, row, col) } else { 0.0 };
            let terms = fold * tile..((fold + 1) * tile).min(k);
            let part = terms.fold(start, |sum, k| sum + at(&operands.a, row, k) * at(&operands.b, k, col));
            if fold == 0 { part } else { total + part }
        })
    };
    for dataflow in Dataflow::ALL {
        for rows in [2, 8] {
            let tile = if dataflow == Dataflow::OutputStationary { k } else { rows };
            let run = run(unit, (rows, 2), dataflow, &operands).expect("f32 has no blocks");
            let places = (0..m).flat_map(|row| (0..n).map(move |col| (row, col)));
            let expected: Vec<Value> = places.map(|(row, col)| Value::Float(by_hand(row, col, tile))).collect();
            assert_eq!(run.result(), expected, "{dataflow:?} {rows}");
            let mut machine = run.machine();
            while !machine.is_finished() {
                machine.tick();
            }
            assert_eq!(machine.result(), expected, "{dataflow:?} {rows}");
        }
    }
    let wrong = operands.with_c(Matrix::from_fn(m, n + 1, |_, _| 0.0));
    let gemm = Gemm::new(m, k, n).expect("small");
    let array = ArrayShape::new(4, 4).expect("small");
    let schedule = Schedule::new(gemm, array, Dataflow::WeightStationary, Padding::Ragged).expect("small");
    assert_eq!(Run::new(schedule, wrong, unit).map_err(|error| error.field), Err("columns of c"));
}

#[test]
fn a_block_shows_its_aligned_terms_and_the_bits_that_are_cut() {
    // The sum is 1 + 1.5·1.5 + 2^−12·2^−12 + 2^−11·(−2^−12), with V100's 23 fraction bits. The largest exponent is 0,
    // because the product 1.5·1.5 is not normalized. So the adder cuts the bit 2^−24.
    let (x, w) = ([1.5, 2f64.powi(-12), 2f64.powi(-11)], [1.5, 2f64.powi(-12), -2f64.powi(-12)]);
    let operands =
        Operands::new(Matrix::listed(1, 3, &x[..]).expect("three"), Matrix::listed(3, 1, &w[..]).expect("three"))
            .with_c(Matrix::listed(1, 1, &[1.0][..]).expect("one"));
    let unit = MacUnit::new(Dtype::F16).with_adder(Adder::V100).expect("f16");
    let run = run(unit, (1, 1), Dataflow::OutputStationary, &operands).expect("it fits");
    let view = run.prober().block(Cycle(2), PeId::new(0, 0)).expect("a block");
    assert!(!view.is_open && view.n_products == 3, "the last product of the sum closes the block");
    let before = run.prober().block(Cycle(1), PeId::new(0, 0)).expect("a block");
    assert!(before.is_open && before.n_products == 2 && before.products[..] == view.products[..2]);
    assert_eq!((view.exponent, view.start), (Some(0), 1.0));
    let aligned: Vec<Option<i64>> = view.products.iter().map(|term| term.aligned).collect();
    assert_eq!(aligned, [Some((9 << 23) / 4), Some(0), Some(-1)]);
    let cut: Vec<f64> = view.products.iter().map(|term| term.cut).collect();
    assert_eq!(cut, [0.0, 2f64.powi(-24), 0.0]);
    assert_eq!(view.c.and_then(|c| c.aligned), Some(1 << 23));
    assert_eq!(view.total, Some((9 << 23) / 4 + (1 << 23) - 1));
    // 3.25 − 2^−23 has 25 bits; the result is cut to 24.
    assert_eq!(view.result, 3.25 - 2f32.powi(-22));
    assert_eq!(run.result(), [Value::Float(view.result)]);
    // The exact sum so far is 3.25 after the first two products, because 2^−24 is below the last place of f32.
    assert_eq!(run.at(Cycle(1), PeId::new(0, 0)).sum.map(|sum| sum.value), Some(Value::Float(3.25)));
}

#[test]
fn an_adder_that_does_not_fit_is_refused_with_the_next_size_that_does() {
    let unit = |adder, dtype| MacUnit::new(dtype).with_adder(adder).expect("a format of the adder");
    let zeros = |m, k, n| Operands::new(Matrix::from_fn(m, k, |_, _| 0.0), Matrix::from_fn(k, n, |_, _| 0.0));
    let refusal = |unit, array, dataflow, k| run(unit, array, dataflow, &zeros(2, k, 2)).map(drop).unwrap_err();
    let (ws, os) = (Dataflow::WeightStationary, Dataflow::OutputStationary);
    let tpu = unit(Adder::Tpu, Dtype::Bf16);
    let rows = |adder, given, step, next| AdderError::Rows { adder, given, step, next };
    assert_eq!(refusal(tpu, (20, 2), ws, 20), rows(Adder::Tpu, 20, 16, 32));
    assert_eq!(refusal(tpu, (32, 2), ws, 40), AdderError::K { adder: Adder::Tpu, given: 40, step: 32, next: 64 });
    assert_eq!(refusal(tpu, (32, 2), os, 32), AdderError::Dataflow { adder: Adder::Tpu, dataflow: os });
    let h100 = unit(Adder::H100, Dtype::F16);
    assert_eq!(refusal(h100, (24, 2), ws, 25), rows(Adder::H100, 24, 16, 32));
    assert!(run(h100, (24, 2), ws, &zeros(2, 24, 2)).is_ok(), "one fold may end within a block");
    assert!(run(h100, (24, 2), os, &zeros(2, 25, 2)).is_ok());
    assert_eq!(refusal(h100, (24, 2), ws, 25).to_string(), "rows = 24: use 32");

    let overlapped = Design { overlap: Overlap::DoubleBuffered, ..Design::default() };
    let schedule = |k| {
        let (gemm, array) = (Gemm::new(2, k, 2).expect("small"), ArrayShape::new(16, 2).expect("small"));
        Schedule::new(gemm, array, ws, Padding::Ragged).expect("small").with(overlapped).expect("small")
    };
    assert_eq!(schedule(32).with_unit(h100), Err(AdderError::Overlap { adder: Adder::H100 }));
    assert!(schedule(16).with_unit(h100).is_ok() && schedule(32).with_unit(tpu).is_ok());

    let bf16 = MacUnit::new(Dtype::Bf16);
    let adder = Adder::H100;
    let accumulator = Accumulator::Bf16;
    let narrow = bf16.with_accumulator(accumulator).expect("a float");
    assert_eq!(narrow.with_adder(adder), Err(AdderError::Accumulator { adder, accumulator }));
    assert_eq!(bf16.with_saturation(true).with_adder(adder), Err(AdderError::Saturates { adder }));
    assert_eq!(bf16.with_flushing(true).with_adder(adder), Err(AdderError::Flushes { adder }));
    assert_eq!(schedule(16).with_unit(h100.with_saturation(true)), Err(AdderError::Saturates { adder }));
    assert_eq!(h100.with_accumulator(Accumulator::F16), None);
    let covered = Adder::ALL.map(|adder| adder.formats().count());
    assert_eq!(covered, [Dtype::ALL.len(), 1, 1, 3, 5, 5]);
    let refused = MacUnit::new(Dtype::Int8).with_adder(Adder::A100).expect_err("integers");
    assert_eq!(refused.to_string(), "format = int8: use bf16, f16, tf32");
    // A schedule for another adder would have other k in its rows.
    let made = Run::new(schedule(16), zeros(2, 16, 2), h100).expect_err("no call of with_unit");
    assert_eq!((made.field, made.given, made.min, made.max), ("adder", 4, 0, 0));
}
