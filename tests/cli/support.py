"""What the tests of the built `brewery` share."""

import os
import tempfile
import unittest
from pathlib import Path

# Learns something within a second.
TOY = """
[run]
seed = 7
log_level = "off"
[environment]
kind = "toy"
eval_split = "eval"
[search]
iterations = 4
initial_trials = 10
strategies = ["mcts", "greedy"]
[eval]
test_trials = 2
"""


def clean_environment():
    """The environment without what would change a command's behaviour."""
    return {k: v for k, v in os.environ.items()
            if not k.startswith("BREWERY_") and k != "NO_COLOR"}


def files_below(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


class ScratchCase(unittest.TestCase):
    """A directory for all tests of a class; its `toy.toml` holds `toy`."""
    toy = TOY

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.root = Path(scratch.name)
        cls.config = cls.root / "toy.toml"
        cls.config.write_text(cls.toy)
