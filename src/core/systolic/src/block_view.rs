//! Contents of a block of products, for pictures and explanations of an adder.

use crate::Rule;

/// One term of a block: a product, or the sum before the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlignedTerm {
    /// Exact value.
    pub value: f64,
    /// Exponent before alignment. The exponent of a product is the sum of the exponents of its operands.
    pub exponent: i32,
    /// Value in units of 2^(E − F), cut toward zero; `None` if the rule does not align. E is the largest exponent of the
    /// block, and F is the number of fraction bits of the rule.
    pub aligned: Option<i64>,
    /// Exact value of the bits that alignment cuts off.
    pub cut: f64,
}

/// A block of products that an adder adds together: the state of a sum between two roundings.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockView {
    /// Rule of the adder.
    pub rule: Rule,
    /// True if more products of this block come. The adder has not rounded the block then, and the sum in the PE is shown
    /// as the exact sum so far, rounded once to f32.
    pub is_open: bool,
    /// Number of products so far.
    pub n_products: u32,
    /// Sum before the block.
    pub start: f32,
    /// Sum before the block as a term; `None` if the rule adds this sum afterwards, or if a term is ∞ or NaN.
    pub c: Option<AlignedTerm>,
    /// Products so far, k ascending in the order of the array; empty if a term is ∞ or NaN. Missing products of a block
    /// count as zeros.
    pub products: Vec<AlignedTerm>,
    /// Largest exponent E of the terms; `None` if all terms are zeros.
    pub exponent: Option<i32>,
    /// Sum of the aligned terms in units of 2^(E − F); `None` if the rule does not align, or if all terms are zeros.
    pub total: Option<i64>,
    /// Sum after the block, if no more products come.
    pub result: f32,
}
