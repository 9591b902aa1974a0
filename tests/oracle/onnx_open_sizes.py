"""Writes tests/golden/open_sizes.onnx: one matmul of frames of unknown number, checked by the package onnx.

Needs Python with onnx and numpy; the golden file is committed.
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

frames = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", "frames", 16])
result = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", "frames", 32])
weights = numpy_helper.from_array(np.zeros((16, 32), np.float32), "w")
node = helper.make_node("MatMul", ["x", "w"], ["y"])
graph = helper.make_graph([node], "open", [frames], [result], [weights])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
onnx.checker.check_model(model)
(Path(sys.argv[1]) / "open_sizes.onnx").write_bytes(model.SerializeToString())
