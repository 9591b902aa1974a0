"""Models on chips."""

import json
import os
import warnings
from collections.abc import Mapping
from typing import Any

from . import _native


def model(what: "str | os.PathLike[str] | Mapping[str, Any]", **entries: Any) -> dict[str, Any]:
    """What a model takes on chips: the report of ``systolic model --json``, which docs/json describes.

    ``what`` is a model's name such as ``"llama3-70b"``, the path of a file that says its products (a ``config.json``, a
    SCALE-Sim table, StableHLO, ONNX, safetensors), or the content of a ``config.json``. ``entries`` are the options of
    that command, with ``_`` for each dash and ``pass_`` for ``pass``: chip, chips, seq, batch, dtype, split, price and
    more. What cannot be used raises ``ValueError``; what was measured or claimed and cannot be is a warning.
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
