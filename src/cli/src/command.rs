//! Commands, with the options and bare words that each command accepts.

use estimate::Entry;

/// A command of `systolic`.
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
    Completions,
    Help,
    Version,
}

systolic::named! {
    exact Command {
        Count => "count",
        Trace => "trace",
        Run => "run",
        State => "state",
        Cast => "cast",
        Svg => "svg",
        Export => "export",
        Rtl => "rtl",
        Report => "report",
        Time => "time",
        Model => "model",
        Ask => "ask",
        Check => "check",
        Define => "define",
        Worksheet => "worksheet",
        Completions => "completions",
        Help => "help",
        Version => "version",
    }
}

/// Options of commands that run matrices from files.
const RUN: [&str; 9] = ["a", "b", "array", "dataflow", "dtype", "acc", "pad", "format", "decimal"];
/// Options that describe a run of integer matrices, instead of a link.
const MATRICES: [&str; 7] = ["a", "b", "array", "dataflow", "dtype", "pad", "decimal"];
/// Options that describe a run, instead of a link.
pub(crate) const LINK: [&str; 6] = ["gemm", "array", "dataflow", "dtype", "at", "chip"];
/// Options of the array's design.
pub(crate) const DESIGN: [&str; 10] = [
    "overlap",
    "load",
    "drain",
    "order",
    "ktiles",
    "west",
    "north",
    "south",
    "product-register",
    "two-registers-south",
];

impl Command {
    /// Returns the options that the command accepts, including the options of the design.
    pub(crate) fn options(self) -> Vec<&'static str> {
        let own: Vec<&'static str> = match self {
            Self::Count => vec!["decimal"],
            Self::Define | Self::Completions | Self::Help | Self::Version => vec![],
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
                vec![
                    "chip", "own", "dtype", "passes", "per", "against", "by", "left-out", "ladder", "bounds", "decimal",
                ]
            }
            Self::Ask => vec!["json"],
            Self::Check => vec!["by"],
            Self::Model => Entry::options().map(Entry::id).chain(["config", "decimal", "json"]).collect(),
        };
        own.into_iter().chain(DESIGN.into_iter().filter(|_| self.takes_design())).collect()
    }

    /// True if the command accepts the options of the design.
    pub(crate) const fn takes_design(self) -> bool {
        matches!(self, Self::Count | Self::Trace | Self::Run | Self::State | Self::Rtl)
    }

    /// True if the command reads its input from the standard input.
    pub(crate) const fn reads_input(self) -> bool {
        matches!(self, Self::Count | Self::Cast | Self::Time)
    }

    /// Maximum number of bare words that the command accepts.
    pub(crate) const fn words(self) -> usize {
        match self {
            Self::Svg => 2,
            Self::Export
            | Self::Rtl
            | Self::Report
            | Self::Ask
            | Self::Define
            | Self::Worksheet
            | Self::Completions
            | Self::Help => 1,
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
