"""The host's loop: requests, kernels and the zygote, in one thread that waits
for all of them at once."""

import os
import select
import time

import kernel_lines
import kernel_session
import sandbox_users
import kernel_workspace
import kernel_zygote_link

TIMEOUT_MS, TIMEOUT_MS_MAX = 60_000, 3_600_000
OUTPUT_BYTES, OUTPUT_BYTES_MAX = 8192, 4 << 20
CODE_CHARACTERS_MAX = 1 << 20
REPLY_BYTES_PENDING_MAX = 8 << 20  # above, no more requests are read

READABLE = select.POLLIN | select.POLLHUP | select.POLLERR
WRITABLE = select.POLLOUT


class Service:
    """`start_zygote` gives a sandbox_launch.Launched; `first_user` is what the
    zygote knows the first kernel's user as, or None; `first_owner` the same
    user outside."""

    def __init__(self, workspaces, quota, start_zygote, first_user,
                 first_owner):
        self.workspaces, self.quota = workspaces, quota
        self._first_user, self._first_owner = first_user, first_owner
        self._poll = select.poll()
        self._handlers = {}
        self._kernels = {}
        self._free_slots = list(range(sandbox_users.KERNELS_MAX))
        self._opened = 0
        self._reader = kernel_lines.LineReader(0)
        self._writer = kernel_lines.LineWriter(1)
        self._over = False
        self.zygote = kernel_zygote_link.ZygoteLink(self, start_zygote)

    # -- for kernels and the zygote

    def watch(self, what, handler, write=False):
        number = what if isinstance(what, int) else what.fileno()
        self._handlers[number] = handler
        self._poll.register(
            number, select.POLLIN | (select.POLLOUT if write else 0))

    def unwatch(self, what):
        number = what if isinstance(what, int) else what.fileno()
        if self._handlers.pop(number, None) is not None:
            self._poll.unregister(number)

    @staticmethod
    def now_ms():
        return time.monotonic() * 1000

    def reply(self, request, fields):
        self._writer.add({"id": request, **fields})

    def start(self, kernel, descriptors):
        user = None if self._first_user is None \
            else self._first_user + kernel.slot
        self.zygote.ask(kernel, user, descriptors)

    def stuck(self):
        self.zygote.replace()

    def gone(self, kernel):
        self._free_slots.append(kernel.slot)
        if kernel.closing:
            self._kernels.pop(kernel.number, None)

    def kernel(self, number):
        return self._kernels.get(number)

    def kernels(self):
        return list(self._kernels.values())

    # -- the loop

    def serve(self, hello):
        """Says `hello`, with versions, and works until the requests end or
        nobody reads the replies."""
        try:
            self.zygote.begin()
            os.set_blocking(0, False)
            os.set_blocking(1, False)
            self._writer.add({**hello, **self.zygote.versions})
            self.watch(0, self._requests_ready)
            while not self._over:
                self._turn()
        except BrokenPipeError:
            pass
        finally:
            self.zygote.end()

    def stop(self):
        self._over = True

    def _turn(self):
        if self._writer.pending():
            self.watch(1, self._replies_ready, write=True)
        times = [kernel.next_ms() for kernel in self._kernels.values()]
        times = [one for one in times if one is not None]
        wait_ms = None
        if times:
            wait_ms = max(0, int(min(times) - self.now_ms()) + 1)
        for number, events in self._poll.poll(wait_ms):
            # One handler may have taken away the next one.
            handler = self._handlers.get(number)
            if handler is not None:
                handler(events & READABLE, events & WRITABLE)
        now_ms = self.now_ms()
        for kernel in self.kernels():
            due_ms = kernel.next_ms()
            if due_ms is not None and due_ms <= now_ms:
                kernel.tick(now_ms)

    def _replies_ready(self, readable, writable):
        self._writer.send()
        if not self._writer.pending():
            self.unwatch(1)
            self.watch(0, self._requests_ready)

    def _requests_ready(self, readable, writable):
        if self._writer.pending() > REPLY_BYTES_PENDING_MAX:
            self.unwatch(0)  # until they are read
            return
        lines, ended = self._reader.read()
        for line in lines:
            self._request(line)
        if ended:
            self.stop()

    def _request(self, line):
        request = None
        try:
            asked = kernel_lines.parse(line)
            request = asked["id"]
            operation = asked.get("op")
            if operation == "open":
                self._open(asked)
            elif operation == "run":
                self._run(asked)
            elif operation == "close":
                self._close(asked)
            else:
                raise kernel_lines.BadLine(
                    f'"op" is {operation!r:.80}; known are open, run, close')
        except kernel_workspace.RefusedContent as problem:
            self.reply(request, {"refused": str(problem)})
        except (kernel_lines.BadLine, kernel_workspace.BadWorkspace) as problem:
            self.reply(request, {"error": str(problem)})

    def _open(self, asked):
        path = kernel_workspace.check(self.workspaces,
                                      kernel_lines.text(asked, "workspace"))
        for other in self._kernels.values():
            if other.state != "dead" and (
                    (path + "/").startswith(other.workspace + "/")
                    or (other.workspace + "/").startswith(path + "/")):
                raise kernel_workspace.BadWorkspace(
                    f"workspace {path!r:.200} is that of kernel "
                    f"{other.number}, or inside it; close it first")
        if not self._free_slots:
            raise kernel_workspace.BadWorkspace(
                f"{sandbox_users.KERNELS_MAX} kernels are open; close one")
        # The one given back longest ago: its user has the fewest traces.
        slot = self._free_slots.pop(0)
        try:
            kernel_workspace.hand_over(
                path, None if self._first_owner is None
                else self._first_owner + slot)
        except kernel_workspace.BadWorkspace:
            self._free_slots.append(slot)
            raise
        self._opened += 1
        kernel = kernel_session.Kernel(self, self._opened, path, slot,
                                       asked["id"])
        self._kernels[self._opened] = kernel
        if self.zygote.ready:
            kernel.start()

    def _known(self, asked):
        number = asked.get("kernel")
        kernel = self._kernels.get(number) if type(number) is int else None
        if kernel is None:
            raise kernel_lines.BadLine(f'"kernel" is {number!r:.80}; there is '
                                       "no such kernel")
        return kernel

    def _run(self, asked):
        kernel = self._known(asked)
        code = kernel_lines.text(asked, "code")
        timeout_ms = kernel_lines.whole(asked, "timeout_ms", 1, TIMEOUT_MS_MAX,
                                        TIMEOUT_MS)
        output_bytes = kernel_lines.whole(asked, "output_bytes", 1,
                                          OUTPUT_BYTES_MAX, OUTPUT_BYTES)
        if len(code) > CODE_CHARACTERS_MAX:
            # The model's mistake, and so a result.
            self.reply(asked["id"], {
                "status": "error", "cut_bytes": 0, "elapsed_ms": 0,
                "output": f"[the code has {len(code)} characters; at most "
                          f"{CODE_CHARACTERS_MAX} are run]"})
            return
        kernel.run(asked["id"], code, timeout_ms, output_bytes)

    def _close(self, asked):
        kernel = self._known(asked)
        # Its number is not used again: nothing is left to ask of it.
        if kernel.state == "dead":
            self._kernels.pop(kernel.number)
        kernel.close(asked["id"])
