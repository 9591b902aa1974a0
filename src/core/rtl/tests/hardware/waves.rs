//! Waveforms, read by another program (the parser of the crate `vcd`). Each signal has its full name.

use std::collections::BTreeMap;

use rtl::vcd::edge_ns;
use systolic::{Cycle, PeRegister, Value as Held};
use vcd::{Command, IdCode, Parser, ScopeItem};

use crate::cases::Case;

/// Values of a signal, each with its start in picoseconds. A bit has one of four values.
type Changes = Vec<(u64, String)>;

/// Contents of a dump: the changes of each signal, by the full name of the signal.
#[derive(Debug)]
pub(crate) struct Waves(BTreeMap<String, Changes>);

impl Waves {
    pub(crate) fn read(text: &str) -> Self {
        let mut parser = Parser::new(text.as_bytes());
        let header = parser.parse_header().expect("a header");
        let (scale, unit) = header.timescale.expect("a timescale");
        let picoseconds = u64::from(scale) * (1_000_000_000_000 / unit.divisor());
        let mut names: BTreeMap<IdCode, Vec<(String, u32)>> = BTreeMap::new();
        named(&header.items, "", &mut names);
        let mut waves: BTreeMap<String, Changes> = BTreeMap::new();
        let mut now = 0;
        for command in parser {
            match command.expect("a command") {
                Command::Timestamp(at) => now = at * picoseconds,
                Command::ChangeScalar(code, value) => changed(&mut waves, &names[&code], now, &value.to_string()),
                Command::ChangeVector(code, value) => {
                    let bits: String = value.iter().map(|bit| bit.to_string()).collect();
                    changed(&mut waves, &names[&code], now, &bits);
                }
                _ => {}
            }
        }
        Self(waves)
    }

    /// Returns the waveforms of one instance of a testbench, with `top` as the name of its top module.
    pub(crate) fn below(&self, instance: &str, top: &str) -> Self {
        let here = self.0.iter().filter_map(|(name, changes)| {
            let rest = name.strip_prefix(instance)?.strip_prefix('.')?;
            Some((format!("{top}.{rest}"), changes.clone()))
        });
        Self(here.collect())
    }

    /// Returns the first signal of this dump that the other dump lacks or contradicts, and the number of signals.
    pub(crate) fn difference(&self, other: &Self) -> (Option<String>, usize) {
        let differs = self.0.iter().find(|(name, changes)| other.0.get(*name) != Some(changes));
        let told = differs.map(|(name, changes)| format!("{name}: {changes:?}, but {:?}", other.0.get(name)));
        (told, self.0.len())
    }

    /// Returns the bits of a signal just after a clock edge.
    fn at(&self, name: &str, cycle: u64) -> &str {
        let changes = self.0.get(name).unwrap_or_else(|| panic!("{name} is no signal"));
        let n_before = changes.partition_point(|(at, _)| *at <= 1000 * edge_ns(cycle));
        &changes[n_before - 1].1
    }

    /// Returns the first register of a PE that disagrees with the closed forms. `systolic state` prints values from the
    /// closed forms too.
    pub(crate) fn disagreement(&self, case: &Case, prefix: &str) -> Option<String> {
        let prober = case.run.prober();
        let mut n_signals = 0;
        for pe in case.run.schedule().array().iter() {
            let storage = case.run.schedule().storage(case.run.unit(), pe.row);
            for &(register, bits) in storage.registers() {
                let name = format!("{prefix}tb.dut.array.row[{}].col[{}].pe.{}", pe.row, pe.col, register.id());
                for cycle in 0..case.run.schedule().cycles().get() {
                    let expected = PeRegister::of(register, &prober.registers(Cycle(cycle), pe));
                    let whole = match expected {
                        Some(Held::Int(value)) => value,
                        Some(Held::Float(_)) => panic!("no float is in an array of integers"),
                        None => 0,
                    };
                    let width = usize::try_from(bits).expect("small");
                    let all = format!("{whole:032b}");
                    let valid = if expected.is_some() { "1" } else { "0" };
                    let found = (self.at(&name, cycle), self.at(&format!("{name}_valid"), cycle));
                    if found != (&all[32 - width..], valid) {
                        return Some(format!("cycle {cycle}, {name} is {found:?}, but {expected:?} is expected"));
                    }
                }
                n_signals += 2;
            }
        }
        assert!(n_signals > 0, "there is something to compare");
        None
    }
}

/// Visits the scopes. Verilator adds an outer scope around all of them.
fn named(items: &[ScopeItem], path: &str, names: &mut BTreeMap<IdCode, Vec<(String, u32)>>) {
    let below = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for item in items {
        match item {
            ScopeItem::Scope(scope) if scope.identifier == "TOP" => named(&scope.items, "", names),
            ScopeItem::Scope(scope) => named(&scope.items, &below(&scope.identifier), names),
            ScopeItem::Var(var) => names.entry(var.code).or_default().push((below(&var.reference), var.size)),
            _ => {}
        }
    }
}

/// Records a value, with leading zeros up to the width of the signal, because simulators omit them.
fn changed(waves: &mut BTreeMap<String, Changes>, names: &[(String, u32)], now: u64, bits: &str) {
    for (name, width) in names {
        let all = format!("{bits:0>width$}", width = usize::try_from(*width).expect("small"));
        let changes = waves.entry(name.clone()).or_default();
        if changes.last().is_none_or(|(_, before)| *before != all) {
            changes.push((now, all));
        }
    }
}
