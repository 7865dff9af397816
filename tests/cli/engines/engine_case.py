"""What the tests of `brewery cluster` share: a coordinator without workers, and
a state directory of their own."""

import json
import os
import subprocess

from cluster_case import BREWERY, Case
from support.program import clean_environment, wait_until


class EngineCase(Case):
    engine = ""  # the words that choose it

    def setUp(self):
        self.variables = {"XDG_STATE_HOME": str(
            self.root / f"state-{self.id().split('.')[-1]}")}
        self.arrays = []
        self.addCleanup(self.end_arrays)

    def end_arrays(self):
        for name in self.arrays:
            self.brewery("cluster", "down", "--name", name)

    def environment(self):
        return {**clean_environment(), **self.variables}

    def brewery(self, *words):
        return subprocess.run([BREWERY, *map(str, words)], text=True,
                              env=self.environment(), capture_output=True,
                              timeout=120)

    def ok(self, *words):
        done = self.brewery(*words)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done.stdout

    def fails(self, *words, says, code=1):
        """In one line."""
        done = self.brewery(*words)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        self.assertRegex(done.stderr, r"\Abrewery: [^\n]*\n\Z")
        self.assertIn(says, done.stderr)

    def up(self, cluster, *words, name="workers", engine=None, worker=(),
           run=None):
        if name not in self.arrays:
            self.arrays.append(name)
        after = ["--", *worker] if worker else []
        return (run or self.ok)(
            "cluster", "up", "--name", name,
            *(self.engine if engine is None else engine), *words, "--dir",
            cluster.root, "--connect", cluster.address, "--json", *after)

    def shown(self, cluster, name="workers"):
        return json.loads(self.ok("cluster", "status", "--name", name,
                                  "--json", "--connect", cluster.address))

    def wait_connected(self, cluster, count, name="workers"):
        wait_until(f"{count} workers are connected",
                   lambda: self.shown(cluster, name)["connected"] == count,
                   every=0.2)

    def log_of(self, cluster, worker):
        return (cluster.root / f"{worker}.log").read_text()
