"""Recalculation as a program: how it starts, and that nothing is left of it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import unittest

import support
from recalc_testing import Case, needs, office_of, rungs
from support import MODULES, PATIENCE_S, Service, await_end, family
import kernel_machines


def pipes_of(pids):
    """Paths of the pipes in /tmp that LibreOffice is bound to there, which may be
    gone. Other tests have theirs beside them."""
    held = set()
    for pid in pids:
        with contextlib.suppress(OSError):  # it has ended
            for number in os.listdir(f"/proc/{pid}/fd"):
                held.add(os.readlink(f"/proc/{pid}/fd/{number}"))
    with open("/proc/net/unix", encoding="utf-8") as table:
        rows = [row.split() for row in table]
    return {row[7] for row in rows if len(row) > 7
            and f"socket:[{row[6]}]" in held and "/OSL_PIPE_" in row[7]}


@support.needs_office
class Ends(Case):
    """On each rung."""

    @classmethod
    def setUpClass(cls):
        pass

    def started(self, rung):
        service = Service(self, "recalc_server.py", "--profile",
                          self.here / "profile", "--rung", rung)
        self.works(service)
        below = set(family(service.process.pid)) - {service.process.pid}
        return service, [os.pidfd_open(pid) for pid in below]

    def test_one_process_a_profile_and_killed_it_leaves_none_below(self):
        for rung in rungs():
            with self.subTest(rung):
                service, watched = self.started(rung)
                self.assertIn("another process uses it", self.fails(
                    "--profile", self.here / "profile"))
                service.process.kill()
                await_end(watched)

    def test_in_a_pod_without_privileges_it_takes_landlock(self):
        needs("landlock")
        service = Service(self, "recalc_server.py",
                          preexec_fn=kernel_machines.as_in_a_pod)
        self.assertEqual(service.hello["isolation"], "landlock+seccomp")
        self.works(service)

    def test_a_start_does_not_try_out_how_it_draws(self):
        service, watched = self.started("auto")
        user, = self.here.glob("profile/first/box/profile-*/user")
        self.assertTrue((user / "registrymodifications.xcu").exists())
        self.assertFalse((user / "GraphicsRenderTests.log").exists())
        self.assertEqual(service.end(), 0)
        await_end(watched)

    def test_the_end_of_input_ends_all_even_in_the_middle(self):
        for rung in rungs():
            with self.subTest(rung):
                service, watched = self.started(rung)
                office = office_of(service)
                os.kill(office, signal.SIGSTOP)
                service.send("recalculate", **{"in": self.double(),
                                               "out": self.out})
                self.assertEqual(service.end(), 0)
                await_end(watched)
                self.assertFalse([name for name in os.listdir("/tmp")
                                  if name.startswith(f"lu{office}")])

    def test_its_sockets_are_gone_once_its_client_is_connected(self):
        needs("landlock")
        service, _ = self.started("landlock")
        pipes = pipes_of([office_of(service)])
        self.assertTrue([path for path in pipes if "recalc" in path], pipes)
        self.assertFalse(list(filter(os.path.exists, pipes)))

    def test_what_an_office_killed_at_its_start_left_stops_no_other(self):
        needs("landlock")
        words = ("recalc_server.py", "--profile", str(self.here / "profile"),
                 "--rung", "landlock")
        starting = subprocess.Popen([sys.executable, "-B", str(MODULES / words[0]),
                                     *words[1:]], stdin=subprocess.PIPE,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(starting.communicate)
        self.addCleanup(starting.kill)

        left = []
        while starting.poll() is None and not left:
            left = [path for path in pipes_of(family(starting.pid))
                    if "OSL_PIPE_Single" in path and os.path.exists(path)]
        # Killed at a moment when its service cannot tidy up.
        os.kill(starting.pid, signal.SIGSTOP)
        below = [os.pidfd_open(pid) for pid in family(starting.pid)
                 if pid != starting.pid]
        for one in below:
            signal.pidfd_send_signal(one, signal.SIGKILL)
        await_end(below)
        starting.kill()
        starting.wait()
        for path in left:
            self.addCleanup(lambda path=path: os.path.exists(path)
                            and os.unlink(path))
        self.assertTrue(left and all(map(os.path.exists, left)), left)
        self.works(Service(self, *words))

    def test_a_directory_of_its_own_is_removed(self):
        os.environ["TMPDIR"] = str(self.here)
        try:
            service = Service(self, "recalc_server.py")
        finally:
            del os.environ["TMPDIR"]
        self.assertEqual(len(os.listdir(self.here)), 1)
        self.assertEqual(service.end(), 0)
        self.assertEqual(os.listdir(self.here), [])

    def test_without_libreoffice_it_says_what_to_install(self):
        self.assertIn("install libreoffice-calc",
                      self.fails("--office", "no-such-office"))
        self.assertIn("not LibreOffice", self.fails("--office", "/bin/true"))

    def test_a_probe_says_what_is_here_and_starts_nothing(self):
        said = json.loads(self.run_it("--probe").stdout)
        self.assertEqual(set(said), {"recalculation", "office", "isolation", "rungs",
                                     "users"})

    def run_it(self, *words):
        return subprocess.run(
            [sys.executable, "-B", str(MODULES / "recalc_server.py"),
             *map(str, words)], stdin=subprocess.DEVNULL, text=True,
            capture_output=True, timeout=PATIENCE_S)

    def fails(self, *words):
        ended = self.run_it(*words)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        return ended.stderr


if __name__ == "__main__":
    unittest.main()
