"""Writes tests/golden/stablehlo and stablehlo_flops.csv: programs as jax prints them, and the FLOPs of their products.

FLOPs are counted in the jaxpr, before there is any StableHLO: every dot_general and convolution, times the lengths of
the scans around it. Needs Python with jax; the golden files are committed, so only a change of the programs needs this.
"""

import math
import os
import sys
from pathlib import Path

# The sharded programs need several devices, which only exist if XLA is told before it starts.
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402


def shape(*dims, dtype=jnp.float32):
    return jax.ShapeDtypeStruct(dims, dtype)


def mlp(x, w1, w2):
    return jax.nn.gelu(x @ w1) @ w2


def attention(q, k, v):
    scores = jnp.einsum("bihd,bjhd->bhij", q, k)
    return jnp.einsum("bhij,bjhd->bihd", jax.nn.softmax(scores), v)


def layers(x, weights):
    def layer(x, w):
        return x + jnp.tanh(mlp(x, *w)), None

    return lax.scan(layer, x, weights)[0]


def training(x, weights):
    return jax.grad(lambda weights: layers(x, weights).sum())(weights)


def rematerialized(x, weights):
    step = jax.checkpoint(lambda x, w: jnp.tanh(mlp(x, *w)))
    return jax.grad(lambda weights: lax.scan(lambda x, w: (step(x, w), None), x, weights)[0].sum())(weights)


def nested(x, w):
    inner = lambda x: lax.fori_loop(2, 7, lambda _, x: x @ w, x)  # noqa: E731
    return lax.scan(lambda x, _: (inner(x) @ w, None), x, None, length=3)[0] @ w


def convolution(x, w1, w2):
    numbers = ("NHWC", "HWIO", "NHWC")
    x = lax.conv_general_dilated(x, w1, (2, 2), "SAME", dimension_numbers=numbers)
    return lax.conv_general_dilated(x, w2, (1, 2), "VALID", dimension_numbers=numbers, feature_group_count=5)


def convolution_1d(x, w):
    return lax.conv_general_dilated(x, w, (1,), [(2, 1)], dimension_numbers=("NCH", "OIH", "NCH"), rhs_dilation=(3,))


STACK = (shape(12, 16, 64), shape(12, 64, 16))
PROGRAMS = {
    "mlp": (mlp, [shape(8, 16), shape(16, 64), shape(64, 24)]),
    "vector": (lambda x, w: x @ w, [shape(16), shape(16, 24)]),
    "attention": (attention, [shape(2, 16, 4, 8, dtype=jnp.bfloat16)] * 3),
    "layers": (layers, [shape(8, 16), STACK]),
    "training": (training, [shape(8, 16), STACK]),
    "rematerialized": (rematerialized, [shape(8, 16), STACK]),
    "nested": (nested, [shape(8, 16), shape(16, 16)]),
    "convolution": (convolution, [shape(2, 15, 16, 3), shape(3, 5, 3, 10), shape(3, 3, 2, 20)]),
    "convolution_1d": (convolution_1d, [shape(2, 6, 50), shape(7, 6, 4)]),
}


def flops(jaxpr):
    total = 0
    for eqn in jaxpr.eqns:
        avals = [getattr(var, "aval", None) for var in eqn.invars]
        if eqn.primitive.name == "dot_general":
            (contracted, _), _ = eqn.params["dimension_numbers"]
            total += 2 * eqn.outvars[0].aval.size * math.prod(avals[0].shape[axis] for axis in contracted)
        elif eqn.primitive.name == "conv_general_dilated":
            features = avals[1].shape[eqn.params["dimension_numbers"].rhs_spec[0]]
            total += 2 * eqn.outvars[0].aval.size * avals[1].size // features
        else:
            times = eqn.params.get("length", 1) if eqn.primitive.name == "scan" else 1
            assert eqn.primitive.name != "while", "a while has no length in a jaxpr"
            for value in eqn.params.values():
                for inner in value if isinstance(value, (tuple, list)) else [value]:
                    if hasattr(inner, "jaxpr"):
                        inner = inner.jaxpr
                    if hasattr(inner, "eqns"):
                        total += times * flops(inner)
    return total


def sharded():
    """The same product on eight devices: by hand (`shard_map`), and by the compiler."""
    mesh = Mesh(np.array(jax.devices()), ("x",))
    rows, whole = PartitionSpec("x", None), PartitionSpec(None, None)
    by_hand = jax.shard_map(lambda x, w: x @ w, mesh=mesh, in_specs=(rows, whole), out_specs=rows)
    shardings = (NamedSharding(mesh, rows), NamedSharding(mesh, whole))
    arguments = [shape(64, 16), shape(16, 24)]
    yield "shard_map", jax.jit(by_hand).lower(*arguments)
    yield "pjit", jax.jit(lambda x, w: x @ w, in_shardings=shardings).lower(*arguments)


def write(name, lowered):
    module = lowered.compiler_ir("stablehlo")
    (golden / "stablehlo" / f"{name}.mlir").write_text(str(module))
    (golden / "stablehlo" / f"{name}.generic.mlir").write_text(module.operation.get_asm(print_generic_op_form=True))


golden = Path(sys.argv[1])
with open(golden / "stablehlo_flops.csv", "w", encoding="ascii") as out:
    out.write(f"# By jax {jax.__version__}: tests/oracle/stablehlo_products.py\n")
    out.write("program,flops\n")
    for name, (program, arguments) in PROGRAMS.items():
        out.write(f"{name},{flops(jax.make_jaxpr(program)(*arguments).jaxpr)}\n")
        write(name, jax.jit(program).lower(*arguments))
for name, lowered in sharded():
    write(name, lowered)
