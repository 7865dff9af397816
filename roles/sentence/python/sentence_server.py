#!/usr/bin/env python3
"""Vectors of texts by a sentence model, on request, a line of JSON each.

    sentence_server.py --model FILE [--identity HASH]

Hello:   {"sentence": 1, "dimensions": 384, "pieces": 256, "runtime": "..."}
         or, if it cannot work, {"sentence": 1, "refused": OPTION, "why": "..."}
Request: {"id": 1, "texts": ["..."]}    Reply: {"id": 1, "vectors": [[...]]}

FILE is model.onnx or model.safetensors of a BERT; the tokenizer and the
settings stand beside it, as sentence-transformers keeps them. Brewery starts it
with the texts of its modules in the environment: there is no file to lose.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import json
import os
import resource
import sys
import types
from pathlib import Path
from typing import Any, Dict, List, Optional

# With the model, these decide what the vectors are.
SETTINGS = ["tokenizer.json", "config.json", "sentence_bert_config.json",
            "modules.json", "1_Pooling/config.json",
            "config_sentence_transformers.json"]
KNOWN_INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
PACKAGES = "onnxruntime tokenizers onnx"
TOGETHER = 16  # more are hardly faster and take more memory


def load(name: str) -> types.ModuleType:
    text = os.environ.pop(f"BREWERY_{name.upper()}", None)
    if text is None:
        here = Path(__file__).resolve()
        sys.path += [str(here.parent),
                     str(here.parents[3] / "envs/spreadsheet/python")]
        return importlib.import_module(name)
    made = types.ModuleType(name)
    exec(compile(text, name + ".py", "exec"), made.__dict__)
    return made


class Refused(Exception):
    """It cannot work; `option` names what to change."""

    def __init__(self, option: str, why: str) -> None:
        super().__init__(why)
        self.option = option


def wrong_file(why: str) -> Refused:
    return Refused("embedder.model_file", why)


def advice() -> str:
    """Debian's own interpreter takes no packages of PyPI."""
    if sys.prefix != sys.base_prefix:
        return f"{sys.executable} -m pip install {PACKAGES}"
    return (f"{sys.executable} -m venv embedder && embedder/bin/pip install "
            f"{PACKAGES}, and name embedder/bin/python")


def root_of(model: Path) -> Path:
    """Some keep the model in a folder of its own: onnx/model.onnx."""
    beside = (model.parent / "tokenizer.json").is_file()
    above = (model.parent.parent / "tokenizer.json").is_file()
    return model.parent.parent if above and not beside else model.parent


def identity_of(model: Path, data: bytes) -> str:
    """As brewery computes it (roles/sentence/model_files)."""
    text = f"model{model.suffix} {hashlib.sha256(data).hexdigest()}\n"
    for name in SETTINGS:
        file = root_of(model) / name
        text += f"{name} " + (hashlib.sha256(file.read_bytes()).hexdigest()
                              if file.is_file() else "-") + "\n"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def settings_in(root: Path, name: str) -> Any:
    file = root / name
    try:
        return json.loads(file.read_text("utf-8")) if file.is_file() else {}
    except ValueError as problem:
        raise wrong_file(f"{file}: {problem}")


def pooling_of(root: Path) -> str:
    """How the hidden states of a text become one vector."""
    for module in settings_in(root, "modules.json") or []:
        kind = str(module.get("type", "")).rsplit(".", 1)[-1]
        if kind not in ("Transformer", "Pooling", "Normalize"):
            raise wrong_file(f"modules.json: the module {kind} is not known")
    asked = settings_in(root, "1_Pooling/config.json")
    modes = [name for name, on in asked.items()
             if name.startswith("pooling_mode_") and on is True]
    if modes not in ([], ["pooling_mode_mean_tokens"],
                     ["pooling_mode_cls_token"]):
        raise wrong_file(f"1_Pooling/config.json: {', '.join(modes)} is not "
                         "known, only the mean of the tokens or the first")
    if settings_in(root, "config_sentence_transformers.json").get(
            "default_prompt_name"):
        raise wrong_file("config_sentence_transformers.json: models with a "
                         "default prompt are not known")
    return "first" if modes == ["pooling_mode_cls_token"] else "mean"


class Model:
    """On one core. Only texts of the same number of pieces go through it
    together, so nothing is padded, and the vector of a text is the same
    whatever is asked beside it."""

    def __init__(self, model: Path, identity: Optional[str]) -> None:
        global np
        data = model.read_bytes()
        if identity and identity_of(model, data) != identity:
            raise wrong_file("it, or what stands beside it, changed since "
                             "brewery began; start brewery again")
        try:
            import numpy as np
            import onnxruntime
            import tokenizers
            if model.suffix == ".safetensors":
                data = load("bert_graph").bert_in_onnx(
                    settings_in(root_of(model), "config.json"), data)
        except ImportError as problem:
            raise Refused("embedder.python", "it has no package "
                          f"{problem.name or problem}; run: {advice()}")
        root = root_of(model)
        file = root / "tokenizer.json"
        if not file.is_file():
            raise wrong_file(f"there is no {file}, which its folder needs")
        self._pooling = pooling_of(root)
        asked = settings_in(root, "sentence_bert_config.json")
        config = settings_in(root, "config.json")
        self.pieces = int(asked.get("max_seq_length")
                          or config.get("max_position_embeddings") or 512)
        self._lower = bool(asked.get("do_lower_case"))
        self._tokenizer = tokenizers.Tokenizer.from_file(str(file))
        # The file of a tokenizer may have limits of its own.
        self._tokenizer.enable_truncation(self.pieces)
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            data, options, providers=["CPUExecutionProvider"])
        self._inputs = {item.name for item in self._session.get_inputs()}
        if not {"input_ids"} <= self._inputs <= KNOWN_INPUTS:
            raise wrong_file(f"its inputs are {sorted(self._inputs)}; known "
                             f"are {sorted(KNOWN_INPUTS)}")
        self._output = self._session.get_outputs()[0].name
        self.dimensions = len(self.vectors(["hops"])[0])
        self.runtime = (f"onnxruntime {onnxruntime.__version__}, "
                        f"tokenizers {tokenizers.__version__}")

    def vectors(self, texts: List[str]) -> List[List[float]]:
        alike: Dict[int, List[int]] = {}
        ids = [self._tokenizer.encode(
            text.strip().lower() if self._lower else text.strip()).ids
            for text in texts]
        for at, one in enumerate(ids):
            alike.setdefault(len(one), []).append(at)
        out: List[List[float]] = [[] for _ in texts]
        for places in alike.values():
            for first in range(0, len(places), TOGETHER):
                part = places[first:first + TOGETHER]
                made = self._run(np.array([ids[at] for at in part], np.int64))
                for at, vector in zip(part, made):
                    out[at] = vector
        return out

    def _run(self, ids: Any) -> List[List[float]]:
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids),
                 "token_type_ids": np.zeros_like(ids)}
        hidden, = self._session.run(
            [self._output], {name: given[name] for name in self._inputs})
        if hidden.ndim != 3 or hidden.shape[:2] != ids.shape:
            raise wrong_file(f"its first output has the shape {hidden.shape}, "
                             "not [texts, pieces, numbers]")
        made = hidden[:, 0] if self._pooling == "first" else hidden.mean(1)
        made = made.astype(np.float64)
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        return (made / np.maximum(lengths, 1e-12)).tolist()


def answer(model: Model, request: Dict[str, Any]) -> Dict[str, Any]:
    texts = request.get("texts")
    if not isinstance(texts, list) or not all(
            isinstance(text, str) for text in texts):
        return {"error": "texts: must be a list of texts"}
    return {"vectors": model.vectors(texts)}


def one_line(problem: BaseException) -> str:
    return " ".join(f"{problem}".split())[:500] or type(problem).__name__


def open_model(words: argparse.Namespace) -> Model:
    try:
        return Model(words.model, words.identity)
    except Refused:
        raise
    except OSError as problem:
        raise wrong_file(problem.strerror or one_line(problem))
    except Exception as problem:  # runtimes have exceptions of many kinds
        raise wrong_file(one_line(problem))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--identity")
    words = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    streams = load("service_lines").Streams()
    model, refused = None, ""
    try:
        model = open_model(words)
        streams.send({"sentence": 1, "dimensions": model.dimensions,
                      "pieces": model.pieces, "runtime": model.runtime})
    except Refused as problem:
        refused = one_line(problem)
        streams.send({"sentence": 1, "refused": problem.option, "why": refused})
    for request in streams.requests():
        try:
            reply = answer(model, request) if model else {"error": refused}
        except Exception as problem:
            reply = {"error": one_line(problem)}
        streams.send({"id": request["id"], **reply})


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        pass  # nobody reads any more
