//! What people paste is read as they mean it.

use proptest::prelude::any;
use proptest::proptest;
use workload::Product;
use workload::paste::workload;

/// M, K, N and count.
fn counted(product: &Product) -> [u64; 4] {
    let [m, k, n] = product.sizes.mkn();
    [m, k, n, product.count]
}

/// M, K, N, count and name of each product.
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
    // A title is no header.
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
