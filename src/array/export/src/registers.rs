//! Table of every register of every PE, cycle by cycle, for `systolic state` and for exports from the page.

use plain::OrEmpty;
use std::io::{self, Write};

use serde_json::{Value as Json, json};
use systolic::{Activity, Cycle, Design, Element, Hold, Operand, Overlap, PeId, Prober, Registers, Schedule, Value};

use crate::{Notation, exact, json};

/// Name of the phase that corresponds to the activity of a PE.
const fn phase(activity: Activity) -> &'static str {
    match activity {
        Activity::Unmapped => "padding",
        Activity::Loading => "load",
        Activity::Waiting => "fill",
        Activity::Useful | Activity::OnPadding => "steady",
        Activity::Done => "drain",
        Activity::Stalled => "stall",
    }
}

/// Name of a table column, and a function that reads the register for this column.
type Named = (&'static str, fn(&Registers) -> Option<Value>);

/// Returns the registers of the schedule's design that some other designs do not have.
fn more_registers(schedule: &Schedule) -> Vec<Named> {
    let Design { overlap, pipeline, .. } = schedule.design();
    let overlapped = overlap == Overlap::DoubleBuffered;
    let flows = schedule.dataflow().hold() == Hold::Operand;
    let mut named: Vec<Named> = vec![];
    if overlapped && flows {
        named.push(("shadow", |registers| registers.shadow));
    }
    if pipeline.product_register {
        named.push(("product", |registers| registers.product));
    }
    if pipeline.two_registers_south {
        named.push(("passing", |registers| registers.passing));
    }
    if overlapped && schedule.drain_cycles().get() > 0 {
        named.push(("drained", |registers| registers.drained));
    }
    named
}

/// Table of a run: one line for each PE at each cycle, ordered by cycle, row and column.
#[derive(Debug)]
pub struct Table<'a> {
    schedule: &'a Schedule,
    prober: Prober<'a>,
    more: Vec<Named>,
}

impl<'a> Table<'a> {
    /// Creates the table of a schedule. `prober` reads the registers.
    #[must_use]
    pub fn new(schedule: &'a Schedule, prober: Prober<'a>) -> Self {
        Self { schedule, prober, more: more_registers(schedule) }
    }

    /// Writes the column names as a line of CSV.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn write_head(&self, out: &mut impl Write) -> io::Result<()> {
        let names: String = self.more.iter().map(|(name, _)| format!(",{name}")).collect();
        writeln!(out, "cycle,row,col,a,b,psum,phase,fold{names}")
    }

    /// Writes one line of CSV for each PE at a cycle. An empty register is an empty cell.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn write_csv(&self, cycle: Cycle, out: &mut impl Write) -> io::Result<()> {
        self.schedule.array().iter().try_for_each(|pe| {
            let Row { a, b, psum, phase, fold, more } = self.row(cycle, pe);
            let text = |value: Option<Value>| value.map(in_csv).or_empty();
            let [a, b, psum] = [a, b, psum].map(text);
            let more: String = more.into_iter().map(|(_, value)| format!(",{}", text(value))).collect();
            writeln!(out, "{cycle},{},{},{a},{b},{psum},{phase},{fold}{more}", pe.row, pe.col)
        })
    }

    /// Writes one line of JSON for each PE at a cycle, so that a program can read the file as a stream. An empty
    /// register is `null`, and a value is a number, as [`json`](fn@crate::json) writes it.
    ///
    /// # Errors
    /// Fails if `out` cannot be written.
    pub fn write_json(&self, cycle: Cycle, out: &mut impl Write) -> io::Result<()> {
        self.schedule.array().iter().try_for_each(|pe| writeln!(out, "{}", self.json(cycle, pe)))
    }

    /// Returns the line of one PE at a cycle as a JSON object.
    #[must_use]
    pub fn json(&self, cycle: Cycle, pe: PeId) -> Json {
        let Row { a, b, psum, phase, fold, more } = self.row(cycle, pe);
        let [a, b, psum] = [a, b, psum].map(|value| value.map(json));
        let mut line = json!({
            "cycle": cycle.get(), "row": pe.row, "col": pe.col, "a": a, "b": b, "psum": psum,
            "phase": phase, "fold": fold,
        });
        for (name, value) in more {
            line[name] = json!(value.map(json));
        }
        line
    }

    fn row(&self, cycle: Cycle, pe: PeId) -> Row {
        let fold = self.schedule.fold_at(cycle, pe).index;
        let probe = self.prober.at(cycle, pe);
        let registers = if self.more.is_empty() { Registers::default() } else { self.prober.registers(cycle, pe) };
        let element = |element: Option<Element>| element.map(|element| element.value);
        Row {
            a: element(probe.operand(Operand::A)),
            b: element(probe.operand(Operand::B)),
            psum: probe.sum.map(|sum| sum.value),
            phase: phase(probe.activity),
            fold,
            more: self.more.iter().map(|(name, of)| (*name, of(&registers))).collect(),
        }
    }
}

/// Returns a value as a cell of CSV. A float is always written as a float, such as `-2.0` or `NaN`, because programs guess
/// the type of a column from its cells. Polars takes `-2` for a whole number, and `nan` for a text.
fn in_csv(value: Value) -> String {
    let text = exact(value, Notation::Decimal);
    match value {
        Value::Float(float) if float.is_nan() => "NaN".to_owned(),
        Value::Float(float) if float.is_finite() && !text.contains('.') => text + ".0",
        Value::Float(_) | Value::Int(_) => text,
    }
}

/// Register contents of one PE at a cycle.
struct Row {
    a: Option<Value>,
    b: Option<Value>,
    psum: Option<Value>,
    phase: &'static str,
    fold: u64,
    more: Vec<(&'static str, Option<Value>)>,
}
