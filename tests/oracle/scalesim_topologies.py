"""Writes tests/golden/scalesim_topologies.csv: what SCALE-Sim's own loader makes of tests/golden/topologies.

SCALE-Sim is told by a flag whether rows are convolutions or products; here a header with a column M decides. Its rows
M, K and N are the pixels of the output, the window and the filters. A file it cannot load has one row that says so.
Needs Python with scalesim 3.0.0; the golden file is committed, so only a change of the files needs this.
"""

import sys
from pathlib import Path

from scalesim.topology_utils import topologies

golden = Path(sys.argv[1])
with open(golden / "scalesim_topologies.csv", "w", encoding="ascii") as out:
    out.write("# By scalesim 3.0.0: tests/oracle/scalesim_topologies.py\n")
    out.write("file,layer,m,k,n\n")
    for path in sorted((golden / "topologies").glob("*.csv")):
        header = path.read_text(encoding="utf-8").splitlines()[0].replace("\t", ",")
        gemm = "M" in [cell.strip() for cell in header.split(",")]
        loaded = topologies()
        try:
            loaded.load_arrays(str(path), mnk_inputs=gemm)
            loaded.topo_calc_hyperparams()
        except (AssertionError, IndexError, ValueError) as error:
            print(path.name, repr(error))
            out.write(f"{path.name},refused,,,\n")
            continue
        for layer, (height, width, _, window) in zip(loaded.topo_arrays, loaded.layers_calculated_hyperparams):
            out.write(f"{path.name},{layer[0]},{height * width},{window},{layer[6]}\n")
