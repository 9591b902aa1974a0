"""The notebook in `examples` gives the results that are stored in it."""

import json

import pytest
from conftest import ROOT

interactive = pytest.importorskip("IPython.core.interactiveshell")
capture = pytest.importorskip("IPython.utils.capture")


def test_the_notebook_is_true():
    notebook = json.loads((ROOT / "examples" / "notebook" / "array.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5
    shell = interactive.InteractiveShell.instance()
    for cell in cells:
        with capture.capture_output(display=False) as printed:
            result = shell.run_cell("".join(cell["source"]))
        assert result.success, cell["source"]
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                assert printed.stdout == "".join(output["text"])
            else:
                found = shell.display_formatter.format(result.result)[0]["text/plain"]
                assert found == "".join(output["data"]["text/plain"])
