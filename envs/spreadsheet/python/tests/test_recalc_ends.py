"""Recalculation as a program: how it starts, and that nothing is left of it."""

import json
import os
import signal
import subprocess
import sys
import unittest

import support
from recalc_testing import Case, office_of
from support import MODULES, PATIENCE_S, Service, await_end, family


@support.needs_office
class Ends(Case):
    """In the sandbox and, where a machine allows none, without."""

    @classmethod
    def setUpClass(cls):
        pass

    def started(self, isolation):
        service = Service(self, "recalc_server.py", "--profile",
                          self.here / "profile", "--isolation", isolation)
        self.works(service)
        below = set(family(service.process.pid)) - {service.process.pid}
        return service, [os.pidfd_open(pid) for pid in below]

    def test_one_process_a_profile_and_killed_it_leaves_none_below(self):
        for isolation in ("auto", "none"):
            with self.subTest(isolation):
                service, watched = self.started(isolation)
                self.assertIn("another process uses it", self.fails(
                    "--profile", self.here / "profile"))
                service.process.kill()
                await_end(watched)

    def test_a_start_does_not_try_out_how_it_draws(self):
        service, watched = self.started("auto")
        user = self.here / "profile/profile/user"
        self.assertTrue((user / "registrymodifications.xcu").exists())
        self.assertFalse((user / "GraphicsRenderTests.log").exists())
        self.assertEqual(service.end(), 0)
        await_end(watched)

    def test_the_end_of_input_ends_all_even_in_the_middle(self):
        for isolation in ("auto", "none"):
            with self.subTest(isolation):
                service, watched = self.started(isolation)
                office = office_of(service)
                sockets = self.sockets_outside(service, office)
                os.kill(office, signal.SIGSTOP)
                service.send("recalculate", **{"in": self.double(),
                                               "out": self.out})
                self.assertEqual(service.end(), 0)
                await_end(watched)
                self.assertFalse([path for path in sockets
                                  if os.path.exists(path)])
                self.assertFalse([name for name in os.listdir("/tmp")
                                  if name.startswith(f"lu{office}")])

    def sockets_outside(self, service, office):
        """Those of a sandbox are in a /tmp of its own."""
        import recalc_worker  # needs LibreOffice's module
        found = recalc_worker.sockets_of(office)
        self.assertEqual(bool(found), service.hello["isolation"] == "none")
        return found

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
        self.assertEqual(set(said), {"recalculation", "office", "isolation"})

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
