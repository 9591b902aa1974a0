//! Contents of the registers of one PE just after a clock edge, from [`Machine`](crate::Machine) or
//! [`Prober`](crate::Prober).

use crate::Value;

/// Contents of the registers of one PE. `None` means that a register is empty or that the design does not have it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Registers {
    /// Stationary operand (WS, IS).
    pub held: Option<Value>,
    /// Stationary operand of the next fold (WS, IS, double-buffered).
    pub shadow: Option<Value>,
    /// Operand that came from the west and moves east.
    pub east: Option<Value>,
    /// Operand that came from the north and moves south (OS).
    pub south: Option<Value>,
    /// Product, in a design that latches the product before the add.
    pub product: Option<Value>,
    /// Sum, on its way south (WS, IS) or in place (OS).
    pub sum: Option<Value>,
    /// Content of the second register of a hop to the south: a sum (WS, IS) or an element of B (OS). The last row has
    /// no such register.
    pub passing: Option<Value>,
    /// Finished sum in the output buffer, on its way out while the next fold runs (OS, double-buffered and drained
    /// south).
    pub drained: Option<Value>,
}
