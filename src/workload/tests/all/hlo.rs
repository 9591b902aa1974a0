//! XLA's own text of the programs that jax counts: `tests/golden/stablehlo_flops.csv`.

use std::fs;

use crate::golden::golden;
use proptest::prelude::{any, prop};
use proptest::proptest;
use workload::{Content, Kind, Workload};

fn read(name: &str) -> String {
    let path = golden().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn workload(text: &str) -> Workload {
    match Content::of(text.as_bytes()) {
        Ok(Content::Products(work)) => work,
        other => panic!("{other:?}: {text}"),
    }
}

fn sizes(text: &str) -> Vec<([u64; 3], u64)> {
    workload(text).products.iter().map(|product| (product.sizes.mkn(), product.count)).collect()
}

#[test]
fn every_program_has_the_flops_that_jax_counts_before_and_after_xla_optimizes_it() {
    let rows = read("stablehlo_flops.csv");
    assert_eq!(rows.lines().count(), 2 + 9);
    for row in rows.lines().skip(2) {
        let (program, flops) = row.split_once(',').expect("two columns");
        let flops: u128 = flops.parse().expect("a number");
        for ending in ["before", "after"] {
            let work = workload(&read(&format!("hlo/{program}.{ending}.hlo")));
            let found = 2 * work.executed_macs();
            assert_eq!(found, flops, "{program}.{ending}: {:#?}", work.products);
            assert!(work.left_out.is_empty(), "{program}.{ending}: {:?}", work.left_out);
        }
    }
}

#[test]
fn a_sharded_program_has_the_sizes_of_one_device_in_every_text() {
    for program in ["shard_map", "pjit"] {
        for file in [
            format!("stablehlo/{program}.mlir"),
            format!("stablehlo/{program}.generic.mlir"),
            format!("hlo/{program}.before.hlo"),
            format!("hlo/{program}.after.hlo"),
        ] {
            assert_eq!(sizes(&read(&file)), [([8, 16, 24], 1)], "{file}");
        }
    }
}

#[test]
fn a_matmul_that_a_tpu_program_writes_as_a_convolution_is_a_matmul() {
    let program =
        |line: &str| format!("HloModule m, is_scheduled=true\n\nENTRY %main (a: f32[1]) -> f32[1] {{\n{line}\n}}\n");
    // Attention over 8 heads: exactly one element of the dilated window is not zero.
    let batched = "  %c = f32[8,128,128]{2,1,0} convolution(f32[8,128,64]{2,1,0} %q, f32[8,64,128]{2,1,0} %k), \
        window={size=8 stride=7 pad=0_0 lhs_dilate=8}, dim_labels=0bf_0io->0bf";
    assert_eq!(sizes(&program(batched)), [([128, 64, 128], 8)]);
    let plain = "  %c = f32[128,256]{1,0} convolution(f32[128,64]{1,0} %a, f32[64,256]{1,0} %b), dim_labels=bf_io->bf";
    assert_eq!(sizes(&program(plain)), [([128, 64, 256], 1)]);
    let image = "  %c = f32[2,7,7,16]{3,2,1,0} convolution(f32[2,14,14,3]{3,2,1,0} %a, f32[3,3,3,16]{3,2,1,0} %b), \
        window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=b01f_01io->b01f";
    assert_eq!(sizes(&program(image)), [([98, 27, 16], 1)]);
    assert_eq!(workload(&program(image)).products[0].kind, Kind::Convolution);
}

#[test]
fn a_library_call_of_a_gpu_is_a_matmul_and_an_unknown_call_is_named() {
    let text = "HloModule jit_f, is_scheduled=true

ENTRY %main.4 (Arg_0.1: bf16[512,1024], Arg_1.2: bf16[1024,256]) -> bf16[512,256] {
  %Arg_0.1 = bf16[512,1024]{1,0} parameter(0)
  %Arg_1.2 = bf16[1024,256]{1,0} parameter(1)
  %cublas-gemm.1 = (bf16[512,256]{1,0}, s8[4194304]{0}) custom-call(bf16[512,1024]{1,0} %Arg_0.1, bf16[1024,256]{1,0} \
%Arg_1.2), custom_call_target=\"__cublas$gemm\", backend_config={\"gemm_backend_config\":{\"alpha_real\":1,\"beta\":0,\
\"dot_dimension_numbers\":{\"lhs_contracting_dimensions\":[\"1\"],\"rhs_contracting_dimensions\":[\"0\"],\
\"lhs_batch_dimensions\":[],\"rhs_batch_dimensions\":[]}}}
  %flash.2 = bf16[512,256]{1,0} custom-call(%Arg_0.1), custom_call_target=\"tpu_custom_call\"
  ROOT %get-tuple-element = bf16[512,256]{1,0} get-tuple-element((bf16[512,256]{1,0}, s8[4194304]{0}) %cublas-gemm.1), index=0
}
";
    assert_eq!(sizes(text), [([512, 1024, 256], 1)]);
    let said = workload(text).left_out.iter().map(|left| left.what.to_string()).collect::<Vec<_>>();
    assert_eq!(said, ["the custom call “tpu_custom_call” in line 7, whose code is not in the text"]);
}

#[test]
fn a_loop_runs_as_often_as_xla_says_or_once_and_is_told() {
    let looped = |known: &str| {
        format!(
            "HloModule m

%body (p: (s32[], f32[8,16], f32[16,16])) -> (s32[], f32[8,16], f32[16,16]) {{
  %p = (s32[], f32[8,16]{{1,0}}, f32[16,16]{{1,0}}) parameter(0)
  %x = f32[8,16]{{1,0}} get-tuple-element(%p), index=1
  %w = f32[16,16]{{1,0}} get-tuple-element(%p), index=2
  %dot = f32[8,16]{{1,0}} dot(%x, %w), lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}
}}

%cond (p.1: (s32[], f32[8,16], f32[16,16])) -> pred[] {{
  %p.1 = (s32[], f32[8,16]{{1,0}}, f32[16,16]{{1,0}}) parameter(0)
}}

ENTRY %main (a: (s32[], f32[8,16], f32[16,16])) -> (s32[], f32[8,16], f32[16,16]) {{
  %a = (s32[], f32[8,16]{{1,0}}, f32[16,16]{{1,0}}) parameter(0)
  ROOT %while = (s32[], f32[8,16]{{1,0}}, f32[16,16]{{1,0}}) while(%a), condition=%cond, body=%body{known}
}}
"
        )
    };
    assert_eq!(sizes(&looped(", backend_config={\"known_trip_count\":{\"n\":\"7\"}}")), [([8, 16, 16], 7)]);
    let unknown = workload(&looped(""));
    assert_eq!(unknown.products[0].count, 1);
    assert!(unknown.left_out[0].what.to_string().contains("its trip count is not in the text"));
}

#[test]
fn a_text_without_computations_is_refused() {
    let refused = Content::of(b"HloModule x").expect_err("nothing in it").to_string();
    assert_eq!(refused, "The HLO text has no computation: use the whole text, from HloModule to the last brace.");
}

proptest! {
    #[test]
    fn no_changed_program_makes_it_panic(
        program in 0usize..6,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..12),
    ) {
        let name = ["training.before", "training.after", "nested.before", "nested.after", "convolution.after", "pjit.after"][program];
        let mut lines: Vec<String> = read(&format!("hlo/{name}.hlo")).lines().map(String::from).collect();
        for (from, to) in changes {
            let (from, to) = (from.index(lines.len()), to.index(lines.len()));
            let part: String = lines[from].chars().skip(to % 7).step_by(1 + to % 2).collect();
            lines[to] = part;
        }
        if let Ok(Content::Products(work)) = Content::of(lines.join("\n").as_bytes()) {
            assert!(work.flops().is_finite());
        }
    }
}
