#!/usr/bin/env python3
"""`brewery data check` and `brewery data fetch` of OSWorld's tasks.

  osworld_data_test.py PATH_OF_BREWERY [unittest arguments]
"""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support.program import CommandCase, main

ROOT = Path(__file__).resolve().parents[3]
OFFICIAL = ROOT / "../shared/data/osworld"
FILES = ("https://huggingface.co/datasets/xlangai/ubuntu_osworld_file_cache/"
         "resolve/main/")


def task(address):
    return {"id": "one", "instruction": "Do it.",
            "config": [{"type": "download", "parameters": {"files": [
                {"url": address, "path": "/home/user/a.txt"}]}}],
            "evaluator": {"func": "infeasible"}}


class OsworldData(CommandCase):
    def test_own_tasks_can_all_be_played_and_graded_here(self):
        done = self.brewery("data", "check", str(ROOT / "examples/osworld"),
                                "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        last = json.loads(done.stdout.splitlines()[-1])
        self.assertGreaterEqual(last["tasks"], 40)
        self.assertEqual(last["native"], last["tasks"])
        self.assertEqual(last["refused"], {})

    def test_official_tasks_are_counted(self):
        if not OFFICIAL.is_dir():
            self.skipTest("../shared/data/osworld is not here")
        done = self.brewery("data", "check", str(OFFICIAL))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("369 tasks: 361 can be played", done.stdout)
        self.assertIn("refused, needs a Google account: 8", done.stdout)
        self.assertIn("graded natively: 152, of which infeasible: 29",
                      done.stdout)

    def test_files_are_fetched_once_from_a_mirror_and_checked(self):
        with tempfile.TemporaryDirectory() as place:
            place = Path(place)
            (place / "data/examples/os").mkdir(parents=True)
            (place / "data/examples/os/one.json").write_text(
                json.dumps(task(FILES + "os/one/a.txt?download=true")))
            (place / "mirror/os/one").mkdir(parents=True)
            (place / "mirror/os/one/a.txt").write_text("hello")

            def fetch():
                done = self.brewery(
                    "data", "fetch", str(place / "data"), "--cache",
                    str(place / "cache"), "--mirror", str(place / "mirror"),
                    "--json")
                return done, json.loads(done.stdout.splitlines()[-1])
            done, said = fetch()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((said["fetched"], said["bytes"]), (1, 5))
            _, said = fetch()
            self.assertEqual((said["fetched"], said["here"]), (0, 1))
            kept = next((place / "cache").glob("*_a.txt"))
            kept.write_text("damaged")
            (place / "mirror/os/one/a.txt").write_text("other")
            done, said = fetch()
            self.assertEqual(done.returncode, 1)
            self.assertIn("has changed", done.stderr)


if __name__ == "__main__":
    main()
