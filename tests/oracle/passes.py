"""Writes tests/golden/ml_dtypes_passes.csv: f32 products as 1, 3 and 6 bf16 products, small terms added first.

Each operand is split by ml_dtypes into three bf16 numbers; each pass is a bf16 product in the array's stated order of
accumulation (see gemms.py), and the passes' results are added in f32. Needs Python with numpy and ml_dtypes.
"""

import sys

import ml_dtypes
import numpy as np

from order import product

PASSES = {
    1: [(0, 0)],
    3: [(1, 0), (0, 1), (0, 0)],
    6: [(2, 0), (0, 2), (1, 1), (1, 0), (0, 1), (0, 0)],
}


def split(x):
    parts = []
    rest = x.astype(np.float32)
    for _ in range(3):
        part = rest.astype(ml_dtypes.bfloat16).astype(np.float32)
        parts.append(part)
        rest = (rest - part).astype(np.float32)
    return parts


rng = np.random.default_rng(12)
with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write(f"# By ml_dtypes {ml_dtypes.__version__}, numpy {np.__version__}: tests/oracle/passes.py\n")
    out.write("passes,dataflow,R,C,M,K,N,a,b,c\n")
    for passes, pairs in PASSES.items():
        for dataflow in ["ws", "os", "is"]:
            for case in range(4):
                rows, cols = rng.integers(1, 7, 2)
                m, k, n = rng.integers(1, 10, 3)
                scale = [1.0, 1e-6, 1e8, 1.0][case]
                a, b = ((rng.standard_normal(s) * scale).astype(np.float32) for s in [(m, k), (k, n)])
                block = k if dataflow == "os" else int(rows)
                parts_a, parts_b = split(a), split(b)
                c = None
                for i, j in pairs:
                    one = product(parts_a[i], parts_b[j], "f32", block)
                    c = one if c is None else (c + one).astype(np.float32)
                fields = [passes, dataflow, rows, cols, m, k, n]
                fields += [" ".join(float(x).hex() for x in x.flat) for x in (a, b, c)]
                out.write(",".join(map(str, fields)) + "\n")
