"""Writes tests/golden/ml_dtypes_casts.csv: f32 bits and the code each gets in the 8-bit floats.

Needs Python with numpy and ml_dtypes; the golden file is committed, so only a change of the cases needs this.
"""

import sys

import ml_dtypes
import numpy as np

FORMATS = [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float8_e4m3b11fnuz, ml_dtypes.float8_e4m3fnuz,
           ml_dtypes.float8_e5m2fnuz]

rng = np.random.default_rng(7)
bits = [np.arange(0, 2**32, 1 << 20, dtype=np.uint64)]
# Around every number of every format and around every middle between two of them: ties and their neighbors.
for kind in FORMATS:
    values = np.arange(256, dtype=np.uint8).view(kind).astype(np.float32)
    values = np.unique(values[np.isfinite(values)])
    points = np.concatenate([values, (values[:-1] + values[1:]) / 2]).astype(np.float32).view(np.uint32)
    for step in (-1, 0, 1):
        bits.append((points.astype(np.int64) + step) % 2**32)
bits.append(rng.integers(0x30000000, 0x48000000, 9000))
bits.append(rng.integers(0, 2**32, 9000))
bits = np.unique(np.concatenate([np.asarray(b, dtype=np.uint64) for b in bits])).astype(np.uint32)

numbers = bits.view(np.float32)
with np.errstate(all="ignore"):
    codes = [numbers.astype(kind).view(np.uint8) for kind in FORMATS]
with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write(f"# By ml_dtypes {ml_dtypes.__version__}, numpy {np.__version__}: tests/oracle/ml_dtypes_casts.py\n")
    out.write("f32,e4m3fn,e5m2,e4m3b11fnuz,e4m3fnuz,e5m2fnuz\n")
    for row in zip(bits, *codes):
        out.write("{:08x},{:02x},{:02x},{:02x},{:02x},{:02x}\n".format(*row))
