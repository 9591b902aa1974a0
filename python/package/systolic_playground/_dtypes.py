"""Names of number formats: in the array, in NumPy and in ml_dtypes."""

from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike

Dataflow = Literal["ws", "os", "is"]
Dtype = Literal["f32", "bf16", "f16", "e4m3fn", "e5m2", "e4m3b11fnuz", "int8", "int4"]
Theme = Literal["light", "dark", "projector"]

# NumPy's and ml_dtypes' names; other names are the array's own.
_NAMES = {
    "float32": "f32",
    "bfloat16": "bf16",
    "float16": "f16",
    "float8_e4m3fn": "e4m3fn",
    "float8_e5m2": "e5m2",
    "float8_e4m3b11fnuz": "e4m3b11fnuz",
}


def name_of(dtype: DTypeLike) -> str:
    """Returns the name of a format in the array."""
    if not isinstance(dtype, str):
        dtype = np.dtype(dtype).name
    return _NAMES.get(dtype, dtype)


def sums(accumulator: str) -> np.dtype[Any]:
    """Returns the NumPy format of a sum."""
    if accumulator == "bf16":
        try:
            import ml_dtypes
        except ImportError as error:
            raise ImportError("acc = bf16: the results need ml_dtypes.bfloat16. Install ml_dtypes.") from error
        found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return found
    return np.dtype({"f32": np.float32, "int32": np.int32, "f16": np.float16}[accumulator])
