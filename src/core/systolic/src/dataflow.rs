//! Mapping of the problem's axes to the rows, the columns and the time of the array.
//!
//! Each dataflow has its own [`Mapping`]. There are only two datapaths ([`Hold`]), which differ in the data that a PE
//! keeps. SCALE-Sim calls the extents along rows, columns and time `Sr`, `Sc` and `T`.

/// An axis of C\[m,n\] = Σ_k A\[m,k\]·B\[k,n\].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Rows of A and C.
    M,
    /// Columns of A and rows of B: the summed axis.
    K,
    /// Columns of B and C.
    N,
}

/// A matrix of C = A · B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Matrix A, M×K elements.
    A,
    /// Matrix B, K×N elements.
    B,
    /// Matrix C, M×N elements.
    C,
}

/// Dataflow of an array: the matrix that stays in the PEs while the other two stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dataflow {
    /// Weight-stationary (WS): B stays, A streams from the west, and partial sums flow south.
    WeightStationary,
    /// Output-stationary (OS): C stays, A streams from the west, and B streams from the north.
    OutputStationary,
    /// Input-stationary (IS): A stays, B streams from the west, and partial sums flow south.
    InputStationary,
}

/// Datapath of a PE, by the data that the PE keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hold {
    /// Stationary operand: a PE keeps an operand and passes partial sums on (WS, IS).
    Operand,
    /// Stationary result: a PE keeps its partial sum and passes both operands on (OS).
    Result,
}

/// Assignment of the problem's three axes to the array's rows, columns and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mapping {
    /// Axis along the rows.
    pub rows: Axis,
    /// Axis along the columns.
    pub cols: Axis,
    /// Axis along time.
    pub time: Axis,
}

/// One multiply-accumulate of the problem: C\[m,n\] += A\[m,k\]·B\[k,n\].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mkn {
    /// Row of A and C.
    pub m: u64,
    /// Column of A, row of B.
    pub k: u64,
    /// Column of B and C.
    pub n: u64,
}

impl Mkn {
    /// Index along one axis.
    #[must_use]
    pub const fn along(self, axis: Axis) -> u64 {
        match axis {
            Axis::M => self.m,
            Axis::K => self.k,
            Axis::N => self.n,
        }
    }

    /// Row and column of the element that this multiply-accumulate uses from one matrix.
    #[must_use]
    pub const fn of(self, operand: Operand) -> (u64, u64) {
        match operand {
            Operand::A => (self.m, self.k),
            Operand::B => (self.k, self.n),
            Operand::C => (self.m, self.n),
        }
    }
}

crate::named! {
    Dataflow {
        WeightStationary => "ws",
        OutputStationary => "os",
        InputStationary => "is",
    }
}

impl Dataflow {
    /// Mapping of the dataflow.
    #[must_use]
    pub const fn mapping(self) -> Mapping {
        match self {
            Self::WeightStationary => Mapping { rows: Axis::K, cols: Axis::N, time: Axis::M },
            Self::OutputStationary => Mapping { rows: Axis::M, cols: Axis::N, time: Axis::K },
            Self::InputStationary => Mapping { rows: Axis::K, cols: Axis::M, time: Axis::N },
        }
    }

    /// Datapath of the dataflow.
    #[must_use]
    pub const fn hold(self) -> Hold {
        match self {
            Self::OutputStationary => Hold::Result,
            Self::WeightStationary | Self::InputStationary => Hold::Operand,
        }
    }

    /// Matrix that stays in the PEs.
    #[must_use]
    pub const fn stationary(self) -> Operand {
        match self {
            Self::WeightStationary => Operand::B,
            Self::OutputStationary => Operand::C,
            Self::InputStationary => Operand::A,
        }
    }

    /// Matrix that enters from the west and moves east.
    #[must_use]
    pub const fn from_west(self) -> Operand {
        match self {
            Self::WeightStationary | Self::OutputStationary => Operand::A,
            Self::InputStationary => Operand::B,
        }
    }
}

impl Mapping {
    /// The multiply-accumulate at a position along rows, columns and time.
    #[must_use]
    pub fn mkn(self, row: u64, col: u64, time: u64) -> Mkn {
        let along = |axis: Axis| {
            if self.rows == axis {
                row
            } else if self.cols == axis {
                col
            } else {
                time
            }
        };
        Mkn { m: along(Axis::M), k: along(Axis::K), n: along(Axis::N) }
    }
}
