//! Tests that the reader understands pasted tables as their authors intend.

use proptest::prelude::any;
use proptest::proptest;
use workload::paste::workload;
use workload::{Content, Product};

/// M, K, N and count.
fn counted(product: &Product) -> [u64; 4] {
    let [m, k, n] = product.sizes.mkn();
    [m, k, n, product.count]
}

/// Returns M, K, N, count and name of each matmul.
fn read(text: &str) -> Vec<([u64; 4], String)> {
    let work = workload(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
    work.products.into_iter().map(|product| (counted(&product), product.name)).collect()
}

#[test]
fn plain_lines_are_m_k_n_count_and_name() {
    let found = read("128,512,1536\n 4_096 , 64,  1'000, 32\n1,2,3,4,up\nqk,5,6,7\n");
    let expected =
        [([128, 512, 1536, 1], "line 1"), ([4096, 64, 1000, 32], "line 2"), ([1, 2, 3, 4], "up"), ([5, 6, 7, 1], "qk")];
    assert_eq!(found, expected.map(|(sizes, name)| (sizes, name.to_owned())));
}

#[test]
fn a_header_decides_the_order_and_a_table_of_markdown_is_read() {
    let table = "| name | M | N | K | count |\n|------|--:|--:|:-:|---|\n| q | 1 | 2 | 3 | 4 |\n| k | 1 | 2 | 3 | |\n";
    assert_eq!(read(table), [([1, 3, 2, 4], "q".to_owned()), ([1, 3, 2, 1], "k".to_owned())]);
    assert_eq!(read("M\tN\tK\n16\t32\t8")[0].0, [16, 8, 32, 1]);
    assert_eq!(read("M K N\n16 32 8")[0].0, [16, 32, 8, 1]);
    assert_eq!(read("16 × 32 × 8")[0].0, [16, 32, 8, 1]);
    assert_eq!(read("# from my notes\n\n16;32;8;\n")[0].0, [16, 32, 8, 1]);
}

#[test]
fn a_column_that_is_not_used_moves_no_other() {
    let found = read("id,M,K,N,note\n7,512,1024,4096,up\n8,1,2,3,\n");
    assert_eq!(found, [([512, 1024, 4096, 1], "up".to_owned()), ([1, 2, 3, 1], "line 3".to_owned())]);
    let found = read("count;layer 2;N;M;K\n5;a;3;1;2\n");
    assert_eq!(found, [([1, 2, 3, 5], "a".to_owned())]);
    let refused = workload("in,out,batch\n1,2,3\n").expect_err("which is which?");
    assert!(refused[0].to_string().starts_with("Line 1: unknown columns"), "{}", refused[0]);
    // A title is not a header.
    assert_eq!(read("my layers\n1,2,3\n"), [([1, 2, 3, 1], "line 2".to_owned())]);
}

#[test]
fn a_name_behind_sizes_with_crosses_stays_whole() {
    for (line, sizes, name) in [
        ("128x512x1536 next", [128, 512, 1536, 1], "next"),
        ("128x512x1536 max", [128, 512, 1536, 1], "max"),
        ("128 x 512 x 1536 x 4 mlp.fc x2", [128, 512, 1536, 4], "mlp.fc x2"),
        ("128 x 512 x 1536 4 x", [128, 512, 1536, 4], "x"),
        ("128×512×1536 xq*k", [128, 512, 1536, 1], "xq*k"),
        ("128*512*1536x32", [128, 512, 1536, 32], "line 1"),
        ("128X512X1536 Exit", [128, 512, 1536, 1], "Exit"),
        ("128x512x1536 x2", [128, 512, 1536, 2], "line 1"),
    ] {
        assert_eq!(read(line), [(sizes, name.to_owned())], "{line}");
    }
    let said = |text: &str| workload(text).expect_err(text).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(said("128x512"), ["Line 1: N is missing: every row needs it."]);
    assert_eq!(said("128x512 next"), ["Line 1: N is missing: every row needs it."]);
    assert_eq!(said("1x2x3x4x5"), ["Line 1: the line has one number too many, 5: use only M, K, N and a count."]);
    assert_eq!(said("1x2x3x4k"), ["Line 1: count = 4k: use a whole number, 1 or more."]);
}

#[test]
fn a_first_cell_with_a_sign_is_a_size_and_no_name() {
    let said = |text: &str| workload(text).expect_err(text).iter().map(ToString::to_string).collect::<Vec<_>>();
    for first in ["-1", "+-1", "\u{2212}1", ".5"] {
        let wanted = format!("Line 1: M = {first}: use a whole number, 1 or more.");
        assert_eq!(said(&format!("{first},4,9e99")), [wanted]);
    }
    assert_eq!(read("-proj,1,2,3"), [([1, 2, 3, 1], "-proj".to_owned())]);
}

#[test]
fn a_bad_line_is_told_with_its_number() {
    let said = |text: &str| workload(text).expect_err(text).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        said("M,K,N\n1,2\n3,4,5\n6,seven,8\n9,9,0\n"),
        [
            "Line 2: N is missing: every row needs it.",
            "Line 4: K = seven: use a whole number, 1 or more.",
            "Line 5: N = 0: use a whole number, 1 or more.",
        ]
    );
    assert_eq!(said("1,2,3,4,5,6"), ["Line 1: the line has one number too many, 5: use only M, K, N and a count."]);
    assert_eq!(said("\n"), ["Line 1: the line has no layer: put one layer on each line."]);
    assert_eq!(said(&"x,1\n".repeat(99)).len(), 20);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), lines in r"([|0-9,;\tx×*M K\n_-]){0,80}") {
        let _ = workload(&text);
        if let Ok(work) = workload(&lines) {
            assert!(work.flops().is_finite());
        }
    }
}

#[test]
fn a_column_that_multiplies_the_work_is_used_and_another_is_named() {
    assert_eq!(read("name,batch,M,N,K\nqk,16,512,512,64\n")[0].0, [512, 64, 512, 16]);
    assert_eq!(read("name,batch,heads,M,N,K,calls\nqk,16,2,512,512,64,3\n")[0].0, [512, 64, 512, 96]);
    assert_eq!(read("name\tM\tK\tN\nqkv\t1,024\t4,096\t12,288\n")[0].0, [1024, 4096, 12288, 1]);
    let notes = |text: &str| workload(text).expect("read").notes.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(notes("name,M,N,K,precision\na,1,2,3,int8\n"), ["These columns have no effect: “precision”."]);
    assert_eq!(notes("1,2,3\n"), ["The lines have no header: their numbers are read as M, K, N and a count."]);
    assert_eq!(notes("M,K,N\n1,2,3\n"), [""; 0]);
}

#[test]
fn two_columns_with_one_meaning_are_refused_in_every_reader() {
    let said = |text: &str| Content::of(text.as_bytes()).expect_err(text).to_string();
    for (header, column) in [
        ("M,N,K,batch,batch_count", "batch"),
        ("M,N,K,count,calls", "count"),
        ("M,N,K,heads,n_heads", "heads"),
        ("Layer,M,N,K,repeats,times", "count"),
        ("Layer,M,N,K,groups,num_groups", "groups"),
    ] {
        assert_eq!(said(&format!("{header}\n1,2,3\n")), format!("Line 1: two columns mean {column}: keep only one."));
    }
    // Two columns without effect may have equal names.
    let unused = Content::of(b"Layer,M,N,K,stride_a,stride_b,pad\na,1,2,3,4,5,6\n").expect("a table");
    let Content::Products(work) = unused else { panic!("{unused:?}") };
    assert_eq!(work.notes[0].to_string(), "These columns have no effect: “stride_a”, “stride_b”, “pad”.");
    assert_eq!(read("M,N,K,layers,heads,experts,count\n1,2,3,2,3,5,7\n")[0].0, [1, 3, 2, 210]);
}

#[test]
fn the_table_of_a_profiler_has_formats_in_its_column_b() {
    // The count comes after forty other columns, and none is cut off.
    let more: String = (0..40).map(|at| format!(",x{at}")).collect();
    let ones = ",1".repeat(40);
    let text =
        format!("Provider,m,n,k,A,B,C,D{more},batch_count\nP,4352,4096,512,bf16:row,bf16:column,f32,f32{ones},3\n");
    assert_eq!(read(&text)[0].0, [4352, 512, 4096, 3]);
    assert_eq!(read("M,N,K,B\n1,2,3,4\n")[0].0, [1, 3, 2, 4], "without a column A, B is the batch");
}

#[test]
fn lines_that_name_their_sizes_are_read() {
    let text = "Testing GEMM:\n > Perf (m=  128, n= 7168, k= 2048, 1D1D, layout=NT, acc=0):   10 us |  358 TFLOPS\n M=4 N=5 K=6 batch=2\n m=1, n=2, k=3: a=1 b=7\n";
    let found = read(text);
    assert_eq!(found[0], ([128, 2048, 7168, 1], "line 2".to_owned()));
    assert_eq!(found[1].0, [4, 6, 5, 2]);
    assert_eq!(found[2].0, [1, 3, 2, 1], "an operand B");
    assert_eq!(workload(text).expect("read").notes, [], "no order is assumed");
    let said = |text: &str| workload(text).expect_err(text).iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(said("m=1, n=2, k=3, m=4"), ["Line 1: two columns mean M: keep only one."]);
    assert_eq!(said("m=1, n=x, k=3"), ["Line 1: N = x: use a whole number, 1 or more."]);
}

#[test]
fn json_lists_of_matmuls_are_read_or_the_item_is_named() {
    let read = |text: &str| match Content::of(text.as_bytes()).unwrap_or_else(|why| panic!("{text}: {why}")) {
        Content::Products(work) => {
            let notes: Vec<String> = work.notes.iter().map(ToString::to_string).collect();
            (work.products.iter().map(|one| (counted(one), one.name.clone())).collect::<Vec<_>>(), notes)
        }
        other => panic!("{text}: {other:?}"),
    };
    let qkv = ([512, 1024, 3072, 24], "qkv".to_owned());
    for text in [
        r#"[{"name": "qkv", "M": 512, "N": 3072, "K": 1024, "count": 24}]"#,
        r#"{"name": "qkv", "M": 512, "N": 3072, "K": 1024, "count": 24}"#,
        r#"[{"count": "24", "k": 1024.0, "n": 3072, "m": 512, "op": "qkv", "batch": null}]"#,
        r#"["#,
    ] {
        match text {
            "[" => assert!(Content::of(text.as_bytes()).is_err()),
            _ => assert_eq!(read(text), (vec![qkv.clone()], vec![]), "{text}"),
        }
    }
    let (found, notes) = read("{\"m\": 1, \"n\": 2, \"k\": 3, \"us\": 9}\n{\"m\": 4, \"n\": 5, \"k\": 6, \"us\": 8}\n");
    assert_eq!(found.iter().map(|one| one.0).collect::<Vec<_>>(), [[1, 3, 2, 1], [4, 6, 5, 1]]);
    assert_eq!(notes, ["These columns have no effect: “us”."]);
    let (found, notes) = read("[[1, 2, 3], [4, 5, 6, 7]]");
    assert_eq!(found.iter().map(|one| one.0).collect::<Vec<_>>(), [[1, 2, 3, 1], [4, 5, 6, 7]]);
    assert_eq!(notes, ["The lines have no header: their numbers are read as M, K, N and a count."]);
    let said = |text: &str| Content::of(text.as_bytes()).expect_err(text).to_string();
    for (text, sentence) in [
        (r#"[{"m": 1, "n": 2}]"#, "In this JSON list, item 1: K is missing: every row needs it."),
        (r#"[{"m": 1, "n": 2, "k": []}]"#, "In this JSON list, item 1: K = a list: use a whole number, 1 or more."),
        (r#"[{"m": 1, "n": 2, "k": 3}, 5]"#, "In this JSON list, item 2: M is missing: every row needs it."),
        (
            r#"[{"m": 1, "n": 2, "k": 3, "heads": 2, "n_heads": 2}]"#,
            "In this JSON list, item 1: two columns mean heads: keep only one.",
        ),
        ("[]", "In this JSON list, item 1: the line has no layer: put one layer on each line."),
    ] {
        assert_eq!(said(text), sentence);
    }
}
