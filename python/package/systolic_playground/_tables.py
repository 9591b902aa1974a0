"""Tables of runs and of matmuls. The result has the columns of the input and more columns."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from . import _native
from ._dtypes import Dataflow, Dtype
from ._settings import settings_of
from ._values import values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike

    _Columns_by_name = dict[str, np.ndarray]
else:
    _Columns_by_name = dict

_COUNTS = ("cycles", "folds", "mapping_efficiency_pct", "utilization_pct", "a_reads", "b_reads", "c_writes")
# Rows of a table that a notebook shows.
_ROWS_SHOWN = 20
# The end of the name of a computed column, if the table already has a column of its name.
_OURS = "_model"
_SLOTS = ("useful", "padding", "load", "fill", "drain", "stall")


class Table(_Columns_by_name):
    """Columns by name: a dict of NumPy arrays of the same length, or of lists if NumPy is not installed.

    ``pandas.DataFrame(table)``, ``polars.DataFrame(table)`` and ``pyarrow.table(table)`` accept such a table directly.
    If pyarrow is installed, any other library that supports the Arrow C interface accepts the table too.
    """

    _index: Any = None

    @property
    def index(self) -> Any:
        """The index of a table of pandas, and otherwise ``None``. :meth:`to_pandas` keeps the index."""
        return self._index

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.values()))) if self else 0

    def to_pandas(self) -> Any:
        """Returns the table as a DataFrame of pandas, with the index of the input."""
        import pandas

        return pandas.DataFrame(dict(self), index=self._index)

    def __repr__(self) -> str:
        return f"<Table: {self.rows} rows; columns {', '.join(map(str, self))}>"

    def _repr_html_(self) -> str:
        shown = min(self.rows, _ROWS_SHOWN)
        head = "".join(f"<th>{escape(str(name))}</th>" for name in self)
        rows = ("".join(f"<td>{escape(str(column[row]))}</td>" for column in self.values()) for row in range(shown))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        rest = f"<p>{self.rows - shown} more rows</p>" if shown < self.rows else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the table as a stream of the Arrow C interface."""
        import pyarrow

        return pyarrow.table(dict(self)).__arrow_c_stream__(requested_schema)


def count(
    table: Any,
    *,
    rows: int | None = None,
    cols: int | None = None,
    dataflow: Dataflow | None = None,
    pad: str = "ragged",
    overlap: str = "none",
    load: str | None = None,
    drain: str | None = None,
    order: str = "rows",
    ktiles: str = "up",
    product_register: bool = False,
    two_registers_south: bool = False,
    west: int | str | None = None,
    north: int | str | None = None,
    south: int | str | None = None,
) -> Table:
    """Counts the cycles of a run for each row of a table, like ``systolic count``.

    ``table`` has the columns M, N, K, R, C and dataflow, and optionally overlap. It is a dict of arrays, or a table of
    pyarrow, pandas, polars or any other library that supports the Arrow C interface. Set ``rows``, ``cols`` or
    ``dataflow`` instead of the columns R, C or dataflow if all rows have the same value. The other settings are the
    settings of :class:`Array`. ``load`` affects only rows whose dataflow is ws or is; ``drain`` affects only rows whose
    dataflow is os.

    The result has all columns of the table, and the columns cycles, folds, mapping_efficiency_pct, utilization_pct,
    a_reads, b_reads, c_writes, and the PE-cycles by class: useful, padding, load, fill, drain, stall. If the table has
    a column of such a name, the name of the new column ends in ``_model``, for example cycles_model.
    """
    columns = _Columns(table)
    settings = settings_of(
        pad=pad,
        overlap=overlap,
        load=load,
        drain=drain,
        order=order,
        ktiles=ktiles,
        product_register=product_register,
        two_registers_south=two_registers_south,
        west=west,
        north=north,
        south=south,
    )
    overlaps = None
    if columns.has("overlap"):
        # The column has the last word; an empty field leaves it to the setting.
        overlaps = _codes("overlap", [name or overlap for name in columns.texts("overlap", None)])
    counted = _native.count(
        columns.whole("M"),
        columns.whole("N"),
        columns.whole("K"),
        columns.whole("R", rows, "rows"),
        columns.whole("C", cols, "cols"),
        _codes("dataflow", columns.texts("dataflow", dataflow)),
        overlaps,
        settings,
    )
    kinds = {name: values.floats if name.endswith("_pct") else values.wholes for name in _COUNTS + _SLOTS}
    return columns.with_more({name: kind(data) for (name, kind), data in zip(kinds.items(), counted)})


def time(
    table: Any,
    chip: str,
    dtype: Dtype | DTypeLike = "bf16",
    *,
    per: str = "chip",
    own: str | None = None,
    passes: int | None = None,
    bounds: bool = False,
) -> Table:
    """Estimates the time of a matmul on a chip for each row of a table, like ``systolic time``.

    ``table`` has the columns M, N and K; see :func:`count`. ``chip`` is an id such as ``"tpu-v4"``. ``own`` overrides
    published values of the chip, for example ``"peak-bf16.250_hbm.1200"``. ``per`` is ``"chip"`` or ``"core"``.
    ``passes`` is the number of bf16 passes in which a TPU multiplies f32: 1, 3 or 6.

    The result has all columns of the table, and the columns time_us, mfu_pct, bound, eta_tile and runs_as, the format in
    which the chip multiplies. With ``bounds``, the result also has low_us and high_us, the ends of the 80 % interval of
    the time. If a value is not published, the numbers that need this value are NaN, the bound is ``"unknown"`` and
    runs_as is empty.
    """
    columns = _Columns(table)
    given = {"chip": chip, "dtype": values.name_of(dtype), "own": own, "passes": passes}
    settings = list(settings_of(**given).items())
    timed, words, runs_as = _native.time(columns.whole("M"), columns.whole("N"), columns.whole("K"), settings, per)
    us, mfu, _, eta, low, high = map(values.floats, timed)
    limits = values.wholes(timed[2])
    # The last word stands for an unknown limit.
    formats = [runs_as] * (len(words) - 1) + [""]
    more = {"time_us": us, "mfu_pct": mfu, "bound": values.named(words, limits), "eta_tile": eta}
    more["runs_as"] = values.named(formats, limits)
    return columns.with_more(more | ({"low_us": low, "high_us": high} if bounds else {}))


def _codes(column: str, names: list[Any]) -> bytes:
    """Returns the code of each name. A column has few different names."""
    texts = list(map(str, names))
    codes = {name: _native.code(column, texts.index(name), name) for name in dict.fromkeys(texts)}
    return bytes(map(codes.__getitem__, texts))


class _Columns:
    """The columns of a table in any supported form, found by name in upper or lower case."""

    def __init__(self, table: Any) -> None:
        self._index = None
        if not isinstance(table, Mapping):
            if hasattr(table, "collect_schema") and hasattr(table, "collect"):
                # A LazyFrame of polars has no values yet.
                table = table.collect()
            self._index = getattr(table, "index", None)
            if not hasattr(table, "column_names") and not hasattr(table, "columns"):
                if not hasattr(table, "__arrow_c_stream__"):
                    raise ValueError(
                        f"table = {type(table).__name__}: use a dict of columns, or a table that supports the Arrow C interface."
                    )
                import pyarrow

                table = pyarrow.table(table)
            names = table.column_names if hasattr(table, "column_names") else table.columns
            table = {name: table[name].to_numpy() for name in names}
        self._columns = {name: values.column(column) for name, column in table.items()}
        lengths = {values.length(column) for column in self._columns.values()}
        if len(lengths) > 1 or -1 in lengths:
            raise ValueError("The columns differ in length: give every column one value per row.")
        self._rows = lengths.pop() if lengths else 0
        self._places: dict[str, list[Any]] = {}
        for name in self._columns:
            self._places.setdefault(str(name).strip().lower(), []).append(name)

    def has(self, name: str) -> bool:
        return name.lower() in self._places

    def _column(self, name: str, given: object, setting: str) -> Any:
        if given is not None:
            if self.has(name):
                raise ValueError(
                    f"{setting} = {given}: the table also has a column {name}. Use either {setting} or the column {name}."
                )
            return values.column([given])
        if not self.has(name):
            hint = f", or set {setting}" if setting else ""
            raise ValueError(f"The table has no column {name}: add it{hint}.")
        found, *others = self._places[name.lower()]
        if others:
            raise ValueError(f"The table has two columns {name}, {found} and {others[0]}: rename or remove one of them.")
        return self._columns[found]

    def whole(self, name: str, given: object = None, setting: str = "") -> bytes:
        """Returns a column of whole numbers as bytes of int64."""
        column = self._column(name, given, setting)
        whole, wrong = values.whole_bytes(column)
        if wrong is not None:
            raise ValueError(f"{name}[{wrong}] = {_shown(column[wrong])}: use a whole number.")
        return whole

    def texts(self, name: str, given: str | None) -> list[Any]:
        return values.texts(self._column(name, given, name))

    def with_more(self, more: dict[str, Any]) -> Table:
        """Returns the table with more columns. A column of the user keeps its name and its values."""
        names = {name: f"{name}{_OURS}" if name in self._columns else name for name in more}
        if taken := [name for name in names.values() if name in self._columns]:
            raise ValueError(f"The table has the columns {taken[0].removesuffix(_OURS)} and {taken[0]}: rename one of them.")
        table = Table(self._columns | {names[name]: column for name, column in more.items()})
        table._index = self._index
        return table


def _shown(value: object) -> str:
    """Returns a value for a sentence, without characters that a terminal would obey."""
    return "".join(sign for sign in str(value) if sign.isprintable())[:60]
