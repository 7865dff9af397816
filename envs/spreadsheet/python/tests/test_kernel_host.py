"""The host: what it is asked, what it starts and what it leaves behind."""

import json
import os
import subprocess
import tempfile
import unittest

import kernel_attacks
import kernel_machines
from kernel_testing import (MODULES, NOBODY, PATIENCE_S, PYTHON, Host, HostCase,
                            descendants, kill, left_over, watched)


def start(*words, before=None):
    """A host that is expected not to serve: (exit code, out, errors)."""
    done = subprocess.run(
        [PYTHON, "-B", str(MODULES / "kernel_host.py"), *words],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, preexec_fn=before, check=False, text=True)
    return done.returncode, done.stdout, done.stderr


class Requests(HostCase):
    def refused(self, told, **request):
        reply = self.host.ask(**request)
        self.assertEqual(sorted(reply), ["error", "id"], reply)
        self.assertIn(told, reply["error"])
        self.assertNotIn("\n", reply["error"])

    def test_hello_tells_rungs_and_versions(self):
        hello = self.host.hello
        self.assertEqual(hello["kernel_host"], 1)
        self.assertEqual(sorted(hello["rungs"]), ["bubblewrap", "landlock"])
        for name in ("isolation", "python", "openpyxl", "pandas", "numpy"):
            self.assertRegex(hello[name], r"\w")

    def test_bad_requests_are_answered_with_what_is_wrong(self):
        for line, told in ((b"{", "no JSON"), (b"[]", "object"),
                           (b'"x"', "object"), (b"\xff\xfe", "no JSON"),
                           (b"[" * 100_000, "no JSON"), (b"", "no JSON"),
                           (b'{"op": "open"}', '"id"'),
                           (b'{"id": "7"}', '"id"'),
                           (b'{"id": true}', '"id"'),
                           (b'{"id": 1e999}', '"id"')):
            self.host.raw(line + b"\n")
            reply = self.host.wait(None)
            self.assertIn(told, reply["error"], line[:50])
        self.refused('"op" is None', nothing=1)
        self.refused("'fly'", op="fly")
        self.refused('"code"', op="run", kernel=self.kernel)
        self.refused("timeout_ms", op="run", kernel=self.kernel, code="1",
                     timeout_ms=0)
        self.refused("output_bytes", op="run", kernel=self.kernel, code="1",
                     output_bytes="8192")
        for kernel in (0, -1, 1e9, True, None, "1", []):
            self.refused("no such kernel", op="run", kernel=kernel, code="1")
            self.refused("no such kernel", op="close", kernel=kernel)

    def test_line_without_an_end_is_refused_once_and_skipped(self):
        for _ in range(17):
            self.host.raw(b"x" * (1 << 20))
        self.assertIn("more than", self.host.wait(None)["error"])
        self.host.raw(b"x\n")
        self.assertEqual(self.ok("5"), "5\n")

    def test_only_directories_below_the_workspaces_are_opened(self):
        inside = self.host.workspaces
        os.symlink("/etc", os.path.join(inside, "link-out"))
        with open(os.path.join(inside, "file"), "w", encoding="ascii"):
            pass
        for path, told in (("relative", "absolute"), (7, '"workspace"'),
                           (inside, "not below"), ("/etc", "not below"),
                           (inside + "/none", "No such file"),
                           (inside + "/..", "not below"),
                           (inside + "/file", "not a directory"),
                           (inside + "/link-out", "not a directory"),
                           (inside + "/link-out/ssl", "not below"),
                           ("/" + "x" * 5000, "name too long"),
                           ("/\ud800", "no path"), ("/a\0b", "absolute"),
                           (self.path, "that of kernel"),
                           (self.path + "/..", "not below")):
            self.refused(told, op="open", workspace=path)

    def test_input_with_another_name_elsewhere_is_refused(self):
        if self.host.hello["users"] != "own":
            self.skipTest("workspaces change hands only with users of their "
                          "own")
        path = self.host.workspace("linked")
        golden = os.path.join(self.host.root, "data.xlsx")
        with open(golden, "w", encoding="ascii"):
            pass
        os.link(golden, os.path.join(path, "input.xlsx"))
        self.refused("hard link", op="open", workspace=path)
        self.assertEqual(os.stat(golden).st_uid, os.geteuid())

    def test_files_laid_out_before_can_be_read_and_replaced(self):
        path = self.host.workspace("laid-out")
        with open(os.path.join(path, "input.xlsx"), "w",
                  encoding="ascii") as text:
            text.write("given")
        kernel = self.host.ask(op="open", workspace=path)["kernel"]
        code = ("a = open('input.xlsx').read()\n"
                "open('input.xlsx', 'w').write('replaced'); a")
        self.assertEqual(self.host.run(kernel, code)["output"], "'given'\n")
        self.host.close(kernel)

    def test_workspace_can_be_opened_again_after_close(self):
        self.ok("open('output.xlsx', 'w').write('x')")
        self.host.close(self.kernel)
        self.kernel = self.host.ask(op="open", workspace=self.path)["kernel"]
        self.assertEqual(self.ok("open('output.xlsx').read()"), "'x'\n")
        self.ok("open('output.xlsx', 'w').write('y')")

    def test_second_run_at_once_is_refused(self):
        first = self.host.send(op="run", kernel=self.kernel, code=(
            "import os, time\n"
            "while not os.path.exists('go'): time.sleep(0.01)\n8"))
        self.refused("is running", op="run", kernel=self.kernel, code="1")
        with open(os.path.join(self.path, "go"), "w", encoding="ascii"):
            pass
        self.assertEqual(self.host.wait(first)["output"], "8\n")

    def test_close_ends_a_cell_and_is_answered_when_the_process_is_gone(self):
        kernel = self.another()
        before = set(descendants(self.host.process.pid))
        first = self.host.send(op="run", kernel=kernel,
                               code="import time; time.sleep(600)")
        close = self.host.send(op="close", kernel=kernel)
        self.assertIn("closed", self.host.wait(first)["output"])
        self.assertEqual(list(self.host.wait(close)), ["id"])
        gone = before - set(descendants(self.host.process.pid))
        self.assertEqual(len(gone), 1)
        self.refused("no such kernel", op="run", kernel=kernel, code="1")

    def test_descriptors_of_the_host_stay_as_many(self):
        place = f"/proc/{self.host.process.pid}/fd"
        count = len(os.listdir(place))
        for _ in range(30):
            kernel = self.another()
            self.host.run(kernel, "import os; os._exit(1)")
            self.host.close(kernel)
        self.assertEqual(len(os.listdir(place)), count)


class Ends(unittest.TestCase):
    """Beside the end of input, by which each HostCase ends its own."""

    rung = "auto"

    def host_with_work(self):
        host = Host("--rung", self.rung)
        self.addCleanup(host.end)
        kernels = [host.open(f"k{i}") for i in range(3)]
        asked = [host.send(op="run", kernel=kernel,
                           code="while True: pass") for kernel in kernels[:2]]
        host.run(kernels[2], "1")
        return host, kernels, asked

    def test_terminated_host_ends_all_processes_and_no_file(self):
        host, _, _ = self.host_with_work()
        handles = watched(descendants(host.process.pid))
        host.process.terminate()
        self.assertEqual(host.process.wait(PATIENCE_S), 0)
        self.assertEqual(left_over(handles, 0), [])
        self.assertEqual(sorted(os.listdir(host.workspaces)),
                         ["k0", "k1", "k2"])

    def lose_zygote(self, host, kernels, asked):
        # The process below the host whose children are the kernels.
        zygote = next(pid for pid in descendants(host.process.pid)
                      if len(descendants(pid)) == 3)
        handles = watched(descendants(zygote))
        kill(zygote)
        for request in asked:
            reply = host.wait(request)
            self.assertEqual(reply["status"], "died")
            self.assertIn("zygote", reply["output"])
        self.assertEqual(left_over(handles), [])
        self.assertEqual(host.run(kernels[2], "1")["status"], "died")
        for kernel in kernels:
            self.assertEqual(list(host.close(kernel)), ["id"])

    def test_killed_zygote_costs_its_kernels_and_killed_host_all(self):
        host, kernels, asked = self.host_with_work()
        self.lose_zygote(host, kernels, asked)
        again = host.open("again")
        self.assertEqual(host.run(again, "2")["output"], "2\n")
        host.send(op="run", kernel=again, code="while True: pass")
        handles = watched(descendants(host.process.pid))
        self.assertGreater(len(handles), 1)
        kill(host.process.pid)
        self.assertEqual(left_over(handles), [])


class EndsInLandlock(Ends):
    rung = "landlock"


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
