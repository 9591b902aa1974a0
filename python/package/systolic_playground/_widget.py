"""The page in a notebook."""

from importlib.resources import files
from typing import Any

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError("The widget needs anywidget: pip install 'systolic-playground[widget]'.") from error

from . import _native
from ._array import Run

_NO_PAGE = (
    "The package was built without the page. Run `cargo xtask dist` and install the package again, or pass the whole "
    "address of a page on a host."
)


def page() -> str:
    """Returns the page in one file, which `cargo xtask dist` puts into the package."""
    file = files(__package__) / "page.html"
    if not file.is_file():
        raise RuntimeError(_NO_PAGE)
    return file.read_text(encoding="utf-8")


class Widget(anywidget.AnyWidget):
    """The page in a sandboxed frame of a notebook.

    ``shown`` is a run, which opens at ``cycle``, or a link. The link is either the whole address of a page on a host,
    or only the part from the ``?`` on. For this part, the widget uses the page in this package and does not load
    anything from the network.

    ``cycle`` and ``settings`` (by their names in a link, such as ``rows`` and ``df``) change when the reader changes
    the frame. If you set ``cycle`` or ``settings``, the frame changes too. ``last`` is the last cycle. ``error`` is
    empty, or the sentence with which the frame refused the last change.
    """

    _esm = _native.element() + (files(__package__) / "widget.js").read_text(encoding="utf-8")
    _page = traitlets.Unicode().tag(sync=True)
    _src = traitlets.Unicode().tag(sync=True)
    _link = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(560, min=120).tag(sync=True)
    cycle = traitlets.Int(0, min=0).tag(sync=True)
    last = traitlets.Int(0).tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode().tag(sync=True)

    def __init__(self, shown: Run | str = "", *, cycle: int = 0, height: int = 560, **more: Any) -> None:
        link = shown.link(cycle) if isinstance(shown, Run) else shown
        place, mark, rest = link.partition("?")
        is_hosted = place.startswith(("http://", "https://"))
        super().__init__(
            _src=place if is_hosted else "",
            _page="" if is_hosted else page(),
            _link=mark + rest if is_hosted else link,
            cycle=cycle,
            height=height,
            **more,
        )
