"""Values as arrays of NumPy."""

from collections.abc import Sequence
from typing import Any

import numpy as np

# NumPy's and ml_dtypes' names; other names are the array's own.
_NAMES = {
    "float32": "f32",
    "bfloat16": "bf16",
    "float16": "f16",
    "float8_e4m3fn": "e4m3fn",
    "float8_e5m2": "e5m2",
    "float8_e4m3b11fnuz": "e4m3b11fnuz",
}

# Formats that the compiled part reads as they are. A wide copy of a narrow matrix would need up to eight
# times the memory.
_NARROW = ("|i1", "|u1", "<f4", "<f8")


def name_of(dtype: Any) -> str:
    """Returns the name of a number format in the array."""
    name: str = dtype if isinstance(dtype, str) else np.dtype(dtype).name
    return _NAMES.get(name, name)


def format_of(accumulator: str) -> np.dtype[Any]:
    """Returns the format of the results of an accumulator."""
    if accumulator == "bf16":
        try:
            import ml_dtypes
        except ImportError as error:
            raise ImportError("acc or results = bf16: the results need ml_dtypes.bfloat16. Install ml_dtypes.") from error
        found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return found
    return np.dtype({"f32": np.float32, "int32": np.int32, "f16": np.float16}[accumulator])


def _wide(dtype: np.dtype[Any]) -> type[Any]:
    return np.int32 if dtype == np.int32 else np.float32


def grid(data: bytes, dtype: np.dtype[Any], shape: tuple[int, int]) -> np.ndarray:
    """Returns results by row and column. The compiled part passes four bytes for each number."""
    return np.frombuffer(data, _wide(dtype)).reshape(shape).astype(dtype)


def masked(data: bytes, empty: bytes, dtype: np.dtype[Any], shape: tuple[int, int]) -> np.ma.MaskedArray:
    """Returns the values of a register by row and column. Empty registers are masked."""
    plane = np.frombuffer(data, _wide(dtype)).reshape(shape).copy()
    return np.ma.MaskedArray(plane, np.frombuffer(empty, bool).reshape(shape).copy())


def wholes(data: bytes | bytearray) -> np.ndarray:
    """Returns a column of 64-bit whole numbers."""
    return np.frombuffer(data, np.int64)


def floats(data: bytes | bytearray) -> np.ndarray:
    """Returns a column of doubles."""
    return np.frombuffer(data, np.float64)


def named(names: Sequence[str], codes: np.ndarray) -> np.ndarray:
    """Returns the name for each code."""
    found: np.ndarray = np.array(names)[codes]
    return found


def matrix(name: str, given: Any, elements_max: int) -> np.ndarray:
    """Returns a copy of a matrix, because a run stays as it is if its caller changes the matrix later."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise ValueError(f"{name} has masked elements: fill them, for example with {name}.filled(0).")
    try:
        found = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{name} has rows of different lengths: give every row the same number of elements.") from error
    if found.ndim != 2:
        raise ValueError(f"{name} has shape {found.shape}: use a matrix with rows and columns.")
    if found.size > elements_max:
        raise ValueError(f"{name} has {found.size} elements: use at most {elements_max}.")
    try:
        if found.dtype.kind not in "biufV" or found.dtype.names:
            raise TypeError
        if found.dtype.kind == "b":
            found = found.view(np.uint8)
        return np.array(found, found.dtype if found.dtype.str in _NARROW else np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} has elements of {found.dtype}: use real numbers.") from error


def listed(one: np.ndarray) -> tuple[bytes, str, tuple[int, int]]:
    """Returns the elements of a matrix as bytes, their format as NumPy writes it, and the shape."""
    return one.tobytes(), one.dtype.str, (one.shape[0], one.shape[1])


def column(given: Any) -> np.ndarray:
    """Returns a column of a table."""
    return np.asarray(given)


def length(one: np.ndarray) -> int:
    """Returns the number of values of a column, or -1 if the values are not one per row."""
    return len(one) if one.ndim == 1 else -1


def texts(one: np.ndarray) -> list[Any]:
    """Returns the values of a column."""
    return list(one.tolist())


def whole_bytes(one: np.ndarray) -> tuple[bytes, int | None]:
    """Returns a column as 64-bit whole numbers, and the index of the first value that is not a whole number."""
    if one.dtype.kind == "u":
        # The compiled part refuses the largest number of int64 and any larger number in the same way.
        one = np.minimum(one, np.uint64(2**63 - 1)).astype(np.int64)
    elif one.dtype.kind != "i":
        doubles = _doubles(one)
        wrong = ~((doubles == np.trunc(doubles)) & (np.abs(doubles) < 2**62))
        if wrong.any():
            return b"", int(wrong.argmax())
        one = doubles.astype(np.int64)
    return one.astype(np.int64, copy=False).tobytes(), None


def _doubles(one: np.ndarray) -> np.ndarray:
    """Returns a column as doubles. A value that is not a number becomes NaN."""
    try:
        return one.astype(np.float64)
    except (TypeError, ValueError, OverflowError):

        def number(value: object) -> float:
            try:
                return float(value)  # type: ignore[arg-type]
            except (TypeError, ValueError, OverflowError):
                return np.nan

        return np.array([number(value) for value in one])
