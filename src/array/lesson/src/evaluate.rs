//! Evaluates expressions in the state of a card. The simulator core computes every number.

use std::borrow::Cow;

use studio::defect::{DefectName, wrong_results};
use studio::whereabouts::one;
use studio::{Field, FieldValue, Plan, Tools};
use systolic::flow::Flow;
use systolic::{Cycle, EventKind, Mkn, Operand, PeId, Probe, Schedule, Slot};

use crate::{Expression, Measure, Operation, Unit, Value};

/// Context in which an expression is evaluated: a run, a cycle of the run, and data of the card.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// Run of the array.
    pub plan: Cow<'a, Plan>,
    /// Cycle at which the expression is evaluated.
    pub cycle: Cycle,
    /// Cycle to which the page plays the run after the reader locks in an answer.
    pub run: Option<Cycle>,
    /// PE for which a condition is evaluated.
    pub pe: Option<PeId>,
    /// Fault of the array, or `None` if the array is fault-free.
    pub defect: Option<DefectName>,
    /// Dataflow that a person builds, if there is one.
    pub flow: Option<Flow>,
}

/// Reason why an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Settings that cannot run.
    CannotRun,
    /// Cycle, PE or element that the run does not have.
    NotThere,
    /// Register that is empty at this cycle.
    Nothing,
    /// Event that does not occur in the run.
    NoEvent,
    /// Name `run` in a card without the key `run`.
    NoRun,
    /// Name `row` or `col` outside a condition about PEs.
    NoPe,
    /// Negative, fractional or too large value in a place that needs a whole number.
    NotWhole,
    /// Condition in a place that needs a number, or number in a place that needs a condition.
    NotOfKind,
    /// Division by zero, or a result that is too large.
    NoNumber,
    /// Name `wrong` in a state without a fault (link parameter `break`).
    NoDefect,
    /// Name of a value of a built dataflow in a state without a built dataflow (link parameter `flow`).
    NoFlow,
    /// Value that needs an unpublished input, such as the peak of a chip.
    Unknown,
}

type Outcome = Result<Value, Refusal>;

impl<'a> Scene<'a> {
    /// Returns the context for a run at a cycle.
    #[must_use]
    pub const fn new(plan: &'a Plan, cycle: Cycle) -> Self {
        Self { plan: Cow::Borrowed(plan), cycle, run: None, pe: None, defect: None, flow: None }
    }

    /// Returns the context with the cycle to which the page plays the run after the reader locks in an answer.
    #[must_use]
    pub fn with_reveal_at(self, run: Option<Cycle>) -> Self {
        Self { run, ..self }
    }

    /// Returns the context with the fault and the built dataflow of `tools`.
    #[must_use]
    pub fn with_tools(self, tools: &Tools) -> Self {
        Self { defect: tools.defect, flow: tools.flow(), ..self }
    }

    /// Returns the context in which a condition is evaluated for this PE.
    #[must_use]
    pub fn of_pe(&self, pe: PeId) -> Self {
        Self { pe: Some(pe), ..self.clone() }
    }

    fn schedule(&self) -> &Schedule {
        self.plan.schedule()
    }
}

/// Returns the run with some settings changed.
///
/// # Errors
/// `CannotRun` if a setting does not accept its value, or if the new settings cannot run.
pub fn plan_with(plan: &Plan, settings: &[(Field, FieldValue)]) -> Result<Plan, Refusal> {
    let mut scenario = plan.scenario().clone();
    for (field, value) in settings {
        scenario.set(*field, value.clone()).map_err(|_| Refusal::CannotRun)?;
    }
    Plan::new(&scenario).map_err(|_| Refusal::CannotRun)
}

impl Expression {
    /// Computes the value of the expression.
    ///
    /// # Errors
    /// Fails if the expression has no value in this context. [`Refusal`] lists the reasons.
    pub fn value(&self, scene: &Scene<'_>) -> Outcome {
        let value = match self {
            Self::Number(value) => *value,
            Self::Class(_) => return Err(Refusal::NotOfKind),
            Self::Measure { measure, of, at, with } => {
                let mut there = scene.clone();
                if let Some(at) = at {
                    there.cycle = Cycle(whole(at.value(scene)?)?);
                }
                if !with.is_empty() {
                    there.plan = Cow::Owned(plan_with(&scene.plan, with)?);
                }
                there.measured(*measure, of, scene)?
            }
            Self::Two(operation, left, right) => apply_binary(*operation, left.value(scene)?, right.value(scene)?)?,
            Self::Negative(value) => {
                let value = number(value.value(scene)?)?;
                Value { number: -value.number, ..value }
            }
            Self::Percent(value) => Value::share(number(value.value(scene)?)?.number),
            Self::Usd(value) => Value { number: number(value.value(scene)?)?.number, unit: Unit::Dollars },
            Self::Ceil(value) => Value { number: number(value.value(scene)?)?.number.ceil(), unit: Unit::Count },
        };
        if value.number.is_finite() || value.unit == Unit::Element { Ok(value) } else { Err(Refusal::NoNumber) }
    }

    /// True if the condition is met. A condition without a value counts as false.
    #[must_use]
    pub fn holds(&self, scene: &Scene<'_>) -> bool {
        self.value(scene).is_ok_and(Value::holds)
    }
}

fn number(value: Value) -> Outcome {
    if value.unit == Unit::Truth { Err(Refusal::NotOfKind) } else { Ok(value) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be whole and below 2^53")]
pub(crate) fn whole(value: Value) -> Result<u64, Refusal> {
    let number = number(value)?.number;
    let is_whole = (0.0..9e15).contains(&number) && number == number.trunc();
    if is_whole { Ok(number as u64) } else { Err(Refusal::NotWhole) }
}

fn apply_binary(operation: Operation, left: Value, right: Value) -> Outcome {
    use Operation as Is;
    let (a, b) = (left.number, right.number);
    if matches!(operation, Is::And | Is::Or) {
        if left.unit != Unit::Truth || right.unit != Unit::Truth {
            return Err(Refusal::NotOfKind);
        }
        let holds = if operation == Is::And { left.holds() && right.holds() } else { left.holds() || right.holds() };
        return Ok(Value::truth(holds));
    }
    if left.unit == Unit::Truth || right.unit == Unit::Truth {
        return Err(Refusal::NotOfKind);
    }
    let unit = if left.unit == right.unit { left.unit } else { Unit::Number };
    let kept = |number: f64| Ok(Value { number, unit });
    match operation {
        Is::Add => kept(a + b),
        Is::Subtract => kept(a - b),
        Is::Multiply => {
            // A multiple of a time or a price is a time or a price.
            let is_amount = |value: &Value| matches!(value.unit, Unit::Seconds | Unit::Dollars);
            let is_factor = |value: &Value| matches!(value.unit, Unit::Count | Unit::Number);
            let amount = [(left, right), (right, left)].into_iter().find(|(of, by)| is_amount(of) && is_factor(by));
            Ok(Value { number: a * b, unit: amount.map_or(unit, |(of, _)| of.unit) })
        }
        Is::Divide if b == 0.0 => Err(Refusal::NoNumber),
        Is::Divide => {
            Ok(Value { number: a / b, unit: if right.unit == Unit::Count { left.unit } else { Unit::Number } })
        }
        Is::Min => kept(a.min(b)),
        Is::Max => kept(a.max(b)),
        Is::Less => Ok(Value::truth(a < b)),
        Is::AtMost => Ok(Value::truth(a <= b)),
        Is::Greater => Ok(Value::truth(a > b)),
        Is::AtLeast => Ok(Value::truth(a >= b)),
        Is::Equal => Ok(Value::truth(a == b)),
        Is::Unequal => Ok(Value::truth(a != b)),
        Is::And | Is::Or => Err(Refusal::NotOfKind),
    }
}

impl Scene<'_> {
    /// Computes a measure of this run. The arguments of the measure are evaluated in the context `from`.
    fn measured(&self, measure: Measure, of: &[Expression], from: &Scene<'_>) -> Outcome {
        let schedule = self.schedule();
        let tally = || schedule.tally();
        let class = || match of.first() {
            Some(Expression::Class(class)) => Ok(*class),
            _ => Err(Refusal::NotOfKind),
        };
        let count = |n: u64| Ok(Value::count(n));
        let numbers = |of: &[Expression]| of.iter().map(|one| whole(one.value(from)?)).collect::<Result<Vec<_>, _>>();
        match measure {
            Measure::Size(field) => count(self.plan.scenario().get(field).number().ok_or(Refusal::NoNumber)?),
            Measure::Pes => count(schedule.array().pes()),
            Measure::Time => count(self.cycle.get()),
            Measure::Run => count(self.run.ok_or(Refusal::NoRun)?.get()),
            Measure::Row => count(u64::from(self.pe.ok_or(Refusal::NoPe)?.row)),
            Measure::Col => count(u64::from(self.pe.ok_or(Refusal::NoPe)?.col)),
            Measure::Cycles => count(schedule.cycles().get()),
            Measure::Last => count(schedule.last_cycle().get()),
            Measure::Folds => count(schedule.folds()),
            Measure::LoadCycles => count(schedule.load_cycles().get()),
            Measure::Period => count(schedule.period().get()),
            Measure::Macs => count(schedule.gemm().macs().get()),
            Measure::Slots if of.is_empty() => count(tally().total().get()),
            Measure::Slots => count(tally().get(class()?).get()),
            Measure::Share => Ok(Value::share(tally().get(class()?).as_f64() / tally().total().as_f64().max(1.0))),
            Measure::Utilization => Ok(Value::share(tally().utilization())),
            Measure::Busy if of.is_empty() => count(schedule.census(self.cycle).useful),
            Measure::Busy => {
                let pe = self.pe_of(&numbers(of)?)?;
                Ok(Value::truth(schedule.slot(self.cycle, pe) == Slot::Useful))
            }
            Measure::Waiting => count(schedule.census(self.cycle).waiting),
            Measure::Passed => count(schedule.census(self.cycle).done),
            Measure::Unused => count(schedule.census(self.cycle).unmapped),
            Measure::A => self.element(Operand::A, &numbers(of)?),
            Measure::B => self.element(Operand::B, &numbers(of)?),
            Measure::C => self.element(Operand::C, &numbers(of)?),
            Measure::Sum => self.register(&numbers(of)?, |probe| probe.sum.map(|sum| sum.value)),
            Measure::Held => self.register(&numbers(of)?, |probe| probe.held.map(|one| one.value)),
            Measure::Moving => self.register(&numbers(of)?, |probe| probe.east.map(|one| one.value)),
            Measure::Terms => {
                let probe = self.plan.prober().at(self.cycle, self.pe_of(&numbers(of)?)?);
                count(probe.sum.map_or(0, |sum| sum.terms))
            }
            Measure::Complete if of.is_empty() => {
                let gemm = schedule.gemm();
                let all = (0..gemm.m()).flat_map(|m| (0..gemm.n()).map(move |n| (m, n)));
                let complete = all.filter(|&place| one::result(&self.plan, self.cycle, place).is_complete);
                count(complete.map(|_| 1).sum())
            }
            Measure::Complete => count(self.completes(&numbers(of)?)?.get()),
            Measure::Meet => count(schedule.term(self.product(&numbers(of)?)?).cycle.get()),
            Measure::Makes => match numbers(of)?.as_slice() {
                [row, col, rest @ ..] => {
                    Ok(Value::truth(schedule.term(self.product(rest)?).pe == self.pe_of(&[*row, *col])?))
                }
                _ => Err(Refusal::NotThere),
            },
            Measure::FirstMultiply => self.event(EventKind::FirstMac, 0),
            Measure::FirstResult => self.event(EventKind::FirstResult, 0),
            Measure::AllBusy => self.event(EventKind::ArrayFull, 0),
            Measure::LastMultiply => self.event(EventKind::LastMac, schedule.folds() - 1),
            Measure::MostBusy => {
                let cycles = (0..schedule.cycles().get().min(CYCLES_MAX)).map(Cycle);
                count(cycles.map(|cycle| schedule.census(cycle).useful).fold(0, u64::max))
            }
            Measure::Wrong => {
                let defect = self.defect.ok_or(Refusal::NoDefect)?.on(&self.plan).map_err(|_| Refusal::CannotRun)?;
                Ok(Value::count(wrong_results(&self.plan, defect).iter().map(|_| 1).sum()))
            }
            Measure::Mfu => Ok(Value::share(self.plan.on_chip().map_err(|_| Refusal::Unknown)?.mfu.ratio)),
            Measure::Known(known) => known.value(&self.plan, &from.plan, self.cycle, &numbers(of)?),
            Measure::OfFlow(of_flow) => of_flow.value(self.flow, &self.plan, &numbers(of)?),
            Measure::Seconds => {
                let number = self.plan.on_chip().map_err(|_| Refusal::Unknown)?.mfu.time.0;
                Ok(Value { number, unit: Unit::Seconds })
            }
        }
    }

    fn pe_of(&self, numbers: &[u64]) -> Result<PeId, Refusal> {
        let &[row, col] = numbers else { return Err(Refusal::NotThere) };
        let pe = u32::try_from(row).ok().zip(u32::try_from(col).ok()).map(|(row, col)| PeId::new(row, col));
        pe.filter(|&pe| self.schedule().array().contains(pe)).ok_or(Refusal::NotThere)
    }

    fn element(&self, operand: Operand, numbers: &[u64]) -> Outcome {
        let &[row, col] = numbers else { return Err(Refusal::NotThere) };
        let gemm = self.schedule().gemm();
        let sides = match operand {
            Operand::A => (gemm.m(), gemm.k()),
            Operand::B => (gemm.k(), gemm.n()),
            Operand::C => (gemm.m(), gemm.n()),
        };
        if row >= sides.0 || col >= sides.1 {
            return Err(Refusal::NotThere);
        }
        match operand {
            Operand::A | Operand::B => Ok(Value::element(self.plan.prober().element(operand, row, col).value)),
            Operand::C => {
                let last = self.plan.last();
                let trace = studio::spot::trace(&self.plan, last, studio::PointedValue::Element(operand, row, col), 0);
                trace.and_then(|trace| trace.value).map(Value::element).ok_or(Refusal::Nothing)
            }
        }
    }

    fn register(&self, numbers: &[u64], part: fn(Probe) -> Option<systolic::Value>) -> Outcome {
        let probe = self.plan.prober().at(self.cycle, self.pe_of(numbers)?);
        part(probe).map(Value::element).ok_or(Refusal::Nothing)
    }

    fn product(&self, numbers: &[u64]) -> Result<Mkn, Refusal> {
        let (&[m, k, n], gemm) = (numbers, self.schedule().gemm()) else { return Err(Refusal::NotThere) };
        let is_there = m < gemm.m() && k < gemm.k() && n < gemm.n();
        if is_there { Ok(Mkn { m, k, n }) } else { Err(Refusal::NotThere) }
    }

    /// Finds the first cycle at which an element of C is complete. Binary search works because a complete element stays
    /// complete.
    fn completes(&self, numbers: &[u64]) -> Result<Cycle, Refusal> {
        let (&[m, n], gemm) = (numbers, self.schedule().gemm()) else { return Err(Refusal::NotThere) };
        if m >= gemm.m() || n >= gemm.n() {
            return Err(Refusal::NotThere);
        }
        let (mut not_yet, mut complete) = (0, self.plan.last().get());
        while not_yet < complete {
            let middle = u64::midpoint(not_yet, complete);
            if one::result(&self.plan, Cycle(middle), (m, n)).is_complete {
                complete = middle;
            } else {
                not_yet = middle + 1;
            }
        }
        Ok(Cycle(complete))
    }

    fn event(&self, kind: EventKind, fold: u64) -> Outcome {
        let schedule = self.schedule();
        let events = schedule.events_of(&schedule.fold(fold));
        let found = events.into_iter().find(|event| event.kind == kind).ok_or(Refusal::NoEvent)?;
        Ok(Value::count(found.cycle.get()))
    }
}

/// Maximum number of cycles that `most_busy` examines.
const CYCLES_MAX: u64 = 100_000;
