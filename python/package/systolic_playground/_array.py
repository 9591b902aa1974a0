"""Systolic arrays and their runs."""

from __future__ import annotations

from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING, Any

from . import _native
from ._dtypes import Dataflow, Dtype, Theme
from ._settings import settings_of
from ._tables import Table
from ._values import values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike

_OPERANDS = ("A", "B", "O")
# The compiled part keeps at most four bytes of an element.
_ELEMENTS_MAX = 1 << 28
_EDGES = ("west", "north", "south")


class Array:
    """A systolic array of ``rows`` × ``cols`` PEs.

    ``dataflow`` is ``"ws"``, ``"os"`` or ``"is"``: the operand that stays in the PEs. ``dtype`` is the number format of
    the operands: ``"f32"``, ``"bf16"``, ``"f16"``, ``"tf32"``, ``"e4m3fn"``, ``"e5m2"``, ``"e4m3b11fnuz"``, ``"int8"``,
    ``"int4"``, or the dtype of NumPy or ml_dtypes for one of these formats. ``acc`` is the number format of the sums: ``"f32"``,
    ``"bf16"`` or ``"f16"`` for floats, ``"int32"`` for integers. With ``saturate``, an operand beyond the largest
    number of the format becomes the largest number. With ``flush``, subnormal operands and sums become zero.

    ``adder`` is the way in which the PEs add products: ``"f32"`` adds one product at a time; ``"tpu"``, ``"v100"``,
    ``"a100"``, ``"h100"`` and ``"b200"`` add blocks of products as these chips do. ``results`` is the number format of
    C: ``"sum"`` for the format of the sums, or ``"bf16"`` or ``"f16"``. Integer results stay as they are.

    ``pad`` is ``"ragged"``, ``"zero"``, or for example ``"m128"``, which pads M to a multiple of 128. The other
    settings describe how the array is built and supplied with data: ``overlap`` (``"none"``, ``"double-buffered"``),
    ``load`` (WS and IS: ``"rows"``, ``"diagonal"``), ``drain`` (OS: ``"in-place"``, ``"south"``), ``order`` of folds
    (``"rows"``, ``"cols"``), ``ktiles`` (WS and IS: the order in which the tiles of k are added: ``"up"``, ``"down"``,
    ``"second-half-first"``, or a list such as ``"2,3,0,1"``), ``product_register`` and ``two_registers_south``.
    ``west``, ``north`` and ``south`` are the bandwidths of the edges: ``64`` is 64 elements per cycle, and ``"340/7"``
    is 340 elements in 7 cycles. By default, the array works like the array of SCALE-Sim.

    A setting that is not allowed raises ``ValueError``. The message says which values are allowed.
    """

    def __init__(
        self,
        rows: int,
        cols: int,
        dataflow: Dataflow = "ws",
        dtype: Dtype | DTypeLike = "int8",
        *,
        acc: str | None = None,
        saturate: bool = False,
        flush: bool = False,
        pad: str = "ragged",
        overlap: str = "none",
        load: str | None = None,
        drain: str | None = None,
        order: str = "rows",
        ktiles: str = "up",
        adder: str = "f32",
        results: str = "sum",
        product_register: bool = False,
        two_registers_south: bool = False,
        west: int | str | None = None,
        north: int | str | None = None,
        south: int | str | None = None,
    ) -> None:
        self._settings = settings_of(
            rows=rows,
            cols=cols,
            dataflow=dataflow,
            dtype=values.name_of(dtype),
            acc=acc,
            saturate=saturate,
            flush=flush,
            pad=pad,
            overlap=overlap,
            load=load,
            drain=drain,
            order=order,
            ktiles=ktiles,
            adder=adder,
            results=results,
            product_register=product_register,
            two_registers_south=two_registers_south,
            west=west,
            north=north,
            south=south,
        )
        self._native = _native.Array(self._settings)
        # Fails at once if a package for the format of the results is missing.
        values.format_of(self._native.accumulator)
        values.format_of(self._native.results)

    def __repr__(self) -> str:
        rows, cols, dataflow, dtype = (self._settings[name] for name in ("rows", "cols", "dataflow", "dtype"))
        options = signature(Array).parameters.values()
        given = [(option.name, self._settings.get(option.name), option.default) for option in options if option.kind == option.KEYWORD_ONLY]
        more = "".join(f", {name}={_written(value)}" for name, value, usual in given if value not in (None, str(usual)))
        return f"Array({rows}, {cols}, {dataflow!r}, {dtype!r}{more})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Settings say it all, so an array can go to another process.
        return _again, (self._settings,)

    def run(self, A: ArrayLike, B: ArrayLike, c: ArrayLike | None = None) -> Run:
        """Runs the matmul of A (M×K) and B (K×N) on this array.

        The input ports of the array round floats to its number format. An integer format accepts only whole numbers
        within its range. The sums start from ``c`` (M×N), which has the number format of the sums, or from zeros.
        """
        a, b = (values.matrix(name, given, _ELEMENTS_MAX) for name, given in (("A", A), ("B", B)))
        start = None if c is None else values.matrix("c", c, _ELEMENTS_MAX)
        listed = None if start is None else values.listed(start)
        return Run(self._native.run(values.listed(a), values.listed(b), listed), (self, a, b, start))


class Run:
    """A matmul on an array, as :meth:`Array.run` returns it."""

    def __init__(self, native: _native.Run, inputs: tuple[Array, Any, Any, Any]) -> None:
        self._native = native
        self._inputs = inputs
        self._format = values.format_of(inputs[0]._native.accumulator)
        self._results = values.format_of(inputs[0]._native.results)
        self._shape = native.shape

    def __repr__(self) -> str:
        return f"<Run: {self._shape[0]}×{self._shape[1]} results, {self.cycles} cycles>"

    def __reduce__(self) -> tuple[Any, ...]:
        # A run follows from its array and its matrices, so another process computes the same run again.
        array, *matrices = self._inputs
        return array.run, tuple(matrices)

    def _repr_html_(self) -> str | None:
        try:
            return self.svg()
        except ValueError:
            # The page cannot draw this run. The notebook then shows the text.
            return None

    def svg(self, cycle: int | None = None, *, width: int = 900, height: int = 700, theme: Theme = "light") -> str:
        """Returns a drawing of the array just after a clock edge, as an SVG document.

        Without ``cycle``, the drawing shows the middle of the run. ``width`` and ``height`` are CSS pixels from 40 to
        8000, and ``theme`` is ``"light"``, ``"dark"`` or ``"projector"``. The page draws arrays up to 1024 × 1024.
        """
        cycle = self.cycles // 2 if cycle is None else cycle
        return self._native.svg(str(cycle), str(width), str(height), theme)

    @cached_property
    def C(self) -> np.ndarray:
        """The result. Every sum is rounded as in the array: in the order of K within a fold, then fold after fold.

        Without NumPy, the result is a list of rows.
        """
        return values.grid(self._native.product(), self._results, self._shape)

    @property
    def cycles(self) -> int:
        """Number of cycles of the run. The cycles are counted from 0."""
        return self._native.cycles

    @property
    def folds(self) -> int:
        """Number of folds: passes of a tile over the array."""
        return self._native.folds

    @property
    def utilization(self) -> float:
        """Useful multiply-accumulates ÷ (rows · cols · cycles)."""
        return self._native.utilization

    @property
    def mapping_efficiency(self) -> float:
        """The share of PEs that a fold uses, averaged over all folds."""
        return self._native.mapping_efficiency

    @property
    def pe_cycles(self) -> dict[str, int]:
        """PE-cycles by class: useful, padding, load, fill, drain, stall. The sum is rows · cols · cycles."""
        return dict(self._native.pe_cycles)

    @property
    def elements(self) -> dict[str, int]:
        """Number of elements that cross the edges of the array: a_reads, b_reads, c_writes."""
        return dict(self._native.elements)

    def cost(self, chip: str = "tpu-v4", *, passes: int = 1, cycle: int | None = None) -> dict[str, float]:
        """MFU and cost of this array at the price and peak of a chip.

        ``array_mfu_pct`` is the utilization in percent, divided by ``passes`` if the chip multiplies float32 in passes
        of bfloat16. ``array_usd_per_1e18`` is the price in US dollars of 10¹⁸ useful multiplications. With ``cycle``,
        both are for the part of the run from its start to this cycle. A number that is not known is NaN.
        """
        cycle = self.cycles - 1 if cycle is None else cycle
        mfu, usd = self._native.cost(chip, str(passes), str(cycle))
        return {"array_mfu_pct": mfu, "array_usd_per_1e18": usd}

    def occupancy(self, cycle: int = 0) -> float:
        """The share of PEs with work in the current fold: the fold that the corner PE works on in this cycle."""
        return self._native.occupancy(str(cycle))

    def state(self, cycle: int) -> dict[str, np.ma.MaskedArray]:
        """Returns every register of every PE just after a clock edge.

        The dict has one rows × cols array for each register name. Empty registers are masked. An array has only the
        registers that its dataflow and design need, out of ``held``, ``shadow``, ``east``, ``south``, ``product``,
        ``sum``, ``passing`` and ``drained``. Values are exact: float32, or int32 for integers. Without NumPy, a plane
        is a list of rows, and an empty register is ``None``.
        """
        sides = self._native.sides
        planes = self._native.state(str(cycle))
        return {name: values.masked(data, empty, self._format, sides) for name, data, empty in planes}

    def trace(self, first: int = 0, last: int | None = None) -> Table:
        """Returns every element at every port from cycle ``first`` to cycle ``last``, both included.

        The columns are cycle, operand (A, B, or O for a sum), edge, port, and the row i and column j of the element in
        its matrix.
        """
        last = self.cycles - 1 if last is None else last
        columns = [values.wholes(column) for column in self._native.trace(str(first), str(last))]
        cycle, operand, edge, port, i, j = columns
        names = {"operand": values.named(_OPERANDS, operand), "edge": values.named(_EDGES, edge)}
        return Table({"cycle": cycle} | names | {"port": port, "i": i, "j": j})

    def link(self, cycle: int = 0) -> str:
        """Returns the link that shows this run at a cycle: the part of the page's address from the ``?`` on."""
        query, fragment = self._native.link(str(cycle))
        return f"?{query}#{fragment}"


def _again(settings: dict[str, Any]) -> Array:
    return Array(**settings)


def _written(value: str) -> str:
    """Returns the text of a setting as Python writes its value."""
    return value if value in ("True", "False") or value.isdecimal() else repr(value)
