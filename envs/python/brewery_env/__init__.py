"""Environments for Brewery in Python.

Subclass `Environment`, then `serve` it; Brewery starts the program and plays
its tasks. The protocol is in docs/environments.md of Brewery; nothing of it
shows here. Standard library only.
"""

from .environment import (Call, Environment, Event, Grade, Outcome, Parameter,
                          Part, Result, Start, Task, Tool, ToolError, Turn)
from .server import PROTOCOL, serve

__all__ = ["Call", "Environment", "Event", "Grade", "Outcome", "Parameter",
           "Part", "PROTOCOL", "Result", "Start", "Task", "Tool", "ToolError",
           "Turn", "serve"]
__version__ = "0.1.0"
