//! Compares layers with those of SCALE-Sim's own loader: `tests/golden/scalesim_topologies.csv`.

use std::collections::BTreeMap;
use std::fs;

use crate::golden::golden;
use proptest::prelude::{any, prop};
use proptest::proptest;
use workload::topology::{Form, workload};
use workload::{Product, Workload};

fn read(name: &str) -> String {
    let path = golden().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Name of the file, the way in which SCALE-Sim's loader read it, and its layers: names with M, K and N.
type Loaded = BTreeMap<String, (String, Vec<(String, [u64; 3])>)>;

fn loaded_by_scale_sim() -> Loaded {
    let mut files = Loaded::new();
    for row in read("scalesim_topologies.csv").lines().skip(2) {
        let cells: Vec<&str> = row.split(',').collect();
        let (_, layers) = files.entry(cells[0].into()).or_insert((cells[1].into(), vec![]));
        if cells[1] != "refused" {
            let sizes = [3, 4, 5].map(|at| cells[at].parse().expect("the golden file holds numbers"));
            layers.push((cells[2].into(), sizes));
        }
    }
    files
}

/// Returns the layers as SCALE-Sim lists them. A depthwise layer is one layer for each channel.
fn layers(work: &Workload) -> Vec<(String, [u64; 3])> {
    let each = |product: &Product| {
        let (name, sizes, count) = (product.name.clone(), product.sizes.mkn(), product.count);
        (0..count)
            .map(move |at| if name.contains("DP") { format!("{name}Channel_{at}") } else { name.clone() })
            .zip(std::iter::repeat(sizes))
            .collect::<Vec<_>>()
    };
    work.products.iter().flat_map(each).collect()
}

/// File with a batch of 4. SCALE-Sim's loader does not support batches: it refuses other files with a batch, and
/// ignores this one, because a sparsity column follows.
const BATCH_LOST: &str = "conv_nets/conv_batch_4_sparse.csv";

/// Files that both loaders refuse, each with our error.
const REFUSED: [(&str, &str); 7] = [
    ("CSV/LSTM.csv", "Line 2: input width = B: use a whole number, 1 or more."),
    ("CSV/MLPERF.csv", "Line 3: input height is missing: every row needs it."),
    ("mlperf/NCF_recommendation.csv", "Line 3: input height is missing: every row needs it."),
    ("mlperf/Sentimental_seqLSTM.csv", "Line 3: input height is missing: every row needs it."),
    ("mlperf/Transformer.csv", "Line 3: input height is missing: every row needs it."),
    ("rnn_eval/LSTM_template.csv", "Line 2: input width = B: use a whole number, 1 or more."),
    ("sparsity/gemm_mix.csv", "Line 2: sparsity = 1: use N:M with N at most M, such as 2:4."),
];

#[test]
fn every_file_has_the_layers_that_scale_sim_finds_or_is_refused_with_a_reason() {
    let files = loaded_by_scale_sim();
    let sources = read("topologies/sources.csv");
    let theirs = files.keys().filter(|file| !file.starts_with("own/"));
    assert!(theirs.eq(sources.lines().skip(1).filter_map(|row| row.split(',').next())), "every file has its source");
    let how = |word: &str| files.values().filter(|(loaded, _)| loaded == word).count();
    assert_eq!([how("as it is"), how("mended"), how("refused")], [123, 36, REFUSED.len()]);
    for (file, (loaded, mut expected)) in files {
        let text = read(&format!("topologies/{file}"));
        if loaded == "refused" {
            let (_, reason) = REFUSED.iter().find(|(name, _)| *name == file).expect("only these are refused");
            assert_eq!(workload(&text, None).expect_err(&file)[0].to_string(), *reason, "{file}");
            continue;
        }
        if file == BATCH_LOST {
            expected.iter_mut().for_each(|(_, [m, ..])| *m *= 4);
        }
        // Other line ends and a byte order mark change nothing.
        let plain = text.replace("\r\n", "\n");
        for text in [plain.clone(), plain.replace('\n', "\r\n"), format!("\u{feff}{plain}")] {
            let work = workload(&text, None).unwrap_or_else(|problems| panic!("{file}: {problems:?}"));
            assert_eq!(layers(&work), expected, "{file}");
        }
    }
}

#[test]
fn u_net_without_padding_has_the_pixels_of_the_paper() {
    // In U-Net (Ronneberger et al. 2015, figure 1), each 3×3 convolution reduces height and width by two pixels.
    let work = workload(&read("topologies/conv_nets/UNet_maestro.csv"), None).expect("its cells are cut by tabs");
    let sides: Vec<u64> = work.products.iter().map(|product| product.sizes.m.isqrt()).collect();
    let down = [570, 568, 282, 280, 138, 136, 66, 64, 30, 28];
    assert_eq!(sides[..10], down);
}

#[test]
fn a_header_may_name_the_sizes_in_another_order() {
    let work = workload("Layer,K,N,M\na,2,3,5\n", None).expect("it is clear");
    assert_eq!(work.products[0].sizes.mkn(), [5, 2, 3]);
}

#[test]
fn a_batch_multiplies_the_rows_and_a_sparsity_is_told() {
    let header = "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides, Batch, Sparsity,";
    let work = workload(&format!("{header}\na,5,5,3,3,2,6,1,4,2:4,\n"), None).expect("it is clear");
    assert_eq!(work.products[0].sizes.mkn(), [9 * 4, 18, 6]);
    assert!(work.notes.iter().any(|note| note.to_string().contains("the sparsity 2:4 is not applied")));
}

#[test]
fn the_caller_may_say_what_the_rows_are() {
    let text = "name,a,b,c,d,e,f,g,\nx,8,8,3,3,4,16,1,\n";
    assert!(workload(text, None).expect_err("the header says nothing")[0].to_string().contains("unknown columns"));
    let product = &workload(text, Some(Form::Gemms)).expect("forced").products[0];
    assert_eq!(product.sizes.mkn(), [8, 3, 8]);
    let convolution = &workload(text, Some(Form::Convolutions)).expect("forced").products[0];
    assert_eq!(convolution.sizes.mkn(), [36, 36, 16]);
}

#[test]
fn every_line_that_cannot_be_used_is_told() {
    let text = "Layer,M,N,K,\na,1,2,x,\nb,1,2,\nc,0,1,1,\nd,18446744073709551615,18446744073709551615,9,\ne,1,1,1,\n";
    let said: Vec<String> = workload(text, None).expect_err("four are bad").iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "Line 2: K = x: use a whole number, 1 or more.",
            "Line 3: K is missing: every row needs it.",
            "Line 4: M = 0: use a whole number, 1 or more.",
            "Line 5: These sizes need more than 2^100 multiply-accumulates, which no machine could run: use smaller sizes.",
        ]
    );
    let conv = "Layer,IFMAP h,IFMAP w,Filter h,Filter w,Ch,Num,Stride\na,2,9,3,3,1,1,1,\n";
    let said = workload(conv, None).expect_err("the filter is too large")[0].to_string();
    assert_eq!(said, "Line 2: the filter is 3 high, larger than the input: use at most 2.");
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
        let mut text: Vec<char> = read(["topologies/conv_nets/alexnet.csv", "topologies/own/depthwise.csv", "topologies/own/gemm_padded.csv"][file]).chars().collect();
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

/// Returns M, K, N and count of each matmul, and the notes.
fn sizes(text: &str) -> (Vec<[u64; 4]>, Vec<String>) {
    let work = workload(text, None).unwrap_or_else(|problems| panic!("{text}: {}", problems[0]));
    let of = |product: &Product| {
        let [m, k, n] = product.sizes.mkn();
        [m, k, n, product.count]
    };
    (work.products.iter().map(of).collect(), work.notes.iter().map(ToString::to_string).collect())
}

const CONVOLUTION: &str =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides";

#[test]
fn a_column_that_multiplies_the_work_is_used() {
    assert_eq!(sizes("Layer,M,N,K,Count\nqk,512,512,64,16\n").0, [[512, 64, 512, 16]]);
    assert_eq!(sizes("Layer,M,N,K,Heads,Batch\nqk,512,512,64,16,2\n").0, [[1024, 64, 512, 16]]);
    // A count by hand gives (58 − 3 + 1)² positions. In each of 64 groups, one channel has one filter of 3×3.
    assert_eq!(sizes(&format!("{CONVOLUTION}, Groups\nc,58,58,3,3,64,64,1,64\n")).0, [[56 * 56, 9, 1, 64]]);
    assert_eq!(sizes(&format!("{CONVOLUTION}, Count\nc,58,58,3,3,64,64,1,4\n")).0, [[56 * 56, 576, 64, 4]]);
}

#[test]
fn padding_and_dilation_change_the_number_of_positions() {
    let (found, notes) = sizes(&format!("{CONVOLUTION}, Padding\nc,56,56,3,3,64,64,1,1\nd,56,56,3,3,64,64,1,0\n"));
    assert_eq!(found, [[56 * 56, 576, 64, 1], [54 * 54, 576, 64, 1]]);
    assert!(!notes.iter().any(|note| note.contains("without padding")), "{notes:?}");
    // A filter of 3 that skips every second value covers 5 values.
    assert_eq!(sizes(&format!("{CONVOLUTION}, Dilation\nc,56,56,3,3,64,64,1,2\n")).0, [[52 * 52, 576, 64, 1]]);
}

#[test]
fn the_names_in_the_header_decide_the_order_and_no_name_may_contradict_it() {
    let table = "Layer, IFMAP H, IFMAP W, Channels, Filter H, Filter W, Num Filter, Stride\nc,28,28,16,3,3,32,1\n";
    assert_eq!(sizes(table).0, [[26 * 26, 9 * 16, 32, 1]]);
    let odd = "Layer, IFMAP H, IFMAP W, Channels, Filter H, Filter W, Zebras, Stride\nc,28,28,16,3,3,32,1\n";
    assert!(workload(odd, None).expect_err("which are the filters?")[0].to_string().contains("unknown columns"));
}

#[test]
fn any_delimiter_quotation_marks_and_separated_thousands_are_read() {
    let table = format!("{CONVOLUTION}\nconv1,224,224,7,7,3,64,2\n").replace(',', ";");
    assert_eq!(sizes(&table).0[0][1..], [147, 64, 1]);
    assert_eq!(
        sizes("\"layer\",\"M\",\"N\",\"K\"\n\"qkv, fused\",\"512\",\"3,072\",\"1024\"\n").0,
        [[512, 1024, 3072, 1]]
    );
    assert_eq!(sizes("layer\tM\tN\tK\na\t1,024\t12,288\t4,096\n").0, [[1024, 4096, 12288, 1]]);
    let refused = workload("layer\tM\tN\tK\na\t1,02\t1\t1\n", None).expect_err("no thousands");
    assert_eq!(refused[0].to_string(), "Line 2: M = 1,02: use a whole number, 1 or more.");
}

#[test]
fn a_column_without_effect_is_named_and_groups_must_divide() {
    let (_, notes) = sizes("Layer,M,N,K,Precision,Owner\na,1,2,3,int8,me\n");
    assert_eq!(notes, ["These columns have no effect: “Precision”, “Owner”."]);
    let refused = workload(&format!("{CONVOLUTION}, Groups\nc,58,58,3,3,64,64,1,5\n"), None).expect_err("5");
    assert_eq!(refused[0].to_string(), "Line 2: groups = 5: use a divisor of 64 channels and of 64 filters.");
}
