"""Who is to blame when a kernel ends or cannot be had: what a reply says, so
that code cannot pass its own doing off as the machine's."""

import os
import unittest

from kernel_testing import rungs_and_users

NESTED = """
import os
for _ in range({}):
    os.mkdir({!r})
    os.chdir({!r})
"""


class Blame:
    def reopened(self, code):
        """The answer of a cell that ends its kernel, and then of an `open` in
        the same workspace."""
        kernel = self.another()
        path = os.path.join(self.host.workspaces, f"{self.name}-{self._more}")
        reply = self.host.run(kernel, code)
        self.assertEqual(reply["status"], "died", reply)
        self.host.close(kernel)
        opened = self.host.ask(op="open", workspace=path)
        if "kernel" in opened:
            self.host.close(opened["kernel"])
        return reply, opened

    def test_only_a_kill_may_have_come_from_outside(self):
        for code, killed in (("import os; os._exit(3)", False),
                             ("import os; os.kill(os.getpid(), 9)", True),
                             ("import os; os.kill(os.getpid(), 11)", False)):
            reply, opened = self.reopened(code)
            self.assertEqual(reply["killed"], killed, code)
            self.assertIn("kernel", opened)

    def test_kernel_that_its_host_ended_was_not_killed(self):
        reply, opened = self.reopened(
            "f = open('big', 'wb')\nfor i in range(9):\n"
            "    open(f'{i}', 'wb').write(bytes(50 << 20))")
        self.assertIn("more than 256 MiB", reply["output"])
        self.assertEqual((reply["killed"], "kernel" in opened), (False, True))

    def test_workspace_nested_beyond_limits_is_refused(self):
        for depth, name, told in ((40, "d", "nested more than 32 deep"),
                                  (20, "n" * 250, "name too long")):
            reply, opened = self.reopened(NESTED.format(depth, name, name))
            self.assertIn("the workspace holds", reply["output"])
            self.assertIn(told, opened.get("refused", ""), opened)
            # The agent is shown this.
            self.assertNotIn(self.host.workspaces, opened["refused"])

    def test_closed_folder_is_opened_again_for_the_next_kernel(self):
        for mode in (0, 0o500):
            _, opened = self.reopened(
                "import os\nos.fchmod(os.open('.', os.O_RDONLY), "
                f"{mode})\nos._exit(1)")
            self.assertIn("kernel", opened)


globals().update(rungs_and_users(Blame))


if __name__ == "__main__":
    unittest.main()
