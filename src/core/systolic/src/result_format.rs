//! Format to which complete results are rounded when they are stored in C.

use crate::{Dtype, Value};

/// Format of the elements of C. Sums inside the array, and partial sums of folds, keep the format of the accumulator.
///
/// ```
/// use systolic::{ResultFormat, Value};
///
/// assert_eq!(ResultFormat::Bf16.rounded(Value::Float(-207.6640625)), Value::Float(-208.0));
/// assert_eq!(ResultFormat::Sum.rounded(Value::Int(7)), Value::Int(7));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultFormat {
    /// Format of the sums.
    #[default]
    Sum,
    /// bf16, rounded to nearest even.
    Bf16,
    /// f16, rounded to nearest even.
    F16,
}

crate::named! {
    ResultFormat {
        Sum => "sum",
        Bf16 => "bf16",
        F16 => "f16",
    }
}

impl ResultFormat {
    /// A complete sum, rounded to this format. Whole sums stay as they are.
    #[must_use]
    pub fn rounded(self, sum: Value) -> Value {
        let format = match self {
            Self::Sum => None,
            Self::Bf16 => Dtype::Bf16.float(),
            Self::F16 => Dtype::F16.float(),
        };
        match (format, sum) {
            (Some(format), Value::Float(sum)) => Value::Float(format.nearest_f32(f64::from(sum), false, false)),
            (_, sum) => sum,
        }
    }
}
