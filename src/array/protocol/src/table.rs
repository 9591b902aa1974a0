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

systolic::named! {
    /// Moment to which `seek` goes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub(crate) enum Moment {
        Start => "start",
        End => "end",
        NextEvent => "next-event",
        PreviousEvent => "previous-event",
    }
}

/// Names of the file formats that `export` accepts.
pub(crate) const FILES: &[&str] = &{
    let [svg, tikz, csv, json, trace, waveforms] = File::TEXTS;
    let [png, film] = File::PIXELS;
    [svg.id(), tikz.id(), csv.id(), json.id(), trace.id(), waveforms.id(), png.id(), film.id()]
};

/// Parameters of a link that `setState` accepts as a part of the view.
pub(crate) const VIEW: [Entry; 12] = [
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
    Entry::Tool(Tool::Flow),
];

systolic::named! {
    /// A method of the protocol, in the order of the reference.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Method {
        /// Query of the current state.
        GetState => "getState",
        /// New values of settings and of the view.
        SetState => "setState",
        /// Advance by a number of cycles.
        Step => "step",
        /// Jump to a cycle or to a named moment.
        Seek => "seek",
        /// Start of playback.
        Play => "play",
        /// Pause of playback.
        Pause => "pause",
        /// Query of the utilization and the PE-cycles by class.
        Measure => "measure",
        /// Query of the registers at a cycle.
        Registers => "registers",
        /// Query of the result C.
        Result => "result",
        /// Query of the screen-reader description.
        Describe => "describe",
        /// Check that the frame responds.
        Ping => "ping",
        /// Export of a file.
        Export => "export",
    }
}

impl Method {
    /// Returns the description of the method in the reference.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::GetState => "Returns the current state. `setState` accepts its `settings` and its `view`.",
            Self::SetState => {
                "Changes all of the given values, or none if one is refused. `null` sets a default. Returns the new state."
            }
            Self::Step => "Advances by `by` cycles; a negative number goes back.",
            Self::Seek => "Goes to a cycle, or to a named moment.",
            Self::Play => "Starts playback.",
            Self::Pause => "Pauses playback.",
            Self::Measure => {
                "Returns the PE-cycles of the whole run by class, the utilization, and the MFU and the cost of the array."
            }
            Self::Registers => {
                "Returns the registers of every PE at a cycle: the objects of the JSON file, as in docs/export.md."
            }
            Self::Result => "Returns C, as rows of numbers.",
            Self::Describe => "Returns the screen-reader description of the current cycle.",
            Self::Ping => "Answers at once. No answer means that the frame has stopped responding.",
            Self::Export => "Returns a file of the run, as text. A PNG and a GIF are `data:` addresses.",
        }
    }

    /// Returns the parameters of the method.
    #[must_use]
    pub const fn params(self) -> &'static [Param] {
        match self {
            Self::SetState => &[
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
            Self::Step => &[Param {
                name: "by",
                takes: Value::Integer,
                is_optional: true,
                about: "Number of cycles. Default: 1.",
            }],
            Self::Seek => &[
                Param {
                    name: "cycle",
                    takes: Value::Integer,
                    is_optional: true,
                    about: "The cycle, from 0 to the last one.",
                },
                Param {
                    name: "to",
                    takes: Value::OneOf(&Moment::NAMES),
                    is_optional: true,
                    about: "Moment, instead of a cycle.",
                },
            ],
            Self::Registers => &[Param {
                name: "cycle",
                takes: Value::Integer,
                is_optional: true,
                about: "The cycle, from 0 to the last one. Default: the cycle that the page shows.",
            }],
            Self::Export => &[Param {
                name: "as",
                takes: Value::OneOf(FILES),
                is_optional: false,
                about: "Name of the file format.",
            }],
            Self::GetState | Self::Play | Self::Pause | Self::Measure | Self::Result | Self::Describe | Self::Ping => {
                &[]
            }
        }
    }

    /// Returns the TypeScript type of the result.
    #[must_use]
    pub const fn gives(self) -> &'static str {
        match self {
            Self::GetState | Self::SetState | Self::Step | Self::Seek | Self::Play | Self::Pause => "State",
            Self::Measure => "Measures",
            Self::Registers => "Registers[]",
            Self::Result => "Scalar[][]",
            Self::Describe | Self::Export => "string",
            Self::Ping => "null",
        }
    }

    /// Returns the parameters of the example in the reference, as JSON.
    #[must_use]
    pub const fn example(self) -> &'static str {
        match self {
            Self::GetState | Self::Play | Self::Pause | Self::Measure | Self::Result | Self::Describe | Self::Ping => {
                "{}"
            }
            Self::SetState => {
                r#"{"settings": {"rows": 8, "cols": 8, "df": "os"}, "view": {"pe": "2.1", "theme": "dark"}}"#
            }
            Self::Step => r#"{"by": -2}"#,
            Self::Seek => r#"{"cycle": 9}"#,
            Self::Registers => r#"{"cycle": 7}"#,
            Self::Export => r#"{"as": "svg"}"#,
        }
    }
}

systolic::named! {
    /// A message that the frame sends without a request.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Event {
        /// Change of the shown cycle.
        Step => "step",
        /// Change of settings.
        Change => "change",
        /// Arrival at the last cycle.
        End => "end",
        /// Change of the height that the page needs.
        Resize => "resize",
        /// Answer to a question, or completion of a task.
        Answer => "answer",
        /// Press of a key that is reserved for the host.
        Key => "key",
    }
}

impl Event {
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
