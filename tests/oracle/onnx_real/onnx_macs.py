"""MACs of one kernel call of ONNX Runtime, from the shapes of its inputs and outputs, for onnx_real.py.

Shapes are dictionaries from the place of an input or output to its sizes, because optional inputs can be absent.
"""

import math

# Operators with products that an ordinary list of products does not have.
UNLISTED = {
    "DeformConv",
    "QAttention",
    "DynamicQuantizeLSTM",
    "QGemm",
    "FusedGemm",
    "DynamicQuantizeMatMul",
    "MatMulIntegerToFloat",
}
PRODUCTS = UNLISTED | {
    "Conv",
    "ConvInteger",
    "QLinearConv",
    "FusedConv",
    "ConvTranspose",
    "MatMul",
    "MatMulInteger",
    "QLinearMatMul",
    "MatMulNBits",
    "FusedMatMul",
    "Gemm",
    "Einsum",
    "LSTM",
    "GRU",
    "RNN",
    "Attention",
    "MultiHeadAttention",
    "GroupQueryAttention",
}


def kernel_macs(op, ins, outs, attributes):
    """MACs of one kernel call, from its shapes at run time. None means that the operator has no products."""
    size = math.prod
    out = outs[0] if outs else None
    if op in ("Conv", "ConvInteger", "FusedConv", "DeformConv"):
        return size(out) * size(ins[1][1:])
    if op == "QLinearConv":
        return size(out) * size(ins[3][1:])
    if op == "ConvTranspose":  # The weights have the shape input channels, output channels per group, kernel.
        return size(ins[0]) * size(ins[1][1:])
    if op in (
        "MatMul",
        "MatMulInteger",
        "DynamicQuantizeMatMul",
        "MatMulIntegerToFloat",
        "MatMulNBits",
        "QLinearMatMul",
    ):
        return size(out) * ins[0][-1]
    if op == "FusedMatMul":
        return size(out) * ins[0][-2 if attributes.get("transA") else -1]
    if op in ("Gemm", "FusedGemm", "QGemm"):
        return size(ins[0]) * out[-1]
    if op == "Einsum":
        left = attributes["equation"].replace(" ", "").split("->")[0].split(",")
        if len(left) == 1:
            return None
        sizes = {}
        for letters, shape in zip(left, ins.values()):  # An ellipsis stands for leading sizes, counted from the right.
            head, dots, tail = letters.partition("...")
            names = [*head, *[f"~{k}" for k in range(len(shape) - len(head + tail), 0, -1)], *tail] if dots else letters
            for name, value in zip(names, shape):
                sizes[name] = max(value, sizes.get(name, 1))
        return size(sizes.values())
    if op in ("LSTM", "GRU", "RNN", "DynamicQuantizeLSTM"):
        return ins[0][0] * ins[0][1] * (size(ins[1]) + size(ins[2]))
    return attention_macs(op, ins, outs, attributes) if "Attention" in op and op in PRODUCTS else None


def attention_macs(op, ins, outs, attributes):
    """Scores and weighted values in full, and the projection of com.microsoft.Attention."""
    size, out = math.prod, outs[0]
    if op in ("Attention", "QAttention") and attributes["domain"] == "com.microsoft":
        batch, rows, width = ins[0]
        past = ins.get(8 if op == "QAttention" else 4, [0] * 5)[3]
        sizes = attributes.get("qkv_hidden_sizes") or [ins[1][1] // 3] * 3
        return batch * rows * (width * ins[1][1] + (rows + past) * (sizes[1] + sizes[2]))
    batch, rows = out[0], out[-2]
    heads = attributes.get("num_heads") or attributes.get("q_num_heads") or ins[0][1]
    value_width = size(out) // (batch * rows * heads)  # The output has the width of the values, in all forms.
    if op == "GroupQueryAttention":
        keys, width = outs[1][2:4]
    else:
        key = ins.get(1, ins[0])
        keys = key[2] if len(key) == 4 else key[1]
        keys += ins.get(6 if op == "MultiHeadAttention" else 4, [0] * 3)[2]
        width = value_width if len(ins[0]) == 5 else ins[0][-1] if len(ins[0]) == 4 else ins[0][-1] // heads
    return batch * heads * rows * keys * (width + value_width)
