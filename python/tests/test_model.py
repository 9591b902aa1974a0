"""Compares models on chips with the command line."""

import json
import pathlib

import pytest
from conftest import ROOT

from systolic_playground import model

CONFIGS = [ROOT / "tests" / "golden" / "configs" / f"{family}.json" for family in ("gemma2", "llama", "mixtral")]


@pytest.mark.parametrize(
    ("name", "entries"),
    [
        ("llama3-70b", {"chip": "tpu-v5p", "chips": 512, "seq": 8192}),
        ("bert-large", {"chip": "tpu-v3", "pass": "prefill", "batch": 8}),
        ("gemma-7b", {"chip": "tpu-v6e", "versus": "h100-sxm", "tokens": 15e12, "weeks": 3, "week-usd": 8000}),
        ("llama2-7b", {"chip": "tpu-v5e", "own": "peak-bf16.250_hbm.1200", "price": "spot"}),
    ],
)
def test_a_report_is_that_of_the_command(systolic, name, entries):
    options = [word for entry, value in entries.items() for word in (f"--{entry}", f"{value:g}" if entry == "tokens" else str(value))]
    theirs = json.loads(systolic("model", "--model", name, "--json", *options))
    ours = model(name, **{entry.replace("-", "_") + ("_" if entry == "pass" else ""): value for entry, value in entries.items()})
    assert ours == theirs
    assert model("gpt2-xl") != theirs


def test_a_file_and_its_content_are_the_same(systolic):
    for path in CONFIGS:
        theirs = json.loads(systolic("model", "--config", str(path), "--chip", "tpu-v5p", "--json"))
        assert model(path, chip="tpu-v5p") == theirs
        assert model(json.loads(path.read_text()), chip="tpu-v5p")["mfu_pct"] == theirs["mfu_pct"]


def test_what_cannot_have_been_measured_is_a_warning():
    with pytest.warns(UserWarning, match="measured: "):
        report = model("bert-large", chip="tpu-v3", chips=256, tokens=8.6e10, measured="1 min/run")
    assert report["model"]


def test_no_file_is_named():
    with pytest.raises(ValueError, match="config = .*nowhere: cannot read the file"):
        model(pathlib.Path("nowhere"))
