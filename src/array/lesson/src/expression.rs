//! Expressions of a lesson: `busy at 9`, `cycles with m=64`, `rows * cols`.

use studio::{Field, Settings};

use crate::lexer::{Sign, Token, tokens};
use crate::mistake::What;
use crate::{Known, OfFlow, Refusal, Unit, Value};

/// A value of a run that an expression can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Size of the array or of the matrices: `rows`, `cols`, `m`, `k`, `n`.
    Size(Field),
    /// Number of PEs in the array.
    Pes,
    /// Cycle of the card, or the cycle that the keyword `at` sets.
    Time,
    /// Cycle to which the page plays the run after the reader locks in an answer.
    Run,
    /// Row of the PE for which a condition is evaluated.
    Row,
    /// Column of the PE for which a condition is evaluated.
    Col,
    /// Number of cycles of the run.
    Cycles,
    /// Last cycle of the run.
    Last,
    /// Number of folds.
    Folds,
    /// Number of cycles that a fold needs to load its stationary operand.
    LoadCycles,
    /// Number of cycles from the start of one fold to the start of the next.
    Period,
    /// Number of multiply-accumulates of the matmul.
    Macs,
    /// Number of all PE-cycles, or of the PE-cycles of one class: `slots padding`.
    Slots,
    /// Share of the PE-cycles that belong to one class: `share padding`.
    Share,
    /// Share of the PE-cycles that are useful.
    Utilization,
    /// Number of PEs that multiply elements of the matrices. With a row and a column as arguments: true if this PE
    /// multiplies.
    Busy,
    /// Number of PEs that the wavefront has not reached yet.
    Waiting,
    /// Number of PEs that the wavefront has passed.
    Passed,
    /// Number of PEs without work.
    Unused,
    /// Element of A. Arguments: row, column.
    A,
    /// Element of B. Arguments: row, column.
    B,
    /// Complete element of C. Arguments: row, column.
    C,
    /// Partial sum in a PE. Arguments: row, column.
    Sum,
    /// Stationary element in a PE. Arguments: row, column.
    Held,
    /// Element that moves east through a PE. Arguments: row, column.
    Moving,
    /// Number of products in the partial sum of a PE. Arguments: row, column.
    Terms,
    /// Number of complete elements of C. With a row and a column as arguments: the first cycle at which this element is
    /// complete.
    Complete,
    /// Cycle at which `a[m,k]` meets `b[k,n]`. Arguments: m, k, n.
    Meet,
    /// Condition: a PE computes the product `a[m,k]`·`b[k,n]`. Arguments: row, column, m, k, n.
    Makes,
    /// First cycle in which any PE multiplies.
    FirstMultiply,
    /// Cycle of the first complete result.
    FirstResult,
    /// First cycle in which all PEs with work multiply.
    AllBusy,
    /// Last cycle in which any PE multiplies.
    LastMultiply,
    /// Largest number of PEs that multiply in one cycle.
    MostBusy,
    /// Number of elements of C that the card's fault makes wrong.
    Wrong,
    /// MFU of the matmul on the chip: the share of the chip's peak that the matmul achieves.
    Mfu,
    /// Time of the matmul on the chip, in seconds.
    Seconds,
    /// One of the further values in [`Known`].
    Known(Known),
    /// One of the values of the built dataflow.
    OfFlow(OfFlow),
}

impl Measure {
    /// All names of measures, each with its measure and its allowed numbers of arguments.
    pub const ALL: [(&'static str, Self, &'static [usize]); 41] = [
        ("rows", Self::Size(Field::Rows), &[0]),
        ("cols", Self::Size(Field::Cols), &[0]),
        ("m", Self::Size(Field::M), &[0]),
        ("k", Self::Size(Field::K), &[0]),
        ("n", Self::Size(Field::N), &[0]),
        ("pes", Self::Pes, &[0]),
        ("t", Self::Time, &[0]),
        ("run", Self::Run, &[0]),
        ("row", Self::Row, &[0]),
        ("col", Self::Col, &[0]),
        ("cycles", Self::Cycles, &[0]),
        ("last", Self::Last, &[0]),
        ("folds", Self::Folds, &[0]),
        ("load", Self::LoadCycles, &[0]),
        ("period", Self::Period, &[0]),
        ("macs", Self::Macs, &[0]),
        ("slots", Self::Slots, &[0, 1]),
        ("share", Self::Share, &[1]),
        ("utilization", Self::Utilization, &[0]),
        ("busy", Self::Busy, &[0, 2]),
        ("waiting", Self::Waiting, &[0]),
        ("passed", Self::Passed, &[0]),
        ("unused", Self::Unused, &[0]),
        ("a", Self::A, &[2]),
        ("b", Self::B, &[2]),
        ("c", Self::C, &[2]),
        ("sum", Self::Sum, &[2]),
        ("held", Self::Held, &[2]),
        ("moving", Self::Moving, &[2]),
        ("terms", Self::Terms, &[2]),
        ("complete", Self::Complete, &[0, 2]),
        ("meet", Self::Meet, &[3]),
        ("makes", Self::Makes, &[5]),
        ("first_multiply", Self::FirstMultiply, &[0]),
        ("first_result", Self::FirstResult, &[0]),
        ("all_busy", Self::AllBusy, &[0]),
        ("last_multiply", Self::LastMultiply, &[0]),
        ("most_busy", Self::MostBusy, &[0]),
        ("wrong", Self::Wrong, &[0]),
        ("mfu", Self::Mfu, &[0]),
        ("seconds", Self::Seconds, &[0]),
    ];

    /// Returns the measure with this name, and its allowed numbers of arguments.
    #[must_use]
    pub fn by_name(name: &str) -> Option<(Self, &'static [usize])> {
        let own = Self::ALL.iter().find(|(known, ..)| *known == name).map(|&(_, measure, numbers)| (measure, numbers));
        own.or_else(|| {
            let known = Known::ALL.iter().find(|(known, ..)| *known == name);
            known.map(|&(_, known, numbers)| (Self::Known(known), numbers))
        })
        .or_else(|| {
            let of_flow = OfFlow::ALL.iter().find(|(known, ..)| *known == name);
            of_flow.map(|&(_, of_flow, numbers)| (Self::OfFlow(of_flow), numbers))
        })
    }
}

/// An operator or function with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Sum of two numbers.
    Add,
    /// Difference of two numbers.
    Subtract,
    /// Product of two numbers.
    Multiply,
    /// Quotient of two numbers.
    Divide,
    /// Condition: the left number is less than the right number.
    Less,
    /// Condition: the left number is at most the right number.
    AtMost,
    /// Condition: the left number is greater than the right number.
    Greater,
    /// Condition: the left number is at least the right number.
    AtLeast,
    /// Condition: two numbers are equal.
    Equal,
    /// Condition: two numbers are not equal.
    Unequal,
    /// Condition: both conditions are true.
    And,
    /// Condition: at least one of two conditions is true.
    Or,
    /// Smaller of two numbers.
    Min,
    /// Larger of two numbers.
    Max,
}

/// An expression that is evaluated in a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// Number as written in the expression.
    Number(Value),
    /// Class of PE-cycles, as the argument of `slots` or `share`.
    Class(systolic::Slot),
    /// Measure of the run.
    Measure {
        /// Measure to compute.
        measure: Measure,
        /// Arguments of the measure.
        of: Vec<Self>,
        /// Cycle that the keyword `at` sets, or `None` for the card's cycle.
        at: Option<Box<Self>>,
        /// Settings that the keyword `with` changes.
        with: Settings,
    },
    /// Two expressions joined by an operation.
    Two(Operation, Box<Self>, Box<Self>),
    /// Expression with the opposite sign.
    Negative(Box<Self>),
    /// Expression rounded up to a whole number.
    Ceil(Box<Self>),
    /// Number that is shown in percent: 0.28 as `28 %`.
    Percent(Box<Self>),
    /// Number that is shown as an amount in dollars.
    Usd(Box<Self>),
}

/// Maximum depth of nested brackets, so that no typed text overflows the stack.
const DEPTH_MAX: usize = 40;

impl Expression {
    /// Returns the conditions that this condition joins with `and`, in their order.
    #[must_use]
    pub fn comparisons(&self) -> Vec<&Self> {
        match self {
            Self::Two(Operation::And, left, right) => [left.comparisons(), right.comparisons()].concat(),
            one => vec![one],
        }
    }

    /// Parses an expression.
    ///
    /// # Errors
    /// Fails at the first mistake, and returns its byte offset in the text and its kind.
    pub fn parse(text: &str) -> Result<Self, (usize, What)> {
        let mut reader = Reader { text, tokens: tokens(text), next: 0, depth: 0 };
        let all = reader.any()?;
        match reader.tokens.get(reader.next) {
            None => Ok(all),
            Some(token) => Err(reader.wrong(token.at)),
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    next: usize,
    depth: usize,
}

type Read = Result<Expression, (usize, What)>;

impl<'a> Reader<'a> {
    fn sign(&self) -> Option<Sign<'a>> {
        self.tokens.get(self.next).map(|token| token.sign)
    }

    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.text.len(), |token| token.at)
    }

    fn wrong(&self, at: usize) -> (usize, What) {
        (at, What::Sign(plain::cut(self.text.get(at..).unwrap_or(""))))
    }

    fn takes(&mut self, marks: &[&str]) -> bool {
        let has = matches!(self.sign(), Some(Sign::Mark(mark) | Sign::Name(mark)) if marks.contains(&mark));
        self.next += usize::from(has);
        has
    }

    fn joined(&mut self, signs: &[(&[&str], Operation)], part: fn(&mut Self) -> Read) -> Read {
        let mut all = part(self)?;
        while let Some(&(_, operation)) = signs.iter().find(|(marks, _)| self.takes(marks)) {
            all = Expression::Two(operation, Box::new(all), Box::new(part(self)?));
        }
        Ok(all)
    }

    fn any(&mut self) -> Read {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.wrong(self.at()));
        }
        let all = self
            .joined(&[(&["or"], Operation::Or)], |reader| reader.joined(&[(&["and"], Operation::And)], Self::compared));
        self.depth -= 1;
        all
    }

    fn compared(&mut self) -> Read {
        use Operation::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        self.joined(
            &[
                (&["<=", "≤"], AtMost),
                (&[">=", "≥"], AtLeast),
                (&["<"], Less),
                (&[">"], Greater),
                (&["="], Equal),
                (&["!=", "≠"], Unequal),
            ],
            |reader| {
                reader.joined(&[(&["+"], Operation::Add), (&["-", "−"], Operation::Subtract)], |reader| {
                    let times: &[&str] = &["*", "·", "×"];
                    reader.joined(&[(times, Operation::Multiply), (&["/", "÷"], Operation::Divide)], Self::signed)
                })
            },
        )
    }

    fn signed(&mut self) -> Read {
        let mut is_negative = false;
        while self.takes(&["-", "−"]) {
            is_negative = !is_negative;
        }
        let value = self.one(true)?;
        Ok(if is_negative { Expression::Negative(Box::new(value)) } else { value })
    }

    /// Parses one value. If `is_free` is false, the value is an argument of a measure: a number, a name without
    /// arguments, or an expression in brackets. A keyword `at` after the argument then belongs to the measure.
    fn one(&mut self, is_free: bool) -> Read {
        let at = self.at();
        match self.sign() {
            Some(Sign::Number { value, is_percent }) => {
                self.next += 1;
                let (number, unit) = if is_percent { (value / 100.0, Unit::Share) } else { (value, Unit::Count) };
                Ok(Expression::Number(Value { number, unit }))
            }
            Some(Sign::Mark("(")) => {
                self.next += 1;
                let inside = self.any()?;
                if self.takes(&[")"]) { Ok(inside) } else { Err(self.wrong(self.at())) }
            }
            Some(Sign::Name(name @ ("min" | "max" | "ceil" | "percent" | "usd"))) => {
                self.next += 1;
                self.function(name)
            }
            Some(Sign::Name(name)) => {
                if let Some(class) = systolic::Slot::from_id(name).filter(|_| !is_free) {
                    self.next += 1;
                    return Ok(Expression::Class(class));
                }
                let (measure, numbers) = Measure::by_name(name).ok_or_else(|| (at, What::Name(name.to_owned())))?;
                self.next += 1;
                if is_free {
                    self.measure(measure, numbers)
                } else {
                    Ok(Expression::Measure { measure, of: Vec::new(), at: None, with: Vec::new() })
                }
            }
            _ => Err(self.wrong(at)),
        }
    }

    fn function(&mut self, name: &str) -> Read {
        if !self.takes(&["("]) {
            return Err(self.wrong(self.at()));
        }
        let mut all = self.any()?;
        if name == "ceil" {
            all = Expression::Ceil(Box::new(all));
        } else if name == "percent" {
            all = Expression::Percent(Box::new(all));
        } else if name == "usd" {
            all = Expression::Usd(Box::new(all));
        } else {
            let operation = if name == "min" { Operation::Min } else { Operation::Max };
            while self.takes(&[","]) {
                all = Expression::Two(operation, Box::new(all), Box::new(self.any()?));
            }
        }
        if self.takes(&[")"]) { Ok(all) } else { Err(self.wrong(self.at())) }
    }

    fn measure(&mut self, measure: Measure, numbers: &[usize]) -> Read {
        let most = numbers.iter().copied().fold(0, usize::max);
        let mut of = Vec::new();
        while of.len() < most && self.begins_value() {
            of.push(self.one(false)?);
        }
        if !numbers.contains(&of.len()) {
            return Err(self.wrong(self.at()));
        }
        let (mut at, mut with) = (None, Vec::new());
        loop {
            if at.is_none() && self.takes(&["at"]) {
                at = Some(Box::new(self.one(false)?));
            } else if with.is_empty() && self.takes(&["with"]) {
                with = self.settings()?;
            } else {
                break;
            }
        }
        Ok(Expression::Measure { measure, of, at, with })
    }

    fn begins_value(&self) -> bool {
        match self.sign() {
            Some(Sign::Number { .. } | Sign::Mark("(")) => true,
            Some(Sign::Name(name)) => !["at", "with", "and", "or", "to"].contains(&name),
            _ => false,
        }
    }

    fn settings(&mut self) -> Result<Settings, (usize, What)> {
        let at = self.at();
        let Some(Sign::Settings(text)) = self.sign() else { return Err(self.wrong(at)) };
        self.next += 1;
        let one = |pair: &str| {
            let named = pair.split_once('=').and_then(|(name, value)| Some((Field::from_id(name)?, value)));
            let (field, value) = named.ok_or_else(|| (at, What::Name(plain::cut(pair))))?;
            let cannot_run = |_| (at, What::NoValue(plain::cut(pair), Refusal::CannotRun));
            Ok((field, field.read(value).map_err(cannot_run)?))
        };
        text.split('&').map(one).collect()
    }
}
