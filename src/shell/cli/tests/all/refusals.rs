//! Tests that the command line refuses impossible requests with a sentence.

use crate::common::{fed, systolic, text, told};

/// Runs a command that must fail without output, and returns its error text.
fn refused(arguments: &[&str]) -> String {
    let out = systolic(arguments);
    assert_eq!(out.status.code(), Some(2), "{arguments:?}: {}", text(&out.stderr));
    assert_eq!(text(&out.stdout), "", "{arguments:?}");
    text(&out.stderr)
}

const SMALL: [&str; 6] = ["--gemm", "4x4x4", "--array", "4x4", "--dataflow", "ws"];

#[test]
fn the_value_of_an_option_is_one_value() {
    let said = refused(&[&["svg"], &SMALL[..], &["--at", "3&rows=8"]].concat());
    assert_eq!(said, "--at = 3&rows=8: use a whole number, 0 or more.\n");
    let plus = told(&systolic(&[&["report"], &SMALL[..], &["--at", "3"]].concat()));
    assert!(plus.contains("Cycle 3 of 13"), "{plus}");
}

#[test]
fn an_option_that_is_there_twice_is_refused() {
    let said = refused(&["trace", "--gemm", "4x4x4", "--gemm", "8x8x8", "--array", "4x4", "--dataflow", "ws"]);
    assert_eq!(said, "--gemm was given twice: give it once.\n");
    assert_eq!(refused(&["run", "--json", "--json"]), "--json was given twice: give it once.\n");
}

#[test]
fn options_beside_a_link_are_refused() {
    let link = "?rows=8&cols=8";
    let said = refused(&["svg", link, "--gemm", "3x3x3", "--array", "2x2", "--at", "2"]);
    assert_eq!(said, "Use either LINK or --gemm and --array and --at, not both.\n");
    assert_eq!(refused(&["report", link, "--chip", "tpu-v4"]), "Use either LINK or --chip, not both.\n");
    let said = refused(&["svg", link, "300x300", "--size", "400x400"]);
    assert_eq!(said, "Use either SIZE or --size, not both.\n");
    told(&systolic(&["svg", link, "--size", "400x400"]));
}

#[test]
fn what_only_the_page_shows_of_a_link_is_refused() {
    for (link, begins) in [
        (
            "?ui=workbench&break=no-skew",
            "In the link, break = no-skew: systolic svg cannot show a fault or a second run.",
        ),
        ("?break=zebra", "In the link, break = zebra: "),
        ("?ui=workbench&show=error", "In the link, show = error: "),
        ("?ui=workbench&cmp=df%3Dos", "In the link, cmp = df=os: "),
        ("?ui=workbench&follow=a.0.0", "In the link, follow = a.0.0: "),
        (
            "?ui=desk&ask=model%3Dzz",
            "The link opens the estimate (ui = desk), but `systolic svg` shows only the array. ",
        ),
    ] {
        let said = refused(&["svg", link]);
        assert!(said.starts_with(begins), "{link}: {said}");
        let said = refused(&["report", link]);
        assert!(said.starts_with(&begins.replace("svg", "report")) && said.lines().count() == 1, "{link}: {said}");
    }
    // Unknown parameters do not change the picture.
    told(&systolic(&["svg", "?ui=workbench&lesson=3&show="]));
}

#[test]
fn of_what_stands_twice_in_a_link_the_last_is_used_with_a_warning() {
    for (link, name, once) in [
        ("?rows=4&rows=8", "rows", "?rows=8"),
        ("?rows=8&rows=8", "rows", "?rows=8"),
        ("?t=3&t=5", "t", "?t=5"),
        ("?ui=embed&ui=full", "ui", "?ui=full"),
        ("?lock=sizes&lock=df", "lock", "?lock=df"),
        ("#a=1,2&b=1;2&a=3,4", "a", "#a=3,4&b=1;2"),
    ] {
        for command in [&["report"][..], &["svg"], &["export", "--as", "csv"]] {
            let run = |link: &str| systolic(&[command, &[link]].concat());
            let (twice, once) = (run(link), run(once));
            assert_eq!(told(&twice), told(&once), "{link}");
            let warning = format!("In the link, {name} appears more than once: the last value is used.\n");
            assert_eq!((text(&twice.stderr), text(&once.stderr)), (warning, String::new()), "{command:?} {link}");
        }
    }
    let asked = systolic(&["ask", "?ask=model%3Dgpt2-xl&ask=model%3Dbert-large"]);
    assert_eq!(text(&asked.stderr), "In the link, ask appears more than once: the first value is used.\n");
    assert_eq!(told(&asked), told(&systolic(&["ask", "?ask=model%3Dgpt2-xl"])));
}

#[test]
fn a_question_that_was_decoded_names_each_lost_entry() {
    let said = |link: &str| text(&systolic(&["ask", link]).stderr);
    assert_eq!(
        said("?ui=desk&ask=model=gpt2-xl&chips=8&ui=desk&rows=8"),
        "In the link, ui appears more than once: the last value is used.\n\
         In the link, chips = 8 is outside of ask and has no effect: write %26chips%3D8 at the end of ask.\n"
    );
    assert!(said("?failures=chips=8&mtbf=9").contains("mtbf = 9 is outside of failures"));
    assert_eq!(said("?ask=model%3Dgpt2-xl%26chips%3D8&chip=tpu-v4"), "", "a chip of the array");
    assert_eq!(said("?chip=tpu-v4&ask=model=gpt2-xl"), "", "before the question");
}

#[test]
fn a_matrix_of_a_link_that_cannot_be_read_is_not_called_empty() {
    let said = refused(&["report", "#a=1,2;3,4&b=1,2;3,x"]);
    assert_eq!(said, "In the link, b[1,1] = x: use a number, nan, inf or -inf.\n");
    let said = refused(&["report", "#a=1,2;3,4&b=1,2"]);
    assert_eq!(said, "In the link, a: A has 2 columns, but B has 1 row. Give B one line for each column of A.\n");
}

#[test]
fn a_printed_matrix_that_is_unclear_is_refused_with_its_remedy() {
    let file = std::env::temp_dir().join(format!("systolic-cli-printed-{}.txt", std::process::id()));
    let path = file.to_string_lossy().into_owned();
    for (printed, says) in [
        ("[[[1, 2],\n  [3, 4]]]", "the array has 3 dimensions: use one matrix, which has 2."),
        (
            "  Columns 1 through 2\n\n  1  2\n\n  Column 3\n\n  3\n",
            "MATLAB and R print blocks of columns or a common factor: save the matrix as CSV, and use the CSV.",
        ),
    ] {
        std::fs::write(&file, printed).expect("written");
        let options = ["--array", "2x2", "--dataflow", "os", "--dtype", "f32"];
        let said = refused(&[&["run", "--a", &path, "--b", &path][..], &options].concat());
        assert_eq!(said, format!("--a = {path}: {says}\n"));
    }
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn a_link_is_cut_at_its_fragment_first() {
    let matrices = "#a=1,2;3,4&b=1;2&x=why?";
    let report = |link: &str| told(&systolic(&["report", link]));
    let expected = report(&format!("?{matrices}"));
    assert!(expected.starts_with("2×2×1") || expected.contains("2×2"), "{expected}");
    for front in ["http://h/", "", "https://h/p?", "http://h/?v=1"] {
        assert_eq!(report(&format!("{front}{matrices}")), expected, "{front}");
    }
    assert_eq!(report("rows=8&cols=8"), report("?rows=8&cols=8"));
    let said = refused(&["svg", "zebra"]);
    assert_eq!(said, "LINK = zebra: use the address of the page, or the part of the address from the ? on.\n");
}

#[test]
fn an_option_out_of_range_is_named_as_an_option() {
    let said = refused(&["svg", "--gemm", "100000x4x4", "--array", "4x4"]);
    assert!(said.starts_with("--gemm: ") && said.contains("65\u{202f}536") && !said.contains("link"), "{said}");
    let said = refused(&[&["svg"], &SMALL[..], &["--at", "99"]].concat());
    assert!(said.starts_with("--at = 99: use a whole number from 0 to "), "{said}");
}

#[test]
fn a_product_of_more_results_than_are_held_is_refused_beforehand() {
    let folder = std::env::temp_dir().join(format!("systolic-cli-large-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (a, b) = (folder.join("a.csv"), folder.join("b.csv"));
    std::fs::write(&a, "1\n".repeat(40_000)).expect("written");
    std::fs::write(&b, vec!["1"; 40_000].join(",")).expect("written");
    let (a, b) = (a.to_string_lossy(), b.to_string_lossy());
    let start = ["run", "--a", &a, "--b", &b, "--array", "128x128", "--dataflow", "ws", "--dtype", "f32"];
    for more in [&[][..], &["--json"], &["--ulp"]] {
        let said = refused(&[&start[..], more].concat());
        let expected =
            "The matmul has 40\u{202f}000 × 40\u{202f}000 results: use at most 16\u{202f}777\u{202f}216 in total.\n";
        assert_eq!(said, expected);
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn text_of_a_table_neither_steers_a_terminal_nor_fills_it() {
    let steering = "\u{1b}[31m\u{202e}\u{9b}";
    let long = "9".repeat(100_000);
    for cell in [steering, &long] {
        for (arguments, table) in [
            (&["count"][..], format!("M,N,K,R,C,dataflow\n{cell},1,1,1,1,ws\n1,1,1,1,1,{cell}\n")),
            (&["time", "--chip", "tpu-v4", "--dtype", "bf16"], format!("M,N,K\n{cell},1,1\n")),
            (&["cast", "--from", "f32", "--to", "bf16"], format!("x{cell}\n")),
        ] {
            let out = fed(arguments, &table);
            let said = text(&out.stderr);
            assert_eq!(out.status.code(), Some(2), "{arguments:?}");
            assert!(said.len() < 400, "{arguments:?}: {} bytes", said.len());
            assert!(!said.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{arguments:?}: {said:?}");
        }
    }
    let said = refused(&["define", steering]);
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
}

#[test]
fn the_names_in_a_list_do_not_steer_a_terminal() {
    let folder = std::env::temp_dir().join(format!("systolic-cli-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("list.csv");
    // These rows come after the part of the file that decides the format.
    let rows: String = (0..6000).map(|row| format!("layer {row},16,16,16\n")).collect();
    let steering = "a\u{1b}[31m\u{7}\u{202e}b,4096,4096,4096\n";
    std::fs::write(&path, format!("{rows}{steering}")).expect("written");
    let out = told(&systolic(&["model", "--config", &path.to_string_lossy()]));
    assert!(out.contains("4096×4096×4096"), "the product is there");
    assert!(!out.contains(['\u{1b}', '\u{7}', '\u{202e}']));
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_row_that_is_no_text_leaves_the_others() {
    for (arguments, front, good) in [
        (&["cast", "--from", "f32", "--to", "bf16"][..], "", "1"),
        (&["time", "--chip", "tpu-v4", "--dtype", "bf16"], "M,N,K\n", "8,8,8"),
        (&["count"], "M,N,K,R,C,dataflow\n", "4,4,4,4,4,ws"),
    ] {
        let table = [front.as_bytes(), good.as_bytes(), b"\n\xff", good.as_bytes(), b"\n", good.as_bytes(), b"\n"];
        let out = crate::common::fed_bytes(arguments, &table.concat());
        assert_eq!(text(&out.stderr), "row 2: this row is not UTF-8 text.\n", "{arguments:?}");
        assert_eq!(text(&out.stdout).lines().count(), 3, "{arguments:?}: a header and two good rows");
    }
}

#[test]
fn a_list_of_nothing_says_what_was_left_out() {
    let folder = std::env::temp_dir().join(format!("systolic-cli-nothing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("kernel.mlir");
    let calls: String = (1..=7)
        .map(|nth| format!("  %{nth} = stablehlo.custom_call @kernel_{nth}(%0) : () -> tensor<2xf32>\n"))
        .collect();
    std::fs::write(&path, format!("func.func @main() {{\n{calls}}}\n")).expect("written");
    let said = refused(&["model", "--config", &path.to_string_lossy()]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 7, "{said}");
    assert!(lines[0].ends_with("This file has no matmul that can be counted, so there is nothing to time."));
    assert!(lines[1].ends_with("Left out: the custom call “kernel_1” in line 2, whose code is not in the text."));
    assert!(lines[6].ends_with("Left out: 2 more."));
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn a_row_says_all_that_is_wrong_with_it() {
    let out = fed(&["count"], "M,N,K,R,C,dataflow\n0,1,1,1,9999,zz\n1,2\n");
    let lines: Vec<String> = text(&out.stderr).lines().map(str::to_owned).collect();
    assert!(lines[0].starts_with("row 1: M = 0: ") && lines[1].starts_with("row 1: C = 9999: "), "{lines:?}");
    assert_eq!(lines[2], "row 1: dataflow = zz: use one of ws, os, is.");
    assert!(lines[3].starts_with("row 2: K = nothing: use a whole number from 1 to "), "{lines:?}");
    let out = fed(&["time", "--chip", "tpu-v4", "--dtype", "bf16"], "M,N,K\n0,x,1\n");
    assert_eq!(text(&out.stderr).lines().count(), 2);
}

#[test]
fn an_option_that_the_dataflow_has_no_use_for_is_refused() {
    let os = ["trace", "--gemm", "4x4x4", "--array", "4x4", "--dataflow", "os"];
    assert_eq!(refused(&[&os[..], &["--load", "rows"]].concat()), "--load works only with --dataflow ws or is.\n");
    let ws = [&["trace"], &SMALL[..], &["--drain", "south"]].concat();
    assert_eq!(refused(&ws), "--drain works only with --dataflow os.\n");
}

#[test]
fn an_option_before_its_command_or_with_a_sign_or_an_equals_sign_is_read() {
    let after = told(&systolic(&[&["trace"], &SMALL[..]].concat()));
    assert_eq!(told(&systolic(&[&SMALL[..], &["trace"]].concat())), after);
    assert_eq!(told(&systolic(&["trace", "--gemm=4x4x4", "--array=4x4", "--dataflow=ws"])), after);
    assert!(refused(&[&["report"], &SMALL[..], &["--at", "-5"]].concat()).starts_with("--at = -5: "));
    assert_eq!(refused(&["trace", "--gemm"]), "--gemm has no value: write one after it.\n");
    assert_eq!(refused(&["run", "--json=3"]), "--json accepts no value: write the option without a value.\n");
    assert!(refused(&["--gemm", "4x4x4"]).starts_with("Unknown command: --gemm. Use one of: count, "));
    assert!(refused(&[]).starts_with("No command. Use one of: count, "));
    assert!(refused(&["trace", "-x"]).starts_with("-x is not an option of systolic trace. Use --gemm, "));
    assert!(refused(&["trace", "zebra"]).starts_with("Unexpected argument: zebra. Usage: systolic trace "));
    // The value of an option may be the name of a command.
    let names = told(&systolic(&["--by", "run", "check"]));
    assert_eq!(names, told(&systolic(&["check", "--by", "run"])));
}

#[test]
fn an_option_that_nobody_knows_lists_those_of_the_command() {
    let said = refused(&["cast", "--wings"]);
    assert_eq!(said, "--wings is not an option of systolic cast. Use --from, --to, --saturate, --flush, --format.\n");
    assert_eq!(refused(&["define", "--wings"]), "--wings is not an option of systolic define, which has no options.\n");
}

#[test]
fn a_refused_link_shows_nothing_instead() {
    let said = refused(&["report", "?rows=0"]);
    assert!(said.starts_with("In the link, rows = 0: ") && !said.contains("Shown"), "{said}");
}

#[test]
fn help_and_version_are_answers() {
    assert!(told(&systolic(&["--version"])).starts_with("systolic "));
    let part = told(&systolic(&["help", "cast"]));
    assert!(part.contains("systolic cast") && part.contains("--saturate") && !part.contains("--chip"), "{part}");
    for other in [&["cast", "--help"][..], &["--help", "cast"], &["cast", "-h", "--from", "f32"]] {
        assert_eq!(part, told(&systolic(other)), "{other:?}");
    }
    assert_eq!(told(&systolic(&["version"])), told(&systolic(&["--version"])));
    assert!(told(&systolic(&["completions", "zsh"])).contains("two-registers-south"));
    assert_eq!(refused(&["completions", "tcsh"]), "SHELL = tcsh: use one of bash, elvish, fish, powershell, zsh.\n");
    assert!(refused(&["help", "fly"]).starts_with("COMMAND = fly: use one of count, "));
}

#[test]
fn a_worksheet_that_does_not_exist_is_answered_with_those_that_do() {
    let said = refused(&["worksheet", "zebra"]);
    assert!(said.contains("zebra") && said.contains("multiply") && said.contains("array-claims"), "{said}");
}

#[test]
fn a_version_that_does_not_exist_is_answered_with_what_is_allowed() {
    let said = |words: &[&str]| refused(&[&["worksheet"], words].concat());
    assert_eq!(said(&["multiply", "--version", "0"]), "--version = 0: use a whole number from 1 to 9999.\n");
    assert_eq!(said(&["multiply", "--version", "x"]), "--version = x: use a whole number from 1 to 9999.\n");
    assert_eq!(said(&["multiply", "--versions", "101"]), "--versions = 101: use a whole number from 1 to 100.\n");
    assert!(said(&["multiply", "--version", "1", "--versions", "2"]).contains("not both"));
    assert!(said(&["--version", "1"]).contains("worksheet"));
    let said = said(&["challenges-first", "--version", "1"]);
    assert!(said.starts_with("--version: no card of challenges-first can vary, so use one of multiply, "), "{said}");
    assert!(said.contains("form-b") && !said.contains("challenges-chip"), "{said}");
}

#[test]
fn a_number_that_is_none_is_never_an_answer() {
    for [option, value] in [
        ["--tokens", "1e-320"],
        ["--tokens", "1e-308"],
        ["--tokens", "1e308"],
        ["--measured", "1e308 tokens/s/chip"],
        ["--measured", "1e-308 s"],
        ["--interval", "1e-308"],
        ["--claim", "1e-308 faster"],
        ["--claim", "1e308 cheaper"],
        ["--usd", "1e-320"],
    ] {
        let out = systolic(&["model", option, value, "--versus", "tpu-v4"]);
        let said = [text(&out.stdout), text(&out.stderr)].concat();
        assert!(!said.contains("NaN") && !said.contains('∞'), "{option} {value}: {said}");
        assert!(said.starts_with(&format!("{option} = {value}: use ")), "{said}");
    }
}

#[test]
fn a_name_that_stands_twice_is_refused() {
    let table = "M,N,K,m\n1,2,3,4\n";
    let said = "The table has two columns M: rename or remove one of them.\n";
    for command in [&["time", "--chip", "tpu-v4", "--dtype", "bf16"][..], &["count"]] {
        let out = fed(command, table);
        assert_eq!((out.status.code(), text(&out.stderr)), (Some(2), said.to_owned()), "{command:?}");
    }
    let config = "{\"model_type\": \"llama\", \"hidden_size\": 64, \"hidden_size\": 128}";
    let path = std::env::temp_dir().join(format!("key-twice-{}.json", std::process::id()));
    std::fs::write(&path, config).expect("written");
    let out = systolic(&["model", "--config", &path.display().to_string()]);
    std::fs::remove_file(path).expect("removed");
    let said = "A key appears twice in the object that ends at byte 62 of this JSON: remove one of them.";
    assert!(text(&out.stderr).contains(said), "{}", text(&out.stderr));
}

#[test]
fn a_table_may_have_tabs_or_semicolons_and_keeps_them() {
    let commas = text(&fed(&["count"], "M,N,K,R,C,dataflow\n4,4,4,4,4,os\n").stdout);
    assert!(commas.contains("4,4,4,4,4,os,10,"), "{commas}");
    for delimiter in [";", "\t"] {
        let table = "M,N,K,R,C,dataflow\n4,4,4,4,4,os\n".replace(',', delimiter);
        assert_eq!(text(&fed(&["count"], &table).stdout), commas.replace(',', delimiter));
    }
}
