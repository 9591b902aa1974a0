//! Energies of arithmetic operations and memory accesses, and the energy per MAC that is computed from these energies.
//! The energies are from tables in papers. Tests compare the energies with the conclusions of these papers.

use crate::Confidence::{High, Low};
use crate::definition::scale::HOROWITZ;
use crate::{Chip, PeakDtype, PowerKind, Seconds, Source, Sourced};

/// An amount of energy in joules.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Joules(pub f64);

impl Joules {
    /// The energy in kilowatt-hours.
    pub fn kwh(self) -> f64 {
        self.0 / 3.6e6
    }

    /// Carbon dioxide in kg that this energy causes: `kWh · PUE · grid`. The user states the power usage effectiveness
    /// (PUE) of the building, and the kg of carbon dioxide per kWh from the grid.
    pub fn kg_co2(self, power_usage_effectiveness: f64, grid_kg_per_kwh: f64) -> f64 {
        self.kwh() * power_usage_effectiveness * grid_kg_per_kwh
    }
}

/// Manufacturing process for which an energy was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// 45 nm at 0.9 V.
    Nm45,
    /// 7 nm.
    Nm7,
}

/// An operation whose energy is published. Each memory access moves 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Adding 8-bit integers.
    Int8Add,
    /// Adding 32-bit integers.
    Int32Add,
    /// Multiplying 8-bit integers.
    Int8Multiply,
    /// Multiplying 32-bit integers.
    Int32Multiply,
    /// Adding IEEE half-precision numbers.
    F16Add,
    /// Multiplying IEEE half-precision numbers.
    F16Multiply,
    /// Adding bfloat16 numbers.
    Bf16Add,
    /// Multiplying bfloat16 numbers.
    Bf16Multiply,
    /// Adding IEEE single-precision numbers.
    F32Add,
    /// Multiplying IEEE single-precision numbers.
    F32Multiply,
    /// Reading 64 bits of an 8 KiB SRAM.
    Sram8K,
    /// Reading 64 bits of a 32 KiB SRAM.
    Sram32K,
    /// Reading 64 bits of a 1 MiB SRAM.
    Sram1M,
    /// Moving 64 bits to or from HBM2, interface only.
    Hbm2,
    /// Moving 64 bits to or from GDDR6, interface only.
    Gddr6,
    /// Moving 64 bits to or from DDR memory.
    Ddr,
}

/// A published range of energy in picojoules; both ends are equal if the source has one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PicoJoules {
    /// Lower end of the range.
    pub low: f64,
    /// Upper end of the range.
    pub high: f64,
}

impl PicoJoules {
    /// The middle of the range.
    pub fn middle(self) -> f64 {
        f64::midpoint(self.low, self.high)
    }
}

/// Published energy of an operation in a process; `None` if the table has no entry for the operation in this process.
pub fn operation_energy(operation: Operation, process: Process) -> Option<&'static Sourced<PicoJoules>> {
    ENERGIES.iter().find(|(of, at, _)| (*of, *at) == (operation, process)).map(|(.., energy)| energy)
}

/// Energy per MAC and per byte, and static power. If a value is unknown, every energy that is computed from this value
/// is also unknown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyCosts {
    /// Picojoules per multiply-accumulate.
    pub pj_per_mac: Option<f64>,
    /// Picojoules per byte that is read from or written to on-chip memory.
    pub pj_per_sram_byte: Option<f64>,
    /// Picojoules per byte that is moved between main memory and chip.
    pub pj_per_dram_byte: Option<f64>,
    /// Static power in watts, which the chip draws with or without work.
    pub static_watts: Option<f64>,
}

impl EnergyCosts {
    /// Energy costs from the published tables. A MAC costs one multiplication and one addition. A byte costs an eighth
    /// of a 64-bit access. If the table has a range, the middle of the range counts. The tables do not state static
    /// power, so static power is unknown.
    pub fn published(process: Process, [multiply, add]: [Operation; 2], sram: Operation, dram: Operation) -> Self {
        let of = |operation| Some(operation_energy(operation, process)?.value?.middle());
        Self {
            pj_per_mac: of(multiply).zip(of(add)).map(|(multiply, add)| multiply + add),
            pj_per_sram_byte: of(sram).map(|word| word / 8.0),
            pj_per_dram_byte: of(dram).map(|word| word / 8.0),
            static_watts: None,
        }
    }

    /// Energy of a computation, by part: `MACs · e_mac`, `bytes · e_sram`, `bytes · e_dram`, `static power · time`.
    pub fn of(&self, macs: f64, sram_bytes: f64, dram_bytes: f64, time: Seconds) -> Energy {
        let pico = |count: f64, each: Option<f64>| each.map(|each| Joules(count * each * 1e-12));
        Energy {
            macs: pico(macs, self.pj_per_mac),
            sram: pico(sram_bytes, self.pj_per_sram_byte),
            dram: pico(dram_bytes, self.pj_per_dram_byte),
            standing: self.static_watts.map(|watts| Joules(watts * time.0)),
        }
    }
}

/// Energy of a computation, by part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// Energy of the multiply-accumulates.
    pub macs: Option<Joules>,
    /// Energy of accesses to on-chip memory.
    pub sram: Option<Joules>,
    /// Energy of the bytes moved between main memory and chip.
    pub dram: Option<Joules>,
    /// Energy that static power uses during the computation.
    pub standing: Option<Joules>,
}

impl Energy {
    /// The sum of all parts; `None` if a part is unknown.
    pub fn total(&self) -> Option<Joules> {
        Some(Joules(self.macs?.0 + self.sram?.0 + self.dram?.0 + self.standing?.0))
    }

    /// The sum of the parts that are known: a lower bound.
    pub fn known(&self) -> Joules {
        Joules([self.macs, self.sram, self.dram, self.standing].into_iter().flatten().map(|part| part.0).sum())
    }
}

impl Chip {
    /// Power ÷ peak in picojoules per MAC: the energy of a MAC if the chip draws this power at its peak.
    ///
    /// Kinds of power have different meanings (a limit, a mean, a whole system), so do not compare values of different
    /// kinds.
    pub fn picojoules_per_mac(&self, dtype: PeakDtype, power: PowerKind) -> Option<f64> {
        let watts = self.power_watts.iter().find(|(kind, _)| *kind == power)?.1.value?;
        Some(watts / (self.peak_flops(dtype)?.0 / 2.0) * 1e12)
    }
}

type Row = (Operation, Process, Sourced<PicoJoules>);

const fn at_45(operation: Operation, pj: f64) -> Row {
    (operation, Process::Nm45, Sourced::new(Some(PicoJoules { low: pj, high: pj }), &HOROWITZ, High, None))
}

const fn at_7(operation: Operation, low: f64, high: f64) -> Row {
    (operation, Process::Nm7, Sourced::new(Some(PicoJoules { low, high }), &JOUPPI, High, None))
}

const fn unverified(operation: Operation, pj: f64) -> Row {
    let energy = Some(PicoJoules { low: pj, high: pj });
    (operation, Process::Nm7, Sourced::new(energy, &JOUPPI, Low, Some("not verified")))
}

static ENERGIES: [Row; 27] = [
    at_45(Operation::Int8Add, 0.03),
    at_45(Operation::Int32Add, 0.1),
    at_45(Operation::Int8Multiply, 0.2),
    at_45(Operation::Int32Multiply, 3.1),
    at_45(Operation::F16Add, 0.4),
    at_45(Operation::F16Multiply, 1.1),
    at_45(Operation::F32Add, 0.9),
    at_45(Operation::F32Multiply, 3.7),
    at_45(Operation::Sram8K, 10.0),
    at_45(Operation::Sram32K, 20.0),
    at_45(Operation::Sram1M, 100.0),
    (
        Operation::Ddr,
        Process::Nm45,
        Sourced::new(Some(PicoJoules { low: 1300.0, high: 1300.0 }), &HOROWITZ, High, Some("1300 or more")),
    ),
    unverified(Operation::Int8Add, 0.007),
    at_7(Operation::Int32Add, 0.03, 0.03),
    at_7(Operation::Int8Multiply, 0.07, 0.07),
    at_7(Operation::F16Multiply, 0.34, 0.34),
    unverified(Operation::Bf16Add, 0.11),
    unverified(Operation::Bf16Multiply, 0.21),
    unverified(Operation::F32Add, 0.38),
    at_7(Operation::F32Multiply, 1.31, 1.31),
    at_7(Operation::Sram8K, 7.5, 7.5),
    at_7(Operation::Sram32K, 8.5, 8.5),
    at_7(Operation::Sram1M, 14.0, 14.0),
    at_7(Operation::Hbm2, 250.0, 450.0),
    at_7(Operation::Gddr6, 350.0, 480.0),
    at_7(Operation::Ddr, 1300.0, 1300.0),
    // The paper's table does not have this row. The row makes a query return the source that was searched.
    (Operation::F16Add, Process::Nm7, Sourced::new(None, &JOUPPI, Low, None)),
];

static JOUPPI: Source = Source {
    key: "jouppi21",
    text: "Jouppi et al., Ten Lessons From Three Generations Shaped Google's TPUv4i, ISCA 2021: operations at 45 and 7 nm",
};

#[cfg(test)]
mod tests {
    use super::{EnergyCosts, Joules, Operation, Process, operation_energy};
    use crate::PeakDtype::{Bf16, Int8};
    use crate::PowerKind::{Busy, Mean, SystemPerChip, Tdp};
    use crate::{Chip, Seconds};

    fn middle(operation: Operation, process: Process) -> f64 {
        operation_energy(operation, process).and_then(|energy| energy.value).expect("published").middle()
    }

    #[test]
    fn multiplying_became_cheap_and_small_memories_did_not() {
        let fell = |operation| middle(operation, Process::Nm45) / middle(operation, Process::Nm7);
        assert!((fell(Operation::Int8Multiply) - 3.0).abs() < 0.2);
        assert!((fell(Operation::Sram1M) - 7.1).abs() < 0.1);
        assert!((fell(Operation::Sram8K) - 1.33).abs() < 0.01);
        // At 7 nm, a byte from an 8 KiB SRAM costs as much energy as 13 int8 multiplications.
        let byte = middle(Operation::Sram8K, Process::Nm7) / 8.0;
        assert!((byte / middle(Operation::Int8Multiply, Process::Nm7) - 13.4).abs() < 0.05);
    }

    #[test]
    fn energy_is_the_sum_of_its_parts_and_unknown_while_one_is() {
        let bf16 = [Operation::Bf16Multiply, Operation::F32Add];
        let costs = EnergyCosts::published(Process::Nm7, bf16, Operation::Sram1M, Operation::Hbm2);
        // A MAC costs 0.21 + 0.38 pJ. A byte costs 14 ÷ 8 and 350 ÷ 8 pJ.
        assert!(costs.pj_per_mac.is_some_and(|pj| (pj - 0.59).abs() < 1e-12));
        assert_eq!((costs.pj_per_sram_byte, costs.pj_per_dram_byte), (Some(1.75), Some(43.75)));
        let open = costs.of(1e12, 1e12, 1e12, Seconds(2.0));
        assert_eq!((open.standing, open.total()), (None, None));
        assert!((open.known().0 - 46.09).abs() < 1e-9);
        let closed = EnergyCosts { static_watts: Some(50.0), ..costs }.of(1e12, 1e12, 1e12, Seconds(2.0));
        assert!((closed.total().expect("known").0 - 146.09).abs() < 1e-9);
    }

    #[test]
    fn what_no_source_tells_stays_unknown() {
        let searched = operation_energy(Operation::F16Add, Process::Nm7).expect("searched");
        assert_eq!(searched.value, None);
        assert!(operation_energy(Operation::Bf16Add, Process::Nm45).is_none());
        let half = [Operation::F16Multiply, Operation::F16Add];
        let costs = EnergyCosts::published(Process::Nm7, half, Operation::Sram8K, Operation::Gddr6);
        assert_eq!(costs.pj_per_mac, None);
        assert_eq!(Chip::by_id("tpu-v5e").and_then(|chip| chip.picojoules_per_mac(Bf16, Tdp)), None);
    }

    #[test]
    fn whole_chips_cost_about_a_picojoule_per_mac() {
        // These are power ÷ peak, computed outside of this crate, on the named basis.
        for (id, dtype, power, pj) in [
            ("tpu-v1", Int8, Busy, 0.87),
            ("tpu-v4", Bf16, Mean, 1.24),
            ("tpu-7x", Bf16, SystemPerChip, 0.94),
            ("b200-sxm", Bf16, Tdp, 0.89),
            ("gaudi3", Bf16, Tdp, 1.07),
            ("h100-sxm", Bf16, Tdp, 1.41),
            ("a100-40", Bf16, Tdp, 2.56),
            ("gaudi2", Bf16, Tdp, 2.8),
            ("tpu-v3", Bf16, Mean, 3.6),
        ] {
            let found = Chip::by_id(id).and_then(|chip| chip.picojoules_per_mac(dtype, power)).expect(id);
            assert!((found / pj - 1.0).abs() < 0.01, "{id}: {found}");
        }
    }

    #[test]
    fn carbon_is_energy_times_building_times_grid() {
        assert_eq!(Joules(7.2e6).kwh(), 2.0);
        assert!((Joules(7.2e6).kg_co2(1.1, 0.4) - 0.88).abs() < 1e-12);
    }
}
