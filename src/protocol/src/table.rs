//! Table of all methods and events of the protocol. The parser of requests, the documents, the JSON Schema and the
//! TypeScript types use this table.

use export::File;
use studio::{Entry, Parameter, Tool};

/// Values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Integer,
    /// A text.
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// Settings by their names in a link.
    Settings,
    /// Parameters of the view by their names in a link.
    View,
}

/// A parameter of a method.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Name of the parameter.
    pub name: &'static str,
    /// Values that the parameter accepts.
    pub takes: Value,
    /// True if the parameter may be left out.
    pub is_optional: bool,
    /// Description of the parameter in the reference.
    pub about: &'static str,
}

/// A method of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// Name of the method.
    pub name: &'static str,
    /// Description of the method in the reference.
    pub about: &'static str,
    /// Parameters of the method.
    pub params: &'static [Param],
    /// TypeScript type of the result.
    pub gives: &'static str,
    /// Parameters of the example in the reference, as JSON.
    pub example: &'static str,
}

/// Names of the moments that `seek` accepts.
pub(crate) const MOMENTS: &[&str] = &["start", "end", "next-event", "previous-event"];
/// Names of the file formats that `export` accepts.
pub(crate) const FILES: &[&str] = &{
    let [svg, tikz, csv, json, trace, waveforms] = File::TEXTS;
    let [png, film] = File::PIXELS;
    [svg.id(), tikz.id(), csv.id(), json.id(), trace.id(), waveforms.id(), png.id(), film.id()]
};

/// Parameters of a link that `setState` accepts as a part of the view.
pub(crate) const VIEW: [Entry; 11] = [
    Entry::View(Parameter::Pe),
    Entry::View(Parameter::Speed),
    Entry::View(Parameter::Theme),
    Entry::View(Parameter::Panel),
    Entry::Tool(Tool::Compare),
    Entry::Tool(Tool::Defect),
    Entry::Tool(Tool::Show),
    Entry::Tool(Tool::Picture),
    Entry::Tool(Tool::Follow),
    Entry::Tool(Tool::Repeat),
    Entry::Tool(Tool::Class),
];

/// All methods, in the order of the reference.
pub const METHODS: &[Method] = &[
    Method {
        name: "getState",
        about: "Returns the current state. `setState` accepts its `settings` and its `view`.",
        params: &[],
        gives: "State",
        example: "{}",
    },
    Method {
        name: "setState",
        about: "Changes all of the given values, or none if one is refused. `null` sets a default. Returns the new state.",
        params: &[
            Param {
                name: "settings",
                takes: Value::Settings,
                is_optional: true,
                about: "Settings of the run (texts or numbers) by their names in a link, such as rows, df or m.",
            },
            Param {
                name: "view",
                takes: Value::View,
                is_optional: true,
                about: "Parts of the view (texts) by their names in a link, such as pe, speed, theme, tool or class.",
            },
        ],
        gives: "State",
        example: r#"{"settings": {"rows": 8, "cols": 8, "df": "os"}, "view": {"pe": "2.1", "theme": "dark"}}"#,
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
        about: "Returns the PE-cycles of the whole run by class, the utilization, and the MFU and the cost of the array.",
        params: &[],
        gives: "Measures",
        example: "{}",
    },
    Method {
        name: "registers",
        about: "Returns the registers of every PE at a cycle: the objects of the JSON file, as in docs/export.md.",
        params: &[Param {
            name: "cycle",
            takes: Value::Integer,
            is_optional: true,
            about: "The cycle, from 0 to the last one. Default: the cycle that the page shows.",
        }],
        gives: "Registers[]",
        example: r#"{"cycle": 7}"#,
    },
    Method { name: "result", about: "Returns C, as rows of numbers.", params: &[], gives: "Scalar[][]", example: "{}" },
    Method {
        name: "describe",
        about: "Returns the screen-reader description of the current cycle.",
        params: &[],
        gives: "string",
        example: "{}",
    },
    Method {
        name: "ping",
        about: "Answers at once. No answer means that the frame has stopped responding.",
        params: &[],
        gives: "null",
        example: "{}",
    },
    Method {
        name: "export",
        about: "Returns a file of the run, as text. A PNG and a GIF are `data:` addresses.",
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

/// A message that the frame sends without a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Change of the shown cycle.
    Step,
    /// Change of settings.
    Change,
    /// Arrival at the last cycle.
    End,
    /// Change of the height that the page needs.
    Resize,
    /// Answer to a question, or completion of a task.
    Answer,
    /// Press of a key that is reserved for the host.
    Key,
}

/// All events.
pub const EVENTS: [Event; 6] = [Event::Step, Event::Change, Event::End, Event::Resize, Event::Answer, Event::Key];

impl Event {
    /// Returns the name of the event in a message.
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

    /// Returns the description of the event in the reference: its cause and its data.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Step => {
                "The page shows another cycle: {cycle, last}. The page sends at most 20 events per second, but always sends the last event."
            }
            Self::Change => "The settings changed: a State.",
            Self::End => "The last cycle is reached: {cycle, last}.",
            Self::Resize => "The height in CSS pixels that the page needs: {height}.",
            Self::Answer => {
                "A reader answered the question of a card, or solved its task: {card, right}. After a second try, right is false. The event comes again when the reader reopens an answered card."
            }
            Self::Key => {
                "A reader pressed a key that the greeting lists: {key}. The page does nothing else with this key."
            }
        }
    }
}
