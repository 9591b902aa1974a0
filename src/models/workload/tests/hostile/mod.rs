//! Files that are as long, dense or deep as possible. They are computed while they are read.

use std::ops::Range;

/// File with a head, a repeated unit and a tail.
#[derive(Debug)]
pub(crate) struct File {
    /// Name of the difficulty.
    pub(crate) name: &'static str,
    head: Vec<u8>,
    unit: Vec<u8>,
    times: u64,
    tail: Vec<u8>,
}

impl File {
    /// Returns a file with the unit repeated `times` times, or less often if the file would exceed `most` bytes.
    fn new(most: u64, name: &'static str, head: &[u8], unit: &[u8], times: u64, tail: &[u8]) -> Self {
        let times = capped(most, unit, times);
        let (mut unit, mut times) = (unit.to_vec(), times);
        // Fewer and longer parts can be copied faster.
        while times > 0 && times % 2 == 0 && unit.len() < 2048 {
            unit.extend_from_within(..);
            times /= 2;
        }
        Self { name, head: head.into(), unit, times, tail: tail.into() }
    }

    /// Returns a file in memory. `each` returns the text of the part with a given number.
    fn written(name: &'static str, head: &str, parts: u64, each: impl Fn(u64) -> String, tail: &str) -> Self {
        let mut text = head.to_owned();
        (0..parts).for_each(|at| text.push_str(&each(at)));
        text.push_str(tail);
        Self::new(0, name, text.as_bytes(), b"", 0, b"")
    }

    /// Size of the file in bytes.
    pub(crate) fn size(&self) -> u64 {
        let long = |bytes: &[u8]| bytes.len() as u64;
        long(&self.head) + long(&self.unit) * self.times + long(&self.tail)
    }

    /// Returns the bytes in a range of the file.
    pub(crate) fn read(&self, range: Range<u64>) -> Vec<u8> {
        let mut found = Vec::with_capacity(usize::try_from(range.end - range.start).expect("a piece"));
        let mut before = 0;
        for (bytes, times) in [(&self.head, 1), (&self.unit, self.times), (&self.tail, 1)] {
            let (own, all) = (bytes.len() as u64, bytes.len() as u64 * times);
            let mut at = range.start.clamp(before, before + all) - before;
            let end = range.end.clamp(before, before + all) - before;
            while at < end {
                let within = at % own;
                let stop = own.min(within + (end - at));
                let place = |at: u64| usize::try_from(at).expect("a part fits");
                found.extend_from_slice(&bytes[place(within)..place(stop)]);
                at += stop - within;
            }
            before += all;
        }
        found
    }
}

fn capped(most: u64, unit: &[u8], times: u64) -> u64 {
    times.min(most / (unit.len() as u64).max(1))
}

const MAIN: &[u8] = b"func.func @main() {\n";
const DOT: &str = "%0 = stablehlo.dot %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>\n";

/// Hostile programs.
pub(crate) fn programs(most: u64) -> Vec<File> {
    let carried = |at: u64| format!("%iterArg_{at} = %c_{at}, ");
    let text = |range: Range<u64>, each: &dyn Fn(u64) -> String| range.map(each).collect::<String>();
    let loops = format!(
        "func.func @main() {{\n%c = stablehlo.constant dense<1> : tensor<i32>\n%0 = stablehlo.while({}%z = %c) : tensor<i32>\ncond {{\n}} do {{\n",
        text(0..999, &carried)
    );
    let arguments = text(0..100_000, &|at| format!("%arg{at}: tensor<8x16xf32> {{jax.x = \"{{\"}}, "));
    vec![
        File::new(
            most,
            "statements that say nothing",
            MAIN,
            b"    %1 = stablehlo.add %arg0, %arg1 : tensor<8x16xf32>\n",
            2_000_000,
            b"}\n",
        ),
        File::new(
            most,
            "a constant of 1 GB",
            format!("func.func @main() {{\n{DOT}%c = stablehlo.constant dense<\"0x").as_bytes(),
            b"0123456789ABCDEF",
            60_000_000,
            b"\"> : tensor<4xf32>\n}\n",
        ),
        File::new(
            most,
            "a constant in decimals",
            format!("func.func @main() {{\n{DOT}%c = stablehlo.constant dense<[").as_bytes(),
            b"[1.0, 2.0], ",
            10_000_000,
            b"]> : tensor<4xf32>\n}\n",
        ),
        File::new(most, "braces, one a line", MAIN, b"{\n}\n", 8_000_000, b"}\n"),
        File::new(most, "lines that go on", MAIN, b"x\n", 16_000_000, b"}\n"),
        File::new(most, "empty lines", MAIN, b"\n", 32_000_000, b"}\n"),
        File::new(most, "spaces", MAIN, b" ", 32_000_000, b"}\n"),
        File::new(most, "quotation marks", MAIN, b"\"\\\"", 8_000_000, b"}\n"),
        File::new(most, "names", MAIN, b"%", 8_000_000, b"}\n"),
        File::new(most, "products up to the limit", MAIN, DOT.as_bytes(), 10_000, b"}\n"),
        File::new(most, "products beyond the limit", MAIN, DOT.as_bytes(), 24_000, b"}\n"),
        File::new(most, "products without end", MAIN, DOT.as_bytes(), 1_000_000, b"}\n"),
        File::written(
            "functions that call the next",
            "",
            24_000,
            |at| format!("func.func @f{at}() {{\n call @f{}() : () -> ()\n}}\n", at + 1),
            "",
        ),
        File::new(
            most,
            "a loop that carries much",
            loops.as_bytes(),
            b"%1 = stablehlo.add %nothing, %c : tensor<i32>\n",
            200_000,
            b"}\n}\n",
        ),
        File::new(
            most,
            "a function of many arguments",
            format!("func.func @main({arguments}) {{\n").as_bytes(),
            DOT.as_bytes(),
            10,
            b"}\n",
        ),
        File::new(most, "regions inside of each other", b"func.func @main() {\n", b"{", 1_000_000, b"\n"),
        File::new(
            most,
            "long names",
            MAIN,
            format!("%{} = stablehlo.dynamic_conv \n", "n".repeat(50_000)).as_bytes(),
            10_000,
            b"}\n",
        ),
    ]
}

/// Hostile lists.
pub(crate) fn lists(most: u64) -> Vec<File> {
    let header = b"Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides, Sparsity,\n";
    let wide = format!("{},1,1,1,{}\n", "n".repeat(16_000), ",".repeat(16_000));
    vec![
        File::new(most, "layers up to the limit", b"Layer,M,N,K,\n", b"a,1,2,3,\n", 9_998, b""),
        File::new(most, "layers without end", b"Layer,M,N,K,\n", b"a,1,2,3,\n", 10_000_000, b""),
        File::new(most, "sparse layers", header, b"a,9,9,3,3,2,6,1,2:4,\n", 9_998, b""),
        File::new(most, "wide layers", b"Layer,M,N,K,\n", wide.as_bytes(), 9_998, b""),
        File::new(most, "products up to the limit", b"M,K,N\n", b"1,2,3\n", 9_998, b""),
        File::new(
            most,
            "wide products",
            b"M|K|N\n",
            format!("1|2|3|4|{}\n", "|".repeat(32_000)).as_bytes(),
            10_000,
            b"",
        ),
        File::new(most, "one line", b"M,K,N\n1,2,", b"3", 100_000_000, b""),
        File::new(most, "empty lines", b"M,K,N\n1,2,3", b"\n", 100_000_000, b""),
    ]
}

/// Hostile configurations.
pub(crate) fn configurations(most: u64) -> Vec<File> {
    let head = b"{\"model_type\": \"llama\", \"x\": [";
    vec![
        File::new(most, "values up to the limit", head, b"0,", 49_990, b"0]}"),
        File::new(most, "values beyond the limit", head, b"0,", 250_000, b"0]}"),
        File::new(most, "empty lists", head, b"[],", 49_900, b"0]}"),
        File::new(most, "lists inside of each other", head, b"[", 500_000, b"]}"),
        File::new(most, "an escaped text", head, b"", 0, format!("\"{}\"]}}", "\\n".repeat(260_000)).as_bytes()),
        File::new(most, "keys", b"{\"model_type\": \"llama\"", b", \"hidden_size\": 64", 26_000, b"}"),
        File::new(most, "a configuration of 2 GB", head, b"0,", 1_000_000_000, b"0]}"),
    ]
}

/// Returns all hostile files.
pub(crate) fn all(most: u64) -> Vec<File> {
    [programs(most), lists(most), configurations(most)].into_iter().flatten().collect()
}
