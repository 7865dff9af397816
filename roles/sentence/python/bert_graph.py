"""The graph of a BERT in ONNX, from weights as Hugging Face keeps them
(config.json, model.safetensors). Only what makes the last hidden state is read;
there is no dropout and no head."""

from __future__ import annotations

import json
import struct
from typing import Dict, List

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17  # the first with LayerNormalization
# onnxruntime refuses a newer version than it knows; this one is enough.
IR_VERSION = 8


class WrongModel(Exception):
    """The files are no BERT that this module can read."""


def read_safetensors(data: bytes) -> Dict[str, np.ndarray]:
    """The arrays of floats: a length, a header of JSON, then bytes."""
    try:
        size, = struct.unpack_from("<Q", data)
        header = json.loads(data[8:8 + size])
        out = {}
        for name, about in header.items():
            if name == "__metadata__" or about["dtype"] != "F32":
                continue  # position_ids are integers: 0, 1, 2 ...
            first, last = (8 + size + at for at in about["data_offsets"])
            out[name.removeprefix("bert.")] = np.frombuffer(
                data[first:last], np.float32).reshape(about["shape"])
    except (struct.error, ValueError, KeyError, TypeError, AttributeError,
            OverflowError, MemoryError) as problem:
        raise WrongModel(f"it is not of the format safetensors: {problem}")
    return out


class Graph:
    """Nodes in the order in which they are added; each returns its output."""

    def __init__(self, weights: Dict[str, np.ndarray], epsilon: float) -> None:
        self._weights, self._epsilon = weights, epsilon
        self.nodes: List[onnx.NodeProto] = []
        self.constants: Dict[str, onnx.TensorProto] = {}

    def op(self, kind: str, *inputs: str, **attributes: object) -> str:
        out = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [out],
                                           **attributes))
        return out

    def constant(self, name: str, value: np.ndarray) -> str:
        self.constants[name] = numpy_helper.from_array(
            np.ascontiguousarray(value), name)
        return name

    def whole(self, *numbers: int) -> str:
        name = "n" + "_".join(map(str, numbers))
        return self.constant(name, np.array(numbers, np.int64))

    def number(self, value: float) -> str:
        return self.constant(f"x{value:.9g}", np.array(value, np.float32))

    def weight(self, name: str) -> np.ndarray:
        if name not in self._weights:
            raise WrongModel(f'it has no tensor "{name}" of 32-bit floats')
        return self._weights[name]

    def linear(self, value: str, name: str) -> str:
        product = self.op("MatMul", value, self.constant(
            f"{name}.weight", self.weight(f"{name}.weight").T))
        return self.op("Add", product, self.constant(
            f"{name}.bias", self.weight(f"{name}.bias")))

    def normed(self, value: str, name: str) -> str:
        parts = [self.constant(f"{name}.{kind}", self.weight(f"{name}.{kind}"))
                 for kind in ("weight", "bias")]
        return self.op("LayerNormalization", value, *parts, axis=-1,
                       epsilon=self._epsilon)


def embeddings(graph: Graph) -> str:
    """Words, positions from 0 on, and the first of the two types."""
    table = "embeddings.{}_embeddings.weight".format
    words = graph.op("Gather", graph.constant(
        table("word"), graph.weight(table("word"))), "input_ids")
    places = graph.op(
        "Slice", graph.constant(table("position"), graph.weight(
            table("position"))),
        graph.whole(0), graph.op("Slice", graph.op("Shape", "input_ids"),
                                 graph.whole(1), graph.whole(2)),
        graph.whole(0))
    kind = graph.constant("first_type", graph.weight(table("token_type"))[0])
    both = graph.op("Add", graph.op("Add", words, kind), places)
    return graph.normed(both, "embeddings.LayerNorm")


def attention(graph: Graph, value: str, hidden_mask: str, layer: str,
              heads: int, width: int) -> str:
    def parted(name: str, order: List[int]) -> str:
        linear = graph.linear(value, f"{layer}.attention.self.{name}")
        shaped = graph.op("Reshape", linear, graph.whole(0, 0, heads, width))
        return graph.op("Transpose", shaped, perm=order)

    scores = graph.op("MatMul", parted("query", [0, 2, 1, 3]),
                      parted("key", [0, 2, 3, 1]))
    scores = graph.op("Mul", scores, graph.number(width ** -0.5))
    shares = graph.op("Softmax", graph.op("Add", scores, hidden_mask), axis=-1)
    seen = graph.op("MatMul", shares, parted("value", [0, 2, 1, 3]))
    seen = graph.op("Transpose", seen, perm=[0, 2, 1, 3])
    return graph.op("Reshape", seen, graph.whole(0, 0, heads * width))


def gelu(graph: Graph, value: str) -> str:
    share = graph.op("Erf", graph.op("Div", value, graph.number(2 ** 0.5)))
    share = graph.op("Add", share, graph.number(1))
    return graph.op("Mul", graph.op("Mul", value, share), graph.number(0.5))


def make_layer(graph: Graph, value: str, hidden_mask: str, number: int,
               heads: int, width: int) -> str:
    layer = f"encoder.layer.{number}"
    seen = attention(graph, value, hidden_mask, layer, heads, width)
    added = graph.op("Add", value,
                     graph.linear(seen, f"{layer}.attention.output.dense"))
    value = graph.normed(added, f"{layer}.attention.output.LayerNorm")
    inner = gelu(graph, graph.linear(value, f"{layer}.intermediate.dense"))
    added = graph.op("Add", value, graph.linear(inner, f"{layer}.output.dense"))
    return graph.normed(added, f"{layer}.output.LayerNorm")


def check(config: Dict[str, object]) -> None:
    """Raises WrongModel for what this module would get wrong."""
    wanted = {"model_type": "bert", "hidden_act": "gelu",
              "position_embedding_type": "absolute"}
    for name, value in wanted.items():
        if config.get(name, value if name[0] == "p" else None) != value:
            raise WrongModel(f"config.json: {name} is {config.get(name)!r}; "
                             f"only {value!r} is read from safetensors. Give "
                             "the model as .onnx instead")


def bert_in_onnx(config: Dict[str, object], data: bytes) -> bytes:
    """input_ids and attention_mask, both [texts, pieces], to hidden states."""
    check(config)
    heads = int(config["num_attention_heads"])
    width = int(config["hidden_size"]) // heads
    graph = Graph(read_safetensors(data), float(config["layer_norm_eps"]))
    mask = graph.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    mask = graph.op("Unsqueeze", mask, graph.whole(1, 2))
    hidden_mask = graph.op("Mul", graph.op("Sub", graph.number(1), mask),
                           graph.number(-1e9))
    value = embeddings(graph)
    for number in range(int(config["num_hidden_layers"])):
        value = make_layer(graph, value, hidden_mask, number, heads, width)
    shape = ["texts", "pieces"]
    made = helper.make_graph(
        graph.nodes, "bert",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape)
         for name in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info(value, TensorProto.FLOAT,
                                       [*shape, heads * width])],
        list(graph.constants.values()))
    return helper.make_model(
        made, opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION).SerializeToString()
