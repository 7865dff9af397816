"""A TCP relay that can cut what goes through it."""

import socket
import threading


class Relay:
    """Forwards connections to a port of this machine. After `cut_after` bytes
    for the client, the connection is closed; so is every further one while
    `cut_after` is 0. None: no limit. It is `then` from the first cut on.
    `break_all` closes those that are open, or of these the ones whose clients
    said a word."""

    def __init__(self, to, cut_after=None, then=None, at=("127.0.0.1", 0)):
        self.to, self.cut_after, self.cuts = to, cut_after, 0
        self.then = cut_after if then is None else then
        self.said = {}  # by open pair, what its client said
        self.listener = socket.create_server(at)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def break_all(self, word=b""):
        """How many there were."""
        pairs = [pair for pair, said in list(self.said.items()) if word in said]
        for pair in pairs:
            self.end(pair)
        return len(pairs)

    def end(self, pair):
        self.said.pop(pair, None)
        for one in pair:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                client.close()
                continue
            pair = (client, server)
            self.said[pair] = b""
            for words in ((client, server, None, pair),
                          (server, client, self.cut_after, pair)):
                threading.Thread(target=self.pump, args=words,
                                 daemon=True).start()

    def pump(self, source, sink, limit, pair):
        try:
            while data := source.recv(16384):
                if limit is not None:
                    limit -= len(data)
                    if limit < 0:
                        if self.cuts == 0:
                            self.cut_after = self.then
                        self.cuts += 1
                        break
                if source is pair[0] and pair in self.said:
                    self.said[pair] += data
                sink.sendall(data)
        except OSError:
            pass
        self.end(pair)
        for one in pair:
            one.close()
