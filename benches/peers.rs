//! Benchmark of other simulators and this core on the same runs. Run with `cargo bench -p benches --bench peers`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::fs;
use std::hint::black_box;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use benches::{seconds_per_call, seconds_per_call_on};
use rtl::Rtl;
use systolic::lane::Int8;
use systolic::{
    ArrayShape, Cycle, Dataflow, Dtype, Fill, Gemm, Machine, Operands, Padding, Prober, Schedule, Snapshot, Vectors,
};

const RUNS: &str = include_str!("../tests/golden/scalesim_runs.csv");

/// Twelve runs of the golden file: M, N, K and the side of the array, each in three dataflows.
///
/// Icarus takes a minute for 5,000 cycles of 8×8 PEs, so these runs are small.
const SHAPES: [[u64; 4]; 4] = [[13, 17, 19, 8], [64, 64, 1, 8], [1, 64, 64, 8], [16, 16, 16, 16]];

/// Number of rounds of a measurement. The median counts.
const ROUNDS: usize = 9;

/// Number of rounds of the stepped machine. It runs once per round, because a run takes less than a millisecond.
const STEPPED_ROUNDS: usize = 99;

/// Limit in seconds: a program whose first run takes longer runs only once.
const SLOW_SEC: f64 = 1.0;

/// Number of rounds of a program that starts again each time.
const PROGRAM_ROUNDS: usize = 3;

/// A run of the golden file.
struct Run {
    name: String,
    /// Line for the input of `peers.py`: M, N, K, rows, columns, dataflow.
    line: String,
    golden_cycles: u64,
    run: systolic::Run,
}

impl Run {
    /// Returns the run of a row of the golden file, or `None` if the run is not one of [`SHAPES`].
    fn of(row: &str) -> Option<Self> {
        let &[_, m, n, k, rows, cols, dataflow, cycles, ..] = &row.split(',').collect::<Vec<_>>()[..] else {
            return None;
        };
        let number = |text: &str| text.parse::<u64>().ok();
        let [m, n, k, rows, cols] = [number(m)?, number(n)?, number(k)?, number(rows)?, number(cols)?];
        if rows != cols || !SHAPES.contains(&[m, n, k, rows]) {
            return None;
        }
        let gemm = Gemm::new(m, k, n).ok()?;
        let array = ArrayShape::new(rows, cols).ok()?;
        let schedule = Schedule::new(gemm, array, Dataflow::from_id(dataflow)?, Padding::Ragged).ok()?;
        Some(Self {
            name: format!("{m}×{k}×{n} on {rows}×{cols}, {}", dataflow.to_uppercase()),
            line: format!("{m},{n},{k},{rows},{cols},{dataflow}"),
            golden_cycles: number(cycles)?,
            run: systolic::Run::filled(schedule, Fill::Uniform { seed: 7 }, Dtype::Int8),
        })
    }

    /// True if every fold fills the array. The last result is then complete at the last cycle, and no earlier.
    fn fills_the_array(&self) -> bool {
        let schedule = self.run.schedule();
        (0..schedule.folds()).all(|index| schedule.fold(index).mapped.pes() == schedule.array().pes())
    }

    /// Returns C, computed by the definition of a matmul.
    fn product(&self) -> Vec<f64> {
        let (gemm, Operands { a, b, .. }) = (self.run.schedule().gemm(), self.run.operands());
        let sum = |i: u64, j: u64| (0..gemm.k()).map(|k| a.at(i, k) * b.at(k, j)).sum();
        (0..gemm.m()).flat_map(|i| (0..gemm.n()).map(move |j| (i, j))).map(|(i, j)| sum(i, j)).collect()
    }

    fn machine(&self) -> Machine<Int8> {
        Machine::new(
            self.run.schedule(),
            &Vectors::new(Int8(Dtype::Int8), self.run.schedule(), self.run.operands()),
            None,
        )
    }

    /// Panics if the descriptions of this run differ: cycles, results, or sums at the middle cycle.
    fn check(&self) {
        let (name, cycles) = (&self.name, self.run.schedule().cycles().get());
        assert_eq!(cycles, self.golden_cycles, "{name}: the closed form and the golden file differ");
        let mut machine = self.machine();
        let middle = Cycle(cycles / 2);
        machine.advance(middle.0 + 1);
        let snapshot = self.run.snapshot(middle);
        for pe in self.run.schedule().array().iter() {
            assert_eq!(machine.registers(pe).sum, snapshot.sum(pe), "{name}: {middle:?}, {pe:?}");
        }
        machine.advance(cycles - middle.0 - 2);
        let early: Vec<f64> = machine.result().into_iter().map(f64::from).collect();
        machine.tick();
        let result: Vec<f64> = machine.result().into_iter().map(f64::from).collect();
        assert_eq!(result, self.product(), "{name}: the machine has another result after {cycles} cycles");
        assert!(!self.fills_the_array() || early != result, "{name}: the machine ends before {cycles} cycles");
    }
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Seconds of each program on one run. `None` if the program is not installed.
#[derive(Clone, Copy, Default)]
struct Times {
    stepped: f64,
    any_cycle: f64,
    closed_form: f64,
    scalesim_demand: Option<f64>,
    scalesim_layer: Option<f64>,
    icarus: Option<Hardware>,
    verilator: Option<Hardware>,
}

/// Seconds of a simulator of hardware.
#[derive(Clone, Copy)]
struct Hardware {
    compile: f64,
    run: f64,
}

/// Times the core in its three ways: stepped, any cycle, closed form.
fn core(run: &Run) -> Times {
    let fresh = run.machine();
    let stepped = median((0..STEPPED_ROUNDS).map(|_| seconds_per_call_on(&fresh, 1, Machine::finish)).collect());
    let (schedule, operands) = (run.run.schedule(), run.run.operands());
    let prober = Prober::new(schedule, operands, run.run.unit());
    let middle = Cycle(schedule.cycles().get() / 2);
    let any_cycle = || {
        black_box(Snapshot::at(schedule, operands, run.run.unit(), black_box(middle)));
        for pe in schedule.array().iter() {
            black_box(prober.without_sum(black_box(middle), pe));
        }
    };
    let (gemm, array, dataflow) = (schedule.gemm(), schedule.array(), schedule.dataflow());
    let closed_form = || {
        let schedule = Schedule::new(black_box(gemm), array, dataflow, Padding::Ragged).expect("in range");
        black_box((schedule.cycles(), schedule.tally()));
    };
    let [any_cycle, closed_form] = [
        median((0..ROUNDS).map(|_| seconds_per_call(any_cycle)).collect()),
        median((0..ROUNDS).map(|_| seconds_per_call(closed_form)).collect()),
    ];
    Times { stepped, any_cycle, closed_form, ..Times::default() }
}

/// Returns the folder of this benchmark inside cargo's target folder.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("peers")
}

/// Exit status of `peers.py` if SCALE-Sim cannot be installed.
const NOT_INSTALLED: i32 = 69;

/// Returns cycles, seconds for the demand matrices and seconds for the layer of SCALE-Sim on each run.
///
/// # Errors
/// The reason why `peers.py` or SCALE-Sim cannot run.
fn scalesim(runs: &[Run]) -> Result<Vec<(u64, f64, f64)>, String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers.py");
    let mut python = Command::new("python3");
    let python = python.arg(script).arg(folder().join("venv"));
    let mut child = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let lines: String = runs.iter().map(|run| run.line.clone() + "\n").collect();
    // A script that ended early does not read its input; its status shows why.
    let _ = child.stdin.take().expect("piped").write_all(lines.as_bytes());
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(NOT_INSTALLED) {
        return Err(text.trim().to_owned());
    }
    assert!(output.status.success(), "peers.py: {}", output.status);
    let read = |line: &str| {
        let mut parts = line.split(',');
        let cycles = parts.next()?.parse().ok()?;
        Some((cycles, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
    };
    let times: Vec<_> = text.lines().filter_map(read).collect();
    assert_eq!(times.len(), runs.len(), "lines of peers.py");
    Ok(times)
}

fn is_there(program: &str, version: &str) -> bool {
    let status = Command::new(program).arg(version).stdout(Stdio::null()).stderr(Stdio::null()).status();
    // Icarus prints its version and may still fail.
    status.is_ok()
}

/// Runs a program to its end, and returns its seconds and its output.
fn timed(folder: &Path, program: &str, arguments: &[&str]) -> (f64, String) {
    let begun = Instant::now();
    let output = Command::new(program).current_dir(folder).args(arguments).output();
    let seconds = begun.elapsed().as_secs_f64();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
    assert!(output.status.success(), "{program}: {text}");
    (seconds, text)
}

/// Returns the median seconds of a compiled testbench, which checks C by itself.
fn simulated(run: &Run, folder: &Path, program: &str, arguments: &[&str]) -> f64 {
    let gemm = run.run.schedule().gemm();
    let pass = format!("PASS: {} cycles, 0 registers, {} results", run.golden_cycles, gemm.m() * gemm.n());
    let once = || {
        let (seconds, text) = timed(folder, program, arguments);
        assert!(text.contains(&pass), "{}, {program}: {text}", run.name);
        seconds
    };
    let first = once();
    if first > SLOW_SEC {
        return first;
    }
    median((1..PROGRAM_ROUNDS).map(|_| once()).chain([first]).collect())
}

/// Times the array of the run as hardware, in Icarus Verilog and in Verilator.
fn hardware(run: &Run, has_icarus: bool, has_verilator: bool) -> [Option<Hardware>; 2] {
    let folder = folder().join(run.line.replace(',', "-"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let rtl = Rtl::new(&run.run).expect("a small run of int8");
    // Neither simulator compares registers here: only the hardware is timed, and C is checked.
    let files = rtl.with_registers_up_to(0).files("");
    for file in &files {
        let path = folder.join(&file.name);
        fs::write(&path, &file.text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let sources: Vec<&str> = files.iter().map(|file| file.name.as_str()).filter(|name| name.ends_with(".sv")).collect();
    let icarus = has_icarus.then(|| {
        let arguments = [&["-g2012", "-s", "tb", "-o", "icarus"], &sources[..]].concat();
        let (compile, _) = timed(&folder, "iverilog", &arguments);
        Hardware { compile, run: simulated(run, &folder, "vvp", &["icarus"]) }
    });
    let verilator = has_verilator.then(|| {
        let fixed = ["--binary", "--timing", "-O3", "-Wno-fatal", "-j", "2", "-MAKEFLAGS", "OPT_FAST=-O2"];
        let (compile, _) = timed(&folder, "verilator", &[&fixed[..], &["--top-module", "tb"], &sources].concat());
        Hardware { compile, run: simulated(run, &folder, "./obj_dir/Vtb", &[]) }
    });
    [icarus, verilator]
}

/// Formats a number with three significant digits.
fn short(number: f64) -> String {
    match number {
        1000.0.. => {
            let place = 10f64.powf(number.log10().floor() - 2.0);
            grouped(&format!("{:.0}", (number / place).round() * place))
        }
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Returns one row of the table: times divided by the time of the stepped machine.
fn row(name: &str, pe_cycles: u64, times: &Times) -> String {
    let ratio = |seconds: f64| {
        let ratio = seconds / times.stepped;
        if ratio < 0.995 { format!("1/{}", short(1.0 / ratio)) } else { short(ratio) }
    };
    let maybe = |seconds: Option<f64>| seconds.map_or_else(|| "–".to_owned(), ratio);
    let cells = [
        name.to_owned(),
        grouped(&pe_cycles.to_string()),
        format!("{} µs", short(times.stepped * 1e6)),
        maybe(times.scalesim_layer),
        maybe(times.scalesim_demand),
        maybe(times.icarus.map(|icarus| icarus.run)),
        maybe(times.icarus.map(|icarus| icarus.compile)),
        maybe(times.verilator.map(|verilator| verilator.run)),
        maybe(times.verilator.map(|verilator| verilator.compile)),
        ratio(times.any_cycle),
        ratio(times.closed_form),
    ];
    format!("| {} |", cells.join(" | "))
}

fn total(all: &[Times]) -> Times {
    let maybe = |of: fn(&Times) -> Option<f64>| all.iter().map(of).sum::<Option<f64>>();
    let hardware = |of: fn(&Times) -> Option<Hardware>| {
        all.iter().map(of).try_fold(Hardware { compile: 0.0, run: 0.0 }, |sum, next| {
            next.map(|next| Hardware { compile: sum.compile + next.compile, run: sum.run + next.run })
        })
    };
    Times {
        stepped: all.iter().map(|times| times.stepped).sum(),
        any_cycle: all.iter().map(|times| times.any_cycle).sum(),
        closed_form: all.iter().map(|times| times.closed_form).sum(),
        scalesim_demand: maybe(|times| times.scalesim_demand),
        scalesim_layer: maybe(|times| times.scalesim_layer),
        icarus: hardware(|times| times.icarus),
        verilator: hardware(|times| times.verilator),
    }
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn main() {
    let runs: Vec<Run> = RUNS.lines().filter_map(Run::of).collect();
    assert_eq!(runs.len(), 3 * SHAPES.len(), "rows of the golden file");
    runs.iter().for_each(Run::check);
    let load_before = load();
    fs::create_dir_all(folder()).unwrap_or_else(|error| panic!("{}: {error}", folder().display()));

    let scalesim = scalesim(&runs);
    if let Err(reason) = &scalesim {
        println!("SCALE-Sim 3.0.0 cannot be installed, so its columns are empty: {reason}");
    }
    let has = [("iverilog", "-V"), ("verilator", "--version")].map(|(program, version)| {
        let is_there = is_there(program, version);
        if !is_there {
            println!("{program} is not installed, so its columns are empty.");
        }
        is_there
    });
    let mut all = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let mut times = core(run);
        if let Some(&(cycles, demand, layer)) = scalesim.as_ref().ok().and_then(|all| all.get(index)) {
            assert_eq!(cycles, run.run.schedule().cycles().get(), "{}: SCALE-Sim and the closed form differ", run.name);
            (times.scalesim_demand, times.scalesim_layer) = (Some(demand), Some(layer));
        }
        [times.icarus, times.verilator] = hardware(run, has[0], has[1]);
        all.push(times);
    }

    println!("Times, divided by the time of the stepped machine. Load: {load_before} before, {} after.\n", load());
    println!(
        "| run (M×K×N) | PE-cycles | stepped | SCALE-Sim | demand | Icarus | compile | Verilator | compile \
         | any cycle | closed |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (run, times) in runs.iter().zip(&all) {
        println!("{}", row(&run.name, run.run.schedule().pe_cycles().get(), times));
    }
    let pe_cycles = runs.iter().map(|run| run.run.schedule().pe_cycles().get()).sum();
    let total = total(&all);
    println!("{}", row("all", pe_cycles, &total));
    if let Some(layer) = total.scalesim_layer {
        let [stepped, closed_form] = [total.stepped, total.closed_form].map(|seconds| short(layer / seconds));
        println!("\nThe stepped machine is {stepped} times as fast as SCALE-Sim, the closed form {closed_form} times.");
    }
}
