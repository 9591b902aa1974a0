"""Values as lists of Python's numbers, for a Python without NumPy. This module has the functions of ``_numpy``.

A matrix is a list of rows, or a buffer with two dimensions, for example ``memoryview(data).cast("b", (6, 4))``.
"""

import math
from array import array
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any, NamedTuple

# NumPy's names of the formats of a buffer that the compiled part reads as they are.
_NARROW = {"b": "|i1", "B": "|u1", "f": "<f4", "d": "<f8"}


class Listed(NamedTuple):
    """The elements of a matrix as bytes, their format as NumPy writes it, and the shape."""

    data: bytes
    format: str
    shape: tuple[int, int]


def name_of(dtype: Any) -> str:
    """Returns the name of a number format in the array."""
    if not isinstance(dtype, str):
        raise ValueError(f"dtype = {dtype}: without NumPy, use a name, for example 'f32' or 'int8'.")
    return dtype


def format_of(accumulator: str) -> str:
    """Returns the format of the results of an accumulator."""
    return "i" if accumulator == "int32" else "f"


def grid(data: bytes, kind: str, shape: tuple[int, int]) -> list[list[Any]]:
    """Returns results by row and column. The compiled part passes four bytes for each number."""
    return _rows(array(kind, bytes(data)).tolist(), shape)


def _rows(numbers: Any, shape: tuple[int, int]) -> list[Any]:
    return [numbers[row * shape[1] : (row + 1) * shape[1]] for row in range(shape[0])]


def masked(data: bytes, empty: bytes, kind: str, shape: tuple[int, int]) -> list[list[Any]]:
    """Returns the values of a register by row and column. An empty register is ``None``."""
    pairs = zip(grid(data, kind, shape), _rows(empty, shape))
    return [[None if mark else value for value, mark in zip(values, marks)] for values, marks in pairs]


def wholes(data: bytes | bytearray) -> list[int]:
    """Returns a column of 64-bit whole numbers."""
    return array("q", bytes(data)).tolist()


def floats(data: bytes | bytearray) -> list[float]:
    """Returns a column of doubles."""
    return array("d", bytes(data)).tolist()


def named(names: Sequence[str], codes: Iterable[int]) -> list[str]:
    """Returns the name for each code."""
    return [names[code] for code in codes]


def matrix(name: str, given: Any, elements_max: int) -> Listed:
    """Returns a copy of a matrix: its elements as bytes, their format as NumPy writes it, and the shape."""
    if isinstance(given, Listed):
        return given
    try:
        view = memoryview(given)
    except TypeError:
        return _of_rows(name, given, elements_max)
    if view.ndim != 2 or view.shape is None:
        raise ValueError(f"{name} has shape {view.shape}: use a matrix with rows and columns.")
    rows, cols = view.shape
    if rows * cols > elements_max:
        raise ValueError(f"{name} has {rows * cols} elements: use at most {elements_max}.")
    if view.format in _NARROW:
        return Listed(view.tobytes(), _NARROW[view.format], (rows, cols))
    try:
        return _of_rows(name, view.tolist(), elements_max)
    except NotImplementedError as error:
        raise ValueError(f"{name} has elements of {view.format}: use real numbers.") from error


def _of_rows(name: str, given: Any, elements_max: int) -> Listed:
    is_nested = isinstance(given, Iterable) and not isinstance(given, (str, bytes))
    rows = list(given) if is_nested else []
    if not rows or not all(isinstance(row, Iterable) and not isinstance(row, str) for row in rows):
        raise ValueError(f"{name} is not a matrix: use a list of rows, for example [[1, 2], [3, 4]].")
    rows = [list(row) for row in rows]
    cols = len(rows[0])
    numbers = [value for row in rows for value in row]
    if any(len(row) != cols for row in rows):
        raise ValueError(f"{name} has rows of different lengths: give every row the same number of elements.")
    if len(numbers) > elements_max:
        raise ValueError(f"{name} has {len(numbers)} elements: use at most {elements_max}.")
    if wrong := sorted({type(value).__name__ for value in numbers if not isinstance(value, Real)}):
        raise ValueError(f"{name} has elements of {wrong[0]}: use real numbers.")
    try:
        return Listed(array("d", numbers).tobytes(), "<f8", (len(rows), cols))
    except OverflowError as error:
        raise ValueError(f"{name} has a number beyond 1.8e308: use smaller numbers.") from error


def listed(one: Listed) -> Listed:
    """Returns the elements of a matrix as bytes, their format as NumPy writes it, and the shape."""
    return one


def column(given: Any) -> list[Any]:
    """Returns a column of a table."""
    return given.tolist() if hasattr(given, "tolist") else list(given)


def length(one: Sequence[Any]) -> int:
    """Returns the number of values of a column."""
    return len(one)


def texts(one: list[Any]) -> list[Any]:
    """Returns the values of a column."""
    return one


def whole_bytes(one: Sequence[Any]) -> tuple[bytes, int | None]:
    """Returns a column as 64-bit whole numbers, and the index of the first value that is not a whole number."""
    numbers = array("q")
    for index, value in enumerate(one):
        try:
            number = value if isinstance(value, int) else float(value)
        except (TypeError, ValueError, OverflowError):
            return b"", index
        if isinstance(number, float) and not (math.isfinite(number) and number == int(number) and abs(number) < 2**62):
            return b"", index
        # The compiled part refuses the largest number of int64 and any larger number in the same way.
        numbers.append(max(-(2**63), min(int(number), 2**63 - 1)))
    return numbers.tobytes(), None
