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
        about: "Returns the current state: settings by their names in a link, the cycle, and the link.",
        params: &[],
        gives: "State",
        example: "{}",
    },
    Method {
        name: "setState",
        about: "Changes settings, all or none of them, and returns the new state.",
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
        about: "Advances by `by` cycles; a negative number goes back.",
        params: &[Param {
            name: "by",
            takes: Value::Integer,
            is_optional: true,
            about: "Number of cycles. Default: 1.",
        }],
        gives: "State",
        example: r#"{"by": -2}"#,
    },
    Method {
        name: "seek",
        about: "Goes to a cycle, or to a named moment.",
        params: &[
            Param {
                name: "cycle",
                takes: Value::Integer,
                is_optional: true,
                about: "The cycle, from 0 to the last one.",
            },
            Param { name: "to", takes: Value::OneOf(MOMENTS), is_optional: true, about: "Moment, instead of a cycle." },
        ],
        gives: "State",
        example: r#"{"cycle": 9}"#,
    },
    Method { name: "play", about: "Starts playback.", params: &[], gives: "State", example: "{}" },
    Method { name: "pause", about: "Pauses playback.", params: &[], gives: "State", example: "{}" },
    Method {
        name: "measure",
        about: "Returns the PE-cycles of the whole run by class, and the utilization.",
        params: &[],
        gives: "Measures",
        example: "{}",
    },
    Method {
        name: "describe",
        about: "The screen-reader description of the current cycle.",
        params: &[],
        gives: "string",
        example: "{}",
    },
    Method {
        name: "ping",
        about: "Answers at once. A host that gets no answer knows that the frame hangs.",
        params: &[],
        gives: "null",
        example: "{}",
    },
    Method {
        name: "export",
        about: "Returns a file of the run, as text.",
        params: &[Param {
            name: "as",
            takes: Value::OneOf(FILES),
            is_optional: false,
            about: "Name of the file format.",
        }],
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
            Self::Step => {
                "The page shows another cycle: {cycle, last}. At most 20 events per second; the last event always comes."
            }
            Self::Change => "The settings changed: a State.",
            Self::End => "The last cycle is reached: {cycle, last}.",
            Self::Resize => "The height in CSS pixels that the page needs: {height}.",
            Self::Answer => {
                "A reader answered the question of a card, or met its task: {card, right}. Fires again when an answered card is reopened."
            }
            Self::Key => "A reader pressed a key that the greeting names; the page does nothing else with it: {key}.",
        }
    }
}
