//! Run of a matmul: its result, its registers at a cycle, the elements that cross its ports, its PE-cycles.

use std::ops::RangeInclusive;

use perfmodel::{Chip, F32Passes};
use studio::Theme;
use systolic::{Cycle, Operand, PeRegister, Registers, ResultFormat, Slot, Value};

use crate::link;
use crate::problem::{Problem, Usable};

/// Sides of a drawing, as on the command line.
const SIDES: RangeInclusive<u16> = 40..=8000;

/// Largest number of events in a trace: three gigabytes.
const EVENTS_MAX: u64 = 1 << 26;

/// Matmul on an array.
#[derive(Debug)]
pub(crate) struct Run(systolic::Run, ResultFormat);

/// Register of all PEs: its name, its values, and a byte per PE that is 1 if the register is empty.
pub(crate) type Plane = (&'static str, Vec<u8>, Vec<u8>);

impl Run {
    pub(crate) const fn new(run: systolic::Run, results: ResultFormat) -> Self {
        Self(run, results)
    }

    fn cycle(&self, name: &str, cycle: &str) -> Result<Cycle, Problem> {
        let last = self.0.schedule().last_cycle();
        let found = cycle.parse().ok().filter(|cycle| *cycle <= last.get()).map(Cycle);
        found.ok_or_else(|| Problem::value(name, cycle, Usable::Cycle { last: last.get() }))
    }

    fn planes(&self, cycle: Cycle) -> Vec<Plane> {
        let prober = self.0.prober();
        let all: Vec<Registers> = self.0.schedule().array().iter().map(|pe| prober.registers(cycle, pe)).collect();
        // The last row may have fewer registers than the others.
        let storage = self.0.schedule().storage(self.0.unit(), 0);
        let plane = |register: PeRegister| {
            let (mut values, mut empty) = (Vec::with_capacity(all.len() * 4), Vec::with_capacity(all.len()));
            for registers in &all {
                let value = register.of(registers);
                values.extend_from_slice(&value.map_or([0; 4], four_bytes));
                empty.push(u8::from(value.is_none()));
            }
            (register.id(), values, empty)
        };
        storage.registers().iter().map(|(register, _)| plane(*register)).collect()
    }

    /// Columns for the events of some cycles: cycle, operand, edge, port, row and column, 8 bytes a number.
    fn events(&self, from: Cycle, to: Cycle) -> Result<[Vec<u8>; 6], Problem> {
        let mut columns: [Vec<u8>; 6] = [const { Vec::new() }; 6];
        let mut n_events = 0u64;
        for cycle in (from.get()..=to.get()).map(Cycle) {
            self.0.schedule().port_events(cycle, |event| {
                let operand = match event.operand {
                    Operand::A => 0,
                    Operand::B => 1,
                    Operand::C => 2,
                };
                let row = [cycle.get(), operand, event.edge as u64, u64::from(event.port), event.i, event.j];
                for (column, number) in columns.iter_mut().zip(row) {
                    column.extend_from_slice(&number.to_ne_bytes());
                }
                n_events += 1;
            });
            if n_events > EVENTS_MAX {
                return Err(Problem::TooManyEvents { most: EVENTS_MAX });
            }
        }
        Ok(columns)
    }
}

fn four_bytes(value: Value) -> [u8; 4] {
    match value {
        Value::Float(value) => value.to_ne_bytes(),
        Value::Int(value) => value.to_ne_bytes(),
    }
}

/// Reads a side of a drawing in CSS pixels.
fn pixels(name: &str, given: &str) -> Result<f32, Problem> {
    let pixels = given.parse().ok().filter(|pixels| SIDES.contains(pixels));
    pixels.map(f32::from).ok_or_else(|| Problem::value(name, given, Usable::Pixels(SIDES)))
}

impl Run {
    /// Result of the matmul, 4 bytes a number.
    pub(crate) fn product(&self) -> Vec<u8> {
        self.0.result().into_iter().flat_map(|sum| four_bytes(self.1.rounded(sum))).collect()
    }

    /// Registers of all PEs just after a clock edge, 4 bytes a number.
    pub(crate) fn state(&self, cycle: &str) -> Result<Vec<Plane>, Problem> {
        Ok(self.planes(self.cycle("cycle", cycle)?))
    }

    /// Elements at all ports from the cycle `first` to the cycle `last`.
    pub(crate) fn trace(&self, first: &str, last: &str) -> Result<[Vec<u8>; 6], Problem> {
        self.events(self.cycle("first", first)?, self.cycle("last", last)?)
    }

    /// Query and fragment of the link that shows the run on the page.
    pub(crate) fn link(&self, cycle: &str) -> Result<(String, String), Problem> {
        let cycle = self.cycle("cycle", cycle)?;
        let (_, link) = link::of(&self.0, self.1, cycle)?;
        Ok(link.to_parts())
    }

    /// Drawing of the array at a cycle, as an SVG document.
    pub(crate) fn svg(&self, cycle: &str, width: &str, height: &str, theme: &str) -> Result<String, Problem> {
        let cycle = self.cycle("cycle", cycle)?;
        let theme = Theme::from_id(theme).ok_or_else(|| {
            let names = Theme::ALL.into_iter().filter(|theme| *theme != Theme::Auto).map(Theme::id);
            Problem::value("theme", theme, Usable::OneOf(names.collect()))
        })?;
        let size = (pixels("width", width)?, pixels("height", height)?);
        let (plan, mut link) = link::of(&self.0, self.1, cycle)?;
        link.view.theme = theme;
        Ok(export::svg::document(&export::View { plan: &plan, link: &link, size }))
    }

    /// Share of PEs with work in the fold that the corner PE is at.
    pub(crate) fn occupancy(&self, cycle: &str) -> Result<f64, Problem> {
        let real = self.0.schedule().locate(self.cycle("cycle", cycle)?).fold.real;
        let array = self.0.schedule().array();
        Ok(f64::from(real.rows) * f64::from(real.cols) / (f64::from(array.rows()) * f64::from(array.cols())))
    }

    /// Rows and columns of the result.
    pub(crate) fn shape(&self) -> (u64, u64) {
        (self.0.schedule().gemm().m(), self.0.schedule().gemm().n())
    }

    /// Rows and columns of the array.
    pub(crate) fn sides(&self) -> (u32, u32) {
        (self.0.schedule().array().rows(), self.0.schedule().array().cols())
    }

    pub(crate) fn cycles(&self) -> u64 {
        self.0.schedule().cycles().get()
    }

    pub(crate) fn folds(&self) -> u64 {
        self.0.schedule().folds()
    }

    pub(crate) fn utilization(&self) -> f64 {
        self.0.schedule().tally().utilization()
    }

    /// MFU in percent and US dollars for 10¹⁸ useful multiplications, from the start of the run to a cycle. NaN if a
    /// number is not known.
    pub(crate) fn cost(&self, chip: &str, passes: &str, cycle: &str) -> Result<[f64; 2], Problem> {
        let priced = Chip::named(chip).ok_or_else(|| {
            Problem::value("chip", chip, Usable::OneOf(Chip::all().iter().map(|chip| chip.id).collect()))
        })?;
        let passes = F32Passes::from_id(passes)
            .ok_or_else(|| Problem::value("passes", passes, Usable::OneOf(F32Passes::NAMES.to_vec())))?;
        let tally = self.0.schedule().tally_until(self.cycle("cycle", cycle)?);
        let Ok(rate) = priced.full_rate(studio::chip_format(self.0.unit().dtype(), passes)) else {
            return Ok([f64::NAN; 2]);
        };
        let mfu = rate.mfu(tally.utilization());
        Ok([100.0 * mfu, rate.usd_per_1e18_at(mfu).unwrap_or(f64::NAN)])
    }

    pub(crate) fn mapping_efficiency(&self) -> f64 {
        self.0.schedule().mapping_efficiency()
    }

    /// Number of PE-cycles in each class.
    pub(crate) fn pe_cycles(&self) -> Vec<(&'static str, u64)> {
        let tally = self.0.schedule().tally();
        Slot::ALL.map(|slot| (slot.id(), tally.get(slot).get())).to_vec()
    }

    /// Number of elements that cross the edges: reads of A, reads of B and writes of C.
    pub(crate) fn elements(&self) -> Vec<(&'static str, u64)> {
        let traffic = self.0.schedule().edge_traffic();
        let all = [("a_reads", traffic.a_reads), ("b_reads", traffic.b_reads), ("c_writes", traffic.c_writes)];
        all.map(|(name, elements)| (name, elements.get())).to_vec()
    }
}
