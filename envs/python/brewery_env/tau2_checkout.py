"""Finds tau2-bench in a checkout that the user has installed, and makes sure
that it is tau2-bench: another package on PyPI has the same name."""

from __future__ import annotations

import copy
import hashlib
import importlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any, Dict, Iterable, List, Tuple

HOME = "https://github.com/sierra-research/tau2-bench"
# What this adapter calls, and the package of the same name does not have.
NEEDED = ["registry", "data_model.message", "environment.environment",
          "evaluator.evaluator_env", "evaluator.evaluator_action",
          "evaluator.evaluator_communicate"]


class CheckoutError(Exception):
    """The checkout cannot be used; the message says why and what to do."""


def _file_of(root: Path, module: str) -> Path:
    path = root.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def find_source(checkout: Path, domain: str) -> Path:
    """The directory to import tau2 from. Reads no code yet."""
    if not checkout.is_dir():
        raise CheckoutError(f"{checkout}: no such directory")
    source = checkout / "src"
    package = source / "tau2"
    if not package.is_dir():
        raise CheckoutError(f"{checkout}: no checkout of tau2-bench (there is "
                            f"no src/tau2 in it); get one from {HOME}")
    for module in [*NEEDED, f"domains.{domain}.environment"]:
        if not _file_of(package, module).is_file():
            raise CheckoutError(
                f"{package}: is not tau2-bench, it has no tau2.{module}; the "
                f"package tau2 on PyPI is an unrelated one of the same name, "
                f"tau2-bench is at {HOME}")
    return source


class Checkout:
    """tau2-bench, imported from the checkout and from nowhere else."""

    def __init__(self, directory: str, domain: str):
        self.directory = Path(directory).resolve()
        self.source = find_source(self.directory, domain)
        self.domain = domain
        sys.path.insert(0, str(self.source))
        os.environ.setdefault("TAU2_DATA_DIR", str(self.directory / "data"))
        _quieten()
        self.environment = self.module(f"domains.{domain}.environment")

    def module(self, name: str) -> Any:
        try:
            made = importlib.import_module(f"tau2.{name}")
        except ImportError as problem:
            raise CheckoutError(
                f"cannot import tau2.{name} of {self.directory} with "
                f"{sys.executable}: {problem}; install the checkout for that "
                f"interpreter (in it: `uv sync` or `pip install -e .`) and name "
                f"it in environment.tau2_official.python") from problem
        found = Path(getattr(made, "__file__", None) or ".").resolve()
        if self.source not in found.parents:
            raise CheckoutError(
                f"tau2.{name} comes from {found}, not from {self.directory}: "
                f"another package named tau2 is in the way")
        return made

    def fingerprint(self, *parts: str) -> str:
        """Of the domain's data and all code that acts or grades."""
        digest = hashlib.sha256(repr(parts).encode())
        data = Path(os.environ["TAU2_DATA_DIR"]) / "tau2" / "domains"
        for path in _files([(data / self.domain, "*"),
                            (self.source / "tau2", "*.py")]):
            digest.update(f"{path.name}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
        return digest.hexdigest()[:32]


def _files(trees: Iterable[Tuple[Path, str]]) -> List[Path]:
    return [path for root, pattern in trees
            for path in sorted(root.rglob(pattern)) if path.is_file()]


def _quieten() -> None:
    """The reference logs every step, which nobody reads here."""
    if importlib.util.find_spec("loguru"):
        logger = importlib.import_module("loguru").logger
        logger.remove()
        logger.add(sys.stderr, level="WARNING")


class ClassDefaults:
    """Some tool kits keep a default value on their class and change it in
    place, so that one task would leave traces in the next. Put back, every
    task is played as if in a process of its own."""

    def __init__(self, kits: Iterable[Any]):
        self._kept: Dict[Tuple[type, str], Any] = {}
        for kit in kits:
            for owner in type(kit).__mro__ if kit is not None else ():
                for name, value in vars(owner).items():
                    if hasattr(value, "model_copy"):
                        self._kept[owner, name] = copy.deepcopy(value)

    def restore(self) -> None:
        for (owner, name), value in self._kept.items():
            setattr(owner, name, copy.deepcopy(value))
