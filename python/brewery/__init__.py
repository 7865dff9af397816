"""Brewery from Python: start a run, and read what runs learned.

    import brewery
    run = brewery.run({"environment": {"kind": "toy", "eval_split": "eval"}})
    print(run.documents[0].text, run.evaluations)

The work is done by the program `brewery`, which the wheel brings along. Standard
library only; pandas, if it is there, for `Run.frame`.
"""

from .program import BreweryError, program
from .runs import Document, Run, Tree, load, run

__all__ = ["BreweryError", "Document", "Run", "Tree", "load", "program",
           "run"]
