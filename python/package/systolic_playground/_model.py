"""Models on chips."""

import json
import os
import warnings
from collections.abc import Mapping
from typing import Any

from . import _native


def model(what: "str | os.PathLike[str] | Mapping[str, Any]", **entries: Any) -> dict[str, Any]:
    """Estimates time, memory and cost of a model on chips.

    The result is the report of ``systolic model --json``, which docs/json describes. ``what`` is the name of a model,
    such as ``"llama3-70b"``, the path of a file that lists its matmuls (``config.json``, StableHLO, or a table, such as
    that of ``matmuls``), or the content of a ``config.json``. ``entries`` are the options of the command: chip, chips,
    seq, batch, dtype, split, price and more. In their names, write ``_`` for each dash, and ``pass_`` for ``pass``.

    An entry that is not allowed raises ``ValueError``. A measured or claimed value that is impossible causes a warning.
    """
    texts = [(name.rstrip("_").replace("_", "-"), _text(value)) for name, value in entries.items() if value is not None]
    path = config = None
    if isinstance(what, str):
        texts.insert(0, ("model", what))
    elif isinstance(what, Mapping):
        config = json.dumps(what).encode()
    else:
        path = os.fspath(what)
    report, impossible = _native.model(texts, path, config)
    for sentence in impossible:
        warnings.warn(sentence, stacklevel=2)
    found: dict[str, Any] = json.loads(report)
    return found


def _text(value: object) -> str:
    # A whole number stays one: 15e12 is 15000000000000.
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
