"""The line between a client and an instance: one port for all its starts, and faults on request."""
import re
import socket
import threading
import time

wait_seconds_max = 60
drip_seconds = 0.4


def read_message(stream):
    """A head and as many bytes as its Content-Length says -> both"""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            raise OSError("the line was cut")
        head += line
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    return head + stream.read(int(length[1]) if length else 0)


def problem(status, executed, *fields):
    """An answer to give instead of the instance's."""
    body = (f'{{"type":"/problems/x","title":"x","status":{status},"detail":"said so",'
            f'"executed":"{executed}","request_id":"x"}}')
    head = [f"HTTP/1.1 {status} X", "Content-Type: application/problem+json",
            f"Content-Length: {len(body)}", "Connection: close", *fields]
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()


class Line:
    """What happens to the next requests is in `plan`, an action each; then they just pass.

    "answer lost", "half an answer": the instance answers, but the client does not get it (all);
    "held answer": the answer is lost once release() is called;
    "held request": the request is lost once release() is called;
    "service killed": by kill -9, some time after it got the request;
    "silence": nothing until the client goes;
    "drip": the head of the answer, and a byte of its body now and then;
    bytes: an answer instead of the instance's"""

    def __init__(self, instance):
        self.instance = instance
        self.plan = []
        self.keys, self.times = [], []  # of the requests, in their order
        self.met = threading.Event()  # a held request or answer is here, a kill was done
        self.released = threading.Event()
        self.kill_delay = 0
        self.address = ("127.0.0.1", 0)
        self.listen()
        self.url = f"http://127.0.0.1:{self.address[1]}"

    def listen(self):
        self.server = socket.create_server(self.address)
        self.address = self.server.getsockname()
        threading.Thread(target=self.accept, daemon=True).start()

    def refuse(self):
        """Nobody is there, until listen()."""
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()

    def expect(self, *actions):
        self.plan = list(actions)
        self.keys, self.times = [], []
        self.met.clear()
        self.released.clear()

    def wait_met(self):
        assert self.met.wait(wait_seconds_max), "no request came"

    def release(self):
        self.released.set()

    def accept(self):
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        with connection, connection.makefile("rb") as stream:
            try:
                while True:
                    request = read_message(stream)
                    key = re.search(rb"(?i)idempotency-key: *(\S+)", request)
                    self.keys.append(key[1].decode())
                    self.times.append(time.monotonic())
                    action = self.plan.pop(0) if self.plan else "pass"
                    if not self.act(action, request, connection):
                        return
            except OSError:
                return  # one side has gone

    def act(self, action, request, connection):
        """-> whether the connection goes on"""
        if isinstance(action, bytes):
            connection.sendall(action)
            return False
        if action == "silence":
            connection.recv(1)
            return False
        if action == "held request":
            self.hold()
            return False
        with socket.create_connection(("127.0.0.1", self.instance.port)) as there:
            there.sendall(request)
            if action == "service killed":
                time.sleep(self.kill_delay)  # a choice of where it meets the request
                self.instance.kill()
                self.met.set()
                return False
            with there.makefile("rb") as stream:
                answer = read_message(stream)
        if action == "held answer":
            self.hold()
        elif action == "half an answer":
            connection.sendall(answer[:-1])
        elif action == "drip":
            head, _, body = answer.partition(b"\r\n\r\n")
            connection.sendall(head + b"\r\n\r\n")
            for byte in body:
                time.sleep(drip_seconds)
                connection.sendall(bytes([byte]))
        elif action == "pass":
            connection.sendall(answer)
        return action == "pass"

    def hold(self):
        self.met.set()
        self.released.wait(wait_seconds_max)

    def close(self):
        self.server.close()
        self.release()
