"""What the tests of the built `brewery` share."""

import os

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
