//! Names of the computations that are missing from a list of matmuls. Each name can begin a sentence.

use std::fmt;

use plain::grouped;

use crate::note::{Node, Omitted, Statement, Tensor};

impl fmt::Display for Omitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Elementwise => f.write_str("norms, softmax, activation functions and rotary angles"),
            Self::Head { class } => write!(f, "the head of {class}"),
            Self::Part { key } => write!(f, "the part that {key} describes"),
            Self::PredictingLayers { count: 1 } => f.write_str("1 layer that predicts further tokens"),
            Self::PredictingLayers { count } => {
                write!(f, "{} layers that predict further tokens", grouped(*count))
            }
            Self::AttentionProducts => f.write_str("attention scores and values, which multiply no weights"),
            Self::Tensor { name, count, what } => {
                let all = if *count == 1 { String::new() } else { format!(" ({} of them)", grouped(*count)) };
                let what = match what {
                    Tensor::Packed => "whose weights are packed or quantized",
                    Tensor::Lookup => "which is looked up in",
                    Tensor::Stack => "a stack of matrices",
                    Tensor::Convolution => "a convolution whose output has no known size",
                };
                write!(f, "{name}{all}, {what}")
            }
            Self::Statement { name, line, what } => match what {
                Statement::Sizeless => write!(f, "the product {name} in line {line}, whose sizes are not in the text"),
                Statement::Custom => write!(f, "the custom call {name} in line {line}, whose work is not in the text"),
                Statement::Several => write!(f, "the {name} in line {line}, which is no single product"),
            },
            Self::Runs { line } => write!(
                f,
                "further runs of the loop in line {line}, which counts once: the text does not say how often it runs"
            ),
            Self::Node { op, name, what } => {
                let what = match what {
                    Node::Graphs => "which runs graphs of its own",
                    Node::Foreign => "which is no operation of ONNX itself",
                    Node::Misfit => "whose operands do not fit each other",
                    Node::Shapeless => "whose shapes are not known",
                };
                write!(f, "{op} {name}, {what}")
            }
            Self::More => f.write_str("more of the same kinds"),
        }
    }
}
