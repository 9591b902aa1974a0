//! Judges answers. The simulator core computes the right answer, which the lesson does not contain.

use plain::OrEmpty;
use studio::{Field, FieldValue, FillKind, Plan};
use systolic::{Cycle, PeId};

use crate::draw::Draw;
use crate::evaluate::plan_with;
use crate::{Ask, Choice, Expression, Paragraph, Question, Reason, Refusal, RightChoice, Scene, Unit, Value};

/// An answer of a reader.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Index of the selected choice, counted from 0.
    Choice(usize),
    /// Number that the reader typed. A share is in percent.
    Number(f64),
    /// Cycle that the reader selected on the timeline.
    Cycle(Cycle),
    /// PEs that the reader selected, in any order.
    Pes(Vec<PeId>),
    /// Indices of the choices, in the order in which the reader put them.
    Order(Vec<usize>),
    /// Formula that the reader typed, in rows, cols, m, k and n.
    Formula(Expression),
}

/// Verdict on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Answer that matches the computed answer.
    Right,
    /// Answer that does not match the computed answer.
    Wrong,
}

/// Sizes for which the reader's formula and the simulator core give different values.
#[derive(Clone, Debug, PartialEq)]
pub struct Differs {
    /// Sizes of the array and of the matrices.
    pub sizes: Vec<(Field, u64)>,
    /// Value of the formula, or `None` if the formula has no value for these sizes.
    pub given: Option<Value>,
    /// Value that the simulator core computes for these sizes.
    pub right: Value,
}

/// Result of judging an answer. [`words::verdict`](crate::words::verdict) writes the message.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Verdict on the answer.
    pub verdict: Verdict,
    /// Misconception that the lesson names for this answer, if any.
    pub reason: Option<Reason>,
    /// Answer of the reader, as text.
    pub given: String,
    /// Right answer as text.
    pub right: String,
    /// Reader's answer and right answer as values, if both answers are numbers.
    pub numbers: Option<(Value, Value)>,
    /// Sizes for which the reader's formula is wrong, if the answer is a wrong formula.
    pub differs: Option<Differs>,
}

/// Returns the index of the right choice. `None` if a value cannot be computed, or if the right choice is not unique.
pub(crate) fn right_choice(choices: &[Choice], right: &RightChoice, scene: &Scene<'_>) -> Option<usize> {
    let values: Vec<Value> = choices.iter().map(|choice| choice.value.value(scene)).collect::<Result<_, _>>().ok()?;
    let all = values.iter().enumerate();
    match right {
        RightChoice::Equal(answer) => {
            let answer = answer.value(scene).ok()?;
            let mut same = all.filter(|(_, value)| value.is_same(answer));
            let first = same.next()?.0;
            same.next().is_none().then_some(first)
        }
        RightChoice::Holds => {
            let mut holding = all.filter(|(_, value)| value.holds());
            let first = holding.next()?.0;
            holding.next().is_none().then_some(first)
        }
        RightChoice::Claimed(index) => Some(*index),
        RightChoice::Largest => all.max_by(|a, b| a.1.number.total_cmp(&b.1.number)).map(|(index, _)| index),
        RightChoice::Smallest => all.min_by(|a, b| a.1.number.total_cmp(&b.1.number)).map(|(index, _)| index),
    }
}

/// Number of combinations of array and matrix sizes on which a formula is tested.
const SHAPES: u64 = 60;

/// Returns pseudorandom sizes of the array and of the matrices. The sizes depend only on `nth`.
fn sizes(nth: u64) -> Vec<(Field, u64)> {
    let mut draw = Draw::new(nth);
    [(Field::Rows, 9), (Field::Cols, 9), (Field::M, 40), (Field::K, 30), (Field::N, 30)]
        .map(|(field, most)| (field, draw.below(most) + 1))
        .to_vec()
}

/// Tests a formula on [`SHAPES`] combinations of sizes. Returns the first sizes for which the formula does not give the
/// right value.
pub(crate) fn formula_differs(question: &Question, scene: &Scene<'_>, given: &Expression) -> Option<Differs> {
    let Ask::Formula(of) = &question.ask else { return None };
    (0..SHAPES).find_map(|nth| {
        let sizes = sizes(nth);
        let mut set = vec![(Field::Fill, FieldValue::Fill(FillKind::Small))];
        set.extend(sizes.iter().map(|(field, size)| (*field, FieldValue::Count(*size))));
        let plan: Plan = plan_with(&scene.plan, &set).ok()?;
        let there = Scene::new(&plan, scene.cycle).with_reveal_at(scene.run);
        let right = of.value(&there).ok()?;
        let theirs = given.value(&there).ok();
        let is_same = theirs.is_some_and(|value| value.number == right.number);
        (!is_same).then_some(Differs { sizes, given: theirs, right })
    })
}

impl Question {
    /// True if the question asks for the verdict on a claim.
    #[must_use]
    pub const fn is_claim(&self) -> bool {
        matches!(self.ask, Ask::Choose { right: RightChoice::Claimed(_), .. })
    }

    /// Returns the misconceptions that the question names.
    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        self.choices()
            .iter()
            .filter_map(|choice| choice.reason.as_ref())
            .chain(self.named.iter().map(|named| &named.reason))
    }

    /// Computes the right answer.
    ///
    /// # Errors
    /// Fails if the state has no right answer. If [`Lesson::read`](crate::Lesson::read) accepted the lesson, every
    /// question has a right answer in the state of its card.
    pub fn right(&self, scene: &Scene<'_>) -> Result<Answer, Refusal> {
        Ok(match &self.ask {
            Ask::Choose { choices, right } => {
                Answer::Choice(right_choice(choices, right, scene).ok_or(Refusal::Nothing)?)
            }
            Ask::Number { answer: of, .. }
            | Ask::Register(of)
            | Ask::Cycle(of)
            | Ask::Pe(of)
            | Ask::Pes(of)
            | Ask::Formula(of) => self.answer_of(of, scene)?,
            Ask::Order(choices) => {
                let values: Vec<Value> =
                    choices.iter().map(|choice| choice.value.value(scene)).collect::<Result<_, _>>()?;
                let mut order: Vec<usize> = (0..choices.len()).collect();
                let number = |index: &usize| values.get(*index).map_or(0.0, |value| value.number);
                order.sort_by(|a, b| number(a).total_cmp(&number(b)));
                Answer::Order(order)
            }
        })
    }

    /// Returns the answer that an expression means, in the form of this question: a number, a cycle, PEs or a formula.
    pub(crate) fn answer_of(&self, of: &Expression, scene: &Scene<'_>) -> Result<Answer, Refusal> {
        Ok(match &self.ask {
            Ask::Cycle(_) => Answer::Cycle(cycle(of.value(scene)?)),
            Ask::Pe(_) => Answer::Pes(pes(of, scene).into_iter().take(1).collect()),
            Ask::Pes(_) => Answer::Pes(pes(of, scene)),
            Ask::Formula(_) => Answer::Formula(of.clone()),
            _ => Answer::Number(as_typed(of.value(scene)?)),
        })
    }

    /// Judges an answer.
    #[must_use]
    pub fn judge(&self, scene: &Scene<'_>, answer: &Answer) -> Judged {
        let right = self.right(scene);
        let differs = match answer {
            Answer::Formula(given) => formula_differs(self, scene, given),
            _ => None,
        };
        let is_right = match (answer, &right) {
            (Answer::Formula(_), _) => differs.is_none(),
            (Answer::Pes(given), _) => self.has(given, scene),
            (Answer::Number(given), Ok(Answer::Number(right))) => is_near(*given, *right),
            (given, Ok(right)) => given == right,
            _ => false,
        };
        let numbers = self.numbers(scene, answer);
        Judged {
            verdict: if is_right { Verdict::Right } else { Verdict::Wrong },
            reason: if is_right { None } else { self.reason(scene, answer).cloned() },
            given: self.shown(scene, answer),
            right: right.map_or_else(|_| String::new(), |right| self.shown(scene, &right)),
            numbers,
            differs,
        }
    }

    /// True if these PEs are the right answer. The right answer is one PE that meets the condition, or all such PEs.
    fn has(&self, given: &[PeId], scene: &Scene<'_>) -> bool {
        match &self.ask {
            Ask::Pe(which) => given.len() == 1 && given.iter().all(|&pe| which.holds(&scene.of_pe(pe))),
            Ask::Pes(which) => {
                let right = pes(which, scene);
                right.len() == given.len() && given.iter().all(|pe| right.contains(pe))
            }
            _ => false,
        }
    }

    fn reason(&self, scene: &Scene<'_>, answer: &Answer) -> Option<&Reason> {
        if let (Ask::Choose { choices, .. }, Answer::Choice(index)) = (&self.ask, answer) {
            return choices.get(*index)?.reason.as_ref();
        }
        // In a wrong order, the first misplaced item comes too early.
        if let (Ask::Order(choices), Answer::Order(given), Ok(Answer::Order(right))) =
            (&self.ask, answer, self.right(scene))
        {
            let (early, _) = given.iter().zip(&right).find(|(given, right)| given != right)?;
            return choices.get(*early)?.reason.as_ref();
        }
        let is_it = |value: &Expression| match answer {
            Answer::Number(given) => value.value(scene).is_ok_and(|value| is_near(*given, as_typed(value))),
            Answer::Cycle(given) => value.value(scene).is_ok_and(|value| cycle(value) == *given),
            Answer::Pes(given) => {
                let wrong = pes(value, scene);
                let has_all = |one: &[PeId], all: &[PeId]| one.iter().all(|pe| all.contains(pe));
                match self.ask {
                    Ask::Pe(_) => has_all(given, &wrong),
                    _ => given.len() == wrong.len() && has_all(given, &wrong),
                }
            }
            // Two formulas count as equal if they agree on all tested sizes.
            Answer::Formula(given) => {
                let other = Self { ask: Ask::Formula(value.clone()), ..self.clone() };
                formula_differs(&other, scene, given).is_none()
            }
            Answer::Choice(_) | Answer::Order(_) => false,
        };
        self.named.iter().find(|named| is_it(&named.value)).map(|named| &named.reason)
    }

    /// Returns the reader's answer and the right answer as values, if both answers are numbers.
    fn numbers(&self, scene: &Scene<'_>, answer: &Answer) -> Option<(Value, Value)> {
        let pair = match (&self.ask, answer) {
            (Ask::Choose { choices, right: RightChoice::Equal(right) }, Answer::Choice(index)) => {
                let choice = choices.get(*index).filter(|choice| choice.is_shown)?;
                (choice.value.value(scene).ok()?, right.value(scene).ok()?)
            }
            (Ask::Number { answer: right, .. }, Answer::Number(given)) => {
                let right = right.value(scene).ok()?;
                (from_typed(*given, right.unit), right)
            }
            _ => return None,
        };
        (pair.0.unit != Unit::Truth).then_some(pair)
    }

    /// Formats an answer as text.
    #[must_use]
    pub fn shown(&self, scene: &Scene<'_>, answer: &Answer) -> String {
        let label = |index: usize| match &self.ask {
            Ask::Choose { choices, .. } | Ask::Order(choices) => choices.get(index).map(|choice| {
                // The dots before the end of a sentence do not belong to the answer. The values after the name of a
                // chip do not either: "TPU v4: 275 TFLOPS".
                let label = |label: &Paragraph| {
                    let text = label.text(scene);
                    let name = text.trim_start_matches(['…', ' ']);
                    name.split_once(": ").map_or(name, |(name, _)| name).to_owned()
                };
                if choice.is_shown {
                    choice.value.value(scene).map_or_else(|_| String::new(), Value::shown)
                } else {
                    label(&choice.label)
                }
            }),
            _ => None,
        };
        match answer {
            Answer::Choice(index) => label(*index).or_empty(),
            Answer::Number(given) => match &self.ask {
                Ask::Number { answer, .. } | Ask::Register(answer) => {
                    answer.value(scene).map_or_else(|_| String::new(), |right| from_typed(*given, right.unit).shown())
                }
                _ => String::new(),
            },
            Answer::Cycle(cycle) => plain::grouped(cycle.get()),
            Answer::Pes(pes) => {
                let names: Vec<String> = pes.iter().map(|&pe| ::words::caption::pe_name(pe)).collect();
                display::number::joined(&names, ", ")
            }
            Answer::Order(order) => {
                let names: Vec<String> = order.iter().filter_map(|&index| label(index)).collect();
                display::number::joined(&names, " < ")
            }
            Answer::Formula(_) => String::new(),
        }
    }
}

/// Converts a value to the number that a person types. A person types a share in percent.
fn as_typed(value: Value) -> f64 {
    if value.unit == Unit::Share { value.number * 100.0 } else { value.number }
}

const fn from_typed(number: f64, unit: Unit) -> Value {
    let number = if matches!(unit, Unit::Share) { number / 100.0 } else { number };
    Value { number, unit }
}

/// True if a typed number counts as right. A whole number must match exactly. A fraction may differ by 2%, because
/// readers do not type all digits.
fn is_near(given: f64, right: f64) -> bool {
    given == right || (right != right.trunc() && (given - right).abs() <= right.abs() * 0.02)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float is cut to a whole cycle in the range of u64"
)]
const fn cycle(value: Value) -> Cycle {
    Cycle(value.number as u64)
}

/// Returns the PEs that meet a condition, row by row.
fn pes(which: &Expression, scene: &Scene<'_>) -> Vec<PeId> {
    scene.plan.schedule().array().iter().filter(|&pe| which.holds(&scene.of_pe(pe))).collect()
}
