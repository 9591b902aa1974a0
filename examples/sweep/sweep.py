#!/usr/bin/env python3
"""A million runs on two processes: every array, dataflow and product, counted and timed.

`counted` is an ordinary function from a part of the rows to a small summary, and `merged` puts two summaries together, so that
any engine that maps and reduces can run them; here it is Dask, with worker processes on this machine.

Where the Python package is installed (`pip install .`), `count` and `time` of it work on the columns of a part. Elsewhere, and
with `--systolic`, rows are made, sent through the commands `systolic count` and `systolic time` and read back one by one: a part may
then be as long as it likes and takes no more memory than a short one.

    python3 sweep.py                                                         # the whole sweep, with the package
    python3 sweep.py --rows 6000 --check                                     # a slice, compared with one process without Dask
    python3 sweep.py --systolic ../../target/release/systolic                # with the commands instead
"""

import argparse
import csv
import importlib.util
import json
import math
import resource
import subprocess
import sys
import threading
import time

SIDES = (4, 8, 12, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512)
DATAFLOWS = ("ws", "os", "is")
# Batches of tokens or images, and the sides of layers: heads, hidden widths and what lies between them.
MS = (1, 2, 8, 16, 32, 64, 100, 128, 197, 256, 512, 1024, 2048, 4096)
KS = NS = (64, 129, 256, 768, 1024, 2048, 4096, 8192)

CLASSES = ("useful", "padding", "load", "fill", "drain", "stall")
N_PRODUCTS = len(MS) * len(KS) * len(NS)
N_CASES = len(SIDES) ** 2 * N_PRODUCTS
N_ROWS = N_CASES * len(DATAFLOWS)
# Cases are taken in steps of a number without a common factor, so that the first thousand are a sample of all.
STEP = 100_003
assert math.gcd(STEP, N_CASES) == 1


def row(index):
    """The row of this number: M, N, K, R, C and the dataflow. The dataflows of a case follow each other."""
    case = index // len(DATAFLOWS) * STEP % N_CASES
    array, product = divmod(case, N_PRODUCTS)
    rows, cols = (SIDES[place] for place in divmod(array, len(SIDES)))
    m, rest = divmod(product, len(KS) * len(NS))
    k, n = divmod(rest, len(NS))
    return MS[m], NS[n], KS[k], rows, cols, DATAFLOWS[index % len(DATAFLOWS)]


def parts(n_rows, n_per_part):
    """Rows in parts, each a first number and the one after its last; whole cases only."""
    whole = max(1, n_per_part // len(DATAFLOWS)) * len(DATAFLOWS)
    return [(start, min(start + whole, n_rows)) for start in range(0, n_rows, whole)]


def commands(systolic, chip):
    """Counts first; `time` passes the columns on that it does not know."""
    return [systolic, "count"], [systolic, "time", "--chip", chip, "--dtype", "bf16"]


def answered(part, systolic, chip):
    """The rows of a part with what both commands add to them, one after another."""
    count, timed = commands(systolic, chip)
    first = subprocess.Popen(count, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    second = subprocess.Popen(timed, stdin=first.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first.stdout.close()

    def feed():
        with first.stdin as to:
            to.write(b"M,N,K,R,C,dataflow\n")
            for index in range(*part):
                to.write((",".join(map(str, row(index))) + "\n").encode())

    # What is written waits for what is read: a thread of its own, or both would wait for ever.
    feeding = threading.Thread(target=feed)
    feeding.start()
    yield from csv.DictReader(second.stdout)
    feeding.join()
    for process in (first, second):
        with process:
            # Progress is told there too, and it is short.
            said = process.stderr.read()
            if process.wait() != 0:
                raise RuntimeError(f"{' '.join(process.args)}: {said}")


def empty():
    """The summary of no rows."""
    summary = {"rows": 0, "cases": 0, "mfu_pct": 0.0, "memory_mib": 0.0}
    for dataflow in DATAFLOWS:
        summary |= {f"{dataflow} fewest cycles": 0, f"{dataflow} busy": 0.0}
    return summary


def counted(part, systolic=None, chip="tpu-v4"):
    """What a part of the rows comes to, by the command or, without one, by the package. Each row is checked: its classes add up,
    and the useful ones are its products."""
    summary = counted_by_command(part, systolic, chip) if systolic else counted_by_package(part, chip)
    # Of this worker and of the largest command that it ran.
    most = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return summary | {"memory_mib": most / 1024}


def counted_by_command(part, systolic, chip):
    """Row by row."""
    summary = empty()
    case = []
    for index, one in enumerate(answered(part, systolic, chip), part[0]):
        m, n, k, rows, cols, cycles = (int(one[name]) for name in ("M", "N", "K", "R", "C", "cycles"))
        if (m, n, k, rows, cols, one["dataflow"]) != row(index):
            raise RuntimeError(f"row {index} came back as {one}")
        if sum(int(one[name]) for name in CLASSES) != rows * cols * cycles or int(one["useful"]) != m * n * k:
            raise RuntimeError(f"the PE-cycles of {one} do not add up")
        summary["rows"] += 1
        summary[f"{one['dataflow']} busy"] += float(one["utilization_pct"])
        summary["mfu_pct"] += float(one["mfu_pct"])
        case.append((cycles, one["dataflow"]))
        if len(case) == len(DATAFLOWS):
            summary["cases"] += 1
            summary[f"{min(case)[1]} fewest cycles"] += 1
            case = []
    return summary


def columns(part):
    """The rows of a part as columns: what `row` gives of each."""
    import numpy as np

    index = np.arange(*part)
    array, product = np.divmod(index // len(DATAFLOWS) * STEP % N_CASES, N_PRODUCTS)
    m, rest = np.divmod(product, len(KS) * len(NS))
    k, n = np.divmod(rest, len(NS))
    rows, cols = np.divmod(array, len(SIDES))
    places = {"M": (MS, m), "N": (NS, n), "K": (KS, k), "R": (SIDES, rows), "C": (SIDES, cols)}
    places["dataflow"] = (DATAFLOWS, index % len(DATAFLOWS))
    return {name: np.array(values)[place] for name, (values, place) in places.items()}


def counted_by_package(part, chip):
    """All rows of the part at once."""
    import systolic_playground

    table = systolic_playground.time(systolic_playground.count(columns(part)), chip, "bf16")
    adds_up = sum(table[name] for name in CLASSES) == table["R"] * table["C"] * table["cycles"]
    if not (adds_up & (table["useful"] == table["M"] * table["N"] * table["K"])).all():
        raise RuntimeError(f"the PE-cycles of the rows {part} do not add up")
    summary = empty() | {"rows": table.rows, "cases": table.rows // len(DATAFLOWS), "mfu_pct": float(table["mfu_pct"].sum())}
    # Of two dataflows that take as long, the first by its name counts, as it does row by row.
    order = sorted(range(len(DATAFLOWS)), key=lambda place: DATAFLOWS[place])
    fewest = table["cycles"].reshape(-1, len(DATAFLOWS))[:, order].argmin(axis=1)
    for nth, place in enumerate(order):
        dataflow = DATAFLOWS[place]
        summary[f"{dataflow} fewest cycles"] = int((fewest == nth).sum())
        summary[f"{dataflow} busy"] = float(table["utilization_pct"][place :: len(DATAFLOWS)].sum())
    return summary


def merged(one, other):
    """Both summaries as one."""
    return {name: max(one[name], other[name]) if name == "memory_mib" else one[name] + other[name] for name in one}


def on_dask(all_parts, systolic, chip, workers):
    """The summary of all parts, on worker processes."""
    import dask.bag

    bag = dask.bag.from_sequence(all_parts, npartitions=len(all_parts))
    summaries = bag.map(counted, systolic=systolic, chip=chip)
    return summaries.fold(merged).compute(scheduler="processes", num_workers=workers)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--systolic", help="the command, instead of the package systolic_playground")
    arguments.add_argument("--rows", type=int, default=N_ROWS, help=f"rows, at most {N_ROWS}")
    arguments.add_argument("--part", type=int, default=30_000, help="rows that a worker takes at a time")
    arguments.add_argument("--workers", type=int, default=2, help="worker processes")
    arguments.add_argument("--chip", default="tpu-v4", help="the chip whose times are added")
    arguments.add_argument("--check", action="store_true", help="compare with one process without Dask")
    given = arguments.parse_args()
    if not 3 <= given.rows <= N_ROWS or given.part < 3 or given.workers < 1:
        arguments.error(f"use 3 to {N_ROWS} rows, parts of 3 rows or more and a worker or more")
    if not given.systolic and not importlib.util.find_spec("systolic_playground"):
        given.systolic = "systolic"
    n_rows = given.rows // len(DATAFLOWS) * len(DATAFLOWS)
    began = time.monotonic()
    summary = on_dask(parts(n_rows, given.part), given.systolic, given.chip, given.workers)
    seconds = time.monotonic() - began
    if given.check:
        alone = counted((0, n_rows), given.systolic, given.chip)
        for name, value in alone.items():
            if name != "memory_mib" and not math.isclose(summary[name], value, rel_tol=1e-9):
                sys.exit(f"{name} is {summary[name]} on {given.workers} workers and {value} in one process")
    for name in [name for name in summary if name.endswith(" busy")]:
        summary[name + ", mean %"] = round(summary.pop(name) / summary["cases"], 2)
    summary["mfu_pct"] = round(summary["mfu_pct"] / summary["rows"], 3)
    summary["memory_mib"] = round(summary["memory_mib"])
    summary |= {"seconds": round(seconds, 1), "rows_per_second": round(n_rows / seconds), "workers": given.workers}
    summary["by"] = given.systolic or "systolic_playground"
    json.dump(summary, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
