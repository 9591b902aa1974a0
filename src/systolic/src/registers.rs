//! What the registers of one PE hold just after a clock edge, in words that both descriptions of the machine share.

use crate::Value;

/// The registers of one PE; `None` where a register holds nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Registers {
    /// The operand that stays (WS, IS); output-stationary PEs have no such register.
    pub held: Option<Value>,
    /// The operand that came from the west and goes east.
    pub east: Option<Value>,
    /// The operand that came from the north and goes south (OS only).
    pub south: Option<Value>,
    /// The sum: on its way south (WS, IS) or in place (OS).
    pub sum: Option<Value>,
}
