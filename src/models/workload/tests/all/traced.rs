//! Tests of tables that systolic_matmuls.py writes.

use workload::{Content, Kind, Note, Role, Workload};

const TABLE: &str = include_str!("../../../../../tests/golden/traced/llama.csv");

fn read(text: &str) -> Result<Workload, String> {
    match Content::of(text.as_bytes()) {
        Ok(Content::Products(work)) => Ok(work),
        Ok(other) => panic!("{other:?}"),
        Err(why) => Err(why.to_string()),
    }
}

/// Returns a table of these rows, without totals.
fn rows(rows: &str) -> String {
    format!("name,M,K,N,count,role,weights,shared,kept,masked\n{rows}\n")
}

#[test]
fn a_row_has_its_role_weights_kept_matrix_and_mask() {
    let work = read(TABLE).expect("a table");
    let of = |name: &str, role: Role| {
        let mut all = work.products.iter().filter(|product| product.name.ends_with(name) && product.role == role);
        all.next().unwrap_or_else(|| panic!("{name} {role:?}"))
    };
    let up = of("up_proj", Role::Forward);
    assert_eq!((up.kind, up.stored, up.counted), (Kind::Weights, Some(4 * 256 * 704), 1.0));
    assert_eq!(of("up_proj", Role::WeightGradient).sizes.mkn(), [256, 1024, 704]);
    for role in [Role::Forward, Role::InputGradient, Role::WeightGradient] {
        for (name, kind) in [("scores", Kind::Scores), ("values", Kind::Values)] {
            let product = of(name, role);
            assert_eq!((product.kind, product.counted), (kind, 0.5), "{name} {role:?}");
        }
    }
    // This is PyTorch's number of parameters. The embedding is also the head, and 9 norms are in no matmul.
    assert_eq!(work.weights().map(|weights| weights + work.lookup_weights), Some(3_082_496.0));
    assert_eq!(work.lookup_weights, 9.0 * 256.0);
    let said: Vec<String> = work.notes.iter().map(ToString::to_string).collect();
    let by = "systolic_matmuls 1; torch 2.15.0+cu132; transformers 5.24.0";
    let step = "training step (for a forward pass, leave out --train); batch=2; sequence=512";
    assert_eq!(said, [format!("Written by {by}; {step}.")]);
    assert!(work.left_out[0].what.to_string().starts_with("lookup model.embed_tokens.weight (262144 weights); add"));
}

#[test]
fn a_cut_table_is_refused() {
    let cut: Vec<&str> = TABLE.lines().take(20).collect();
    let said = read(&cut.join("\n")).expect_err("cut");
    assert_eq!(said, "Line 1: the totals state 30 for rows, but the rows have 16: write the table again.");
    for (from, to, what) in [(",1024,256,64,4,", ",1024,256,65,4,", "flops"), (",65536,", ",65535,", "weights")] {
        let said = read(&TABLE.replacen(from, to, 1)).expect_err(what);
        assert!(said.contains(&format!(" for {what}, but the rows have ")), "{said}");
    }
    let said = read(&TABLE.replacen("rows=30 ", "", 1)).expect_err("no rows");
    assert!(said.contains("the totals state no number for rows"), "{said}");
}

#[test]
fn a_table_without_one_of_its_columns_is_refused() {
    let said = |text: &str| read(text).expect_err(text);
    for (at, name) in [(5, "role"), (6, "weights"), (7, "shared"), (8, "kept"), (9, "masked")] {
        let without = |line: &str| {
            let cells = line.split(',').enumerate().filter(|(place, _)| *place != at).map(|(_, cell)| cell);
            if line.starts_with('#') { line.to_owned() } else { cells.collect::<Vec<_>>().join(",") }
        };
        let whole: Vec<String> = TABLE.lines().map(without).collect();
        let sentence = format!("the table of systolic_matmuls.py has no column {name}: write the table again.");
        assert_eq!(said(&whole.join("\n")), format!("Line 4: {sentence}"));
        // The columns alone identify a traced table, even without its comments.
        assert_eq!(said(&whole[3..].join("\n")), format!("Line 1: {sentence}"));
    }
    let cut = said("# totals: rows=1 flops=12 weights=6\nM,K,N\n1,2,3\n");
    assert_eq!(cut, "Line 2: the table of systolic_matmuls.py has no column role: write the table again.");
    // One of these words is also the name of a column of other tables.
    assert!(read("M,K,N,weights\n1,2,3,6\n").is_ok());
}

#[test]
fn a_shared_table_counts_once_and_an_unknown_mask_in_full() {
    let head = "head,8,16,100,1,forward,1600,wte,,1\nsmall,8,16,50,1,forward,800,wte,,1\n";
    let text = rows(&format!(
        "{head}up,8,16,64,2,forward,2048,,,1\nscores,8,16,8,4,forward,0,,c,\nv,8,8,16,4,forward,0,,a,0.3"
    ));
    let text = format!("# left out: lookup wte (1600 weights); lookup wpe (320 weights)\n{text}");
    let work = read(&text).expect("a table");
    assert_eq!((work.weights(), work.lookup_weights), (Some(3648.0), 320.0));
    assert!(work.notes.contains(&Note::UnknownMasks { rows: 1 }));
    let flops: Vec<f64> = work.products.iter().skip(3).map(workload::Product::flops).collect();
    assert_eq!(flops, [2.0 * 4096.0, 0.3 * 2.0 * 4096.0]);
}

#[test]
fn experts_are_known_by_their_router() {
    let gate = "l.*.mlp.gate,128,48,8,3,forward,1152,,,1\nl.*.mlp.gate_proj,128,48,64,3,forward,9216,,,1\n";
    let experts =
        "l.*.mlp.experts,48,48,40,24,forward,46080,,,1\nl.*.mlp.shared_experts.up,128,48,40,3,forward,5760,,,1";
    let work = read(&rows(&format!("{gate}{experts}"))).expect("a table");
    assert_eq!((work.experts, work.expert_weights()), (8, 46_080.0));
    let kinds: Vec<Kind> = work.products.iter().map(|product| product.kind).collect();
    assert_eq!(kinds, [Kind::Weights, Kind::Weights, Kind::Expert, Kind::Weights]);
    assert_eq!(read(TABLE).expect("a table").experts, 0);
}

#[test]
fn a_spreadsheet_may_have_saved_the_table() {
    let excel: Vec<String> = TABLE
        .lines()
        .map(|line| if line.starts_with('#') { format!("\"{line}\";;;;;;") } else { line.replace(',', ";") })
        .collect();
    let excel = excel.join("\r\n").replace("0.5", "0,5");
    assert_eq!(read(&excel).expect("a table").products, read(TABLE).expect("a table").products);
}

#[test]
fn a_cell_with_another_word_is_refused_with_its_column() {
    for (row, said) in [
        ("a,1,2,3,1,backward,6,,,1", "role = backward: use forward, recomputed, input-gradient or weight-gradient."),
        ("a,1,2,3,1,forward,6,,d,1", "kept = d: use a, b or c, or leave the cell empty."),
        ("a,1,2,3,1,forward,6,,,1.5", "masked = 1.5: use a share from 0 to 1, or leave the cell empty."),
        ("a,1,2,3,1,forward,x,,,1", "weights = x: use a whole number."),
    ] {
        assert_eq!(read(&rows(row)).expect_err(row), format!("Line 2: {said}"));
    }
}
