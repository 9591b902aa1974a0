"""The compiled part in Pyodide: a WebAssembly module, which this module calls through JavaScript.

This module has the names that ``_native.pyi`` lists. The pure wheel contains this file, ``core.js`` and ``core.wasm``.
"""

from functools import cached_property
from importlib.resources import files
from typing import Any

try:
    from pyodide.code import run_js
    from pyodide.ffi import JsException, to_js
except ImportError as error:
    raise ImportError("This wheel works only in Pyodide, Python in a browser: install the wheel of your platform.") from error

# The script ends with the name of its functions.
_core: Any = run_js((files(__package__) / "core.js").read_text(encoding="utf-8") + "\nwasm_bindgen")
_core.initSync(to_js({"module": (files(__package__) / "core.wasm").read_bytes()}, dict_converter=run_js("Object.fromEntries")))


def _call(function: Any, *given: Any) -> Any:
    """Calls a function of the core. Input that the core refuses raises ``ValueError``, as in the compiled part."""
    try:
        return function(*(given_one if isinstance(given_one, (str, int)) else to_js(given_one) for given_one in given))
    except JsException as error:
        raise ValueError(error.message) from None


def _flat(pairs: Any) -> list[str]:
    return [text for pair in pairs for text in pair]


def _columns(found: Any) -> list[bytes]:
    return [found.column(index).to_bytes() for index in range(found.length())]


class Array:
    def __init__(self, settings: dict[str, str]) -> None:
        self._core = _call(_core.CoreArray.new, _flat(settings.items()))
        self.accumulator = self._core.accumulator()
        self.results = self._core.results()

    def run(self, a: Any, b: Any, c: Any = None) -> "Run":
        # A matrix without a format is no matrix.
        given = [part for data, kind, shape in (a, b, c or (b"", "", (0, 0))) for part in (data, kind, *shape)]
        return Run(_call(self._core.run, *given))


class Run:
    def __init__(self, core: Any) -> None:
        self._core = core
        m, n, rows, cols, self.cycles, self.folds = map(int, core.sizes())
        self.shape, self.sides = (m, n), (rows, cols)
        self.utilization, self.mapping_efficiency = core.shares()
        self.product = lambda: core.product().to_bytes()

    @cached_property
    def _counts(self) -> list[tuple[str, int]]:
        return list(zip(self._core.names(), map(int, self._core.counts())))

    @property
    def pe_cycles(self) -> list[tuple[str, int]]:
        return self._counts[:-3]

    @property
    def elements(self) -> list[tuple[str, int]]:
        return self._counts[-3:]

    def cost(self, *given: str) -> list[float]:
        return list(map(float, _call(self._core.cost, *given)))

    def occupancy(self, cycle: str) -> float:
        return float(_call(self._core.occupancy, cycle))

    def state(self, cycle: str) -> list[tuple[str, bytes, bytes]]:
        found = _call(self._core.state, cycle)
        planes = _columns(found)
        return list(zip(found.names(), planes[::2], planes[1::2]))

    def trace(self, first: str, last: str) -> list[bytes]:
        return _columns(_call(self._core.trace, first, last))

    def link(self, cycle: str) -> tuple[str, str]:
        query, fragment = _call(self._core.link, cycle)
        return query, fragment

    def svg(self, *given: str) -> str:
        return str(_call(self._core.svg, *given))


def element() -> str:
    return str(_core.element())


def code(column: str, index: int, name: str) -> int:
    return int(_call(_core.code, column, index, name))


def count(*given: Any) -> list[bytes]:
    *columns, settings = given
    return _columns(_call(_core.count, *columns, _flat(settings.items())))


def time(m: bytes, n: bytes, k: bytes, settings: list[tuple[str, str]], per: str) -> tuple[list[bytes], list[str], str]:
    timed = _columns(_call(_core.time, m, n, k, _flat(settings), per))
    return timed, list(_core.limits()), str(_call(_core.runs_as, _flat(settings)))


def model(entries: list[tuple[str, str]], path: str | None = None, config: bytes | None = None) -> tuple[str, list[str]]:
    if path is not None:
        try:
            with open(path, "rb") as file:
                config = file.read()
        except OSError as error:
            raise ValueError(f"config = {path}: cannot read the file ({error.strerror}).") from error
    report, *sentences = _call(_core.model, _flat(entries), config)
    return report, sentences
