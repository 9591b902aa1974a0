//! The golden files: where they are, and the models that some of them pack.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use workload::Product;

/// Their folder.
pub(crate) fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

/// M, K, N and count.
pub(crate) fn counted(product: &Product) -> [u64; 4] {
    let [m, k, n] = product.sizes.mkn();
    [m, k, n, product.count]
}

/// Every model of a packed file, by name.
pub(crate) fn models(file: &str) -> BTreeMap<String, Vec<u8>> {
    let packed = fs::read(golden().join(file)).expect("the golden file is there");
    let mut whole = Vec::new();
    GzDecoder::new(&packed[..]).read_to_end(&mut whole).expect("it is packed well");
    let mut models = BTreeMap::new();
    let mut rest = &whole[..];
    let next = |rest: &mut &[u8]| {
        let length = u32::from_le_bytes(*rest.first_chunk().expect("a length"));
        let (taken, after) = rest[4..].split_at(usize::try_from(length).expect("it fits"));
        *rest = after;
        taken.to_vec()
    };
    while !rest.is_empty() {
        let name = String::from_utf8(next(&mut rest)).expect("a name");
        models.insert(name, next(&mut rest));
    }
    models
}
