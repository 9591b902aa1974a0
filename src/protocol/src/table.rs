//! The methods and events, as one table: the reader of requests, the documents, the schema and the types follow it.

use export::File;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Integer,
    /// A text.
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// Settings by the names that they have in a link.
    Settings,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub takes: Value,
    /// Whether it may be left out.
    pub is_optional: bool,
    /// What it is.
    pub about: &'static str,
}

/// A method.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What it takes.
    pub params: &'static [Param],
    /// The type of what it gives.
    pub gives: &'static str,
    /// Parameters of an example.
    pub example: &'static str,
}

/// The moments to which `seek` goes by name.
pub(crate) const MOMENTS: &[&str] = &["start", "end", "next-event", "previous-event"];
/// The files that `export` makes.
pub(crate) const FILES: &[&str] = &{
    let [svg, tikz, csv, json, trace, waveforms] = File::TEXTS;
    [svg.id(), tikz.id(), csv.id(), json.id(), trace.id(), waveforms.id()]
};

/// All methods, in the order of the document.
pub const METHODS: &[Method] = &[
    Method {
        name: "getState",
        about: "What is shown: settings by their names in a link, the cycle, and the link itself.",
        params: &[],
        gives: "State",
        example: "{}",
    },
    Method {
        name: "setState",
        about: "Changes settings, all or none of them, and gives what is shown then.",
        params: &[Param {
            name: "settings",
            takes: Value::Settings,
            is_optional: false,
            about: "Texts or numbers by their names in a link, such as rows, df or m.",
        }],
        gives: "State",
        example: r#"{"settings": {"rows": 8, "cols": 8, "df": "os"}}"#,
    },
    Method {
        name: "step",
        about: "Goes some cycles on, or back where the number is negative.",
        params: &[Param {
            name: "by",
            takes: Value::Integer,
            is_optional: true,
            about: "How many cycles; 1 without it.",
        }],
        gives: "State",
        example: r#"{"by": -2}"#,
    },
    Method {
        name: "seek",
        about: "Goes to a cycle, or to a moment by its name.",
        params: &[
            Param {
                name: "cycle",
                takes: Value::Integer,
                is_optional: true,
                about: "The cycle, from 0 to the last one.",
            },
            Param {
                name: "to",
                takes: Value::OneOf(MOMENTS),
                is_optional: true,
                about: "A moment instead of a cycle.",
            },
        ],
        gives: "State",
        example: r#"{"cycle": 9}"#,
    },
    Method { name: "play", about: "Lets time pass.", params: &[], gives: "State", example: "{}" },
    Method { name: "pause", about: "Holds time.", params: &[], gives: "State", example: "{}" },
    Method {
        name: "measure",
        about: "The accounts of the whole run, in PE-cycles, and the share that is useful.",
        params: &[],
        gives: "Measures",
        example: "{}",
    },
    Method {
        name: "describe",
        about: "The words that a screen reader gets of the cycle.",
        params: &[],
        gives: "string",
        example: "{}",
    },
    Method {
        name: "ping",
        about: "Answers at once: a host that gets no answer knows that the frame hangs.",
        params: &[],
        gives: "null",
        example: "{}",
    },
    Method {
        name: "export",
        about: "A file of the run, as text.",
        params: &[Param { name: "as", takes: Value::OneOf(FILES), is_optional: false, about: "Which file." }],
        gives: "string",
        example: r#"{"as": "svg"}"#,
    },
];

/// What a frame says by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Another cycle is shown.
    Step,
    /// Settings changed.
    Change,
    /// The last cycle is reached.
    End,
    /// The height that the page would like.
    Resize,
    /// A question was answered, or a task met.
    Answer,
    /// A key was pressed that the host wants for itself.
    Key,
}

/// All events.
pub const EVENTS: [Event; 6] = [Event::Step, Event::Change, Event::End, Event::Resize, Event::Answer, Event::Key];

impl Event {
    /// Its name in a message.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Change => "change",
            Self::End => "end",
            Self::Resize => "resize",
            Self::Answer => "answer",
            Self::Key => "key",
        }
    }

    /// When it comes, and what is in its data.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Step => "Another cycle is shown: {cycle, last}. At most 20 a second; the last one always comes.",
            Self::Change => "The settings changed: a State.",
            Self::End => "The last cycle is reached: {cycle, last}.",
            Self::Resize => "The height in CSS pixels that the page would like: {height}.",
            Self::Answer => {
                "A question of a card was answered, or its task met: {card, right}. A card that is opened again says it again."
            }
            Self::Key => "A key that the greeting names was pressed, and does nothing else: {key}.",
        }
    }
}
