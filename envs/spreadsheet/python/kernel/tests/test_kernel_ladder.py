"""The isolation ladder: which rung a machine takes, and that it takes one."""

import json
import os
import subprocess
import tempfile
import unittest

import kernel_attacks
import kernel_machines
from kernel_processes import left_over, watched
from kernel_testing import MODULES, NOBODY, PYTHON, Host


def start(*words, before=None):
    """A host that is expected not to serve: (exit code, out, errors)."""
    done = subprocess.run(
        [PYTHON, "-B", str(MODULES / "kernel_host.py"), *words],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=before, check=False, text=True)
    return done.returncode, done.stdout, done.stderr


class Ladder(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="kernels-")
        self.addCleanup(os.rmdir, self.place)

    def test_probe_prints_the_rungs_and_ends(self):
        code, out, _ = start("--probe", "--workspaces", self.place)
        told = json.loads(out)
        self.assertEqual(code, 0 if told["isolation"] else 1)
        self.assertEqual(os.listdir(self.place), [])

    def test_pod_without_privileges_takes_landlock(self):
        code, out, _ = start("--probe", "--workspaces", self.place,
                             before=kernel_machines.as_in_a_pod)
        told = json.loads(out)
        self.assertNotIn("works", told["rungs"]["bubblewrap"])
        if not told["rungs"]["landlock"].startswith("works"):
            self.skipTest("no Landlock here: " + told["rungs"]["landlock"])
        self.assertEqual((code, told["isolation"]), (0, "landlock+seccomp"))

    def test_without_any_rung_one_line_refuses(self):
        code, out, errors = start("--workspaces", self.place,
                                  before=kernel_machines.without_landlock)
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(errors.count("\n"), 1)
        self.assertIn("no Landlock", errors)
        self.assertIn("--unsafe-exec", errors)

    def test_bad_options_are_refused_in_a_line(self):
        for words, told in ((["--workspaces", "/none"], "No such file"),
                            (["--workspaces", "/"], "nothing but"),
                            (["--workspaces", "/etc/passwd"],
                             "not a directory")):
            code, out, errors = start(*words)
            self.assertEqual((code, out, errors.count("\n")), (1, "", 1))
            self.assertIn(told, errors)

    def test_workspaces_that_users_may_not_pass_to_are_refused(self):
        if os.geteuid() != 0:
            self.skipTest("only root gives kernels users of their own")
        inner = os.path.join(self.place, "closed")
        os.makedirs(os.path.join(inner, "workspaces"))
        self.addCleanup(os.rmdir, inner)
        self.addCleanup(os.rmdir, os.path.join(inner, "workspaces"))
        os.chmod(self.place, 0o755)
        os.chmod(inner, 0o700)
        code, out, errors = start("--workspaces",
                                  os.path.join(inner, "workspaces"))
        if "users of their own" not in errors:
            self.skipTest("root may not give files away here")
        self.assertEqual((code, out, errors.count("\n")), (1, "", 1))
        self.assertEqual(errors.count(f"may not pass {inner} "), 1)

    def test_unsafe_kernels_run_the_attacks_do_harm_and_close_ends_all(self):
        # The other half of the escape tests: they can fail.
        host = Host("--unsafe-exec", before=kernel_machines.without_landlock,
                    user=NOBODY if os.geteuid() == 0 else None)
        self.addCleanup(host.end)
        self.assertEqual(host.hello["isolation"], "none (unsafe)")
        kernel = host.open("k")
        host.run(kernel, kernel_attacks.TRIES)
        secret = os.path.join(host.root, "golden.xlsx")
        with open(secret, "w", encoding="ascii") as text:
            text.write("answer")
        for code in (f"harm('it', lambda: read({secret!r}))",
                     "harm('it', lambda: read('/etc/passwd'))",
                     "harm('it', socket.socket)",
                     "harm('it', lambda: os.kill(os.getppid(), 0))",
                     "harm('it', lambda: os.system('true'))",
                     "harm('it', lambda: os.symlink('/etc', 'link'))",
                     "harm('it', lambda: os.mkfifo('fifo'))"):
            reply = host.run(kernel, code)
            self.assertIn("HARM it", reply["output"], code)
        code = "import subprocess; subprocess.Popen(['sleep', '600']).pid"
        started = int(host.run(kernel, code)["output"])
        handles = watched([started])
        host.close(kernel)
        self.assertEqual(left_over(handles), [])


if __name__ == "__main__":
    unittest.main()
