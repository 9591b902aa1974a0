//! Tests that the hardware agrees with the register machine: every register and cycle in simulators, every flip-flop in
//! a synthesizer, every change in waveforms.

#![expect(clippy::print_stdout, reason = "what was compared, and what could not be")]

mod cases;
mod simulators;
mod synthesis;
mod waves;

use std::path::Path;

use cases::{Case, seeds};
use rtl::{Flaw, Rtl};
use simulators::{folder, icarus, is_there, lint, passed, sources, verilated, write};
use synthesis::Netlist;
use systolic::PeId;
use waves::Waves;

/// Returns the numbers of cycles, registers and results that the testbench must have compared.
fn expected(case: &Case) -> [u64; 3] {
    let (schedule, gemm) = (case.run.schedule(), case.run.schedule().gemm());
    let registers: u64 =
        schedule.array().iter().map(|pe| schedule.storage(case.run.unit(), pe.row).registers().len() as u64).sum();
    [schedule.cycles().get(), registers * schedule.cycles().get(), gemm.m() * gemm.n()]
}

/// Returns the seeds of the runs that Verilator builds: all runs if `DESIGNS` is set, else one run of each dataflow.
/// Building forty runs takes minutes.
fn of_verilator() -> std::ops::Range<u64> {
    let seeds = seeds();
    if std::env::var_os("DESIGNS").is_some() { seeds } else { seeds.start + 1..seeds.start + 4 }
}

/// Compares the waveforms of the model with the waveforms of a simulator and with the closed forms. Returns the number
/// of signals.
fn same_waves(case: &Case, files: &[rtl::File], prefix: &str, simulated: &Waves) -> usize {
    let model = files.iter().find(|file| file.name.ends_with("model.vcd")).expect("a short run");
    assert_eq!(simulated.disagreement(case, prefix), None, "{case:#?}");
    let (difference, n_signals) = Waves::read(&model.text).difference(simulated);
    assert_eq!(difference, None, "{case:#?}");
    n_signals
}

fn waves(folder: &Path, prefix: &str) -> Waves {
    Waves::read(&std::fs::read_to_string(folder.join(format!("{prefix}simulated.vcd"))).expect("waveforms"))
}

#[test]
fn every_register_of_random_designs_is_equal_in_icarus_at_every_cycle() {
    if !is_there("iverilog", "-V") {
        return;
    }
    let (mut n_equal, mut n_registers, mut n_ragged, mut n_folds, mut n_signals) = (0, 0, 0, 0, 0);
    let seeds = seeds();
    for seed in seeds.clone() {
        let case = Case::of(seed);
        let rtl = Rtl::new(&case.run).expect("small integers");
        let files = rtl.files("d_");
        let folder = folder(&format!("icarus-{seed}"));
        write(&folder, &files);
        let said = icarus(&folder, &files, "d_");
        assert_eq!(passed(&said.text), Some(expected(&case)), "seed {seed}: {}\n{case:#?}", said.text);
        n_signals += same_waves(&case, &files, "d_", &waves(&folder, "d_"));
        n_equal += 1;
        n_registers += expected(&case)[1];
        n_ragged += u64::from(case.is_ragged());
        n_folds += u64::from(case.run.schedule().folds() > 1);
    }
    println!(
        "Icarus, seeds {seeds:?}: {n_equal} designs equal ({n_folds} with folds, {n_ragged} ragged), \
         {n_registers} registers, {n_signals} signals of waveforms"
    );
}

/// Number of designs in one program of Verilator. With fewer designs, each program repeats the work that is equal for
/// all programs. With more designs, the build is slow.
const TOGETHER: usize = 10;

/// Runs some designs in one program of Verilator. Returns the numbers of compared registers and signals.
fn equal_in_verilator(seeds: &[u64]) -> (u64, usize) {
    let (mut modules, mut all) = (Vec::new(), String::from("`timescale 1ns/1ps\nmodule all;\n"));
    let (mut designs, folder) = (Vec::new(), folder(&format!("verilator-{}", seeds[0])));
    for seed in seeds {
        let case = Case::of(*seed);
        let rtl = Rtl::new(&case.run).expect("small integers");
        let prefix = format!("d{seed}_");
        let files = rtl.files(&prefix);
        write(&folder, &files);
        modules.extend(sources(&files).into_iter().map(str::to_owned));
        all += &format!("    {prefix}tb {prefix} ();\n");
        designs.push((case, prefix, files));
    }
    write(&folder, &[rtl::File { name: "all.sv".to_owned(), text: all + "endmodule\n" }]);
    // One design requests its waveforms. Verilator then writes the waveforms of all designs.
    let modules: Vec<&str> = ["all.sv"].into_iter().chain(modules.iter().map(String::as_str)).collect();
    let first = &designs[0].1;
    let said = verilated(&folder, "all", &modules, &["+together", &format!("+{first}vcd")]);
    let mut passes: Vec<[u64; 3]> = said.text.lines().filter_map(passed).collect();
    let mut wanted: Vec<[u64; 3]> = designs.iter().map(|(case, _, _)| expected(case)).collect();
    // Short runs end first.
    passes.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(passes, wanted, "seeds {seeds:?}: {}", said.text);
    let (waves, mut n_signals) = (waves(&folder, first), 0);
    for (case, prefix, files) in &designs {
        let of_design = waves.below(&format!("all.{prefix}"), &format!("{prefix}tb"));
        n_signals += same_waves(case, files, prefix, &of_design);
    }
    (wanted.iter().map(|[_, registers, _]| registers).sum(), n_signals)
}

#[test]
fn hardware_with_one_wrong_hop_is_caught() {
    if !is_there("iverilog", "-V") {
        return;
    }
    let mut n_caught = 0;
    for seed in seeds().take(12) {
        let case = Case::of(seed);
        let rtl = Rtl::new(&case.run).expect("small integers");
        let late = Flaw::LateLane { row: case.run.schedule().fold(0).mapped.rows - 1 };
        let skipped = Flaw::SkippedHop { pe: PeId::new(0, 1) };
        for (name, flaw) in [("late", late), ("skipped", skipped)] {
            if flaw == skipped && case.run.schedule().array().cols() == 1 {
                continue;
            }
            let files = rtl.with(flaw).files("d_");
            let folder = folder(&format!("{name}-{seed}"));
            write(&folder, &files);
            let said = icarus(&folder, &files, "d_");
            assert!(said.good && said.text.contains("FAIL: "), "seed {seed}, {flaw:?}: {}", said.text);
            n_caught += 1;
        }
    }
    println!("{n_caught} broken designs caught");
}

#[test]
fn the_lint_of_verilator_finds_nothing_in_any_design() {
    if !is_there("verilator", "--version") {
        return;
    }
    for seed in seeds() {
        let case = Case::of(seed);
        let files = Rtl::new(&case.run).expect("small integers").files("d_");
        let folder = folder(&format!("lint-{seed}"));
        write(&folder, &files);
        assert_eq!(lint(&folder, &files, "d_"), "", "seed {seed}: {case:#?}");
    }
    println!("Verilator's lint, seeds {:?}: clean", seeds());
}

#[test]
fn yosys_finds_the_flip_flops_that_the_description_counts() {
    if !is_there("yosys", "-V") {
        return;
    }
    // Twelve seeds have each dataflow twice with and twice without overlap. The long suite uses all seeds.
    let seeds = if std::env::var_os("DESIGNS").is_some() { seeds() } else { seeds().start..seeds().start + 12 };
    let mut n_bits = 0;
    for seed in seeds.clone() {
        let case = Case::of(seed);
        let (schedule, unit) = (case.run.schedule(), case.run.unit());
        let files = Rtl::new(&case.run).expect("small integers").files("d_");
        let folder = folder(&format!("yosys-{seed}"));
        write(&folder, &files);
        let netlist = Netlist::of(&folder, &files, "d_");
        let last_row = schedule.array().rows() - 1;
        let of_pes = [0, last_row].map(|row| schedule.storage(unit, row).bits());
        for pe in netlist.named("d_pe") {
            let bits = netlist.bits(pe);
            assert!(of_pes.contains(&bits), "seed {seed}: {pe} has {bits}, not one of {of_pes:?}\n{case:#?}");
        }
        assert_eq!(netlist.bits("d_array"), schedule.array_bits(unit), "seed {seed}: {case:#?}");
        assert_eq!(netlist.bits_of("d_top", "d_delay"), schedule.skew_bits(unit), "seed {seed}: {case:#?}");
        n_bits += schedule.array_bits(unit) + schedule.skew_bits(unit);
    }
    println!("Yosys, seeds {seeds:?}: {n_bits} flip-flops of arrays and skews, as counted");
}

/// Tests that only `cargo xtask long` runs, because Verilator builds slowly.
mod long {
    use super::*;

    #[test]
    fn every_register_of_random_designs_is_equal_in_verilator_at_every_cycle() {
        if !is_there("verilator", "--version") {
            return;
        }
        let seeds = of_verilator();
        let (mut n_designs, mut n_registers, mut n_signals) = (0, 0, 0);
        for some in seeds.clone().collect::<Vec<_>>().chunks(TOGETHER) {
            let (registers, signals) = equal_in_verilator(some);
            (n_designs, n_registers, n_signals) =
                (n_designs + some.len(), n_registers + registers, n_signals + signals);
        }
        println!(
            "Verilator, seeds {seeds:?}: {n_designs} designs equal, {n_registers} registers, {n_signals} signals of waveforms"
        );
    }
}
