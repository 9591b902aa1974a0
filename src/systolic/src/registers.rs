//! What the registers of one PE hold just after a clock edge, in words that both descriptions of the machine share.

use crate::Value;

/// The registers of one PE; `None` where a register holds nothing, or where the design has no such register.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Registers {
    /// The operand that stays (WS, IS).
    pub held: Option<Value>,
    /// The operand that the next fold will hold (WS, IS, double-buffered).
    pub shadow: Option<Value>,
    /// The operand that came from the west and goes east.
    pub east: Option<Value>,
    /// The operand that came from the north and goes south (OS).
    pub south: Option<Value>,
    /// The product, where it is latched before it is added.
    pub product: Option<Value>,
    /// The sum: on its way south (WS, IS) or in place (OS).
    pub sum: Option<Value>,
    /// The second register of a hop to the south: a sum (WS, IS) or an element of B (OS). The last row has none.
    pub passing: Option<Value>,
    /// The finished sum on its way out while the next fold runs (OS, double-buffered and drained south).
    pub drained: Option<Value>,
}
