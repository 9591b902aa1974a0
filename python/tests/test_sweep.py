"""The sweep of examples: the package and the command give the same results."""

import importlib.util
import math

import pytest
from conftest import ROOT

SPEC = importlib.util.spec_from_file_location("sweep", ROOT / "examples" / "sweep" / "sweep.py")
sweep = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(sweep)


def test_columns_are_the_rows():
    table = sweep.columns((300, 600))
    rows = list(zip(*(column.tolist() for column in table.values())))
    assert [(m, n, k, rows, cols, dataflow) for m, n, k, rows, cols, dataflow in rows] == [sweep.row(i) for i in range(300, 600)]


def test_a_part_is_the_same_by_package_and_by_command(systolic):
    ours, theirs = sweep.counted((0, 3000)), sweep.counted((0, 3000), systolic.command)
    assert ours.keys() == theirs.keys()
    for name in ours.keys() - {"memory_mib"}:
        # The command writes six digits of the MFU.
        assert math.isclose(ours[name], theirs[name], rel_tol=1e-6 if name == "mfu_pct" else 1e-12), name


def test_a_part_that_does_not_add_up_is_seen(monkeypatch):
    monkeypatch.setattr(sweep, "CLASSES", sweep.CLASSES[:-2])
    with pytest.raises(RuntimeError, match="do not add up"):
        sweep.counted((0, 300))


def test_dask_comes_to_the_same_as_one_process():
    pytest.importorskip("dask.bag")
    parts = sweep.parts(3000, 300)
    on_dask, alone = sweep.on_dask(parts, None, "tpu-v4", 2), sweep.counted((0, 3000))
    for name in alone.keys() - {"memory_mib"}:
        assert math.isclose(on_dask[name], alone[name], rel_tol=1e-9), name
