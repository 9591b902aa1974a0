"""Names of dataflows, number formats and themes."""

from typing import Literal

Dataflow = Literal["ws", "os", "is"]
Dtype = Literal["f32", "bf16", "f16", "tf32", "e4m3fn", "e5m2", "e4m3b11fnuz", "int8", "int4"]
Theme = Literal["light", "dark", "projector"]
