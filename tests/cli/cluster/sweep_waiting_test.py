#!/usr/bin/env python3
"""Who waits for a sweep that a coordinator plays, while the coordinator is away.

  sweep_waiting_test.py PATH_OF_BREWERY [unittest arguments]
"""

import signal
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import BREWERY
from support.program import clean_environment, wait_until
from sweep_case import SweepCase


class WaitingForASweep(SweepCase):
    def waiting(self, cluster, name):
        """A command that has seen the group and waits for it; and what it says
        by then."""
        log = self.root / f"{name}.err"
        file = open(log, "w", encoding="utf-8")
        self.addCleanup(file.close)
        process = subprocess.Popen(
            [BREWERY, "sweep", self.file, "--group", "g", "--connect",
             cluster.address, "--out", self.root / name, "--timeout", "5"],
            env=clean_environment(), stdout=subprocess.DEVNULL, stderr=file)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        said = lambda: log.read_text(encoding="utf-8")
        wait_until("it waits", lambda: " runs finished, " in said())
        return process, said

    def without_coordinator(self, cluster, name):
        """The same, and by then it has noticed that the coordinator is away."""
        process, said = self.waiting(cluster, name)
        cluster.coordinator.kill()
        wait_until("it says that nobody answers", lambda: "brewery: note: "
                   "waiting for the coordinator to come back: " in said())
        return process, said

    def outlasted(self, name):
        """Waits for a sweep whose coordinator is away meanwhile; the states of
        its runs."""
        c = self.cluster(workers=0)
        process, said = self.without_coordinator(c, name)
        c.start_coordinator()
        for i in range(2):
            c.start_worker(f"w{i}")
        self.assertEqual(process.wait(timeout=300), 0, said())
        return {state for _, state, *_ in self.cuts(name)}

    def test_who_waits_for_a_sweep_outlasts_its_coordinator(self):
        self.assertEqual(self.outlasted("outlasted"), {"finished"})
        self.assertEqual(self.documents("outlasted"), self.undisturbed)

    def test_who_decides_rungs_outlasts_the_coordinator(self):
        text = self.file.read_text()
        try:
            self.file.write_text(text + "[halving]\nafter = [1]\n")
            self.assertEqual(self.outlasted("rungs"), {"cut", "finished"})
        finally:
            self.file.write_text(text)

    def test_who_waits_without_a_coordinator_can_be_stopped(self):
        c = self.cluster(workers=0)
        process, said = self.without_coordinator(c, "interrupted")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130, said())
        self.assertIn("the same command waits again", said())

    def test_who_waits_for_a_group_that_is_gone_ends(self):
        c = self.cluster(workers=0)
        process, said = self.without_coordinator(c, "gone")
        (c.root / "runs").rename(c.root / "elsewhere")
        c.start_coordinator()
        self.assertEqual(process.wait(timeout=60), 1, said())
        line = said().splitlines()[-1]
        self.assertIn('no run of group "g"', line)
        self.assertIn("the same command waits again", line)


if __name__ == "__main__":
    unittest.main()
