"""Compares tables with the command line, in every form of a table."""

import csv as readers
import io

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from conftest import csv

from systolic_playground import Array, Table, count, time


def runs(rng, n):
    sides = {name: rng.integers(1, 600, n) for name in "MNK"} | {name: rng.integers(1, 200, n) for name in "RC"}
    return sides | {"dataflow": rng.choice(["ws", "os", "is"], n)}


def read(text):
    return list(readers.DictReader(io.StringIO(text)))


@pytest.mark.parametrize(
    "design",
    [{}, {"overlap": "double-buffered", "north": "340/7"}, {"order": "cols", "two_registers_south": True, "drain": "south"}],
)
def test_counts_are_those_of_the_command(rng, systolic, design):
    table = runs(rng, 300)
    options = [
        word
        for name, value in design.items()
        for word in [f"--{name.replace('_', '-')}"] + ([] if value is True else [value])
    ]
    theirs, ours = read(systolic("count", *options, text=csv(table))), count(table, **design)
    assert list(theirs[0]) == list(ours)
    for index, row in enumerate(theirs):
        for name, value in row.items():
            mine = ours[name][index]
            assert str(mine) == value if mine.dtype.kind == "U" else float(mine) == float(value), (index, name)


def test_a_column_of_overlaps_has_the_last_word(rng, systolic):
    table = runs(rng, 50) | {"Overlap": rng.choice(["none", "double-buffered", ""], 50)}
    theirs = read(systolic("count", "--overlap", "double-buffered", text=csv(table)))
    ours = count(table, overlap="double-buffered")
    assert [int(row["cycles"]) for row in theirs] == ours["cycles"].tolist()
    assert (ours["cycles"] != count(runs(rng, 50))["cycles"]).any()


def test_a_table_of_one_row_is_a_run():
    run = Array(8, 4, "os").run(np.zeros((9, 5)), np.zeros((5, 7)))
    counted = count({"M": [9], "K": [5], "N": [7]}, rows=8, cols=4, dataflow="os")
    assert counted["cycles"][0] == run.cycles
    assert counted["useful"][0] == run.pe_cycles["useful"]


@pytest.mark.parametrize(
    ("chip", "dtype", "more"),
    [
        ("tpu-v4", "f16", {"bounds": True}),
        ("tpu-v5e", "f32", {"passes": 3}),
        ("tpu-v5p", "bf16", {"per": "core"}),
        ("h100-sxm", "fp8", {}),
        ("own", "bf16", {"own": "peak-bf16.200_hbm.1200"}),
        ("tpu-v1", "bf16", {}),
    ],
)
def test_times_are_those_of_the_command(rng, systolic, chip, dtype, more):
    table = {name: rng.integers(1, 5000, 200) for name in "MNK"}
    options = ["--chip", chip, "--dtype", dtype]
    for name, value in more.items():
        options += [f"--{name}"] + ([] if value is True else [str(value)])
    theirs, ours = read(systolic("time", *options, text=csv(table))), time(table, chip, dtype, **more)
    assert list(theirs[0]) == list(ours)
    for index, row in enumerate(theirs):
        for name, value in row.items():
            mine = ours[name][index]
            if mine.dtype.kind == "U":
                assert str(mine) == value, (index, name)
            else:
                # The command writes six digits, and nothing for what is not known.
                np.testing.assert_allclose(mine, float(value or "nan"), rtol=6e-6, err_msg=f"{index} {name}")


def test_no_rows_are_no_rows():
    none = dict.fromkeys("MKN", [])
    assert count(none, rows=4, cols=4, dataflow="ws").rows == time(none, "tpu-v4", bounds=True).rows == 0


def test_columns_that_come_out_can_be_changed():
    table = count(dict.fromkeys("MKN", [3]), rows=4, cols=4, dataflow="ws")
    table["cycles"] += 1
    assert table["cycles"][0] == count(dict.fromkeys("MKN", [3]), rows=4, cols=4, dataflow="ws")["cycles"][0] + 1


def test_many_rows_on_all_processors_are_in_order(rng):
    table = runs(rng, 20_000)
    counted = count(table)
    for index in rng.integers(0, 20_000, 50):
        one = count({name: column[index : index + 1] for name, column in table.items()})
        assert all(counted[name][index] == column[0] for name, column in one.items())


@pytest.mark.parametrize("form", [pandas.DataFrame, polars.DataFrame, pyarrow.table, Table])
def test_every_form_of_a_table_gives_the_same(rng, form):
    table = runs(rng, 40)
    given = form({name: column.tolist() for name, column in table.items()})
    for name, column in count(table).items():
        np.testing.assert_array_equal(count(given)[name], column)
    for name, column in time(table, "tpu-v4").items():
        np.testing.assert_array_equal(time(given, "tpu-v4")[name], column)


def test_every_form_takes_what_comes_out(rng):
    counted = count(runs(rng, 40))
    for form in (pandas.DataFrame, polars.DataFrame, pyarrow.table):
        assert form(counted)["cycles"].to_numpy().tolist() == counted["cycles"].tolist()

    class Stream:
        """A table from another program that supports only the Arrow C interface."""

        def __arrow_c_stream__(self, requested_schema=None):
            return counted.__arrow_c_stream__(requested_schema)

    again = count(Stream())
    np.testing.assert_array_equal(again["cycles"], counted["cycles"])


def test_a_column_of_ones_own_keeps_its_name_and_its_values():
    table = pandas.DataFrame({"M": [9], "K": [5], "N": [7], "cycles": [123]}, index=["layer 1"])
    counted = count(table, rows=8, cols=4, dataflow="os")
    assert counted["cycles"].tolist() == [123]
    assert counted["cycles_model"][0] == Array(8, 4, "os").run(np.zeros((9, 5)), np.zeros((5, 7))).cycles
    assert counted.to_pandas().loc["layer 1", "cycles"] == 123
    with pytest.raises(ValueError, match="cycles and cycles_model"):
        count(dict(counted), rows=8, cols=4, dataflow="os")


def test_a_lazy_table_is_collected():
    lazy = polars.LazyFrame({"M": [9], "K": [5], "N": [7]})
    assert count(lazy, rows=8, cols=4, dataflow="os")["cycles"].tolist() == count(lazy.collect(), rows=8, cols=4, dataflow="os")["cycles"].tolist()


def test_a_notebook_shows_the_first_rows_of_a_table():
    table = count({"M": range(1, 31), "K": [5] * 30, "N": [7] * 30, "<b>": ["&"] * 30}, rows=8, cols=4, dataflow="os")
    shown = table._repr_html_()
    assert shown.count("<tr>") == 21 and "10 more rows" in shown
    assert "<th>&lt;b&gt;</th>" in shown and "<td>&amp;</td>" in shown
    assert repr(table).startswith("<Table: 30 rows; columns M, K, N, ")
