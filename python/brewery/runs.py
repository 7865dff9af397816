"""Runs: started, and read from their directories."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping

from .program import BreweryError, answers

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Document:
    """What was learned about one concept."""
    concept: int
    title: str
    path: Path
    text: str          # Markdown, with its front matter
    reward: float      # what the search maximised
    correctness: float
    retrieval: float
    iteration: int     # that wrote it; 0: the first document
    insights: list[dict[str, Any]] = field(repr=False)


@dataclass(frozen=True)
class Tree:
    """The versions of one document that a search made."""
    strategy: str
    concept: int
    title: str
    iteration: int        # that it was last at
    whole: bool           # False: an older release recorded no versions
    dropped: int          # candidates equal to a version, left out
    published: list[int]  # the best version after each iteration
    # Each: id, parent, document (its hash), iteration, depth, visits, value,
    # reward, correctness, retrieval, rollouts, as `brewery tree --json` has
    # them. The root's parent is itself.
    versions: list[dict[str, Any]] = field(repr=False)


@dataclass(frozen=True)
class Run:
    """A run as its directory has it. Whole once its state is "finished"."""
    directory: Path
    state: str
    rollouts: int
    seconds: float
    cost_usd: float
    documents: list[Document]
    # One for each knowledge base: name, split, tasks, reward and more, as
    # `brewery runs --json` prints them. The first is without documents.
    evaluations: list[dict[str, Any]]

    @property
    def id(self) -> str:
        return self.directory.name

    def trees(self) -> list[Tree]:
        """The trees of all searches, read from the log."""
        names = Tree.__dataclass_fields__
        return [Tree(**{name: one[name] for name in names})
                for one in answers("tree", self.directory)
                if one["event"] == "tree"]

    def versions(self) -> list[dict[str, Any]]:
        """A row for each version of each tree: strategy, concept, title,
        published (whether it ever was), and what `Tree.versions` has."""
        return [{"strategy": tree.strategy, "concept": tree.concept,
                 "title": tree.title,
                 "published": version["id"] in tree.published, **version}
                for tree in self.trees() for version in tree.versions]

    def frame(self, of: str = "evaluations") -> pandas.DataFrame:
        """The "evaluations" or the "versions" as a data frame. Needs
        pandas."""
        if of not in ("evaluations", "versions"):
            raise BreweryError(f'no frame of "{of}": there are "evaluations" '
                               'and "versions"')
        try:
            import pandas
        except ImportError:
            raise BreweryError(f"frame() needs pandas; `{of}` has the same as "
                               "a list") from None
        return pandas.DataFrame(self.evaluations if of == "evaluations"
                                else self.versions())


def run(config: str | os.PathLike[str] | Mapping[str, Any], *,
        id: str | None = None, runs_dir: str | os.PathLike[str] | None = None,
        overrides: Mapping[str, Any] | None = None) -> Run:
    """Learns, and returns when it is done.

    `config` is the path of a TOML file, or its tables as dicts. `overrides`
    are options by their dotted keys, {"search.max_width": 5}. What is None is
    left out. Paths in dicts are relative to the working directory. `runs_dir`
    goes before the option run.runs_dir. Raises BreweryError.
    """
    options = dict(_flat(overrides or {}))
    with tempfile.TemporaryDirectory() as scratch:
        if isinstance(config, Mapping):
            options = dict(_flat(config)) | options
            file = Path(scratch, "run.toml")
            file.touch()
        else:
            file = Path(config)
        words: list[str | Path] = ["run", file, "--quiet"]
        if runs_dir is not None:
            words += ["--runs-dir", Path(runs_dir)]
        if id is not None:
            words += ["--id", id]
        for key, value in options.items():
            words += ["--set", f"{key}={_toml(value, key)}"]
        result = answers(*words)[-1]
    return load(Path(result["documents"]).parent)


def load(directory: str | os.PathLike[str]) -> Run:
    """The run of this directory. Raises BreweryError if it is none."""
    at = Path(directory).absolute()
    file = at / "status.json"
    with _reading(file):
        if not file.is_file():
            raise BreweryError(f"{at} is not the directory of a run: it has "
                               "no status.json")
        status = json.loads(file.read_text(encoding="utf-8"))
        about = {name: status[name] for name in
                 ("state", "rollouts", "seconds", "cost_usd")}
    documents = _documents(at / "kb")
    listed = answers("runs", at)
    return Run(directory=at, documents=documents,
               evaluations=listed[0].get("evaluations", []), **about)


def _documents(folder: Path) -> list[Document]:
    manifest = folder / "manifest.json"
    with _reading(manifest):
        if not manifest.is_file():  # nothing was published yet
            return []
        entries = json.loads(manifest.read_text(encoding="utf-8"))["documents"]
        return [Document(
            concept=entry["concept"], title=entry["title"],
            path=folder / entry["file"],
            text=(folder / entry["file"]).read_text(encoding="utf-8"),
            reward=entry["reward"], correctness=entry["correctness"],
            retrieval=entry["retrieval"], iteration=entry["iteration"],
            insights=entry["insights"]) for entry in entries]


@contextmanager
def _reading(file: Path) -> Iterator[None]:
    """What is wrong with a file of a run is a line that names it."""
    try:
        yield
    except OSError as problem:
        raise BreweryError(f"cannot read {problem.filename or file}: "
                           f"{problem.strerror}") from None
    except ValueError as problem:  # no JSON, or no UTF-8
        raise BreweryError(f"cannot read {file}: {problem}") from None
    except KeyError as problem:
        raise BreweryError(f"{file} has no {problem}") from None
    except (TypeError, AttributeError):
        raise BreweryError(f"{file} is not what a run writes") from None


def _flat(tables: Mapping[str, Any], at: str = "") -> Iterator[tuple[str, Any]]:
    """{"search": {"max_width": 5}} as ("search.max_width", 5)."""
    for key, value in tables.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{at}{key}.")
        elif value is not None:
            yield f"{at}{key}", value


def _toml(value: Any, key: str) -> str:
    """A value as TOML has it, which is as JSON has it for those of options."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(one, key) for one in value)}]"
    if not isinstance(value, (str, bool, int, float)):
        raise BreweryError(f"{key}: {value!r} is no text, number, truth value "
                           "or list of these")
    return json.dumps(value, ensure_ascii=False)
