//! Names of the computations that are missing from a list of matmuls. Each name can begin a sentence.

use std::fmt;

use plain::grouped;

use crate::note::{Omitted, Statement};

impl fmt::Display for Omitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elementwise => f.write_str("norms, softmax, activation functions and rotary angles"),
            Self::Recurrence => f.write_str("short convolutions, and the decay of states in recurrences"),
            Self::Head { class } => write!(f, "the head of {class}"),
            Self::Part { key } => write!(f, "the part that {key} describes"),
            Self::PredictingLayers { count: 1 } => f.write_str("1 layer that predicts further tokens"),
            Self::PredictingLayers { count } => {
                write!(f, "{} layers that predict further tokens", grouped(*count))
            }
            Self::Statement { name, line, what } => match what {
                Statement::Sizeless => {
                    write!(f, "the matmul {name} in line {line}, because its sizes are not in the text")
                }
                Statement::Custom => write!(f, "the custom call {name} in line {line}, whose code is not in the text"),
                Statement::Several => write!(f, "the {name} in line {line}, which is not a single matmul"),
            },
            Self::Runs { line } => write!(
                f,
                "further repetitions of the loop in line {line}, which is counted once because its trip count is not in the text"
            ),
            Self::Traced { text } => f.write_str(text),
            Self::More => f.write_str("more computations of the same kinds"),
        }
    }
}
