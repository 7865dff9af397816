"""What a cell does and what is shown of it."""

import os
import unittest

from kernel_processes import await_true, descendants, stopped
from kernel_testing import NOBODY, HostCase


class Cells(HostCase):
    def test_names_live_from_cell_to_cell(self):
        self.assertEqual(self.ok("a = 2\ndef f(x): return x * a"), "")
        self.assertEqual(self.ok("f(21)"), "42\n")

    def test_value_of_last_expression_is_shown_after_prints(self):
        self.assertEqual(self.ok("print('one')\n'two'"), "one\n'two'\n")
        self.assertEqual(self.ok("None"), "")

    def test_both_streams_are_shown_in_order(self):
        code = ("import sys, os\nprint('a')\nprint('b', file=sys.stderr)\n"
                "os.write(1, b'c\\n')\nprint('d')")
        self.assertEqual(self.ok(code + "; None"), "a\nb\nc\nd\n")

    def test_workbook_is_edited_and_saved(self):
        out = self.ok(
            "import openpyxl, pandas as pd\nw = openpyxl.Workbook()\n"
            "w.active['A1'] = 'n'; w.active['A2'] = 7\nw.save('output.xlsx')\n"
            "pd.read_excel('output.xlsx')['n'].sum()")
        self.assertEqual(out, "7\n")
        self.ok("pd.DataFrame({'x': [1]}).to_excel('second.xlsx')\n"
                "import shutil; shutil.copy('output.xlsx', 'third.xlsx')\n"
                "shutil.copy2('output.xlsx', 'fourth.xlsx')")
        self.assertEqual(sorted(os.listdir(self.path)),
                         ["fourth.xlsx", "output.xlsx", "second.xlsx",
                          "third.xlsx"])

    def test_error_shows_the_line_of_the_cell_and_no_frames_of_ours(self):
        reply = self.run_cell("import pandas as pd\ndef f(d):\n"
                              "    return d['none']\nf(pd.DataFrame())")
        self.assertEqual(reply["status"], "error")
        self.assertIn('File "<cell 1>", line 3, in f', reply["output"])
        self.assertIn("return d['none']", reply["output"])
        self.assertTrue(reply["output"].endswith("KeyError: 'none'\n"))
        self.assertNotIn("kernel_", reply["output"])
        self.assertLess(len(reply["output"]), 800)

    def test_syntax_error_is_an_error(self):
        reply = self.run_cell("a = (1")
        self.assertEqual(reply["status"], "error")
        self.assertIn("SyntaxError", reply["output"])

    def test_recursion_is_an_error_with_a_short_traceback(self):
        reply = self.run_cell("def f(): return f()\nf()")
        self.assertEqual(reply["status"], "error")
        self.assertIn("RecursionError", reply["output"])
        self.assertLess(len(reply["output"]), 2000)

    def test_cause_of_an_error_is_named(self):
        reply = self.run_cell(
            "try: 1 / 0\nexcept Exception as e: raise ValueError('x') from e")
        self.assertIn("caused by ZeroDivisionError", reply["output"])

    def test_long_output_keeps_head_and_tail(self):
        reply = self.run_cell("print('start' + 'x' * 100_000 + 'end')",
                              output_bytes=100)
        self.assertTrue(reply["output"].startswith("startx"))
        self.assertTrue(reply["output"].endswith("xend\n"))
        self.assertEqual(reply["cut_bytes"], 100_009 - 100)
        self.assertLess(len(reply["output"]), 200)

    def test_strange_text_passes_in_and_out(self):
        self.assertEqual(self.ok("print('a\\0b', 'é', '𝄞', '\\ud800')"),
                         "a\0b é 𝄞 \\ud800\n")
        self.assertEqual(self.ok("import os; os.write(1, b'\\xff\\n'); None"),
                         "\ufffd\n")
        for code in ("a = '\0'", "a = '\ud800'"):
            self.assertEqual(self.run_cell(code)["status"], "error")

    def test_too_much_code_is_refused_as_a_result(self):
        reply = self.run_cell("#" * (1 << 20) + "\n1")
        self.assertEqual(reply["status"], "error")
        self.assertIn("1048578 characters", reply["output"])
        self.assertEqual(self.ok("'" + "𝄞" * 500_000 + "'[0]"), "'𝄞'\n")
        reply = self.run_cell("(" * 500_000)
        self.assertEqual(reply["status"], "error")

    def test_leaving_ends_the_cell_and_not_the_kernel(self):
        self.ok("import sys; a = 1\nsys.exit()\na = 2")
        self.assertEqual(self.ok("a"), "1\n")
        reply = self.run_cell("sys.exit('enough')")
        self.assertEqual(reply["status"], "error")
        self.assertIn("SystemExit: enough", reply["output"])

    def test_streams_that_a_cell_breaks_are_mended_for_the_next(self):
        for broken in ("import os; os.closerange(0, 3)",
                       "import sys; sys.stdout = sys.stderr = None",
                       "import sys; sys.stdout.close()",
                       "import os; os.dup2(0, 1)"):
            self.run_cell(broken)
            self.assertEqual(self.ok("print('again')"), "again\n", broken)

    def test_nothing_can_be_read_from_standard_input(self):
        self.assertIn("EOFError", self.run_cell("input()")["output"])

    def test_environment_holds_nothing_of_the_parent(self):
        out = self.ok("import os; print(sorted(os.environ))")
        self.assertNotIn("SECRET", out)
        self.assertIn("'TZ'", out)

    def test_random_numbers_and_hashes_are_the_same_in_each_kernel(self):
        code = ("import random, numpy\n"
                "(random.random(), numpy.random.rand(), hash('text'))")
        first = self.ok(code)
        second = self.host.open(self.name + "-second")
        self.assertEqual(self.host.run(second, code)["output"], first)
        self.host.close(second)

    def test_module_written_by_a_cell_can_be_imported(self):
        self.assertEqual(self.ok("open('own.py', 'w').write('x = 3')\n"
                                 "import own\nown.x"), "3\n")

    def test_exception_without_text_does_not_hurt(self):
        reply = self.run_cell(
            "class E(Exception):\n    def __str__(self): raise E()\nraise E()")
        self.assertEqual(reply["status"], "error")
        self.assertIn("E", reply["output"])

    def interrupt(self, code):
        """The output of a cell that prints "waits" and does, after it was
        interrupted there: a busy machine may need more time to get so far."""
        for seconds in (0.1, 1, 10, 50):
            reply = self.run_cell(code, timeout_ms=int(seconds * 1000))
            self.assertEqual(reply["status"], "timeout")
            self.assertIn(f"interrupted after {seconds:g} s", reply["output"])
            if "waits\n" in reply["output"]:
                return reply["output"]
        raise AssertionError("the cell does not begin")

    def test_cell_that_is_too_slow_is_interrupted_and_names_survive(self):
        output = self.interrupt("a = 5\nprint('waits', flush=True)\n"
                                "import time; time.sleep(600)")
        self.assertIn("KeyboardInterrupt", output)
        self.assertEqual(self.ok("a"), "5\n")

    def test_interrupt_of_one_cell_never_reaches_the_next(self):
        for _ in range(20):
            self.run_cell("import time; time.sleep(0.01)", timeout_ms=10)
            self.assertEqual(self.ok("sum(range(1000))"), "499500\n")

    def test_cell_that_swallows_the_interrupt_but_ends_is_a_timeout(self):
        self.interrupt("import time\ntry:\n    print('waits', flush=True)\n"
                       "    time.sleep(600)\nexcept BaseException: a = 6")
        self.assertEqual(self.ok("a"), "6\n")

    def test_keyboard_interrupt_of_the_cell_itself_is_an_error(self):
        reply = self.run_cell("raise KeyboardInterrupt")
        self.assertEqual(reply["status"], "error")

    def test_threads_stand_still_between_calls(self):
        before = set(descendants(self.host.process.pid))
        kernel = self.another()
        process, = set(descendants(self.host.process.pid)) - before
        self.host.run(kernel, "import threading\ndef count():\n"
                      "    while True: pass\n"
                      "threading.Thread(target=count, daemon=True).start()")
        self.assertEqual(len(os.listdir(f"/proc/{process}/task")), 2)
        await_true(lambda: stopped(process), "the threads stand still")
        # And they do while another kernel works.
        self.host.run(self.witness, "1")
        self.assertTrue(stopped(process))
        self.host.close(kernel)

    def test_calls_of_several_kernels_run_side_by_side(self):
        before = set(os.listdir(self.host.workspaces))
        kernels = [self.another() for _ in range(4)]
        paths = [os.path.join(self.host.workspaces, name) for name
                 in set(os.listdir(self.host.workspaces)) - before]
        asked = [self.host.send(op="run", kernel=kernel, code=(
            "import os, time\nopen('here', 'w').close()\n"
            "while not os.path.exists('go'): time.sleep(0.01)"))
            for kernel in kernels]
        for path in paths:
            here = os.path.join(path, "here")
            await_true(lambda: os.path.exists(here), "all run at once")
        for path in paths:
            with open(os.path.join(path, "go"), "w", encoding="ascii"):
                pass
        for kernel, one in zip(kernels, asked):
            self.assertEqual(self.host.wait(one)["status"], "ok")
            self.host.close(kernel)


class Limits(HostCase):
    options = ("--memory-mb", "1024", "--file-mb", "2", "--workspace-mb", "8",
               "--workspace-files", "50", "--cpu-s", "1")

    def test_too_large_a_file_is_an_error_of_the_cell(self):
        reply = self.run_cell("open('a', 'wb').write(bytes(3 << 20))")
        self.assertEqual(reply["status"], "error")
        self.assertIn("File too large", reply["output"])

    def test_processor_time_has_an_end(self):
        reply = self.run_cell("import threading\n"
                              "while True: pass")
        self.assertEqual(reply["status"], "died")
        self.assertIn("processor time", reply["output"])

    def test_too_many_files_end_the_kernel(self):
        reply = self.run_cell(
            "for i in range(60): open(f'f{i}', 'w').close()")
        self.assertEqual(reply["status"], "died")
        self.assertIn("more than 50 files", reply["output"])

    def test_too_much_in_all_files_ends_the_kernel_while_it_runs(self):
        reply = self.run_cell(
            "import time\nfor i in range(6):\n"
            "    open(f'f{i}', 'wb').write(b'x' * (2 << 20))\n"
            # Longer than an answer is waited for.
            "time.sleep(600)", timeout_ms=600_000)
        self.assertEqual(reply["status"], "died")
        self.assertIn("more than 8 MiB", reply["output"])

    def test_deleted_files_held_open_count(self):
        reply = self.run_cell(
            "import os\nheld = []\nfor i in range(6):\n"
            "    held.append(open('f', 'w+b', buffering=0))\n"
            "    held[-1].write(b'x' * (2 << 20)); os.unlink('f')")
        self.assertEqual(reply["status"], "died")
        self.assertIn("more than 8 MiB", reply["output"])

    def test_memory_in_too_many_pieces_ends_the_kernel(self):
        # With a long path each, and the same bytes, so that no two are one.
        reply = self.run_cell(
            "import ctypes, os, time\nplace = '/'.join(['d' * 250] * 6)\n"
            "os.makedirs(place)\n"
            "file = os.open(place + '/f', os.O_RDWR | os.O_CREAT)\n"
            "os.write(file, bytes(4096))\n"
            "call = ctypes.CDLL(None).syscall\n"
            "words = [ctypes.c_long(n) for n in (9, 0, 4096, 1, 2, file, 0)]\n"
            "for _ in range(900): call(*words)\ntime.sleep(600)",
            timeout_ms=600_000)
        self.assertEqual(reply["status"], "died")
        self.assertIn("memory in more pieces", reply["output"])


class LimitsOfNobody(Limits):
    user = NOBODY


if __name__ == "__main__":
    unittest.main()
