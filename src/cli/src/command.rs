//! The commands, and which options and words each takes.

use crate::design;

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Count,
    Trace,
    Run,
    State,
    Cast,
    Svg,
    Export,
    Rtl,
    Report,
    Time,
    Model,
    Ask,
    Check,
    Define,
    Worksheet,
    Help,
    Version,
}

/// What a run of matrices from files takes.
const RUN: [&str; 8] = ["a", "b", "array", "dataflow", "dtype", "acc", "pad", "format"];
/// What a run of integers takes instead of a link.
const MATRICES: [&str; 6] = ["a", "b", "array", "dataflow", "dtype", "pad"];
/// What says the same as a link.
pub(crate) const LINK: [&str; 6] = ["gemm", "array", "dataflow", "dtype", "at", "chip"];

impl Command {
    /// Every command, as the manual lists them.
    pub(crate) const ALL: [Self; 17] = [
        Self::Count,
        Self::Trace,
        Self::Run,
        Self::State,
        Self::Cast,
        Self::Svg,
        Self::Export,
        Self::Rtl,
        Self::Report,
        Self::Time,
        Self::Model,
        Self::Ask,
        Self::Check,
        Self::Define,
        Self::Worksheet,
        Self::Help,
        Self::Version,
    ];

    /// Its word on the command line.
    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Trace => "trace",
            Self::Run => "run",
            Self::State => "state",
            Self::Cast => "cast",
            Self::Svg => "svg",
            Self::Export => "export",
            Self::Rtl => "rtl",
            Self::Report => "report",
            Self::Time => "time",
            Self::Model => "model",
            Self::Ask => "ask",
            Self::Check => "check",
            Self::Define => "define",
            Self::Worksheet => "worksheet",
            Self::Help => "help",
            Self::Version => "version",
        }
    }

    pub(crate) fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.id() == id)
    }

    /// The options it takes, those of the design included.
    pub(crate) fn options(self) -> Vec<&'static str> {
        let own: Vec<&'static str> = match self {
            Self::Count | Self::Define | Self::Help | Self::Version => vec![],
            Self::Trace => vec!["gemm", "array", "dataflow", "pad"],
            Self::Run => [&RUN[..], &["passes", "saturate", "flush", "ulp", "json"]].concat(),
            Self::State => [&RUN[..], &["at", "saturate", "flush"]].concat(),
            Self::Cast => vec!["from", "to", "saturate", "flush", "format"],
            Self::Svg => [&LINK[..], &["size"]].concat(),
            Self::Export => [&LINK[..], &["as", "size"]].concat(),
            Self::Rtl => [&["gemm", "out"], &MATRICES[..]].concat(),
            Self::Report => LINK.to_vec(),
            Self::Worksheet => vec!["answers"],
            Self::Time => {
                vec!["chip", "own", "dtype", "passes", "per", "against", "by", "left-out", "ladder", "bounds"]
            }
            Self::Ask => vec!["json"],
            Self::Check => vec!["by"],
            Self::Model => estimate::Entry::options().map(estimate::Entry::id).chain(["config", "json"]).collect(),
        };
        let design = self.takes_design().then(|| design::VALUED.into_iter().chain(design::FLAGS));
        own.into_iter().chain(design.into_iter().flatten()).collect()
    }

    /// Whether it takes the options of the design.
    pub(crate) const fn takes_design(self) -> bool {
        matches!(self, Self::Count | Self::Trace | Self::Run | Self::State | Self::Rtl)
    }

    /// Whether it reads what it works on from its standard input.
    pub(crate) const fn reads_input(self) -> bool {
        matches!(self, Self::Count | Self::Cast | Self::Time)
    }

    /// How many bare words it takes.
    pub(crate) const fn words(self) -> usize {
        match self {
            Self::Svg => 2,
            Self::Export | Self::Rtl | Self::Report | Self::Ask | Self::Define | Self::Worksheet | Self::Help => 1,
            Self::Count
            | Self::Trace
            | Self::Run
            | Self::State
            | Self::Cast
            | Self::Time
            | Self::Model
            | Self::Check
            | Self::Version => 0,
        }
    }
}
