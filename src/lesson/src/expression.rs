//! What a lesson asks of the run: `busy at 9`, `cycles with m=64`, `rows * cols`.

use studio::Field;

use crate::lexer::{Sign, Token, tokens};
use crate::mistake::What;
use crate::{Known, Unit, Value};

/// Something that the core knows of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// A number that a field of the state has: `rows`, `cols`, `m`, `k`, `n`.
    Size(Field),
    /// PEs of the array.
    Pes,
    /// The cycle of the card, or of `at`.
    Time,
    /// The cycle to which the reveal plays.
    Run,
    /// The row of the PE that a condition is about.
    Row,
    /// Its column.
    Col,
    /// Cycles of the run.
    Cycles,
    /// Its last cycle.
    Last,
    /// Folds.
    Folds,
    /// Cycles in which a fold loads.
    LoadCycles,
    /// From the start of a fold to the start of the next.
    Period,
    /// Multiply-accumulates of the problem.
    Macs,
    /// All PE-cycles, or those of a class: `slots padding`.
    Slots,
    /// The share of all slots that a class has: `share padding`.
    Share,
    /// The share of all slots that do useful work.
    Utilization,
    /// PEs that multiply elements of the problem, or with a row and a column whether that one does.
    Busy,
    /// PEs that wait for the wave.
    Waiting,
    /// PEs that the wave has passed.
    Passed,
    /// PEs outside the problem.
    Unused,
    /// An element of A: row, column.
    A,
    /// An element of B.
    B,
    /// A finished element of C.
    C,
    /// The sum in a PE: row, column.
    Sum,
    /// The operand that stays in a PE.
    Held,
    /// The operand that goes east through a PE.
    Moving,
    /// Terms gathered in the sum of a PE.
    Terms,
    /// Elements of C that are complete, or with a row and a column the cycle at which that one is.
    Complete,
    /// The cycle at which `a[m,k]` and `b[k,n]` meet: m, k, n.
    Meet,
    /// Whether a PE makes that product: row, column, m, k, n.
    Makes,
    /// The first cycle in which a PE multiplies.
    FirstMultiply,
    /// The cycle of the first complete result.
    FirstResult,
    /// The first cycle in which all PEs with work multiply.
    AllBusy,
    /// The last cycle in which a PE multiplies.
    LastMultiply,
    /// The largest number of PEs that multiply in one cycle.
    MostBusy,
    /// Elements of C that come out wrong, in a machine with a defect.
    Wrong,
    /// The share of its chip's peak that the product gets.
    Mfu,
    /// Seconds that the product takes on the chip.
    Seconds,
    /// Something else that is known of the run or its chip.
    Known(Known),
}

impl Measure {
    /// Its name and with how many numbers it may come.
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

    /// The measure of a name, and with how many numbers it may come.
    #[must_use]
    pub fn by_name(name: &str) -> Option<(Self, &'static [usize])> {
        let own = Self::ALL.iter().find(|(known, ..)| *known == name).map(|&(_, measure, numbers)| (measure, numbers));
        own.or_else(|| {
            let known = Known::ALL.iter().find(|(known, ..)| *known == name);
            known.map(|&(_, known, numbers)| (Self::Known(known), numbers))
        })
    }
}

/// What two expressions are joined by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient.
    Divide,
    /// Less.
    Less,
    /// At most.
    AtMost,
    /// Greater.
    Greater,
    /// At least.
    AtLeast,
    /// Equal.
    Equal,
    /// Not equal.
    Unequal,
    /// Both hold.
    And,
    /// One holds.
    Or,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
}

/// Something that is worked out from a state.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A number as written.
    Number(Value),
    /// A class of slots, behind `slots` and `share`.
    Class(systolic::Slot),
    /// A measure of the run.
    Measure {
        /// Which.
        measure: Measure,
        /// The numbers that it comes with.
        of: Vec<Self>,
        /// The cycle, where it is not that of the card.
        at: Option<Box<Self>>,
        /// What is set otherwise.
        with: Vec<(Field, String)>,
    },
    /// Two, joined.
    Two(Operation, Box<Self>, Box<Self>),
    /// The other sign.
    Negative(Box<Self>),
    /// Rounded up.
    Ceil(Box<Self>),
    /// A part of a whole: a number from 0 to 1, written in percent.
    Percent(Box<Self>),
    /// Dollars.
    Usd(Box<Self>),
}

/// How deep an expression may go: what somebody types must not use up the stack.
const DEPTH_MAX: usize = 40;

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// The byte of the text at which it is wrong, and what is.
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

    /// One value. As one of the numbers of a measure it comes alone unless it is in brackets: `at` belongs to the measure.
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

    fn settings(&mut self) -> Result<Vec<(Field, String)>, (usize, What)> {
        let at = self.at();
        let Some(Sign::Settings(text)) = self.sign() else { return Err(self.wrong(at)) };
        self.next += 1;
        let one = |pair: &str| {
            let (name, value) = pair.split_once('=')?;
            Some((Field::from_id(name)?, value.to_owned()))
        };
        text.split('&').map(|pair| one(pair).ok_or_else(|| (at, What::Name(plain::cut(pair))))).collect()
    }
}
