//! Columns and comments of a table that a tracer writes: roles, weights, shared tables, kept matrices and masks.

use std::collections::{HashMap, HashSet};

use crate::note::{Note, Omitted};
use crate::problem::{Fault, Problem};
use crate::product::{Kind, Product, Role};
use crate::workload::{TracedStep, Workload};
use plain::Decimal;

/// Start of the first line of a traced table.
pub(crate) const TOTALS: &str = "# totals:";
const LEFT_OUT: &str = "# left out:";
const TRACED: &str = "# traced:";
/// Text with which the step in [`TRACED`] begins if the step adds a token to each sequence.
const DECODE: &str = "decode";
/// Maximum number of characters of a comment that are shown.
const SHOWN_MAX: usize = 400;
/// Names of the columns that only a traced table has.
const COLUMNS: [&str; 5] = ["role", "weights", "shared", "kept", "masked"];

/// Data that a traced table states in addition to sizes and counts.
#[derive(Debug, Default)]
pub(super) struct Traced {
    /// Positions of [`COLUMNS`].
    columns: Option<[usize; 5]>,
    /// Number of the line with the totals, and its text.
    totals: Option<(usize, String)>,
    left_out: String,
    by: String,
    n_unknown_masks: u64,
    /// Name of the shared table of each row; empty if the row shares none.
    shared: Vec<String>,
}

impl Traced {
    /// True for a comment of a tracer. Stores the text of such a comment.
    pub(super) fn comment(&mut self, line: &str, number: usize) -> bool {
        // A spreadsheet adds quotation marks and empty cells.
        let line = line.trim_matches([' ', '"', ',', ';', '\t']);
        let after = |start| line.strip_prefix(start).map(str::to_owned);
        if let Some(rest) = after(TOTALS) {
            self.totals = Some((number, rest));
        } else if let Some(rest) = after(LEFT_OUT) {
            self.left_out = rest;
        } else if let Some(rest) = after(TRACED) {
            self.by = rest;
        } else {
            return false;
        }
        true
    }

    /// True for the header of a traced table. The positions of its columns are kept.
    ///
    /// # Errors
    /// [`Fault::TracedColumn`] if a column is missing from a header after a comment of a tracer, or from a header with
    /// most of the columns.
    pub(super) fn header(&mut self, cells: &[&str]) -> Result<bool, Fault> {
        let places = COLUMNS.map(|name| cells.iter().position(|cell| cell.eq_ignore_ascii_case(name)));
        let found: Vec<usize> = places.into_iter().flatten().collect();
        let is_traced = self.totals.is_some() || !self.by.is_empty() || found.len() > COLUMNS.len() / 2;
        self.columns = found.try_into().ok();
        let missing = COLUMNS.iter().zip(places).find(|(_, place)| place.is_none());
        match missing.filter(|_| is_traced) {
            Some((name, _)) => Err(Fault::TracedColumn { name }),
            None => Ok(self.columns.is_some()),
        }
    }

    /// Returns a matmul with the additional data of its row.
    pub(super) fn product(
        &mut self,
        product: Product,
        cells: &[&str],
        decimal: Option<Decimal>,
    ) -> Result<Product, Fault> {
        let Some(columns) = self.columns else { return Ok(product) };
        let [role, weights, shared, kept, masked] = columns.map(|place| cells.get(place).copied().unwrap_or(""));
        let role = role_of(role)?;
        let stored =
            plain::whole_number(weights, decimal).map_err(|_| Fault::Weights { given: plain::cut(weights) })?;
        let kind = match kind_of(role, stored, kept)? {
            Kind::Weights if layer_of_expert(&product.name).is_some() => Kind::Expert,
            kind => kind,
        };
        let product = Product { kind, role, counted: share(masked)?, stored: Some(stored), ..product };
        self.n_unknown_masks += u64::from(masked.is_empty());
        self.shared.push(if role == Role::Forward { shared.to_owned() } else { String::new() });
        Ok(product)
    }

    /// Adds the statements about the whole table to the list.
    ///
    /// # Errors
    /// [`Problem`] if the rows do not have the totals, because the table is cut.
    pub(super) fn finish(self, work: &mut Workload) -> Result<(), Problem> {
        // If several rows read one table, its weights belong to the row that reads most of it.
        let mut most: HashMap<&str, usize> = HashMap::new();
        for (at, shared) in self.shared.iter().enumerate().filter(|(_, shared)| !shared.is_empty()) {
            let before = most.insert(shared, at);
            let Some(before) = before else { continue };
            let [first, second] = [before, at].map(|at| work.products.get(at).and_then(|product| product.stored));
            let (kept, other) = if second > first { (at, before) } else { (before, at) };
            most.insert(shared, kept);
            if let Some(product) = work.products.get_mut(other) {
                product.stored = Some(0);
            }
        }
        let forward = work.products.iter().filter(|product| product.role == Role::Forward);
        let weights = forward.filter_map(|product| product.stored).map(u128::from).sum::<u128>();
        if let Some((line, totals)) = &self.totals {
            let flops = work.executed_macs().saturating_mul(2);
            for (name, found) in [("rows", work.products.len() as u128), ("flops", flops), ("weights", weights)] {
                let stated = number(totals.split_whitespace(), name);
                if stated != Some(found) {
                    return Err(Problem::new(*line, Fault::Totals { name, stated, found }));
                }
            }
        }
        if self.columns.is_none() {
            return Ok(());
        }
        let totals = self.totals.as_ref().map_or("", |(_, totals)| totals);
        let lookups = || self.lookups().map(u128::from).sum::<u128>();
        let others =
            number(totals.split_whitespace(), "parameters").map_or_else(lookups, |all| all.saturating_sub(weights));
        work.lookup_weights = others as f64;
        work.experts = experts(&work.products);
        let size = |name| number(self.by.split(';').map(str::trim), name).and_then(|size| u64::try_from(size).ok());
        let is_decode = self.by.split(';').any(|part| part.trim().starts_with(DECODE));
        work.traced = Some(TracedStep { batch: size("batch"), sequence: size("sequence"), is_decode });
        let left_out = self.left_out.trim();
        if !left_out.is_empty() && left_out != "nothing" {
            work.omit(|| Omitted::Traced { text: shown(left_out) });
        }
        if !self.by.trim().is_empty() {
            work.notes.push(Note::Traced { by: shown(self.by.trim()) });
        }
        if self.n_unknown_masks > 0 {
            work.notes.push(Note::UnknownMasks { rows: self.n_unknown_masks });
        }
        Ok(())
    }

    /// Number of weights of each lookup table that no matmul reads, from the text `lookup NAME (NUMBER weights)`.
    fn lookups(&self) -> impl Iterator<Item = u64> {
        self.left_out.split(';').filter_map(|part| {
            let (name, weights) = part.trim().strip_prefix("lookup ")?.strip_suffix(" weights)")?.rsplit_once(" (")?;
            let is_shared = self.shared.iter().flat_map(|shared| shared.split('+')).any(|shared| shared == name);
            weights.parse().ok().filter(|_| !is_shared)
        })
    }
}

/// Returns the number in the part `name=NUMBER`.
fn number<'a>(mut parts: impl Iterator<Item = &'a str>, name: &str) -> Option<u128> {
    parts.find_map(|part| part.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

fn shown(text: &str) -> String {
    text.chars().filter(|c| !plain::is_control_or_bidi(*c)).take(SHOWN_MAX).collect()
}

/// Returns the layer of a matmul of experts: `mlp` of `mlp.experts.up_proj`.
fn layer_of_expert(name: &str) -> Option<&str> {
    let layer = name.strip_suffix(".experts").or_else(|| name.split_once(".experts.").map(|(layer, _)| layer));
    layer.filter(|layer| !layer.is_empty())
}

/// Returns the largest number of experts in a layer, which is the width of the matmul that chooses among them. 0 if no
/// layer has experts, or if no such matmul has a usual name.
fn experts(products: &[Product]) -> u64 {
    let layers: HashSet<&str> = products.iter().filter_map(|product| layer_of_expert(&product.name)).collect();
    let is_router = |product: &&Product| {
        let parent = [".gate", ".router"].iter().find_map(|end| product.name.split_once(end));
        product.role == Role::Forward
            && parent.is_some_and(|(layer, rest)| layers.contains(layer) && (rest.is_empty() || rest.starts_with('.')))
    };
    products.iter().filter(is_router).map(|product| product.sizes.n).max().unwrap_or(0)
}

fn role_of(cell: &str) -> Result<Role, Fault> {
    Ok(match cell {
        "forward" => Role::Forward,
        "recomputed" => Role::Recompute,
        "input-gradient" => Role::InputGradient,
        "weight-gradient" => Role::WeightGradient,
        other => return Err(Fault::Role { given: plain::cut(other) }),
    })
}

/// Returns the kind of a matmul. Fused attention keeps the scores, or their gradient, on the chip. In the forward pass,
/// a kept C means queries times keys, and a kept A means scores times values. In the backward pass, the kept matrix is
/// the one that holds the scores or their gradient.
fn kind_of(role: Role, weights: u64, kept: &str) -> Result<Kind, Fault> {
    let is_forward = matches!(role, Role::Forward | Role::Recompute);
    Ok(match (kept, role) {
        ("c", _) if is_forward => Kind::Scores,
        ("a", Role::InputGradient) | ("b", Role::WeightGradient) => Kind::Scores,
        ("a", _) | ("c", Role::InputGradient) => Kind::Values,
        // The gradient of weights multiplies activations, but is as large as the weights.
        ("", Role::WeightGradient) => Kind::Weights,
        ("", _) if weights > 0 => Kind::Weights,
        ("" | "b" | "c", _) => Kind::Activations,
        (other, _) => return Err(Fault::Kept { given: plain::cut(other) }),
    })
}

/// Returns the share of the matmul that a mask keeps; 1 if the table does not state this share.
fn share(cell: &str) -> Result<f64, Fault> {
    let share = if cell.is_empty() { Some(1.0) } else { cell.replace(',', ".").parse().ok() };
    share.filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| Fault::Masked { given: plain::cut(cell) })
}
