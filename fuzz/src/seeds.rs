//! Seeds of the fuzz search: data of other tests, and the words in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use form_urlencoded::parse;

/// Largest size of a seed in bytes. A search tries a short file with the same effect more often than a long file.
const BYTES_MAX: usize = 8 << 10;
/// Largest number of words in a dictionary, without [`ALWAYS`].
const WORDS_MAX: usize = 400;
/// Words of every dictionary: limits of number types, and characters with a special meaning.
const ALWAYS: [&str; 20] = [
    "0",
    "-1",
    "1e308",
    "1e-308",
    "nan",
    "-inf",
    "255",
    "256",
    "65536",
    "65537",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "%00",
    "\u{202e}",
    "\u{feff}",
    "\u{2212}",
    "\u{1b}[",
];

/// Returns the seeds of the entry point with this name.
///
/// # Panics
/// Panics if a file of the project cannot be read, or if no entry point has this name.
#[must_use]
pub fn seeds(entry: &str) -> Vec<Vec<u8>> {
    let all = match entry {
        "link" => links(),
        "broken" => vec![b"rows=4&cols=4&m=6&k=4&n=2".to_vec()],
        "ask" => questions(),
        "matrix" => matrices(),
        "config" => files("tests/golden/configs", "json"),
        "topology" => files("tests/golden/topologies", "csv"),
        "list" => lists().into_iter().chain(files("tests/golden/traced", "csv")).collect(),
        "stablehlo" => files("tests/golden/stablehlo", "mlir"),
        "npy" => arrays(),
        "file" => ["config", "topology", "list", "stablehlo"]
            .into_iter()
            .flat_map(|entry| seeds(entry).into_iter().step_by(4))
            .collect(),
        "message" => messages(),
        "lesson" => ["course/lessons", "course/claims", "course/challenges"].into_iter().flat_map(cards).collect(),
        _ => panic!("there is no entry {entry}"),
    };
    all.into_iter().filter(|seed| (1..=BYTES_MAX).contains(&seed.len())).collect()
}

fn root() -> PathBuf {
    // The variable at run time comes first, because the path from the build is outdated once the project is moved.
    let package = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).join("..")
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Contents of the files with this extension in a folder and its subfolders, sorted by path.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join(folder)]);
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.map(|entry| entry.expect("a folder's entry can be read").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.iter().map(|path| read(path)).collect()
}

/// Arrays of NumPy behind their first word: four values in each order and of several types.
fn arrays() -> Vec<Vec<u8>> {
    let array = |kind: &str, order: &str, shape: &str, bytes: usize| {
        let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let length = u16::try_from(header.len()).expect("it is short").to_le_bytes();
        [&[1, 0], &length[..], header.as_bytes(), &vec![0x3c; bytes]].concat()
    };
    vec![
        array("<f4", "False", "(2, 2)", 16),
        array("<f8", "True", "(2, 2)", 32),
        array(">i2", "False", "(1, 4)", 8),
        array("|b1", "False", "(4, 1)", 4),
        array("<f2", "False", "(4,)", 8),
    ]
}

/// Addresses in the corpus of links.
fn addresses() -> Vec<String> {
    let text = read(&root().join(whole::links::PATH));
    let rows = whole::links::rows(&String::from_utf8_lossy(&text));
    rows.iter().map(|row| row.address().trim_start_matches('?').to_owned()).collect()
}

fn links() -> Vec<Vec<u8>> {
    addresses().into_iter().map(String::into_bytes).collect()
}

/// Questions to the estimate in the corpus of links.
fn questions() -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for address in addresses() {
        let query = address.split('#').next().unwrap_or_default();
        for (name, value) in parse(query.as_bytes()) {
            match &*name {
                "ask" => all.push(value.into_owned().into_bytes()),
                "lengths" | "failures" => all.push(format!("{name}={value}").into_bytes()),
                _ => {}
            }
        }
    }
    all
}

/// Matrices in the corpus of links, and other notations of a matrix.
fn matrices() -> Vec<Vec<u8>> {
    let usual = [
        "1,-2.5\n3,4",
        "1\t-2.5\r\n3\t4\r\n",
        "[[1, -2.5],\n [3, 4]]",
        "np.array([[ 1. , -2.5e3],\n       [ 3. ,  4. ]])",
        "1,\u{2212}2.5\n3,4\n\n",
        "nan inf; -inf 0x1",
    ];
    let addresses = addresses();
    let fragments = addresses.iter().filter_map(|address| address.split_once('#'));
    let listed = fragments.flat_map(|(_, fragment)| {
        parse(fragment.as_bytes()).filter(|(name, _)| matches!(&**name, "a" | "b")).map(|(_, value)| value.into_owned())
    });
    usual.map(str::to_owned).into_iter().chain(listed).map(String::into_bytes).collect()
}

fn lists() -> Vec<Vec<u8>> {
    [
        "128,512,1536\n 4_096 , 64,  1'000, 32\n1,2,3,4,up\nqk,5,6,7\n",
        "| name | M | N | K | count |\n|------|--:|--:|:-:|---|\n| q | 1 | 2 | 3 | 4 |\n| k | 1 | 2 | 3 | |\n",
        "M\tN\tK\n16\t32\t8",
        "M K N\n16 32 8",
        "16 \u{d7} 32 \u{d7} 8",
        "# from my notes\n\n16;32;8;\n",
        "id,M,K,N,note\n7,512,1024,4096,up\n8,1,2,3,\n",
        "128 x 512 x 1536 x 4 mlp.fc x2",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

/// Greeting, examples of all methods, and pairs of adjacent messages.
fn messages() -> Vec<Vec<u8>> {
    let example =
        |method: protocol::Method| format!(r#"{{"id":1,"method":"{}","params":{}}}"#, method.id(), method.example());
    let greeting = r#"{"sap":1,"type":"hello","nonce":5,"keys":["PageDown","a"]}"#;
    let all: Vec<String> =
        [greeting.to_owned()].into_iter().chain(protocol::Method::ALL.into_iter().map(example)).collect();
    let pairs = all.windows(2).map(|pair| pair.join("\n"));
    all.iter().cloned().chain(pairs).map(String::into_bytes).collect()
}

/// Cards in the lessons of a folder, each as a lesson of one card.
fn cards(folder: &str) -> Vec<Vec<u8>> {
    let alone = |text: Vec<u8>| {
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut parts = text.split("\n## ");
        let head = parts.next().unwrap_or_default().to_owned();
        parts.map(|card| format!("{head}\n## {card}").into_bytes()).collect::<Vec<_>>()
    };
    files(folder, "md").into_iter().flat_map(alone).collect()
}

/// Words of the seeds, sorted by the number of seeds that contain them, and then the words of [`ALWAYS`].
#[must_use]
pub fn dictionary(seeds: &[Vec<u8>]) -> Vec<String> {
    let mut counts = BTreeMap::<String, usize>::new();
    for seed in seeds {
        let text = String::from_utf8_lossy(seed);
        let words = text.split(|sign: char| !(sign.is_ascii_alphanumeric() || "_-.".contains(sign)));
        let mut words: Vec<&str> = words.filter(|word| (2..=32).contains(&word.len())).collect();
        words.sort_unstable();
        words.dedup();
        words.into_iter().for_each(|word| *counts.entry(word.to_owned()).or_default() += 1);
    }
    let mut words: Vec<(String, usize)> = counts.into_iter().collect();
    words.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
    let words = words.into_iter().map(|(word, _)| word).take(WORDS_MAX);
    words.chain(ALWAYS.map(str::to_owned)).collect()
}
