//! ONNX's own shape inference finds the same products in the package's models: `tests/golden/onnx_gemms.csv`.

use std::collections::BTreeMap;
use std::fs;

use crate::golden::{counted, golden, models};
use proptest::prelude::{any, prop};
use proptest::proptest;
use workload::Kind;
use workload::onnx::{Refusal, workload};

#[test]
fn every_model_has_the_products_that_onnx_shapes_give() {
    let mut expected: BTreeMap<String, Vec<[u64; 4]>> = BTreeMap::new();
    for row in fs::read_to_string(golden().join("onnx_gemms.csv")).expect("it is there").lines().skip(2) {
        let cells: Vec<&str> = row.split(',').collect();
        let products = expected.entry(cells[0].into()).or_default();
        if !cells[1].is_empty() {
            products.push([3, 4, 5, 6].map(|at| cells[at].parse().expect("onnx knows every shape here")));
        }
    }
    let models = models("onnx_models.gz");
    assert_eq!(models.len(), 149);
    let mut products = 0;
    for (name, bytes) in models {
        let work = workload(&bytes, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found: Vec<[u64; 4]> = work.products.iter().map(counted).collect();
        assert_eq!(found, expected[&name], "{name}: {:?}", work.left_out);
        products += found.len();
    }
    assert_eq!(products, 449, "428 convolutions, 3 transposed ones, 17 Gemm and a MatMul");
}

#[test]
fn resnet_50_has_the_macs_that_are_published() {
    let work = workload(&models("onnx_models.gz")["light/light_resnet50.onnx"], &[]).expect("it is a model");
    // 4.09 GMAC is the standard figure for ResNet-50 v1.5 at 224×224, which the table of models is held against too.
    assert_eq!(work.executed_macs(), 4_089_184_256);
    assert_eq!(work.products.iter().filter(|product| product.kind == Kind::Convolution).count(), 53);
}

/// A message of fields with bytes.
fn message(fields: &[(u8, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, value) in fields {
        bytes.push(number << 3 | 2);
        bytes.push(u8::try_from(value.len()).expect("it is short"));
        bytes.extend_from_slice(value);
    }
    bytes
}

/// A tensor called `name`: a size for each dimension, or a symbol.
fn tensor(name: &str, dims: &[Result<u8, &str>]) -> Vec<u8> {
    let dims: Vec<Vec<u8>> = dims
        .iter()
        .map(|dim| match dim {
            Ok(size) => vec![1 << 3, *size],
            Err(symbol) => message(&[(2, symbol.as_bytes())]),
        })
        .collect();
    let shape: Vec<(u8, &[u8])> = dims.iter().map(|dim| (1, dim.as_slice())).collect();
    message(&[(1, name.as_bytes()), (2, &message(&[(1, &message(&[(2, &message(&shape))]))]))])
}

/// A model of one operation on `x` and `y`.
fn model(op: &str, attribute: &[u8], x: &[Result<u8, &str>], y: &[Result<u8, &str>]) -> Vec<u8> {
    let mut node = vec![(1u8, &b"x"[..]), (1, b"y"), (2, b"z"), (4, op.as_bytes())];
    if !attribute.is_empty() {
        node.push((5, attribute));
    }
    message(&[(7, &message(&[(1, &message(&node)), (11, &tensor("x", x)), (11, &tensor("y", y))]))])
}

#[test]
fn a_symbol_needs_a_value() {
    let bytes = model("MatMul", &[], &[Err("batch"), Ok(3), Ok(5)], &[Ok(5), Ok(7)]);
    let refused = workload(&bytes, &[("sequence", 9)]).expect_err("it is a symbol");
    assert_eq!(refused, Refusal::Symbols { names: vec!["“batch”".into()] });
    assert_eq!(
        refused.to_string(),
        "These sizes of the file have no value: “batch”. Give each a value, such as batch=640."
    );
    let work = workload(&bytes, &[("batch", 4)]).expect("it has a value");
    assert_eq!(counted(&work.products[0]), [12, 5, 7, 1]);
}

#[test]
fn batches_on_both_sides_are_counted() {
    let bytes = model("MatMul", &[], &[Ok(2), Ok(1), Ok(3), Ok(5)], &[Ok(6), Ok(5), Ok(7)]);
    let product = &workload(&bytes, &[]).expect("it is a model").products[0];
    assert_eq!(counted(product), [3, 5, 7, 12]);
    let equation = message(&[(1, b"equation"), (4, b"bihd,bjhd->bhij")]);
    let sizes = |last| [Ok(2), Ok(last), Ok(4), Ok(8)];
    let product = &workload(&model("Einsum", &equation, &sizes(3), &sizes(5)), &[]).expect("it is a model").products[0];
    assert_eq!(counted(product), [3, 8, 5, 8]);
}

#[test]
fn an_operation_of_unknown_shape_is_named() {
    let bytes = message(&[(7, &message(&[(1, &message(&[(1, b"x"), (1, b"y"), (2, b"z"), (4, b"MatMul")]))]))]);
    let work = workload(&bytes, &[]).expect("it is a model");
    assert_eq!(work.left_out[0].what.to_string(), "“MatMul” “z”, whose shapes are not known");
    assert_eq!(work.left_out[0].share_of_flops, None);
    assert_eq!(workload(b"\x08\x07", &[]), Err(Refusal::NoGraph));
    assert_eq!(workload(b"PK\x03\x04", &[]), Err(Refusal::NotOnnx));
}

/// A model of `z = op(x, …)`, then `w = z · y`, with x, y and what else is declared.
fn chain(op: &str, inputs: &[&str], attribute: &[u8], declared: &[Vec<u8>], stored: &[u8]) -> Vec<u8> {
    let mut first: Vec<(u8, &[u8])> = inputs.iter().map(|name| (1, name.as_bytes())).collect();
    first.extend([(2, &b"z"[..]), (4, op.as_bytes())]);
    if !attribute.is_empty() {
        first.push((5, attribute));
    }
    let (first, second) = (message(&first), message(&[(1, b"z"), (1, b"y"), (2, b"w"), (4, b"MatMul")]));
    let mut graph: Vec<(u8, &[u8])> = vec![(1, &first), (1, &second)];
    graph.extend(declared.iter().map(|tensor| (11, tensor.as_slice())));
    if !stored.is_empty() {
        graph.push((5, stored));
    }
    message(&[(7, &message(&graph))])
}

#[test]
fn a_zero_in_a_shape_is_no_element_where_the_operation_says_so() {
    // Two whole numbers of 64 bits, 0 and 4, by the name of “shape”.
    let stored = [&[1 << 3, 2, 2 << 3, 7, 7 << 3, 0, 7 << 3, 4][..], &message(&[(8, b"shape")])].concat();
    let declared = [tensor("x", &[Ok(2), Ok(4), Ok(0)]), tensor("y", &[Ok(4), Ok(7)])];
    let allowzero = [&message(&[(1, b"allowzero")])[..], &[3 << 3, 1]].concat();
    let of = |attribute: &[u8]| {
        let bytes = chain("Reshape", &["x", "shape"], attribute, &declared, &stored);
        // Exporters also write 0 for a size that is open.
        workload(&bytes, &[("x[2]", 0)]).expect("it is a model")
    };
    let copied = of(&[]);
    assert_eq!(
        copied.products.iter().map(|product| product.sizes.m).collect::<Vec<_>>(),
        [2],
        "zero stands for the input's size"
    );
    let none = of(&allowzero);
    assert_eq!((none.products, none.left_out), (vec![], vec![]), "a product of no rows is no work, and is known");
}

#[test]
fn a_quantized_product_hands_its_shape_on() {
    let declared = [tensor("x", &[Ok(3), Ok(5)]), tensor("v", &[Ok(5), Ok(7)]), tensor("y", &[Ok(7), Ok(2)])];
    let inputs = ["x", "s", "p", "v", "s", "p", "s", "p"];
    let work = workload(&chain("QLinearMatMul", &inputs, &[], &declared, &[]), &[]).expect("it is a model");
    let sizes: Vec<[u64; 3]> = work.products.iter().map(|product| product.sizes.mkn()).collect();
    assert_eq!((sizes, work.left_out), (vec![[3, 5, 7], [3, 7, 2]], vec![]));
}

#[test]
fn operands_that_do_not_fit_each_other_are_no_product() {
    let bytes = model("MatMul", &[], &[Ok(2), Ok(3)], &[Ok(5), Ok(4)]);
    let work = workload(&bytes, &[]).expect("it is a model");
    assert_eq!(work.products, []);
    assert_eq!(work.left_out[0].what.to_string(), "“MatMul” “z”, whose operand shapes do not match");
    let turned = [&message(&[(1, b"transB")])[..], &[3 << 3, 1]].concat();
    let of = |x: [u8; 2], y: [u8; 2]| {
        let work = workload(&model("Gemm", &turned, &x.map(Ok), &y.map(Ok)), &[]).expect("it is a model");
        (work.products.len(), work.left_out.len())
    };
    assert_eq!(of([2, 3], [4, 3]), (1, 0));
    assert_eq!(of([2, 3], [3, 4]), (0, 1));
    let bytes = model("MatMul", &[], &[Ok(2), Ok(3), Ok(5)], &[Ok(4), Ok(5), Ok(6)]);
    assert_eq!(workload(&bytes, &[]).expect("it is a model").products, [], "two batches that are not the same");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = workload(&bytes, &[]);
    }

    #[test]
    fn no_changed_model_makes_it_panic(
        model in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        thread_local! {
            static SMALL: Vec<Vec<u8>> = models("onnx_models.gz").into_values().filter(|bytes| bytes.len() < 5000).collect();
        }
        SMALL.with(|small| {
            let mut bytes = model.get(small).clone();
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Ok(work) = workload(&bytes, &[("N", 3)]) {
                assert!(work.flops().is_finite());
            }
        });
    }
}
