"""The parts of the host that need no process."""

import functools
import struct
import unittest

import kernel_testing  # noqa: F401  (finds the modules)
import kernel_frames
import kernel_output
import sandbox_calls as calls
import sandbox_seccomp as seccomp


def shown(data, most, piece=7):
    held = kernel_output.HeadTail(most)
    for start in range(0, len(data), piece):
        held.add(data[start:start + piece])
    return held.text()


class Output(unittest.TestCase):
    def test_what_fits_is_whole(self):
        for size in range(12):
            data = b"0123456789ab"[:size]
            self.assertEqual(shown(data, 12), (data.decode(), 0))

    def test_head_and_tail_and_count_are_those_of_the_bytes(self):
        for most in (1, 2, 3, 10, 101):
            for piece in (1, 7, 1000):
                data = bytes(i % 90 + 33 for i in range(1000))
                text, cut = shown(data, most, piece)
                head, _, tail = text.partition("\n[... ")
                tail = tail.partition(" ...]\n")[2]
                self.assertEqual(cut, 1000 - most)
                self.assertEqual(head + tail,
                                 (data[:most - most // 2]
                                  + data[1000 - most // 2:]).decode())

    def test_memory_does_not_grow_with_the_output(self):
        held = kernel_output.HeadTail(100)
        for _ in range(1000):
            held.add(bytes(10_000))
        self.assertEqual(held.total, 10_000_000)
        self.assertLess(len(held._head) + len(held._tail), 1 << 17)

    def test_character_that_is_cut_through_is_left_out(self):
        for most in range(1, 40):
            text, _ = shown("é𝄞a".encode() * 100, most)
            self.assertNotIn("\ufffd", text)

    def test_bytes_that_are_no_text_are_shown_as_such(self):
        text, _ = shown(b"a\xff" * 100, 20)
        self.assertIn("a\ufffd", text)


class Frames(unittest.TestCase):
    def test_frames_arrive_whatever_the_pieces(self):
        values = [{"a": 1}, {}, {"b": "é\ud800\0"}]
        data = b"".join(map(kernel_frames.encode, values))
        for size in (1, 2, 3, 5, 100):
            decoder, found = kernel_frames.Decoder(1000), []
            for start in range(0, len(data), size):
                found += decoder.feed(data[start:start + size])
            self.assertEqual(found, values)

    def test_too_large_or_broken_frames_are_refused(self):
        for data in (b"\xff\xff\xff\xff", b"\0\0\x03\xe9", b"\0\0\0\0",
                     b"\0\0\0\x02[]", b"\0\0\0\x01{", b"\0\0\0\x02\xff\xff",
                     b"\0\0\x03\xe8" + b"[" * 1000):
            with self.assertRaises(kernel_frames.BadFrame, msg=data[:8]):
                kernel_frames.Decoder(1000).feed(data)


@functools.lru_cache
def filter_of(pid):
    return list(struct.iter_unpack("=HBBI", seccomp.program(pid)))


def verdict(number, arguments=(), architecture=seccomp.AUDIT_ARCH_X86_64,
            pid=77):
    """What the filter says, by running it."""
    words = list(arguments) + [0] * (6 - len(arguments))
    data = struct.pack("=IIQ6Q", number, architecture, 0, *words)
    steps = filter_of(pid)
    place = value = 0
    while True:
        code, yes, no, constant = steps[place]
        place += 1
        if code == seccomp.RETURN:
            return constant
        if code == seccomp.LOAD:
            value = struct.unpack_from("=I", data, constant)[0]
            continue
        holds = {seccomp.EQUAL: value == constant,
                 seccomp.ABOVE: value > constant,
                 seccomp.AT_LEAST: value >= constant,
                 seccomp.ANY_BIT: bool(value & constant)}[code]
        place += yes if holds else no


class Filter(unittest.TestCase):
    REFUSED, UNKNOWN, FAKED = (seccomp.ERRNO | 1, seccomp.ERRNO | 38,
                               seccomp.ERRNO)

    def test_only_the_named_calls_are_allowed(self):
        allowed = {calls.NUMBERS[name] for name in calls.ALLOWED}
        ruled = {calls.NUMBERS[name] for name in seccomp._rules_of(77)}
        for number in range(600):
            if number in allowed:
                self.assertEqual(verdict(number), seccomp.ALLOW)
            elif number not in ruled:
                self.assertEqual(verdict(number), self.UNKNOWN
                                 if number > calls.NEWEST else self.REFUSED)

    def test_no_dangerous_call_is_named(self):
        for name in """socket connect ptrace mount unshare setns bpf keyctl
                fork vfork execve execveat io_uring_setup process_vm_readv
                perf_event_open memfd_create symlink link mknod truncate chown
                sendmsg pidfd_open personality setuid tkill userfaultfd
                shmget fallocate setxattr chmod""".split():
            self.assertNotIn(name, calls.ALLOWED)

    def test_other_architectures_and_x32_are_refused(self):
        for number in (0, 1, 20, 39, 57):
            self.assertEqual(verdict(number, architecture=0x40000003),
                             self.REFUSED)
            self.assertEqual(verdict(number | 0x40000000), self.REFUSED)

    def test_threads_are_allowed_and_processes_are_not(self):
        clone = calls.NUMBERS["clone"]
        of_pthreads = 0x003D0F00
        self.assertEqual(verdict(clone, [of_pthreads]), seccomp.ALLOW)
        self.assertEqual(verdict(clone, [17]), self.REFUSED)
        for bit in (0x2000, 0x4000, 0x20000, 0x02000000, 0x04000000,
                    0x08000000, 0x10000000, 0x20000000, 0x40000000):
            self.assertEqual(verdict(clone, [of_pthreads | bit]),
                             self.REFUSED)
        self.assertEqual(verdict(calls.NUMBERS["clone3"]), self.UNKNOWN)

    def test_signals_reach_the_process_itself_only(self):
        for name in ("kill", "tgkill"):
            number = calls.NUMBERS[name]
            self.assertEqual(verdict(number, [77, 9]), seccomp.ALLOW)
            for pid in (0, 1, 76, 2 ** 32 - 1, 2 ** 32 - 77):
                self.assertEqual(verdict(number, [pid, 9]), self.REFUSED)

    def test_modes_of_what_is_made_lend_no_owner(self):
        creates, unnamed = 0o102, 0o20200002  # O_CREAT, O_TMPFILE; O_RDWR
        for name, before in (("fchmod", [3]), ("creat", [0]), ("mkdir", [0]),
                             ("mkdirat", [3, 0]), ("open", [0, creates]),
                             ("open", [0, unnamed]),
                             ("openat", [3, 0, creates]),
                             ("openat", [3, 0, unnamed])):
            with self.subTest(name):
                number = calls.NUMBERS[name]
                self.assertEqual(verdict(number, [*before, 0o100777]),
                                 seccomp.ALLOW)
                for bit in (0o1000, 0o2000, 0o4000):
                    self.assertEqual(verdict(number, [*before, bit | 0o755]),
                                     self.REFUSED)
        # Without a file that is made nobody says a mode.
        self.assertEqual(verdict(calls.NUMBERS["openat"], [3, 0, 2, 0o7777]),
                         seccomp.ALLOW)
        self.assertEqual(verdict(calls.NUMBERS["openat2"]), self.UNKNOWN)

    def test_changes_by_path_are_said_to_work(self):
        self.assertEqual(verdict(calls.NUMBERS["chmod"]), self.FAKED)
        times = calls.NUMBERS["utimensat"]
        self.assertEqual(verdict(times, [3, 0]), seccomp.ALLOW)
        for path in (1, 1 << 32, 0x7FFF00000000):
            self.assertEqual(verdict(times, [3, path]), self.FAKED)


if __name__ == "__main__":
    unittest.main()
