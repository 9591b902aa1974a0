"""Writes tests/golden/scalesim_topologies.csv: what SCALE-Sim's own loader makes of tests/golden/topologies.

SCALE-Sim is told by a flag whether rows are convolutions or products; here a header with a column M decides. Its rows
M, K and N are the pixels of the output, the window and the filters.

Its loader drops what is behind a row's last comma, takes the order of columns for granted, and knows neither tabs, nor
a row of empty cells, nor a batch. A file that it refuses is loaded once more after mending: tabs become commas, empty
rows go, a row is cut after the header's named columns and ends in a comma, and a batch multiplies M. What it refuses
even so has one row that says so.
Needs Python with scalesim 3.0.0; the golden file is committed, so only a change of the files needs this.
"""

import sys
import tempfile
from pathlib import Path

from scalesim.topology_utils import topologies


def cells(line, cut):
    return [cell.strip() for cell in line.split(cut)]


def load(path, gemm, batches=None):
    """Name, M, K and N of each layer."""
    loaded = topologies()
    loaded.load_arrays(str(path), mnk_inputs=gemm)
    loaded.topo_calc_hyperparams()
    layers = zip(loaded.topo_arrays, loaded.layers_calculated_hyperparams)
    found = [[layer[0], height * width, window, layer[6]] for layer, (height, width, _, window) in layers]
    for layer, batch in zip(found, batches or [], strict=batches is not None):
        layer[1] *= batch
    return found


def mended(lines, cut):
    """The text as the loader takes it, and each row's batch."""
    header = cells(lines[0], cut)
    named = header.index("") if "" in header else len(header)
    batch = next((at for at, name in enumerate(header[:named]) if "batch" in name.lower()), None)
    kept = [at for at in range(named) if at != batch]
    text, batches = [",".join(header[at] for at in kept) + ","], []
    for line in lines[1:]:
        row = cells(line, cut)
        if any(row):
            text.append(",".join(row[at] for at in kept if at < len(row)) + ",")
            given = row[batch] if batch is not None and batch < len(row) else ""
            batches.append(int(given) if given else 1)
    return "\n".join(text) + "\n", batches


golden = Path(sys.argv[1])
folder = golden / "topologies"
with open(golden / "scalesim_topologies.csv", "w", encoding="ascii") as out:
    out.write("# By scalesim 3.0.0: tests/oracle/scalesim_topologies.py\n")
    out.write("file,loaded,layer,m,k,n\n")
    for path in sorted(folder.rglob("*.csv")):
        if path.name == "sources.csv":
            continue
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        cut = "\t" if "\t" in lines[0] and "," not in lines[0] else ","
        gemm = "m" in [cell.lower() for cell in cells(lines[0], cut)]
        name = path.relative_to(folder).as_posix()
        loaded, layers = "refused", [["", "", "", ""]]
        try:
            loaded, layers = "as it is", load(path, gemm)
        except (AssertionError, IndexError, ValueError) as error:
            print(name, repr(error))
            with tempfile.TemporaryDirectory() as temporary:
                copy = Path(temporary) / "mended.csv"
                try:
                    text, batches = mended(lines, cut)
                    copy.write_text(text, encoding="utf-8")
                    loaded, layers = "mended", load(copy, gemm, batches)
                except (AssertionError, IndexError, ValueError) as error:
                    print("  and mended:", repr(error))
        for layer in layers:
            out.write(",".join([name, loaded, *map(str, layer)]) + "\n")
