"""Every example of the README and of the package's documentation gives the result that is printed below it."""

import doctest
import re

import pytest
from conftest import ROOT

import systolic_playground

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
README = (ROOT / "python" / "README.md").read_text(encoding="utf-8")


def failures(text):
    found = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert found.examples
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    return runner.run(found).failed


def test_the_readme_is_true():
    blocks = [block for block in BLOCK.findall(README) if ">>>" in block]
    assert len(blocks) >= 5
    # One after another, as a reader would type them.
    assert failures("\n".join(blocks)) == 0


def test_what_the_readmes_say_without_an_answer_runs(monkeypatch, rng):
    pytest.importorskip("anywidget")
    from systolic_playground import _widget

    monkeypatch.setattr(_widget, "page", lambda: "<!doctype html>")
    A, B = (rng.standard_normal((8, 8)).astype("float32") for _ in "AB")
    names = {"A": A, "B": B, "table": {"M": [8], "K": [8], "N": [8], "R": [4], "C": [4], "dataflow": ["ws"]}}
    top = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = [block for text in (top, README) for block in BLOCK.findall(text) if ">>>" not in block]
    assert len(blocks) == 2
    for block in blocks:
        exec(block, names)


def test_a_wrong_example_would_be_seen(capsys):
    assert failures(">>> 1 + 1\n3\n") == 1


def test_the_documentation_is_true():
    assert failures(systolic_playground.__doc__) == 0


@pytest.mark.parametrize("name", [*systolic_playground.__all__])
def test_everything_public_is_documented(name):
    public = getattr(systolic_playground, name)
    members = [member for key, member in vars(public).items() if not key.startswith("_")] if isinstance(public, type) else []
    assert all(part.__doc__ for part in [public, *members])
