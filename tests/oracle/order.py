"""Products in the array's stated order of accumulation, for the scripts that write golden files."""

import ml_dtypes
import numpy as np

ROUND = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "f16": np.float16}


def product(a, b, acc, block):
    """a, b: float32 or int32 arrays that hold the operands exactly."""
    (m, k), n = a.shape, b.shape[1]
    if acc == "int32":
        return (a.astype(np.int64) @ b.astype(np.int64)).astype(np.int32)
    keep = lambda x: np.float32(x).astype(ROUND[acc]).astype(np.float32)
    c = np.empty((m, n), np.float32)
    for i in range(m):
        for j in range(n):
            total = None
            for start in range(0, k, block):
                part = np.float32(0)
                for kk in range(start, min(start + block, k)):
                    part = keep(np.float32(part + np.float32(a[i, kk] * b[kk, j])))
                total = part if total is None else keep(np.float32(total + part))
            c[i, j] = total
    return c
