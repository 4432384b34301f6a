# A host whose packets are lost: its listening socket is so full that the kernel answers no SYN.
import socket


class BlackHole:
    """In the place of a proxy's own listening socket, as long as the block runs. What the proxy has
    accepted before stays as it is."""

    def __init__(self, proxy):
        self.proxy, self.fillers = proxy, []

    def __enter__(self):
        self.proxy.stop_listening()
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.proxy.port))
        self.listener.listen(0)
        for _ in range(4):  # the first of them fill the queue, the others are lost already
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", self.proxy.port))
            self.fillers.append(filler)
        return self

    def __exit__(self, *_):
        for each in (*self.fillers, self.listener):
            each.close()
