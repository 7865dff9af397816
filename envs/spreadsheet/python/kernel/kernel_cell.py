"""Runs cells one after the other in one namespace, as a notebook does: the
value of a last expression is shown, and what went wrong."""

import ast
import io
import linecache
import os
import signal
import sys
import types

import kernel_traceback

CELLS_REMEMBERED = 50  # sources kept for tracebacks


def _stream(descriptor):
    raw = io.FileIO(descriptor, "wb", closefd=False)
    # Text that is no UTF-8 must not fail in the middle of a print.
    return io.TextIOWrapper(io.BufferedWriter(raw, 1 << 13), encoding="utf-8",
                            errors="backslashreplace", line_buffering=True)


class Cells:
    def __init__(self):
        self._module = types.ModuleType("__main__")
        self._module.__dict__["__builtins__"] = __builtins__
        sys.modules["__main__"] = self._module
        self._spare = os.dup(1)  # cells may close 1 and 2
        self._interruptible = False
        self._number = 0

    def run(self, code):
        """"ok", "error" or "interrupted"; all output is written when it
        returns."""
        self._number += 1
        self._prepare()
        status = "error"
        try:
            self._interruptible = True
            status = self._execute(code)
            self._interruptible = False
        except KeyboardInterrupt:
            # In the moment after the cell, or while its error was shown.
            status = "interrupted"
        except BaseException as problem:  # from streams the cell has broken
            self._say(f"{type(problem).__name__} while the output was written")
        self._interruptible = False
        self._flush()
        return status

    def _prepare(self):
        """What a cell before this one may have changed, and this one needs."""
        for descriptor in (1, 2):
            os.dup2(self._spare, descriptor)
        self._out, self._errors = _stream(1), _stream(2)
        sys.stdout, sys.stderr = self._out, self._errors
        signal.signal(signal.SIGINT, self._interrupt)
        old = f"<cell {self._number - CELLS_REMEMBERED}>"
        linecache.cache.pop(old, None)

    def _interrupt(self, number, frame):
        if self._interruptible:
            self._interruptible = False  # once for a cell
            raise KeyboardInterrupt

    def _execute(self, code):
        name = f"<cell {self._number}>"
        try:
            kernel_traceback.remember_source(name, code)
            body, last = self._compile(code, name)
            names = self._module.__dict__
            exec(body, names)
            if last is not None:
                value = eval(last, names)
                if value is not None:
                    names["_"] = value
                    print(repr(value), file=self._out)
            return "ok"
        except SystemExit as leaving:
            if leaving.code is None or leaving.code == 0:
                return "ok"
            self._say(f"SystemExit: {leaving.code!s:.200}")
            return "error"
        except BaseException as problem:
            text = kernel_traceback.shown(problem)
            self._say(text.rstrip("\n"))
            interrupted = isinstance(problem, KeyboardInterrupt)
            return "interrupted" if interrupted else "error"

    @staticmethod
    def _compile(code, name):
        tree = ast.parse(code, name)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
            last = compile(last, name, "eval", dont_inherit=True)
        return compile(tree, name, "exec", dont_inherit=True), last

    def _say(self, text):
        self._flush()
        try:
            print(text, file=self._errors, flush=True)
        except BaseException:
            pass  # the cell closed it

    def _flush(self):
        for stream in (sys.stdout, sys.stderr, self._out, self._errors):
            try:
                stream.flush()
            except BaseException:
                pass  # closed, or a stream of the cell's own
