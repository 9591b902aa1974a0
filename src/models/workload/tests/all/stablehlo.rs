//! Tests that programs have the FLOPs that jax counted before it printed them: `tests/golden/stablehlo_flops.csv`.

use std::fs;

use crate::golden::golden;
use proptest::prelude::{any, prop};
use proptest::proptest;
use workload::stablehlo::workload;
use workload::{Kind, Product};

fn read(name: &str) -> String {
    let path = golden().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn sizes(product: &Product) -> [u64; 4] {
    let [m, k, n] = product.sizes.mkn();
    [m, k, n, product.count]
}

#[test]
fn every_program_has_the_flops_that_jax_counts_in_both_syntaxes() {
    let rows = read("stablehlo_flops.csv");
    assert_eq!(rows.lines().count(), 2 + 9);
    for row in rows.lines().skip(2) {
        let (program, flops) = row.split_once(',').expect("two columns");
        for ending in ["mlir", "generic.mlir"] {
            let work = workload(&read(&format!("stablehlo/{program}.{ending}"))).expect(program);
            let found = 2 * work.executed_macs();
            assert_eq!(found, flops.parse().expect("a number"), "{program}.{ending}: {:#?}", work.products);
            assert!(work.left_out.is_empty(), "{program}.{ending}: {:?}", work.left_out);
        }
    }
}

#[test]
fn batches_are_counted_and_a_scan_is_multiplied() {
    let work = workload(&read("stablehlo/attention.mlir")).expect("jax wrote it");
    assert_eq!(sizes(&work.products[0]), [16, 8, 16, 8], "two sequences of four heads");
    let work = workload(&read("stablehlo/layers.mlir")).expect("jax wrote it");
    assert_eq!(work.products.iter().map(sizes).collect::<Vec<_>>(), [[8, 16, 64, 12], [8, 64, 16, 12]]);
}

#[test]
fn an_operation_may_take_several_lines() {
    let text = "module {
  func.func @main(%x: tensor<1x3x32x32xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<1x16x30x30xf32> {
    // stablehlo.dot_general in a comment does not count.
    %y = stablehlo.convolution(%x, %w)
      dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1],
      window = {stride = [1, 1], pad = [[0, 0], [0, 0]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x3x32x32xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x30x30xf32>
    return %y : tensor<1x16x30x30xf32>
  }
}";
    let work = workload(text).expect("it is a program");
    assert_eq!(work.products.iter().map(sizes).collect::<Vec<_>>(), [[900, 27, 16, 1]]);
    assert_eq!(work.products[0].kind, Kind::Convolution);
}

#[test]
fn a_loop_of_unknown_length_counts_once_and_is_told() {
    // jax prints a while_loop like this if its limit is an argument.
    let text = "func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> (tensor<8x16xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg2, %iterArg_0 = %arg1, %iterArg_1 = %arg0, %iterArg_2 = %c) : tensor<i32>
    cond {
      %2 = stablehlo.compare LT, %iterArg_2, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %1 = stablehlo.dot_general %iterArg_1, %iterArg_0, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_2, %c_3 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %1, %2 : tensor<i32>, tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>
    }
    return %0#2 : tensor<8x16xf32>
  }";
    let work = workload(text).expect("it is a program");
    assert_eq!(work.products.iter().map(sizes).collect::<Vec<_>>(), [[8, 16, 16, 1]]);
    let said =
        "further repetitions of the loop in line 3, which is counted once because its trip count is not in the text";
    assert_eq!(work.left_out[0].what.to_string(), said);
}

#[test]
fn a_loop_counts_its_trips_and_a_loop_whose_limit_is_below_its_start_has_none() {
    let counted = |start: i64, limit: i64| {
        let text = format!(
            "func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x16xf32>) -> (tensor<8x16xf32>) {{
    %c = stablehlo.constant dense<{start}> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg0, %iterArg_1 = %c) : tensor<16x16xf32>
    cond {{
      %c_2 = stablehlo.constant dense<{limit}> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }} do {{
      %1 = stablehlo.dot_general %iterArg_0, %iterArg, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_1, %c_3 : tensor<i32>
      stablehlo.return %iterArg, %1, %2 : tensor<16x16xf32>, tensor<8x16xf32>, tensor<i32>
    }}
    return %0#1 : tensor<8x16xf32>
  }}"
        );
        workload(&text).map(|work| work.products.iter().map(|product| product.count).sum::<u64>())
    };
    assert_eq!(counted(0, 5).expect("a program"), 5);
    assert_eq!(counted(2, 5).expect("a program"), 3);
    assert_eq!(counted(-2, 5).expect("a program"), 7);
    // The body of such a loop never runs, so the program has no matmul.
    assert_eq!(counted(5, 2).map_err(|why| why.to_string()), Ok(0));
}

#[test]
fn sizes_that_are_not_written_are_told() {
    let text = "func.func @main(%a: tensor<?x16xf32>, %b: tensor<16x4xf32>) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<?x16xf32>, tensor<16x4xf32>) -> tensor<?x4xf32>
  }";
    let work = workload(text).expect("it is a program");
    assert_eq!(work.left_out[0].what.to_string(), "the matmul “%0” in line 2, because its sizes are not in the text");
}

#[test]
fn a_kernel_of_its_own_is_left_out_by_name_in_both_syntaxes() {
    // jax prints a Pallas kernel and cuBLAS like this, after a matmul.
    for call in [
        "%1 = stablehlo.custom_call @tpu_custom_call(%0, %0) {backend_config = \"\"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>",
        "%1 = \"stablehlo.custom_call\"(%0, %0) <{api_version = 1 : i32, call_target_name = \"tpu_custom_call\"}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>",
    ] {
        let text = format!(
            "func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) {{
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    {call}
  }}"
        );
        let work = workload(&text).expect("it is a program");
        assert_eq!(work.products.iter().map(sizes).collect::<Vec<_>>(), [[8, 16, 8, 1]]);
        let said = "the custom call “tpu_custom_call” in line 3, whose code is not in the text";
        assert_eq!(work.left_out.iter().map(|left| left.what.to_string()).collect::<Vec<_>>(), [said]);
    }
}

#[test]
fn a_custom_call_that_only_says_where_data_lie_is_no_work() {
    let text = "func.func @main(%a: tensor<8x16xf32>) {
    %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = \"{replicated}\"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %1 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.custom_call @mhlo.erf(%1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  }";
    assert_eq!(workload(text).expect("it is a program").left_out, []);
}

#[test]
fn other_operations_that_multiply_matrices_are_left_out_by_name() {
    let text = "func.func @main(%a: tensor<8x8xf32>, %g: tensor<4xi32>, %w: tensor<4x8x8xf32>) {
    %0 = stablehlo.cholesky %a, lower = true : tensor<8x8xf32>
    %1 = \"stablehlo.triangular_solve\"(%0, %a) <{left_side = true}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = \"chlo.ragged_dot\"(%1, %w, %g) : (tensor<8x8xf32>, tensor<4x8x8xf32>, tensor<4xi32>) -> tensor<8x8xf32>
    %3 = stablehlo.fft %2, type = FFT, length = [8] : (tensor<8x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
  }";
    let work = workload(text).expect("it is a program");
    let said: Vec<String> = work.left_out.iter().map(|left| left.what.to_string()).collect();
    assert_eq!(
        said,
        [
            "the “cholesky” in line 2, which is not a single matmul",
            "the “triangular_solve” in line 3, which is not a single matmul",
            "the matmul “%2” in line 4, because its sizes are not in the text",
            "the “fft” in line 5, which is not a single matmul",
        ]
    );
}

#[test]
fn a_convolution_of_no_groups_has_no_sizes() {
    let text = "func.func @main() {
    %y = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {} \
        {batch_group_count = 1 : i64, feature_group_count = 0 : i64} \
        : (tensor<1x3x9xf32>, tensor<16x3x3xf32>) -> tensor<1x16x7xf32>
  }";
    let work = workload(text).expect("it is a program");
    assert!(work.products.is_empty() && work.left_out[0].what.to_string().starts_with("the matmul “%y” in line 2"));
}

#[test]
fn a_text_of_no_use_is_refused() {
    let refused = |text: &str| workload(text).expect_err(text).to_string();
    assert_eq!(refused("hello"), "The file has no func.func: use StableHLO in text form.");
    let circle = "func.func @main() {\n call @a() : () -> ()\n}\nfunc.func @a() {\n call @main() : () -> ()\n}";
    assert_eq!(refused(circle), "The function “main” calls itself: remove the recursion.");
    assert!(refused(&"func.func @a() {\n".repeat(300)).contains("64 levels deep"));
    assert!(
        refused("%0 = stablehlo.dot %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>")
            .contains("not inside a function")
    );
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>()) {
        let _ = workload(&text);
    }

    #[test]
    fn no_changed_program_makes_it_panic(
        program in 0usize..4,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..12),
    ) {
        let name = ["training.mlir", "training.generic.mlir", "nested.mlir", "convolution.generic.mlir"][program];
        let mut lines: Vec<String> = read(&format!("stablehlo/{name}")).lines().map(String::from).collect();
        for (from, to) in changes {
            let (from, to) = (from.index(lines.len()), to.index(lines.len()));
            let part: String = lines[from].chars().skip(to % 7).step_by(1 + to % 2).collect();
            lines[to] = part;
        }
        if let Ok(work) = workload(&lines.join("\n")) {
            assert!(work.flops().is_finite());
        }
    }
}

#[test]
fn programs_in_mhlo_ragged_products_and_partitions_are_counted() {
    let sizes = |text: &str| {
        let work = workload(text).expect("a program");
        work.products.iter().map(|product| (product.sizes.mkn(), product.count)).collect::<Vec<_>>()
    };
    let old = "func.func @main(%a: tensor<16x8xi8>, %b: tensor<8x4xi8>) -> tensor<16x4xi32> {\n  \
        %0 = \"mhlo.dot_general\"(%a, %b) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], \
        rhs_contracting_dimensions = [0]>} : (tensor<16x8xi8>, tensor<8x4xi8>) -> tensor<16x4xi32>\n  \
        return %0 : tensor<16x4xi32>\n}\n";
    assert_eq!(sizes(old), [([16, 8, 4], 1)]);
    // Each of 4096 tokens belongs to one of 64 experts.
    let ragged = "func.func @main(%a: tensor<4096x2048xbf16>, %b: tensor<64x2048x1408xbf16>, %c: tensor<64xi32>) {\n  \
        %0 = \"chlo.ragged_dot\"(%a, %b, %c) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<\
        lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], \
        rhs_group_dimensions = [0]>}> : (tensor<4096x2048xbf16>, tensor<64x2048x1408xbf16>, tensor<64xi32>) -> \
        tensor<4096x1408xbf16>\n  return\n}\n";
    assert_eq!(sizes(ragged), [([4096, 2048, 1408], 1)]);
    let sharded = "module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {\n  \
        func.func public @main(%a: tensor<8192x4096xbf16>, %b: tensor<4096x4096xbf16>) {\n    \
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8192x4096xbf16>, \
        tensor<4096x4096xbf16>) -> tensor<8192x4096xbf16>\n    return\n  }\n}\n";
    assert_eq!(sizes(sharded), [([1024, 4096, 4096], 1)]);
    let notes = workload(sharded).expect("a program").notes;
    assert!(notes.iter().any(|note| note.to_string().starts_with("The program runs on 8 partitions")), "{notes:?}");
    assert_eq!(sizes(&sharded.replace("= 8", "= 1")), [([8192, 4096, 4096], 1)]);
}
