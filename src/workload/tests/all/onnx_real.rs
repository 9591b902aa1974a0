//! Real ONNX files have the MACs of a run in ONNX Runtime: `tests/golden/onnx_real.csv`, which
//! `tests/oracle/onnx_real/onnx_real.py` writes.

use std::fs;
use std::path::PathBuf;

use crate::golden::{golden, models};
use workload::onnx::workload;

/// A file of the table, with the sizes of the run.
struct Row {
    file: String,
    symbols: Vec<(String, u64)>,
    macs: u128,
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(golden().join("onnx_real.csv")).expect("it is there");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let symbol = |part: &str| {
            let (name, size) = part.rsplit_once('=').expect("a name and a size");
            (name.to_owned(), size.parse().expect("a size"))
        };
        Row {
            file: cells[0].to_owned(),
            symbols: cells[3].split(';').filter(|part| !part.is_empty()).map(symbol).collect(),
            macs: cells[5].parse().expect("a number"),
        }
    };
    text.lines().skip(2).map(row).collect()
}

/// Compares the MACs of these files with the table. What is not counted has to be said. Returns the number of files that
/// are counted as a whole.
fn compared(read: impl Fn(&str) -> Option<Vec<u8>>) -> usize {
    let (mut equal, mut wrong) = (0, Vec::new());
    for Row { file, symbols, macs } in rows() {
        let Some(bytes) = read(&file) else { continue };
        let symbols: Vec<(&str, u64)> = symbols.iter().map(|(name, size)| (name.as_str(), *size)).collect();
        let work = match workload(&bytes, &symbols) {
            Ok(work) => work,
            Err(refusal) => {
                wrong.push(format!("{file}: {refusal}"));
                continue;
            }
        };
        let found = work.executed_macs();
        if found == macs && work.uncounted.operations == 0 {
            equal += 1;
        } else if work.uncounted.operations == 0 || found > macs {
            wrong.push(format!("{file}: {found} MACs, not {macs}, {:?}", work.uncounted));
        }
    }
    assert!(wrong.is_empty(), "{} files:\n{}", wrong.len(), wrong.join("\n"));
    equal
}

#[test]
fn graphs_in_text_have_the_macs_of_a_run() {
    let models = models("onnx_texts.gz");
    assert_eq!(models.len(), 24);
    // Five have a loop without a known end, a local function, a sequence or an einsum of one operand, and say so.
    assert_eq!(compared(|file| models.get(file).cloned()), 19);
}

mod long {
    use super::*;

    /// Needs the folder that `onnx_real.py make` writes, in the variable `ONNX_FILES`.
    #[test]
    fn files_of_packages_and_exporters_have_the_macs_of_a_run() {
        let folder = PathBuf::from(std::env::var("ONNX_FILES").expect("ONNX_FILES names the folder of the files"));
        let all = rows().len();
        let equal = compared(|file| {
            let path = folder.join(file);
            Some(fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        });
        assert!(equal * 100 >= all * 95, "{equal} of {all}");
    }
}
