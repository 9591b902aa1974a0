//! SCALE-Sim's own loader finds the same layers: `tests/golden/scalesim_topologies.csv`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::{any, prop};
use proptest::proptest;
use workload::topology::{Form, workload};

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

fn read(name: &str) -> String {
    let path = golden().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files that SCALE-Sim cannot load, and the products that stand in them.
const MORE: [(&str, &[[u64; 3]]); 2] = [
    // No comma at the end of a line: SCALE-Sim drops K. M, N, K as they stand in the file.
    (
        "gpt2.csv",
        &[
            [1024, 64, 1024],
            [1024, 1024, 64],
            [1024, 1600, 4800],
            [1024, 1600, 1600],
            [1024, 1600, 3072],
            [1024, 3072, 1600],
        ],
    ),
    // Tabs. U-Net (Ronneberger et al. 2015, figure 1): each 3×3 convolution takes two pixels off height and width.
    (
        "unet_tabs.csv",
        &[
            [570 * 570, 9, 64],
            [568 * 568, 9 * 64, 64],
            [282 * 282, 9 * 64, 128],
            [280 * 280, 9 * 128, 128],
            [138 * 138, 9 * 128, 256],
            [136 * 136, 9 * 256, 256],
            [66 * 66, 9 * 256, 512],
            [64 * 64, 9 * 512, 512],
            [30 * 30, 9 * 512, 1024],
            [28 * 28, 9 * 1024, 1024],
            [27 * 27, 4 * 1024, 512],
        ],
    ),
];

#[test]
fn every_file_has_the_layers_that_scale_sim_finds() {
    let mut expected: BTreeMap<String, Vec<[u64; 3]>> = BTreeMap::new();
    for row in read("scalesim_topologies.csv").lines().skip(2) {
        let cells: Vec<&str> = row.split(',').collect();
        let layers = expected.entry(cells[0].into()).or_default();
        if cells[1] != "refused" {
            layers.push([2, 3, 4].map(|at| cells[at].parse().expect("the golden file holds numbers")));
        }
    }
    assert_eq!(expected.len(), 16);
    for (file, layers) in expected {
        let layers = match MORE.iter().find(|(name, _)| *name == file) {
            Some((_, more)) => more.to_vec(),
            None => layers,
        };
        if file == "sparse_gemm.csv" {
            let problems = workload(&read("topologies/sparse_gemm.csv"), None).expect_err("its sparsity is 1");
            let said = "Line 2: the sparsity is “1”; allowed is N:M with N at most M, as 2:4.";
            assert_eq!(problems[0].to_string(), said);
            continue;
        }
        let work =
            workload(&read(&format!("topologies/{file}")), None).unwrap_or_else(|error| panic!("{file}: {error:?}"));
        let found: Vec<[u64; 3]> =
            work.gemms.iter().flat_map(|gemm| (0..gemm.count).map(|_| [gemm.m, gemm.k, gemm.n])).collect();
        assert_eq!(found, layers, "{file}");
    }
}

#[test]
fn a_header_may_name_the_sizes_in_another_order() {
    let work = workload("Layer,K,N,M\na,2,3,5\n", None).expect("it is clear");
    assert_eq!([work.gemms[0].m, work.gemms[0].k, work.gemms[0].n], [5, 2, 3]);
}

#[test]
fn a_batch_multiplies_the_rows_and_a_sparsity_is_told() {
    let header = "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides, Batch, Sparsity,";
    let work = workload(&format!("{header}\na,5,5,3,3,2,6,1,4,2:4,\n"), None).expect("it is clear");
    assert_eq!([work.gemms[0].m, work.gemms[0].k, work.gemms[0].n], [9 * 4, 18, 6]);
    assert!(work.notes.iter().any(|note| note.contains("the sparsity 2:4 is not applied")));
}

#[test]
fn the_caller_may_say_what_the_rows_are() {
    let text = "name,a,b,c,d,e,f,g,\nx,8,8,3,3,4,16,1,\n";
    assert!(
        workload(text, None).expect_err("the header says nothing")[0].to_string().contains("the columns are unknown")
    );
    let gemm = &workload(text, Some(Form::Gemms)).expect("forced").gemms[0];
    assert_eq!([gemm.m, gemm.k, gemm.n], [8, 3, 8]);
    let convolution = &workload(text, Some(Form::Convolutions)).expect("forced").gemms[0];
    assert_eq!([convolution.m, convolution.k, convolution.n], [36, 36, 16]);
}

#[test]
fn every_line_that_cannot_be_used_is_told() {
    let text = "Layer,M,N,K,\na,1,2,x,\nb,1,2,\nc,0,1,1,\nd,18446744073709551615,18446744073709551615,9,\ne,1,1,1,\n";
    let said: Vec<String> = workload(text, None).expect_err("four are bad").iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "Line 2: K is “x”; allowed is a whole number from 1.",
            "Line 3: K is missing; every row needs it.",
            "Line 4: M is “0”; allowed is a whole number from 1.",
            "Line 5: The sizes together are beyond 2^100 multiply-accumulates; allowed is what a machine could run.",
        ]
    );
    let conv = "Layer,IFMAP h,IFMAP w,Filter h,Filter w,Ch,Num,Stride\na,2,9,3,3,1,1,1,\n";
    let said = workload(conv, None).expect_err("the filter is too large")[0].to_string();
    assert_eq!(said, "Line 2: the filter is 3 high; allowed is at most the input's 2.");
    assert!(workload("", None).expect_err("nothing")[0].to_string().contains("no layer"));
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), form in 0usize..3) {
        let form = [None, Some(Form::Convolutions), Some(Form::Gemms)][form];
        let _ = workload(&text, form);
    }

    #[test]
    fn no_changed_file_makes_it_panic(
        file in 0usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0usize..9), 1..8),
    ) {
        let mut text: Vec<char> = read(["topologies/alexnet.csv", "topologies/own_depthwise.csv", "topologies/own_gemm_padded.csv"][file]).chars().collect();
        for (at, what) in changes {
            let at = at.index(text.len());
            text[at] = ['0', '9', ',', '\n', '\t', '-', '\u{feff}', ' ', '∞'][what];
        }
        let text: String = text.into_iter().collect();
        if let Ok(work) = workload(&text, None) {
            assert!(work.flops().is_finite());
        }
    }
}
