"""A TCP relay that can cut what goes through it."""

import socket
import threading


class Relay:
    """Forwards connections to a port of this machine. After `cut_after` bytes
    for the client, the connection is closed; so is every further one while
    `cut_after` is 0. None: no limit."""

    def __init__(self, to, cut_after=None):
        self.to, self.cut_after, self.cuts = to, cut_after, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.close()

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
                        self.cuts += 1
                        break
                sink.sendall(data)
        except OSError:
            pass
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()
