//! The command as a user runs it.

use std::process::{Command, Output};

fn systolic(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_systolic")).args(arguments).output().expect("runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[test]
fn a_report_tells_the_accounts_of_bert_large() {
    let out = systolic(&["report", "?rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4"]);
    assert!(out.status.success());
    let report = text(&out.stdout);
    for part in ["534773760", "25.1 %", "31.11 µs", "$46.65"] {
        assert!(report.contains(part), "no {part} in {report}");
    }
}

#[test]
fn a_picture_carries_the_numbers_of_the_first_screen() {
    let out = systolic(&["svg", "?", "900x700"]);
    assert!(out.status.success());
    let svg = text(&out.stdout);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains(">c[0,0]<") && svg.contains("skew registers"));
}

#[test]
fn what_cannot_be_used_is_one_sentence_each_and_exit_code_2() {
    for (arguments, sentences) in [
        (vec!["report", "?rows=0&df=xx"], vec!["rows = 0", "dataflow = xx"]),
        (vec!["svg", "?", "9x9"], vec!["size = 9x9"]),
        (vec!["fly"], vec!["command = fly"]),
        (vec![], vec!["A command is missing"]),
        (vec!["report", "?t=99"], vec!["t = 99"]),
    ] {
        let out = systolic(&arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        let told = text(&out.stderr);
        assert_eq!(told.lines().count(), sentences.len(), "{told}");
        for sentence in sentences {
            assert!(told.contains(sentence), "no {sentence} in {told}");
        }
        assert!(out.stdout.is_empty());
    }
}
