"""Writes tests/golden/ml_dtypes_gemms.csv: small products in the array's stated order of accumulation.

k ascends from zero within a fold of R, fold results are added in fold order; output-stationary runs over all of K.
Needs Python with numpy and ml_dtypes; the golden file is committed, so only a change of the cases needs this.
"""

import sys

import ml_dtypes
import numpy as np

from order import product

KINDS = {
    "f32": np.float32,
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "e4m3fn": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e4m3b11fnuz": ml_dtypes.float8_e4m3b11fnuz,
    "int8": np.int8,
    "int4": ml_dtypes.int4,
}


def text(x):
    return str(int(x)) if isinstance(x, np.integer) else float(x).hex()


rng = np.random.default_rng(11)
with open(sys.argv[1], "w", encoding="ascii") as out, np.errstate(all="ignore"):
    out.write(f"# By ml_dtypes {ml_dtypes.__version__}, numpy {np.__version__}: tests/oracle/gemms.py\n")
    out.write("dtype,acc,dataflow,R,C,M,K,N,a,b,c\n")
    for name, kind in KINDS.items():
        accs = ["int32"] if name.startswith("int") else ["f32", "bf16", "f16"]
        for acc in accs:
            for dataflow in ["ws", "os", "is"]:
                for case in range(4):
                    rows, cols = rng.integers(1, 7, 2)
                    m, k, n = rng.integers(1, 12, 3)
                    if acc == "int32":
                        lo, hi = (-128, 128) if name == "int8" else (-8, 8)
                        a, b = (rng.integers(lo, hi, s).astype(np.int32) for s in [(m, k), (k, n)])
                    else:
                        # From tiny to beyond the largest number of the narrow formats; NaN and infinity arise.
                        scale = [1.0, 2.0**-9, 30.0, 1.0][case]
                        a, b = ((rng.standard_normal(s) * scale).astype(np.float32).astype(kind).astype(np.float32)
                                for s in [(m, k), (k, n)])
                    c = product(a, b, acc, k if dataflow == "os" else int(rows))
                    fields = [name, acc, dataflow, rows, cols, m, k, n]
                    fields += [" ".join(text(x) for x in x.flat) for x in (a, b, c)]
                    out.write(",".join(map(str, fields)) + "\n")
