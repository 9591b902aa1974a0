//! Tests against results that TPUs and tensor cores printed in public reports and in tables of projects. The inputs of
//! these results can be computed again.

use systolic::{
    Adder, ArrayShape, Dataflow, Design, Dtype, Gemm, KTiles, MacUnit, Matrix, Operands, Padding, PeId, Run, Schedule,
    Value,
};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// Output of a Pallas matmul on a TPU: every 16th row and column, of which the table has the first 40 rows and 16
/// columns.
const JAX_2023: &str = include_str!("../../../../../tests/golden/printed/jax_2023.csv");

/// Output of the same test a year later, on another TPU that is not named.
const JAX_2024: &str = include_str!("../../../../../tests/golden/printed/jax_2024.csv");

/// Returns C of bf16 operands on a weight-stationary array.
fn product(side: u64, sizes: [u64; 3], a: &[f32], b: &[f32], k_tiles: KTiles) -> Vec<f32> {
    floats(run(MacUnit::new(Dtype::Bf16), (side, side), sizes, (a, b), k_tiles).result())
}

fn floats(values: Vec<Value>) -> Vec<f32> {
    let float = |value: Value| match value {
        Value::Float(value) => value,
        Value::Int(_) => f32::NAN,
    };
    values.into_iter().map(float).collect()
}

fn run(unit: MacUnit, (rows, cols): (u64, u64), sizes: [u64; 3], (a, b): (&[f32], &[f32]), k_tiles: KTiles) -> Run {
    let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<_>>();
    let [m, k, n] = sizes;
    let array = ArrayShape::new(rows, cols).expect("small");
    let gemm = Gemm::new(m, k, n).expect("small");
    let schedule = Schedule::new(gemm, array, Dataflow::WeightStationary, Padding::Ragged).expect("small");
    let schedule = schedule.with(Design { k_tiles, ..Design::default() }).expect("whole tiles");
    let schedule = schedule.with_unit(unit).expect("the adder fits");
    Run::listed(schedule, &wide(a), &wide(b), unit).expect("the sizes fit")
}

/// Returns the inputs A and B of the JAX test: every 16th row of x, and every 16th column of x. Element i of x is 1 +
/// 0.001 · i, with each step in f32.
fn inputs() -> (Vec<f32>, Vec<f32>) {
    #[expect(clippy::cast_precision_loss, reason = "exact: below 2^24")]
    let x = |row: usize, col: usize| 1.0f32 + 1e-3f32 * (row * 512 + col) as f32;
    let a = (0..40).flat_map(|row| (0..512).map(move |col| x(row * 16, col))).collect();
    let b = (0..512).flat_map(|row| (0..16).map(move |col| x(row, col * 16))).collect();
    (a, b)
}

#[test]
fn the_array_prints_the_digits_of_a_table_that_jax_stored_in_2023() {
    let n_equal = |k_tiles: KTiles| n_equal(JAX_2023, 128, k_tiles);
    assert_eq!(n_equal(KTiles::SecondHalfFirst), 640);
    // Of all 24 orders of four tiles, only those fit that first add tiles 2 and 3, in either order.
    for (nth, list) in orders(4).into_iter().enumerate() {
        let fits = list[..2] == [2, 3] || list[..2] == [3, 2];
        let text: Vec<String> = list.iter().map(ToString::to_string).collect();
        let equal = n_equal(KTiles::from_text(&text.join(",")).expect("an order"));
        let is_exact = equal == 640;
        assert!(is_exact == (fits && list[2..] == [0, 1]), "{nth}: {list:?} gives {equal}");
    }
}

/// Counts the values of a table that an array reproduces bit for bit.
fn n_equal(table: &str, side: u64, k_tiles: KTiles) -> usize {
    let (a, b) = inputs();
    n_same(table, &product(side, [40, 512, 16], &a, &b, k_tiles))
}

/// Counts the values of a table that equal this result bit for bit.
fn n_same(table: &str, c: &[f32]) -> usize {
    let texts = table.split([',', '\n']).filter(|text| !text.is_empty());
    let printed: Vec<f32> = texts.map(|text| text.parse().expect("f32")).collect();
    assert_eq!(c.len(), printed.len());
    c.iter().zip(&printed).filter(|(c, printed)| c.to_bits() == printed.to_bits()).count()
}

#[test]
fn the_table_of_2024_has_other_last_digits_than_sums_of_single_products() {
    let equal = [(128, KTiles::Up), (128, KTiles::SecondHalfFirst), (256, KTiles::Up), (256, KTiles::Down)];
    let equal = equal.map(|(side, order)| n_equal(JAX_2024, side, order));
    assert!(equal.iter().all(|&n| (560..640).contains(&n)), "{equal:?}");
}

#[test]
fn the_adder_of_a_tpu_prints_the_digits_of_the_table_of_2024() {
    let (a, b) = inputs();
    let unit = MacUnit::new(Dtype::Bf16).with_adder(Adder::Tpu).expect("bf16");
    let on = |array, k_tiles| run(unit, array, [40, 512, 16], (&a, &b), k_tiles);
    assert_eq!(n_same(JAX_2024, &floats(on((256, 256), KTiles::Up).result())), 640);
    // The two tiles of 256 k are added in f32, so their order does not matter.
    assert_eq!(n_same(JAX_2024, &floats(on((256, 256), KTiles::Down).result())), 640);
    let mut machine = on((256, 16), KTiles::Up).machine();
    while !machine.is_finished() {
        machine.tick();
    }
    assert_eq!(n_same(JAX_2024, &floats(machine.result())), 640);
    let others = [on((128, 128), KTiles::Up), on((512, 16), KTiles::Up), on((128, 128), KTiles::SecondHalfFirst)];
    let others = others.map(|run| n_same(JAX_2024, &floats(run.result())));
    assert!(others.iter().all(|&n| n < 640), "{others:?}");
    assert!(n_same(JAX_2023, &floats(on((256, 256), KTiles::Up).result())) < 640);
}

/// Random dot products on tensor cores. Each line has the words of a, b and c, and of the sum that the chip computed.
const TABLES: [(&str, Adder, Dtype, &str); 11] = [
    ("V100", Adder::V100, Dtype::F16, include_str!("../../../../../tests/golden/printed/V100_fp16.csv")),
    ("A100", Adder::A100, Dtype::F16, include_str!("../../../../../tests/golden/printed/A100_fp16.csv")),
    ("A100", Adder::A100, Dtype::Bf16, include_str!("../../../../../tests/golden/printed/A100_bf16.csv")),
    ("A100", Adder::A100, Dtype::Tf32, include_str!("../../../../../tests/golden/printed/A100_tf32.csv")),
    ("A2", Adder::A100, Dtype::F16, include_str!("../../../../../tests/golden/printed/A2_fp16.csv")),
    ("L40S", Adder::A100, Dtype::Bf16, include_str!("../../../../../tests/golden/printed/L40S_bf16.csv")),
    ("H100", Adder::H100, Dtype::F16, include_str!("../../../../../tests/golden/printed/H100_fp16.csv")),
    ("H100", Adder::H100, Dtype::Bf16, include_str!("../../../../../tests/golden/printed/H100_bf16.csv")),
    ("H100", Adder::H100, Dtype::Tf32, include_str!("../../../../../tests/golden/printed/H100_tf32.csv")),
    ("H100", Adder::H100, Dtype::E4m3fn, include_str!("../../../../../tests/golden/printed/H100_E4M3.csv")),
    ("H100", Adder::H100, Dtype::E5m2, include_str!("../../../../../tests/golden/printed/H100_E5M2.csv")),
];

/// Counts the dot products of a table that an array with this unit and dataflow reproduces bit for bit. Also returns
/// the number of all dot products.
fn n_equal_words(table: &str, unit: MacUnit, dataflow: Dataflow) -> (usize, usize) {
    let words = |text: &str| -> Vec<f64> {
        let value = |word: &str| f64::from(f32::from_bits(u32::from_str_radix(word, 16).expect("a word")));
        text.split(' ').map(value).collect()
    };
    let (mut n_equal, mut n) = (0, 0);
    for line in table.lines().skip(1) {
        let fields: Vec<Vec<f64>> = line.split(',').map(words).collect();
        let [a, b, c, printed] = &fields[..] else { panic!("{line}") };
        let k = a.len() as u64;
        let array = ArrayShape::new(k, 1).expect("small");
        let schedule = Schedule::new(Gemm::new(1, k, 1).expect("small"), array, dataflow, Padding::Ragged);
        let schedule = schedule.expect("small").with_unit(unit).expect("one fold");
        let matrix = |rows, cols, values: &[f64]| Matrix::listed(rows, cols, values).expect("as many as needed");
        let operands = Operands::new(matrix(1, k, a), matrix(k, 1, b)).with_c(matrix(1, 1, c));
        let run = Run::new(schedule, operands, unit).expect("the sizes fit");
        let mut machine = run.machine();
        while !machine.is_finished() {
            machine.tick();
        }
        let result = run.result();
        assert_eq!(result, machine.result());
        n_equal += usize::from(result[0].as_f64().to_bits() == printed[0].to_bits());
        n += 1;
    }
    (n_equal, n)
}

#[test]
fn the_adder_of_each_tensor_core_prints_the_words_that_the_chip_returned() {
    for (chip, adder, dtype, table) in TABLES {
        let unit = MacUnit::new(dtype);
        let tensor_core = unit.with_adder(adder).expect("a format of the chip");
        for dataflow in Dataflow::ALL {
            assert_eq!(n_equal_words(table, tensor_core, dataflow), (250, 250), "{chip} {dtype} {dataflow:?}");
        }
        let (n_equal, _) = n_equal_words(table, unit, Dataflow::OutputStationary);
        assert!(n_equal < 200, "{chip} {dtype}: sums of single products have {n_equal} of the 250 words");
    }
}

#[test]
fn the_adders_of_two_generations_differ() {
    let h100 = MacUnit::new(Dtype::F16).with_adder(Adder::H100).expect("f16");
    let (n_equal, n) = n_equal_words(TABLES[1].3, h100, Dataflow::WeightStationary);
    assert!(n_equal < n, "the numbers of fraction bits differ");
}

fn orders(n: usize) -> Vec<Vec<usize>> {
    (0..n.pow(4))
        .map(|code| (0..4).map(|place| code / n.pow(place) % n).collect::<Vec<_>>())
        .filter(|list: &Vec<usize>| (0..n).all(|tile| list.contains(&tile)))
        .collect()
}

#[test]
fn the_array_prints_the_digits_of_two_reports() {
    // The reports are https://github.com/jax-ml/jax/issues/9973 (an unnamed TPU, 2022) and 16349 (a TPU v3-8, 2023).
    let c = product(128, [2, 2, 2], &[0.3744, 0.1656, 0.4707, 0.1663], &[0.3946, 0.1186, 0.1569, 0.3145], KTiles::Up);
    assert_eq!(c, [0.17405128, 0.09669876, 0.21180916, 0.10805416]);
    let a = [-1.6193686, 1.2838613, -1.136875, -0.48855686, -0.19522806, 1.5411551, -0.37026986, -0.17854981];
    let b = [-0.38537443, -1.4707389, 0.546792, 2.0955055, 1.1165617, 0.16117467, -0.5371374, -0.8921382];
    assert_eq!(product(128, [2, 4, 2], &a, &b, KTiles::Up), [0.31184387, 5.3089447, 0.5985794, 3.6086464]);
}

#[test]
fn another_order_of_tiles_is_the_usual_order_of_other_columns_and_rows() {
    let (rows, sizes) = (4u64, [5u64, 16, 6]);
    let value = |seed: u64| f64::from(u32::try_from(seed * 2_654_435_761 % 1009).expect("small")) / 97.0 - 5.0;
    // The numbers have different sizes, so that sums are rounded.
    let value = |seed: u64| value(seed) * f64::from(1 << (seed * 7 % 23));
    let [m, k, n] = sizes;
    for (dataflow, text) in [("ws", "2,0,3,1"), ("is", "3,2,0,1"), ("ws", "down"), ("is", "second-half-first")] {
        let order = KTiles::from_text(text).expect("an order");
        let from = |k_at: u64| order.tile(k_at / rows, k / rows) * rows + k_at % rows;
        let a = |row: u64, col: u64| value(row * k + col + 1);
        let b = |row: u64, col: u64| value(row * n + col + 1000);
        let run = |k_tiles: KTiles, of: &dyn Fn(u64) -> u64| {
            let listed_a: Vec<f64> =
                (0..m).flat_map(|row| (0..k).map(move |col| (row, col))).map(|(row, col)| a(row, of(col))).collect();
            let listed_b: Vec<f64> =
                (0..k).flat_map(|row| (0..n).map(move |col| (row, col))).map(|(row, col)| b(of(row), col)).collect();
            let array = ArrayShape::new(rows, 3).expect("small");
            let schedule = Schedule::new(
                Gemm::new(m, k, n).expect("small"),
                array,
                dataflow.parse().expect("a dataflow"),
                Padding::Ragged,
            )
            .and_then(|schedule| schedule.with(Design { k_tiles, ..Design::default() }))
            .expect("whole tiles");
            Run::listed(schedule, &listed_a, &listed_b, MacUnit::new(Dtype::Bf16)).expect("the sizes fit")
        };
        let (other, moved, usual) = (run(order, &|k_at| k_at), run(KTiles::Up, &from), run(KTiles::Up, &|k_at| k_at));
        assert_eq!(other.result(), moved.result(), "{dataflow} {text}");
        assert_ne!(other.result(), usual.result(), "a swapped tile changes digits");
        for cycle in (0..=other.schedule().last_cycle().get()).map(systolic::Cycle) {
            for pe in [PeId::new(0, 0), PeId::new(3, 2), PeId::new(2, 1)] {
                assert_eq!(
                    other.prober().registers(cycle, pe),
                    moved.prober().registers(cycle, pe),
                    "{text} {cycle:?}"
                );
            }
        }
    }
}
