//! A lesson as it was read: cards, each with a state of the array, and perhaps a question or something to change.

use studio::defect::DefectName;
use studio::{Field, Link, Plan};
use systolic::Cycle;

use crate::evaluate::plan_with;
use crate::{Expression, Lit, Mistake, Operation, Paragraph, Scene, Value};

/// A lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Its name in a link and as a file.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Minutes of reading.
    pub minutes: u64,
    /// What somebody can do who has gone through it, one line each.
    pub aims: Vec<String>,
    /// The lessons that come before it.
    pub needs: Vec<String>,
    /// The lesson that comes after it.
    pub next: Option<String>,
    /// Its cards.
    pub cards: Vec<Card>,
}

/// What a card is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It shows something.
    Explain,
    /// It asks what will happen, and then lets it happen.
    Predict,
    /// It has the person change a setting until a goal is met.
    Change,
}

/// A card.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Its title.
    pub title: Paragraph,
    /// What it is for.
    pub kind: Kind,
    /// The state of the page while it is shown.
    pub state: Link,
    /// The run of that state.
    pub plan: Plan,
    /// Another state to be seen beside it, once the question is answered.
    pub beside: Option<(Link, Plan)>,
    /// The cycle to which the reveal plays.
    pub run: Option<Cycle>,
    /// What is set when an answer is locked.
    pub then: Vec<(Field, String)>,
    /// What is lit, at most [`Lit::MOST`]; with nothing lit all is as usual.
    pub lit: Vec<Lit>,
    /// The words of the glossary that it introduces, by their ids.
    pub words: Vec<String>,
    /// What it says, at most [`Card::WORDS_MAX`] words.
    pub text: Vec<Paragraph>,
    /// What it asks.
    pub question: Option<Question>,
    /// What is to be changed.
    pub change: Option<Change>,
    /// What it says in the end.
    pub why: Vec<Paragraph>,
}

/// A question, whose answer the core knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// What is asked.
    pub text: Paragraph,
    /// What is answered.
    pub ask: Ask,
    /// Wrong answers with the misconception behind each, where they are not choices.
    pub named: Vec<Named>,
}

/// The form of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Ask {
    /// One of these.
    Choose {
        /// The choices.
        choices: Vec<Choice>,
        /// Which one is right.
        right: RightChoice,
    },
    /// A number, on a slider where there is a range.
    Number {
        /// The right one.
        answer: Expression,
        /// Least and most.
        range: Option<(Expression, Expression)>,
    },
    /// What a register holds.
    Register(Expression),
    /// A cycle on the timeline.
    Cycle(Expression),
    /// A PE of which a condition holds.
    Pe(Expression),
    /// All PEs of which a condition holds.
    Pes(Expression),
    /// These in rising order of their values.
    Order(Vec<Choice>),
    /// A formula in rows, cols, m, k and n for this measure.
    Formula(Expression),
}

/// Which choice is right.
#[derive(Clone, Debug, PartialEq)]
pub enum RightChoice {
    /// The one of this value.
    Equal(Expression),
    /// The one of the largest value.
    Largest,
    /// The one of the smallest value.
    Smallest,
    /// The one that holds.
    Holds,
    /// What is to be said of a claim, one of [`words::CLAIMED`](crate::words::CLAIMED) by its place there.
    Claimed(usize),
}

/// One of several choices.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its value, which decides if the choice is right.
    pub value: Expression,
    /// Whether that is shown.
    pub is_shown: bool,
    /// What it says, its shown value left out.
    pub label: Paragraph,
    /// The misconception, where it is wrong.
    pub reason: Option<Reason>,
    /// The byte of the lesson at which it stands.
    pub at: usize,
}

/// A wrong answer with the misconception behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Named {
    /// The answer.
    pub value: Expression,
    /// The misconception.
    pub reason: Reason,
    /// The byte of the lesson at which it stands.
    pub at: usize,
}

/// A misconception.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// What one takes to be so, in bold, and in the same paragraph why it is not.
    pub text: Paragraph,
}

/// Something to change until a goal is met.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What is to be done.
    pub text: Paragraph,
    /// The fields that are offered.
    pub fields: Vec<Field>,
    /// What must hold.
    pub goal: Expression,
    /// Settings that meet it, and as well as anybody knows.
    pub solution: Vec<(Field, String)>,
    /// What is to be as small or as large as it can be, besides.
    pub best: Option<Best>,
    /// When the rows' numbers must enter, where these are scheduled by hand with the tool for defects.
    pub skew: Option<DefectName>,
    /// What helps, one after the other.
    pub hints: Vec<Paragraph>,
}

/// What makes one way to meet a goal better than another.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// What is compared.
    pub of: Expression,
    /// Whether more of it is better.
    pub is_largest: bool,
}

impl Card {
    /// As many words a card may say, and as many it may say in the end.
    pub const WORDS_MAX: usize = 40;

    /// Its state for expressions.
    #[must_use]
    pub fn scene(&self) -> Scene<'_> {
        Scene::new(&self.plan, self.state.cycle).with_reveal_at(self.run).broken(self.state.tools.defect)
    }
}

impl Lesson {
    /// The fewest and the most cards.
    pub const CARDS: (usize, usize) = (1, 12);

    /// Reads a lesson and checks all of it.
    ///
    /// # Errors
    /// The first mistake, with its line and column.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        crate::reader::read(text)
    }

    /// A card by its number, counted from 1.
    #[must_use]
    pub fn card(&self, number: usize) -> Option<&Card> {
        self.cards.get(number.checked_sub(1)?)
    }
}

impl Change {
    /// What the goal is about, in a run: the left side of its first comparison.
    #[must_use]
    pub fn measured(&self, scene: &Scene<'_>) -> Option<Value> {
        let mut goal = &self.goal;
        while let Expression::Two(operation, left, _) = goal {
            goal = left;
            if !matches!(operation, Operation::And | Operation::Or) {
                break;
            }
        }
        goal.value(scene).ok()
    }

    /// What the best known way to meet the goal comes to; none where all ways are as good.
    #[must_use]
    pub fn best_known(&self, card: &Card) -> Option<Value> {
        let solved = plan_with(&card.plan, &self.solution).ok()?;
        self.best.as_ref()?.of.value(&self.solved(card, &solved)).ok()
    }

    /// The state of a card whose settings are the solution.
    #[must_use]
    pub fn solved<'a>(&self, card: &Card, plan: &'a Plan) -> Scene<'a> {
        Scene::new(plan, card.state.cycle).with_reveal_at(card.run).broken(self.skew.or(card.state.tools.defect))
    }

    /// Whether a run meets the goal.
    #[must_use]
    pub fn is_met(&self, scene: &Scene<'_>) -> bool {
        self.goal.holds(scene)
    }
}
