//! One matrix product `C[M,N] += A[M,K] · B[K,N]` and how often a pass runs it.

use perfmodel::GemmSizes;
use plain::steers;

/// What the operands of a product are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Activations by weights that all tokens share.
    Weights,
    /// Activations by the weights of one expert, which sees its share of the tokens.
    Expert,
    /// Queries by keys.
    Scores,
    /// Attention weights by values.
    Values,
    /// A convolution, as the product that im2col makes of it.
    Convolution,
    /// Activations by the weights that give the logits.
    Head,
    /// Activations by activations, for whatever purpose.
    Activations,
    /// A product whose operands nobody named.
    Plain,
}

impl Kind {
    /// The word shown beside a product.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::Expert => "expert",
            Self::Scores => "attention scores",
            Self::Values => "attention values",
            Self::Convolution => "convolution",
            Self::Head => "head",
            Self::Activations => "activations",
            Self::Plain => "product",
        }
    }
}

/// In which part of a training step a product runs; without training all are forward.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The model's own product.
    Forward,
    /// The same again in the backward pass, because the activations were not stored.
    Recompute,
    /// `dA = dC · Bᵀ`: M×N by N×K.
    InputGradient,
    /// `dB = Aᵀ · dC`: K×M by M×N.
    WeightGradient,
}

impl Role {
    /// The words shown beside a product.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Recompute => "recomputed",
            Self::InputGradient => "gradient of A",
            Self::WeightGradient => "gradient of B",
        }
    }
}

/// A product of matrices, `count` times a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// What the model calls it: `q_proj`.
    pub name: String,
    /// What its operands are.
    pub kind: Kind,
    /// In which part of a training step it runs.
    pub role: Role,
    /// M, K and N.
    pub sizes: GemmSizes,
    /// How often one pass runs it: layers, heads, sequences and groups multiplied.
    pub count: u64,
    /// Whether a causal mask leaves half of it, by the convention of [`Attention::Causal`](perfmodel::Attention).
    pub halved: bool,
}

/// A size or a count beyond what is added up exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// MACs of one product that a sum of a million of them in 128 bits still holds.
const MACS_MAX: u128 = 1 << 100;

impl Product {
    /// A forward product.
    ///
    /// # Errors
    /// [`TooLarge`] beyond 2¹⁰⁰ MACs.
    pub fn new(name: impl Into<String>, kind: Kind, [m, k, n]: [u64; 3], count: u64) -> Result<Self, TooLarge> {
        // A name may come from a file, and goes to a terminal.
        let mut name = name.into();
        name.retain(|c| !steers(c));
        let sizes = GemmSizes { m, k, n };
        let product = Self { name, kind, role: Role::Forward, sizes, count, halved: false };
        if product.executed_macs() > MACS_MAX { Err(TooLarge) } else { Ok(product) }
    }

    /// MACs that run, masked ones included: `M · K · N · count`; at 2¹²⁸ − 1 it stops.
    pub fn executed_macs(&self) -> u128 {
        let GemmSizes { m, k, n } = self.sizes;
        [k, n, self.count].iter().fold(u128::from(m), |macs, &by| macs.saturating_mul(by.into()))
    }

    /// FLOPs that run: `2 · M · K · N · count`.
    pub fn executed_flops(&self) -> f64 {
        2.0 * self.executed_macs() as f64
    }

    /// Model FLOPs: those that run, halved where the convention halves them; recomputation counts nothing.
    pub fn flops(&self) -> f64 {
        match self.role {
            Role::Recompute => 0.0,
            Role::Forward | Role::InputGradient | Role::WeightGradient if self.halved => self.executed_flops() / 2.0,
            Role::Forward | Role::InputGradient | Role::WeightGradient => self.executed_flops(),
        }
    }

    /// Weights that it multiplies by: `K · N · count`, none where both operands are activations. `None` where nobody said
    /// what its operands are.
    pub fn weights(&self) -> Option<f64> {
        match self.kind {
            Kind::Weights | Kind::Expert | Kind::Head | Kind::Convolution => {
                Some(self.sizes.k as f64 * self.sizes.n as f64 * self.count as f64)
            }
            Kind::Scores | Kind::Values | Kind::Activations => Some(0.0),
            Kind::Plain => None,
        }
    }

    /// The products that one backward pass adds, in the order `dA`, `dB`.
    pub fn backward(&self) -> [Self; 2] {
        let GemmSizes { m, k, n } = self.sizes;
        [
            Self { role: Role::InputGradient, sizes: GemmSizes { m, k: n, n: k }, ..self.clone() },
            Self { role: Role::WeightGradient, sizes: GemmSizes { m: k, k: m, n }, ..self.clone() },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Product, TooLarge};

    #[test]
    fn a_backward_pass_runs_as_many_macs_again_twice() {
        let product = Product::new("up", Kind::Weights, [3, 5, 7], 11).expect("small");
        assert_eq!(product.executed_macs(), 1155);
        let [input, weight] = product.backward();
        assert_eq!(input.sizes.mkn(), [3, 7, 5]);
        assert_eq!(weight.sizes.mkn(), [5, 3, 7]);
        assert_eq!(input.executed_macs() + weight.executed_macs(), 2310);
    }

    #[test]
    fn a_product_no_machine_could_run_is_refused() {
        let most = u64::MAX;
        assert_eq!(Product::new("a", Kind::Weights, [most, most, most], most), Err(TooLarge));
        assert!(Product::new("a", Kind::Weights, [1 << 40, 1 << 40, 1 << 20], 1).is_ok());
    }
}
