"""What must not work, in every rung that this machine has."""

import os
import stat
import unittest

import kernel_attacks
from kernel_processes import descendants
from kernel_testing import NOBODY, HostCase


# They do not end by themselves, and none of them uses the processor.
STUBBORN = ["import signal, time\n"
            "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
            "time.sleep(600)",
            "import time\nwhile True:\n    try:\n"
            "        while True: time.sleep(0.01)\n"
            "    except BaseException: pass",
            "import signal, threading\n"
            "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
            "threading.Event().wait()",
            # In C for the whole time: a lock that is taken twice.
            "import ctypes\nlock = ctypes.create_string_buffer(64)\n"
            "for _ in range(2): ctypes.CDLL(None).pthread_mutex_lock(lock)"]


class Escapes:
    """For a HostCase; the rungs are below."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # A golden workbook beside the workspaces, which anyone may read.
        cls.secret = os.path.join(cls.host.root, "golden.xlsx")
        cls.other = os.path.join(cls.host.workspaces, "witness",
                                 "of-another.txt")
        with open(cls.secret, "w", encoding="ascii") as text:
            text.write("the golden answer")
        os.chmod(cls.secret, 0o666)
        if cls.user is not None:
            os.chown(cls.secret, cls.user, cls.user)
        cls.host.run(cls.witness, "open('of-another.txt', 'w').write('mine')")
        # They have two seconds for an interrupt, which pass during the tests.
        cls.stubborn = []
        for number, code in enumerate(STUBBORN):
            kernel = cls.host.open(f"stubborn-{number}")
            cls.stubborn.append((kernel, cls.host.send(
                op="run", kernel=kernel, code=code, timeout_ms=100)))

    def attack(self, code, **names):
        """Runs it in our kernel; nothing of it may succeed."""
        if names:
            code = code.format(secret=self.secret, other=self.other,
                               host=self.host.process.pid,
                               zygote=descendants(self.host.process.pid)[0])
        self.ok(kernel_attacks.TRIES)
        reply = self.run_cell(code)
        self.assertEqual(reply["status"], "ok", reply)
        self.assertEqual(reply["output"], "")

    def tearDown(self):
        super().tearDown()
        with open(self.secret, encoding="ascii") as text:
            self.assertEqual(text.read(), "the golden answer")
        with open(self.other, encoding="ascii") as text:
            self.assertEqual(text.read(), "mine")
        self.assertIsNone(self.host.process.poll())

    def test_files_of_others_cannot_be_opened_or_changed(self):
        self.attack(kernel_attacks.FILES, secret=True)

    def test_mode_times_and_attributes_of_files_of_others_stay(self):
        before = os.stat(self.secret)
        self.attack(kernel_attacks.METADATA, secret=True)
        after = os.stat(self.secret)
        self.assertEqual((before.st_mode, before.st_mtime),
                         (after.st_mode, after.st_mtime))

    def test_other_processes_cannot_be_signalled_or_looked_into(self):
        self.attack(kernel_attacks.PROCESSES, host=True)

    def test_nothing_can_be_connected(self):
        self.attack(kernel_attacks.NETWORK)

    def test_system_calls_that_open_doors_fail(self):
        self.attack(kernel_attacks.CALLS)

    def test_calls_as_a_32_bit_program_fail(self):
        self.ok(kernel_attacks.TRIES)
        self.assertNotIn("HARM",
                         self.run_cell(kernel_attacks.OTHER_ABI)["output"])

    def test_links_fifos_and_devices_cannot_be_made(self):
        self.attack(kernel_attacks.LINKS, secret=True)
        self.assertEqual(os.listdir(self.path), ["own"])

    def test_no_file_gets_a_mode_that_lends_its_owner(self):
        self.attack(kernel_attacks.SET_USER_ID)
        own = os.stat(os.path.join(self.path, "own"))
        self.assertEqual(stat.S_IMODE(own.st_mode), 0o644)
        self.assertEqual(sorted(os.listdir(self.path)), ["folder", "own"])

    def test_processes_do_not_multiply_and_threads_have_an_end(self):
        self.ok("import os, threading\nwait = threading.Event()\n"
                "forks = threads = 0\n"
                "for _ in range(1000):\n"
                "    try: os.fork(); forks += 1\n"
                "    except OSError: pass\n"
                "try:\n"
                "    for _ in range(1000):\n"
                "        threading.Thread(target=wait.wait, daemon=True)"
                ".start(); threads += 1\n"
                "except RuntimeError: pass")
        forks, threads = self.ok("print(forks, threads)").split()
        self.assertEqual(int(forks), 0)
        self.assertLess(int(threads), 300)

    def test_ten_gigabytes_are_a_memory_error(self):
        reply = self.run_cell("a = bytearray(10 << 30)")
        self.assertEqual(reply["status"], "error")
        self.assertIn("MemoryError", reply["output"])
        self.assertEqual(self.ok("1"), "1\n")

    def test_limits_cannot_be_raised(self):
        self.ok(kernel_attacks.TRIES)
        self.assertEqual(self.ok(
            "import resource\n"
            "for what in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE,\n"
            "             resource.RLIMIT_NOFILE, resource.RLIMIT_CPU):\n"
            "    soft, hard = resource.getrlimit(what)\n"
            "    harm('raise', lambda: resource.setrlimit(what, "
            "(hard + 1, hard + 1)))"), "")

    def test_endless_output_is_cut_and_interrupted(self):
        for code in ("while True: print('x' * 1000)",
                     "import os\nwhile True: os.write(1, b'y' * 65536)",
                     "import os\nwhile True: os.write(2, b'z' * 65536)"):
            reply = self.run_cell(code, output_bytes=1000)
            self.assertEqual(reply["status"], "error")
            self.assertLess(len(reply["output"]), 2000)
            self.assertGreater(reply["cut_bytes"], 15 << 20)
            self.assertIn("interrupted after 16 MiB", reply["output"])
        self.assertEqual(self.ok("7"), "7\n")

    def test_deaths_are_told_and_final(self):
        for code, told in (
                ("import os; os._exit(3)", "exit code 3"),
                ("import os; os.abort()", "SIGABRT"),
                ("import ctypes; ctypes.string_at(1)", "SIGSEGV"),
                ("import os, signal; os.kill(os.getpid(), 9)", "SIGKILL"),
                ("import os; os.closerange(0, 1000)", "")):
            kernel = self.another()
            reply = self.host.run(kernel, "print('before', flush=True)\n"
                                  + code)
            self.assertEqual(reply["status"], "died", code)
            self.assertIn("before\n[the kernel died: ", reply["output"])
            self.assertIn(told, reply["output"])
            reply = self.host.run(kernel, "1")
            self.assertEqual(reply["status"], "died")
            self.host.close(kernel)

    def test_bytes_forged_on_every_descriptor_harm_nobody(self):
        for bytes_written in (
                "b'\\xff' * 100_000", "b'garbage\\n' * 10", "b'\\0' * 4",
                "b'\\0\\0\\0\\x02[]'", "b'\\0\\0\\0\\x02{}'",
                "b'\\0\\0\\x0f\\xa0' + b'[' * 4000",
                "(lambda t: len(t).to_bytes(4, 'big') + t)("
                "b'{\"done\": \"ok\", \"cell\": 1}') * 3"):
            kernel = self.another()
            reply = self.host.run(
                kernel, "import os\nfor i in range(64):\n"
                f"    try: os.write(i, {bytes_written})\n"
                "    except OSError: pass")
            self.assertIn(reply["status"], ("ok", "died"), bytes_written)
            self.host.close(kernel)
            self.assertEqual(self.host.run(self.witness, "1")["output"],
                             "1\n")

    # By its name the last one, so that it waits for little.
    def test_what_ignores_the_interrupt_is_killed(self):
        for (kernel, request), code in zip(self.stubborn, STUBBORN):
            reply = self.host.wait(request)
            for timeout_ms in (1_000, 10_000, 50_000):
                if reply["status"] != "timeout":
                    break
                # On a busy machine it may not have got so far as to ignore it.
                reply = self.host.run(kernel, code, timeout_ms)
            self.assertEqual(reply["status"], "died", code)
            self.assertIn("did not stop", reply["output"])
            self.assertEqual(self.host.run(kernel, "1")["status"], "died")
            self.host.close(kernel)


class InBubblewrap(Escapes, HostCase):
    rung = "bubblewrap"

    def test_own_processes_network_and_names_are_all_it_has(self):
        self.assertLess(int(self.ok("import os; os.getpid()")), 1000)
        self.assertEqual(self.ok("os.uname().nodename"), "'kernel'\n")
        self.assertEqual(self.ok("os.path.exists('/etc/passwd')"), "False\n")
        self.assertEqual(self.ok(f"os.path.exists({self.secret!r})"),
                         "False\n")


class InLandlock(Escapes, HostCase):
    rung = "landlock"


class InBubblewrapOfNobody(Escapes, HostCase):
    rung = "bubblewrap"
    user = NOBODY


class InLandlockOfNobody(Escapes, HostCase):
    rung = "landlock"
    user = NOBODY


if __name__ == "__main__":
    unittest.main()
