#!/usr/bin/env python3
"""Commands that wait for something end at the first Ctrl-C or SIGTERM.

  first_signal_test.py PATH_OF_BREWERY [unittest arguments]
"""

import os
import re
import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY
from support.program import (ScratchCase, clean_environment, free_port,
                             wait_until)


def blocks_interrupts(pid):
    """Whether the command handles signals itself by now."""
    mask = re.search(r"^SigBlk:\s*(\w+)$",
                     Path(f"/proc/{pid}/status").read_text(), re.M)[1]
    return int(mask, 16) & (1 << (signal.SIGINT - 1)) != 0


class FirstSignal(ScratchCase):
    def start(self, *words):
        process = subprocess.Popen(
            [BREWERY, *map(str, words)], env=clean_environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until("it handles signals",
                   lambda: blocks_interrupts(process.pid))
        return process

    def ended(self, process, sent):
        """The exit code, and what it says on standard error."""
        process.send_signal(sent)
        _, said = process.communicate(timeout=60)
        return process.returncode, said

    def test_who_watches_can_stop_while_no_coordinator_answers(self):
        address = f"tcp://127.0.0.1:{free_port()}"
        for words in (["status", "--watch"], ["top"]):
            for sent in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(words=words, sent=sent):
                    process = self.start(*words, "--connect", address,
                                         "--timeout", 600)
                    self.assertEqual(self.ended(process, sent), (0, ""))

    def test_a_worker_that_loads_its_environments_can_be_ended(self):
        program = self.root / "silent"  # says no hello
        program.write_text(f"#!/bin/sh\n: > {self.root}/begun\n"
                           "exec sleep 60 >/dev/null 2>&1\n")
        os.chmod(program, 0o755)
        for sent in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(sent=sent):
                (self.root / "begun").unlink(missing_ok=True)
                process = self.start(
                    "worker", "--connect", f"tcp://127.0.0.1:{free_port()}",
                    "--env", f"external={program}", "--no-spool")
                wait_until("the environment is loaded",
                           (self.root / "begun").exists)
                code, said = self.ended(process, sent)
                self.assertEqual(code, 130, said)
                self.assertEqual(said.splitlines(), [
                    "brewery: interrupted while the worker loaded its "
                    "environments"])


if __name__ == "__main__":
    unittest.main()
