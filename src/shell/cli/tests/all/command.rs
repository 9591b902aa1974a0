//! Tests of the command as a user runs it.

use crate::common::{fed, systolic, text, told};

const RUNS: &str = include_str!("../../../../../tests/golden/scalesim_runs.csv");

#[test]
fn count_adds_what_scale_sim_counts_and_carries_other_columns_through() {
    let table: String = RUNS.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    // The golden columns get unknown names: `count` must copy unknown columns unchanged.
    let table = table.replacen("cycles", "golden_cycles", 1).replacen("a_reads", "golden_a", 1);
    let out = told(&fed(&["count"], &table));
    let mut lines = out.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let place = |name: &str| header.iter().position(|column| *column == name).expect("a column");
    let mut n_rows = 0;
    for line in lines {
        let row: Vec<&str> = line.split(',').collect();
        assert_eq!(row[place("cycles")], row[place("golden_cycles")], "{line}");
        assert_eq!(row[place("a_reads")], row[place("golden_a")], "{line}");
        let slots = ["useful", "padding", "load", "fill", "drain", "stall"];
        let sum: u64 = slots.iter().map(|slot| row[place(slot)].parse::<u64>().expect("a count")).sum();
        let number = |name: &str| row[place(name)].parse::<u64>().expect("a count");
        assert_eq!(sum, number("R") * number("C") * number("cycles"), "{line}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 152);
}

#[test]
fn count_takes_columns_in_any_order_and_case() {
    let out = told(&fed(&["count"], "Dataflow, c,r,n ,k,M,note\nWS,128,128,1024,1024,128,bert\n"));
    assert!(out.starts_with("Dataflow,c,r,n,k,M,note,cycles,"), "{out}");
    assert!(out.contains("WS,128,128,1024,1024,128,bert,32640,64,100,25.09803"), "{out}");
}

#[test]
fn count_repeats_the_matmuls_of_a_batch_and_writes_percentages_without_digits_of_errors() {
    let out = told(&fed(&["count"], "M,N,K,R,C,dataflow,batch,batch_stride\n1,2,3,4,5,ws,,9\n1,2,3,4,5,ws,7,9\n"));
    let rows: Vec<Vec<&str>> = out.lines().skip(1).map(|line| line.split(',').collect()).collect();
    // 2·3 of 4·5 PEs are 30 percent. The percentages are those of one matmul.
    assert_eq!((rows[0][10], &rows[0][10..12]), ("30", &rows[1][10..12]));
    for column in [8, 9].into_iter().chain(12..rows[0].len()) {
        let [one, seven] = [&rows[0], &rows[1]].map(|row| row[column].parse::<u64>().expect("a count"));
        assert_eq!(one * 7, seven, "column {column}");
    }
    let huge = fed(&["count"], "M,N,K,R,C,dataflow,batch\n1000000,1000000,1000,4,4,ws,1000000000\n");
    assert!(text(&huge.stderr).starts_with("row 1: The run has too many PE-cycles"), "{}", text(&huge.stderr));
}

#[test]
fn run_multiplies_f32_without_passes_unless_the_option_asks_for_them() {
    let file = std::env::temp_dir().join(format!("systolic-cli-f32-{}.csv", std::process::id()));
    std::fs::write(&file, "1.01\n").expect("written");
    let path = file.to_string_lossy();
    let start = ["run", "--a", &path, "--b", &path, "--array", "1x1", "--dataflow", "ws", "--dtype", "f32"];
    let run =
        |passes: &[&str]| told(&systolic(&[&start[..], passes].concat())).trim().parse::<f64>().expect("a number");
    // The bf16 number nearest to 1.01 is 1.0078125.
    assert!((run(&[]) - 1.01 * 1.01).abs() < 1e-6);
    assert_eq!(run(&["--passes", "1"]), 1.007_812_5 * 1.007_812_5);
    std::fs::remove_file(&file).expect("removed");
}

#[test]
fn count_names_row_field_value_and_what_is_allowed_and_goes_on() {
    let out = fed(&["count"], "M,N,K,R,C,dataflow\n0,1,1,1,1,ws\n1,1,1,1,1,zz\n4,4,4,4,4,ws\n1,1,1,1,9999,os\n");
    assert_eq!(out.status.code(), Some(2));
    let lines = text(&out.stderr);
    assert_eq!(
        lines,
        "row 1: M = 0: use a whole number from 1 to 2\u{202f}147\u{202f}483\u{202f}648.\n\
         row 2: dataflow = zz: use one of ws, os, is.\n\
         row 4: C = 9999: use a whole number from 1 to 1024.\n"
    );
    assert!(text(&out.stdout).contains("4,4,4,4,4,ws,14,"), "the good row is counted");
    let missing = fed(&["count"], "M,N,R,C\n");
    assert_eq!(text(&missing.stderr), "Missing columns: K, dataflow. The table needs M, N, K, R, C, dataflow.\n");
}

#[test]
fn the_trace_of_a_small_run_has_every_event_once() {
    let out = told(&systolic(&["trace", "--gemm", "2x2x2", "--array", "2x2", "--dataflow", "ws"]));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "cycle,operand,edge,port,i,j");
    assert_eq!(lines[1], "0,B,north,0,1,0", "the last row of B goes in first");
    // The trace has four elements of B, four of A and four of C, each once.
    assert_eq!(lines.len(), 13);
}

pub(crate) struct Files(pub(crate) std::path::PathBuf);

impl Files {
    pub(crate) fn new(name: &str, a: &str, b: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("systolic-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("A.csv"), a).expect("written");
        std::fs::write(folder.join("B.csv"), b).expect("written");
        Self(folder)
    }

    pub(crate) fn a(&self) -> String {
        self.0.join("A.csv").to_string_lossy().into_owned()
    }

    pub(crate) fn b(&self) -> String {
        self.0.join("B.csv").to_string_lossy().into_owned()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn run_multiplies_exactly_and_tells_it_in_decimal_and_hex() {
    let files = Files::new("run", "1,2\n3,4\n", "0.1,6\n7,8\n");
    let (a, b) = (files.a(), files.b());
    let run = |more: &[&str]| {
        let start = ["run", "--a", &a, "--b", &b, "--array", "2x2", "--dataflow", "ws", "--dtype", "bf16"];
        told(&systolic(&[&start[..], more].concat()))
    };
    // In bf16, 0.1 is 0.10009765625.
    assert_eq!(run(&[]), "14.10009765625,22\n28.30029296875,50\n");
    assert_eq!(run(&["--format", "hex"]).lines().next(), Some("0x1.c334p+3,0x1.6p+4"));
    let json = run(&["--json"]);
    assert!(json.contains("\"cycles\": 6") && json.contains("\"accumulator\": \"f32\""), "{json}");
}

#[test]
fn state_tells_the_registers_of_a_cycle_and_leaves_empty_what_holds_nothing() {
    let files = Files::new("state", "1,2\n3,4\n", "5,6\n7,8\n");
    let (a, b) = (files.a(), files.b());
    let start = ["state", "--a", &a, "--b", &b, "--array", "2x2", "--dataflow", "ws", "--dtype", "int8"];
    let out = told(&systolic(&[&start[..], &["--at", "0"]].concat()));
    assert_eq!(
        out,
        "cycle,row,col,a,b,psum,phase,fold\n0,0,0,,7,,load,0\n0,0,1,,8,,load,0\n0,1,0,,,,load,0\n0,1,1,,,,load,0\n"
    );
    let out = told(&systolic(&[&start[..], &["--at", "3"]].concat()));
    // PE 0,0 computes a[1,0]·b[0,0] = 15. PE 1,0 computes a[0,1]·b[1,0] + 5 = 19.
    assert!(out.contains("3,0,0,3,5,15,steady,0\n") && out.contains("3,1,0,2,7,19,steady,0\n"), "{out}");
    let all = told(&systolic(&start));
    assert_eq!(all.lines().count(), 1 + 6 * 4);
    let json = told(&systolic(&[&start[..], &["--at", "0", "--format", "json"]].concat()));
    assert!(json.lines().all(|line| line.contains("\"psum\":null")), "{json}");
}

#[test]
fn cast_tells_the_nearest_number_and_its_code() {
    let cast = |arguments: &[&str], input| told(&fed(&[&["cast"], arguments].concat(), input));
    let out = cast(&["--from", "f32", "--to", "e4m3fn"], "0.1\n464\n465\n-inf\n");
    assert_eq!(out, "value,code\n0.1015625,0x1d\n448,0x7e\nnan,0x7f\nnan,0xff\n");
    let out = cast(&["--from", "f32", "--to", "e4m3fn", "--saturate"], "465 -inf");
    assert_eq!(out, "value,code\n448,0x7e\n-448,0xfe\n");
    assert_eq!(cast(&["--from", "f32", "--to", "int4"], "-9"), "value,code\n-8,0x8\n");
    let wrong = fed(&["cast", "--from", "f32", "--to", "bf16"], "1\nx\n");
    assert_eq!(text(&wrong.stderr), "row 2: value = x: use a number, nan, inf or -inf.\n");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_report_tells_the_accounts_of_bert_large() {
    let report = told(&systolic(&["report", "?rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4"]));
    for part in ["534773760", "25.1 %", "4.8 µs", "$57.55"] {
        assert!(report.contains(part), "no {part} in {report}");
    }
}

#[test]
fn a_picture_carries_the_numbers_of_the_first_screen() {
    let svg = told(&systolic(&["svg", "?", "900x700"]));
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains(">c[0,0]<") && svg.contains(">skew: row r waits r cycles<"));
    let options = ["svg", "--gemm", "6x4x3", "--array", "4x4", "--dataflow", "ws", "--dtype", "int8", "--at", "7"];
    assert_eq!(told(&systolic(&options)), svg, "the options of the first screen draw the first screen");
}

#[test]
fn a_file_of_a_run_is_what_its_command_writes() {
    let export = |kind: &str| told(&systolic(&["export", "?", "--as", kind]));
    assert_eq!(export("svg"), told(&systolic(&["svg", "?"])));
    assert_eq!(told(&systolic(&["export", "?"])), export("svg"), "the drawing where none is named");
    assert_eq!(export("csv").lines().count(), 1 + 16 * 16);
    assert_eq!(export("json").lines().count(), 16 * 16);
    assert!(export("tikz").contains("\\end{tikzpicture}") && export("perfetto").starts_with('{'));
    assert!(export("vcd").starts_with("$timescale 1ns $end\n"));
    let refused = |link: &str| String::from_utf8(systolic(&["export", link, "--as", "vcd"]).stderr).expect("text");
    assert!(refused("?dt=bf16").contains("use int8 or int4 instead of bf16"));
    assert!(
        refused("?rows=64&cols=64&m=999")
            .contains("for waveforms, use a run of at most 1\u{202f}048\u{202f}576 PE-cycles")
    );
    assert_eq!(systolic(&["export", "?", "--as", "zip"]).stdout.get(..2), Some(&b"PK"[..]));
    let output = systolic(&["export", "?", "--as", "bmp"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--as = bmp"), "{output:?}");
}

#[test]
fn what_cannot_be_used_is_one_sentence_each_and_exit_code_2() {
    for (arguments, sentences) in [
        (vec!["report", "?rows=0&df=xx"], vec!["rows = 0", "df = xx"]),
        (vec!["svg", "?", "9x9"], vec!["SIZE = 9x9"]),
        (vec!["svg", "?", "--size", "9x9"], vec!["--size = 9x9"]),
        (vec!["fly"], vec!["Unknown command: fly"]),
        (vec![], vec!["No command."]),
        (vec!["report", "?t=99"], vec!["t = 99"]),
        (vec!["trace", "--gemm", "2x2"], vec!["--gemm = 2x2"]),
        (vec!["trace", "--gemm", "2x2x2"], vec!["systolic trace needs --array <RxC>, --dataflow <D>"]),
        (
            vec!["trace", "--gemm", "2x2x2", "--array", "2x0", "--dataflow", "ws"],
            vec!["--array = 2x0: use RxC, each side 1 to 1024"],
        ),
        (vec!["cast", "--from", "f32"], vec!["systolic cast needs --to <T>"]),
        (vec!["cast", "--from", "f99", "--to", "bf16"], vec!["--from = f99"]),
        (vec!["run", "--wings"], vec!["--wings"]),
        (vec!["trace", "--dataflow", "zz"], vec!["--dataflow = zz: use one of ws, os, is."]),
        (vec!["trace", "--drain", ""], vec!["--drain = nothing: use one of in-place, south."]),
        (
            vec!["trace", "--ktiles", "0,0"],
            vec!["--ktiles = 0,0: use up, down, second-half-first, or a list of all tiles"],
        ),
        (vec!["time", "--per", "rack"], vec!["--per = rack: use one of chip, core."]),
        (vec!["check", "--by", "year"], vec!["--by = year: use one of class, publication, run, effect, serving."]),
        (
            "run --dtype int8 --acc bf16 --a A --b B --array 2x2 --dataflow ws".split(' ').collect(),
            vec!["--acc = bf16: with int8, use int32."],
        ),
    ] {
        let out = systolic(&arguments);
        assert_eq!(out.status.code(), Some(2), "{arguments:?}");
        let told = text(&out.stderr);
        assert_eq!(told.lines().count(), sentences.len(), "{arguments:?}: {told}");
        for sentence in sentences {
            assert!(told.contains(sentence), "no {sentence} in {told}");
        }
        assert!(out.stdout.is_empty() || arguments[0] == "cast", "{arguments:?}");
    }
}

#[test]
fn count_overlaps_folds_by_column_or_by_option() {
    let table = "M,N,K,R,C,dataflow,overlap\n512,1024,1024,128,128,ws,none\n\
                 512,1024,1024,128,128,ws,Double-Buffered\n512,1024,1024,128,128,os,double-buffered\n";
    let out = told(&fed(&["count"], table));
    let cycles: Vec<&str> = out.lines().skip(1).map(|line| line.split(',').nth(7).expect("a column")).collect();
    assert_eq!(cycles, ["57216", "33150", "33022"]);
    // Without the column, the option counts. A slow edge causes the stalls.
    let short = "M,N,K,R,C,dataflow\n64,8,8,8,8,ws\n";
    let columns = |options: &[&str]| {
        let out = told(&fed(&[&["count"], options].concat(), short));
        let row: Vec<u64> =
            out.lines().nth(1).expect("a row").split(',').filter_map(|text| text.parse().ok()).collect();
        (row[5], row[row.len() - 1])
    };
    assert_eq!(columns(&[]), (2 * 8 + 8 + 64 - 2, 0));
    let (cycles, stall) = columns(&["--west", "4"]);
    assert_eq!(cycles, 2 * 8 + 8 + 2 * 64 - 2);
    assert_eq!(stall, 64 * 64, "every second cycle of the stream brings nothing");
    let wrong = fed(&["count", "--west", "0"], short);
    assert!(
        text(&wrong.stderr).starts_with("--west = 0: use a number of elements per cycle (such as 64)"),
        "{}",
        text(&wrong.stderr)
    );
    let wrong = fed(&["count"], "M,N,K,R,C,dataflow,overlap\n1,1,1,1,1,ws,twice\n");
    assert_eq!(text(&wrong.stderr), "row 1: overlap = twice: use one of none, double-buffered.\n");
}

#[test]
fn state_has_a_column_for_each_register_that_only_a_design_has() {
    let files = Files::new("design", "1,2\n3,4\n", "5,6\n7,8\n");
    let (a, b) = (files.a(), files.b());
    let start = ["state", "--a", &a, "--b", &b, "--array", "1x2", "--dataflow", "ws", "--dtype", "int8"];
    let more = ["--overlap", "double-buffered", "--product-register", "--at", "1"];
    let out = told(&systolic(&[&start[..], &more].concat()));
    // The weight of the first fold has moved to the register, and the weight of the second fold is in the shadow
    // register. The first product is latched.
    assert_eq!(out.lines().next(), Some("cycle,row,col,a,b,psum,phase,fold,shadow,product"));
    assert_eq!(out.lines().nth(1), Some("1,0,0,1,5,,steady,0,5,5"));
    let json = told(&systolic(&[&start[..], &more, &["--format", "json"]].concat()));
    assert!(json.lines().next().is_some_and(|line| line.contains("\"shadow\":5")), "{json}");
}

#[test]
fn run_tells_errors_passes_and_what_was_moved() {
    let files = Files::new("errors", "1,1e-8\n", "1\n1\n");
    let (a, b) = (files.a(), files.b());
    let start = ["run", "--a", &a, "--b", &b, "--array", "2x1", "--dataflow", "ws", "--dtype", "f32"];
    let run = |more: &[&str]| told(&systolic(&[&start[..], more].concat()));
    assert_eq!(run(&[]), "1\n");
    let off: f64 = run(&["--ulp"]).trim().parse().expect("a number");
    assert!((off - 1e-8 / f64::from(f32::EPSILON)).abs() < 1e-6, "{off}");
    let json = run(&["--json", "--passes", "3"]);
    assert!(json.contains("\"cycles\": 12") && json.contains("\"passes\": 3"), "{json}");
    assert!(json.contains("\"off-chip\"") && json.contains("\"psum_writes\""), "{json}");
    let wrong = systolic(&[&start[..], &["--passes", "2"]].concat());
    assert_eq!(text(&wrong.stderr), "--passes = 2: use one of 1, 3, 6.\n");
}

#[test]
fn an_option_that_a_command_does_not_take_is_named() {
    let out = systolic(&["report", "?", "--overlap", "double-buffered"]);
    assert_eq!(out.status.code(), Some(2));
    assert_eq!(
        text(&out.stderr),
        "--overlap is not an option of systolic report. Use --gemm, --array, --dataflow, --dtype, --at, --chip.\n"
    );
    let out = systolic(&["count", "cases.csv"]);
    assert_eq!(text(&out.stderr), "Unexpected argument: cases.csv. Usage: systolic count [OPTIONS] < cases.csv\n");
}

#[test]
fn a_measure_is_defined_in_the_words_of_the_page() {
    let out = told(&systolic(&["define", "utilization"]));
    assert!(out.contains("useful MACs ÷ (R · C · cycles)") && out.contains("Overall Util %"), "{out}");
    assert!(told(&systolic(&["define"])).lines().count() > 40);
}

/// Chooses pseudorandom elements of lists (xorshift64, Marsaglia 2003), the same in each run.
struct Picker(u64);

impl Picker {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from[usize::try_from(self.0 % from.len() as u64).expect("small")]
    }
}

const ABSURD: [&str; 16] = [
    "",
    "0",
    "-1",
    "1",
    "2",
    "3",
    "4x4",
    "4x4x4",
    "1e9",
    "99999999999999999999",
    "ws",
    "nan",
    "\u{202e}",
    "\"",
    "340/7",
    "x",
];

#[test]
fn no_command_line_and_no_table_makes_a_panic() {
    let commands = ["count", "trace", "run", "state", "cast", "svg", "report", "define", "help", "zap", ""];
    let options = [
        "--gemm",
        "--array",
        "--dataflow",
        "--dtype",
        "--acc",
        "--passes",
        "--pad",
        "--a",
        "--b",
        "--at",
        "--format",
        "--from",
        "--to",
        "--size",
        "--chip",
        "--overlap",
        "--load",
        "--drain",
        "--order",
        "--west",
        "--north",
        "--south",
        "--json",
        "--ulp",
        "--saturate",
        "--flush",
        "--product-register",
        "--two-registers-south",
        "--zap",
    ];
    let good =
        ["2x2x2", "2x2", "ws", "os", "int8", "bf16", "double-buffered", "south", "diagonal", "cols", "all", "m8"];
    let cells = ["1", "4", "128", "0", "-3", "ws", "is", "", "none", "double-buffered", "9e9", "é", "2147483648"];
    for seed in 1..=250u64 {
        let mut picker = Picker(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut words = vec![picker.pick(&commands)];
        for _ in 0..seed % 7 {
            words.push(picker.pick(&options));
            words.push(if picker.0.is_multiple_of(3) { picker.pick(&ABSURD) } else { picker.pick(&good) });
        }
        let mut table = String::from("M,N,K,R,C,dataflow,overlap,note\n");
        for _ in 0..seed % 5 {
            let row: Vec<&str> = (0..seed % 10).map(|_| picker.pick(&cells)).collect();
            table.push_str(&format!("{}\n", row.join(",")));
        }
        let out = fed(&words, &table);
        let told = text(&out.stderr);
        assert!(matches!(out.status.code(), Some(0 | 2)), "{words:?}: {:?} {told}", out.status);
        assert!(!told.contains("panicked"), "{words:?}: {told}");
        assert_eq!(
            out.status.code() == Some(2),
            !told.is_empty(),
            "{words:?}: a problem is named, and nothing else: {told}"
        );
    }
}

#[test]
fn what_is_drawn_elsewhere_stands_beside_the_array_at_the_same_cycle() {
    let drawings = |words: &[&str]| told(&systolic(words));
    let (plain, solved) =
        (drawings(&["worksheet", "drawing-claims"]), drawings(&["worksheet", "drawing-claims", "--answers"]));
    assert_eq!(plain.matches("<figure>").count(), 0, "the question comes first");
    let pairs: Vec<&str> = solved.split("<div class=\"pair\">").skip(1).collect();
    assert!(pairs.len() >= 6, "{}", pairs.len());
    for pair in pairs {
        let pictures: Vec<&str> = pair.split("<svg").skip(1).take(2).collect();
        let [drawn, array] = pictures[..] else { panic!("two pictures") };
        let marks = |picture: &str| picture.split("</svg>").next().unwrap_or_default().to_owned();
        assert_ne!(marks(drawn), marks(array), "both show the same");
        assert!(pair.contains("The array as drawn") && pair.contains("A correct run, at cycle "));
    }
}

#[test]
fn a_worksheet_has_each_card_with_its_picture_and_its_answers_only_where_they_are_wanted() {
    let list = told(&systolic(&["worksheet"]));
    assert!(list.lines().count() >= 16 && list.starts_with("multiply "), "{list}");
    for id in ["multiply", "pe-cycles", "array-claims", "challenges-first"] {
        let (plain, solved) = (told(&systolic(&["worksheet", id])), told(&systolic(&["worksheet", id, "--answers"])));
        let n_cards = plain.matches("<section>").count();
        assert!((5..=16).contains(&n_cards) && plain.contains("<svg"), "{id}: {n_cards}");
        assert!(!plain.contains("<aside") && solved.matches("<aside").count() >= n_cards / 2, "{id}");
        for tag in ["section", "aside", "ul", "h3", "b", "svg", "footer"] {
            let open = solved.matches(&format!("<{tag}>")).count() + solved.matches(&format!("<{tag} ")).count();
            assert_eq!(open, solved.matches(&format!("</{tag}>")).count(), "{id}: {tag}");
        }
    }
    // The run of the first lesson has 6 · 4 · 3 products in 16 cycles of 16 PEs.
    assert!(told(&systolic(&["worksheet", "multiply", "--answers"])).contains("Answer: 28.1 %."));
}

#[test]
fn each_version_of_a_worksheet_has_its_number_other_numbers_and_a_key() {
    let page = |words: &[&str]| told(&systolic(&[&["worksheet", "pe-cycles"], words].concat()));
    let (written, third) = (page(&[]), page(&["--version", "3"]));
    assert!(third.contains("<h1>Where the PE-cycles go, version 3</h1>") && third != written);
    let all = page(&["--versions", "3"]);
    assert_eq!(
        (all.matches("<h1>").count(), all.matches("<section>").count()),
        (3, 3 * written.matches("<section>").count())
    );
    assert!(all.contains("<title>Where the PE-cycles go, versions 1 to 3</title>"), "the head names all versions");
    let sheet = |page: &str| {
        page.split_once("<h1>").and_then(|(_, rest)| rest.split_once("</main>")).map(|(one, _)| one.to_owned())
    };
    let last = all.rsplit_once("<h1>").and_then(|(_, rest)| rest.split_once("</main>")).map(|(one, _)| one.to_owned());
    assert_eq!(sheet(&third), last, "a number always gives the same version");
    let key = page(&["--version", "3", "--answers"]);
    assert!(key.contains("aria-label=\"Answer to 1, version 3\"") && !third.contains("<aside"));
    // The first card asks for the utilization of its run, which follows from the cycles on the card.
    let text = key.split_once("<h2>1. ").map_or("", |(_, rest)| rest);
    let between =
        |from: &str, to: &str| text.split_once(from).and_then(|(_, rest)| rest.split_once(to)).map(|(one, _)| one);
    let number =
        |from: &str, to: &str| between(from, to).and_then(|one| one.trim().parse::<f64>().ok()).expect("a number");
    let (rows_of_a, cycles) = (number("<p>C has ", " ×"), number("the run takes ", " cycles"));
    let answer = display::number::percent(rows_of_a / cycles);
    assert!(text.contains(&format!("<p>Answer: {answer} %.</p>")), "{answer}");
}

#[test]
fn a_class_test_has_any_number_of_versions_each_with_its_key() {
    for form in ["form-a", "form-b"] {
        let page = |words: &[&str]| told(&systolic(&[&["worksheet", form], words].concat()));
        let (sheets, keys) = (page(&["--versions", "4"]), page(&["--versions", "4", "--answers"]));
        let key = |nth: usize| {
            let part = keys.split("<h1>").nth(nth).unwrap_or_default();
            part.split("<p>Answer: ")
                .skip(1)
                .filter_map(|rest| rest.split("</p>").next())
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(sheets.matches("<h1>").count(), 4, "{form}");
        for nth in 1..=4 {
            assert!(
                sheets.contains(&format!(", version {nth}</h1>")) && key(nth).len() == 8,
                "{form} {nth}: {:?}",
                key(nth)
            );
            assert_ne!(key(nth), key(nth % 4 + 1), "{form}");
        }
    }
}
