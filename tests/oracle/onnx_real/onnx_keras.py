"""Makes the ONNX files of TensorFlow for onnx_files.py: onnx_keras.py FOLDER. Needs tensorflow and tf2onnx.

These packages need their own environment. FOLDER/keras.json has the sources and the sizes for the run.
"""

import json
import sys
from pathlib import Path

import keras
import tensorflow as tf
import tf2onnx
from keras import layers

folder, table = Path(sys.argv[1]), {}


def transformer():
    x = keras.Input((None,), dtype="int32")
    y = layers.Embedding(211, 64)(x)
    z = layers.LayerNormalization()(y + layers.MultiHeadAttention(4, 16)(y, y))
    y = layers.LayerNormalization()(z + layers.Dense(64)(layers.Dense(96, activation="relu")(z)))
    return keras.Model(x, layers.Dense(5)(layers.GlobalAveragePooling1D()(y)))


def recurrent():
    x = keras.Input((None, 24))
    y = layers.Bidirectional(layers.LSTM(32, return_sequences=True))(x)
    return keras.Model(x, layers.Dense(4)(layers.GRU(16)(layers.Conv1D(32, 5, padding="causal")(y))))


def unet():
    x = keras.Input((None, None, 3))
    a = layers.Conv2D(8, 3, padding="same", activation="relu")(x)
    b = layers.SeparableConv2D(16, 3, strides=2, padding="same")(a)
    c = layers.Conv2D(16, 3, dilation_rate=2, padding="same")(b)
    d = layers.Conv2DTranspose(8, 3, strides=2, padding="same")(c)
    e = layers.UpSampling2D(interpolation="bilinear")(layers.MaxPool2D(2, padding="same")(d))
    return keras.Model(x, layers.Conv2D(2, 1)(layers.Concatenate()([d, e])))


app = lambda name, **more: lambda: getattr(keras.applications, name)(weights=None, input_shape=(96, 96, 3), **more)
CASES = [  # File, opset, model, sizes of its input: None is dynamic.
    ("mobilenetv2-11", 11, app("MobileNetV2", alpha=0.35), [None, 96, 96, 3]),
    ("efficientnetb0-15", 15, app("EfficientNetB0"), [None, 96, 96, 3]),
    ("resnet50v2-13", 13, app("ResNet50V2"), [1, 96, 96, 3]),
    ("mobilenetv3small-17", 17, app("MobileNetV3Small"), [None, 96, 96, 3]),
    ("transformer-15", 15, transformer, [None, None]),
    ("recurrent-13", 13, recurrent, [None, None, 24]),
    ("unet-13", 13, unet, [None, 64, 96, 3]),
    ("unet-18", 18, unet, [1, 64, 96, 3]),
]
for name, opset, build, sizes in CASES:
    try:
        model = build()
        kind = model.inputs[0].dtype
        signature = [tf.TensorSpec(sizes, kind, name="x")]
        call = tf.function(lambda x, model=model: model(x, training=False), input_signature=signature)
        tf2onnx.convert.from_function(
            call, input_signature=signature, opset=opset, output_path=str(folder / f"tf-{name}.onnx")
        )
        table[f"tf-{name}.onnx"] = {
            "source": f"keras {keras.__version__}, tf2onnx {tf2onnx.__version__}",
            "inputs": {"x": [n or s for n, s in zip(sizes, ([2, 64, 96, 3] if len(sizes) == 4 else [2, 13, 24]))]},
            "values": {},
            "symbols": {},
            "flops": None,
        }
        print("made", name, flush=True)
    except Exception as error:
        print("FAILED", name, " ".join(str(error).split())[-300:], flush=True)
(folder / "keras.json").write_text(json.dumps(table))
