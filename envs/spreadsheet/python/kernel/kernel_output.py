"""The output of one cell, however much it is: its head and its tail."""


class HeadTail:
    """Holds about `most` bytes of what is added."""

    def __init__(self, most):
        self._head_most = most - most // 2
        self._tail_most = most // 2
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def add(self, data):
        self.total += len(data)
        room = self._head_most - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        # Cut once in a while: moving the tail for each byte would be slow.
        if len(self._tail) > 2 * self._tail_most + (1 << 16):
            self._trim()

    def _trim(self):
        extra = len(self._tail) - self._tail_most
        if extra > 0:
            del self._tail[:extra]

    def text(self):
        """(text, number of bytes left out of it)."""
        self._trim()
        cut = self.total - len(self._head) - len(self._tail)
        if cut == 0:
            whole = self._head + self._tail
            return whole.decode("utf-8", "replace"), 0
        # Characters that the cut goes through are left out, too.
        head = self._head.decode("utf-8", "ignore")
        if not self._head_is_text():
            head = self._head.decode("utf-8", "replace")
        tail_bytes = bytes(self._tail)
        skip = 0
        while skip < min(3, len(tail_bytes)) and \
                tail_bytes[skip] & 0xC0 == 0x80:
            skip += 1
        tail = tail_bytes[skip:].decode("utf-8", "replace")
        return f"{head}\n[... {cut} bytes left out ...]\n{tail}", cut

    def _head_is_text(self):
        """Whether the head is UTF-8 but for an unfinished last character."""
        for shorter in range(4):
            try:
                self._head[:len(self._head) - shorter].decode("utf-8")
                return True
            except UnicodeDecodeError:
                pass
        return False
