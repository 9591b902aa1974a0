//! Names of the computations that are missing from a list of matmuls. Each name can begin a sentence.

use std::fmt;

use plain::grouped;

use crate::note::{Node, Omitted, Statement, Tensor};

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
            Self::AttentionProducts => f.write_str("attention scores and values, which are matmuls without weights"),
            Self::Tensor { name, count, what } => {
                let all = if *count == 1 { String::new() } else { format!(" ({} tensors)", grouped(*count)) };
                let what = match what {
                    Tensor::Packed => "whose weights are packed or quantized",
                    Tensor::Scale => "scales of quantized weights, which multiply no activations",
                    Tensor::Lookup => "a lookup table",
                    Tensor::Stack => "a stack of matrices",
                    Tensor::Convolution => "a convolution whose output size is not known",
                };
                write!(f, "{name}{all}, {what}")
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
            Self::Trips { name } => write!(
                f,
                "further repetitions of the loop {name}, which is counted once because their number or sizes are not in the file"
            ),
            Self::Node { op, name, what } => {
                let what = match what {
                    Node::Graphs => "which has its own subgraphs",
                    Node::Foreign => "which is not a standard ONNX operation",
                    Node::Misfit => "whose operand shapes do not match",
                    Node::Shapeless => "whose shapes are not known",
                };
                write!(f, "{op} {name}, {what}")
            }
            Self::Traced { text } => f.write_str(text),
            Self::More => f.write_str("more computations of the same kinds"),
        }
    }
}
