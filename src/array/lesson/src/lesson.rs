//! Data of a lesson, which consists of cards. Each card has a state of the array, and may have a question or a task.

use std::borrow::Cow;

use studio::defect::DefectName;
use studio::{Built, Drawing, Field, Link, Plan, Settings, Tools};
use systolic::Cycle;
use systolic::flow::Flow;

use crate::evaluate::plan_with;
use crate::{Expression, Lit, Operation, Paragraph, Refusal, Scene, Value, Vary};

/// A lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Name of the lesson in links and file names.
    pub id: String,
    /// Title of the lesson.
    pub title: String,
    /// Time for the cards in minutes, an estimate.
    pub minutes: u64,
    /// Contents of the lesson, in a few words.
    pub about: Option<String>,
    /// Abilities that a reader has after the lesson, one per entry.
    pub aims: Vec<String>,
    /// Ids of the lessons to read before this lesson.
    pub needs: Vec<String>,
    /// Id of the lesson to read after this lesson.
    pub next: Option<String>,
    /// True for a test: the page does not say if an answer is right, and shows no run.
    pub is_test: bool,
    /// Cards of the lesson.
    pub cards: Vec<Card>,
}

systolic::named! {
    /// Purpose of a card.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Kind {
        /// Card that only explains.
        Explain => "explain",
        /// Card that asks for a prediction, and then plays the run.
        Predict => "predict",
        /// Card that sets a task: change settings until a goal is met.
        Change => "change",
    }
}

/// A card of a lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Title of the card.
    pub title: Paragraph,
    /// Purpose of the card.
    pub kind: Kind,
    /// State of the page while the card is open.
    pub state: Link,
    /// Run of the card's state.
    pub plan: Plan,
    /// Second state and its run, which the page shows next to the card's run after the reader answers.
    pub beside: Option<(Link, Plan)>,
    /// Cycle to which the page plays the run after the reader locks in an answer.
    pub run: Option<Cycle>,
    /// Expression that computes this cycle.
    pub reveal: Option<Expression>,
    /// Settings that the page changes after the reader locks in an answer.
    pub then: Settings,
    /// Parts of the page to highlight, at most [`Lit::MOST`]. If the list is empty, the page dims no part.
    pub lit: Vec<Lit>,
    /// Ids of the glossary entries that the card introduces.
    pub words: Vec<String>,
    /// Text above the question, at most [`Card::WORDS_MAX`] words.
    pub text: Vec<Paragraph>,
    /// Question of the card.
    pub question: Option<Question>,
    /// Task of the card.
    pub change: Option<Change>,
    /// Conclusion of the card, shown after the answer, at most [`Card::WORDS_MAX`] words.
    pub why: Vec<Paragraph>,
    /// Condition that decides a claim. `None` if a document decides the claim.
    pub shows: Option<Expression>,
    /// Document that supports the conclusion.
    pub source: Option<Source>,
    /// Numbers that differ between versions of the card. Empty if the card has only the written version.
    pub vary: Vec<Vary>,
}

/// A document, with the words that support a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Address of the document.
    pub address: String,
    /// Words of the document.
    pub quote: String,
}

impl Source {
    /// Reads an address and quoted words: `https://example.org/a.html "the words"`. Returns `None` if the address does
    /// not begin with `https://`, or if the words are not in quotation marks.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (address, quote) = text.split_once(' ')?;
        let quote = quote.strip_prefix('"')?.strip_suffix('"').filter(|quote| !quote.is_empty())?;
        let is_address = address.strip_prefix("https://").is_some_and(|rest| rest.contains('.'));
        is_address.then(|| Self { address: address.to_owned(), quote: quote.to_owned() })
    }

    /// Returns the name of the site: `example.org`.
    #[must_use]
    pub fn site(&self) -> &str {
        let rest = self.address.trim_start_matches("https://");
        rest.split('/').next().unwrap_or(rest).trim_start_matches("www.")
    }
}

/// A question. The core computes the right answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Text of the question.
    pub text: Paragraph,
    /// Form of the answer, with the right answer.
    pub ask: Ask,
    /// Known wrong answers, each with its misconception. Empty for questions with choices.
    pub named: Vec<Named>,
}

/// The form of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// One of several choices.
    Choose {
        /// Choices in the order of the file.
        choices: Vec<Choice>,
        /// Rule for the right choice.
        right: RightChoice,
    },
    /// A number. If the question has a range, the reader sets the number with a slider.
    Number {
        /// Right number.
        answer: Expression,
        /// Minimum and maximum of the slider.
        range: Option<(Expression, Expression)>,
    },
    /// The value of a register, computed by this expression.
    Register(Expression),
    /// A cycle on the timeline, computed by this expression.
    Cycle(Expression),
    /// One PE that meets this condition.
    Pe(Expression),
    /// All PEs that meet this condition.
    Pes(Expression),
    /// Items that the reader puts in rising order of their values.
    Order(Vec<Choice>),
    /// A formula in rows, cols, m, k and n that computes this expression.
    Formula(Expression),
}

/// Rule for the right choice.
#[derive(Clone, Debug, PartialEq)]
pub enum RightChoice {
    /// The choice that has this value.
    Equal(Expression),
    /// The choice with the largest value.
    Largest,
    /// The choice with the smallest value.
    Smallest,
    /// The choice whose condition is true.
    Holds,
    /// The verdict on a claim, as an index into [`words::CLAIMED`](crate::words::CLAIMED).
    Claimed(usize),
}

/// One of several choices.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Value that decides if the choice is right.
    pub value: Expression,
    /// True if the page shows the value.
    pub is_shown: bool,
    /// Text of the choice, without the shown value.
    pub label: Paragraph,
    /// Misconception behind the choice, if the choice is wrong.
    pub reason: Option<Reason>,
    /// Byte offset of the choice in the lesson.
    pub at: usize,
}

/// A known wrong answer and the misconception behind the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// Value of the wrong answer.
    pub value: Expression,
    /// Misconception behind the answer.
    pub reason: Reason,
    /// Byte offset of the answer in the lesson.
    pub at: usize,
}

/// A misconception and its correction.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// Misconception in bold, followed by the reason why the misconception is wrong.
    pub text: Paragraph,
}

/// A task: change settings until a goal is met.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Text of the task.
    pub text: Paragraph,
    /// Fields that the reader may change.
    pub fields: Vec<Field>,
    /// Field whose value the reader guesses before the page offers the fields.
    pub guess: Option<Field>,
    /// Condition that the solution must meet.
    pub goal: Expression,
    /// Names of the goal's comparisons, in their order.
    pub named: Vec<String>,
    /// Best known settings that meet the goal. Empty for a task about a skew or a flow, whose solution is in `skew` or
    /// `flow`.
    pub solution: Settings,
    /// Measure by which the page compares solutions; `None` if the task does not compare solutions.
    pub best: Option<Best>,
    /// Solution of a skew task (`change: skew`): the cycles in which the rows of A enter the array.
    pub skew: Option<DefectName>,
    /// Solution of a task about a built dataflow (`change: flow`).
    pub flow: Option<Flow>,
    /// Hints, which the page shows one at a time.
    pub hints: Vec<Paragraph>,
}

/// A comparison of a goal, with its values in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part<'a> {
    /// Name of the compared measure.
    pub name: &'a str,
    /// The comparison.
    pub operation: Operation,
    /// Value in the run. `None` if the run has no such value.
    pub now: Option<Value>,
    /// Value with which the run's value is compared.
    pub wanted: Option<Value>,
    /// True if the run meets the comparison.
    pub is_met: bool,
}

/// Measure by which the page compares solutions of a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Expression whose values for the solutions are compared.
    pub of: Expression,
    /// Expression as it is written in the lesson.
    pub measure: String,
    /// True if the solution with the larger value is better.
    pub is_largest: bool,
}

impl Card {
    /// Maximum number of words in the text of a card, and in its conclusion.
    pub const WORDS_MAX: usize = 40;

    /// Returns the run that the page shows after the reader locks in an answer.
    #[must_use]
    pub fn revealed(&self) -> Cow<'_, Plan> {
        // A checked card has settings that can run.
        let then = (!self.then.is_empty()).then(|| plan_with(&self.plan, &self.then).ok()).flatten();
        then.map_or(Cow::Borrowed(&self.plan), Cow::Owned)
    }

    /// True if the page must hide the numbers of the card's run, because these numbers answer the question. If the
    /// question changes the run and the drawing shows both runs, the numbers stay visible. A claim always hides them,
    /// because one run can decide a claim.
    #[must_use]
    pub fn hides_run(&self) -> bool {
        let shows_both = matches!(self.state.tools.picture, Drawing::PeCycles | Drawing::Traffic | Drawing::Roofline);
        self.question.as_ref().is_some_and(|question| question.is_claim() || self.then.is_empty() || !shows_both)
    }

    /// True if a run, the fault of its array and the built dataflow differ from the state of the card only in settings
    /// that the task offers.
    #[must_use]
    pub fn offers(&self, plan: &Plan, tools: &Tools) -> bool {
        let fields = self.change.iter().flat_map(|change| &change.fields);
        let settings: Settings = fields.map(|&field| (field, plan.scenario().get(field))).collect();
        let has_schedule = self.change.as_ref().is_some_and(|change| change.skew.is_some())
            && matches!(tools.defect, Some(DefectName::OwnSkew { .. }));
        let has_flow = self.change.as_ref().is_some_and(|change| change.flow.is_some()) && tools.built.is_some();
        (tools.defect == self.state.tools.defect || has_schedule)
            && (tools.flow() == self.state.tools.flow() || has_flow)
            && plan_with(&self.plan, &settings).is_ok_and(|offered| offered == *plan)
    }

    /// True if a run, with the fault of its array and the built dataflow, meets the goal of the card. Only settings
    /// that the task offers may differ from the state of the card.
    #[must_use]
    pub fn is_solved_by(&self, plan: &Plan, tools: &Tools) -> bool {
        let scene = || Scene::new(plan, self.state.cycle).with_tools(tools);
        self.offers(plan, tools) && self.change.as_ref().is_some_and(|change| change.is_met(&scene()))
    }

    /// Computes the cycle to which the page plays the run.
    pub(crate) fn reveal_at(&self, reveal: &Expression) -> Result<Cycle, Refusal> {
        let revealed = self.revealed();
        let scene = Scene::new(&revealed, self.state.cycle).with_tools(&self.state.tools);
        reveal.value(&scene).map(|value| cycle(value.number))
    }

    /// Returns the context in which the card's expressions are evaluated.
    #[must_use]
    pub fn scene(&self) -> Scene<'_> {
        Scene::new(&self.plan, self.state.cycle).with_reveal_at(self.run).with_tools(&self.state.tools)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float is cut to a whole cycle in the range of u64"
)]
const fn cycle(number: f64) -> Cycle {
    Cycle(number as u64)
}

impl Lesson {
    /// Minimum and maximum number of cards.
    pub const CARDS: (usize, usize) = (1, 16);

    /// Returns the card with this number, counted from 1.
    #[must_use]
    pub fn card(&self, number: usize) -> Option<&Card> {
        self.cards.get(number.checked_sub(1)?)
    }
}

impl Change {
    /// Returns the comparisons of the goal with their values in `scene`, in their order.
    #[must_use]
    pub fn parts(&self, scene: &Scene<'_>) -> Vec<Part<'_>> {
        let part = |(comparison, name): (&Expression, _)| match comparison {
            Expression::Two(operation, now, wanted) => Some(Part {
                name,
                operation: *operation,
                now: now.value(scene).ok(),
                wanted: wanted.value(scene).ok(),
                is_met: comparison.holds(scene),
            }),
            _ => None,
        };
        let names = self.named.iter().map(String::as_str);
        self.goal.comparisons().into_iter().zip(names).filter_map(part).collect()
    }

    /// Returns the value of [`best`](Self::best) for the known solution. `None` if the task does not compare solutions.
    #[must_use]
    pub fn best_known(&self, card: &Card) -> Option<Value> {
        let solved = plan_with(&card.plan, &self.solution).ok()?;
        self.best.as_ref()?.of.value(&self.solved(card, &solved)).ok()
    }

    /// Returns the tools of the card with the skew or the flow of the solution.
    #[must_use]
    pub fn solved_tools(&self, tools: &Tools) -> Tools {
        let built = self.flow.map(|flow| Built { flow, cycle: None });
        Tools { defect: self.skew.or(tools.defect), built: built.or(tools.built), ..tools.clone() }
    }

    /// Returns the context in which a solution is judged: the run `plan`, the cycles of the card, and the fault and the
    /// flow that the solution sets.
    #[must_use]
    pub fn solved<'a>(&self, card: &Card, plan: &'a Plan) -> Scene<'a> {
        let tools = self.solved_tools(&card.state.tools);
        Scene::new(plan, card.state.cycle).with_reveal_at(card.run).with_tools(&tools)
    }

    /// True if a run meets the goal.
    #[must_use]
    pub fn is_met(&self, scene: &Scene<'_>) -> bool {
        self.goal.holds(scene)
    }
}
