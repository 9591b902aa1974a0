"""Values that users give and get: arrays of NumPy if NumPy is installed, and lists otherwise."""

try:
    from . import _numpy as values
except ModuleNotFoundError:
    from . import _lists as values  # type: ignore[no-redef]

__all__ = ["values"]
