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
    "The package was built without the page: run `cargo xtask dist` and install it again, or pass the whole address of a "
    "page on a host."
)


def page() -> str:
    """The page in one file, as `cargo xtask dist` puts it into the package."""
    file = files(__package__) / "page.html"
    if not file.is_file():
        raise RuntimeError(_NO_PAGE)
    return file.read_text(encoding="utf-8")


class Widget(anywidget.AnyWidget):
    """The page in a sandboxed frame of a notebook.

    ``shown`` is a run, which opens at ``cycle``, or a link: its part from the ``?`` on, or the whole address of a page on
    a host. With the part alone the page is the one in this package, and nothing is fetched.

    ``cycle`` and ``settings`` (by their names in a link, such as ``rows`` and ``df``) follow what the reader does in the
    frame, and setting them changes what the frame shows. ``last`` is the last cycle; ``error`` is the sentence with which
    the frame refused what was set last, or empty.
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
