//! A matmul `C[M,N] += A[M,K] · B[K,N]`, and the number of times that a pass runs it.

use perfmodel::GemmSizes;
use plain::is_control_or_bidi;

/// Kind of a matmul, by its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Activations times weights that all tokens share.
    Weights,
    /// Activations times the weights of one expert, which receives only a share of the tokens.
    Expert,
    /// Queries times keys.
    Scores,
    /// Attention weights times values.
    Values,
    /// A convolution, converted to a matmul by im2col.
    Convolution,
    /// Activations times the weights of the output head.
    Head,
    /// Activations times activations, if no other kind applies.
    Activations,
    /// A matmul with unknown operands.
    Plain,
}

impl Kind {
    /// Display name of the kind of matmul.
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

/// Part of a training step that a matmul belongs to. Without training, every matmul is [`Role::Forward`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A matmul of the forward pass.
    Forward,
    /// A forward matmul that the backward pass runs again, because its activations were not stored.
    Recompute,
    /// Gradient of the inputs, `dA = dC · Bᵀ`: M×N by N×K.
    InputGradient,
    /// Gradient of the weights, `dB = Aᵀ · dC`: K×M by M×N.
    WeightGradient,
}

impl Role {
    /// Display name of the role.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Recompute => "recomputed",
            Self::InputGradient => "gradient of A",
            Self::WeightGradient => "gradient of B",
        }
    }
}

/// A matmul that one pass runs `count` times.
#[derive(Clone, Debug, PartialEq)]
pub struct Product {
    /// Name of the matmul in the model: `q_proj`.
    pub name: String,
    /// Kind of the operands.
    pub kind: Kind,
    /// Part of a training step that the matmul belongs to.
    pub role: Role,
    /// Sizes M, K and N.
    pub sizes: GemmSizes,
    /// Number of runs in one pass: layers × heads × sequences × groups.
    pub count: u64,
    /// Share of the FLOPs that count, from 0 to 1: 0.5 under a causal mask, by the convention of
    /// [`Attention::Causal`](perfmodel::Attention).
    pub counted: f64,
    /// Number of weights that all runs together read, as a file states it. `None` if the number is `K · N · count`.
    pub stored: Option<u64>,
}

/// Error: the sizes or the number of runs are too large to count the MACs exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Maximum number of MACs of one matmul. A 128-bit sum of the MACs of a million such matmuls does not overflow.
const MACS_MAX: u128 = 1 << 100;

impl Product {
    /// Creates a forward matmul.
    ///
    /// # Errors
    /// [`TooLarge`] if the matmul has more than 2¹⁰⁰ MACs.
    pub fn new(name: impl Into<String>, kind: Kind, [m, k, n]: [u64; 3], count: u64) -> Result<Self, TooLarge> {
        // The name may come from a file and may be printed to a terminal.
        let mut name = name.into();
        name.retain(|c| !is_control_or_bidi(c));
        let sizes = GemmSizes { m, k, n };
        let product = Self { name, kind, role: Role::Forward, sizes, count, counted: 1.0, stored: None };
        if product.executed_macs() > MACS_MAX { Err(TooLarge) } else { Ok(product) }
    }

    /// Number of executed MACs, including masked MACs: `M · K · N · count`, saturating at 2¹²⁸ − 1.
    pub fn executed_macs(&self) -> u128 {
        let GemmSizes { m, k, n } = self.sizes;
        [k, n, self.count].iter().fold(u128::from(m), |macs, &by| macs.saturating_mul(by.into()))
    }

    /// Number of executed FLOPs: `2 · M · K · N · count`.
    pub fn executed_flops(&self) -> f64 {
        2.0 * self.executed_macs() as f64
    }

    /// Model FLOPs: the share [`counted`](Self::counted) of the executed FLOPs. A recomputed matmul counts as zero.
    pub fn flops(&self) -> f64 {
        match self.role {
            Role::Recompute => 0.0,
            Role::Forward | Role::InputGradient | Role::WeightGradient => self.executed_flops() * self.counted,
        }
    }

    /// Number of weights in the operands: as the file states it, or `K · N · count`, or 0 if both operands are activations. `None` if the
    /// operands are unknown ([`Kind::Plain`]).
    pub fn weights(&self) -> Option<f64> {
        match self.kind {
            Kind::Weights | Kind::Expert | Kind::Head | Kind::Convolution => Some(match self.stored {
                Some(stored) => stored as f64,
                None => self.sizes.k as f64 * self.sizes.n as f64 * self.count as f64,
            }),
            Kind::Scores | Kind::Values | Kind::Activations => Some(0.0),
            Kind::Plain => None,
        }
    }

    /// The two matmuls that the backward pass adds for this matmul, in the order `dA`, `dB`.
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
