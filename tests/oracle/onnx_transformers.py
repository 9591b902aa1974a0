"""Writes tests/golden/onnx_transformers.gz and onnx_transformers.csv: small transformers and the products in them.

The graphs are ours, each in the way an exporter writes it, with shapes stated for the graph's inputs alone. Their
products come from a run: onnx's reference evaluator computes every tensor with NumPy, and the sizes are those of the
arrays that it multiplied. Needs Python with onnx; the golden files are committed, so only a change of the cases needs
this.
"""

import gzip
import math
import struct
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

golden = Path(sys.argv[1])
rng = np.random.default_rng(7)
SIZES = {"batch": 2, "sequence": 5, "past": 3}


class Graph:
    """Nodes and stored tensors, and names for their results."""

    def __init__(self):
        self.nodes, self.stored, self.inputs = [], [], []

    def input(self, name, dims, kind=TensorProto.FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, kind, dims))
        return name

    def store(self, array, name=None):
        name = name or f"onnx::const_{len(self.stored)}"
        self.stored.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def weight(self, *dims):
        """All the same: sizes are what counts here, and equal bytes pack well."""
        return self.store(np.full(dims, 0.125, np.float32))

    def ints(self, *values):
        return self.store(np.array(values, np.int64))

    def __call__(self, op, *inputs, outputs=1, **attributes):
        names = [f"/{op}_{len(self.nodes)}_output_{at}" for at in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), names, name=f"/{op}_{len(self.nodes)}", **attributes))
        return names[0] if outputs == 1 else names

    def model(self, result, opset=17, rank=3):
        known = helper.make_tensor_value_info(result, TensorProto.FLOAT, [None] * rank)
        graph = helper.make_graph(self.nodes, "main_graph", self.inputs, [known], self.stored)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], producer_name="playground")

    # Parts that exporters write.

    def linear(self, x, width, out):
        return self("Add", self.weight(out), self("MatMul", x, self.weight(width, out)))

    def size(self, x, axis):
        """A size of a tensor, as torch.onnx reads it."""
        return self("Unsqueeze", self("Gather", self("Shape", x), self.store(np.int64(axis)), axis=0), self.ints(0))

    def heads(self, x, heads, depth, order):
        shape = self("Concat", self.size(x, 0), self.size(x, 1), self.ints(heads), self.ints(depth), axis=0)
        return self("Transpose", self("Reshape", x, shape), perm=order)

    def joined(self, x, like, width):
        x = self("Transpose", x, perm=[0, 2, 1, 3])
        return self("Reshape", x, self("Concat", self.size(like, 0), self.size(like, 1), self.ints(width), axis=0))

    def norm(self, x, width):
        """Layer normalization as it was written before it was an operation."""
        centered = self("Sub", x, self("ReduceMean", x, axes=[-1]))
        square = self("Pow", centered, self.store(np.float32(2)))
        root = self("Sqrt", self("Add", self("ReduceMean", square, axes=[-1]), self.store(np.float32(1e-5))))
        return self("Add", self("Mul", self("Div", centered, root), self.weight(width)), self.weight(width))

    def rms(self, x, width):
        mean = self("ReduceMean", self("Pow", x, self.store(np.float32(2))), axes=[-1], keepdims=1)
        scale = self("Reciprocal", self("Sqrt", self("Add", mean, self.store(np.float32(1e-6)))))
        return self("Mul", self.weight(width), self("Mul", x, scale))

    def attend(self, q, keys, v, depth, mask=None):
        """Softmax of queries by keys that are already turned, by values."""
        scores = self("Div", self("MatMul", q, keys), self.store(np.float32(math.sqrt(depth))))
        scores = self("Add", scores, mask) if mask else scores
        return self("MatMul", self("Softmax", scores, axis=-1), v)


def tokens(g, vocab, width, batch="batch", sequence="sequence"):
    ids = g.input("input_ids", [batch, sequence], TensorProto.INT64)
    return g("Gather", g.weight(vocab, width), ids)


def bert():
    """Post-norm encoder with a mask, a pooled token and decomposed layer normalization, as torch.onnx wrote it."""
    g, width, heads = Graph(), 16, 2
    depth = width // heads
    x = g("Add", tokens(g, 30, width), g.weight(1, 5, width))
    mask = g.input("attention_mask", ["batch", "sequence"], TensorProto.INT64)
    mask = g("Unsqueeze", g("Unsqueeze", mask, g.ints(1)), g.ints(2))
    mask = g("Mul", g("Sub", g.store(np.float32(1)), g("Cast", mask, to=TensorProto.FLOAT)), g.store(np.float32(-1e4)))
    for _ in range(2):
        q, v = (g.heads(g.linear(x, width, width), heads, depth, [0, 2, 1, 3]) for _ in range(2))
        k = g.heads(g.linear(x, width, width), heads, depth, [0, 2, 3, 1])
        x = g.norm(g("Add", g.linear(g.joined(g.attend(q, k, v, depth, mask), x, width), width, width), x), width)
        up = g.linear(x, width, 4 * width)
        erf = g("Add", g("Erf", g("Div", up, g.store(np.float32(math.sqrt(2))))), g.store(np.float32(1)))
        up = g("Mul", g("Mul", up, erf), g.store(np.float32(0.5)))
        x = g.norm(g("Add", g.linear(up, 4 * width, width), x), width)
    first = g("Gather", x, g.store(np.int64(0)), axis=1)
    return g.model(g("Tanh", g("Gemm", first, g.weight(3, width), g.weight(3), transB=1)), rank=2)


def gpt():
    """Fused q, k and v by Gemm on flattened tokens, a cache of keys and values, a causal mask, tied logits."""
    g, width, heads = Graph(), 12, 3
    depth = width // heads
    x = tokens(g, 40, width)
    past = [g.input(f"past_{name}", ["batch", heads, "past", depth]) for name in ("key", "value")]

    def conv1d(x, inner, out):
        flat = g("Gemm", g("Reshape", x, g.ints(-1, inner)), g.weight(inner, out), g.weight(out))
        return g("Reshape", flat, g("Concat", g.size(x, 0), g.size(x, 1), g.ints(out), axis=0))

    n = g("LayerNormalization", x, g.weight(width), g.weight(width), axis=-1)
    parts = g("Split", conv1d(n, width, 3 * width), g.ints(width, width, width), outputs=3, axis=2)
    q, k, v = (g.heads(part, heads, depth, [0, 2, 1, 3]) for part in parts)
    k, v = (g("Concat", old, new, axis=-2) for old, new in zip(past, (k, v)))
    scores = g("MatMul", q, g("Transpose", k, perm=[0, 1, 3, 2]))
    here, all_ = g.size(scores, 2), g.size(scores, 3)
    causal = g.store(np.tril(np.ones((1, 1, 64, 64), bool)))
    causal = g("Slice", causal, g("Sub", all_, here), all_, g.ints(2), g.ints(1))
    causal = g("Slice", causal, g.ints(0), all_, g.ints(3), g.ints(1))
    scores = g("Where", causal, scores, g.store(np.float32(-1e4)))
    x = g("Add", conv1d(g.joined(g("MatMul", g("Softmax", scores, axis=-1), v), x, width), width, width), x)
    n = g("LayerNormalization", x, g.weight(width), g.weight(width), axis=-1)
    cube = g("Mul", g("Pow", conv1d(n, width, 48), g.store(np.float32(3))), g.store(np.float32(0.044715)))
    x = g("Add", conv1d(g("Tanh", cube), 48, width), x)
    return g.model(g("MatMul", x, g("Transpose", g.weight(40, width), perm=[1, 0])))


def llama():
    """Grouped queries, rotary positions, RMS normalization and a gated feed-forward part."""
    g, width, heads, shared, depth = Graph(), 24, 4, 2, 6
    x = tokens(g, 50, width)
    cos, sin = (g.weight(1, 1, 5, depth) for _ in range(2))

    def turned(x):
        left = g("Slice", x, g.ints(0), g.ints(depth // 2), g.ints(3), g.ints(1))
        right = g("Slice", x, g.ints(depth // 2), g.ints(2**63 - 1), g.ints(3), g.ints(1))
        half = g("Concat", g("Neg", right), left, axis=-1)
        return g("Add", g("Mul", x, cos), g("Mul", half, sin))

    def repeated(x):
        wide = g("Unsqueeze", x, g.ints(2))
        shape = g("Concat", g.size(x, 0), g.ints(shared, heads // shared), g.size(x, 2), g.ints(depth), axis=0)
        ones = g("ConstantOfShape", g.ints(5), value=numpy_helper.from_array(np.array([1], np.int64)))
        shape = g("Where", g("Equal", shape, g("Mul", ones, g.store(np.int64(-1)))), ones, shape)
        flat = g("Concat", g.size(x, 0), g.ints(heads), g.size(x, 2), g.ints(depth), axis=0)
        return g("Reshape", g("Expand", wide, shape), flat)

    for _ in range(2):
        n = g.rms(x, width)
        plain = lambda out: g("MatMul", n, g.weight(width, out))
        q = turned(g.heads(plain(heads * depth), heads, depth, [0, 2, 1, 3]))
        k = repeated(turned(g.heads(plain(shared * depth), shared, depth, [0, 2, 1, 3])))
        v = repeated(g.heads(plain(shared * depth), shared, depth, [0, 2, 1, 3]))
        found = g.attend(q, g("Transpose", k, perm=[0, 1, 3, 2]), v, depth)
        x = g("Add", x, g("MatMul", g.joined(found, x, heads * depth), g.weight(heads * depth, width)))
        n = g.rms(x, width)
        gate = plain(64)
        gated = g("Mul", g("Mul", gate, g("Sigmoid", gate)), plain(64))
        x = g("Add", x, g("MatMul", gated, g.weight(64, width)))
    return g.model(g("MatMul", g.rms(x, width), g.weight(width, 50)))


def t5():
    """An encoder and a decoder that attends to it, with positions as a bias of the scores."""
    g, width, heads, depth = Graph(), 16, 2, 4
    encoder = tokens(g, 20, width)
    ids = g.input("decoder_input_ids", ["batch", "target"], TensorProto.INT64)
    decoder = g("Gather", g.weight(20, width), ids)
    inner = heads * depth

    def attention(x, memory, bias=None):
        plain = lambda of: g("MatMul", of, g.weight(width, inner))
        q = g.heads(plain(x), heads, depth, [0, 2, 1, 3])
        k = g.heads(plain(memory), heads, depth, [0, 2, 3, 1])
        v = g.heads(plain(memory), heads, depth, [0, 2, 1, 3])
        scores = g("MatMul", q, k)
        scores = g("Add", scores, bias) if bias else scores
        found = g("MatMul", g("Softmax", scores, axis=3), v)
        return g("Add", x, g("MatMul", g.joined(found, x, inner), g.weight(inner, width)))

    def feed(x):
        return g("Add", x, g("MatMul", g("Relu", g("MatMul", g.rms(x, width), g.weight(width, 32))), g.weight(32, width)))

    encoder = feed(attention(g.rms(encoder, width), g.rms(encoder, width), g.weight(1, heads, 5, 5)))
    decoder = attention(g.rms(decoder, width), g.rms(decoder, width), g.weight(1, heads, 4, 4))
    decoder = feed(attention(decoder, encoder))
    return g.model(g("MatMul", decoder, g.weight(width, 20)))


def vit():
    """Patches by a convolution, a class token before them, an encoder layer, the class."""
    g, width, heads = Graph(), 16, 4
    depth = width // heads
    image = g.input("pixel_values", ["batch", 3, 32, 32])
    patches = g("Conv", image, g.weight(width, 3, 8, 8), g.weight(width), kernel_shape=[8, 8], strides=[8, 8])
    flat = g("Concat", g("Slice", g("Shape", patches), g.ints(0), g.ints(2), g.ints(0)), g.ints(-1), axis=0)
    x = g("Transpose", g("Reshape", patches, flat), perm=[0, 2, 1])
    token = g("Expand", g.weight(1, 1, width), g("Concat", g.size(image, 0), g.ints(1, 1), axis=0))
    x = g("Add", g("Concat", token, x, axis=1), g.weight(1, 17, width))
    n = g("LayerNormalization", x, g.weight(width), g.weight(width))
    q, v = (g.heads(g.linear(n, width, width), heads, depth, [0, 2, 1, 3]) for _ in range(2))
    k = g.heads(g.linear(n, width, width), heads, depth, [0, 2, 3, 1])
    x = g("Add", g.linear(g.joined(g.attend(q, k, v, depth), x, width), width, width), x)
    x = g("LayerNormalization", x, g.weight(width), g.weight(width))
    return g.model(g("Gemm", g("Gather", x, g.store(np.int64(0)), axis=1), g.weight(10, width), transB=1), rank=2)


def quantized(g, x):
    scale, zero = g.store(np.float32(0.02)), g.store(np.uint8(128))
    return g("QuantizeLinear", x, scale, zero), scale, zero


def int8_static():
    """QLinearMatMul one after the other, and a plain product of what they give."""
    g, width = Graph(), 16
    x = g.input("x", ["batch", "sequence", width])
    value = quantized(g, x)
    for out in (24, 16):
        weight = g.store(np.full((width, out), 130, np.uint8))
        scale, zero = g.store(np.float32(0.01)), g.store(np.uint8(128))
        value = (g("QLinearMatMul", *value, weight, scale, zero, value[1], value[2]), value[1], value[2])
        width = out
    plain = g("DequantizeLinear", *value)
    scores = g("MatMul", plain, g("Transpose", plain, perm=[0, 2, 1]))
    return g.model(g("MatMul", g("Softmax", scores, axis=-1), plain), opset=21)


def int8_dynamic():
    """As onnxruntime quantizes a linear layer: DynamicQuantizeLinear, MatMulInteger, and back."""
    g, width = Graph(), 16
    x = g.input("x", ["batch", "sequence", width])
    for out in (32, 16):
        code, scale, zero = g("DynamicQuantizeLinear", x, outputs=3)
        weight = g.store(np.full((width, out), 130, np.uint8))
        whole = g("MatMulInteger", code, weight, zero, g.store(np.uint8(128)))
        x = g("Mul", g("Cast", whole, to=TensorProto.FLOAT), g("Mul", scale, g.store(np.float32(0.01))))
        x = g("Add", x, g.weight(out))
        width = out
    return g.model(x)


def attention_23():
    """Attention, rotary positions and RMS normalization as the operations of opset 23."""
    g, width, heads = Graph(), 16, 2
    x = g.input("x", ["batch", "sequence", width])
    n = g("RMSNormalization", x, g.weight(width), axis=-1)
    q, k, v = (g("MatMul", n, g.weight(width, width)) for _ in range(3))
    cos, sin = (g.weight(2, 5, width // heads // 2) for _ in range(2))
    q, k = (g("RotaryEmbedding", of, cos, sin, num_heads=heads) for of in (q, k))
    found = g("Attention", q, k, v, q_num_heads=heads, kv_num_heads=heads)
    return g.model(g("Add", x, g("MatMul", found, g.weight(width, width))), opset=23)


def einsum_ellipsis():
    """A product by indices of which some have no name."""
    g = Graph()
    x = g.input("x", ["batch", "sequence", 16])
    return g.model(g("Einsum", x, g.weight(16, 8), equation="...d,de->...e"))


def einsum():
    """Attention by named indices."""
    g, width, heads = Graph(), 16, 2
    x = g.input("x", ["batch", "sequence", width])
    q, k, v = (g("Einsum", x, g.weight(width, heads, width // heads), equation="btd,dhe->bthe") for _ in range(3))
    scores = g("Softmax", g("Einsum", q, k, equation="bthe,bshe->bhts"), axis=-1)
    found = g("Einsum", scores, v, equation="bhts,bshe->bthe")
    return g.model(g("Einsum", found, g.weight(width, heads, width // heads), equation="bthe,dhe->btd"))


MODELS = [bert, gpt, llama, t5, vit, int8_static, int8_dynamic, attention_23, einsum, einsum_ellipsis]
INPUTS = {"int64": lambda dims: rng.integers(0, 2, dims), "float32": lambda dims: rng.normal(size=dims).astype("f4")}


def shapes(model):
    """The shape of every tensor in a run."""
    whole = onnx.ModelProto()
    whole.CopyFrom(model)
    names = [name for node in model.graph.node for name in node.output]
    del whole.graph.output[:]
    whole.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in names)
    given = {}
    for value in model.graph.input:
        kind = value.type.tensor_type
        dims = [dim.dim_value or {**SIZES, "target": 4}[dim.dim_param] for dim in kind.shape.dim]
        given[value.name] = INPUTS[str(np.dtype(helper.tensor_dtype_to_np_dtype(kind.elem_type)))](dims)
    found = ReferenceEvaluator(whole).run(names, given)
    arrays = [*given.items(), *zip(names, found)]
    stored = [(tensor.name, list(tensor.dims)) for tensor in model.graph.initializer]
    return dict([(name, list(np.shape(array))) for name, array in arrays] + stored)


def products(node, found):
    """M, K, N and count of what an operation multiplies."""
    shape = lambda at: found[node.input[at]]
    attributes = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    c = found[node.output[0]]
    if node.op_type in ("MatMul", "MatMulInteger", "QLinearMatMul"):
        a, b = shape(0), shape(3 if node.op_type == "QLinearMatMul" else 1)
        yield (math.prod(c[:-1]), a[-1], c[-1], 1) if len(b) == 2 else (c[-2], a[-1], c[-1], math.prod(c[:-2]))
    elif node.op_type == "Gemm":
        a = shape(0)
        yield c[0], a[0] if attributes.get("transA") else a[1], c[1], 1
    elif node.op_type == "Conv":
        yield c[0] * math.prod(c[2:]), math.prod(shape(1)[1:]), shape(1)[0], 1
    elif node.op_type == "Attention":
        (batch, length, width), heads, keys = shape(0), attributes["q_num_heads"], shape(1)[1]
        yield length, width // heads, keys, batch * heads
        yield length, keys, width // heads, batch * heads
    elif node.op_type == "Einsum":
        # By letters, an ellipsis being the dimensions that have none.
        left, rest = attributes["equation"].decode().split(",")
        right, result = rest.split("->")
        a, b = shape(0), shape(1)
        spread = lambda text, dims: text.replace("...", "XYZ"[: len(dims) - len(text) + 3])
        left, right, result = spread(left, a), spread(right, b), spread(result, c)
        size = {**dict(zip(left, a)), **dict(zip(right, b))}
        of = lambda letters: math.prod(size[letter] for letter in letters)
        m, n = (set(side) & set(result) - set(other) for side, other in ((left, right), (right, left)))
        yield of(m), of(set(left) & set(right) - set(result)), of(n), of(set(left) & set(right) & set(result))


if __name__ == "__main__":
    packed, table = golden / "onnx_transformers.gz", golden / "onnx_transformers.csv"
    with gzip.GzipFile(packed, "wb", 9, mtime=0) as pack, open(table, "w") as out:
        out.write(f"# By onnx {onnx.__version__}: tests/oracle/onnx_transformers.py\n")
        out.write("model,node,op,m,k,n,count\n")
        for build in MODELS:
            model, name = build(), build.__name__
            onnx.checker.check_model(model)
            whole, found = model.SerializeToString(), shapes(model)
            pack.write(struct.pack("<I", len(name)) + name.encode() + struct.pack("<I", len(whole)) + whole)
            for index, node in enumerate(model.graph.node):
                for sizes in products(node, found):
                    out.write(f"{name},{index},{node.op_type},{','.join(map(str, sizes))}\n")
