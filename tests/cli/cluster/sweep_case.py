"""A sweep that a coordinator plays as the group `g`, beside the same one of a
process."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cluster_case import Case, brewery
from support.program import TOY, files_below
from support.report_tables import without_times

SWEEP = """base = "toy.toml"
seeds = {seeds}
[set]
search.strategies = ["mcts"]
search.iterations = {iterations}
{set}
[[points]]
name = "narrow"
search.max_width = 2
[[points]]
name = "wide"
search.max_width = 6
"""
RUNS = ("narrow-s1", "narrow-s2", "wide-s1", "wide-s2")


class SweepCase(Case):
    toy = TOY

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = cls.write()
        cls.sweep("whole")
        cls.undisturbed = cls.documents("whole")

    @classmethod
    def write(cls, seeds=(1, 2), iterations=4, also=""):
        file = cls.root / "sweep.toml"
        file.write_text(SWEEP.format(seeds=list(seeds), iterations=iterations,
                                     set=also))
        return file

    @classmethod
    def sweep(cls, name, *words, code=0):
        done = brewery("sweep", cls.file, "--out", cls.root / name, "--quiet",
                       *words)
        assert done.returncode == code, done.stderr
        return done

    @classmethod
    def documents(cls, name):
        """By run; the manifests without the runs' names."""
        out = {}
        for run in (cls.root / name).glob("*-s*"):
            if not (run / "kb" / "manifest.json").exists():
                continue  # it was cut
            id = json.loads((run / "kb" / "manifest.json").read_text())["run"]
            out[run.name] = {
                file: text.replace(f'"run": "{id}"'.encode(), b"") for
                file, text in files_below(run / "kb").items()}
        return out

    def tables(self, name):
        said = brewery("report", self.root / name)
        self.assertEqual(said.returncode, 0, said.stderr)
        return without_times((self.root / name / "report.md").read_text())

    def compared(self, name):
        said = brewery("compare", self.root / name, "--json")
        self.assertEqual(said.returncode, 0, said.stderr)
        return json.loads(said.stdout)

    def on(self, cluster, name, *words, group="g", code=0):
        return self.sweep(name, "--group", group, "--connect",
                          cluster.address, *words, code=code)

    def refused(self, cluster, *words, says, code=1, group="g"):
        done = brewery("sweep", self.file, "--group", group, "--connect",
                       cluster.address, *words)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(says, done.stderr)

    def group(self, cluster, name="g"):
        for group in cluster.status()["groups"]:
            if group["name"] == name:
                return group
        return None

    def cuts(self, name):
        state = json.loads((self.root / name / "sweep.json").read_text())
        return [(run["run"], run["state"], run["rollouts"], run.get("cut"))
                for point in state["points"] for run in point["runs"]]
