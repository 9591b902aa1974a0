"""Writes tests/golden/onnx_models.gz and onnx_gemms.csv: the models of the onnx package and their products.

The models are the package's own test data (github.com/onnx/onnx, Apache License 2.0), packed one after the other as
name, length and bytes. Shapes are those of onnx.shape_inference, which shares nothing with our reader. A product whose
shapes even that does not know has no sizes. Needs Python with onnx; the golden files are committed, so only a change
of the cases needs this.
"""

import gzip
import math
import struct
import sys
from pathlib import Path

import onnx
from onnx import shape_inference

golden = Path(sys.argv[1])
data = Path(onnx.__file__).parent / "backend" / "test" / "data"


def shapes(model):
    model = shape_inference.infer_shapes(model, strict_mode=False, data_prop=True)
    found = {tensor.name: list(tensor.dims) for tensor in model.graph.initializer}
    for value in [*model.graph.input, *model.graph.output, *model.graph.value_info]:
        kind = value.type.tensor_type
        if kind.HasField("shape"):
            dims = [dim.dim_value if dim.HasField("dim_value") else None for dim in kind.shape.dim]
            if None not in dims:
                found.setdefault(value.name, dims)
    return found


def product(node, found):
    """M, K, N and count, by the shapes of inputs and output."""
    a, b = (found.get(name) for name in node.input[:2])
    c = found.get(node.output[0])
    attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
    if a is None or b is None or c is None:
        return None
    if node.op_type == "MatMul":
        return (math.prod(c[:-1]), a[-1], c[-1], 1) if len(b) == 2 else (c[-2], a[-1], c[-1], math.prod(c[:-2]))
    if node.op_type == "Gemm":
        return c[0], a[0] if attributes.get("transA") else a[1], c[1], 1
    group = attributes.get("group", 1)
    if node.op_type == "Conv":
        return c[0] * math.prod(c[2:]), math.prod(b[1:]), b[0] // group, group
    return a[0] * math.prod(a[2:]), b[0] // group, math.prod(b[1:]), group  # ConvTranspose, from its input's pixels


with gzip.GzipFile(golden / "onnx_models.gz", "wb", 9, mtime=0) as pack, open(golden / "onnx_gemms.csv", "w") as out:
    out.write(f"# By onnx {onnx.__version__}: tests/oracle/onnx_gemms.py\n")
    out.write("model,node,op,m,k,n,count\n")
    for path in sorted(data.glob("**/*.onnx")):
        name = path.relative_to(data).as_posix()
        whole = path.read_bytes()
        pack.write(struct.pack("<I", len(name)) + name.encode() + struct.pack("<I", len(whole)) + whole)
        model = onnx.load_from_string(whole)
        found = shapes(model)
        out.write(f"{name},,,,,,\n")
        for index, node in enumerate(model.graph.node):
            if node.op_type in ("MatMul", "Gemm", "Conv", "ConvTranspose"):
                sizes = product(node, found) or [""] * 4
                out.write(f"{name},{index},{node.op_type},{','.join(map(str, sizes))}\n")
