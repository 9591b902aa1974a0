"""Times SCALE-Sim 3.0.0 on the rows of standard input, each `m,n,k,rows,cols,dataflow`.

    python3 benches/peers.py FOLDER < ROWS

Makes a virtual environment in FOLDER first. Writes one line per row: `cycles,demand_sec,layer_sec`.

- `demand_sec`: operand and demand matrices, from which SCALE-Sim counts cycles.
- `layer_sec`: the whole layer, with the memory system and the report, without traces in files.
"""

import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

# SCALE-Sim 3.0.0 fails with NumPy 2.4: its memory system converts an array of one element to a number.
PACKAGES = ["scalesim==3.0.0", "numpy==1.26.4", "pandas==2.2.3"]
ROUNDS = 3

# The status with which this script ends if the packages cannot be installed; its output is then the reason.
NOT_INSTALLED = 69


def installed(folder):
    """Returns the Python of the virtual environment, after it has the packages."""
    python = folder / "bin" / "python"
    done = folder / "installed.txt"
    if not done.exists() or done.read_text() != " ".join(PACKAGES):
        venv.create(folder, clear=True, with_pip=True)
        command = [python, "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=240)
        done.write_text(" ".join(PACKAGES))
    return python


def topology(m, n, k):
    """Returns a table of one matmul, as SCALE-Sim's loader reads it."""
    from scalesim.topology_utils import topologies

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "matmul.csv")
        Path(path).write_text(f"Layer,M,N,K,\nmatmul,{m},{n},{k},\n")
        table = topologies()
        table.load_arrays(path, mnk_inputs=True)
        return table


def layer(table, rows, cols, dataflow):
    """Returns a layer of SCALE-Sim before its run, and its configuration."""
    from scalesim.layout_utils import layouts
    from scalesim.scale_config import scale_config
    from scalesim.single_layer_sim import single_layer_sim

    config = scale_config()
    # Memories that hold all matrices, and bandwidth as needed: without stalls.
    config.update_from_list(["peers", rows, cols, 6144, 6144, 2048, 0, 10000000, 20000000, dataflow, "CALC", ""])
    sim = single_layer_sim()
    sim.set_params(layer_id=0, config_obj=config, topology_obj=table, layout_obj=layouts(), verbose=False)
    return sim, config


def demand(table, rows, cols, dataflow):
    """Returns the rows of SCALE-Sim's demand matrices: its cycles."""
    sim, config = layer(table, rows, cols, dataflow)
    _, a = sim.op_mat_obj.get_ifmap_matrix()
    _, b = sim.op_mat_obj.get_filter_matrix()
    _, c = sim.op_mat_obj.get_ofmap_matrix()
    sim.compute_system.set_params(config_obj=config, ifmap_op_mat=a, filter_op_mat=b, ofmap_op_mat=c)
    lengths = {len(matrix) for matrix in sim.compute_system.get_demand_matrices()}
    assert len(lengths) == 1, lengths
    return lengths.pop()


def whole(table, rows, cols, dataflow):
    """Returns the last cycle and the stalls of SCALE-Sim's report."""
    sim, _ = layer(table, rows, cols, dataflow)
    sim.run()
    report = sim.get_compute_report_items()
    return report[1], report[2]


def timed(work, *arguments):
    """Returns the answer of the work and the median of its seconds."""
    seconds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        answer = work(*arguments)
        seconds.append(time.perf_counter() - begun)
    return answer, sorted(seconds)[ROUNDS // 2]


def main():
    """Times each row of standard input. A difference ends the script."""
    whole(topology(8, 8, 8), 8, 8, "ws")  # What is compiled or loaded at first use is not counted.
    for line in sys.stdin:
        *numbers, dataflow = line.strip().split(",")
        m, n, k, rows, cols = map(int, numbers)
        table = topology(m, n, k)
        cycles, demand_sec = timed(demand, table, rows, cols, dataflow)
        (last, stalls), layer_sec = timed(whole, table, rows, cols, dataflow)
        assert (last, stalls) == (cycles - 1, 0), (line, cycles, last, stalls)
        print(f"{cycles},{demand_sec},{layer_sec}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        main()
    else:
        try:
            python = installed(Path(sys.argv[1]))
        except (OSError, subprocess.SubprocessError) as error:
            reason = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
            print(reason[-1] if reason else error)
            sys.exit(NOT_INSTALLED)
        sys.exit(subprocess.run([python, __file__, "--inside"]).returncode)
