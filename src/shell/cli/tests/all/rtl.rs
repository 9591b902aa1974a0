//! Tests of `systolic rtl`: the folder of hardware files, and errors for runs that cannot be hardware.

use std::fs;
use std::path::PathBuf;

use crate::common::{systolic, text, told};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rtl").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn a_link_becomes_a_folder_and_its_storage_is_said() {
    let folder = folder("link");
    let out = told(&systolic(&["rtl", "?", "--out", &folder.to_string_lossy()]));
    let n_files = fs::read_dir(&folder).expect("there").count();
    assert!(out.starts_with(&format!("Wrote {n_files} files to ")), "{out}");
    assert!(
        out.contains(
            "A PE has 3 registers: stationary 8 bits, going east 8 bits, sum 32 bits. With 3 valid bits, the PE has 51 flip-flops.\n"
        )
    );
    for name in ["pe.sv", "array.sv", "delay.sv", "sequencer.sv", "feeder_west.sv", "top.sv", "tb.sv", "model.vcd"] {
        assert!(folder.join(format!("systolic_{name}")).is_file(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_of_the_name_of_a_file_is_replaced_and_not_followed() {
    let folder = folder("linked");
    fs::create_dir_all(&folder).expect("a folder");
    let precious = folder.join("precious.txt");
    fs::write(&precious, "precious").expect("written");
    std::os::unix::fs::symlink(&precious, folder.join("systolic_a.csv")).expect("a link");
    told(&systolic(&["rtl", "?", "--out", &folder.to_string_lossy()]));
    assert_eq!(fs::read_to_string(&precious).expect("there"), "precious");
    let written = folder.join("systolic_a.csv");
    assert!(written.is_file() && !written.is_symlink());
    let names = fs::read_dir(&folder).expect("there").filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    assert_eq!(names.filter(|name| name.ends_with(".part")).count(), 0);
}

#[test]
fn the_registers_for_the_testbench_are_those_of_state() {
    let folder = folder("state");
    let design = ["--array", "3x2", "--dataflow", "ws", "--dtype", "int8", "--two-registers-south"];
    let arguments = ["rtl", "--gemm", "4x5x3", "--out", &folder.to_string_lossy()];
    told(&systolic(&[&arguments, &design[..]].concat()));
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (a, b) = (file("systolic_a.csv"), file("systolic_b.csv"));
    let state = told(&systolic(&[&["state", "--a", &a, "--b", &b], &design[..]].concat()));
    let registers = fs::read_to_string(file("systolic_registers.hex")).expect("there");
    // The line has four registers: stationary operand, operand going east, sum, and second register of the hop. Each
    // has a valid bit and its value.
    let number = |bits: u128, from: u32, width: u32| {
        let is_valid = bits >> (from + width) & 1 == 1;
        let value = i64::try_from(bits >> from & ((1 << width) - 1)).expect("narrow");
        let negative = value >> (width - 1) == 1;
        let value = if negative { value - (1 << width) } else { value };
        if is_valid { value.to_string() } else { String::new() }
    };
    let mut n_lines = 0;
    for (line, row) in registers.lines().zip(state.lines().skip(1)) {
        let bits = u128::from_str_radix(line, 16).expect("hexadecimal");
        let cells: Vec<&str> = row.split(',').collect();
        let found = [number(bits, 75, 8), number(bits, 66, 8), number(bits, 33, 32), number(bits, 0, 32)];
        assert_eq!(found, [cells[4], cells[3], cells[5], cells[8]], "{row}");
        n_lines += 1;
    }
    assert_eq!((n_lines, registers.lines().count()), (state.lines().count() - 1, n_lines));
}

#[test]
fn what_cannot_be_hardware_is_refused_in_one_sentence() {
    let folder = folder("refused").to_string_lossy().into_owned();
    let refused = |arguments: &[&str]| {
        let out = systolic(&[&["rtl"], arguments].concat());
        assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), String::new()), "{arguments:?}");
        text(&out.stderr)
    };
    let out = ["--out", &folder[..]];
    let floats = refused(&[&["?dt=bf16"], &out[..]].concat());
    assert_eq!(floats, "Hardware is generated only for integers: use int8 or int4 instead of bf16.\n");
    assert_eq!(refused(&["?"]), "systolic rtl needs --out <DIR>: see systolic help rtl.\n");
    let beside = refused(&[&["?", "--two-registers-south"], &out[..]].concat());
    assert_eq!(beside, "Use either LINK or --two-registers-south, not both.\n");
    let large = refused(&[&["?m=65536&k=4096&n=64&rows=256&cols=256"], &out[..]].concat());
    assert!(large.contains("elements") && large.contains("use at most"), "{large}");
    let both = ["--gemm", "2x2x2", "--a", "a.csv", "--array", "2x2", "--dataflow", "ws", "--dtype", "int8"];
    assert_eq!(refused(&[&both, &out[..]].concat()), "Use either --gemm or --a, not both.\n");
    assert!(!PathBuf::from(&folder).exists(), "nothing was written");
}
