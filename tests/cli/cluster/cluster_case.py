"""What the tests of clusters share: an undisturbed run to compare with, and
the program under test, which is the first argument of each of them.

The rule throughout: whatever dies, a run ends with the documents of an
undisturbed one, and its log has one result for each job.
"""

import os
import subprocess
import sys

from support.cluster import SLOW_TOY, Cluster
from support.program import (ScratchCase, clean_environment, files_below,
                             free_port)

BREWERY = os.path.abspath(sys.argv.pop(1))


def brewery(*words, env=None):
    return subprocess.run([BREWERY, *map(str, words)], text=True,
                          env={**clean_environment(), **(env or {})},
                          capture_output=True, timeout=300)


class Case(ScratchCase):
    toy = SLOW_TOY.format(latency=0)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        done = brewery("run", cls.config, "--id", "reference", "--quiet",
                       "--set", f"run.runs_dir={cls.root / 'runs'}")
        assert done.returncode == 0, done.stderr
        cls.reference = {
            name: text.replace(b'"run": "reference"', b"") for name, text in
            files_below(cls.root / "runs" / "reference" / "kb").items()}

    def cluster(self, workers=2, slots=2, **options):
        address = f"tcp://127.0.0.1:{free_port()}"
        made = Cluster(BREWERY, self.root / self.id().split(".")[-1], address,
                       **options)
        self.addCleanup(made.stop)
        made.start_coordinator()
        for i in range(workers):
            made.start_worker(f"w{i}", slots)
        return made

    def check(self, cluster, run):
        """Nothing lost, nothing twice, the same knowledge."""
        rows, jobs = cluster.results(run)
        self.assertEqual(rows, jobs)
        self.assertEqual(cluster.documents(run), self.reference)
