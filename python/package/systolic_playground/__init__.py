"""An exact simulation of a systolic array.

The package computes results, every register at every cycle, counts and times for tables, and models on chips.

>>> import numpy as np
>>> from systolic_playground import Array
>>> run = Array(4, 4).run(np.arange(24, dtype=np.int8).reshape(6, 4), np.ones((4, 3), np.int8))
>>> run.C[0], run.cycles
(array([6, 6, 6], dtype=int32), 16)
"""

from typing import TYPE_CHECKING

from ._array import Array, Run
from ._model import model
from ._tables import Table, count, time
from .systolic_matmuls import matmuls

if TYPE_CHECKING:
    from ._widget import Widget as Widget

__all__ = ["Array", "Run", "Table", "count", "matmuls", "model", "time"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # The widget needs anywidget, which only notebooks have.
    if name == "Widget":
        from ._widget import Widget

        return Widget
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
