"""The host: what it is asked, what it starts and what it leaves behind."""

import os
import unittest

from kernel_processes import (PATIENCE_S, descendants, kill, left_over,
                              watched)
from kernel_testing import Host, HostCase


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
            self.assertIn("zygote", reply["error"])
        self.assertEqual(left_over(handles), [])
        self.assertIn("zygote", host.run(kernels[2], "1")["error"])
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


if __name__ == "__main__":
    unittest.main()
