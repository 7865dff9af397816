"""What is committed is what generate.py makes, and it has the shape that
Brewery and the official runner read.

  python3 examples/osworld/tools/test_generate.py
"""

import filecmp
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from generate import all_tasks, generate  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


class GenerateTest(unittest.TestCase):
    def test_the_same_bytes_every_time(self):
        with tempfile.TemporaryDirectory() as made:
            generate(Path(made))
            names = sorted(str(path.relative_to(made))
                           for path in Path(made).rglob("*") if path.is_file())
            _, different, missing = filecmp.cmpfiles(ROOT, made, names,
                                                     shallow=False)
            self.assertEqual((different, missing), ([], []))
            committed = {str(path.relative_to(ROOT))
                         for folder in ("examples", "files", "solutions")
                         for path in (ROOT / folder).rglob("*")
                         if path.is_file()}
            self.assertLessEqual(committed, set(names))

    def test_each_task_is_in_one_split_and_has_its_files(self):
        splits = [json.loads((ROOT / f"{name}.json").read_text())
                  for name in ("train", "eval", "test")]
        listed = [name for split in splits for ids in split.values()
                  for name in ids]
        tasks = all_tasks()
        self.assertGreaterEqual(len(tasks), 40)
        self.assertEqual(sorted(listed), sorted(task.id for task in tasks))
        for task in tasks:
            for step in task.config:
                for file in step["parameters"].get("files", []):
                    self.assertTrue((ROOT / file["url"]).is_file(), file)


if __name__ == "__main__":
    unittest.main()
